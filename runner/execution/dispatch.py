"""Sends runs to an executor in chunks, and repeats those that were lost with a worker."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count

from ...loggers.records.run_record import RunRecord
from ..campaign.campaign import RunSpec
from ..errors import CampaignError, WorkerDied
from ..executors.executor import Executor, Isolation, TaskError
from .chunk import finished_of, lost_run, records_of, run_chunk

CHUNK_SECONDS = 1.0
"""Chunks of short runs last about so long."""
MOST_SECONDS = 1.5
"""Finished runs wait for the others of their chunk; a log promises to have them after 2 s."""
_MOST_IN_CHUNK = 512
_CHUNKS_PER_WORKER = 2
_LEAST_SECONDS = 0.02
"""No smaller chunks at the end: sending one takes longer than a worker would wait for another."""
_START_SECONDS = 1.0
"""A worker takes a new process to help others with an algorithm that has longer to go than this."""
_OFTEN_SECONDS = 20.0
"""And this, where in that stage each worker on average did so before."""
_FADING = 0.5
"""Half of what is known of a kind of runs goes with each chunk: the first one loads what it needs.
"""
_LOOK_SECONDS = 1.0
"""After this time without an answer, new workers are looked for, and Python handles signals that
came in another thread."""

_Kind = tuple[int, str, int]
"""Stage, algorithm and dimension: runs of one kind are taken to last equally long."""
_Chunk = Sequence[RunSpec]
_Waiting = dict[int, deque[RunSpec]]
"""Runs of one algorithm in one stage, by dimension."""


@dataclass(slots=True, eq=False)
class _Lane:
    """The work of one of the executor's workers.

    Attributes:
        worker: Which.
        algorithm: The one that it runs; None before the first.
        owner: Of its tasks: another one for each process that it needs.
        chunks: Those that were sent and have not come back; it is at the first.
    """

    worker: int
    algorithm: str | None = None
    owner: str = ""
    chunks: dict[Future[bytes], _Chunk] = field(default_factory=dict)


class Dispatch:
    """Keeps an executor busy with chunks of runs, and hands out records as they come back.

    A worker keeps its algorithm until the stage has no runs of it left, and then turns to one that
    no other worker is at. Where there is none, it helps with the one that has the longest to go. So
    a stage starts at most one process for each algorithm and one for each worker; beyond that, one
    for each 20 s of work that would leave workers idle, and one for each process that died. Of an
    algorithm's runs, dimensions that were never seen come first, then those that last longest, so
    that at the end no worker waits for another.

    A run at which its worker died, or could not begin, is made again, alone, in a process that has
    run nothing before; the second time it is ``failed``, with what it had reached. A run that is
    beyond its time is ``timeout``. Other runs of the chunk are kept where they had finished, and go
    back else.

    Args:
        runs: What is to be made, each once, in the order of the plan.
        executor: Where.
        announce: Takes the number of runs that are made at this moment, by algorithm and dimension:
            one for each worker at most.
        isolation: ``"algorithm"``: a process runs one algorithm only; ``"run"``: it makes one run.
    """

    def __init__(
        self,
        runs: Iterable[RunSpec],
        executor: Executor,
        announce: Callable[[Counter[tuple[str, int]]], None] = lambda running: None,
        isolation: Isolation = "algorithm",
    ) -> None:
        self._announce = announce
        self._executor = executor
        self._is_each_alone = isolation == "run"
        self._todo: dict[int, dict[str, _Waiting]] = {}
        self._left = 0
        for run in runs:
            self._waiting(run).append(run)
            self._left += 1
        self._lanes: list[_Lane] = []
        self._flying: dict[Future[bytes], _Lane] = {}
        self._numbers = count()
        self._helping: Counter[int] = Counter()
        self._alone: set[str] = set()
        self._tried: set[str] = set()
        self._seen: dict[_Kind, tuple[float, float]] = {}

    def records(self) -> Iterator[list[RunRecord]]:
        """Every run once, in the order in which they come back.

        Raises:
            CampaignError: The executor as a whole is lost.
        """
        while self._todo or self._flying:
            self._hand_out()
            self._announce(self._running())
            for future in wait(self._flying, _LOOK_SECONDS, FIRST_COMPLETED).done:
                chunk = self._flying.pop(future).chunks.pop(future)
                if landed := self._landed(future, chunk):
                    yield landed

    def _waiting(self, run: RunSpec) -> deque[RunSpec]:
        """Where a run of its kind waits."""
        algorithms = self._todo.setdefault(run.stage, {})
        dimensions = algorithms.setdefault(run.optimizer.name, {})
        return dimensions.setdefault(run.problem_id.dimension, deque())

    def _hand_out(self) -> None:
        """Send chunks to workers, and have processes ready for those that need one next."""
        workers, switching = self._executor.workers, 0
        self._lanes = self._lanes[:workers]
        self._lanes += [_Lane(number) for number in range(len(self._lanes), workers)]
        for lane in self._lanes:
            while len(lane.chunks) < _CHUNKS_PER_WORKER and (choice := self._choice(lane)):
                stage, algorithm, helps = choice
                if algorithm != lane.algorithm:
                    if lane.chunks:
                        switching += 1
                        break
                    self._helping[stage] += helps
                    lane.algorithm, lane.owner = algorithm, self._new_owner(algorithm)
                self._send(lane, self._next_chunk(stage, algorithm))
        self._executor.prepare(workers if self._is_each_alone and self._todo else switching)

    def _choice(self, lane: _Lane) -> tuple[int, str, bool] | None:
        """Stage and algorithm for a worker, and whether it helps others there; None: none."""
        for stage in sorted(self._todo):
            algorithms = self._todo[stage]
            if self._is_each_alone:
                longest = max(algorithms, key=lambda name: self._seconds_left(stage, name))
                return stage, longest, False
            if lane.algorithm in algorithms:
                return stage, lane.algorithm, False
            at_it = Counter(other.algorithm for other in self._lanes)
            for name in algorithms:
                if not at_it[name]:
                    return stage, name, False
            seconds = {name: self._seconds_left(stage, name) / at_it[name] for name in algorithms}
            name = max(seconds, key=lambda name: seconds[name])
            if self._helping[stage] < len(self._lanes):
                pays = seconds[name] > _START_SECONDS
            else:
                pays = _OFTEN_SECONDS < seconds[name] < float("inf")
            if pays:
                return stage, name, True
        return None

    def _new_owner(self, algorithm: str) -> str:
        return f"{algorithm} {next(self._numbers)}"

    def _send(self, lane: _Lane, chunk: _Chunk) -> None:
        if self._is_each_alone or chunk[0].identity.key in self._tried:
            lane.owner = self._new_owner(chunk[0].optimizer.name)
        future = self._executor.submit(
            run_chunk, chunk, MOST_SECONDS, owner=lane.owner, worker=lane.worker
        )
        self._flying[future] = lane
        lane.chunks[future] = chunk

    def _running(self) -> Counter[tuple[str, int]]:
        """One run of each chunk that a worker is at; further chunks wait for a worker."""
        at_work = [next(iter(lane.chunks.values())) for lane in set(self._flying.values())]
        return Counter(_kind(chunk[0])[1:] for chunk in at_work)

    def _next_chunk(self, stage: int, algorithm: str) -> _Chunk:
        dimensions = self._todo[stage][algorithm]
        dimension = max(
            dimensions, key=lambda candidate: self._expected((stage, algorithm, candidate))
        )
        waiting = dimensions[dimension]
        runs = [waiting.popleft()]
        if not self._is_alone(runs[0]):
            size = self._size_of_chunk(self._expected((stage, algorithm, dimension)))
            while waiting and len(runs) < size and not self._is_alone(waiting[0]):
                runs.append(waiting.popleft())
        self._left -= len(runs)
        if not waiting:
            del dimensions[dimension]
            if not dimensions:
                del self._todo[stage][algorithm]
            if not self._todo[stage]:
                del self._todo[stage]
        return runs

    def _is_alone(self, run: RunSpec) -> bool:
        """Whether a run is to be a chunk by itself; mostly none is, and no key is computed."""
        return bool(self._alone) and run.identity.key in self._alone

    def _size_of_chunk(self, expected: float) -> int:
        """How many runs, of so many seconds each, make a chunk."""
        if self._is_each_alone:
            return 1
        fair = self._left // (_CHUNKS_PER_WORKER * self._executor.workers)
        seconds = max(expected, 1e-6)
        size = max(1, min(fair, int(CHUNK_SECONDS / seconds)), int(_LEAST_SECONDS / seconds))
        return min(size, _MOST_IN_CHUNK)

    def _expected(self, kind: _Kind) -> float:
        """Expected seconds of one run; infinite for a kind that has not run yet."""
        seconds, runs = self._seen.get(kind, (float("inf"), 1.0))
        return seconds / runs

    def _seconds_left(self, stage: int, algorithm: str) -> float:
        """Of an algorithm's runs that were not sent yet."""
        dimensions = self._todo[stage][algorithm].items()
        return sum(
            len(runs) * self._expected((stage, algorithm, dimension))
            for dimension, runs in dimensions
        )

    def _put_back(self, runs: Sequence[RunSpec]) -> None:
        for run in reversed(runs):
            self._waiting(run).appendleft(run)
        self._left += len(runs)

    def _landed(self, future: Future[bytes], chunk: _Chunk) -> list[RunRecord]:
        error = future.exception()
        if error is None:
            records = records_of(future.result())
            self._put_back(chunk[len(records) :])
            self._learn(chunk[0], records)
            return records
        if isinstance(error, CampaignError):
            raise error
        if isinstance(error, WorkerDied) and not error.files and len(chunk) > 1:
            self._alone.update(run.identity.key for run in chunk)  # nobody knows at which run
            self._put_back(chunk)
            return []
        files = error.files if isinstance(error, WorkerDied | TaskError) else {}
        records = finished_of(files, chunk)
        self._put_back(chunk[len(records) + 1 :])
        if len(records) == len(chunk):
            return records
        run = chunk[len(records)]
        if isinstance(error, WorkerDied) and error.is_overdue:
            text = f"no end within {run.rules.timeout_seconds:g} s; its process was ended"
            return [*records, lost_run(run, "timeout", text, files)]
        if run.identity.key in self._tried:
            twice = ", twice" if isinstance(error, WorkerDied) else ""
            return [*records, lost_run(run, "failed", f"{error}{twice}", files)]
        self._tried.add(run.identity.key)  # once more, in a process that has run nothing before
        self._alone.add(run.identity.key)
        self._put_back([run])
        return records

    def _learn(self, run: RunSpec, records: Sequence[RunRecord]) -> None:
        """The more runs a chunk has, and the later it ended, the more it counts."""
        if not records:
            return
        seconds, runs = self._seen.get(_kind(run), (0.0, 0.0))
        seconds = _FADING * seconds + sum(record.wall_seconds for record in records)
        self._seen[_kind(run)] = seconds, _FADING * runs + len(records)


def _kind(run: RunSpec) -> _Kind:
    return run.stage, run.optimizer.name, run.problem_id.dimension
