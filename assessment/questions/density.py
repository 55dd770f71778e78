"""Distributions of runtimes to targets and of precisions at budgets: masses and densities.

A figure has a ridge for each algorithm, and panels side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Unpack, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Axis, Budgets, Option, Reference, Targets
from ..data.fixed_budget_data import notes_on_precisions
from ..data.notes import notes_on_targets
from ..data.runs import Runs
from ..errors import AssessmentError
from ..figures.axes import PLACE, FigureOptions, Rows, add_title_above, chosen, size_of, split
from ..figures.style import (
    Name,
    add_names,
    blank_figure,
    both_signs_across,
    is_signed,
    label,
    style_of,
)
from ..statistics.densities import kernel_density, kernel_density_of_r, probability_mass
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import budget_title, titles_text
from ..targets.target_sets import decades, key_of, key_text, pair_targets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

DensityKind = Literal["density", "mass", "density-nrd0"]
Shape = Annotated[
    DensityKind,
    Option(
        help="A kernel density of logarithms; masses; or a density of the values themselves, as R "
        "has it"
    ),
]
_ESTIMATORS = {
    "mass": probability_mass,
    "density": kernel_density,
    "density-nrd0": kernel_density_of_r,
}
_NAMES = ("suite", "function", "dimension")
_HITS = "of single runs, without restarts; those that missed the target are left out"
_CAPTIONS = {
    "density": "Kernel densities of the decimal logarithms (Scott's rule)",
    "mass": "Shares of the runs",
    "density-nrd0": "Kernel densities of the values themselves (band width: R's nrd0)",
}
_HOW = "each as high as the others; a percentage is the share of the runs in it, where not all are."
_MOST_PANELS = {"column": 2, "page": 4}
_HEIGHT = 0.85
"""Of each ridge, where 1 is the distance of two."""
_BELOW = 0.15
"""Room below the lowest ridge."""
_ALL = 0.995
"""From this share of the runs on, all are taken to be in a distribution."""


@dataclass(frozen=True, eq=False, repr=False)
class DensityTable(Table):
    """Distributions.

    Attributes:
        shape: What they are: masses, or densities of logarithms or of the values.
    """

    shape: str = "density"


@question("Evaluations to targets", 80)
def runtime_density(
    runs: Runs,
    targets: Targets | None = None,
    *,
    shape: Shape = "density",
    reference: Reference | None = None,
) -> DensityTable:
    """Densities, or masses, of the runtimes to targets.

    Of single runs, without restarts. Runs that missed the target are no part of a density; their
    share is what it lacks to 1.

    Args:
        targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
        shape: What is given for each runtime.
        reference: None: none; run-length targets need one.

    Returns:
        Columns: ``algorithm, suite, function, dimension``; of run-length targets ``budget``
        (evaluations / dimension); ``target, runtime`` (evaluations);
        ``density`` per decade of runtime (`kernel_density`); with ``"mass"`` ``probability``
        instead (`probability_mass`), with ``"density-nrd0"`` ``density`` per evaluation
        (`kernel_density_of_r`).

    Raises:
        UnknownNameError: ``shape`` is none of the three.
    """
    run_sets, aims = runs.at_targets(targets, decades, reference)
    samples: list[tuple[list[Value], Floats]] = [
        ([*run_set.head, *key], run_set.hits[:, j])
        for run_set in run_sets
        for j, key in enumerate(aims.keys(*run_set.cell))
    ]
    notes = notes_on_targets(run_sets, aims, _HITS)
    return _table(samples, aims.named(("target", "runtime")), shape, notes)


@question("Precision within budgets", 30)
def precision_density(
    runs: Runs,
    budgets: Budgets | None = None,
    *,
    axis: Axis = "evaluations/dimension",
    shape: Shape = "density",
) -> DensityTable:
    """Densities, or masses, of the precisions at budgets.

    Of the best precision of each run within the budget.

    Args:
        budgets: None: powers of ten below the longest run, and the longest of each algorithm.
        axis: Unit of budgets.
        shape: What is given for each precision.

    Returns:
        Columns: ``algorithm, suite, function, dimension, budget, precision``; ``density`` per
        decade of precision (`kernel_density`); with ``"mass"`` ``probability`` instead
        (`probability_mass`), with ``"density-nrd0"`` ``density`` of the precision itself
        (`kernel_density_of_r`).

    Raises:
        UnknownNameError: ``shape`` is none of the three.
    """
    data = list(runs.at_budgets(budgets, axis))
    samples: list[tuple[list[Value], Floats]] = [
        ([*own.head, budget], own.precision[:, j])
        for own in data
        for j, budget in enumerate(own.budgets.tolist())
    ]
    return _table(samples, ("budget", "precision"), shape, notes_on_precisions(data))


def _table(
    samples: Sequence[tuple[list[Value], Floats]],
    columns: Sequence[str],
    shape: str,
    notes: tuple[str, ...],
) -> DensityTable:
    """Distributions of samples, each with its algorithm, suite, function, dimension and place."""
    if shape not in _ESTIMATORS:
        raise UnknownNameError.of("shape", shape, get_args(DensityKind))
    curves = [_ESTIMATORS[shape](values) for _, values in samples]
    blocks = [[*cell, *curve] for (cell, _), curve in zip(samples, curves, strict=True)]
    without = sum(not at.size for at, _ in curves)
    last = "probability" if shape == "mass" else "density"
    if without:
        few = {"mass": "nothing was reached", "density": "fewer than two values differ"}
        why = few.get(shape, "there are fewer than two values")
        notes += (f"{without} of {len(samples)} distributions are left out: {why}.",)
    names = ("algorithm", "suite", "function", "dimension", *columns, last)
    return DensityTable(stacked(names, blocks), notes, shape)


def _functions(table: DensityTable) -> list[dict[str, Any]]:
    """Suite, function and dimension of each figure."""
    _check(table)
    values = sorted(set(zip(*(table[name].tolist() for name in _NAMES), strict=True)))
    return [dict(zip(_NAMES, cell_values, strict=True)) for cell_values in values]


def _check(table: Table) -> None:
    """Refuse a table without rows; the last of its notes says why there are none."""
    if not len(table):
        why = "figures of distributions: there is none."
        raise AssessmentError(" ".join([why, *table.notes[-1:]]))


def _caption(cell: Cell, what: str) -> str:
    assert isinstance(cell.table, DensityTable)
    return f"{_CAPTIONS[cell.table.shape]} of {what} above each panel, {_HOW}"


def _caption_of_runtimes(cell: Cell) -> str:
    return _caption(cell, f"the runtimes of single runs on {cell.place} to the target")


@runtime_density.figure(
    "runtime-density",
    cells=_functions,
    caption=_caption_of_runtimes,
    options="targets shape count",
    unasked="where it applies",
    targets=pair_targets,
)
def draw_runtime_density(table: DensityTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the distributions of runtimes to targets, a panel for each, the hardest at the right.

    As `draw_precision_density`; the share beside a ridge is that of the runs that hit the target.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.
    """
    return _draw(table, (key_of(table.columns), "runtime"), options)


