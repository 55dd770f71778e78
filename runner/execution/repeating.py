"""Test whether the runs of algorithms are reproducible.

`try_runs` makes a few short runs of each algorithm three times, in three processes: twice in the
same order and once in the reverse order. Then it compares the records of each run. If the records
differ in the two equal orders, the algorithm is not reproducible. If they differ only in the
reverse order, the algorithm passes a state from one run to the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Literal

from ...loggers.records.run_record import RunRecord
from ...loggers.targets.grid import is_below_reference
from ...suites.region import is_outside_region
from ..campaign.budget import Budget
from ..campaign.campaign import RunSpec
from ..errors import ExecutionError
from ..executors.executor import ExecutorConfig
from .chunk import records_of, run_chunk
from .execute import make_executor

_EVALUATIONS_PER_DIMENSION = 200.0
"""Maximum budget of a short run, in evaluations per dimension."""
_TIMEOUT_SECONDS = 60.0
"""Time limit of a short run."""
_RUNS_PER_DIMENSION = 2
"""Number of short runs in each dimension.

A second run is needed to detect that a run depends on the run before it.
"""

Finding = Literal["repeats", "depends on the order", "does not repeat", "fails"]
"""Result of the comparison. The text is shown to the user."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Result of the test of one algorithm.

    Attributes:
        algorithm: Name of the algorithm.
        finding: Result of the comparison of its short runs.
        text: Details of the finding. ``"fails"``: the error message. ``"does not repeat"`` and
            ``"depends on the order"``: the identity of the first run that differs.
            ``"repeats"``: a clause if all runs saw no finite value or are outside the region of
            interest, or if a value is below the reference value; otherwise empty.
    """

    algorithm: str
    finding: Finding
    text: str = ""


def try_runs(plan: Sequence[RunSpec], workers: int) -> Iterator[Trial]:
    """Make two short runs of each algorithm in each dimension three times, and compare the records.

    The iterator starts worker processes, and blocks until the runs of the next algorithm have
    ended. No log is written.

    Args:
        plan: Planned runs of a campaign. The short runs are copies of some of them with a smaller
            budget.
        workers: Number of worker processes. 0 counts as 1.

    Yields:
        The result of each algorithm, in the order of the plan.

    Raises:
        ExecutionError: No runs can be made, for example because the system lacks memory.
    """
    runs_by_algorithm: dict[str, list[RunSpec]] = {}
    for run in plan:
        runs_by_algorithm.setdefault(run.optimizer.name, []).append(run)
    with closing(make_executor(ExecutorConfig(max(1, workers)), _TIMEOUT_SECONDS)) as executor:
        futures_by_algorithm: dict[str, list[Future[bytes]]] = {}
        for algorithm, runs in runs_by_algorithm.items():
            short_runs = list(_choose_short_runs(runs))
            orders = (short_runs, short_runs, short_runs[::-1])
            futures_by_algorithm[algorithm] = [
                # The executor starts a new process for each owner, so that each order of the runs
                # is executed in a process of its own.
                executor.submit(run_chunk, order, float("inf"), owner=f"{algorithm} {number}")
                for number, order in enumerate(orders)
            ]
        for algorithm, futures in futures_by_algorithm.items():
            yield _compare_orders(algorithm, futures)


def _choose_short_runs(runs: Iterable[RunSpec]) -> Iterator[RunSpec]:
    """Yield two short runs of the first stage in each dimension.

    If a dimension has only one run, its next repetition is the second run.
    """
    chosen_by_dimension: dict[int, list[RunSpec]] = {}
    for run in runs:
        chosen = chosen_by_dimension.setdefault(run.problem_id.dimension, [])
        if len(chosen) < _RUNS_PER_DIMENSION and run.stage == 0:
            chosen.append(run)
    for chosen in chosen_by_dimension.values():
        if len(chosen) == 1:
            chosen.append(replace(chosen[0], repetition=chosen[0].repetition + 1))
        yield from map(_shorten, chosen)


def _shorten(run: RunSpec) -> RunSpec:
    """Return a copy of a run whose budget and time limit are at most those of a short run."""
    limit = Budget(_EVALUATIONS_PER_DIMENSION, per_dimension=True, count=run.budget_count)
    planned = run.budget_evaluations
    is_long = planned is None or planned > limit.evaluations(run.problem_id.dimension)
    budget = limit if is_long else run.budget
    return replace(run, rules=replace(run.rules, budget=budget, timeout_seconds=_TIMEOUT_SECONDS))


def _compare_orders(algorithm: str, futures: Sequence[Future[bytes]]) -> Trial:
    """Wait for the runs of an algorithm in all orders, and return the result of the test.

    Args:
        algorithm: Name of the algorithm.
        futures: One future for each order: the first order, the equal one, and the reverse one.

    Raises:
        ExecutionError: A future failed, for a reason that does not concern the algorithm.
    """
    records_by_order: list[dict[str, RunRecord]] = []
    for future in futures:
        if isinstance(error := future.exception(), ExecutionError):
            raise error
        if error is not None:
            return Trial(algorithm, "fails", str(error))
        records = records_of(future.result())
        records_by_order.append({record.identity.key: record for record in records})
    original, repeated, reverse = records_by_order
    for record in original.values():
        if record.status in ("failed", "timeout"):
            first_line, _, _ = record.error.partition("\n")
            return Trial(algorithm, "fails", f"{record.identity}: {first_line}")
    if identity := _find_difference(original, repeated):
        return Trial(algorithm, "does not repeat", identity)
    if identity := _find_difference(original, reverse):
        return Trial(algorithm, "depends on the order", identity)
    return Trial(algorithm, "repeats", _describe_unusable_values([*original.values()]))


def _describe_unusable_values(records: Sequence[RunRecord]) -> str:
    """Return a clause on runs whose points or reference values may be wrong; else ``""``."""
    evaluated = [run for run in records if run.evaluations and not run.evaluations_constraints]
    if not evaluated:
        return ""
    if all(math.isinf(run.best_precision) for run in evaluated):
        return "no run saw a finite value: the points may be NaN"
    if all(
        len(run.best_solution) and is_outside_region(run.identity.problem, run.best_solution)
        for run in evaluated
    ):
        return (
            "the best points of all short runs are outside the region of interest: the optimizer "
            "may use other bounds"
        )
    for run in evaluated:
        indicator = run.suite.measurement.indicator
        if is_below_reference(indicator, run.best_precision, run.reference_value):
            return (
                f"values are below the reference value of {run.identity.problem}: correct its "
                "optimal value or reference value"
            )
    return ""


def _find_difference(
    records: Mapping[str, RunRecord], other_records: Mapping[str, RunRecord]
) -> str:
    """Compare the records of runs, which are given by run key.

    Return the identity of the first run whose two records have different outcomes, or ``""``.
    """
    for key, record in records.items():
        if key not in other_records or not record.same_outcome(other_records[key]):
            return str(record.identity)
    return ""
