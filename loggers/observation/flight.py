"""The flight recorder: what a run has reached, kept where it outlives the run's process.

A worker process writes into memory that it shares with the coordinator. Whatever ends the process,
a time limit inside compiled code, a segmentation fault, the kernel short of memory, the coordinator
reads from there what the run had reached. It costs one store per evaluation and a few hundred
nanoseconds per hit; nothing is formatted or sent while the run goes well.
"""

from __future__ import annotations

import pickle
import struct
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites import Problem
from ..records.identity import RunIdentity
from ..records.run_record import Record, RunRecord, Status
from .hit_recorder import FirstHits
from .recorder import RunRecorder
from .run_events import RunJournal

FLIGHT_BYTES = 8 * 2**20
"""Room for more than 300 000 hits; pages that are never written take no memory."""

EVALUATIONS, CONSTRAINTS = 0, 1
"""Items of ``FlightMemory.counts`` that the observed problem stores to."""

_NUMBER, _USED, _FULL, _BEST, _DIMENSION, _STARTED = range(2, 8)
_HEAD = 64
_NOTHING = bytes(_HEAD)
_OPENED = struct.Struct("8q")
_EVENT = struct.Struct("<Bqd")
_CALL = struct.Struct("<Bq")
_HIT, _COUNT, _CALLED = range(3)
_Array = NDArray[np.float64]


