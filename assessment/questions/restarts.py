"""Restarts of runs: when each happened, and why; and their lengths as a rug."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from ..asking.declaration import question
from ..data.notes import basis, runs_of_log
from ..data.runs import Runs
from ..figures.axes import FigureOptions, Rows, by_algorithm, figure_and_axes
from ..figures.style import Name, add_names
from ..tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "start", "evaluation",
    "evaluations", "status", "reason",
)  # fmt: skip
_INCHES_RUN = 0.075


@question("Runs", 20, counts=False)
def restarts(runs: Runs) -> Table:
    """Every start of every run, with the reason of each restart.

    At which evaluation each start began, and why the start before it ended.

    Returns:
        Columns: ``algorithm, suite, function, dimension, instance, repetition``; number of the
        ``start``, 0 for the first; ``evaluation``, how many the run had made before it;
        ``evaluations`` of the run in all; ``status`` of the run; ``reason`` of the restart, empty
        for the first start.
    """
    log, rows = runs.log, runs.rows
    names = _COLUMNS[:6]
    columns = {name: log.runs[name][rows].tolist() for name in (*names, "evaluations", "status")}
    found: list[list[Value]] = []
    for i, row in enumerate(rows.tolist()):
        head = [columns[name][i] for name in names]
        end = [columns["evaluations"][i], columns["status"][i]]
        found.append([*head, 0, 0, *end, ""])
        again = log.restarts(row)
        for start, (evaluation, reason) in enumerate(
            zip(again["evaluation"].tolist(), again["reason"].tolist(), strict=True), start=1
        ):
            found.append([*head, start, evaluation, *end, reason.decode(errors="replace")])
    return Table(table_of(_COLUMNS, found), basis(runs_of_log(log, rows), "every start is a row"))


@restarts.figure(
    "restarts",
    cells="suite function dimension",
    caption="Runs on {place}: a line to the last evaluation, a tick for each restart, a dot where "
    "the final target was hit.",
)
def draw_restarts(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw each run as a line to its last evaluation, with a tick where it was restarted.

    A filled mark at the end is a run that hit the final target.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    runs = _runs(rows)
    heights = {run: height for height, run in enumerate(sorted(set(runs)))}
    names = []
    for name, own, style in by_algorithm(rows, marked=False):
        places = np.array([heights[run] for run in _runs(own)])
        _draw_runs(axes, own, places, style["color"], name)
        names.append(Name(name, (places.mean() + 1) / (len(heights) + 1), style))
    figure.set_figheight(max(figure.get_figheight(), 0.9 + _INCHES_RUN * len(heights)))
    axes.set_xscale("log")
    axes.set(yticks=[], ylim=(-1, len(heights)), xlabel="evaluations / dimension", ylabel="runs")
    add_names(axes, names)
    return figure


def _runs(rows: Rows) -> list[tuple[str, int, int]]:
    """The run of each row."""
    names = ("algorithm", "instance", "repetition")
    return list(zip(*(rows[name].tolist() for name in names), strict=True))


def _draw_runs(axes: Axes, rows: Rows, height: NDArray[np.int64], color: str, name: str) -> None:
    """Draw the runs of one algorithm, each start's row at its run's height."""
    first, later = rows["start"] == 0, rows["start"] > 0
    per = 1.0 / rows["dimension"]
    ends = (rows["evaluations"] * per)[first]
    axes.hlines(height[first], per[0], ends, color=color, linewidth=0.6)
    restarts = (rows["evaluation"] * per)[later]
    axes.plot(restarts, height[later], "|", color=color, markersize=4, label=name)
    hit = rows["status"][first] == "target"
    axes.plot(ends[hit], height[first][hit], "o", color=color, markersize=2.5, label="_nolegend_")
