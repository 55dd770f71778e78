"""The execution of a plan: runs are made by an executor, and their records are written to the log.

`execute` makes the runs of a plan that are not in the log. `make_records` makes runs without a log.
Both make the runs in this process or, through a `Dispatch`, on an executor. Before the first run, a
worker of the executor loads the optimizers and suites, so that an error is reported at once.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ...loggers.hdf5.writer import LogWriter
from ...loggers.records.run_record import RunRecord
from ...suites.compiled.notice import compilation_notices_to, print_to_stderr
from ..campaign.campaign import RunSpec
from ..campaign.status import running_note
from ..errors import ClusterError, ExecutionError, OptimizerError, WorkerDied, report_shortages
from ..executors.executor import Executor, ExecutorConfig, Isolation, available_processors
from ..executors.output import OutputCapture
from ..executors.processes import ProcessExecutor
from .chunk import is_overdue, lost_run, run_chunk
from .dispatch import Dispatch
from .progress import BarProgress, Outcome, Progress, SilentProgress
from .run import load, run_one

_MAX_LOAD_RETRIES = 9
"""The loading of optimizers is retried if its process dies, because another program may have killed
it. An optimizer that kills its process while it is loaded is refused after the last retry."""

RunningCounts = Counter[tuple[str, int]]
"""Number of running runs by algorithm and dimension."""


class EarlyRuns(NamedTuple):
    """Runs that are made before all others.

    Attributes:
        keys: Keys of these runs. Those that are in the log already need not be left out.
        report: Called once, when the last of these runs is in the log and other runs are left. It
            is not called if none of these runs had to be made.
    """

    keys: Collection[str]
    report: Callable[[], None]


def execute(
    plan: Sequence[RunSpec],
    writer: LogWriter,
    workers: int | ExecutorConfig = 0,
    progress: Progress | None = None,
    early: EarlyRuns | None = None,
    capture: OutputCapture | None = None,
) -> Outcome:
    """Make all runs of a plan that are not in the log yet, and add their records to the log.

    Args:
        plan: The runs, each once.
        writer: Writer of the log. It is not closed.
        workers: Number of worker processes, or the configuration of the executor. 0: runs are made
            in this process.
        progress: Displays the progress. None: no display.
        early: Runs of the plan that are made first. None: the order of the plan, and of the
            executor.
        capture: Captures what optimizers print in worker processes on this machine; it is closed.
            None: they print to stderr.

    Returns:
        Numbers of runs and evaluations, and the wall time.

    Raises:
        KeyboardInterrupt: The user interrupted the execution. The writer has all finished runs.
        LogWriteError: Runs could not be written. The writer keeps them.
        OptimizerError: Worker processes cannot load an optimizer or a suite.
        ClusterError: The cluster cannot be reached, or not any more.
        ExecutionError: No further run can be made, for a reason that concerns no algorithm. The
            writer has all finished runs.

    Example:
        >>> from pathlib import Path
        >>> from firsthit.runner import execute, load_campaign, open_log, plan
        >>> selection = {"functions": 1, "dimensions": 2, "instances": 1, "budget": 20}
        >>> campaign = load_campaign("quickstart", selection)
        >>> with open_log(Path("executed.h5"), campaign.header(), resume=False) as writer:
        ...     outcome = execute(plan(campaign), writer)
        >>> outcome.runs, outcome.failed, outcome.evaluations
        (3, 0, 50)
    """
    progress = progress or SilentProgress()
    finished_keys = writer.finished_keys
    # the keys of all runs take time, and a new log has none
    missing = (
        [run for run in plan if run.identity.key not in finished_keys] if finished_keys else plan
    )
    config = ExecutorConfig(workers) if isinstance(workers, int) else workers
    outcome, started = Outcome(len(plan)), time.perf_counter()
    early_keys = set() if early is None else {run.identity.key for run in missing} & {*early.keys}
    try:
        with (
            report_shortages(),
            closing(capture) if capture is not None else nullcontext(),
            _route_notices(progress) as show_notice,
            _open_executor(config, missing, capture, show_notice) as executor,
            closing(progress),
        ):
            progress.begin(plan, missing)
            announce = _make_announcer(writer, executor, plan)
            n_early_left = len(early_keys)
            for records in _make_runs(missing, executor, announce, config.isolation, early_keys):
                writer.add_many(records)
                for record in records:
                    progress.update(record)
                outcome = outcome.after(records)
                n_early = 0
                if early_keys:  # the keys of all runs take time
                    n_early = sum(record.identity.key in early_keys for record in records)
                n_early_left -= n_early
                has_others_left = outcome.finished < len(missing)
                if early is not None and n_early and not n_early_left and has_others_left:
                    early.report()
    except ExecutionError as error:
        error.runs_made = outcome.finished
        raise
    return replace(outcome, seconds=time.perf_counter() - started)


def make_records(plan: Sequence[RunSpec], config: ExecutorConfig) -> Iterator[RunRecord]:
    """Make the runs of a plan, and yield their records in any order; write no log.

    Args:
        plan: The runs, each once.
        config: Configuration of the executor.

    Raises:
        OptimizerError: Worker processes cannot load an optimizer or a suite.
        ExecutionError: No further run can be made, for a reason that concerns no algorithm.
    """
    with _open_executor(config, plan) as executor:
        for records in _make_runs(plan, executor, lambda running: None, config.isolation, ()):
            yield from records


def make_executor(
    config: ExecutorConfig,
    timeout_seconds: float | None = None,
    capture: OutputCapture | None = None,
    show_notice: Callable[[str], None] | None = None,
) -> Executor:
    """Start the executor of a configuration with workers or a cluster. The caller closes it.

    Args:
        config: Configuration; its runs are not made in this process.
        timeout_seconds: Time limit of a run. The executor kills processes that exceed it. None: no
            time limit.
        capture: Captures what workers on this machine print. None: they print to stderr. Workers of
            a cluster on other machines always print to stderr of their Dask worker.
        show_notice: Called in another thread with each text that a worker sends for the user. None:
            it is printed to stderr.

    Raises:
        ClusterError: The cluster cannot be reached.
        SystemShortageError: The system lacks resources for worker processes.
    """
    overdue = None if timeout_seconds is None else partial(is_overdue, timeout_seconds)
    modules = [run_chunk.__module__]
    if config.cluster is None:
        return ProcessExecutor(
            config.workers, config.threads, modules, overdue, capture, show_notice
        )
    from ..executors.dask import DaskExecutor  # an optional dependency, which is slow to import

    workers = config.workers or available_processors()
    return DaskExecutor(
        config.cluster, workers, config.threads, modules, overdue, capture, show_notice
    )


@contextmanager
def _route_notices(progress: Progress) -> Iterator[Callable[[str], None]]:
    """Print the notice of compilation outside the line of a bar, in the block.

    Yield a function that prints such a notice of another process. A text is printed once, although
    several processes may send it.
    """
    lock, printed = threading.Lock(), set[str]()
    print_line = progress.print_text if isinstance(progress, BarProgress) else print_to_stderr

    def print_once(text: str) -> None:
        with lock:
            if text in printed:
                return
            printed.add(text)
        print_line(text)

    with compilation_notices_to(print_once):
        yield print_once


@contextmanager
def _open_executor(
    config: ExecutorConfig,
    runs: Sequence[RunSpec],
    capture: OutputCapture | None = None,
    show_notice: Callable[[str], None] | None = None,
) -> Iterator[Executor | None]:
    """Start an executor that can load these runs, and close it at the end of the block.

    Yield None if runs are made in this process, or if there are none.
    """
    if config.is_in_process or not runs:
        yield None
        return
    timeout_seconds = runs[0].rules.timeout_seconds
    with closing(make_executor(config, timeout_seconds, capture, show_notice)) as executor:
        executor.prepare(min(executor.workers, len(runs)))
        _check_workers_can_load(runs, executor, is_remote=config.cluster is not None)
        yield executor


def _make_runs(
    runs: Sequence[RunSpec],
    executor: Executor | None,
    announce: Callable[[RunningCounts], None],
    isolation: Isolation,
    early_keys: Collection[str],
) -> Iterator[Sequence[RunRecord]]:
    """Make the runs on an executor, or in this process if it is None; yield records as they end.

    Runs with a key in ``early_keys`` are made before the others.
    """
    if executor is not None:
        yield from Dispatch(runs, executor, announce, isolation, early_keys).execute_runs()
        return
    if early_keys:
        runs = sorted(runs, key=lambda run: run.identity.key not in early_keys)
    for run in runs:
        announce(Counter({(run.optimizer.name, run.problem_id.dimension): 1}))
        try:
            yield [run_one(run)]
        except ExecutionError:
            raise
        except Exception as error:
            yield [lost_run(run, "failed", str(error))]


def _make_announcer(
    writer: LogWriter, executor: Executor | None, plan: Sequence[RunSpec]
) -> Callable[[RunningCounts], None]:
    """Return a function that writes the running runs beside the log if they have changed."""
    planned = Counter((run.optimizer.name, run.problem_id.dimension) for run in plan)
    announced: RunningCounts = Counter()

    def announce(running: RunningCounts) -> None:
        nonlocal announced
        if running != announced:
            announced, workers = running, 1 if executor is None else executor.workers
            writer.announce(running_note(workers, running, planned))

    return announce


def _check_workers_can_load(runs: Sequence[RunSpec], executor: Executor, is_remote: bool) -> None:
    """Load each optimizer with each of its suites in a worker, and wait for it.

    Args:
        runs: Runs whose optimizers and suites are loaded.
        executor: Its worker 0 loads them, or with ``is_remote`` any worker.
        is_remote: Whether workers are on other machines. Workers on this machine can import by name
            what this process has imported, so only runs with an optimizer or a problem without a
            name are checked for them.

    Raises:
        OptimizerError: A worker cannot load an optimizer or a suite.
        ClusterError, ExecutionError: The executor has failed.
    """
    samples = {
        (run.optimizer.name, run.problem_id.suite): run
        for run in runs
        if is_remote or not run.is_named
    }
    # a Dask worker may be lost while this function waits for it
    worker = None if is_remote else 0
    submit_check = partial(executor.submit, check_loads, owner="loading", worker=worker)
    futures = [(run, submit_check(run)) for run in samples.values()]
    for run, future in futures:
        error = future.exception()
        for _ in range(_MAX_LOAD_RETRIES):
            if not isinstance(error, WorkerDied):
                break
            error = submit_check(run).exception()
        if isinstance(error, ClusterError | ExecutionError):
            raise error
        if error is not None:
            raise OptimizerError(
                f"worker processes cannot load optimizer {run.optimizer.name!r} or its problem "
                f"({error}). Use workers=0, or give a reference 'path/file.py:function'."
            )


def check_loads(spec: RunSpec) -> None:
    """Import the optimizer and the suite of a run; raise FirsthitError if that is not possible."""
    load(spec)  # its result is not returned, because optimizers cannot always be pickled
