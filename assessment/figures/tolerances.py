"""Step curves of algorithms, a panel for each tolerance: data and performance profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import AssessmentError
from ..tables.table import Table
from .axes import FigureOptions, by_algorithm, chosen, size_of, split, title_of
from .style import add_legend

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAMES = ("suite", "dimension")
_MOST_PANELS = {"column": 3, "page": 5}


def draw_profiles(
    table: Table, column: str, name: str, base: int, options: FigureOptions
) -> Figure:
    """Draw the share of problems solved, a panel for each ``tau``, the largest first.

    Args:
        table: With ``algorithm``, ``suite``, ``dimension``, ``tau``, ``fraction``.
        column: Of what goes across, logarithmic.
        name: Of that axis.
        base: Of the logarithm.
        options: ``suite``, ``dimension``.

    Raises:
        AssessmentError: There are more tolerances than panels have room.
    """
    from matplotlib.figure import Figure

    rows = chosen(table, _NAMES, options)
    panels = list(reversed(split(rows, "tau").items()))
    size, most = size_of(options), _MOST_PANELS[options.get("width", "column")]
    if len(panels) > most:
        raise AssessmentError(
            f"figure: there is room for {most} tolerances at this width, {len(panels)} are asked "
            "for (--tau)"
        )
    figure = Figure(figsize=size, layout="constrained")
    every = np.atleast_1d(figure.subplots(1, len(panels), sharex=True, sharey=True))
    left = min(1.0, float(rows[column].min()))
    right = max(float(rows[column].max()), 2 * left)
    for axes, (tau, own) in zip(every, panels, strict=True):
        for label, curve, style in by_algorithm(own, marked=False):
            x, y = np.append(left, curve[column]), np.append(0.0, curve["fraction"])
            axes.plot(x, y, drawstyle="steps-post", label=label, **style)
        axes.set_title(f"tau {tau:g}", fontsize=7)
    every[0].set_xscale("log", base=base)
    every[0].set_xlim(left, right)
    every[0].set_ylim(0, 1.01)
    every[0].set_ylabel("share of problems")
    figure.supxlabel(name, fontsize=8)
    figure.suptitle(
        title_of(rows, _NAMES, options), x=0.01, ha="left", fontsize=8, parse_math=False
    )
    add_legend(every[-1])
    return figure
