"""List the starts of runs with the reasons of restarts, and draw them on a line for each run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ..figures.axes import FigureOptions, Rows, by_algorithm, figure_and_axes
from ..figures.style import Name, add_names
from ..grouping import CellRuns
from ..samples.convention import Convention
from ..samples.sample import Sample
from ..tables.table import Table, Value, table_of
from ._framework.needs import runs_alone
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RUN_COLUMNS = ("algorithm", "suite", "function", "dimension", "instance", "repetition")
_COLUMNS = (*_RUN_COLUMNS, "start", "evaluation", "evaluations", "status", "reason")
_INCHES_PER_RUN = 0.075
_INCHES_OF_MARGINS = 0.9
"""Height of a figure without its runs."""


@question(
    "Runs",
    20,
    needs=runs_alone,
    convention=Convention("each start is a row"),
    counts=False,
    examples=(
        "my.h5 --functions 15 --instances 1",
        "my.h5 --functions 15 --plot restarts.pdf",
    ),
)
def restarts(sample: Sample[CellRuns]) -> Table:
    """List every start of every run, with the reason of each restart.

    An optimizer that stops before the budget is used is restarted within the same run. Each row has
    the number of evaluations before a start, and the reason why the start before it ended.

    Returns:
        One row for each start. ``algorithm``, ``suite``, ``function``, ``dimension``, ``instance``
        and ``repetition`` identify the run. ``start`` is the number of the start, 0 for the first.
        ``evaluation`` is the number of evaluations that the run had made before it. ``evaluations``
        and ``status`` are those of the run. ``reason`` is the reason of the restart; empty for the
        first start.
    """
    log, rows = sample.log, sample.rows
    columns = (log.runs[name][rows].tolist() for name in (*_RUN_COLUMNS, "evaluations", "status"))
    table_rows: list[list[Value]] = []
    for row, *run_key, evaluations, status in zip(rows.tolist(), *columns, strict=True):
        run_restarts = log.restarts(row)
        starts = [0, *run_restarts["evaluation"].tolist()]
        reasons = [b"", *run_restarts["reason"].tolist()]
        for number, (start, reason) in enumerate(zip(starts, reasons, strict=True)):
            reason_text = reason.decode(errors="replace")
            table_rows.append([*run_key, number, start, evaluations, status, reason_text])
    return Table(table_of(_COLUMNS, table_rows))


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
        table: The table of `restarts`.
        **options: ``suite``, ``function`` and ``dimension`` select the runs.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    height_of_run = {run: height for height, run in enumerate(sorted(set(_run_keys(rows))))}
    n_runs = len(height_of_run)
    names = []
    for name, algorithm_rows, style in by_algorithm(rows, marked=False):
        heights = np.array([height_of_run[run] for run in _run_keys(algorithm_rows)])
        _draw_runs(axes, algorithm_rows, heights, style, name)
        names.append(Name(name, (heights.mean() + 1) / (n_runs + 1), style))
    inches = _INCHES_OF_MARGINS + _INCHES_PER_RUN * n_runs
    figure.set_figheight(max(figure.get_figheight(), inches))
    axes.set_xscale("log")
    axes.set(yticks=[], ylim=(-1, n_runs), xlabel="evaluations / dimension", ylabel="runs")
    add_names(axes, names)
    return figure


def _run_keys(rows: Rows) -> list[tuple[str, int, int]]:
    """Return algorithm, instance and repetition of each row."""
    columns = ("algorithm", "instance", "repetition")
    return list(zip(*(rows[column].tolist() for column in columns), strict=True))


def _draw_runs(
    axes: Axes, rows: Rows, heights: NDArray[np.int64], style: dict[str, Any], name: str
) -> None:
    """Draw the runs of one algorithm.

    Args:
        axes: The axes, in evaluations / dimension.
        rows: Starts of runs.
        heights: Vertical position of the run of each row, shape ``(n_rows,)``.
        style: Colour of lines and marks, and dashes of lines.
        name: Label of the ticks, for the legend.
    """
    color = style["color"]
    is_first, is_restart = rows["start"] == 0, rows["start"] > 0
    per_evaluation = 1.0 / rows["dimension"]
    ends = (rows["evaluations"] * per_evaluation)[is_first]
    axes.hlines(heights[is_first], per_evaluation[0], ends, **style, linewidth=0.6)
    restart_budgets = (rows["evaluation"] * per_evaluation)[is_restart]
    axes.plot(restart_budgets, heights[is_restart], "|", color=color, markersize=4, label=name)
    is_solved = rows["status"][is_first] == "target"
    axes.plot(
        ends[is_solved],
        heights[is_first][is_solved],
        "o",
        color=color,
        markersize=2.5,
        label="_nolegend_",
    )
