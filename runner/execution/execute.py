"""Executing a plan: groups of runs to an executor, their records to the log."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from ...loggers import LogWriter
from ...loggers.observation.flight import Flight
from ...loggers.records.run_record import STATUSES
from ..campaign.campaign import RunSpec
from ..campaign.status import running_note
from ..errors import ClusterError, OptimizerError, WorkerDied
from ..executors.config import Crew
from ..executors.needs import NOTHING, Needs, needs_of
from ..executors.processes import ProcessExecutor
from ..executors.serial import Executor, SerialExecutor
from .dispatch import Dispatch
from .progress import Ended, HasEnded, Progress, SilentProgress
from .run import check_loads, lost_run, run_one

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


def make_executor(
    crew: int | Crew, timeout_seconds: float | None = None, needs: Needs = NOTHING
) -> Executor:
    """The executor for a crew: this thread for one worker, processes, or a cluster.

    Args:
        crew: Or a number of workers.
        timeout_seconds: The runs' own time limit; a process that oversteps it, because of
            compiled code that does not return, is killed.
        needs: What the worker processes of one machine load once for all.
    """
    crew = Crew(crew) if isinstance(crew, int) else crew
    deadline = None if timeout_seconds is None else timeout_seconds + _GRACE_SECONDS
    if crew.cluster is not None:
        from ..executors.dask import DaskExecutor

        return DaskExecutor(crew.cluster, crew.workers, deadline, crew.threads, needs)
    if crew.is_serial:
        return SerialExecutor()
    return ProcessExecutor(crew.workers, deadline, crew.threads, needs)


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
        LogWriteError: Runs could not be written; they are with the writer.
    """
    told = progress or SilentProgress()
    finished = writer.finished_keys
    todo = [run for run in plan if run.identity.key not in finished] if finished else plan
    executor = _executor(workers, todo) if isinstance(workers, int | Crew) else workers
    outcome, started = Outcome(len(plan)), time.perf_counter()
    try:
        loading = _sent_each_once(todo, executor)
        tell = _Teller(writer, executor, plan)
        made = _made(todo, executor, writer, tell)
        _check_loaded(loading, executor)
        told.begin(len(plan), len(plan) - len(todo))
        for ended in made:
            for run in ended:
                told.update(run)
            outcome = outcome.after(ended)
        if isinstance(workers, int | Crew):
            _close_and_seal(executor, writer)
    finally:
        told.close()
        if isinstance(workers, int | Crew):
            executor.close()
    return replace(outcome, seconds=time.perf_counter() - started)


def _executor(crew: int | Crew, todo: Sequence[RunSpec]) -> Executor:
    """The executor for these runs; nobody is called where there is nothing to do."""
    if not todo:
        return SerialExecutor()
    return make_executor(crew, todo[0].rules.timeout_seconds, needs_of(todo))


def _close_and_seal(executor: Executor, writer: LogWriter) -> None:
    """Put the last runs on the disk while worker processes end."""
    if isinstance(executor, SerialExecutor):
        return
    closing = threading.Thread(target=executor.close)
    closing.start()
    try:
        writer.seal()
    finally:
        closing.join()


def _made(
    runs: Sequence[RunSpec], executor: Executor, writer: LogWriter, tell: _Teller
) -> Iterator[Sequence[HasEnded]]:
    """Makes runs, when it is asked, and gives them to the writer; how they ended."""
    if isinstance(executor, SerialExecutor):
        return _made_here(runs, executor, writer, tell)
    return _made_there(Dispatch(runs, executor, tell), writer)


def _made_here(
    runs: Sequence[RunSpec], executor: SerialExecutor, writer: LogWriter, tell: _Teller
) -> Iterator[Sequence[HasEnded]]:
    for run in runs:
        tell({(run.optimizer.name, run.problem_id.dimension): 1})
        error = (future := executor.submit(run_one, run)).exception()
        made = future.result() if error is None else None
        record = made or lost_run(run, "failed", str(error), Flight())
        writer.add(record)
        yield [record]


def _made_there(dispatch: Dispatch, writer: LogWriter) -> Iterator[Sequence[HasEnded]]:
    for table in dispatch.tables():
        writer.add_table(table)
        statuses, evaluations = (table.runs[name].tolist() for name in ("status", "evaluations"))
        yield [Ended(STATUSES[code], n) for code, n in zip(statuses, evaluations, strict=True)]


class _Teller:
    """Leaves word beside the log of which runs are in work, where that has changed."""

    def __init__(self, writer: LogWriter, executor: Executor, plan: Sequence[RunSpec]) -> None:
        self._writer, self._executor = writer, executor
        self._planned = Counter((run.optimizer.name, run.problem_id.dimension) for run in plan)
        self._told: Mapping[tuple[str, int], int] = {}

    def __call__(self, runs: Mapping[tuple[str, int], int]) -> None:
        """Take the number of runs in work, by algorithm and dimension."""
        if runs != self._told:
            self._told = runs
            self._writer.tell(running_note(self._executor.workers, runs, self._planned))


_Loading = Sequence[tuple[RunSpec, Future[None]]]


def _sent_each_once(runs: Sequence[RunSpec], executor: Executor) -> _Loading:
    """Have workers load every optimizer and every suite before anything runs."""
    if isinstance(executor, SerialExecutor):
        return []
    pairs = {(id(run.optimizer), id(run.problem)): run for run in runs}.values()
    kinds = {(run.optimizer.name, run.problem_id.suite): run for run in pairs}
    return [(run, executor.submit(check_loads, run)) for run in kinds.values()]


def _check_loaded(loading: _Loading, executor: Executor) -> None:
    """Make sure that workers could do so.

    Raises:
        OptimizerError: They cannot; the text says what to do.
    """
    for run, future in loading:
        error = future.exception()
        for _ in range(_LOADS_AGAIN):  # a worker may be killed from outside
            if not isinstance(error, WorkerDied):
                break
            error = executor.submit(check_loads, run).exception()
        if isinstance(error, ClusterError):
            raise error
        if error is not None:
            raise OptimizerError(
                f"worker processes cannot load optimizer {run.optimizer.name!r} or its problem "
                f"({error}). Use workers=1, or give a reference 'path/file.py:function'."
            )
