"""Two algorithms against each other over all runs: runtime ratios, and average runtimes as points.

Data of the scatter plots and ratio distributions of COCO (cocopp's ``ppscatter``, ``pplogabs``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import numpy as np

from ....suites.errors import UnknownNameError
from ...data.notes import notes_on_targets
from ...data.run_sets import RunSet, matched
from ...errors import AssessmentError
from ...statistics.ecdf import ecdf
from ...statistics.hits import runtimes_of_runs
from ...statistics.quantiles import Floats
from ...statistics.ratios import known_ratios, runtime_ratios
from ...tables.table import Table, Value, table_of
from ...targets.target_sets import TargetSet
from .regression import paired_rows

Pairs = Literal["all", "instances"]
RATIO_COLUMNS = ("suite", "dimension", "target", "first", "second", "ratio", "fraction", "pairs")
RATIO_GRID = tuple((10.0 ** (np.arange(-80, 81) / 20)).tolist())


def ratio_table(
    run_sets: Iterable[RunSet],
    targets: TargetSet,
    first: str,
    second: str,
    pairs: str = "all",
) -> Table:
    """Distribution of the runtime ratios of two algorithms over all functions of a dimension.

    Columns: ``suite, dimension, target, first, second, ratio``; ``fraction``, the share of pairs of
    runs whose ratio (first by second) is at most ``ratio``, each function weighing the same;
    ``pairs``, how many pairs there are. Functions on which both failed in all pairs do not count.
    The fraction at 1 is how often the first is at least as fast.

    Args:
        run_sets: Each algorithm, function and dimension once.
        targets: Precisions of their hits, the same for all functions of a suite.
        first: Name of an algorithm.
        second: Name of another.
        pairs: ``"all"`` pairs of runs (cocopp's ``pplogabs``), or those on equal ``"instances"``.

    Raises:
        UnknownNameError: ``pairs`` is neither.
        AssessmentError: They share no function and dimension, or functions have targets of their
            own.
    """
    if targets.own:
        raise AssessmentError("ratios over functions need targets that all functions share")
    if pairs not in get_args(Pairs):
        raise UnknownNameError.of("kind of pairs", pairs, get_args(Pairs))
    data = list(run_sets)
    cells: dict[tuple[str, int], list[tuple[RunSet, RunSet]]] = {}
    for a, b in matched(data, first, second):
        cells.setdefault((a.suite, a.dimension), []).append((a, b))
    rows: list[list[Value]] = []
    for (suite, dimension), both in sorted(cells.items()):
        for j, target in enumerate(targets.shared(suite)):
            ratios = [found for a, b in both if (found := _of_pair(a, b, j, pairs)).size]
            if not ratios:
                continue
            shares = np.mean([ecdf(found, RATIO_GRID) for found in ratios], axis=0).tolist()
            count = sum(found.size for found in ratios)
            head: list[Value] = [suite, dimension, target, first, second]
            rows += [[*head, r, s, count] for r, s in zip(RATIO_GRID, shares, strict=True)]
    kind = "all pairs of runs" if pairs == "all" else "pairs of runs on the same instance"
    convention = f"of {kind}, every function weighing the same; without restarts"
    return Table(table_of(RATIO_COLUMNS, rows), notes_on_targets(data, targets, convention))


def _of_pair(a: RunSet, b: RunSet, j: int, pairs: str) -> Floats:
    if pairs == "all":
        return runtime_ratios(a.hits[:, j], b.hits[:, j])
    rows = paired_rows(a, b)
    over, under = a.hits[rows[:, 0], j], b.hits[rows[:, 1], j]
    return known_ratios(runtimes_of_runs(over), runtimes_of_runs(under))
