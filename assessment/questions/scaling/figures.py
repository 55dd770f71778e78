"""Draw average runtimes against the dimension: one function, or all functions on one page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ....suites.selection import ranges
from ...cost import SECONDS
from ...errors import AssessmentError
from ...figures.axes import (
    LABEL,
    PLACE,
    REFERENCE_NAME_COLOUR,
    FigureOptions,
    Rows,
    add_title_above,
    by_algorithm,
    chosen,
    figure_and_axes,
    has_few_algorithms,
    remove_unused_panels,
    split,
)
from ...figures.fit import IF_ROOM
from ...figures.style import add_legend, add_names_below, blank_figure, style_of
from ...profiles.function_pairs import SINGLE_RUNTIMES
from ...selection import measurement_of
from ...tables.table import Table
from ...targets.parse import target_text
from ...targets.target_sets import allows_restarts, key_of, pair_targets
from .table import ScalingTable, scaling

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .._framework.cell import Cell

_MAX_PANELS = 30
"""Maximum number of functions on one page."""
_MAX_COLUMNS = 5
_PANEL_INCHES = (1.36, 1.3)
"""Width and height of a panel."""
_MARGIN_INCHES = (0.2, 0.7)
"""Width and height of the labels around the panels."""
_MANY_DECADES = 4
"""Range of runtimes in decades beyond which guide lines are two decades apart, else one."""
_REFERENCE_STYLE: dict[str, Any] = {
    # The name has the same colour, and must be dark enough to be read.
    "color": REFERENCE_NAME_COLOUR,
    "alpha": 0.45,
    "linewidth": 4.0,
    "marker": "D",
    "markersize": 5.0,
    "zorder": 1,
    "gid": "reference",
}


def _list_functions(table: Table) -> dict[tuple[Any, ...], list[int]]:
    """Return the functions with several dimensions, by suite and target.

    Raises:
        AssessmentError: No function has several dimensions.
    """
    key = key_of(table.columns)
    names = ("suite", key, "function", "dimension")
    dimensions: dict[tuple[Any, ...], set[int]] = {}
    for *identity, dimension in zip(*(table[name].tolist() for name in names), strict=True):
        dimensions.setdefault(tuple(identity), set()).add(dimension)
    functions: dict[tuple[Any, ...], list[int]] = {}
    for suite, target, function in sorted(dimensions):
        if len(dimensions[suite, target, function]) > 1:
            functions.setdefault((suite, target), []).append(function)
    if not functions:
        raise AssessmentError(
            "figure: scaling needs runs of a function in two dimensions, to equal targets"
        )
    return functions


def _list_single_functions(table: Table) -> list[dict[str, Any]]:
    """Return suite, function and target of each figure; a single dimension has no figure."""
    key = key_of(table.columns)
    figures = [
        {"suite": suite, "function": function, key: target}
        for (suite, target), functions in _list_functions(table).items()
        for function in functions
    ]
    return sorted(figures, key=lambda figure: tuple(figure.values()))


def _list_pages(table: Table) -> list[dict[str, Any]]:
    """Return suite, target and functions of each page."""
    key = key_of(table.columns)
    return [
        {"suite": suite, key: target, "functions": functions[start : start + _MAX_PANELS]}
        for (suite, target), functions in _list_functions(table).items()
        for start in range(0, len(functions), _MAX_PANELS)
    ]


def _label_with_unit(table: Table, statistic: str = "aRT") -> str:
    """Return a label of a statistic of runtimes with its unit, such as ``aRT / dimension``."""
    return f"{statistic} ({SECONDS})" if table.axis == SECONDS else f"{statistic} / dimension"


def _describe_target(cell: Cell) -> str:
    """Return the target of a figure in words."""
    if "target" in cell.values:
        return f"precision {target_text(cell.values['target'])}"
    return (
        "the target that the reference just misses within "
        f"{cell.values['budget']:g} * dimension evaluations"
    )


def _describe_marks(cell: Cell) -> str:
    """Return sentences on the crosses and the line of the reference."""
    failed_length = _label_with_unit(cell.table, "median length of unsuccessful runs")
    crosses = f" Crosses: {failed_length}."
    if not has_few_algorithms(cell.table):
        crosses = f" Crosses, where no run succeeded: {failed_length}."
    assert isinstance(cell.table, ScalingTable)
    name = cell.table.reference
    return f"{crosses} Thick: {cell.describe_reference(name)}." if name else crosses


def _caption(cell: Cell) -> str:
    restarts = allows_restarts(measurement_of(cell.runs.log, cell.values["suite"]))
    single_runtimes = SINGLE_RUNTIMES["expected" if restarts else "runs"]
    percentiles = f" Bars: 25th to 75th percentile of {single_runtimes}."
    bars = percentiles if has_few_algorithms(cell.table) else ""
    return (
        f"{_label_with_unit(cell.table)} to {_describe_target(cell)} on {cell.place} "
        f"against the dimension.{bars} Numbers, if there is room: "
        f"successes where not all runs succeeded.{_describe_marks(cell)}"
    )


def _caption_of_page(cell: Cell) -> str:
    return (
        f"{_label_with_unit(cell.table)} to {_describe_target(cell)} on {cell.values['suite']} "
        f"f{ranges(cell.functions)} against the dimension, a panel for each function. Dotted: "
        "slope 1, a runtime that is quadratic in the dimension; horizontal: a runtime that is "
        f"proportional to the dimension.{_describe_marks(cell)}"
    )


@scaling.figure(
    "scaling",
    cells=_list_single_functions,
    caption=_caption,
    targets=pair_targets,
)
def draw_scaling(table: ScalingTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT / dimension against the dimension, one curve for each algorithm.

    Both axes are logarithmic. A horizontal line is a runtime that is proportional to the dimension,
    and a slope of 1 is a quadratic runtime. Bars show the 25th to 75th percentile of single
    runtimes. If not all runs succeeded, the number of successes stands at the mark if there is
    room, and a cross shows the median length of the unsuccessful runs. A reference is a thick line.
    If there are more than four algorithms, there are no bars, and crosses only where no run
    succeeded.

    Args:
        table: The table of `scaling`.
        **options: ``suite``, ``function`` and ``target`` (of run-length targets: ``budget``) select
            the curves.
    """
    figure, axes, rows = figure_and_axes(
        table, ("suite", "function", key_of(table.columns)), options
    )
    _draw_reference(axes, rows, table)
    for name, algorithm_rows, style in by_algorithm(rows):
        _draw_averages(axes, algorithm_rows, name, style, has_few_algorithms(table))
        if has_few_algorithms(table):
            _draw_quartiles(axes, algorithm_rows, style["color"])
        _write_successes(axes, algorithm_rows, style["color"])
    axes.set(xlabel="dimension", ylabel=_label_with_unit(table))
    _scale_axes(axes, rows)
    add_legend(axes)
    return figure


