"""Statistics of the precision reached within budgets (fixed-budget view), as tables.

Names and conventions are IOHanalyzer's (Wang et al. (2022), ACM TELO 2(1), ``get_FV_summary``):
the last best-so-far up to the budget, ended runs carried forward, quantiles of type 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.fixed_budget_data import FixedBudgetData, notes_on_precisions
from ..data.notes import LAST_VALUE
from ..statistics.hits import reached_within
from ..statistics.quantiles import PERCENTS, Floats, deviation, precision_or_inf, quantiles
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, stacked
from ..targets.parse import target_text

_NAMES = ("algorithm", "suite", "function", "dimension", "budget", "evaluations", "runs", "ended")


_CONVENTION = f"{LAST_VALUE}; quantiles are of type 7, as in IOHanalyzer"


def precision_statistics(precision: ArrayLike) -> dict[str, Floats]:
    """Mean, median, standard deviation, quantiles and geometric mean of precisions, by budget.

    Args:
        precision: Shape ``(n_runs, n_budgets)``; inf where a run saw no finite value.

    Returns:
        ``mean``; ``sd`` (n - 1; NaN for one run, or where a value is inf); ``median`` and ``2%`` …
        ``98%`` (type 7); ``geometric_mean`` (NaN where a value is negative, 0 where one is 0).

    >>> float(precision_statistics([[0.01], [0.25], [0.04], [4.0]])["median"][0])
    0.145
    """
    values = precision_or_inf(precision)
    shares = quantiles(values, np.array(PERCENTS) / 100, "type-7")
    return {
        "mean": values.mean(axis=0),
        "sd": _deviation(values),
        "median": shares[PERCENTS.index(50)],
        **{f"{percent}%": shares[i] for i, percent in enumerate(PERCENTS)},
        "geometric_mean": geometric_mean(values),
    }


def fixed_budget_table(reached: Iterable[FixedBudgetData], targets: Sequence[float] = ()) -> Table:
    """Statistics of the best precision at each budget.

    Columns: ``algorithm, suite, function, dimension``; ``budget`` in the unit asked for and in
    ``evaluations``; number of ``runs`` and how many had ``ended`` before it; those of
    `precision_statistics`; ``success_T``, the share of runs with precision <= T, for each target.
    """
    data = list(reached)
    blocks: list[list[Value | NDArray[Any]]] = []
    names: list[str] = list(_NAMES)
    for one in data:
        columns = precision_statistics(one.precision)
        for target in targets:
            columns[f"success_{target_text(target)}"] = reached_within(one.precision, target).mean(
                axis=0
            )
        names = [*_NAMES, *columns]
        name = (one.algorithm, one.suite, one.function, one.dimension)
        facts = (one.budgets, one.evaluations, len(one.precision), one.ended)
        blocks.append([*name, *facts, *columns.values()])
    return Table(stacked(names, blocks), notes_on_precisions(data, _CONVENTION))


def _deviation(values: Floats) -> Floats:
    if len(values) < 2:
        return np.full(values.shape[1], np.nan)
    finite = np.isfinite(values).all(axis=0)
    return np.where(finite, deviation(np.where(finite, values, 0.0)), np.nan)
