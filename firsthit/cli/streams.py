"""Standard streams that fail: a full disk, a reader that went away, a descriptor that was closed.

Text for standard error may get lost: that is no reason to end a campaign. Results that cannot
be written to standard output end a command with one sentence and exit code 2.

Results, notes and errors quote files that others wrote. Whatever they hold, a terminal shows it and
obeys nothing: all that leaves by these streams is cleaned here.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, TextIO

import click

from ..runner.execution.progress import GuardedStream

NOT_PRINTED = 2
"""Exit code of a command whose results could not be printed."""


@contextlib.contextmanager
def usable_streams() -> Iterator[None]:
    """Within, ``sys.stdout`` and ``sys.stderr`` are there, and fail as said above."""
    _occupy_descriptors()
    before = sys.stdout, sys.stderr
    out, err = before[0] or _opened(1), before[1] or _opened(2)
    results = _Visible(_with_all_characters(out))
    sys.stdout = GuardedStream(results, partial(_ending_the_command, results))
    sys.stderr = _Visible(GuardedStream(_with_all_characters(err)))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


@contextlib.contextmanager
def as_written() -> Iterator[None]:
    """Within, standard error shows all that is written to both streams, as it is.

    For the time of the runs: the bar of the progress moves the cursor, and so may an optimizer.
    """
    stream = getattr(sys.stderr, "as_written", sys.stderr)
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield


def _occupy_descriptors() -> None:
    """Put the null device where 0, 1 or 2 is closed: the next file opened would take its place.

    Descriptor 1 is opened for reading only, so that results are not lost in silence.
    """
    for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)


def _with_all_characters(stream: TextIO) -> TextIO:
    r"""The stream; a character that its encoding lacks is shown as ``\u2026``, and is no error."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="backslashreplace")
    return stream


def _opened(descriptor: int) -> TextIO:
    return open(descriptor, "w", encoding="utf-8", closefd=False)


class _NotPrinted(click.ClickException):
    """Results cannot be printed."""

    exit_code = NOT_PRINTED

    def show(self, file: Any = None) -> None:
        """Print the message."""
        click.echo(f"firsthit: {self.message}", err=True)


@contextlib.contextmanager
def _ending_the_command(stream: _Visible) -> Iterator[None]:
    """Within, a failure ends the command, without a message where the reader went away."""
    try:
        yield
    except OSError as error:
        # what is left in the buffer goes nowhere, at the end of the process at the latest
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
        if isinstance(error, BrokenPipeError):
            sys.exit(NOT_PRINTED)
        reason = error.strerror or str(error)
        raise _NotPrinted(f"cannot write to standard output: {reason}") from error


class _Visible:
    """A stream whose terminal shows all that is written, see `suites.texts`.

    Attributes:
        as_written: The stream itself.
    """

    def __init__(self, stream: TextIO | GuardedStream) -> None:
        self.as_written = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.as_written, name)

    def write(self, text: str) -> int:
        """Write the text, invisible characters escaped."""
        visible_text = text
        if not text.replace("\n", "").isprintable():
            from ..suites.texts import visible  # the suites import numpy; --help does not wait

            visible_text = visible(text)
        self.as_written.write(visible_text)
        return len(text)
