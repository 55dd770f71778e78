"""Draw the runtime profiles of several dimensions in one figure.

A figure of one algorithm has a panel for each group of functions, with a curve for each dimension.
A figure of all algorithms has a panel for each group and dimension, with a curve for each
algorithm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from .....suites.selection import ranges
from ....errors import AssessmentError
from ....figures.axes import FigureOptions, labels_of, places_of, remove_unused_panels, size_of
from ....figures.style import Name, add_names, add_names_below, blank_figure, style_of
from ....hits.run_sets import RunSet
from ....profiles.profiles import EcdfTable, Profile
from ....targets.budgets import axis_text
from ..table import ecdf
from .curves import (
    StyledProfile,
    describe_other_lines,
    describe_runtimes,
    draw_background,
    draw_panel,
    end_axes_of_shares,
    left_limit,
    right_limit,
    select_profiles,
    style_by_algorithm,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..._framework.cell import Cell

_MAX_COLUMNS = 5
"""Maximum number of panels beside each other in the figure of one algorithm."""
_MAX_GROUPS = 7
"""Maximum number of groups in the figure of all algorithms, which has a row of panels for each."""
_PANEL_INCHES = (1.5, 1.25)
"""Width and height of a panel; panels are narrower if the page is not wide enough."""
_PAGE_INCHES = 7.0
"""Width of a page."""
_MARGIN_INCHES = (0.3, 0.6)
"""Width and height of the labels around the panels."""
_REFERENCE_STYLE = {"linewidth": 3.0, "linestyle": "-", "alpha": 0.3, "zorder": 1}
"""Style of the curves of a reference, beside the colours of their dimensions."""


def _list_figures(table: EcdfTable) -> list[dict[str, Any]]:
    """Return the suite and algorithm of each figure; the figure of all algorithms has no algorithm.

    Algorithms with runs in one dimension have no figure.

    Raises:
        AssessmentError: No suite has curves in several dimensions.
    """
    figures: list[dict[str, Any]] = []
    suites = dict.fromkeys(p.suite for p in table.profiles)
    for suite in suites:
        profiles = [p for p in table.profiles if p.suite == suite and not p.background]
        if len({p.dimension for p in profiles}) < 2:
            continue
        functions = sorted({f for p in profiles for f in p.functions})
        algorithms = dict.fromkeys(p.algorithm for p in profiles if not p.reference)
        for algorithm in algorithms:
            algorithm_profiles = [p for p in profiles if p.algorithm == algorithm]
            if len({p.dimension for p in algorithm_profiles}) > 1:
                figures.append({"suite": suite, "algorithm": algorithm, "functions": functions})
        n_groups = len(_group_panels(profiles))
        if len(algorithms) > 1 and n_groups <= _MAX_GROUPS:
            figures.append({"suite": suite, "functions": functions})
    if not figures:
        raise AssessmentError("figure: ecdf-dimensions needs runs in two dimensions of a suite")
    return figures


def _caption(cell: Cell) -> str:
    assert isinstance(cell.table, EcdfTable)
    suite, algorithm = cell.values["suite"], cell.values.get("algorithm")
    profiles = [p for p in cell.table.profiles if p.suite == suite]
    groups = _group_panels(profiles)
    of_algorithm = "" if algorithm is None else f" of {algorithm}"
    panels = "" if len(groups) == 1 else "; a panel for each group of functions"
    if algorithm is None:
        panels = "; a row of panels for each group of functions, a column for each dimension"
    shown = [p for p in profiles if algorithm is None or not p.background]
    return (
        f"Runtime profiles{of_algorithm} on {suite} f{ranges(cell.functions)} in several "
        f"dimensions{panels}: share of function-target pairs solved within a budget of "
        f"{axis_text(cell.table.axis)}; {describe_runtimes(cell)} Cross: median over functions of "
        "the longest unsuccessful runs. Dot: share of pairs that any run solved."
        + describe_other_lines(cell, shown)
    )


@ecdf.figure(
    "ecdf-dimensions",
    cells=_list_figures,
    caption=_caption,
    group_by=("group", "all"),
)
def draw_by_dimension(
    table: EcdfTable, *, single_runs: bool = False, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw the profiles of one algorithm in all dimensions, or those of all algorithms.

    The figure of one algorithm has a panel for each group of functions. All dimensions are in one
    panel. The figure of all algorithms has a row of panels for each group, and a column for each
    dimension. It has at most seven rows.

    Args:
        table: The table of `ecdf`.
        single_runs: Draw single runs as thin curves behind those of their algorithms. A curve over
            several functions joins one run of each function, all with the same instance.
        **options: ``suite`` selects the curves. ``algorithm`` selects the algorithm; without it,
            the figure shows all algorithms of the table.

    Raises:
        AssessmentError: The table has several suites, or several algorithms and more than seven
            groups.
    """
    profiles = select_profiles(table.profiles, options, "suite")
    foreground = [p for p in profiles if not p.background]
    left, right = left_limit(foreground, table.target_budgets), right_limit(foreground)
    run_sets = table.run_sets if single_runs else ()
    algorithms = [p.algorithm for p in foreground]
    labels = labels_of(algorithms, options)
    compared = list(dict.fromkeys(p.algorithm for p in foreground if not p.reference))
    algorithm = options.get("algorithm")
    if algorithm is None and len(compared) > 1:
        style_indices = places_of(algorithms, options)
        return _draw_grid(profiles, style_indices, labels, (left, right), run_sets)
    algorithm = algorithm or compared[0]
    shown = [p for p in foreground if p.reference or p.algorithm == algorithm]
    panels = _group_panels(shown)
    if len(panels) == 1:
        (shown,) = panels.values()
        return _draw_overlay(shown, labels[algorithm], (left, right), run_sets, size_of(options))
    return _draw_groups(panels, labels[algorithm], (left, right), run_sets)


