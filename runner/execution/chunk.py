"""Make the runs of a chunk in a worker process, and rebuild their records if the process dies.

A chunk is a sequence of runs of one optimizer that a worker process makes one after the other by
`run_chunk`. The worker records each run in memory that is mapped to a file, and appends the record
of a finished run to a second file. Both files are in the worker's folder. If the process dies, the
main process reads the records of the finished runs from the second file (`finished_of`), and makes
the record of the failed run from the first one (`lost_run`). `is_overdue` tells when a worker must
be ended.
"""

from __future__ import annotations

import pickle
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import NoReturn

from ...loggers.observation.memory import RunMemory
from ...loggers.observation.run_result import make_lost_record
from ...loggers.records.run_record import RunRecord, Status
from ...suites import Problem
from ...suites.facts import ProblemId
from ..campaign.campaign import RunSpec, named_problem
from ..campaign.checks import is_of_firsthit
from ..errors import ExecutionError, report_shortages
from ..executors.messages import message, whole_messages
from ..executors.worker import ThisWorker, this_worker
from ..optimizers.import_string import searched
from .run import load, make_run, replace_invalid_times
from .seeds import run_sequence, seed_number, start_sequence

GRACE_SECONDS = 2.0
"""Time after its time-out in which a run may end by itself, before its process is ended."""
_PREPARATION_SECONDS = 30.0
"""Maximum time for loading the optimizer and the problem; the time of a run begins after it."""
_MEMORY_FILE = "run"
"""Name of the file in a worker's folder to which the memory of the current run is mapped."""
_FINISHED_FILE = "finished"
"""Name of the file in a worker's folder that contains the records of the finished runs."""
_MAX_EVALUATIONS = 2**53
"""The largest number of evaluations in a log."""
_LARGE_DIMENSION = 64
"""Problems from this dimension on are made anew for each run, because they take much memory."""


def run_chunk(runs: Sequence[RunSpec], max_seconds: float) -> bytes:
    """Make runs one after the other in this worker process, until the time for a chunk is over.

    The first run is always made. A further run begins only if it would end in time, assuming that
    it takes as long as the longest run so far. Each record is also written to the worker's folder.
    In the captured output of the process, each run is a section whose title is the text of its
    identity. If an optimizer ignores the end of its run, the process sends all records and ends
    itself.

    Args:
        runs: Runs of one optimizer.
        max_seconds: Time for the chunk, in seconds.

    Returns:
        The records of the runs, to be read by `records_of`. Runs at the end are missing if they did
        not begin in time, or if a run before them could not be made.

    Raises:
        FirsthitError: The optimizer or the first problem cannot be made.
        SystemShortageError: The system lacks resources for the first run.
    """
    worker = this_worker()
    with report_shortages():
        memory = _open_memory(worker)
        memory.end_run()
    worker.begin_section(str(runs[0].identity))
    optimizer = load(runs[0])
    chunk_start = previous_start = monotonic()
    longest_seconds = 0.0
    records: list[bytes] = []
    with report_shortages():
        finished_file = (worker.folder / _FINISHED_FILE).open("wb", buffering=0)
    has_failed = False
    with finished_file, searched(optimizer.folder):

        def keep_record(record: RunRecord) -> None:
            records.append(message(pickle.dumps(record, protocol=5)))
            with suppress(OSError):  # if the disk is full, the pipe still returns the record
                finished_file.write(records[-1])

        def send_records_and_end(record: RunRecord) -> NoReturn:
            keep_record(record)
            worker.answer_and_end(b"".join(records))

        for index, spec in enumerate(runs):
            now = monotonic()
            longest_seconds = max(longest_seconds, now - previous_start)
            previous_start = now
            if index and now + longest_seconds > chunk_start + max_seconds:
                break
            if index:
                worker.begin_section(str(spec.identity), keeps_tail=has_failed)
            try:
                problem = _get_problem(spec)
                memory.begin_run(number_of(spec))
                record, _ = make_run(spec, optimizer, problem, memory, send_records_and_end)
            except Exception:
                if not index:
                    raise
                break  # the run raises again when it is the first of another chunk
            has_failed = record.status in ("failed", "timeout")
            keep_record(record)
    worker.begin_section("", keeps_tail=has_failed)
    return b"".join(records)


def records_of(finished: bytes) -> list[RunRecord]:
    """Read the records that `run_chunk` returned; leave out an incomplete last record."""
    return [replace_invalid_times(pickle.loads(payload)) for payload in whole_messages(finished)]


