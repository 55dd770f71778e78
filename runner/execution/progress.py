"""The progress of an execution: a bar on a terminal or in a notebook, lines in a file, or nothing.

`Progress` is the interface: `execute` calls ``begin`` once, ``update`` for each run that ends, and
``close`` once. `Outcome` counts the runs of an execution. `default_progress` chooses between
`BarProgress` and `LineProgress`, and guards the stream, so that a closed terminal does not end the
execution.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from ..campaign.time_left import RunKind, estimate_seconds_left

if TYPE_CHECKING:
    from ...loggers.records.run_record import RunRecord
    from ..campaign.campaign import RunSpec

_LINE_SECONDS = 10.0
"""Time between two lines of `LineProgress`."""
_BAR_SECONDS = 0.1
"""Time between two changes of the texts beside the bar."""
_NOTEBOOK_COLUMNS = 80
Guard = AbstractContextManager[object]
_IGNORE_ERRORS = partial(suppress, OSError, ValueError)
"""Errors of a stream whose reader has ended, or that is closed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of an execution: numbers of runs, evaluations and seconds.

    Attributes:
        runs: Number of planned runs.
        finished: Number of runs that this execution made; the other planned runs were in the log.
        failed: Number of these runs with the status ``failed`` or ``timeout``.
        hit: Number of these runs that hit the final target.
        evaluations: Number of evaluations in these runs.
        seconds: Wall time of the execution.
    """

    runs: int
    finished: int = 0
    failed: int = 0
    hit: int = 0
    evaluations: int = 0
    seconds: float = 0.0

    def after(self, ended: Sequence[RunRecord]) -> Outcome:
        """Return a copy that also counts these runs."""
        return replace(
            self,
            finished=self.finished + len(ended),
            failed=self.failed + sum(run.status in ("failed", "timeout") for run in ended),
            hit=self.hit + sum(run.status == "target" for run in ended),
            evaluations=self.evaluations + sum(run.evaluations for run in ended),
        )


class Progress(Protocol):
    """Display of the progress of one execution."""

    def begin(self, plan: Sequence[RunSpec], missing: Sequence[RunSpec]) -> None:
        """Begin the display. Called once, before any other method.

        Args:
            plan: All planned runs.
            missing: The planned runs that are not in the log yet, and are made now.
        """

    def update(self, run: RunRecord) -> None:
        """Count a run that has ended. Called once for each."""

    def print_text(self, text: str) -> None:
        """Print a text beside the display, which goes on after it. Called after ``begin``."""

    def close(self) -> None:
        """End the display. Called once, also after an error."""


class SilentProgress:
    """A progress that displays nothing."""

    def begin(self, plan: Sequence[RunSpec], missing: Sequence[RunSpec]) -> None:
        """Do nothing."""

    def update(self, run: RunRecord) -> None:
        """Do nothing."""

    def print_text(self, text: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class BarProgress:
    """A progress bar (tqdm) on a stream; by default on stderr.

    Args:
        stream: A terminal or the output of a notebook.
        columns: Width of the bar in characters. None: the width of the terminal.
    """

    def __init__(self, stream: TextIO | None = None, columns: int | None = None) -> None:
        self._stream = stream or sys.stderr
        self._columns = columns
        self._counts: _Counts | None = None
        self._described_at = 0.0
        self._bar: Any = None

    def begin(self, plan: Sequence[RunSpec], missing: Sequence[RunSpec]) -> None:
        """Draw the bar; see `Progress.begin`."""
        from tqdm import tqdm

        self._counts = _Counts(plan, missing)
        self._bar = tqdm(
            total=len(plan),
            initial=len(plan) - len(missing),
            file=self._stream,
            ncols=self._columns,
            dynamic_ncols=self._columns is None,
            bar_format="{desc}|{bar}| {n_fmt}/{total_fmt} runs{postfix}",
            desc=self._counts.describe_share(),
        )

    def update(self, run: RunRecord) -> None:
        """Advance the bar by one run."""
        assert self._counts is not None
        self._counts.add(run)
        if time.perf_counter() - self._described_at >= _BAR_SECONDS:
            self._write_texts(self._counts)
        self._bar.update()

    def print_text(self, text: str) -> None:
        """Print a text above the bar, also before ``begin``. Any thread may call this."""
        if self._bar is None:
            print(text, file=self._stream, flush=True)
        else:
            self._bar.write(text, file=self._stream)
            self._stream.flush()

    def close(self) -> None:
        """Draw the bar for the last time, and leave it on the terminal."""
        if self._bar is not None and self._counts is not None:
            self._write_texts(self._counts)
            self._bar.close()

    def _write_texts(self, counts: _Counts) -> None:
        self._described_at = time.perf_counter()
        self._bar.set_description_str(counts.describe_share(), refresh=False)
        self._bar.set_postfix_str(", ".join(counts.describe_speed()), refresh=False)


class LineProgress:
    """A progress that prints a line every ten seconds, and one at the end.

    Args:
        stream: Stream for the lines; by default stderr.
        every_seconds: Minimum time between two lines.
    """

    def __init__(self, stream: TextIO | None = None, every_seconds: float = _LINE_SECONDS) -> None:
        self._stream = stream or sys.stderr
        self._every_seconds = every_seconds
        self._counts: _Counts | None = None
        self._printed_at = 0.0

    def begin(self, plan: Sequence[RunSpec], missing: Sequence[RunSpec]) -> None:
        """Print the number of runs; see `Progress.begin`."""
        self._counts = _Counts(plan, missing)
        self._printed_at = time.perf_counter()
        n_logged = len(plan) - len(missing)
        logged = f", {n_logged} of them in the log already" if n_logged else ""
        print(f"{len(plan)} runs{logged}", file=self._stream, flush=True)

    def update(self, run: RunRecord) -> None:
        """Count a run, and print a line if the last one is old enough."""
        assert self._counts is not None
        self._counts.add(run)
        if time.perf_counter() - self._printed_at >= self._every_seconds:
            self._print_line(self._counts)

    def print_text(self, text: str) -> None:
        """Print a text between two lines."""
        print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Print the last line, except if all planned runs were in the log before."""
        counts = self._counts
        if counts is not None and counts.n_logged < counts.outcome.runs:
            hits = counts.outcome.hit  # none if the suite has no final target
            self._print_line(counts, [f"{hits} hit the final target"] if hits else [])

    def _print_line(self, counts: _Counts, details: Sequence[str] = ()) -> None:
        self._printed_at = time.perf_counter()
        n_runs = f"{counts.n_done}/{counts.outcome.runs} runs"
        texts = [counts.describe_share(), n_runs, *details, *counts.describe_speed()]
        print(", ".join(texts), file=self._stream, flush=True)


