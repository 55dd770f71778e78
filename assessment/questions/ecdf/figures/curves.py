"""Draw runtime profiles in COCO's style, with budgets on a logarithmic axis.

The figure ``ecdf`` has the curves of all algorithms on one group of functions. A cross marks the
median length of unsuccessful runs, a dot ends a curve, and names stand at the right end. The figure
``ecdf-functions`` has the curves of each function of a group and those of the group, in panels or
in one plot. `_different_curves` and `_groups` list the figures that a table has.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from .....suites.selection import ranges
from ....cost import SECONDS
from ....errors import AssessmentError
from ....figures.axes import (
    REFERENCE_COLOUR,
    REFERENCE_NAME_COLOUR,
    FigureOptions,
    end_of_shares,
    labels_of,
    places_of,
    remove_unused_panels,
    single_value,
    size_of,
)
from ....figures.style import Name, add_names, add_names_below, blank_figure, style_of
from ....hits.run_sets import RunSet
from ....profiles.background import join_names
from ....profiles.profiles import EcdfTable, Profile
from ....profiles.single_runs import SingleRun, single_runs_of
from ....selection import measurement_of
from ....tables.table import text
from ....targets.budgets import AXIS, axis_text
from ....targets.target_sets import allows_restarts
from ..table import ecdf

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..._framework.cell import Cell

BACKGROUND = "#b4b4b4"
"""Colour of the thin lines of background algorithms."""
_FEW_COLUMNS = 3
_MANY_COLUMNS = 5
_MAX_PANELS_IN_FEW_COLUMNS = 8
"""Maximum number of panels in ``_FEW_COLUMNS``; more panels stand in ``_MANY_COLUMNS``."""
_PANEL_INCHES = 1.45
"""Width and height of a panel."""


def _curves(table: EcdfTable) -> list[dict[str, Any]]:
    """Return suite, dimension and group of each figure, with the functions of all its curves."""
    functions: dict[tuple[str, int, str], set[int]] = {}
    for p in table.profiles:
        if p.group:
            functions.setdefault((p.suite, p.dimension, p.group), set()).update(p.functions)
    names = ("suite", "dimension", "group")
    return [
        {**dict(zip(names, values, strict=True)), "functions": sorted(numbers)}
        for values, numbers in functions.items()
    ]


def _different_curves(table: EcdfTable) -> list[dict[str, Any]]:
    """Return the figures of `_curves`; groups with the same functions have one figure."""
    figures: dict[tuple[Any, ...], dict[str, Any]] = {}
    for curve in _curves(table):
        key = curve["suite"], curve["dimension"], *curve["functions"]
        figures.setdefault(key, curve)
    return list(figures.values())


def _groups(table: EcdfTable) -> list[dict[str, Any]]:
    """Return the figures of `_curves` that show a group of functions.

    If some profiles have no group, or if the table has no groups, return the figures of all
    functions together.

    Raises:
        AssessmentError: The table lacks curves of single functions or of several functions.
    """
    curves = _curves(table)
    of_several = [c for c in curves if c["group"] != f"f{c['functions'][0]:03d}"]
    if not of_several or len(of_several) == len(curves):
        raise AssessmentError(
            "figure: ecdf-functions shows curves of functions and of groups of them; group by "
            "function and by group or all (--group-by function,group)"
        )
    groups = [curve for curve in of_several if curve["group"] != "all"]
    if groups and all(p.group for p in table.profiles):
        return groups
    return [curve for curve in of_several if curve["group"] == "all"]


def _caption(cell: Cell) -> str:
    return (
        f"Runtime profiles on {cell.values['suite']} f{ranges(cell.functions)} in "
        f"{cell.values['dimension']}-D: share of function-target pairs solved within a budget of "
        f"{axis_text(cell.table.axis)}; {describe_runtimes(cell)} Cross: median over functions "
        "of the longest unsuccessful runs. Dot: share of pairs that any run solved."
        f"{describe_other_lines(cell, _profiles_of(cell, [cell.values['group']]))}"
    )


def _caption_by_function(cell: Cell) -> str:
    together = "at last"
    groups = [cell.values["group"], *(f"f{function:03d}" for function in cell.functions)]
    marks = (
        " Cross: median over functions of the longest unsuccessful runs. Dot: share of pairs "
        f"that any run solved.{describe_other_lines(cell, _profiles_of(cell, groups))}"
    )
    if cell.options.get("one_axes"):
        together, marks = "the thick curve", ""
    return (
        f"Runtime profiles of the functions f{ranges(cell.functions)} of {cell.values['suite']} in "
        f"{cell.values['dimension']}-D, and {together} of all of them together "
        f"({cell.values['group']}): share of function-target pairs solved within a budget; "
        f"{describe_runtimes(cell)}{marks}"
    )


def describe_runtimes(cell: Cell) -> str:
    """Return sentences on the targets, the runtimes to them and the bands."""
    assert isinstance(cell.table, EcdfTable)
    targets = next(
        p.targets_text
        for p in cell.table.profiles
        if all(getattr(p, name) == value for name, value in cell.values.items())
    )
    level = cell.options.get("interval")
    bands = "" if level is None else f" Bands: pointwise {100 * level:g} % confidence intervals."
    if cell.options.get("runtimes") == "runs":
        return f"{targets}. Runtimes are those of single runs.{bands}"
    if allows_restarts(measurement_of(cell.runs.log, cell.values["suite"])):
        return f"{targets}. Runtimes are those of the algorithm restarted until it succeeds.{bands}"
    return (
        f"{targets}. Runtimes are those of single runs: no restarts are simulated with two "
        f"objectives.{bands}"
    )


def _profiles_of(cell: Cell, groups: Sequence[str]) -> list[Profile]:
    """Return the profiles of a figure's suite and dimension that have one of the groups."""
    assert isinstance(cell.table, EcdfTable)
    key = cell.values["suite"], cell.values["dimension"]
    return [p for p in cell.table.profiles if (p.suite, p.dimension) == key and p.group in groups]


