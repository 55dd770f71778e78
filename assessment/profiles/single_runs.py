"""Runtime profiles of single runs, which figures show as thin curves behind those of algorithms.

A profile of several functions joins one run of each function: the runs with the same instance and
repetition. With one function, a curve is that of one run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..hits.run_sets import RunSet
from ..statistics.quantiles import Floats
from .profiles import Profile


@dataclass(frozen=True, eq=False)
class SingleRun:
    """Share of function-target pairs that one run of each function solved within each budget.

    Attributes:
        budgets: Budgets in the unit of the profile, ascending. The first is that of the first hit,
            the last is the length of the longest of the runs.
        shares: Share of pairs at each budget. The first is 0, where the curve begins to rise.
    """

    budgets: Floats
    shares: Floats


def single_runs_of(profile: Profile, run_sets: Iterable[RunSet]) -> list[SingleRun]:
    """Compute the curves of the single runs behind a profile.

    Args:
        profile: The profile. All function-target pairs must have the same weight.
        run_sets: Runs with their hits of the profile's targets; those of other algorithms,
            functions and dimensions are ignored.

    Returns:
        A curve for each instance and repetition that all functions of the profile have.
    """
    behind = [
        run_set
        for run_set in run_sets
        if (run_set.algorithm, run_set.suite, run_set.dimension)
        == (profile.algorithm, profile.suite, profile.dimension)
        and run_set.function in profile.functions
    ]
    row_by_run = [_rows_by_run(run_set) for run_set in behind]
    if not behind:
        return []
    shared_runs = sorted(set.intersection(*map(set, row_by_run)))
    return [
        _join_runs(behind, [rows[run] for rows in row_by_run], profile.axis) for run in shared_runs
    ]


def _rows_by_run(run_set: RunSet) -> dict[tuple[int, int], int]:
    """Return the row of each run by its instance and repetition."""
    runs = zip(run_set.instances.tolist(), run_set.repetitions.tolist(), strict=True)
    return {run: row for row, run in enumerate(runs)}


def _join_runs(run_sets: Sequence[RunSet], rows: Sequence[int], axis: str) -> SingleRun:
    """Join one run of each function: the row of each run set that ``rows`` names."""
    pairs = list(zip(run_sets, rows, strict=True))
    runtimes = np.concatenate([run_set.hits[row] / run_set.unit(axis) for run_set, row in pairs])
    end = max(float(run_set.spent[row]) / run_set.unit(axis) for run_set, row in pairs)
    steps = np.sort(runtimes[np.isfinite(runtimes)])
    first = steps[:1] if len(steps) else np.array([end])
    budgets = np.concatenate([first, steps, [max(end, *first, *steps[-1:])]])
    counts = np.append(np.arange(len(steps) + 1), len(steps))
    return SingleRun(budgets, counts / len(runtimes))
