"""Runtime loss as a table: how much longer than a reference an algorithm takes, by budget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Unpack

import numpy as np

from ...suites.texts import natural
from ..asking.declaration import question
from ..asking.options import Budgets, Reference
from ..data.counting import SECONDS, axis_of
from ..data.grouping import grouped
from ..data.notes import notes_on_targets
from ..data.references import ReferenceRuntimes, by_cell
from ..data.run_sets import RunSet
from ..data.runs import AXIS, Runs
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, by_algorithm, figure_and_axes, split
from ..figures.style import add_legend, logarithmic
from ..statistics.average_runtime import average_runtime
from ..statistics.quantiles import Floats, quantiles
from ..statistics.ratios import runtime_loss
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, table_of, text
from ..targets.budgets import Budget, axis_text, budget_text, budgets_on, parse_budgets
from ..targets.runlength import runtimes_at
from ..targets.target_sets import TargetSet, loss_targets

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

LossRule = Literal["coco", "ratio"]
LOSS_COLUMNS = (
    "algorithm", "suite", "dimension", "function", "evaluations_per_dimension", "target", "loss",
)  # fmt: skip
LOSS_BUDGETS = (2.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6)
_MEANT = {
    "coco": "aRT of the algorithm to the hardest target that it reaches within the budget on "
    "average, or the budget where the reference reaches the next target in less, divided by the "
    "aRT of the reference to the same target, as in cocopp",
    "ratio": "aRT of the algorithm to the hardest target that it reaches within the budget on "
    "average, divided by the aRT of the reference to the same target",
}
_SUMMARY = (
    (0.0, "best"),
    (0.1, "10%"),
    (0.25, "25%"),
    (0.5, "median"),
    (0.75, "75%"),
    (0.9, "90%"),
)


@dataclass(frozen=True, eq=False, repr=False)
class LossTable(Table):
    """Losses by function and budget; as text, their percentiles over functions.

    Columns: ``algorithm, suite, dimension, function, evaluations_per_dimension``; ``target``, the
    hardest whose aRT of the algorithm is within the budget (NaN: none); ``loss``.

    Attributes:
        reference: Its name.
    """

    reference: str = ""

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        cells: dict[tuple[str, str, int, float], list[float]] = {}
        for algorithm, suite, dimension, _, budget, _, value in self.rows():
            key = str(algorithm), str(suite), int(dimension), float(budget)
            cells.setdefault(key, []).append(float(value))
        heads = [*LOSS_COLUMNS[:3], "budget", *(name for _, name in _SUMMARY)]
        lines = []
        for (algorithm, suite, dimension, budget), losses in cells.items():
            known = [loss for loss in losses if not np.isnan(loss)]
            summary = quantiles(known, [q for q, _ in _SUMMARY]) if known else np.full(6, np.nan)
            heading = [text(algorithm), text(suite), str(dimension), budget_text(budget, self.axis)]
            lines.append([*heading, *(text(value) for value in summary.tolist())])
        return heads, lines


@question("Algorithms against each other, function by function", 30)
def loss(
    runs: Runs,
    reference: Reference = "best",
    budgets: Budgets | None = None,
    *,
    rule: LossRule = "coco",
) -> LossTable:
    """How many times longer than a reference, by budget.

    The loss at a budget is about the hardest target whose average runtime (aRT) of the algorithm
    itself is within the budget, as in cocopp: this aRT, or the budget where the reference reaches
    the next target in less, divided by the aRT of the reference to the same target. The targets are
    COCO's, five per decade from 1e10 to 1e-8, or the suite's own where these go to 0 and below. As
    text, percentiles of the loss over functions; other formats have the functions.

    Args:
        reference: What algorithms are measured against.
        budgets: None: 2, 10, 100, … times the dimension, or powers of ten of seconds, up to the
            largest aRT.
        rule: coco: as said; ratio: never the budget, always the aRT of the algorithm.

    Returns:
        A `LossTable`; its columns are there.
    """
    from ..data.reference_tables import naming_reference

    run_sets, aims = runs.at_targets(None, loss_targets)
    entries, name = runs.reference(reference)
    parsed = None if budgets is None else parse_budgets(budgets)
    table = loss_table(run_sets, aims, entries, parsed, rule)
    return replace(naming_reference(table, entries, name), reference=name)


def loss_table(
    run_sets: Iterable[RunSet],
    targets: TargetSet,
    reference: Iterable[ReferenceRuntimes],
    budgets: Sequence[Budget] | None = None,
    rule: str = "coco",
) -> LossTable:
    """Losses against a reference, for every algorithm, function, dimension and budget.

    What the reference lacks is left out, with a note. ``budgets`` None: 2, 10, 100, … times the
    dimension, up to the largest finite aRT of the algorithm in the dimension, as in cocopp.
    """
    data, entries = list(run_sets), by_cell(reference)
    rows: list[list[Value]] = []
    lacking = 0
    for group in grouped(data, "all"):
        d, unit = group[0].dimension, group[0].unit()
        axis = axis_of(AXIS, group[0].count)
        averages = [average_runtime(run_set.hits, run_set.spent) for run_set in group]
        own_budgets = _own_budgets(averages, unit, axis)
        if budgets is not None:
            own_budgets = budgets_on(budgets, axis, d)
        limits = np.array(own_budgets, dtype=np.float64) * unit
        for run_set, art in zip(group, averages, strict=True):
            if run_set.cell not in entries:
                lacking += 1
                continue
            entry, aims = entries[run_set.cell], targets.of(*run_set.cell)
            known = runtimes_at(entry.targets, entry.average_runtimes, aims)
            found = runtime_loss(art, known, limits, rule)
            head: list[Value] = [run_set.algorithm, run_set.suite, d, run_set.function]
            for budget, ratio, place in zip(
                own_budgets, found.ratio.tolist(), found.target, strict=True
            ):
                rows.append([*head, budget, aims[place] if place >= 0 else float("nan"), ratio])
    if not rows:
        raise AssessmentError("the reference has none of these functions and dimensions")
    notes = notes_on_targets(data, targets)
    notes += (f"loss: {_MEANT[rule]} (rule: {rule}).",)
    note = (f"{lacking} of {len(data)} sets of runs have no reference.",) if lacking else ()
    order = sorted(rows, key=lambda row: (natural(str(row[0])), row[1], row[2], row[4], row[3]))
    return LossTable(table_of(LOSS_COLUMNS, order), (*notes, *note))


def _own_budgets(averages: Sequence[Floats], unit: float, axis: str) -> tuple[float, ...]:
    """The first of ``LOSS_BUDGETS``, and those up to the largest finite average runtime.

    In seconds powers of ten, from the one above the smallest average runtime on.
    """
    finite = np.concatenate([art[np.isfinite(art)] for art in averages]) / unit
    if axis == SECONDS:
        first, last = np.log10([finite.min(), finite.max()]) if finite.size else (0.0, 0.0)
        return tuple(float(f"1e{n}") for n in range(math.ceil(first), math.ceil(last) + 1))
    last = finite.max(initial=LOSS_BUDGETS[0])
    return tuple(budget for budget in LOSS_BUDGETS if budget <= last)


def _caption(cell: Cell) -> str:
    assert isinstance(cell.table, LossTable)
    beyond = " (the budget itself where the reference reaches a harder one)"
    return (
        f"Runtime loss on {cell.place} against {cell.table.reference}, by budget: aRT to the "
        "hardest target that the algorithm reaches within the budget"
        f"{'' if cell.options.get('rule') == 'ratio' else beyond}, divided by the reference's aRT. "
        "Line: geometric mean over functions; dots: functions."
    )


@loss.figure(
    "loss", cells="suite dimension", caption=_caption, options="reference count", curated=True
)
def draw_loss(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the loss against a reference by budget: the geometric mean over functions, and each.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "dimension"), options)
    by = LOSS_COLUMNS[4] if LOSS_COLUMNS[4] in rows else SECONDS
    for name, own, style in by_algorithm(rows):
        known = np.isfinite(own["loss"]) & (own["loss"] > 0)
        points = {key: column[known] for key, column in own.items()}
        budgets = points[by]
        curve = split(points, by)
        means = [float(geometric_mean(points_there["loss"])) for points_there in curve.values()]
        axes.plot(list(curve), means, label=name, **style)
        dots = {"color": style["color"], "markersize": 2.5, "alpha": 0.5}
        axes.plot(budgets, points["loss"], ".", label="_nolegend_", **dots)
    logarithmic(axes)
    axes.axhline(1.0, color="0.6", linewidth=0.7)
    axes.set(xlabel=axis_text(table.axis), ylabel="runtime / that of the reference")
    add_legend(axes)
    return figure
