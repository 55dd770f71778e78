"""Wrap standard output and standard error, so that they handle failures and escape characters.

- If writing to standard error fails, for example because the disk is full, the text is lost and the
  command continues. A lost message must not end a campaign.
- If writing to standard output fails, the command ends with a message and exit code 2, because its
  results are lost.
- Both streams escape invisible characters. The printed texts quote files of other people, and a
  terminal would execute the control characters in them.

`guarded_streams` installs the wrapped streams for a command. While runs are executed,
`redirect_to_unescaped_stderr` disables the escaping.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import IO, Any, TextIO

import click

from ..runner.execution.progress import GuardedStream

_EXIT_CODE_NOT_PRINTED = 2
"""Exit code of a command whose results could not be printed."""


@contextlib.contextmanager
def guarded_streams() -> Iterator[None]:
    """Replace ``sys.stdout`` and ``sys.stderr`` by the streams that the module describes.

    If one of the descriptors 0, 1 and 2 is closed, the null device is opened there and stays open.
    On exit the previous streams are restored.

    Raises:
        _ResultsNotPrintedError: Writing to standard output failed.
        SystemExit: Standard output is a pipe whose reader has ended.
    """
    _occupy_closed_descriptors()
    previous_streams = sys.stdout, sys.stderr
    stdout = previous_streams[0] or _open_descriptor(1)
    stderr = previous_streams[1] or _open_descriptor(2)
    # Text passes the wrappers from the outer one to the inner one: it is escaped first, and then
    # written by the guarded stream. Without a guard of its own, `GuardedStream` ignores failures.
    _accept_all_characters(stdout)
    _accept_all_characters(stderr)
    sys.stdout = _EscapingStream(GuardedStream(stdout, partial(_end_command_on_failure, stdout)))
    sys.stderr = _EscapingStream(GuardedStream(stderr))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = previous_streams


@contextlib.contextmanager
def redirect_to_unescaped_stderr() -> Iterator[None]:
    """Redirect both streams to standard error, without escaping.

    Commands do so while they execute runs. The progress bar moves the cursor by control characters,
    which must not be escaped. Text that optimizers print goes to standard error, because standard
    output is for results.
    """
    stream = getattr(sys.stderr, "unescaped", sys.stderr)
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        yield


def _occupy_closed_descriptors() -> None:
    """Open the null device at each of the descriptors 0, 1 and 2 that is closed.

    Otherwise the next opened file, such as a log, would get the descriptor of a standard stream.
    Printed text would then be written into that file.
    """
    # Descriptor 1 is opened for reading only. So printing results fails with an error, and the
    # results are not lost silently.
    for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)


def _open_descriptor(descriptor: int) -> TextIO:
    """Return a new text stream for a descriptor. Closing the stream leaves the descriptor open."""
    return open(descriptor, "w", encoding="utf-8", closefd=False)


def _accept_all_characters(stream: TextIO) -> None:
    r"""Change a stream so that it writes characters outside its encoding as ``\u2026``."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="backslashreplace")


class _EscapingStream:
    r"""Stream that writes invisible characters as escape sequences such as ``\x1b``.

    `suites.texts.visible` escapes the text. All other attributes belong to the underlying stream.

    Attributes:
        unescaped: The underlying stream, which does not escape the text that is written to it.
    """

    def __init__(self, stream: GuardedStream) -> None:
        self.unescaped = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unescaped, name)

    def write(self, text: str) -> int:
        """Write the text with escaped invisible characters, and return the length of ``text``."""
        visible_text = text
        if not text.replace("\n", "").isprintable():
            # This import loads numpy, which would delay `firsthit --help`.
            from ..suites.texts import visible

            visible_text = visible(text)
        self.unescaped.write(visible_text)
        return len(text)


@contextlib.contextmanager
def _end_command_on_failure(stream: TextIO) -> Iterator[None]:
    """Raise an exception that ends the command with exit code 2 if the block cannot write.

    Args:
        stream: Standard output. After a failure its descriptor refers to the null device.

    Raises:
        _ResultsNotPrintedError: Writing failed. The exception has a message for the user.
        SystemExit: The stream is a pipe whose reader has ended, such as ``head``. There is no
            message, because the reader needs no more results.
    """
    try:
        yield
    except OSError as error:
        # The buffer of the stream still contains text, which Python writes at the end of the
        # process. Without the null device, that would fail again and print a traceback.
        with contextlib.suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
        if isinstance(error, BrokenPipeError):
            sys.exit(_EXIT_CODE_NOT_PRINTED)
        reason = error.strerror or str(error)
        message = f"cannot write to standard output: {reason}"
        raise _ResultsNotPrintedError(message) from error


class _ResultsNotPrintedError(click.ClickException):
    """Results could not be written to standard output. click shows it and ends the command."""

    exit_code = _EXIT_CODE_NOT_PRINTED

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message to standard error."""
        click.echo(f"firsthit: {self.message}", err=True)
