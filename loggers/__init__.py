"""What is recorded: observed problems, first hits of targets, and the HDF5 log with its reader.

Names are imported when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