def describe_other_lines(cell: Cell, profiles: Iterable[Profile]) -> str:
    """Return sentences on the lines of references, of other algorithms and of single runs.

    Args:
        cell: Part of the table that the figure shows.
        profiles: Curves of the figure.
    """
    profiles = list(profiles)
    sentences = [
        f" Thick: {cell.describe_reference(name)}."
        for name in dict.fromkeys(p.algorithm for p in profiles if p.reference)
    ]
    n_others = len({p.algorithm for p in profiles if p.background})
    if n_others:
        plural = "s" if n_others > 1 else ""
        sentences.append(f" Thin and grey: {n_others} other algorithm{plural}.")
    assert isinstance(cell.table, EcdfTable)
    curves = {p.algorithm for p in profiles}
    if missing := [name for name in cell.table.background if name not in curves]:
        sentences.append(
            f" Not drawn, because they were not run on all functions: {join_names(missing)}."
        )
    if cell.table.left_out:
        sentences.append(
            " Left out of the thin lines, because a compared algorithm has the same name: "
            f"{join_names(cell.table.left_out)}."
        )
    if cell.options.get("single_runs"):
        several = ", one of each function, with the same instance"
        joined = several if len(cell.functions) > 1 else ""
        sentences.append(f" Thin and coloured: single runs{joined}.")
    return "".join(sentences)


