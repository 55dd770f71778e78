"""The notice that kernels are compiled, which may take a minute in the first run.

By default it is printed to stderr. A program that draws a progress bar, or that captures stderr,
shows it in another way by `compilation_notices_to`. This module does not import numba.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

_TEXT = "firsthit: compiling kernels (first run only)"


def print_to_stderr(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


_show_functions: list[Callable[[str], None]] = [print_to_stderr]
"""The last one is used. All threads share it, because optimizers may evaluate in their threads."""


@contextmanager
def compilation_notices_to(show: Callable[[str], None]) -> Iterator[None]:
    """Show the notice by calling ``show``, in all threads, until the end of the block."""
    _show_functions.append(show)
    try:
        yield
    finally:
        _show_functions.remove(show)


@cache
def show_compilation_notice() -> None:
    """Show the notice, once in each process."""
    _show_functions[-1](_TEXT)
