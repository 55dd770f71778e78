"""Hands out runs to an executor, in groups, and sorts out what comes back, and what does not."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from ...loggers import RunRecord
from ...loggers.observation.flight import Flight
from ...loggers.records.table import LogTable, tabulate
from ..campaign.campaign import RunSpec, RunSpecs
from ..errors import CampaignError, WorkerDied
from ..executors.serial import Executor
from .run import lost_run, run_group

_MOST_IN_GROUP = 512
_GROUPS_PER_WORKER = 2
_LONGEST = 1.5
"""Of the time that a group should take it may take so much: what has ended waits for the others of
its group, and a log promises to have it after two seconds."""
_LEAST_SECONDS = 0.02
"""No smaller groups at the end: sending one takes longer than a worker would wait for another."""
_FADING = 0.5
"""Half of what is known of a kind of runs goes with each group: the first one loads what it needs.
"""
_LOOK_SECONDS = 1.0
"""After this time without news it is looked whether there are more workers now."""

_Kind = tuple[int, str, int]
"""Stage, algorithm and dimension: runs of one kind are taken to last equally long."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Runs that travel together."""

    runs: RunSpecs


class Dispatch:
    """Keeps an executor busy with groups of runs, and hands out tables of runs as they end.

    Of the runs not yet started, those of the first budget stage come first, and of these the ones
    that are known to last longest, so that at the end no worker waits for another. Kinds of runs
    that were never seen come before all others.

    A run at which its worker died is made again, alone; the second time it is ``failed``, with what
    it had reached. A run that is beyond its time is ``timeout``. Other runs of the group go back.

    Args:
        runs: What is to be made, each once, in the order of the plan.
        executor: Where.
        tell: Takes the number of runs that are handed out, by algorithm and dimension, whenever
            some more are.
    """

    def __init__(
        self,
        runs: Iterable[RunSpec],
        executor: Executor,
        tell: Callable[[Counter[tuple[str, int]]], None] = lambda handed_out: None,
    ) -> None:
        self._tell = tell
        self._todo: dict[_Kind, deque[RunSpec]] = {}
        for run in runs:
            self._todo.setdefault(_kind(run), deque()).append(run)
        self._left = sum(map(len, self._todo.values()))
        self._alone: deque[RunSpec] = deque()
        self._died: set[str] = set()
        self._executor = executor
        self._flying: dict[Future[LogTable], _Group] = {}
        self._seen: dict[_Kind, tuple[float, float]] = {}

    def tables(self) -> Iterator[LogTable]:
        """Every run once, in tables, in the order in which they come back.

        Raises:
            CampaignError: The executor as a whole is lost.
        """
        while self._todo or self._alone or self._flying:
            most = _GROUPS_PER_WORKER * self._executor.workers
            while len(self._flying) < most and (self._todo or self._alone):
                group = self._next_group()
                self._flying[self._submitted(group)] = group
            self._tell(self._handed_out())
            patience = _LOOK_SECONDS if self._todo or self._alone else None
            for future in wait(self._flying, patience, FIRST_COMPLETED).done:
                yield from self._landed(future, self._flying.pop(future))

    def _handed_out(self) -> Counter[tuple[str, int]]:
        counts: Counter[tuple[str, int]] = Counter()
        for group in self._flying.values():  # of one kind each
            _, algorithm, dimension = _kind(group.runs[0])
            counts[algorithm, dimension] += len(group.runs)
        return counts

    def _submitted(self, group: _Group) -> Future[LogTable]:
        limit = _LONGEST * self._executor.group_seconds
        return self._executor.submit(run_group, group.runs, limit)

    def _next_group(self) -> _Group:
        if self._alone:
            return _Group(RunSpecs([self._alone.popleft()]))
        kind = min(self._todo, key=lambda kind: (kind[0], -self._expected(kind)))
        waiting = self._todo[kind]
        fair = self._left // (_GROUPS_PER_WORKER * self._executor.workers)
        seconds = max(self._expected(kind), 1e-6)
        fitting = int(self._executor.group_seconds / seconds)
        size = max(1, min(fair, fitting), int(_LEAST_SECONDS / seconds))
        size = min(size, len(waiting), _MOST_IN_GROUP)
        runs = RunSpecs(waiting.popleft() for _ in range(size))
        self._left -= size
        if not waiting:
            del self._todo[kind]
        return _Group(runs)

    def _expected(self, kind: _Kind) -> float:
        """Seconds of one run; infinite for what was never seen."""
        seconds, runs = self._seen.get(kind, (float("inf"), 1.0))
        return seconds / runs

    def _put_back(self, runs: Sequence[RunSpec]) -> None:
        for run in reversed(runs):
            self._todo.setdefault(_kind(run), deque()).appendleft(run)
        self._left += len(runs)

    def _landed(self, future: Future[LogTable], group: _Group) -> Iterator[LogTable]:
        error = future.exception()
        if error is None:
            table = future.result()
            self._put_back(group.runs[len(table) :])
            self._learn(group.runs[0], table)
            yield table
        elif isinstance(error, WorkerDied):
            yield from self._died_at(error, group)
        elif isinstance(error, CampaignError):
            raise error
        elif len(group.runs) > 1:
            self._alone.extend(group.runs)
        else:
            yield _lost(lost_run(group.runs[0], "failed", str(error), Flight()))

    def _died_at(self, error: WorkerDied, group: _Group) -> Iterator[LogTable]:
        number = error.flight.number
        if number is None and len(group.runs) > 1:
            self._alone.extend(group.runs)
            return
        number = min(number or 0, len(group.runs) - 1)
        run = group.runs[number]
        self._put_back([*group.runs[:number], *group.runs[number + 1 :]])
        if error.is_overdue:
            text = f"no end within {run.rules.timeout_seconds:g} s; its process was ended"
            yield _lost(lost_run(run, "timeout", text, error.flight))
        elif run.identity.key in self._died:
            yield _lost(lost_run(run, "failed", f"{error}, twice", error.flight))
        else:
            self._died.add(run.identity.key)
            self._alone.append(run)

    def _learn(self, run: RunSpec, table: LogTable) -> None:
        """The more runs a group has, and the later it ended, the more it counts."""
        seconds, runs = self._seen.get(_kind(run), (0.0, 0.0))
        seconds = _FADING * seconds + float(table.runs["wall_seconds"].sum())
        self._seen[_kind(run)] = seconds, _FADING * runs + len(table)


def _kind(run: RunSpec) -> _Kind:
    return run.stage, run.optimizer.name, run.problem_id.dimension


def _lost(record: RunRecord) -> LogTable:
    return tabulate([record], "")
