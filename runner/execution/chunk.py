"""Runs made one after the other in a worker process, and what is left of them when it dies."""

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
from ...loggers.observation.run_result import lost_run_record
from ...loggers.records.run_record import RunRecord, Status
from ...suites import Problem
from ...suites.facts import ProblemId
from ..campaign.campaign import RunSpec, named_problem
from ..campaign.checks import is_of_firsthit
from ..executors.messages import message, whole_messages
from ..executors.worker import ThisWorker, this_worker
from ..optimizers.import_string import searched
from .run import load, make_run, with_plain_times
from .seeds import run_sequence, seed_number, start_sequence

GRACE_SECONDS = 2.0
"""A process is ended when its run is still there so long after its own time limit."""
_PREPARING_SECONDS = 30.0
"""Loading problem and optimizer may take so long; only then the time of the run begins."""
_MEMORY, _FINISHED = "run", "finished"
"""Names in a worker's folder: the memory of the run at hand, the records of finished ones."""
_LARGE_DIMENSION = 64
"""Problems of so many variables are made for each run: they take much memory."""


def records_of(finished: bytes) -> list[RunRecord]:
    """The records of the runs that a chunk finished; an incomplete last one is left out."""
    return [with_plain_times(pickle.loads(payload)) for payload in whole_messages(finished)]


def run_chunk(runs: Sequence[RunSpec], most_seconds: float) -> bytes:
    """Make runs of one optimizer one after the other, until the time for a chunk is over.

    No run but the first begins where it would end later than that, if it lasted as long as the
    longest so far. Returns the records of its first runs, see ``records_of``; raises FirsthitError
    where the first problem or the optimizer cannot be made at all.
    """
    worker = this_worker()
    memory = _memory_of(worker)
    memory.rest()
    optimizer = load(runs[0])
    began = looked = monotonic()
    longest = 0.0
    kept: list[bytes] = []
    with (worker.folder / _FINISHED).open("wb", buffering=0) as file, searched(optimizer.folder):

        def keep(record: RunRecord) -> None:
            kept.append(message(pickle.dumps(record, protocol=5)))
            with suppress(OSError):  # a full disk: it returns by the pipe, too
                file.write(kept[-1])

        def hand_in(record: RunRecord) -> NoReturn:
            keep(record)
            worker.answer_and_end(b"".join(kept))

        for number, spec in enumerate(runs):
            now = monotonic()
            longest, looked = max(longest, now - looked), now
            if number and now + longest > began + most_seconds:
                break
            try:
                problem = _problem(spec)
                memory.begin(number_of(spec))
                record, _ = make_run(spec, optimizer, problem, memory, hand_in)
            except Exception:
                if not number:
                    raise
                break  # it raises again, as the first of its chunk
            keep(record)
    return b"".join(kept)


@lru_cache(maxsize=1)
def _memory_of(worker: ThisWorker) -> RunMemory:
    """The memory of this worker's runs, made once."""
    return RunMemory.create(worker.folder / _MEMORY)


def _problem(spec: RunSpec) -> Problem:
    """The problem of a run; made once for many, where it is known to have no state."""
    name = spec.problem
    if isinstance(name, ProblemId) and is_of_firsthit(name) and name.dimension < _LARGE_DIMENSION:
        return _problem_of(name)
    return spec.make_problem()


_problem_of = lru_cache(maxsize=512)(named_problem)


def is_overdue(timeout_seconds: float, folder: Path, seconds: float) -> bool:
    """Whether a worker must be ended that was given its chunk of runs so many seconds ago."""
    limit = timeout_seconds + GRACE_SECONDS
    with suppress(OSError):
        memory = RunMemory.open(folder / _MEMORY)
        if memory.run_number is not None:  # it may still be that of the chunk before
            return min(memory.seconds, seconds) > limit
    return seconds > limit + _PREPARING_SECONDS


def number_of(spec: RunSpec) -> int:
    """The number of a run in its memory; it says whose data the memory holds."""
    return zlib.crc32(spec.identity.key.encode())


def finished_of(files: Mapping[str, bytes], runs: Sequence[RunSpec]) -> list[RunRecord]:
    """Records of the runs that a chunk had finished when its process died.

    The files of the worker may still be those of the chunk before.
    """
    records = records_of(files.get(_FINISHED, b""))
    pairs = zip(records, runs, strict=False)
    return [record for record, run in pairs if record.identity == run.identity]


def lost_run(
    spec: RunSpec, status: Status, text: str, files: Mapping[str, bytes] | None = None
) -> RunRecord:
    """The record of a run that could not make its own.

    The files of the worker that was at it are all that is known of what it had reached.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (files or {}).items():
            path = Path(folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        with suppress(OSError, ValueError, OverflowError):  # it is not there, or was written into
            memory = RunMemory.open(Path(folder, _MEMORY))
            if memory.run_number == number_of(spec):
                return _lost(spec, status, text, memory)
        return _lost(spec, status, text, None)


def _lost(spec: RunSpec, status: Status, text: str, memory: RunMemory | None) -> RunRecord:
    identity, budget = spec.identity, spec.budget_evaluations
    record = lost_run_record(
        memory,
        spec.make_problem(),
        identity,
        status,
        text,
        seed=seed_number(start_sequence(run_sequence(identity), 0)),
        budget=budget,
        record=spec.rules.record,
        indicator=spec.rules.indicator,
        archive=spec.rules.archive,
    )
    if budget is not None and record.evaluations > budget:
        raise ValueError("the memory says what cannot be")
    return record
