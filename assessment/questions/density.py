"""Distributions of runtimes to targets and of precisions at budgets: masses and densities.

A table has the distributions of single runs; `DensityKind` names the three estimators. A figure
has one panel for each target or budget, and in each panel one ridge for each algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..caveats import Explanation
from ..errors import AssessmentError
from ..figures.axes import (
    LABEL,
    PLACE,
    FigureOptions,
    Rows,
    add_title_above,
    chosen,
    size_of,
    split,
)
from ..figures.style import (
    Name,
    add_names,
    blank_figure,
    both_signs_across,
    hatch_of,
    is_signed,
    style_of,
)
from ..samples.at_budgets import AtBudgets
from ..samples.at_targets import AtTargets
from ..samples.convention import LAST_VALUE, Convention
from ..statistics.densities import kernel_density, kernel_density_of_r, probability_mass
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import budget_title, distinct_budgets, titles_text
from ..targets.target_sets import decades, key_of, key_text, pair_targets
from ._framework.needs import at_budgets, at_targets
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

DensityKind = Literal["density", "mass", "density-nrd0"]
Shape = DensityKind
_ESTIMATORS = {
    "mass": probability_mass,
    "density": kernel_density,
    "density-nrd0": kernel_density_of_r,
}
_NAMES = ("suite", "function", "dimension")
_HITS = Convention(
    "single runs without restarts; runs that missed the target are left out",
    failed="they count, unless they missed the target",
)
_CAPTIONS = {
    "density": "Kernel densities of the decimal logarithms (Scott's rule)",
    "mass": "Shares of the runs",
    "density-nrd0": "Kernel densities of the values themselves (band width: R's nrd0)",
}
_CAPTION_END = (
    "all equally high. A percentage is the share of the runs that have a value, "
    "if not all have one."
)
_MAX_PANELS = {"column": 2, "page": 4}
_RIDGE_HEIGHT = 0.85
"""Height of a ridge; neighbouring ridges have the distance 1, so that they do not touch."""
_MARGIN_BELOW = 0.15
"""Room below the lowest ridge, in the same unit, for marks of values at its foot."""
_COMPLETE_SHARE = 0.995
"""From this share of the runs on, no percentage is shown.

