"""Runtime loss: the factor by which an algorithm takes longer than a reference, by budget.

The loss is the loss ratio of cocopp's tables; `runtime_loss` has the formula.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from ...suites.texts import natural
from ..caveats import REFERENCE_RUNS, Explanation
from ..cost import SECONDS, axis_of
from ..errors import AssessmentError
from ..figures.axes import (
    FigureOptions,
    by_algorithm,
    figure_and_axes,
    has_few_algorithms,
    split,
)
from ..figures.style import add_legend, logarithmic
from ..grouping import grouped
from ..hits.run_sets import RunSet
from ..notes import describe_missing_reference, notes_on_reference
from ..references import Entries
from ..samples.at_targets import AtTargets, open_at_targets
from ..samples.convention import EACH_RUN
from ..samples.sample import Answer
from ..selection import Selection
from ..statistics.average_runtime import average_runtime
from ..statistics.quantiles import Floats, quantiles
from ..statistics.ratios import runtime_loss
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, table_of, text
from ..targets.budgets import AXIS, Budget, axis_text, budget_text, budgets_on, parse_budgets
from ..targets.runlength import runtimes_at
from ..targets.target_sets import TargetSet, loss_targets
from ._framework.needs import Need
from ._framework.options import Budgets, Reference
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

LossRule = Literal["coco", "ratio"]
LOSS_COLUMNS = (
    "algorithm", "suite", "dimension", "function", "evaluations_per_dimension", "target", "loss",
)  # fmt: skip
LOSS_BUDGETS = (2.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6)
_MEANINGS = {
    "coco": "aRT to the hardest target with an aRT within the budget (or the budget, if the "
    "reference reaches a harder target) divided by the reference's aRT",
    "ratio": "aRT to the hardest target with an aRT within the budget, divided by the reference's "
    "aRT",
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

    Each row belongs to an ``algorithm``, ``suite``, ``dimension``, ``function`` and budget,
    ``evaluations_per_dimension``. ``target`` is the hardest target whose aRT of the algorithm is
    within the budget; NaN if there is none. ``loss`` is the loss at this budget.

    Attributes:
        reference: Name of the reference.
    """

    reference: str = ""

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the column titles and rows of text and LaTeX; see the class."""
        cells: dict[tuple[str, str, int, float], list[float]] = {}
        for algorithm, suite, dimension, _, budget, _, value in self.rows():
            key = str(algorithm), str(suite), int(dimension), float(budget)
            cells.setdefault(key, []).append(float(value))
        column_titles = [*LOSS_COLUMNS[:3], "budget", *(name for _, name in _SUMMARY)]
        lines = []
        for (algorithm, suite, dimension, budget), losses in cells.items():
            defined_losses = [loss for loss in losses if not np.isnan(loss)]
            summary = (
                quantiles(defined_losses, [q for q, _ in _SUMMARY])
                if defined_losses
                else np.full(6, np.nan)
            )
            leading_texts = [
                text(algorithm),
                text(suite),
                str(dimension),
                budget_text(budget, self.axis),
            ]
            lines.append([*leading_texts, *(text(value) for value in summary.tolist())])
        return column_titles, lines


def _open_sample(selection: Selection, reference: Reference = "best") -> AtTargets:
    """Read first hits of the suites' targets, and a reference at the reference's targets."""
    fixed_options: dict[str, Any] = {"shows_reference": True, "own_targets": True}
    return open_at_targets(selection, None, loss_targets, reference=reference, **fixed_options)


@question(
    "Algorithms against each other, function by function",
    30,
    needs=Need(_open_sample, {"reference": "What algorithms are measured against."}),
    convention=EACH_RUN,
    examples=(
        "results/quickstart.h5 --budgets 10*D,1000*D",
        "results/quickstart.h5 --plot loss.pdf",
    ),
)
def loss(
    sample: AtTargets, budgets: Budgets | None = None, *, rule: LossRule = "coco"
) -> LossTable:
    """Compute how many times longer than a reference algorithms take, by budget.

    The loss at a budget is about the hardest target whose average runtime (aRT) of the algorithm is
    within the budget, as in cocopp. It is this aRT divided by the aRT of the reference to the same
    target. If the reference reaches the next harder target in less than the budget, the numerator
    is the budget instead of the algorithm's aRT. The targets are COCO's, five per decade from 1e10
    to 1e-8, or the suite's own if these go to 0 and below. The text form has percentiles of the
    loss over functions; the other formats have the functions.

    Args:
        budgets: None: 2, 10, 100, … times the dimension, or powers of ten of seconds, up to the
            largest aRT.
        rule: Numerator of the loss. coco: the aRT of the algorithm or the budget, as described;
            ratio: always the aRT.

    Returns:
        One row for each algorithm, function, dimension and budget: the hardest ``target`` that the
        algorithm reaches within the budget, and ``loss``. Both are NaN if there is no such target.
        ``loss`` is 0 if the reference does not reach the target.
    """
    assert sample.reference is not None
    entries, name = sample.reference.read()
    parsed = None if budgets is None else parse_budgets(budgets)
    table = loss_table(sample.cells, sample.targets, entries, parsed, rule)
    return replace(table, reference=name)


@loss.caveat(
    explains=[
        Explanation(
            "loss",
            "loss: aRT to the hardest target with an aRT within the budget, divided by the "
            "reference's aRT (rule: ratio).",
            "It shows how many times slower than the reference an algorithm is at each budget. "
            "Other rules give other values.",
            "Report the rule with the table, because losses of different rules are not comparable.",
            is_definition=True,
        )
    ]
)
def meaning_of_loss(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what a loss is, by the rule that was asked for."""
    rule = answer.options["rule"]
    yield f"loss: {_MEANINGS[rule]} (rule: {rule})."


