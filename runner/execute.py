"""Executing a plan: groups of runs to an executor, their records to the log."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..loggers import LogWriter
from ..loggers.flight import Flight
from ..loggers.record import STATUSES
from .campaign import RunSpec
from .crew import Crew
from .dispatch import Dispatch
from .errors import ClusterError, OptimizerError, WorkerDied
from .executor import Executor, SerialExecutor
from .processes import ProcessExecutor
from .progress import Ended, HasEnded, Progress, SilentProgress
from .run import lost_run, run_one
from .starts import load
from .status import running_note

_GRACE_SECONDS = 2.0
"""A run ends itself within its own time and this; else, its process is ended."""
_LOADS_AGAIN = 4


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

    def after(self, ended: Sequence[HasEnded]) -> Outcome:
        """The counts with some runs more."""
        return replace(
            self,
            made=self.made + len(ended),
            failed=self.failed + sum(run.status in ("failed", "timeout") for run in ended),
            hit=self.hit + sum(run.status == "target" for run in ended),
            evaluations=self.evaluations + sum(run.evaluations for run in ended),
        )


def make_executor(crew: int | Crew, timeout_seconds: float | None = None) -> Executor:
    """The executor for a crew: this thread for one worker, processes, or a cluster.

    Args:
        crew: Or a number of workers.
        timeout_seconds: The runs' own time limit; a process that oversteps it, because of
            compiled code that does not return, is killed.
    """
    crew = Crew(crew) if isinstance(crew, int) else crew
    deadline = None if timeout_seconds is None else timeout_seconds + _GRACE_SECONDS
    if crew.cluster is not None:
        from .distributed import DaskExecutor

        return DaskExecutor(crew.cluster, crew.workers, deadline, crew.threads)
    if crew.is_serial:
        return SerialExecutor()
    return ProcessExecutor(crew.workers, deadline, crew.threads)


def execute(
    plan: Sequence[RunSpec],
    writer: LogWriter,
    workers: int | Crew | Executor = 1,
    progress: Progress | None = None,
) -> Outcome:
    """Make all runs of a plan that are not in the log yet, and add their records to it.

    Args:
        plan: The runs.
        writer: Takes the records; neither closed nor abandoned here.
        workers: How many runs at once, who makes them, or where; an executor given is not closed
            here.
        progress: Told of every record.

    Returns:
        Counts.

    Raises:
        KeyboardInterrupt: As it came; finished runs are with the writer.
    """
    told = progress or SilentProgress()
    timeout = plan[0].rules.timeout_seconds if plan else None
    executor = make_executor(workers, timeout) if isinstance(workers, int | Crew) else workers
    finished = writer.finished_keys
    todo = [run for run in plan if not finished or run.identity.key not in finished]
    outcome, started = Outcome(len(plan)), time.perf_counter()
    try:
        _send_each_once(todo, executor)
        told.begin(len(plan), len(plan) - len(todo))
        tell = _Teller(writer, executor.workers, plan)
        for ended in _ended(todo, executor, writer, tell):
            for run in ended:
                told.update(run)
            outcome = outcome.after(ended)
    finally:
        told.close()
        if isinstance(workers, int | Crew):
            executor.close()
    return replace(outcome, seconds=time.perf_counter() - started)


def _ended(
    runs: Sequence[RunSpec], executor: Executor, writer: LogWriter, tell: _Teller
) -> Iterator[Sequence[HasEnded]]:
    """Make runs and give them to the writer; yields how they ended."""
    if isinstance(executor, SerialExecutor):
        for run in runs:
            tell({(run.optimizer.name, run.problem_id.dimension): 1})
            error = (future := executor.submit(run_one, run)).exception()
            made = future.result() if error is None else None
            record = made or lost_run(run, "failed", str(error), Flight())
            writer.add(record)
            yield [record]
        return
    for table in Dispatch(runs, executor, tell).tables():
        writer.add_table(table)
        statuses, evaluations = (table.runs[name].tolist() for name in ("status", "evaluations"))
        yield [Ended(STATUSES[code], n) for code, n in zip(statuses, evaluations, strict=True)]


class _Teller:
    """Leaves word beside the log of which runs are in work, where that has changed."""

    def __init__(self, writer: LogWriter, workers: int, plan: Sequence[RunSpec]) -> None:
        self._writer, self._workers = writer, workers
        self._planned = Counter((run.optimizer.name, run.problem_id.dimension) for run in plan)
        self._told: Mapping[tuple[str, int], int] = {}

    def __call__(self, runs: Mapping[tuple[str, int], int]) -> None:
        """Take the number of runs in work, by algorithm and dimension."""
        if runs != self._told:
            self._told = runs
            self._writer.tell(running_note(self._workers, runs, self._planned))


def _send_each_once(runs: Sequence[RunSpec], executor: Executor) -> None:
    """Make sure that workers can load every optimizer and every suite before anything runs.

    Raises:
        OptimizerError: They cannot; the text says what to do.
    """
    if isinstance(executor, SerialExecutor):
        return
    kinds = {(run.optimizer.name, run.problem_id.suite): run for run in runs}
    loaded = [(run, executor.submit(_loads, run)) for run in kinds.values()]
    for run, future in loaded:
        error = future.exception()
        for _ in range(_LOADS_AGAIN):  # a worker may be killed from outside
            if not isinstance(error, WorkerDied):
                break
            error = executor.submit(_loads, run).exception()
        if isinstance(error, ClusterError):
            raise error
        if error is not None:
            raise OptimizerError(
                f"worker processes cannot load optimizer {run.optimizer.name!r} or its problem "
                f"({error}). Use workers=1, or give a reference 'path/file.py:function'."
            )


def _loads(run: RunSpec) -> None:
    load(run)