The integral of a density over its grid is slightly below 1 even if it has all runs.
"""


@dataclass(frozen=True, eq=False, repr=False)
class DensityTable(Table):
    """Densities or probabilities of runtimes or precisions.

    Attributes:
        shape: What the table estimates: ``"mass"``, ``"density"`` (of logarithms) or
            ``"density-nrd0"`` (of the values).
    """

    shape: DensityKind = "density"


@question(
    "Evaluations to targets",
    80,
    needs=at_targets(decades),
    convention=_HITS,
    examples=(
        "my.h5 --functions 1 --targets 1e1 --shape mass",
        "my.h5 --targets 1e1 --plot density.pdf",
    ),
    explains=[
        Explanation(
            "distributions left out",
            "distributions left out: 9 of 32; fewer than two values differ.",
            "A density needs at least two different values. Distributions with fewer values have "
            "no curve.",
            "Give --shape mass, because it also shows a single value.",
        )
    ],
)
def runtime_density(sample: AtTargets, *, shape: Shape = "density") -> DensityTable:
    """Estimate densities, or masses, of the runtimes to targets.

    The runtime of a run is the evaluation at which it first hit the target. Restarts are not
    simulated. Runs that missed the target are left out, so that the integral of a density is the
    share of runs that hit the target.

    Args:
        shape: Estimate at each runtime: density (kernel density of the logarithm), mass
            (probability), or density-nrd0 (kernel density of the runtime itself, as in R).

    Returns:
        One row for each point of a curve; ``algorithm``, ``suite``, ``function``, ``dimension`` and
        ``target`` identify the curve. Run-length targets also have a column ``budget``, in
        evaluations / dimension. ``runtime`` is in evaluations. ``density`` is per decade of runtime
        (`kernel_density`). With ``"density-nrd0"``, it is per evaluation (`kernel_density_of_r`).
        With ``"mass"``, the column is ``probability`` (`probability_mass`).

    Raises:
        UnknownNameError: There is no such ``shape``.
    """
    samples: list[tuple[list[Value], Floats]] = [
        ([*run_set.identity, *key], run_set.hits[:, j])
        for run_set in sample
        for j, key in enumerate(sample.targets.keys(*run_set.problem_class))
    ]
    return _tabulate(samples, sample.targets.named(("target", "runtime")), shape)


@question(
    "Precision within budgets",
    30,
    needs=at_budgets(),
    convention=LAST_VALUE,
    examples=(
        "my.h5 --budgets 100*D --shape mass",
        "my.h5 --budgets 100*D --plot density.pdf",
    ),
    explains=[
        Explanation(
            "distributions left out",
            "distributions left out: 9 of 32; fewer than two values differ.",
            "A density needs at least two different values. Distributions with fewer values have "
            "no curve.",
            "Give --shape mass, because it also shows a single value.",
        )
    ],
)
def precision_density(sample: AtBudgets, *, shape: Shape = "density") -> DensityTable:
    """Estimate densities, or masses, of the precisions at budgets.

    The precision of a run is its best value within the budget minus the reference value. A run that
    ended earlier keeps its last value.

    Args:
        shape: Estimate at each precision: density (kernel density of the logarithm), mass
            (probability), or density-nrd0 (kernel density of the precision itself, as in R).

    Returns:
        One row for each point of a curve; ``algorithm``, ``suite``, ``function``, ``dimension`` and
        ``budget`` identify the curve. ``density`` is per decade of ``precision``
        (`kernel_density`). With ``"density-nrd0"``, it is a density of the precision itself
        (`kernel_density_of_r`). With ``"mass"``, the column is ``probability``
        (`probability_mass`).

    Raises:
        UnknownNameError: There is no such ``shape``.
    """
    samples: list[tuple[list[Value], Floats]] = [
        ([*run_set.identity, budget], run_set.precision[:, j])
        for run_set in sample
        for j, budget in enumerate(run_set.budgets.tolist())
    ]
    return _tabulate(samples, ("budget", "precision"), shape)


def _tabulate(
    samples: Sequence[tuple[list[Value], Floats]],
    columns: Sequence[str],
    shape: DensityKind,
) -> DensityTable:
    """Return the table of the distributions of samples; name in a note how many are empty.

    Args:
        samples: For each distribution the values of its first columns (algorithm, suite, function,
            dimension, budget or target), and the sample, shape ``(n_runs,)``.
        columns: Names of the columns between the dimension and the density or probability.
        shape: The estimator.

    Raises:
        UnknownNameError: ``shape`` is not the name of an estimator.
    """
    if shape not in _ESTIMATORS:
        raise UnknownNameError.of("shape", shape, get_args(DensityKind))
    curves = [_ESTIMATORS[shape](values) for _, values in samples]
    blocks = [[*identity, *curve] for (identity, _), curve in zip(samples, curves, strict=True)]
    n_left_out = sum(not positions.size for positions, _ in curves)
    last_column = "probability" if shape == "mass" else "density"
    notes: tuple[str, ...] = ()
    if n_left_out:
        reasons = {"mass": "nothing was reached", "density": "fewer than two values differ"}
        reason = reasons.get(shape, "there are fewer than two values")
        notes = (f"distributions left out: {n_left_out} of {len(samples)}; {reason}.",)
    names = ("algorithm", "suite", "function", "dimension", *columns, last_column)
    return DensityTable(stacked(names, blocks), notes, shape)


def _list_functions(table: DensityTable) -> list[dict[str, Any]]:
    """Return the suite, function and dimension of each figure."""
    _check_not_empty(table)
    values = sorted(set(zip(*(table[name].tolist() for name in _NAMES), strict=True)))
    return [dict(zip(_NAMES, values_of_function, strict=True)) for values_of_function in values]


def _check_not_empty(table: Table) -> None:
    """Raise AssessmentError if the table is empty, with its last note, which has the reason."""
    if not len(table):
        message = "figures of distributions: there is none."
        raise AssessmentError(" ".join([message, *table.notes[-1:]]))


def _caption_of(cell: Cell, subject: str) -> str:
    assert isinstance(cell.table, DensityTable)
    return f"{_CAPTIONS[cell.table.shape]} of {subject} above each panel, {_CAPTION_END}"


def _caption_of_runtimes(cell: Cell) -> str:
    return _caption_of(cell, f"the runtimes of single runs on {cell.place} to the target")


@runtime_density.figure(
    "runtime-density",
    cells=_list_functions,
    caption=_caption_of_runtimes,
    targets=pair_targets,
)
def draw_runtime_density(table: DensityTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the distributions of runtimes to targets, a panel for each, the hardest at the right.

    The figure is that of `draw_precision_density`. The share beside a ridge is that of the runs
    that hit the target.

    Args:
        table: The table of `runtime_density`.
        **options: ``suite``, ``function`` and ``dimension`` select the ridges.
    """
    return _draw_panels(table, (key_of(table.columns), "runtime"), options)


