"""Shows how far an execution is: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TextIO

if TYPE_CHECKING:
    from ...loggers.records.run_record import RunRecord

_LINE_SECONDS = 10.0
Guard = AbstractContextManager[object]
_FORGIVING = partial(suppress, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an execution did."""

    runs: int  # of the plan
    finished: int = 0  # made now, as all below; the others were in the log
    failed: int = 0  # ``failed`` or ``timeout``
    hit: int = 0  # hit the final target
    evaluations: int = 0
    seconds: float = 0.0  # wall time

    def after(self, ended: Sequence[RunRecord]) -> Outcome:
        """The counts with some runs more."""
        return replace(
            self,
            finished=self.finished + len(ended),
            failed=self.failed + sum(run.status in ("failed", "timeout") for run in ended),
            hit=self.hit + sum(run.status == "target" for run in ended),
            evaluations=self.evaluations + sum(run.evaluations for run in ended),
        )


class Progress(Protocol):
    """Shows an execution: ``begin`` once, ``update`` for every run that ends, ``close`` once."""

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


class BarProgress:
    """A tqdm bar over the runs."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._outcome = Outcome(0)
        self._started = 0.0
        self._bar: Any = None

    def begin(self, runs: int, done: int) -> None:
        """Draw the bar."""
        from tqdm.auto import tqdm

        self._outcome, self._started = Outcome(runs), time.perf_counter()
        self._bar = tqdm(
            total=runs, initial=done, unit="run", file=self._stream, dynamic_ncols=True
        )

    def update(self, run: RunRecord) -> None:
        """Move the bar."""
        self._outcome = self._outcome.after([run])
        seconds = time.perf_counter() - self._started
        self._bar.set_postfix_str(_text(self._outcome, seconds), refresh=False)
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
        self._outcome = Outcome(0)
        self._logged = 0
        self._started = self._printed = 0.0

    def begin(self, runs: int, done: int) -> None:
        """Say what there is to do."""
        self._outcome, self._logged = Outcome(runs), done
        self._started = self._printed = time.perf_counter()
        logged = f", {done} of them in the log already" if done else ""
        print(f"{runs} runs{logged}", file=self._stream, flush=True)

    def update(self, run: RunRecord) -> None:
        """Print how far it is, every so many seconds."""
        self._outcome = self._outcome.after([run])
        if time.perf_counter() - self._printed >= self._every_seconds:
            self._say()

    def close(self) -> None:
        """Say how it ended."""
        if self._outcome.runs > self._logged:
            self._say()

    def _say(self) -> None:
        self._printed = time.perf_counter()
        seconds, done = self._printed - self._started, self._logged + self._outcome.finished
        line = f"{done}/{self._outcome.runs} runs, {_text(self._outcome, seconds)}, {seconds:.0f} s"
        print(line, file=self._stream, flush=True)


def _text(outcome: Outcome, seconds: float) -> str:
    rate = outcome.evaluations / max(seconds, 1e-9)
    hits = f", {outcome.hit} hit the final target" if outcome.hit else ""  # there may be no target
    return f"{rate:.2g} evaluations/s{hits}, {outcome.failed} failed"


def default_progress(stream: TextIO | None = None) -> Progress:
    """A bar where stderr is a terminal, lines where it is not."""
    target = stream or sys.stderr
    patient: Any = GuardedStream(target)
    return BarProgress(patient) if target.isatty() else LineProgress(patient)


class GuardedStream:
    """A stream with ``guard`` around all that is written: it says what a failure does.

    By default nothing: what cannot be written, as the reader went away, is left out.
    """

    def __init__(self, stream: Any, guard: Callable[[], Guard] = _FORGIVING) -> None:
        self._stream, self._guard = stream, guard

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the text."""
        if text != "":  # click tries that, and would swallow the error
            with self._guard():
                self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush the stream."""
        with self._guard():
            self._stream.flush()
