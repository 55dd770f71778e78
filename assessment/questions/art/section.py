"""Collect the average runtimes that the report shows, with intervals, dispersion and stars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...hits.ranked_runs import Match, RankedRuns, ranked_runs, run_tests
from ...profiles.function_pairs import usual_quantiles
from ...statistics.average_runtime import average_runtime
from ...targets.target_sets import TargetSet, key_of
from .._framework.context import LEVEL, Context, finite, rounded
from .ratios import RATIO_COLUMNS
from .table import art

ALPHA = 0.05
"""Significance level of a star."""

DISPERSION = (0.1, 0.9)
"""Probabilities of the quantiles of single runtimes that show their dispersion, as in COCO."""

Star = tuple[str, str, int, int, float]
"""Algorithm, suite, function, dimension, target."""


@art.report(
    "art",
    "Average runtimes",
    "aRT: the {unit} of all runs until they hit the target or ended, divided by the number "
    "of runs that hit it; ∞ if no run did. If some runs failed, the successes stand beside the "
    "number. Dispersion: 10 and 90 % points of single runtimes, in small digits below the number. "
    "Point at a number to see its 95 % interval. Bold: the least aRT shown. ★: "
    "significantly less than the aRT of any other algorithm (rank-sum test, 5 %, Bonferroni over "
    "functions and algorithms). ↑: better than the reference, because the 95 % interval of the "
    "ratio is below 1. Click a function to see its runs. Click a column's head to sort by it, and "
    "'function' to group by functions again.",
    place=30,
    is_table=True,
)
def section(context: Context) -> dict[str, Any]:
    """Return average runtimes, their intervals, and stars of significantly smallest averages."""
    sample = context.averaged
    targets = sample.targets
    answer = art.ask(sample, interval=LEVEL, seed=context.seed)
    table = answer.table
    if sample.reference is not None:
        ratio_limits = {
            "ratio_low": np.where(table["ratio_at_most"], 0.0, table["ratio_low"]),
            "ratio_high": np.where(table["ratio_at_least"], np.inf, table["ratio_high"]),
        }
        table = replace(table, columns={**table.columns, **ratio_limits})
    ratios = {name: _reference_values(table[name]) for name in RATIO_COLUMNS if name in table.names}
    high = np.where(table["at_least"], np.inf, table["high"])
    limits = {"low": finite(rounded(table["low"])), "high": finite(rounded(high))}
    percentiles = [usual_quantiles(run_set, DISPERSION) for run_set in sample.cells]
    q10, q90 = (finite(rounded(column)) for column in np.hstack([np.empty((2, 0)), *percentiles]))
    starred = stars(ranked_runs(context.log, sample.cells), targets)
    names = ("algorithm", "suite", "function", "dimension", "target")
    keys = zip(*(table[name].tolist() for name in names), strict=True)
    columns = context.positions.columns(table)
    spread = {"q10": q10, "q90": q90}
    cells = {**columns, **limits, **spread, **ratios, "star": [key in starred for key in keys]}
    targets_of_suites = [
        list(targets.budgets or _precisions(targets, s)) for s in context.positions.suites
    ]
    ratio_notes = answer.said["ratios_to_reference"]
    return {
        "art": {
            "key": key_of(table.names),
            "targets": targets_of_suites,
            "cells": cells,
            "reference": ratio_notes,
            "basis": [note for note in answer.notes if note not in ratio_notes],
        }
    }


def _precisions(targets: TargetSet, suite: str) -> tuple[float, ...]:
    """Return the precisions of all functions of a suite, easiest first."""
    precisions = {
        precision
        for problem_class, function_targets in targets.own.items()
        if problem_class[0] == suite
        for precision in function_targets
    }
    return targets.shared(suite) or tuple(sorted(precisions, reverse=True))


def _reference_values(column: NDArray[np.float64]) -> list[float | str | None]:
    """Return the numbers of a column for the page: None for inf, "" for NaN (no data)."""
    values = zip(np.isnan(column).tolist(), finite(rounded(column)), strict=True)
    return ["" if is_missing else value for is_missing, value in values]


def stars(data: Iterable[RankedRuns], targets: TargetSet) -> set[Star]:
    """Find the targets on which the smallest aRT is significantly smaller than the next.

    The runs of the two algorithms are compared by a rank-sum test (`run_tests`). A star stands if
    the p-value times the number of functions in the dimension and times the number of other
    algorithms (Bonferroni) is at most ``ALPHA``.

    Args:
        data: Runs of all algorithms.
        targets: Targets of each function.

    Returns:
        The algorithm with the smallest aRT, and where it has this.
    """
    runs_by_class: dict[tuple[str, int, int], list[RankedRuns]] = {}
    for ranked in data:
        runs_by_class.setdefault(ranked.problem_class, []).append(ranked)
    n_functions = Counter((suite, dimension) for suite, _, dimension in runs_by_class)
    matches: dict[Star, Match] = {}
    n_tests: dict[Star, int] = {}
    for (suite, function, dimension), rivals in runs_by_class.items():
        if len(rivals) < 2:
            continue
        art = np.array([average_runtime(r.run_set.hits, r.run_set.spent) for r in rivals])
        for j, target in enumerate(targets.of(suite, function, dimension)):
            best, second = np.argsort(art[:, j], kind="stable")[:2]
            if np.isfinite(art[best, j]):
                star = (rivals[best].run_set.algorithm, suite, function, dimension, target)
                matches[star] = rivals[best], rivals[second], j
                n_tests[star] = n_functions[suite, dimension] * (len(rivals) - 1)
    tests = zip(matches, run_tests(list(matches.values())), strict=True)
    return {
        star for star, test in tests if test.superiority > 0.5 and test.p * n_tests[star] <= ALPHA
    }