def _group_panels(profiles: Sequence[Profile]) -> dict[str, list[Profile]]:
    """Return the profiles by their group; groups with the same functions have one panel."""
    by_group: dict[str, list[Profile]] = {}
    for p in profiles:
        by_group.setdefault(p.group, []).append(p)
    panels: dict[frozenset[int], tuple[str, list[Profile]]] = {}
    for group, members in by_group.items():
        functions = {f for p in members for f in p.functions}
        panels.setdefault(frozenset(functions), (group, members))
    return dict(panels.values())


def _style_by_dimension(profiles: Sequence[Profile]) -> list[StyledProfile]:
    """Return the curves with the names and styles of their dimensions."""
    dimensions = sorted({p.dimension for p in profiles})
    curves = []
    for p in sorted(profiles, key=lambda p: (p.dimension, p.reference)):
        style = style_of(dimensions.index(p.dimension), marked=False)
        if p.reference:
            style |= _REFERENCE_STYLE
        # Names that begin with an underscore are not in the legend.
        name = f"_{p.dimension}-D" if p.reference else f"{p.dimension}-D"
        curves.append(StyledProfile(p, name, style))
    return curves


def _draw_overlay(
    profiles: Sequence[Profile],
    name: str,
    limits: tuple[float, float],
    run_sets: Sequence[RunSet],
    size: tuple[float, float],
) -> Figure:
    """Draw the curves of all dimensions into one plot, with their names at the ends."""
    figure = blank_figure(size)
    axes = figure.add_subplot()
    curves = _style_by_dimension(profiles)
    draw_panel(axes, curves, limits, run_sets)
    end_axes_of_shares([axes])
    axes.set(xlabel=axis_text(profiles[0].axis), ylabel="fraction of function-target pairs")
    axes.set_title(_title(profiles, name), linespacing=1.35, parse_math=False)
    top = axes.get_ylim()[1]
    names = [
        Name(curve.name, curve.profile.at(limits[1]) / top, curve.style)
        for curve in curves
        if not curve.profile.reference
    ]
    add_names(axes, names)
    return figure