def finished_of(files: Mapping[str, bytes], runs: Sequence[RunSpec]) -> list[RunRecord]:
    """Read the records of the runs that a chunk had finished when its process died.

    The optimizer may have written into the files of the worker. If a record cannot be read, this
    record and all later ones are left out.

    Args:
        files: Name to content of the files of the worker. They may still be those of the chunk
            before.
        runs: The runs of the chunk, in their order.

    Returns:
        The records of the first runs, in the order of the runs.
    """
    records: list[RunRecord] = []
    with suppress(Exception):
        for payload in whole_messages(files.get(_FINISHED_FILE, b"")):
            records.append(replace_invalid_times(pickle.loads(payload)))
    pairs = zip(records, runs, strict=False)
    return [record for record, run in pairs if record.identity == run.identity]


def lost_run(
    spec: RunSpec, status: Status, error_text: str, files: Mapping[str, bytes] | None = None
) -> RunRecord:
    """Make the record of a run whose process could not make it.

    Args:
        spec: The run.
        status: Status of the run, unless its memory is damaged.
        error_text: The message for the log.
        files: Name to content of the files of the worker, with the memory of the run. None: there
            are no files.

    Returns:
        The record, with the data that the run had recorded. If the optimizer damaged the memory of
        the run, the record is empty and ``failed``, and its message says so.

    Raises:
        ExecutionError: The problem cannot be made.
    """
    try:
        problem = spec.make_problem()
    except Exception as error:  # the suite is to blame, which may be the user's own
        raise ExecutionError(
            f"problem {spec.problem_id} cannot be made: {type(error).__name__}: {error}"
        ) from error
    if not files:
        return _make_record(spec, problem, status, error_text, None)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        try:
            memory = RunMemory.open(Path(folder, _MEMORY_FILE))
            if memory.run_number == number_of(spec):
                return _make_record(spec, problem, status, error_text, memory)
        except FileNotFoundError:  # the process died before it created the file
            pass
        except Exception as error:  # damaged memory can raise any exception
            reason = f"{type(error).__name__}: {error}"
            error_text = f"{error_text}; the memory of what it had recorded is damaged ({reason})"
            return _make_record(spec, problem, "failed", error_text, None)
    return _make_record(spec, problem, status, error_text, None)


def is_overdue(timeout_seconds: float, folder: Path, task_seconds: float) -> bool:
    """Return whether the process of a worker must be ended.

    Args:
        timeout_seconds: Time-out of a run.
        folder: Folder of the worker.
        task_seconds: Seconds since the worker received its chunk of runs.
    """
    limit_seconds = timeout_seconds + GRACE_SECONDS
    with suppress(Exception):  # there is no memory yet, or the optimizer wrote into it
        memory = RunMemory.open(folder / _MEMORY_FILE)
        run_seconds = memory.elapsed_seconds
        if memory.run_number is not None and run_seconds >= 0:
            # a run of the chunk before may still be in the memory
            return min(run_seconds, task_seconds) > limit_seconds
    return task_seconds > limit_seconds + _PREPARATION_SECONDS


def number_of(spec: RunSpec) -> int:
    """Compute the number by which the memory of a worker identifies its current run."""
    return zlib.crc32(spec.identity.key.encode())


@lru_cache(maxsize=1)
def _open_memory(worker: ThisWorker) -> RunMemory:
    """Create the memory of this worker's runs, once."""
    return RunMemory.create(worker.folder / _MEMORY_FILE)


def _get_problem(spec: RunSpec) -> Problem:
    """Return the problem of a run, from a cache if it belongs to firsthit and is not large.

    Runs may share a problem of firsthit, because it has no state.
    """
    name = spec.problem
    if isinstance(name, ProblemId) and is_of_firsthit(name) and name.dimension < _LARGE_DIMENSION:
        return _get_named_problem(name)
    return spec.make_problem()


_get_named_problem = lru_cache(maxsize=512)(named_problem)


def _make_record(
    spec: RunSpec, problem: Problem, status: Status, error_text: str, memory: RunMemory | None
) -> RunRecord:
    """Make the record of a lost run from its memory, if any.

    Damaged memory can raise any exception. Impossible numbers of evaluations raise ValueError.
    """
    identity, budget = spec.identity, spec.budget_evaluations
    record = make_lost_record(
        memory,
        problem,
        identity,
        status,
        error_text,
        seed=seed_number(start_sequence(run_sequence(identity), 0)),
        budget=budget,
        record=spec.rules.record,
        indicator=spec.rules.indicator,
        archive=spec.rules.archive,
    )
    n_objective, n_constraints = record.evaluations, record.evaluations_constraints
    limit = _MAX_EVALUATIONS if budget is None else budget
    if not 0 <= n_objective <= limit or not 0 <= n_constraints <= _MAX_EVALUATIONS:
        raise ValueError(f"it says that the run made {n_objective} and {n_constraints} evaluations")
    return replace_invalid_times(record)