@loss.caveat(explains=[REFERENCE_RUNS])
def reference_and_its_runs(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name the reference, say what it lacks, and which runs it rests on."""
    assert sample.reference is not None
    entries, name = sample.reference.read()
    lacking = sum(run_set.problem_class not in entries for run_set in sample)
    if lacking:
        yield describe_missing_reference(name, lacking, len(sample))
    yield f"reference: {name}."
    yield from notes_on_reference(entries, name, answer.notes)


def loss_table(
    run_sets: Iterable[RunSet],
    targets: TargetSet,
    entries: Entries,
    budgets: Sequence[Budget] | None = None,
    rule: LossRule = "coco",
) -> LossTable:
    """Compute losses against a reference, for all algorithms, functions, dimensions and budgets.

    Functions and dimensions that the reference lacks are left out.

    Args:
        run_sets: Runs of each algorithm on each function and dimension.
        targets: The targets.
        entries: Entries of the reference.
        budgets: The budgets. None: 2, 10, 100, … times the dimension, up to the largest finite aRT
            of the algorithm in the dimension, as in cocopp.
        rule: Formula of the loss; see `loss`.

    Returns:
        The table, ordered by algorithm, suite, dimension, budget and function.

    Raises:
        AssessmentError: The reference lacks all functions and dimensions.
    """
    rows: list[list[Value]] = []
    for group in grouped(run_sets, "all"):
        dimension, unit = group[0].dimension, group[0].unit()
        axis = axis_of(AXIS, group[0].count)
        averages = [average_runtime(run_set.hits, run_set.spent) for run_set in group]
        group_budgets = _choose_budgets(averages, unit, axis)
        if budgets is not None:
            group_budgets = budgets_on(budgets, axis, dimension)
        limits = np.array(group_budgets, dtype=np.float64) * unit
        for run_set, art in zip(group, averages, strict=True):
            if run_set.problem_class not in entries:
                continue
            entry = entries[run_set.problem_class]
            target_values = targets.of(*run_set.problem_class)
            reference_runtimes = runtimes_at(entry.targets, entry.average_runtimes, target_values)
            losses = runtime_loss(art, reference_runtimes, limits, rule)
            head: list[Value] = [run_set.algorithm, run_set.suite, dimension, run_set.function]
            for budget, ratio, target_index in zip(
                group_budgets, losses.ratio.tolist(), losses.target, strict=True
            ):
                # The index is -1 if no target is reached within the budget
                target = target_values[target_index] if target_index >= 0 else float("nan")
                rows.append([*head, budget, target, ratio])
    if not rows:
        raise AssessmentError("the reference has none of these functions and dimensions")
    sorted_rows = sorted(
        rows, key=lambda row: (natural(str(row[0])), row[1], row[2], row[4], row[3])
    )
    return LossTable(table_of(LOSS_COLUMNS, sorted_rows))


def _choose_budgets(averages: Sequence[Floats], unit: float, axis: str) -> tuple[float, ...]:
    """Return the budgets of ``LOSS_BUDGETS`` up to the largest finite average runtime.

    The first budget is always included. Budgets in seconds are the powers of ten from just above
    the smallest to just above the largest finite average runtime.

    Args:
        averages: Average runtimes of each function, in units of counts; inf where not reached.
        unit: Counts per unit of the axis, such as the dimension.
        axis: Axis of the budgets.
    """
    finite = np.concatenate([art[np.isfinite(art)] for art in averages]) / unit
    if axis == SECONDS:
        first, last = np.log10([finite.min(), finite.max()]) if finite.size else (0.0, 0.0)
        return tuple(float(f"1e{n}") for n in range(math.ceil(first), math.ceil(last) + 1))
    last = finite.max(initial=LOSS_BUDGETS[0])
    return tuple(budget for budget in LOSS_BUDGETS if budget <= last)


def _caption(cell: Cell) -> str:
    assert isinstance(cell.table, LossTable)
    beyond = " (or the budget, if the reference reaches a harder target)"
    dots = "; dots: single functions" if has_few_algorithms(cell.table) else ""
    return (
        f"Runtime loss on {cell.place} against {cell.describe_reference(cell.table.reference)}, "
        "by budget: aRT to the hardest target that the algorithm reaches within the budget"
        f"{'' if cell.options.get('rule') == 'ratio' else beyond}, divided by the reference's aRT. "
        f"Line: geometric mean over functions{dots}."
    )


@loss.figure("loss", cells="suite dimension", caption=_caption)
def draw_loss(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the loss against a reference by budget: the geometric mean, and dots for functions.

    If there are more than four algorithms, there are no dots.

    Args:
        table: The table of `loss`.
        **options: ``suite`` and ``dimension`` select the curves.

    Raises:
        AssessmentError: There is one algorithm, and it is its own reference.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "dimension"), options)
    losses = rows["loss"][~np.isnan(rows["loss"])]
    if len(set(rows["algorithm"].tolist())) == 1 and (losses == 1.0).all():
        raise AssessmentError(
            "figure: the loss of an algorithm against itself is 1 everywhere; choose a reference"
        )
    budget_column = LOSS_COLUMNS[4] if LOSS_COLUMNS[4] in rows else SECONDS
    for name, algorithm_rows, style in by_algorithm(rows):
        is_known = np.isfinite(algorithm_rows["loss"]) & (algorithm_rows["loss"] > 0)
        points = {key: column[is_known] for key, column in algorithm_rows.items()}
        budgets = points[budget_column]
        points_by_budget = split(points, budget_column)
        means = [
            float(geometric_mean(budget_points["loss"]))
            for budget_points in points_by_budget.values()
        ]
        axes.plot(list(points_by_budget), means, label=name, **style)
        if has_few_algorithms(table):
            dots = {"color": style["color"], "markersize": 2.5, "alpha": 0.5}
            axes.plot(budgets, points["loss"], ".", label="_nolegend_", **dots)
    logarithmic(axes)
    axes.axhline(1.0, color="0.6", linewidth=0.7)
    axes.set(xlabel=axis_text(table.axis), ylabel="runtime / that of the reference")
    add_legend(axes)
    return figure
