"""``python -m firsthit`` is the command ``firsthit``."""

from .cli import main

main()