def _caption_of_precisions(cell: Cell) -> str:
    what = f"the best precision of the runs on {cell.place} after the budget"
    return _caption(cell, what).replace("panel,", f"panel ({titles_text(cell.table.axis)}),")


@precision_density.figure(
    "precision-density",
    cells=_functions,
    caption=_caption_of_precisions,
    options="budgets shape count",
    unasked="where it applies",
)
def draw_precision_density(table: DensityTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the distributions of the best precision within budgets, a panel for each budget.

    Each algorithm has a ridge, of a kernel density or of masses, and all are equally high: what is
    compared is where they lie and how wide they are. A percentage is the share of the runs that are
    in the distribution, where not all are. Of more panels than have room, two in a column and four
    on a page, the last are drawn. Values are on a logarithmic axis; for ``"density-nrd0"``, which
    is of the values themselves and reaches below 0, on a linear one. Masses of precisions with both
    signs are on one that is linear around 0.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.
    """
    return _draw(table, ("budget", "precision"), options)


def _draw(table: DensityTable, columns: tuple[str, str], options: FigureOptions) -> Figure:
    _check(table)
    by, what = columns
    rows = chosen(table, _NAMES, options)
    panels = list(split(rows, by).items())[:: -1 if by == "target" else 1]
    panels = panels[-_MOST_PANELS[options.get("width", "column")] :]
    places = dict(zip(rows["algorithm"].tolist(), rows[PLACE].tolist(), strict=True))
    order = sorted(places, key=lambda name: -places[name])
    figure = blank_figure(size_of(options))
    linear = table.shape == "density-nrd0"
    every = np.atleast_1d(figure.subplots(1, len(panels), sharey=True, sharex=not linear))
    for axes, (at, own) in zip(every, panels, strict=True):
        for name, curve in split(own, "algorithm").items():
            _draw_ridge(axes, curve, what, table.shape, order.index(name))
        title = key_text(by, at) if what == "runtime" else budget_title(at, table.axis)
        axes.set_title(title, fontsize=7)
        if linear:
            axes.locator_params(axis="x", nbins=3)
            axes.ticklabel_format(axis="x", scilimits=(-2, 4))
        elif is_signed(rows, what):
            both_signs_across(axes)
        else:
            axes.set_xscale("log")
        axes.tick_params(axis="y", length=0)
    top = len(order)
    every[0].set(ylim=(-_BELOW, top), yticks=range(top), yticklabels=[])
    add_title_above(figure, rows, _NAMES, options)
    figure.supxlabel(table.runtime_unit if what == "runtime" else what, fontsize=8)
    names = [
        Name(label(name), (i + _BELOW) / (top + _BELOW), style_of(places[name], marked=False))
        for i, name in enumerate(order)
    ]
    add_names(every[-1], names)
    return figure


def _draw_ridge(axes: Axes, rows: Rows, what: str, shape: str, base: int) -> None:
    """The distribution of one algorithm, from a line at height ``base`` on."""
    at, high = rows[what], rows["probability" if shape == "mass" else "density"]
    colour = style_of(int(rows[PLACE][0]))["color"]
    height = base + _HEIGHT * high / high.max()
    if shape == "mass":
        axes.vlines(at, base, height, color=colour, linewidth=1.2)
        share = float(high.sum())
    else:
        axes.fill_between(at, base, height, color=colour, alpha=0.25, linewidth=0)
        axes.plot(at, height, color=colour, linewidth=1.0)
        share = float(np.trapezoid(high, np.log10(at) if shape == "density" else at))
    if share < _ALL:
        axes.text(
            0.02, base + 0.5, f"{share:.0%}".replace("%", " %"), color=colour, fontsize=6,
            transform=axes.get_yaxis_transform(),
        )  # fmt: skip