def _draw_reference(axes: Axes, rows: Rows, table: ScalingTable) -> None:
    """Draw the average runtimes of the reference as a thick line, if there is a reference."""
    if "reference" not in rows:
        return
    runtime_of_dimension = dict(
        zip(rows["dimension"].tolist(), rows["reference"].tolist(), strict=True)
    )
    dimensions = [d for d in sorted(runtime_of_dimension) if np.isfinite(runtime_of_dimension[d])]
    if dimensions:
        runtimes = [runtime_of_dimension[dimension] for dimension in dimensions]
        axes.plot(dimensions, runtimes, **_REFERENCE_STYLE, label=table.reference)


def _draw_averages(
    axes: Axes, rows: Rows, name: str, style: dict[str, Any], is_one_of_few: bool
) -> None:
    """Draw the curve of an algorithm, and a cross for each dimension with unsuccessful runs.

    The name belongs to the curve. If no run succeeded, it belongs to the last cross. Unless the
    algorithm ``is_one_of_few``, crosses are only in dimensions where no run succeeded.
    """
    is_reached = np.isfinite(rows["art"])
    has_cross = rows["successes"] < rows["runs"] if is_one_of_few else ~is_reached
    dimensions, lengths = (rows[key][has_cross] for key in ("dimension", "unsuccessful"))
    crosses = {"marker": "x", "linestyle": "none", "color": style["color"]}
    crosses["markersize"] = style.get("markersize", 6.0)
    named_cross = style | {"marker": "x"}  # the line beside its name has the dashes of the style
    if is_reached.any():
        averages = rows["dimension"][is_reached], rows["art"][is_reached]
        axes.plot(*averages, label=name, **style)
    else:
        axes.plot(dimensions[-1:], lengths[-1:], label=name, **named_cross)
        dimensions, lengths = dimensions[:-1], lengths[:-1]
    axes.plot(dimensions, lengths, label="_nolegend_", **crosses)


def _draw_quartiles(axes: Axes, rows: Rows, colour: str) -> None:
    """Draw a bar from the 25th to the 75th percentile of single runtimes in each dimension."""
    is_reached = np.isfinite(rows["art"])
    x, low, high, art = (rows[key][is_reached] for key in ("dimension", "q25", "q75", "art"))
    # An infinite percentile cannot be drawn: the bar then ends at the average.
    axes.vlines(x, low, np.where(np.isfinite(high), high, art), color=colour, linewidth=0.7)