def _draw_groups(
    panels: Mapping[str, Sequence[Profile]],
    name: str,
    limits: tuple[float, float],
    run_sets: Sequence[RunSet],
) -> Figure:
    """Draw a panel for each group of functions, with the curves of all dimensions."""
    n_columns = min(_MAX_COLUMNS, math.ceil(math.sqrt(len(panels) + 1)))
    n_rows = math.ceil(len(panels) / n_columns)
    figure = blank_figure(_size_of_grid(n_rows, n_columns))
    grid = figure.subplots(n_rows, n_columns, sharex=True, sharey=True, squeeze=False).ravel()
    profiles = [p for panel in panels.values() for p in panel]
    for axes, (group, group_profiles) in zip(grid, panels.items(), strict=False):
        draw_panel(axes, _style_by_dimension(group_profiles), limits, run_sets)
        axes.set_title(group, parse_math=False)
    end_axes_of_shares(grid[: len(panels)])
    remove_unused_panels(grid, len(panels), n_columns)
    most_dimensions = max(
        range(len(panels)), key=lambda i: len({p.dimension for p in list(panels.values())[i]})
    )
    first_of_last_row = (n_rows - 1) * n_columns
    bottom = grid[(first_of_last_row + len(panels) - 1) // 2]
    _finish_grid(figure, bottom, grid[most_dimensions], profiles, name)
    return figure


def _draw_grid(
    profiles: Sequence[Profile],
    style_indices: Mapping[str, int],
    labels: Mapping[str, str],
    limits: tuple[float, float],
    run_sets: Sequence[RunSet],
) -> Figure:
    """Draw a row of panels for each group and a column for each dimension, with all algorithms."""
    groups = _group_panels(profiles)
    if len(groups) > _MAX_GROUPS:
        raise AssessmentError(
            f"figure: {len(groups)} groups of functions and several algorithms do not fit on a "
            "page; name one algorithm, or group functions by group or all"
        )
    dimensions = sorted({p.dimension for p in profiles})
    figure = blank_figure(_size_of_grid(len(groups), len(dimensions)))
    grid = figure.subplots(len(groups), len(dimensions), sharex=True, sharey=True, squeeze=False)
    for row, group_profiles in zip(grid, groups.values(), strict=True):
        for axes, dimension in zip(row, dimensions, strict=True):
            shown = [p for p in group_profiles if p.dimension == dimension]
            if not shown:
                axes.set_axis_off()
                continue
            draw_background(axes, [p for p in shown if p.background], limits[1])
            draw_panel(axes, style_by_algorithm(shown, style_indices, labels), limits, run_sets)
    for axes, dimension in zip(grid[0], dimensions, strict=True):
        axes.set_title(f"{dimension}-D")
    for axes, group in zip(grid[:, 0], groups, strict=True):
        axes.set_ylabel(group.replace(" ", "\n"), parse_math=False)
    end_axes_of_shares(grid.ravel())
    fullest = max(grid.ravel(), key=lambda axes: len(axes.get_lines()))
    _finish_grid(figure, grid[-1, len(dimensions) // 2], fullest, profiles, None)
    return figure


def _size_of_grid(n_rows: int, n_columns: int) -> tuple[float, float]:
    """Return width and height in inches of a figure with a grid of panels."""
    width = _MARGIN_INCHES[0] + _PANEL_INCHES[0] * n_columns
    return min(_PAGE_INCHES, width), _MARGIN_INCHES[1] + _PANEL_INCHES[1] * n_rows


def _finish_grid(
    figure: Figure,
    bottom: Axes,
    legend_panel: Axes,
    profiles: Sequence[Profile],
    name: str | None,
) -> None:
    """Add title, labels of the axes, and the names of curves below a figure of several panels.

    Args:
        figure: The figure.
        bottom: Panel in the middle of the last row.
        legend_panel: Panel whose curves are named.
        profiles: All curves of the figure.
        name: Name of the algorithm. None: the figure shows all algorithms.
    """
    title = _title(profiles, name).replace("\n", ", ")
    figure.suptitle(title, x=0.01, ha="left", size=8.0, parse_math=False)
    bottom.set_xlabel(axis_text(profiles[0].axis))
    figure.supylabel("fraction of function-target pairs", size=8.0)
    add_names_below(figure, legend_panel)


def _title(profiles: Sequence[Profile], name: str | None) -> str:
    """Return two lines: the algorithm's name, suite and functions; targets."""
    functions = sorted({f for p in profiles for f in p.functions})
    beginning = "" if name is None else f"{name}: "
    return f"{beginning}{profiles[0].suite} f{ranges(functions)}\n{profiles[0].targets_text}"