class FlightMemory:
    """The writer's side: the state of the one run that a worker is at.

    Args:
        buffer: Shared memory of ``FLIGHT_BYTES``.

    Attributes:
        counts: int64 items: ``counts[EVALUATIONS]`` may be stored to directly.
    """

    __slots__ = ("_best", "_buffer", "_end", "_slots", "_used", "counts")

    def __init__(self, buffer: Any) -> None:
        self._buffer = memoryview(buffer)
        self.counts = self._buffer[:_HEAD].cast("q")
        self._best: list[_Array] = []
        self._slots: dict[int, tuple[list[_Array], int]] = {}
        self._used = 0
        self._end = len(self._buffer)

    def begin(self, number: int) -> None:
        """Forget the last run; run ``number`` of the task, from 0, begins to be prepared."""
        self.counts[_NUMBER] = 0
        self._buffer[:_HEAD] = _NOTHING
        self.counts[_NUMBER] = number + 1

    def open(self, number: int, dimension: int) -> None:
        """Run ``number`` of the task begins, in so many variables."""
        counts = self.counts
        counts[_NUMBER] = 0  # until all is in place
        self._best, self._used = self._slots.get(dimension) or self._new_slots(dimension)
        _OPENED.pack_into(
            self._buffer, 0, 0, 0, 0, self._used, 0, 0, dimension, time.monotonic_ns()
        )
        counts[_NUMBER] = number + 1

    def _new_slots(self, dimension: int) -> tuple[list[_Array], int]:
        """Room for two best points, and where it ends."""
        size = 8 * (dimension + 1)
        starts = (_HEAD, _HEAD + size)
        slots = [np.frombuffer(self._buffer, "<f8", dimension + 1, at) for at in starts]
        self._slots[dimension] = slots, _HEAD + 2 * size
        return self._slots[dimension]

    def detach(self) -> None:
        """Write elsewhere from now on: in a forked process, whose evaluations do not count."""
        self._buffer = memoryview(bytearray(self._buffer[: self._used or _HEAD]))
        self._end = len(self._buffer)
        self._slots.clear()
        self.counts = self._buffer[:_HEAD].cast("q")
        self.counts[_FULL] = 1

    def rest(self) -> None:
        """No run any more."""
        self.counts[_NUMBER] = 0

    def flight(self) -> Flight:
        """What stands here now."""
        return Flight.of(self._buffer)

    def set_best(self, value: float, x: _Array) -> None:
        """Keep the best point so far; the one before stands until this one is whole."""
        if self.counts[_FULL]:
            return
        number = 1 if self.counts[_BEST] != 1 else 2
        slot = self._best[number - 1]
        slot[0] = value
        slot[1:] = x
        self.counts[_BEST] = number

    def add_event(self, kind: int, evaluation: int, number: float) -> None:
        """Append an event of fixed size."""
        after = self._used + _EVENT.size
        if after > self._end:
            self.counts[_FULL] = 1
            return
        _EVENT.pack_into(self._buffer, self._used, kind, evaluation, number)
        self._used = self.counts[_USED] = after

    def add_call(self, name: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Append a call of the journal, to be made again by who reads."""
        data = pickle.dumps((name, arguments, named))
        start = self._used + _CALL.size
        if start + len(data) > self._end:
            self.counts[_FULL] = 1
            return
        _CALL.pack_into(self._buffer, self._used, _CALLED, len(data))
        self._buffer[start : start + len(data)] = data
        self._used = self.counts[_USED] = start + len(data)


class FlightRecorder(RunRecorder):
    """A run's recorder that writes all it takes to a flight memory, too, which is open then."""

    __slots__ = ("_memory",)

    def __init__(
        self, dimension: int, reference: float, every_improvement: bool, memory: FlightMemory
    ) -> None:
        hits = _FlightHits(reference, every_improvement, memory)
        journal = _FlightJournal(memory)
        super().__init__(dimension, reference, every_improvement, hits=hits, journal=journal)
        self._memory = memory

    def improve(self, evaluation: int, value: float, x: ArrayLike) -> None:
        """See ``RunRecorder``."""
        super().improve(evaluation, value, x)
        if self.best_x is not None:
            self._memory.set_best(self.best, self.best_x)

    def take(self, before: int, points: _Array, quality: _Array) -> None:
        """See ``RunRecorder``."""
        best = self.best
        super().take(before, points, quality)
        if self.best < best and self.best_x is not None:
            self._memory.set_best(self.best, self.best_x)


class _FlightHits(FirstHits):
    __slots__ = ("_memory",)

    def __init__(self, reference: float, every_improvement: bool, memory: FlightMemory) -> None:
        super().__init__(reference, every_improvement)
        self._memory = memory

    def add(self, evaluation: int, value: float) -> None:
        super().add(evaluation, value)
        self._memory.add_event(_HIT, evaluation, value)

    def extend(self, evaluations: NDArray[np.int64], values: _Array) -> None:
        super().extend(evaluations, values)
        for evaluation, value in zip(evaluations.tolist(), values.tolist(), strict=True):
            self._memory.add_event(_HIT, evaluation, value)


class _FlightJournal(RunJournal):
    __slots__ = ("_memory",)

    def __init__(self, memory: FlightMemory) -> None:
        super().__init__()
        self._memory = memory

    def add_best(self, evaluations: Sequence[int], precisions: Sequence[float]) -> None:
        super().add_best(evaluations, precisions)
        for evaluation, precision in zip(evaluations, precisions, strict=True):
            self._memory.add_event(_COUNT, evaluation, precision)

    def add_restart(self, *arguments: Any, **named: Any) -> None:
        super().add_restart(*arguments, **named)
        self._memory.add_call("add_restart", arguments, named)

    def add_recommendation(self, *arguments: Any, **named: Any) -> None:
        super().add_recommendation(*arguments, **named)
        self._memory.add_call("add_recommendation", arguments, named)


@dataclass(frozen=True, slots=True)
class Flight:
    """The reader's side: what stood in a flight memory when its worker ended.

    Attributes:
        number: Which run of its task the worker was at, from 0; None where at none.
        seconds: Since that run began, 0 while it is prepared.
        data: The memory as far as it was used.
    """

    number: int | None = None
    seconds: float = 0.0
    data: bytes = b""

    @classmethod
    def of(cls, buffer: Any) -> Flight:
        """Read a memory; a worker that is not at a run gives an empty flight."""
        view = memoryview(buffer)
        counts = view[:_HEAD].cast("q")
        if not counts[_NUMBER]:
            return cls()
        return cls(counts[_NUMBER] - 1, _since(counts), bytes(view[: max(counts[_USED], _HEAD)]))

    @staticmethod
    def clock(buffer: Any) -> tuple[bool, float]:
        """Whether a worker is at a run, and for how many seconds; 0 while it is prepared."""
        counts = memoryview(buffer)[:_HEAD].cast("q")
        return counts[_NUMBER] > 0, _since(counts)

    def record(
        self,
        problem: Problem,
        identity: RunIdentity,
        status: Status,
        error: str,
        *,
        seed: int,
        budget: int | None,
        record: Record,
    ) -> RunRecord:
        """The record of a run that could not make its own, with what it had reached.

        CPU seconds and seconds in the problem are lost, and 0. Where the memory was too small, the
        run counts as far as it was recorded.
        """
        counts = memoryview(self.data)[:_HEAD].cast("q") if self.data else [0] * 8
        recorder = RunRecorder(problem.dimension, problem.reference_value, record == "improvements")
        evaluations = max([0, *self._replayed(recorder)])
        if not counts[_FULL]:
            evaluations = max(evaluations, counts[EVALUATIONS])
        if counts[_BEST]:
            dimension = counts[_DIMENSION]
            start = _HEAD + (counts[_BEST] - 1) * 8 * (dimension + 1)
            best = np.frombuffer(self.data, "<f8", dimension + 1, start)
            recorder.best, recorder.best_x = float(best[0]), best[1:].copy()
        return RunRecord(
            identity=identity,
            suite_version=problem.suite_version,
            function_name=problem.name,
            group=problem.group,
            status=status,
            error=error,
            seed=seed,
            budget=budget,
            record=record,
            evaluations_constraints=counts[CONSTRAINTS],
            wall_seconds=self.seconds,
            **recorder.outcome(evaluations),
        )

    def _replayed(self, recorder: RunRecorder) -> Iterator[int]:
        """Do again what was recorded; yields the evaluation of each event."""
        at = _HEAD
        if self.data:
            at += 16 * (memoryview(self.data)[:_HEAD].cast("q")[_DIMENSION] + 1)
        while at < len(self.data):
            kind = self.data[at]
            if kind == _CALLED:
                _, size = _CALL.unpack_from(self.data, at)
                at += _CALL.size + size
                name, arguments, named = pickle.loads(self.data[at - size : at])
                getattr(recorder.journal, name)(*arguments, **named)
                continue
            _, evaluation, number = _EVENT.unpack_from(self.data, at)
            at += _EVENT.size
            if kind == _HIT:
                recorder.hits.add(evaluation, number)
            else:
                recorder.journal.add_best([evaluation], [number])
            yield evaluation


def _since(counts: Any) -> float:
    started: int = counts[_STARTED]
    return (time.monotonic_ns() - started) / 1e9 if started else 0.0
