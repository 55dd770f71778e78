"""Do runs repeat, whatever ran before them? A few short runs of each algorithm try it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Literal

from ...loggers.records.run_record import RunRecord
from ..campaign.budget import Budget
from ..campaign.campaign import RunSpec
from ..executors.executor import ExecutorConfig
from .chunk import records_of, run_chunk
from .execute import make_executor

_FACTOR = 200.0
"""Evaluations, times the dimension, of a run that is only tried."""
_SECONDS = 60.0
"""A run that is only tried ends after this time."""

Finding = Literal["repeats", "depends on the order", "does not repeat", "fails"]


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of trying an algorithm: what was found, and what failed or which run differs."""

    algorithm: str
    finding: Finding
    text: str = ""


def try_runs(plan: Sequence[RunSpec], workers: int) -> Iterator[Trial]:
    """Make two short runs of each algorithm in each dimension, three times.

    One process makes them in one order, another one in the same, a third one in the reverse order.
    Runs that are equal in the same order only keep something from run to run.
    """
    chosen: dict[str, list[RunSpec]] = {}
    for run in plan:
        chosen.setdefault(run.optimizer.name, []).append(run)
    with closing(make_executor(ExecutorConfig(max(1, workers)), _SECONDS)) as executor:
        submitted: dict[str, list[Future[bytes]]] = {}
        for name, runs in chosen.items():
            few = list(_few(runs))
            submitted[name] = [
                executor.submit(run_chunk, order, float("inf"), owner=f"{name} {number}")
                for number, order in enumerate((few, few, few[::-1]))
            ]
        for name, futures in submitted.items():
            yield _judged(name, futures)


def _few(runs: Iterable[RunSpec]) -> Iterator[RunSpec]:
    """Two runs in each dimension, of the first stage, shortened."""
    found: dict[int, list[RunSpec]] = {}
    for run in runs:
        two = found.setdefault(run.problem_id.dimension, [])
        if len(two) < 2 and run.stage == 0:
            two.append(run)
    for two in found.values():
        if len(two) == 1:
            two.append(replace(two[0], repetition=two[0].repetition + 1))
        yield from map(_shortened, two)


def _shortened(run: RunSpec) -> RunSpec:
    most = Budget(_FACTOR, per_dimension=True, count=run.budget_count)
    planned = run.budget_evaluations
    is_long = planned is None or planned > most.evaluations(run.problem_id.dimension)
    budget = most if is_long else run.budget
    return replace(run, rules=replace(run.rules, budget=budget, timeout_seconds=_SECONDS))


def _judged(name: str, futures: Sequence[Future[bytes]]) -> Trial:
    records: list[dict[str, RunRecord]] = []
    for future in futures:
        if (error := future.exception()) is not None:
            return Trial(name, "fails", str(error))
        records.append({record.identity.key: record for record in records_of(future.result())})
    first, again, reverse = records
    for record in first.values():
        if record.status in ("failed", "timeout"):
            return Trial(name, "fails", f"{record.identity}: {record.error.partition(chr(10))[0]}")
    if differs := _first_that_differs(first, again):
        return Trial(name, "does not repeat", differs)
    if differs := _first_that_differs(first, reverse):
        return Trial(name, "depends on the order", differs)
    return Trial(name, "repeats")


def _first_that_differs(some: dict[str, RunRecord], others: dict[str, RunRecord]) -> str:
    for key, record in some.items():
        if key not in others or not record.same_outcome(others[key]):
            return str(record.identity)
    return ""
