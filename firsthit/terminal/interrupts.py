"""Ctrl-C, and SIGTERM, which batch systems send: once ends cleanly, twice at once."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
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
        with _main_thread_woken():
            yield
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)


@contextlib.contextmanager
def _main_thread_woken() -> Iterator[None]:
    """Wake the main thread, in which Python handles signals, when another thread received one.

    The kernel gives a signal to any thread. The main thread, which waits for runs to end, would
    not notice one that another thread took.
    """
    if sys.platform == "win32":
        yield
        return
    main = threading.main_thread().ident or 0
    reading, writing = os.pipe()
    os.set_blocking(writing, False)

    def wake() -> None:
        while number := os.read(reading, 1):
            if number[0] != signal.SIGURG:
                signal.pthread_kill(main, signal.SIGURG)

    urgent = signal.signal(signal.SIGURG, lambda number, frame: None)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    waker = threading.Thread(target=wake, name="firsthit signals", daemon=True)
    waker.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)
        waker.join()
        os.close(reading)
        signal.signal(signal.SIGURG, urgent)
