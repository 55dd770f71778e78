"""Which average runtimes are significantly the least, for the stars of the report's table."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ....data.ranked_runs import RankedRuns
from ....statistics.average_runtime import average_runtime
from ....statistics.significance import Difference
from ....targets.target_sets import TargetSet
from ....views.comparison.compare import Match, run_tests

ALPHA = 0.05

Star = tuple[str, str, int, int, float]
"""Algorithm, suite, function, dimension, target."""


def stars(ranked_runs: Iterable[RankedRuns], targets: TargetSet) -> set[Star]:
    """Where the algorithm with the least aRT is better than the next.

    The rank-sum test of the two (`run_tests`), its p-value times the number of functions in the
    dimension and the number of other algorithms (Bonferroni), at most 0.05.

    Args:
        ranked_runs: Each algorithm, function and dimension once.
        targets: Precisions of their hits.
    """
    cells: dict[tuple[str, int, int], list[RankedRuns]] = {}
    for one in ranked_runs:
        cells.setdefault(one.cell, []).append(one)
    functions: dict[tuple[str, int], int] = {}
    for suite, _, dimension in cells:
        functions[suite, dimension] = functions.get((suite, dimension), 0) + 1
    matches: dict[Star, Match] = {}
    tests: dict[Star, int] = {}
    for (suite, function, dimension), there in cells.items():
        if len(there) < 2:
            continue
        art = np.array([average_runtime(one.run_set.hits, one.run_set.spent) for one in there])
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
