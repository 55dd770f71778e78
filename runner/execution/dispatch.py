"""Hands out runs to an executor, in groups, and sorts out what comes back, and what does not."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice

from ...loggers import RunRecord
from ..campaign.campaign import RunSpec
from ..errors import CampaignError, WorkerDied
from ..executors.executor import Executor
from .group import GroupResult, finished_of, lost_run, records_of, run_group

GROUP_SECONDS = 1.0
"""Short runs are put together to groups of about this length."""
MOST_SECONDS = 1.5
"""What has ended waits for the others of its group, and a log promises to have it after 2 s."""
_MOST_IN_GROUP = 512
_GROUPS_PER_WORKER = 2
_LEAST_SECONDS = 0.02
"""No smaller groups at the end: sending one takes longer than a worker would wait for another."""
_FADING = 0.5
"""Half of what is known of a kind of runs goes with each group: the first one loads what it needs.
"""
_LOOK_SECONDS = 1.0
"""After this time without news it is looked whether there are more workers now, and Python handles
signals that came in another thread."""

_Kind = tuple[int, str, int]
"""Stage, algorithm and dimension: runs of one kind are taken to last equally long."""
_Group = Sequence[RunSpec]


class Dispatch:
    """Keeps an executor busy with groups of runs, and hands out records as they come back.

    Of the runs not yet started, those of the first budget stage come first, and of these the ones
    that are known to last longest, so that at the end no worker waits for another. Kinds of runs
    that were never seen come before all others.

    A run at which its worker died is made again, alone, in a process that has run nothing before;
    the second time it is ``failed``, with what it had reached. So is one that failed for want of
    what the system gives, in a process where others ran before it. A run that is beyond its time is
    ``timeout``. Other runs of the group are kept where they had finished, and go back else.

    Args:
        runs: What is to be made, each once, in the order of the plan.
        executor: Where.
        announce: Takes the number of runs that are made at this moment, by algorithm and dimension:
            one for each worker at most.
    """

    def __init__(
        self,
        runs: Iterable[RunSpec],
        executor: Executor,
        announce: Callable[[Counter[tuple[str, int]]], None] = lambda running: None,
    ) -> None:
        self._announce = announce
        self._todo: dict[_Kind, deque[RunSpec]] = {}
        for run in runs:
            self._todo.setdefault(_kind(run), deque()).append(run)
        self._left = sum(map(len, self._todo.values()))
        self._alone: deque[RunSpec] = deque()
        self._died: set[str] = set()
        self._fail_fresh: set[str] = set()
        self._executor = executor
        self._flying: dict[Future[GroupResult], _Group] = {}
        self._seen: dict[_Kind, tuple[float, float]] = {}

    def records(self) -> Iterator[list[RunRecord]]:
        """Every run once, in the order in which they come back.

        Raises:
            CampaignError: The executor as a whole is lost.
        """
        while self._todo or self._alone or self._flying:
            self._hand_out()
            self._announce(self._running())
            for future in wait(self._flying, _LOOK_SECONDS, FIRST_COMPLETED).done:
                if landed := self._landed(future, self._flying.pop(future)):
                    yield landed

    def _hand_out(self) -> None:
        most = _GROUPS_PER_WORKER * self._executor.workers
        while len(self._flying) < most and (self._todo or self._alone):
            is_alone = bool(self._alone)
            group = [self._alone.popleft()] if is_alone else self._next_group()
            may_want_fresh = group[0].optimizer.name not in self._fail_fresh
            future = self._executor.submit(
                run_group, group, MOST_SECONDS, may_want_fresh, fresh=is_alone
            )
            self._flying[future] = group

    def _running(self) -> Counter[tuple[str, int]]:
        """One run of each group that a worker is at; further groups wait for a worker."""
        first = islice(self._flying.values(), self._executor.workers)
        return Counter(_kind(group[0])[1:] for group in first)

    def _next_group(self) -> _Group:
        kind = min(self._todo, key=lambda kind: (kind[0], -self._expected(kind)))
        waiting = self._todo[kind]
        fair = self._left // (_GROUPS_PER_WORKER * self._executor.workers)
        seconds = max(self._expected(kind), 1e-6)
        fitting = int(GROUP_SECONDS / seconds)
        size = max(1, min(fair, fitting), int(_LEAST_SECONDS / seconds))
        size = min(size, len(waiting), _MOST_IN_GROUP)
        runs = [waiting.popleft() for _ in range(size)]
        self._left -= size
        if not waiting:
            del self._todo[kind]
        return runs

    def _expected(self, kind: _Kind) -> float:
        """Seconds of one run; infinite for what was never seen."""
        seconds, runs = self._seen.get(kind, (float("inf"), 1.0))
        return seconds / runs

    def _put_back(self, runs: Sequence[RunSpec]) -> None:
        for run in reversed(runs):
            self._todo.setdefault(_kind(run), deque()).appendleft(run)
        self._left += len(runs)

    def _landed(self, future: Future[GroupResult], group: _Group) -> list[RunRecord]:
        error = future.exception()
        if error is None:
            return self._finished(future.result(), group)
        if isinstance(error, WorkerDied):
            return self._died_at(error, group)
        if isinstance(error, CampaignError):
            raise error
        if len(group) == 1:
            return [lost_run(group[0], "failed", str(error))]
        self._alone.append(group[0])
        self._put_back(group[1:])
        return []

    def _finished(self, result: GroupResult, group: _Group) -> list[RunRecord]:
        records = records_of(result.finished)
        left = group[len(records) :]
        if result.wants_fresh:
            self._fail_fresh.add(left[0].optimizer.name)
            self._alone.append(left[0])
            left = left[1:]
        self._put_back(left)
        self._learn(group[0], records)
        return records

    def _died_at(self, error: WorkerDied, group: _Group) -> list[RunRecord]:
        if not error.files and len(group) > 1:  # nobody knows at which run
            self._alone.extend(group)
            return []
        records = finished_of(error.files, group)
        if len(records) == len(group):
            return records
        run = group[len(records)]
        self._put_back(group[len(records) + 1 :])
        if error.is_overdue:
            text = f"no end within {run.rules.timeout_seconds:g} s; its process was ended"
            return [*records, lost_run(run, "timeout", text, error.files)]
        if run.identity.key in self._died:
            return [*records, lost_run(run, "failed", f"{error}, twice", error.files)]
        self._died.add(run.identity.key)
        self._alone.append(run)
        return records

    def _learn(self, run: RunSpec, records: Sequence[RunRecord]) -> None:
        """The more runs a group has, and the later it ended, the more it counts."""
        if not records:
            return
        seconds, runs = self._seen.get(_kind(run), (0.0, 0.0))
        seconds = _FADING * seconds + sum(record.wall_seconds for record in records)
        self._seen[_kind(run)] = seconds, _FADING * runs + len(records)


def _kind(run: RunSpec) -> _Kind:
    return run.stage, run.optimizer.name, run.problem_id.dimension
