"""Ctrl-C, and SIGTERM, which batch systems send: once ends cleanly, twice at once."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator

INTERRUPTED = 130
"""Exit code of a command that was interrupted."""

_AT_ONCE = b"\nended at once; runs that were on the disk are kept\n"


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Within, the first SIGINT or SIGTERM raises KeyboardInterrupt; the second ends the process.

    What the process had sealed stays; its workers end with it.
    """
    count = 0

    def interrupt(number: int, frame: object) -> None:
        nonlocal count
        count += 1
        if count > 1:
            with contextlib.suppress(OSError):
                os.write(2, _AT_ONCE)
            os._exit(INTERRUPTED)
        raise KeyboardInterrupt

    handlers = {one: signal.signal(one, interrupt) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
