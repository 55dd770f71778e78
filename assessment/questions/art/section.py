"""The table of average runtimes, with intervals and stars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...asking.context import LEVEL, Context, finite, rounded
from ...data.ranked_runs import Match, RankedRuns, ranked_runs, run_tests
from ...data.reference_tables import RATIO_COLUMNS, RESTS_ON, with_ratios
from ...data.uncertainty import with_intervals
from ...statistics.average_runtime import average_runtime
from ...statistics.intervals import Resampling
from ...statistics.significance import Difference
from ...targets.target_sets import TargetSet, key_of
from .table import art, averages

ALPHA = 0.05

Star = tuple[str, str, int, int, float]
"""Algorithm, suite, function, dimension, target."""


@art.report(
    "art",
    "Average runtimes",
    "aRT: the {unit} of all runs until they hit the target or ended, divided by the number "
    "of runs that hit it; ∞ if no run did. If some runs failed, the successes stand beside the "
    "number. Point at a number to see its 95 % interval. Bold: the least aRT shown. ★: "
    "significantly less than the aRT of any other algorithm (rank-sum test, 5 %, Bonferroni over "
    "functions and algorithms). Click a column's head to sort by it, and 'function' to group by "
    "functions again.",
    place=30,
    is_table=True,
)
def section(context: Context) -> dict[str, Any]:
    """Average runtimes, exact, their intervals, and stars for what is significantly the least."""
    run_sets, targets = context.averaged
    resampling = Resampling(LEVEL, context.seed)
    table = with_intervals(averages(run_sets, targets), run_sets, resampling)
    known, notes = context.averaged_reference, table.notes
    if known is not None:
        table = with_ratios(table, run_sets, targets, known, resampling)
        ends_of_ratios = {
            "ratio_low": np.where(table["ratio_at_most"], 0.0, table["ratio_low"]),
            "ratio_high": np.where(table["ratio_at_least"], np.inf, table["ratio_high"]),
        }
        table = replace(table, columns={**table.columns, **ends_of_ratios})
    ratios = {name: _known(table[name]) for name in RATIO_COLUMNS if name in table.names}
    high = np.where(table["at_least"], np.inf, table["high"])
    ends = {"low": finite(rounded(table["low"])), "high": finite(rounded(high))}
    starred = stars(ranked_runs(context.log, run_sets), targets)
    names = ("algorithm", "suite", "function", "dimension", "target")
    keys = zip(*(table[name].tolist() for name in names), strict=True)
    columns = context.positions.columns(table)
    cells = {**columns, **ends, **ratios, "star": [key in starred for key in keys]}
    columns_of_suites = [
        list(targets.budgets or _precisions(targets, s)) for s in context.positions.suites
    ]
    more = [note for note in table.notes if note not in notes]
    ratio_notes = [note for note in more if RESTS_ON not in note]
    basis = [*notes, *(note for note in more if RESTS_ON in note)]
    by = key_of(table.names)
    return {
        "art": {
            "key": by,
            "targets": columns_of_suites,
            "cells": cells,
            "reference": ratio_notes,
            "basis": basis,
        }
    }


def _precisions(targets: TargetSet, suite: str) -> tuple[float, ...]:
    """All precisions of a suite's functions, easiest first."""
    own = {t for cell, each in targets.own.items() if cell[0] == suite for t in each}
    return targets.shared(suite) or tuple(sorted(own, reverse=True))


def _known(column: NDArray[np.float64]) -> list[float | str | None]:
    """Numbers of a reference, None for inf, and "" where it has none."""
    known = zip(np.isnan(column).tolist(), finite(rounded(column)), strict=True)
    return ["" if missing else value for missing, value in known]


def stars(data: Iterable[RankedRuns], targets: TargetSet) -> set[Star]:
    """Where the algorithm with the least aRT is better than the next.

    The rank-sum test of the two (`run_tests`), its p-value times the number of functions in the
    dimension and the number of other algorithms (Bonferroni), at most 0.05.
    """
    cells: dict[tuple[str, int, int], list[RankedRuns]] = {}
    for ranked in data:
        cells.setdefault(ranked.cell, []).append(ranked)
    functions = Counter((suite, dimension) for suite, _, dimension in cells)
    matches: dict[Star, Match] = {}
    tests: dict[Star, int] = {}
    for (suite, function, dimension), there in cells.items():
        if len(there) < 2:
            continue
        art = np.array(
            [average_runtime(ranked.run_set.hits, ranked.run_set.spent) for ranked in there]
        )
        for j, target in enumerate(targets.of(suite, function, dimension)):
            best, second = np.argsort(art[:, j], kind="stable")[:2]
            if np.isfinite(art[best, j]):
                star = (there[best].run_set.algorithm, suite, function, dimension, target)
                matches[star] = there[best], there[second], j
                tests[star] = functions[suite, dimension] * (len(there) - 1)
    found = zip(matches, run_tests(list(matches.values())), strict=True)
    return {star for star, test in found if _is_better(test, tests[star])}


def _is_better(test: Difference, tests: int) -> bool:
    return test.superiority > 0.5 and test.p * tests <= ALPHA
