"""Executing a plan: chunks of runs to an executor, their records to the log."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial

from ...loggers.hdf5.writer import LogWriter
from ...loggers.records.run_record import RunRecord
from ..campaign.campaign import RunSpec
from ..campaign.status import running_note
from ..errors import ClusterError, OptimizerError, WorkerDied
from ..executors.executor import Executor, ExecutorConfig, Isolation, available_processors
from ..executors.processes import ProcessExecutor
from .chunk import is_overdue, lost_run, run_chunk
from .dispatch import Dispatch
from .progress import Outcome, Progress, SilentProgress
from .run import load, run_one

_LOADS_AGAIN = 9


def make_executor(config: ExecutorConfig, timeout_seconds: float | None = None) -> Executor:
    """The executor of a configuration that has one; it ends processes beyond the time limit."""
    overdue = None if timeout_seconds is None else partial(is_overdue, timeout_seconds)
    modules = [run_chunk.__module__]
    if config.cluster is None:
        return ProcessExecutor(config.workers, config.threads, modules, overdue)
    from ..executors.dask import DaskExecutor

    workers = config.workers or available_processors()
    return DaskExecutor(config.cluster, workers, config.threads, modules, overdue)


def execute(
    plan: Sequence[RunSpec],
    writer: LogWriter,
    workers: int | ExecutorConfig = 0,
    progress: Progress | None = None,
) -> Outcome:
    """Make all runs of a plan that are not in the log yet, and add their records to it.

    Args:
        plan: The runs.
        writer: Takes the records; neither closed nor abandoned here.
        workers: How many processes make them, 0 for this one; or where.
        progress: Receives every record.

    Returns:
        Counts.

    Raises:
        KeyboardInterrupt: As it came; finished runs are with the writer.
        LogWriteError: Runs could not be written; they are with the writer.
    """
    progress = progress or SilentProgress()
    finished = writer.finished_keys
    todo = [run for run in plan if run.identity.key not in finished] if finished else plan
    where = ExecutorConfig(workers) if isinstance(workers, int) else workers
    outcome, started = Outcome(len(plan)), time.perf_counter()
    with _executor(where, todo) as executor, closing(progress):
        progress.begin(len(plan), len(plan) - len(todo))
        announce = _announcer(writer, executor, plan)
        for records in _records(todo, executor, announce, where.isolation):
            writer.add_many(records)
            for record in records:
                progress.update(record)
            outcome = outcome.after(records)
    return replace(outcome, seconds=time.perf_counter() - started)


def make_records(plan: Sequence[RunSpec], where: ExecutorConfig) -> Iterator[RunRecord]:
    """Make the runs of a plan, and hand out their records in any order; nothing is logged."""
    with _executor(where, plan) as executor:
        for records in _records(plan, executor, lambda counts: None, where.isolation):
            yield from records


@contextmanager
def _executor(where: ExecutorConfig, todo: Sequence[RunSpec]) -> Iterator[Executor | None]:
    """What makes these runs, and can load them; None for this process, or nothing to do."""
    if where.is_in_process or not todo:
        yield None
        return
    with closing(make_executor(where, todo[0].rules.timeout_seconds)) as executor:
        executor.prepare(min(executor.workers, len(todo)))
        _check_loaded(todo, executor, is_elsewhere=where.cluster is not None)
        yield executor


def _records(
    runs: Sequence[RunSpec],
    executor: Executor | None,
    announce: Callable[[Counter[tuple[str, int]]], None],
    isolation: Isolation,
) -> Iterator[Sequence[RunRecord]]:
    """Make the runs and yield their records as they come."""
    if executor is not None:
        yield from Dispatch(runs, executor, announce, isolation).records()
        return
    for run in runs:
        announce(Counter({(run.optimizer.name, run.problem_id.dimension): 1}))
        try:
            yield [run_one(run)]
        except Exception as error:
            yield [lost_run(run, "failed", str(error))]


def _announcer(
    writer: LogWriter, executor: Executor | None, plan: Sequence[RunSpec]
) -> Callable[[Counter[tuple[str, int]]], None]:
    """A function that notes beside the log which runs are under way, where that has changed."""
    planned = Counter((run.optimizer.name, run.problem_id.dimension) for run in plan)
    announced: Counter[tuple[str, int]] = Counter()

    def announce(runs: Counter[tuple[str, int]]) -> None:
        nonlocal announced
        if runs != announced:
            announced, workers = runs, 1 if executor is None else executor.workers
            writer.announce(running_note(workers, runs, planned))

    return announce


def _check_loaded(runs: Sequence[RunSpec], executor: Executor, is_elsewhere: bool) -> None:
    """Have a worker load every optimizer and every suite before anything runs.

    On this machine it finds what has a name, as this process did; what has none is sent.
    """
    kinds = {
        (run.optimizer.name, run.problem_id.suite): run
        for run in runs
        if is_elsewhere or not run.is_named
    }
    check = partial(executor.submit, check_loads, owner="loading", worker=0)
    loading = [(run, check(run)) for run in kinds.values()]
    for run, future in loading:
        error = future.exception()
        for _ in range(_LOADS_AGAIN):  # a worker may be killed from outside
            if not isinstance(error, WorkerDied):
                break
            error = check(run).exception()
        if isinstance(error, ClusterError):
            raise error
        if error is not None:
            raise OptimizerError(
                f"worker processes cannot load optimizer {run.optimizer.name!r} or its problem "
                f"({error}). Use workers=0, or give a reference 'path/file.py:function'."
            )


def check_loads(spec: RunSpec) -> None:
    """Import what a run needs; raises FirsthitError where something is missing."""
    load(spec)