def _caption_of_precisions(cell: Cell) -> str:
    subject = f"the best precision of the runs on {cell.place} after the budget"
    return _caption_of(cell, subject).replace("panel,", f"panel ({titles_text(cell.table.axis)}),")


@precision_density.figure(
    "precision-density",
    cells=_list_functions,
    caption=_caption_of_precisions,
    budgets=distinct_budgets,
)
def draw_precision_density(table: DensityTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the distributions of the best precision within budgets, a panel for each budget.

    Each algorithm has a ridge of a kernel density or of masses. All ridges are equally high,
    because only their position and width are compared. A percentage is the share of the runs that
    are in the distribution, if not all are. A figure of the width of a column has at most two
    panels, a figure of the width of a page at most four. If there are more, the last are drawn.

    Values are on a logarithmic axis. For ``"density-nrd0"``, which is a density of the values
    themselves and may extend below 0, the axis is linear. For masses of precisions with both signs,
    the axis is linear around 0 and logarithmic elsewhere.

    Args:
        table: The table of `precision_density`.
        **options: ``suite``, ``function`` and ``dimension`` select the ridges.
    """
    return _draw_panels(table, ("budget", "precision"), options)


def _draw_panels(table: DensityTable, columns: tuple[str, str], options: FigureOptions) -> Figure:
    """Draw a figure with one panel for each value of the first of the two columns.

    The second column holds the values on the x axis. If there are too many panels, only the last
    ones are drawn, because these have the hardest targets or the largest budgets.
    """
    _check_not_empty(table)
    key_column, column = columns
    rows = chosen(table, _NAMES, options)
    panels = list(split(rows, key_column).items())[:: -1 if key_column == "target" else 1]
    panels = panels[-_MAX_PANELS[options.get("width", "column")] :]
    style_indices = dict(zip(rows["algorithm"].tolist(), rows[PLACE].tolist(), strict=True))
    labels = dict(zip(rows["algorithm"].tolist(), rows[LABEL].tolist(), strict=True))
    algorithms = sorted(style_indices, key=lambda name: -style_indices[name])
    figure = blank_figure(size_of(options))
    is_linear = table.shape == "density-nrd0"
    all_axes = np.atleast_1d(figure.subplots(1, len(panels), sharey=True, sharex=not is_linear))
    for axes, (key, panel_rows) in zip(all_axes, panels, strict=True):
        for name, curve in split(panel_rows, "algorithm").items():
            _draw_ridge(axes, curve, column, table.shape, algorithms.index(name))
        title = key_text(key_column, key) if column == "runtime" else budget_title(key, table.axis)
        axes.set_title(title, fontsize=7)
        if is_linear:
            axes.locator_params(axis="x", nbins=3)
            axes.ticklabel_format(axis="x", scilimits=(-2, 4))
        elif is_signed(rows, column):
            both_signs_across(axes)
        else:
            axes.set_xscale("log")
        axes.tick_params(axis="y", length=0)
    n_ridges = len(algorithms)
    all_axes[0].set(ylim=(-_MARGIN_BELOW, n_ridges), yticks=range(n_ridges), yticklabels=[])
    add_title_above(figure, rows, _NAMES, options)
    figure.supxlabel(table.runtime_unit if column == "runtime" else column, fontsize=8)
    names = [
        Name(
            labels[name],
            (i + _MARGIN_BELOW) / (n_ridges + _MARGIN_BELOW),
            style_of(style_indices[name], marked=False),
        )
        for i, name in enumerate(algorithms)
    ]
    add_names(all_axes[-1], names)
    return figure


def _draw_ridge(axes: Axes, rows: Rows, column: str, shape: DensityKind, base: int) -> None:
    """Draw the distribution of one algorithm, with its foot at height ``base``."""
    positions, heights = rows[column], rows["probability" if shape == "mass" else "density"]
    index = int(rows[PLACE][0])
    style = style_of(index, marked=False)
    colour = style["color"]
    height = base + _RIDGE_HEIGHT * heights / heights.max()
    if shape == "mass":
        axes.vlines(positions, base, height, **style, linewidth=1.2)
        share = float(heights.sum())
    else:
        axes.fill_between(
            positions, base, height, color=colour, alpha=0.25, linewidth=0, hatch=hatch_of(index)
        )
        axes.plot(positions, height, **style, linewidth=1.0)
        share = float(
            np.trapezoid(heights, np.log10(positions) if shape == "density" else positions)
        )
    if share < _COMPLETE_SHARE:
        axes.text(
            0.02, base + 0.5, f"{share:.0%}".replace("%", " %"), color=colour, fontsize=6,
            transform=axes.get_yaxis_transform(),
        )  # fmt: skip