class _Counts:
    """Counts of one execution, and the time that it will still take.

    Args:
        plan: All planned runs.
        missing: The planned runs that are made now.

    Attributes:
        outcome: Counts of the runs that have ended; without ``seconds``.
        n_logged: Number of planned runs that were in the log before.
        started: Time at which the execution began, of `time.perf_counter`.
    """

    def __init__(self, plan: Sequence[RunSpec], missing: Sequence[RunSpec]) -> None:
        self.outcome = Outcome(len(plan))
        self.n_logged = len(plan) - len(missing)
        self.started = time.perf_counter()
        self._n_planned = Counter(
            (run.stage, run.optimizer.name, run.problem_id.dimension) for run in missing
        )
        self._n_ended: Counter[RunKind] = Counter()
        self._seconds: dict[RunKind, float] = defaultdict(float)  # wall time of the ended runs

    def add(self, run: RunRecord) -> None:
        """Count a run that has ended."""
        self.outcome = self.outcome.after([run])
        kind = run.identity.stage, run.identity.algorithm, run.identity.problem.dimension
        self._n_ended[kind] += 1
        self._seconds[kind] += run.wall_seconds

    @property
    def n_done(self) -> int:
        """Number of planned runs that are in the log, or were in the log before."""
        return self.n_logged + self.outcome.finished

    def describe_share(self) -> str:
        """Return the number of failed runs and the share of the planned runs that is done."""
        share = 100 * self.n_done // self.outcome.runs if self.outcome.runs else 100
        return f"{self.outcome.failed} failed, {share} %"

    def describe_speed(self) -> list[str]:
        """Return the evaluations per second, and the time left if it can be estimated.

        After the last run, the second text is the duration of the execution.
        """
        seconds = max(time.perf_counter() - self.started, 1e-9)
        speed = f"{_format_rate(self.outcome.evaluations / seconds)} evaluations/s"
        if self.n_done == self.outcome.runs:
            return [speed, f"{seconds:.0f} s"]
        # The ratio is the number of runs that were made at the same time, less all overheads.
        n_parallel = sum(self._seconds.values()) / seconds
        seconds_left = estimate_seconds_left(
            self._n_planned, self._n_ended, self._seconds, n_parallel
        )
        if seconds_left is None:
            return [speed]
        return [speed, f"{timedelta(seconds=round(seconds_left))} left"]


def _format_rate(rate: float) -> str:
    """Return a rate as people write numbers: ``3.4``, ``140`` or ``12,000``; two digits count."""
    if rate < 10:
        return f"{rate:.1f}"
    unit = 10 ** (len(f"{rate:.0f}") - 2)
    return f"{round(rate / unit) * unit:,}"


def default_progress(stream: TextIO | None = None) -> Progress:
    """Return a bar for terminals and notebooks, else lines. The default stream is stderr."""
    target = stream or sys.stderr
    guarded: Any = GuardedStream(target)
    if type(target).__module__.startswith("ipykernel."):
        return BarProgress(guarded, _NOTEBOOK_COLUMNS)
    return BarProgress(guarded) if _has_columns(target) else LineProgress(guarded)


def _has_columns(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that knows its width.

    The width is 0 for example in ``docker exec -t``. A bar would then print one line per update.
    """
    if not stream.isatty():
        return False
    try:
        return os.get_terminal_size(stream.fileno()).columns > 0
    except (OSError, ValueError):
        return False


class GuardedStream:
    """A stream whose failures are handled by a context manager.

    Args:
        stream: Stream to which texts are written.
        guard: Makes the context manager around each write. By default it ignores that the stream
            cannot be written, for example because the reader has ended.
    """

    def __init__(self, stream: Any, guard: Callable[[], Guard] = _IGNORE_ERRORS) -> None:
        self._stream, self._guard = stream, guard

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the text, and return its length, also if the guard ignored an error."""
        if text != "":  # click writes "" to test the stream, and would then ignore the error
            with self._guard():
                self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush the stream."""
        with self._guard():
            self._stream.flush()
