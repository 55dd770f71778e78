"""Lines on standard error that say what a command does while it prints nothing else.

A command calls `show_activity` before each step that may take long, such as reading logs. A thread
then prints a line about every ten seconds: the step, and the time since the first of these calls.
The thread ends with the command, or with `end_activity`. A command that is faster prints no line.
"""

from __future__ import annotations

import threading
import time

import click

LINE_SECONDS = 8.0
"""Time between two lines. It is below ten seconds for two reasons: the command has started before,
and a line may be late while C code runs.
"""
_META_KEY = __name__


def show_activity(step: str) -> None:
    """Say in the lines to come what the current command does now.

    Args:
        step: What it does, such as "reading logs".
    """
    context = click.get_current_context()
    lines: _Lines | None = context.meta.get(_META_KEY)
    if lines is None:
        context.meta[_META_KEY] = _Lines(step)
        context.call_on_close(lambda: _end(context))
    else:
        lines.step = step


def end_activity() -> None:
    """Print no further lines, because the current command prints its progress itself."""
    _end(click.get_current_context())


def _end(context: click.Context) -> None:
    lines: _Lines | None = context.meta.pop(_META_KEY, None)
    if lines is not None:
        lines.end()


class _Lines:
    """A thread that prints a line every `LINE_SECONDS`.

    Attributes:
        step: What the next line says.
    """

    def __init__(self, step: str) -> None:
        self.step = step
        self._started = time.monotonic()
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._print_lines, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """End the thread, and wait until it has ended."""
        self._has_ended.set()
        self._thread.join()

    def _print_lines(self) -> None:
        while not self._has_ended.wait(LINE_SECONDS):
            seconds = time.monotonic() - self._started
            click.echo(f"{self.step}, {seconds:.0f} s", err=True)