@ecdf.figure(
    "ecdf",
    cells=_different_curves,
    caption=_caption,
)
def draw_ecdf(
    table: EcdfTable, *, single_runs: bool = False, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw the runtime profiles of all algorithms in one dimension and group of functions.

    The cross marks the median, over functions, of the longest unsuccessful runs. The dot at the end
    of a curve marks the share of pairs that any run solved. Names stand at the right, ordered
    by the fractions reached. Bands are shaded if the table has them (``interval``).

    Args:
        table: The table of `ecdf`.
        single_runs: Draw single runs as thin curves behind those of their algorithms. A curve over
            several functions joins one run of each function, all with the same instance.
        **options: ``suite``, ``dimension`` and ``group`` select the curves.
    """
    all_profiles = select_profiles(table.profiles, options, "suite", "dimension", "group")
    figure = blank_figure(size_of(options))
    axes = figure.add_subplot()
    profiles = [p for p in all_profiles if not p.background]
    background = [p for p in all_profiles if p.background]
    limits = left, right = left_limit(profiles, table.target_budgets), right_limit(profiles)
    draw_background(axes, background, right)
    top = end_of_shares(max(p.at(right) for p in all_profiles))
    algorithms = [p.algorithm for p in table.profiles if not (p.reference or p.background)]
    style_indices = places_of(algorithms, options)
    labels = labels_of([p.algorithm for p in profiles], options)
    names_by_area = []
    for i, profile in enumerate(profiles):
        style = style_of(style_indices.get(profile.algorithm, i))
        if single_runs:
            runs = single_runs_of(profile, table.run_sets)
            draw_single_runs(axes, runs, style["color"])
            top = max(top, end_of_shares(max([0.0, *(run.shares[-1] for run in runs)])))
        _draw_curve(axes, profile, style, limits, (i + 0.5) / len(profiles))
        if "low" in table.names and not profile.reference:
            _draw_band(axes, table, profile, style["color"])
        if profile.reference:
            style = {"color": REFERENCE_NAME_COLOUR, "linewidth": 4.0}
        # The mean height orders names whose curves end at equal heights.
        area = float(np.mean([profile.at(b) for b in np.geomspace(left, right, 200)]))
        names_by_area.append((area, profile, style))
    _set_axes(axes, profiles, limits, top)
    names = [
        Name(_label(profile, profiles, labels), profile.at(right) / top, style)
        for _, profile, style in sorted(names_by_area, key=lambda named: named[0])
    ]
    add_names(axes, names)
    return figure


def select_profiles(
    profiles: Sequence[Profile], options: FigureOptions, *names: str
) -> list[Profile]:
    """Select the profiles that have one value of each of the attributes ``names``.

    The value is that of ``options``; without one, it is the only value that the profiles have.
    """
    for name in names:
        value = single_value(name, [getattr(p, name) for p in profiles], options.get(name))
        profiles = [p for p in profiles if getattr(p, name) == value]
    return list(profiles)


def left_limit(profiles: Sequence[Profile], target_budgets: Sequence[float] = ()) -> float:
    """Return the left end of the axis of budgets, a power of ten.

    It is 1, or less if run-length targets have smaller budgets. If seconds are counted, it is
    before the first hit.

    Args:
        profiles: The curves, which have one unit.
        target_budgets: Budgets of run-length targets in evaluations / dimension, ascending.
    """
    first = min(p.budgets[0] for p in profiles)
    if profiles[0].axis == SECONDS:
        return float(10.0 ** np.floor(np.log10(first)))
    if profiles[0].axis != AXIS:
        return 1.0
    return float(10.0 ** np.floor(np.log10(min([1.0, *target_budgets]))))


def right_limit(profiles: Sequence[Profile]) -> float:
    """Return a power of ten that is at least 10 times the left limit, and right of all marks."""
    budgets = [point[0] for p in profiles for point in (p.dot, p.marker) if point]
    # 0.05: a mark just left of a power of ten would touch the edge
    return float(10.0 ** np.ceil(np.log10(max([*budgets, 10 * left_limit(profiles)])) + 0.05))


def _draw_curve(
    axes: Axes, profile: Profile, style: dict[str, Any], limits: tuple[float, float], phase: float
) -> None:
    """Draw one curve with its markers, cross and dot; a reference is a thick line without these.

    ``phase`` in (0, 1) shifts the markers along the curve, so that equal curves show both.
    """
    left, right = limits
    if profile.reference:
        look = {"color": REFERENCE_COLOUR, "linewidth": 4.0, "zorder": 1, "gid": "reference"}
        draw_steps(axes, profile, right, look)
        return
    colour = style["color"]
    end = max([left, *(point[0] for point in (profile.dot, profile.marker) if point)])
    is_solid = profile.budgets <= end
    x = np.append(profile.budgets[is_solid], end)
    y = np.append(profile.fraction[is_solid], profile.at(right))
    axes.plot(
        x, y, color=colour, linestyle=style["linestyle"], linewidth=1.2, drawstyle="steps-post",
        zorder=3,
    )  # fmt: skip
    axes.plot([end, right], [y[-1]] * 2, ":", color=colour, linewidth=0.8, zorder=2)
    marked_budgets = 10.0 ** np.arange(np.log10(left) + phase / 2, np.log10(end), 0.5)
    axes.plot(
        marked_budgets,
        [profile.at(budget) for budget in marked_budgets],
        style["marker"],
        color=colour,
        markersize=4.0,
        markerfacecolor="white",
        markeredgewidth=0.9,
        clip_on=False,
        zorder=4,
    )
    for point, marker, size in ((profile.marker, "x", 8.0), (profile.dot, "o", 3.0)):
        if point:
            axes.plot(
                *point,
                marker,
                color=colour,
                markersize=size,
                markeredgewidth=1.6 if marker == "x" else 1.0,
                clip_on=point[0] < left,
                zorder=6,
            )


def draw_background(axes: Axes, profiles: Sequence[Profile], right: float) -> None:
    """Draw the curves of background algorithms, thin and grey, up to the right end of the axes."""
    for p in profiles:
        x, y = np.append(p.budgets, right), np.append(p.fraction, p.at(p.budgets[-1]))
        axes.plot(
            np.minimum(x, right), y, color=BACKGROUND, linewidth=0.5, drawstyle="steps-post",
            zorder=0.5, gid="background",
        )  # fmt: skip


def draw_single_runs(axes: Axes, runs: Sequence[SingleRun], colour: str) -> None:
    """Draw single runs as thin curves, which end with the runs."""
    for run in runs:
        axes.plot(
            run.budgets, run.shares, color=colour, linewidth=0.5, alpha=0.6,
            drawstyle="steps-post", zorder=0.8, gid="single run",
        )  # fmt: skip


def _draw_band(axes: Axes, table: EcdfTable, profile: Profile, colour: str) -> None:
    """Shade the band of a curve, from the columns ``low`` to ``high`` of its rows."""
    keys = ("algorithm", "suite", "dimension", "group")
    is_of_curve = np.all([table[name] == getattr(profile, name) for name in keys], axis=0)
    low, high = table["low"][is_of_curve], table["high"][is_of_curve]
    axes.fill_between(
        profile.budgets, low, high, step="post", color=colour, alpha=0.15, linewidth=0, zorder=1
    )


def _label(profile: Profile, profiles: Sequence[Profile], labels: Mapping[str, str]) -> str:
    """Return the algorithm's label, with its functions if the curves have different functions."""
    name = labels[profile.algorithm] + (" *" if profile.partial else "")
    has_equal_functions = all(p.functions == profile.functions for p in profiles)
    return name if has_equal_functions else f"{name} (f{ranges(profile.functions)})"


def _set_axes(
    axes: Axes, profiles: Sequence[Profile], limits: tuple[float, float], top: float
) -> None:
    axes.set_xscale("log")
    axes.set_xlim(limits)
    axes.set_ylim(0, top)
    axes.locator_params(axis="y", nbins=5)
    axes.grid(True, color="0.85", linewidth=0.5)
    axes.grid(True, axis="x", which="minor", color="0.94", linewidth=0.3)
    axes.set_xlabel(axis_text(profiles[0].axis))
    axes.set_ylabel("fraction of function-target pairs")
    axes.set_title(_title(profiles), loc="left", linespacing=1.35, parse_math=False)


def _title(profiles: Sequence[Profile]) -> str:
    """Return two lines: suite, functions and dimension; targets and number of instances."""
    profile = profiles[0]
    functions = sorted({f for p in profiles for f in p.functions})
    group = "" if profile.group == "all" or len(functions) == 1 else f" {text(profile.group)},"
    problems = f"{text(profile.suite)},{group} f{ranges(functions)}, {profile.dimension}-D"
    counts = sorted({len(p.instances) for p in profiles if p.instances})
    n_instances = "-".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
    plural = "" if n_instances == "1" else "s"
    return f"{problems}\n{profile.targets_text}, {n_instances} instance{plural}"


@ecdf.figure(
    "ecdf-functions",
    cells=_groups,
    caption=_caption_by_function,
    group_by=("function", "group", "all"),
)
def draw_by_function(
    table: EcdfTable,
    *,
    one_axes: bool = False,
    single_runs: bool = False,
    **options: Unpack[FigureOptions],
) -> Figure:
    """Draw a panel for each function of a group, and at last one for the group.

    Args:
        table: The table of `ecdf` with ``group_by`` ``("function", "group")``, or ``"all"`` in
            place of ``"group"``.
        one_axes: Draw one plot instead of panels, with thin curves of the functions and a thick
            curve of the group. With one algorithm, colours distinguish functions; with several,
            they distinguish algorithms.
        single_runs: Draw single runs as thin curves behind those of their algorithms. A curve over
            several functions joins one run of each function, all with the same instance.
        **options: ``suite``, ``dimension`` and ``group`` select the curves. The number of panels
            determines their width.

    Raises:
        AssessmentError: ``one_axes`` and ``single_runs`` are both set.
    """
    if one_axes and single_runs:
        raise AssessmentError("figure: single_runs would hide the thin curves of one_axes")
    profiles = select_profiles(table.profiles, options, "suite", "dimension")
    if one_axes:  # thin curves of the functions would hide those of the background
        profiles = [p for p in profiles if not p.background]
    function_groups = {p.group for p in profiles if p.group == f"f{p.functions[0]:03d}"}
    of_several = [p for p in profiles if p.group not in function_groups]
    group_profiles = select_profiles(of_several, options, "group")
    functions = sorted({f for p in group_profiles for f in p.functions})
    by_function = {f: [p for p in profiles if p.group == f"f{f:03d}"] for f in functions}
    algorithms = [p.algorithm for p in profiles if not p.background]
    style_indices, labels = places_of(algorithms, options), labels_of(algorithms, options)
    if one_axes:
        left = left_limit([p for p in profiles if not p.background], table.target_budgets)
        size = size_of(options)
        return _draw_one_axes(by_function, group_profiles, style_indices, labels, size, left)
    run_sets = table.run_sets if single_runs else ()
    return _draw_panels(table, by_function, group_profiles, style_indices, labels, run_sets)


def _draw_panels(
    table: EcdfTable,
    by_function: Mapping[int, list[Profile]],
    group_profiles: list[Profile],
    style_indices: Mapping[str, int],
    labels: Mapping[str, str],
    run_sets: Sequence[RunSet],
) -> Figure:
    """Draw a panel for each function, then one for the group, all with equal axes.

    A group of one function has no panel, because it would equal that of the function. The single
    runs of ``run_sets`` are drawn behind the curves.
    """
    panels = {f"f{function}": profiles for function, profiles in by_function.items()}
    if len(by_function) > 1:
        panels[group_profiles[0].group] = group_profiles
    max_columns = _FEW_COLUMNS if len(panels) <= _MAX_PANELS_IN_FEW_COLUMNS else _MANY_COLUMNS
    columns = min(max_columns, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = blank_figure((0.3 + _PANEL_INCHES * max(columns, 2), 0.6 + _PANEL_INCHES * rows))
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    foreground = [p for panel in panels.values() for p in panel if not p.background]
    left = left_limit(foreground, table.target_budgets)
    right = max(10 * left, *(float(p.budgets[-1]) for p in foreground))
    for axes, (title, profiles) in zip(grid, panels.items(), strict=False):
        draw_background(axes, [p for p in profiles if p.background], right)
        curves = style_by_algorithm(profiles, style_indices, labels)
        draw_panel(axes, curves, (left, right), run_sets)
        weight = "bold" if profiles is group_profiles else None
        axes.set_title(title, fontweight=weight, parse_math=False)
    end_axes_of_shares(grid)
    remove_unused_panels(grid, len(panels), columns)
    profile = group_profiles[0]
    title = f"{profile.suite}, {profile.dimension}-D, {profile.targets_text}"
    figure.suptitle(title, x=0.01, ha="left", size=8.0)
    start_of_last_row = (rows - 1) * columns
    grid[(start_of_last_row + len(panels) - 1) // 2].set_xlabel(axis_text(profile.axis))
    figure.supylabel("fraction of function-target pairs", size=8.0)
    add_names_below(figure, grid[len(panels) - 1])
    return figure


class StyledProfile(NamedTuple):
    """A curve of a panel, with its name in the legend and the style of its line."""

    profile: Profile
    name: str
    style: Mapping[str, Any]


def style_by_algorithm(
    profiles: Iterable[Profile], style_indices: Mapping[str, int], labels: Mapping[str, str]
) -> list[StyledProfile]:
    """Return the curves with the names and styles of their algorithms, without the background."""
    curves = []
    for p in profiles:
        if not p.background:
            style = style_of(style_indices[p.algorithm], marked=False)
            if p.reference:
                style = {"color": REFERENCE_COLOUR, "linewidth": 3.0, "zorder": 1}
            name = labels[p.algorithm] + (" *" if p.partial else "")
            curves.append(StyledProfile(p, name, style))
    return curves


def draw_panel(
    axes: Axes,
    curves: Sequence[StyledProfile],
    limits: tuple[float, float],
    run_sets: Sequence[RunSet],
) -> None:
    """Draw curves with their crosses and dots into a panel, above the single runs of ``run_sets``.

    Args:
        axes: The panel.
        curves: The curves.
        limits: Limits of the axis of budgets.
        run_sets: Runs of which single runs are drawn; empty for none.
    """
    for profile, name, style in curves:
        draw_single_runs(axes, single_runs_of(profile, run_sets), style["color"])
        draw_steps(axes, profile, limits[1], {**style, "label": name})
        for point, marker in ((profile.marker, "x"), (profile.dot, "o")):
            if point and not profile.reference:
                axes.plot(*point, marker, color=style["color"], markersize=3.5, zorder=4)
    axes.set(xscale="log", xlim=limits)


def end_axes_of_shares(panels: Iterable[Axes]) -> None:
    """End the axes of shares, which all panels share, just above the highest line."""
    panels = list(panels)
    lines = [line for axes in panels for line in axes.get_lines()]
    shares = np.concatenate([np.asarray(line.get_ydata(), dtype=float) for line in lines])
    panels[0].set_ylim(0, end_of_shares(float(shares.max(initial=0.0))))


def _draw_one_axes(
    by_function: Mapping[int, list[Profile]],
    group_profiles: list[Profile],
    style_indices: Mapping[str, int],
    labels: Mapping[str, str],
    size: tuple[float, float],
    left: float,
) -> Figure:
    """Draw thin curves of the functions and thick ones of the group in one plot.

    If there is one algorithm, colours and names tell functions apart, else algorithms. ``left`` is
    the left end of the axis of budgets.
    """
    figure = blank_figure(size)
    axes = figure.add_subplot()
    profiles = [*(p for curves in by_function.values() for p in curves), *group_profiles]
    right = right_limit(profiles)
    top = end_of_shares(max(p.at(right) for p in profiles))
    is_single_algorithm = len({p.algorithm for p in group_profiles}) == 1
    names = []
    for i, (function, curves) in enumerate(by_function.items()):
        for p in curves:
            style = style_of(i if is_single_algorithm else style_indices[p.algorithm], marked=False)
            draw_steps(axes, p, right, {**style, "linewidth": 0.7, "alpha": 0.8})
            if is_single_algorithm:
                names.append(Name(f"f{function}", p.at(right) / top, style))
    for p in group_profiles:
        if p.reference:
            style = {"color": REFERENCE_COLOUR}
        elif is_single_algorithm:
            style = {"color": "black"}
        else:
            style = style_of(style_indices[p.algorithm], marked=False)
        draw_steps(axes, p, right, {**style, "linewidth": 2.4, "zorder": 5})
        name = p.group if is_single_algorithm else _label(p, group_profiles, labels)
        names.append(Name(name, p.at(right) / top, style))
    _set_axes(axes, group_profiles, (left, right), top)
    if is_single_algorithm:
        title = f"{labels[group_profiles[0].algorithm]}: {axes.get_title('left')}"
        axes.set_title(title, loc="left", linespacing=1.35, parse_math=False)
    add_names(axes, names)
    return figure


def draw_steps(axes: Axes, profile: Profile, right: float, style: dict[str, Any]) -> None:
    """Draw one curve without markers, up to the right end of the axes."""
    x, y = np.append(profile.budgets, right), np.append(profile.fraction, profile.at(right))
    axes.plot(x, y, drawstyle="steps-post", **style)