def _write_successes(axes: Axes, rows: Rows, colour: str) -> None:
    """Write the number of successes at each average for which not all runs succeeded."""
    for i in np.flatnonzero((rows["successes"] < rows["runs"]) & np.isfinite(rows["art"])):
        axes.annotate(
            str(rows["successes"][i]), (rows["dimension"][i], rows["art"][i]), xytext=(3, 3),
            textcoords="offset points", fontsize=6, color=colour, gid=IF_ROOM,
        )  # fmt: skip


def _scale_axes(axes: Axes, rows: Rows) -> None:
    """Make both axes logarithmic, with a tick at each dimension."""
    dimensions = sorted(set(rows["dimension"].tolist()))
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(dimensions, [str(dimension) for dimension in dimensions])
    axes.set_xticks([], minor=True)
    axes.set_xlim(dimensions[0] / 1.2, dimensions[-1] * 1.2)


@scaling.figure(
    "scaling-functions",
    cells=_list_pages,
    caption=_caption_of_page,
    targets=pair_targets,
)
def draw_scaling_of_functions(table: ScalingTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT / dimension against the dimension for all functions, a panel for each.

    All panels have equal logarithmic axes. Dotted guide lines have slope 1: a runtime along them is
    quadratic in the dimension. A horizontal curve is a runtime that is proportional to the
    dimension. Crosses show the median length of unsuccessful runs. A reference is a thick line. If
    there are more than four algorithms, crosses are drawn only where no run succeeded.

    Args:
        table: The table of `scaling`.
        **options: ``suite`` and ``target`` (of run-length targets: ``budget``) select the curves.
            ``functions`` are the functions; default: all that have several dimensions. The number
            of panels determines the width.

    Raises:
        AssessmentError: No function has several dimensions.
    """
    names = ("suite", key_of(table.columns))
    rows = chosen(table, names, options)
    functions = options.get("functions")
    if functions is None:
        [functions] = _list_functions(Table(rows)).values()
    rows_by_function = split(rows, "function")
    n_columns = min(_MAX_COLUMNS, len(functions))
    n_rows = math.ceil(len(functions) / n_columns)
    size = np.array(_MARGIN_INCHES) + np.array(_PANEL_INCHES) * (max(n_columns, 2), n_rows)
    figure = blank_figure((float(size[0]), float(size[1])))
    grid = figure.subplots(n_rows, n_columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, function in zip(grid, functions, strict=False):
        function_rows = rows_by_function[function]
        _draw_reference(axes, function_rows, table)
        for name, algorithm_rows, style in by_algorithm(function_rows):
            _draw_averages(
                axes, algorithm_rows, name, {**style, "markersize": 3.0}, has_few_algorithms(table)
            )
        axes.set_title(f"f{function}")
    _scale_axes(grid[0], rows)
    for axes in grid[: len(functions)]:
        _draw_guides(axes, grid[0].get_xlim(), grid[0].get_ylim())
    remove_unused_panels(grid, len(functions), n_columns)
    bottom = grid[(n_rows - 1) * n_columns : len(functions)]
    bottom[(len(bottom) - 1) // 2].set_xlabel("dimension")
    grid[(n_rows - 1) // 2 * n_columns].set_ylabel(_label_with_unit(table))
    add_title_above(figure, rows, names, options)
    _add_all_names(figure, grid[0], rows, table)
    return figure


def _draw_guides(axes: Axes, x_limits: tuple[float, float], y_limits: tuple[float, float]) -> None:
    """Draw parallel dotted lines of slope 1 across a panel with logarithmic axes."""
    x = np.array(x_limits)
    lowest, highest = np.log10(y_limits[0] * x[0] / x[1]), np.log10(y_limits[1])
    distance = 2 if highest - lowest > _MANY_DECADES else 1
    for exponent in np.arange(math.floor(lowest), highest, distance):
        axes.plot(
            x, 10.0**exponent * x / x[0], ":", color="0.6", linewidth=0.6, zorder=0.5,
            marker="none", label="_guide", gid="guide",
        )  # fmt: skip
    axes.set(xlim=x_limits, ylim=y_limits)


def _add_all_names(figure: Figure, axes: Axes, rows: Rows, table: ScalingTable) -> None:
    """Write the names of all algorithms below the panels, also of those without a curve in one."""
    for line in axes.get_lines():
        line.set_label("_nolegend_")
    if table.reference:
        axes.plot([], [], **_REFERENCE_STYLE, label=table.reference)
    style_indices = dict(zip(rows[LABEL].tolist(), rows[PLACE].tolist(), strict=True))
    for name, index in style_indices.items():
        axes.plot([], [], label=name, **style_of(index))
    add_names_below(figure, axes)
