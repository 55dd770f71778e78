"""Telling people how far an execution is: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import Any, Protocol, TextIO

from ...loggers import RunRecord

_LINE_SECONDS = 10.0


class Progress(Protocol):
    """Told of an execution: ``begin`` once, ``update`` for every run that ends, ``close`` once."""

    def begin(self, runs: int, done: int) -> None:
        """So many runs are planned, and so many of them are in the log already."""

    def update(self, run: RunRecord) -> None:
        """One more run ended."""

    def close(self) -> None:
        """No more runs."""


class SilentProgress:
    """Says nothing."""

    def begin(self, runs: int, done: int) -> None:
        """Say nothing."""

    def update(self, run: RunRecord) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Say nothing."""


class _Tally:
    """Counts what there is to tell."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self.evaluations = self.hit = self.failed = 0

    def add(self, run: RunRecord) -> None:
        self.evaluations += run.evaluations
        self.hit += run.status == "target"
        self.failed += run.status in ("failed", "timeout")

    def seconds(self) -> float:
        return time.perf_counter() - self._started

    def text(self) -> str:
        rate = self.evaluations / max(self.seconds(), 1e-9)
        return f"{rate:.2g} evaluations/s, {self.hit} targets hit, {self.failed} failed"


class BarProgress:
    """A tqdm bar over the runs."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._tally = _Tally()
        self._bar: Any = None

    def begin(self, runs: int, done: int) -> None:
        """Draw the bar."""
        from tqdm import tqdm

        self._tally = _Tally()
        self._bar = tqdm(
            total=runs, initial=done, unit="run", file=self._stream, dynamic_ncols=True
        )

    def update(self, run: RunRecord) -> None:
        """Move the bar."""
        self._tally.add(run)
        self._bar.set_postfix_str(self._tally.text(), refresh=False)
        self._bar.update()

    def close(self) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.close()


class LineProgress:
    """One line every ten seconds, and one at the end: for files and batch systems."""

    def __init__(self, stream: TextIO | None = None, every_seconds: float = _LINE_SECONDS) -> None:
        self._stream = stream or sys.stderr
        self._every_seconds = every_seconds
        self._tally = _Tally()
        self._runs = self._done = self._first = 0
        self._told = 0.0

    def begin(self, runs: int, done: int) -> None:
        """Say what there is to do."""
        self._tally, self._runs, self._done, self._first = _Tally(), runs, done, done
        self._told = 0.0
        logged = f", {done} of them in the log already" if done else ""
        print(f"{runs} runs{logged}", file=self._stream, flush=True)

    def update(self, run: RunRecord) -> None:
        """Say where we are, if it was not said lately."""
        self._tally.add(run)
        self._done += 1
        if self._tally.seconds() - self._told >= self._every_seconds:
            self._say()

    def close(self) -> None:
        """Say how it ended."""
        if self._runs > self._first:
            self._say()

    def _say(self) -> None:
        self._told = self._tally.seconds()
        print(
            f"{self._done}/{self._runs} runs, {self._tally.text()}, {self._told:.0f} s",
            file=self._stream,
            flush=True,
        )


def default_progress(stream: TextIO | None = None) -> Progress:
    """A bar where stderr is a terminal, lines where it is not."""
    target = stream or sys.stderr
    patient: Any = _Forgiving(target)
    return BarProgress(patient) if target.isatty() else LineProgress(patient)


class _Forgiving:
    """A stream whose reader may go away: that is no reason to end a campaign."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, if somebody reads."""
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, if somebody reads."""
        with suppress(OSError, ValueError):
            self._stream.flush()
