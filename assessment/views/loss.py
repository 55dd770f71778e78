"""Runtime loss: how much longer than a reference an algorithm takes, budget by budget.

The loss ratio of cocopp's ``pplogloss``: "for each given budget the target is the best one reached
within the budget by the given algorithm. Shown is then the ERT to reach it for the given algorithm,
or the budget, if the reference reached a better target within the budget, divided by the ERT of the
reference to reach it."
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...loggers.targets.grid import FINAL_TARGET, grid_value
from ...suites.errors import UnknownNameError
from ..data.references import by_cell, reference_runtimes
from ..data.run_sets import Trials
from ..errors import AssessmentError
from ..statistics.average_runtime import Floats, average_runtime
from ..statistics.quantiles import quantiles
from ..tables.table import Table, Value, aligned, table_of, text
from ..targets.runlength import ReferenceRuntimes
from ..targets.target_sets import TargetSet, notes_on_targets

LossRule = Literal["coco", "ratio"]
LOSS_COLUMNS = (
    "algorithm", "suite", "dimension", "function", "evaluations_per_dimension", "target", "loss",
)  # fmt: skip
LOSS_TARGETS = tuple(grid_value(k) for k in range(200, FINAL_TARGET - 1, -4))
"""COCO's targets, five per decade, from 1e10 to 1e-8."""
LOSS_BUDGETS = (2.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6)
_SUMMARY = (
    (0.0, "best"),
    (0.1, "10%"),
    (0.25, "25%"),
    (0.5, "median"),
    (0.75, "75%"),
    (0.9, "90%"),
)


class Loss(NamedTuple):
    """Loss at each budget, and the position of the target it is about (-1: none reached)."""

    ratio: Floats
    target: np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def runtime_loss(
    art: ArrayLike, reference: ArrayLike, budgets: ArrayLike, rule: str = "coco"
) -> Loss:
    """Loss of one algorithm on one function in one dimension.

    With ``t`` the hardest target with ``aRT(t) <= budget``, and ``r`` the reference's aRT:
    ``coco``: ``loss = c / r(t)``, where ``c`` is the budget if the reference reaches the next
    target within less than the budget, and ``aRT(t)`` otherwise; ``ratio``: ``aRT(t) / r(t)``. The
    budget is inserted because otherwise an algorithm that stagnates at ``t`` would seem to lose
    nothing.

    Args:
        art: aRT to each target, easiest first, shape ``(n_targets,)``; inf where not reached.
        reference: The reference's, likewise.
        budgets: Evaluations, shape ``(n_budgets,)``.
        rule: See above.

    Returns:
        Ratios, ``(n_budgets,)``: NaN where no target is reached within the budget, 0 where the
        reference does not reach the algorithm's target.

    >>> runtime_loss([10.0, 40.0, np.inf], [5.0, 10.0, 20.0], [10.0, 30.0, 100.0]).ratio
    array([ 2.,  6., 10.])
    """
    if rule not in get_args(LossRule):
        raise UnknownNameError.of("loss rule", rule, get_args(LossRule))
    own, best = np.asarray(art, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    wanted = np.asarray(budgets, dtype=np.float64)
    place = (own[None, :] <= wanted[:, None]).sum(axis=1) - 1
    cost = own[place]
    if rule == "coco":
        further = np.append(best, np.inf)[place + 1]
        cost = np.where(further < wanted, wanted, cost)
    ratio = np.where(place >= 0, cost / best[place], np.nan)
    return Loss(ratio, np.asarray(place, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class LossTable(Table):
    """Losses by function and budget; as text, their percentiles over functions.

    Columns: ``algorithm, suite, dimension, function, evaluations_per_dimension``; ``target``, the
    hardest reached within the budget (NaN: none); ``loss``.
    """

    def __str__(self) -> str:
        cells: dict[tuple[str, str, int, float], list[float]] = {}
        for algorithm, suite, dimension, _, budget, _, loss in self.rows():
            key = str(algorithm), str(suite), int(dimension), float(budget)
            cells.setdefault(key, []).append(float(loss))
        heads = [*LOSS_COLUMNS[:3], "evaluations/D", *(name for _, name in _SUMMARY)]
        lines = []
        for (algorithm, suite, dimension, budget), losses in cells.items():
            known = [loss for loss in losses if not np.isnan(loss)]
            shown = quantiles(known, [q for q, _ in _SUMMARY]) if known else np.full(6, np.nan)
            heading = [text(algorithm), text(suite), str(dimension), text(budget)]
            lines.append([*heading, *(text(value) for value in shown.tolist())])
        return aligned(heads, lines)


def loss_table(
    trials: Iterable[Trials],
    targets: TargetSet,
    reference: Iterable[ReferenceRuntimes],
    budgets: Sequence[float] | None = None,
    rule: str = "coco",
) -> LossTable:
    """Losses against a reference, for every algorithm, function, dimension and budget.

    Args:
        trials: Each algorithm, function and dimension once.
        targets: Precisions of their hits, those that can be reached within a budget.
        reference: Entries by suite, function and dimension; what it lacks is left out, with a note.
        budgets: Evaluations divided by the dimension; None: 2, 10, 100, … up to the largest finite
            aRT of the algorithm in the dimension, as in cocopp.
        rule: See `runtime_loss`.

    Raises:
        AssessmentError: The reference has none of the functions and dimensions, or one twice.
    """
    data, entries = list(trials), by_cell(reference)
    cells = [(one.suite, one.function, one.dimension) for one in data]
    rows: list[list[Value]] = []
    own = _own_budgets(data) if budgets is None else {}
    for one, cell in zip(data, cells, strict=True):
        if cell not in entries:
            continue
        wanted = own[_curve(one)] if budgets is None else budgets
        aims = targets.of(*cell)
        known = reference_runtimes(entries[cell], aims)
        evaluations = np.array(wanted, dtype=np.float64) * one.dimension
        loss = runtime_loss(average_runtime(one.hits, one.spent), known, evaluations, rule)
        head: list[Value] = [one.algorithm, one.suite, one.dimension, one.function]
        for budget, ratio, place in zip(wanted, loss.ratio.tolist(), loss.target, strict=True):
            target = aims[place] if place >= 0 else float("nan")
            rows.append([*head, budget, target, ratio])
    if not rows:
        raise AssessmentError("the reference has none of these functions and dimensions")
    lacking = sum(cell not in entries for cell in cells)
    note = (f"{lacking} of {len(cells)} sets of runs have no reference.",) if lacking else ()
    order = sorted(rows, key=lambda row: (row[0], row[1], row[2], row[4], row[3]))
    return LossTable(table_of(LOSS_COLUMNS, order), (*notes_on_targets(data, targets), *note))


def _curve(one: Trials) -> tuple[str, str, int]:
    return one.algorithm, one.suite, one.dimension


def _own_budgets(trials: Sequence[Trials]) -> dict[tuple[str, str, int], list[float]]:
    """The first of ``LOSS_BUDGETS``, and those up to each curve's largest finite aRT."""
    largest: dict[tuple[str, str, int], float] = {}
    for one in trials:
        art = average_runtime(one.hits, one.spent) / one.dimension
        last = float(art[np.isfinite(art)].max(initial=LOSS_BUDGETS[0]))
        largest[_curve(one)] = max(last, largest.get(_curve(one), last))
    return {key: [b for b in LOSS_BUDGETS if b <= last] for key, last in largest.items()}
