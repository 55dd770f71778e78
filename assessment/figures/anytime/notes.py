"""A parameter that algorithms noted, against evaluations: a line for each run, and their median."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ...statistics.quantiles import Floats
from ...tables.table import Table
from ..frame import Shown, by_algorithm, frame, split
from ..style import add_legend, label, logarithmic, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def draw_notes(table: Table, **shown: Unpack[Shown]) -> Figure:
    """Draw a parameter against evaluations: thin lines are runs, the thick one is their median.

    The median is over the runs that noted the parameter before and after an evaluation, while these
    are at least half of all. The axis of values is logarithmic where all are positive.

    Args:
        table: Of `Results.notes`.
        **shown: ``suite``, ``function``, ``dimension``, ``name`` of the parameter.
    """
    figure, axes, rows = frame(table, ("suite", "function", "dimension", "name"), shown)
    for name, own, style in by_algorithm(rows, marked=False):
        runs = [
            (run["evaluation"].astype(np.float64), run["value"])
            for instance in split(own, "instance").values()
            for run in split(instance, "repetition").values()
        ]
        for evaluations, values in runs:
            axes.plot(evaluations, values, **(style | {"linewidth": 0.4, "alpha": 0.5}))
        axes.plot(*_median(runs), label=name, **(style | {"linewidth": 1.6}))
    logarithmic(axes, y=bool((rows["value"] > 0).all()))
    axes.set_xlabel("evaluations")
    axes.set_ylabel(label(str(rows["name"][0])), parse_math=False)
    add_legend(axes)
    return figure


def _median(runs: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Evaluations where some run noted a value, and the median of the runs' last values there."""
    grid = np.unique(np.concatenate([evaluations for evaluations, _ in runs]))
    values = np.full((len(runs), len(grid)), np.nan)
    for row, (evaluations, noted) in zip(values, runs, strict=True):
        last = np.searchsorted(evaluations, grid, side="right") - 1
        inside = (last >= 0) & (grid <= evaluations[-1])
        row[inside] = noted[last[inside]]
    enough = 2 * np.isfinite(values).sum(axis=0) >= len(runs)
    return grid[enough], np.nanmedian(values[:, enough], axis=0)
