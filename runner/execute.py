"""Executing a plan: groups of runs to an executor, their records to the log."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace

from ..loggers import LogWriter, RunRecord
from .campaign import RunSpec
from .errors import OptimizerError, WorkerDied
from .executor import Executor, SerialExecutor
from .processes import ProcessExecutor
from .progress import Progress, SilentProgress
from .run import load, lost_run, run_one

_GROUP_SECONDS = 0.5
_MOST_IN_GROUP = 64
_GROUPS_PER_WORKER = 2
_DEADLINE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an execution did.

    Attributes:
        runs: Runs of the plan.
        made: Those of them made now; the others were in the log.
        failed: Of those made now, how many are ``failed`` or ``timeout``.
        hit: Of those made now, how many hit the final target.
        evaluations: Made now.
        seconds: Wall time.
    """

    runs: int
    made: int = 0
    failed: int = 0
    hit: int = 0
    evaluations: int = 0
    seconds: float = 0.0

    def after(self, record: RunRecord) -> Outcome:
        """The counts with one run more."""
        return replace(
            self,
            made=self.made + 1,
            failed=self.failed + (record.status in ("failed", "timeout")),
            hit=self.hit + (record.status == "target"),
            evaluations=self.evaluations + record.evaluations,
        )


@dataclass(frozen=True, slots=True)
class _Group:
    """Runs that travel together; one that goes alone after a worker's death is its last attempt."""

    runs: tuple[RunSpec, ...]
    is_retry: bool = False


def run_group(runs: Sequence[RunSpec]) -> list[RunRecord]:
    """Make runs one after the other."""
    return [run_one(run) for run in runs]


def make_executor(workers: int, timeout_seconds: float | None = None) -> Executor:
    """The executor for a number of workers: processes, or this thread for 1.

    Args:
        workers: How many runs at once.
        timeout_seconds: The runs' own time limit; processes that overstep it by far are killed.
    """
    if workers == 1:
        return SerialExecutor()
    deadline = None if timeout_seconds is None else timeout_seconds + _DEADLINE_SECONDS
    return ProcessExecutor(workers, deadline)


def execute(
    plan: Sequence[RunSpec],
    writer: LogWriter,
    workers: int | Executor = 1,
    progress: Progress | None = None,
) -> Outcome:
    """Make all runs of a plan that are not in the log yet, and add their records to it.

    Args:
        plan: The runs.
        writer: Takes the records; neither closed nor abandoned here.
        workers: How many runs at once, or where; an executor given is not closed here.
        progress: Told of every record.

    Returns:
        Counts.

    Raises:
        KeyboardInterrupt: As it came; finished runs are with the writer.
    """
    told = progress or SilentProgress()
    timeout = plan[0].rules.timeout_seconds if plan else None
    executor = make_executor(workers, timeout) if isinstance(workers, int) else workers
    finished = writer.finished_keys
    todo = [run for run in plan if run.identity.key not in finished]
    outcome, started = Outcome(len(plan)), time.perf_counter()
    try:
        _send_each_once(todo, executor)
        told.begin(len(plan), len(plan) - len(todo))
        for record in _Dispatch(todo, executor).records():
            writer.add(record)
            told.update(record)
            outcome = outcome.after(record)
    finally:
        told.close()
        if isinstance(workers, int):
            executor.close()
    return replace(outcome, seconds=time.perf_counter() - started)


def _send_each_once(runs: Sequence[RunSpec], executor: Executor) -> None:
    """Make sure that workers can load every optimizer and every suite before anything runs.

    Raises:
        OptimizerError: They cannot; the text says what to do.
    """
    kinds = {(run.optimizer.name, run.problem_id.suite): run for run in runs}
    if isinstance(executor, SerialExecutor):
        return
    for run in kinds.values():
        error = executor.submit(_loads, run).exception()
        if error is not None:
            raise OptimizerError(
                f"worker processes cannot load optimizer {run.optimizer.name!r} or its problem "
                f"({error}). Use workers=1, or give a reference 'path/file.py:function'."
            )


def _loads(run: RunSpec) -> None:
    load(run)


class _Dispatch:
    """Keeps an executor busy with groups of runs, and hands out records as they come."""

    def __init__(self, runs: Sequence[RunSpec], executor: Executor) -> None:
        self._todo = deque(runs)
        self._again: deque[RunSpec] = deque()
        self._executor = executor
        self._is_serial = isinstance(executor, SerialExecutor)
        self._flying: dict[Future[list[RunRecord]], _Group] = {}
        self._pace = _Pace()

    def records(self) -> Iterable[RunRecord]:
        """Every run's record, in the order in which runs end."""
        most = 1 if self._is_serial else _GROUPS_PER_WORKER * self._executor.workers
        while self._todo or self._again or self._flying:
            while len(self._flying) < most and (self._todo or self._again):
                group = self._next_group()
                self._flying[self._executor.submit(run_group, group.runs)] = group
            for future in wait(self._flying, return_when=FIRST_COMPLETED).done:
                yield from self._landed(future, self._flying.pop(future))

    def _next_group(self) -> _Group:
        if self._again:
            return _Group((self._again.popleft(),), is_retry=True)
        runs = [self._todo.popleft()]
        seconds = self._pace.seconds(runs[0])
        fair = len(self._todo) // (_GROUPS_PER_WORKER * self._executor.workers)
        alone = self._is_serial or runs[0].rules.timeout_seconds is not None
        most = 1 if alone else min(_MOST_IN_GROUP, fair)
        while len(runs) < most and seconds + self._pace.seconds(self._todo[0]) < _GROUP_SECONDS:
            runs.append(self._todo.popleft())
            seconds += self._pace.seconds(runs[-1])
        return _Group(tuple(runs))

    def _landed(self, future: Future[list[RunRecord]], group: _Group) -> list[RunRecord]:
        error = future.exception()
        if error is None:
            records = future.result()
            for run, record in zip(group.runs, records, strict=True):
                self._pace.learn(run, record.wall_seconds)
            return records
        if isinstance(error, WorkerDied) and error.is_overdue:
            return [lost_run(group.runs[0], "timeout", str(error))]
        if isinstance(error, WorkerDied) and group.is_retry:
            return [lost_run(group.runs[0], "failed", f"{error}, twice; its evaluations are lost")]
        if isinstance(error, WorkerDied) or len(group.runs) > 1:
            self._again.extend(group.runs)
            return []
        return [lost_run(group.runs[0], "failed", str(error))]


class _Pace:
    """How long runs last, learnt by algorithm and dimension."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, int], float] = {}

    def seconds(self, run: RunSpec) -> float:
        """What is to be expected; infinite for what was never seen."""
        return self._seconds.get(self._key(run), float("inf"))

    def learn(self, run: RunSpec, seconds: float) -> None:
        """Take the duration of one run."""
        known = self._seconds.get(self._key(run), seconds)
        self._seconds[self._key(run)] = 0.7 * known + 0.3 * seconds

    @staticmethod
    def _key(run: RunSpec) -> tuple[str, int]:
        return run.optimizer.name, run.problem_id.dimension
