"""Distributions of runtimes and precisions: a ridge for each algorithm, panels side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..errors import AssessmentError
from ..tables.table import Table
from ..targets.parse import target_text
from .frame import PLACE, Rows, Shown, chosen, size_of, split, title_of
from .style import (
    Name,
    add_names,
    both_signs_across,
    few_ticks,
    is_signed,
    label,
    style_of,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMES = ("suite", "function", "dimension")
_MOST_PANELS = {"column": 2, "page": 4}
_HEIGHT = 0.85
"""Of each ridge, where 1 is the distance of two."""
_BELOW = 0.15
"""Room below the lowest ridge."""
_ALL = 0.995
"""From this share of the runs on, all are taken to be in a distribution."""


@styled
def draw_runtime_shapes(table: Table, shape: str = "density", **shown: Unpack[Shown]) -> Figure:
    """Draw the distributions of runtimes to targets, a panel for each, the hardest at the right.

    As `draw_precision_shapes`; the share beside a ridge is that of the runs that hit the target.

    Args:
        table: Of `Results.runtime_shapes`.
        shape: That of the table.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    return _draw(table, shape, ("target", "runtime"), shown)


@styled
def draw_precision_shapes(table: Table, shape: str = "density", **shown: Unpack[Shown]) -> Figure:
    """Draw the distributions of the best precision within budgets, a panel for each budget.

    Each algorithm has a ridge, of a kernel density or of masses, and all are equally high: what is
    compared is where they lie and how wide they are. A percentage is the share of the runs that are
    in the distribution, where not all are. Of more panels than have room, two in a column and four
    on a page, the last are drawn. Values are on a logarithmic axis; for ``"density-nrd0"``, which
    is of the values themselves and reaches below 0, on a linear one. Masses of precisions with both
    signs are on one that is linear around 0.

    Args:
        table: Of `Results.precision_shapes`.
        shape: That of the table.
        **shown: ``suite``, ``function``, ``dimension``.
    """
    return _draw(table, shape, ("budget", "precision"), shown)


def _draw(table: Table, shape: str, columns: tuple[str, str], shown: Shown) -> Figure:
    from matplotlib.figure import Figure

    if not len(table):
        raise AssessmentError("figure: there is no distribution in the table; its notes say why")
    by, what = columns
    rows = chosen(table, _NAMES, shown)
    panels = list(split(rows, by).items())[:: -1 if by == "target" else 1]
    panels = panels[-_MOST_PANELS[shown.get("width", "column")] :]
    places = dict(zip(rows["algorithm"].tolist(), rows[PLACE].tolist(), strict=True))
    order = sorted(places, key=lambda name: -places[name])
    figure = Figure(figsize=size_of(shown), layout="constrained")
    linear = shape == "density-nrd0"
    every = np.atleast_1d(figure.subplots(1, len(panels), sharey=True, sharex=not linear))
    for axes, (at, own) in zip(every, panels, strict=True):
        for name, one in split(own, "algorithm").items():
            _draw_ridge(axes, one, what, shape, order.index(name))
        axes.set_title(target_text(at) if by == "target" else f"{at:g} · D", fontsize=7)
        if linear:
            axes.locator_params(axis="x", nbins=3)
            axes.ticklabel_format(axis="x", scilimits=(-2, 4))
        elif is_signed(rows, what):
            both_signs_across(axes)
        else:
            axes.set_xscale("log")
            few_ticks(axes.xaxis)
        axes.tick_params(axis="y", length=0)
    top = len(order)
    every[0].set(ylim=(-_BELOW, top), yticks=range(top), yticklabels=[])
    figure.suptitle(title_of(rows, _NAMES, shown), x=0.01, ha="left", fontsize=8, parse_math=False)
    figure.supxlabel("evaluations" if what == "runtime" else what, fontsize=8)
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
