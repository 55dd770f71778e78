"""Runtime profiles in COCO's look: log budgets, cross, dot, names where the curves end.

Of groups of functions, and of all functions of a group in panels of one figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ....suites.selection import ranges
from ...data.counting import SECONDS
from ...data.profiles import EcdfTable, Profile
from ...data.selection import measurement_of
from ...figures.axes import FigureOptions, places_of, single_value, size_of
from ...figures.style import Name, add_names, add_names_below, blank_figure, label, style_of
from ...tables.table import text
from ...targets.budgets import axis_text
from ...targets.target_sets import allows_restarts
from .table import ecdf

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...asking.cell import Cell

_TOP = 1.01
REFERENCE = "#e8cfa0"
"""Colour of the thick line of a reference, as in COCO's figures."""
REFERENCE_NAME = "#8f6d2a"
"""Of its name, dark enough to be read."""
BACKGROUND = "#b4b4b4"
"""Colour of thin lines behind."""
_COLUMNS = 3
_MOST_IN_THREE = 8
"""More panels than this stand in five columns."""
_PANEL_INCHES = 1.45


def _curves(table: EcdfTable) -> list[dict[str, Any]]:
    """Suite, dimension and group of each figure, with the functions of all its curves."""
    functions: dict[tuple[str, int, str], set[int]] = {}
    for p in table.profiles:
        if p.group:
            functions.setdefault((p.suite, p.dimension, p.group), set()).update(p.functions)
    names = ("suite", "dimension", "group")
    return [
        {**dict(zip(names, cell, strict=True)), "functions": sorted(own)}
        for cell, own in functions.items()
    ]


def _groups(table: EcdfTable) -> list[dict[str, Any]]:
    """As `_curves`, of groups alone; of all functions where some have no group."""
    named = all(p.group for p in table.profiles)
    found = [cell for cell in _curves(table) if cell["group"] != f"f{cell['functions'][0]:03d}"]
    return [cell for cell in found if (cell["group"] != "all") == named]


def _caption(cell: Cell) -> str:
    return (
        f"Runtime profiles on {cell.values['suite']} f{ranges(cell.functions)} in "
        f"{cell.values['dimension']}-D: share of function-target pairs solved within a budget of "
        f"{axis_text(cell.table.axis)}; {_measured(cell)} Marker: median over functions of the "
        f"longest unsuccessful runs. Dot: all pairs solved at all.{_behind(cell)}"
    )


def _caption_by_function(cell: Cell) -> str:
    together = "at last"
    marks = (
        " Cross: median over functions of the longest unsuccessful runs. Dot: all pairs solved at "
        f"all.{_behind(cell)}"
    )
    if cell.options.get("one_axes"):
        together, marks = "the thick curve", ""
    return (
        f"Runtime profiles of the functions f{ranges(cell.functions)} of {cell.values['suite']} in "
        f"{cell.values['dimension']}-D, and {together} of all of them together "
        f"({cell.values['group']}): share of function-target pairs solved within a budget; "
        f"{_measured(cell)}{marks}"
    )


def _measured(cell: Cell) -> str:
    """The targets, and whose the runtimes to them are."""
    assert isinstance(cell.table, EcdfTable)
    targets = next(
        p.targets_text
        for p in cell.table.profiles
        if all(getattr(p, name) == value for name, value in cell.values.items())
    )
    if allows_restarts(measurement_of(cell.runs.log, cell.values["suite"])):
        return f"{targets}. Runtimes are those of the algorithm restarted until it succeeds."
    return (
        f"{targets}. Runtimes are those of single runs: no restarts are simulated with two "
        "objectives."
    )


def _behind(cell: Cell) -> str:
    """Whose the thick line is, and of how many algorithms the thin ones are."""
    assert isinstance(cell.table, EcdfTable)
    profiles = cell.table.profiles
    names = {p.algorithm for p in profiles if p.reference}
    n = len({p.algorithm for p in profiles if p.background})
    thin = f" Thin and grey: {n} other algorithm{'s' * (n > 1)}." if n else ""
    return "".join(f" Thick: {name}." for name in names) + thin


@ecdf.figure(
    "ecdf",
    cells=_curves,
    caption=_caption,
    options="targets seed reference background unequal count",
    curated=True,
    several={"group_by": ("all", "group", "function")},
)
def draw_ecdf(table: EcdfTable, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the runtime profiles of all algorithms in one dimension and group of functions.

    The cross marks the median over functions of the longest unsuccessful runs. The dot ends a
    curve: the share of pairs solved at all.
    Names stand at the right, ordered by the fractions reached. Bands are shaded, where the
    table has them (``interval``).

    Args:
        table: Profiles.
        **options: ``suite``, ``dimension``, ``group``.
    """
    profiles = profiles_of(table.profiles, options, "suite", "dimension", "group")
    figure = blank_figure(size_of(options))
    axes = figure.add_subplot()
    behind = [p for p in profiles if p.background]
    profiles = [p for p in profiles if not p.background]
    limits = left, limit = _left_limit(profiles), _right_limit(profiles)
    _draw_background(axes, behind, limit)
    everyone = [p.algorithm for p in table.profiles if not (p.reference or p.background)]
    places = places_of(everyone, options.get("algorithms"))
    names = []
    for i, profile in enumerate(profiles):
        style = style_of(places.get(profile.algorithm, i))
        _draw_curve(axes, profile, style, limits, (i + 0.5) / len(profiles))
        if "low" in table.names and not profile.reference:
            _draw_band(axes, table, profile, style["color"])
        if profile.reference:
            style = {"color": REFERENCE_NAME}
        area = float(np.mean([profile.at(b) for b in np.geomspace(left, limit, 200)]))
        names.append((area, Name(_label(profile, profiles), profile.at(limit) / _TOP, style)))
    _dress(axes, profiles, limits)
    add_names(axes, [name for _, name in sorted(names, key=lambda name: name[0])])
    return figure


def profiles_of(profiles: Sequence[Profile], options: FigureOptions, *names: str) -> list[Profile]:
    """Those with one value of each attribute: the one shown, or for None the only one there is."""
    for name in names:
        value = single_value(name, [getattr(p, name) for p in profiles], options.get(name))
        profiles = [p for p in profiles if getattr(p, name) == value]
    return list(profiles)


def _left_limit(profiles: Sequence[Profile]) -> float:
    """1; in seconds the power of ten before the first step."""
    if profiles[0].axis != SECONDS:
        return 1.0
    return float(10.0 ** np.floor(np.log10(min(p.budgets[0] for p in profiles))))


def _right_limit(profiles: Sequence[Profile]) -> float:
    ends = [point[0] for p in profiles for point in (p.dot, p.marker) if point]
    return float(10.0 ** np.ceil(np.log10(max([*ends, 10 * _left_limit(profiles)])) + 0.05))


def _draw_curve(
    axes: Axes, profile: Profile, style: dict[str, Any], limits: tuple[float, float], phase: float
) -> None:
    """One curve; ``phase`` in (0, 1) shifts its markers, so that equal curves show theirs."""
    left, limit = limits
    if profile.reference:
        look = {"color": REFERENCE, "linewidth": 4.0, "zorder": 1, "gid": "reference"}
        _draw_steps(axes, profile, limit, look)
        return
    colour = style["color"]
    end = max([left, *(point[0] for point in (profile.dot, profile.marker) if point)])
    budgets, fraction = profile.budgets, profile.fraction
    solid = budgets <= end
    x = np.append(budgets[solid], end)
    y = np.append(fraction[solid], profile.at(limit))
    axes.plot(
        x, y, style["linestyle"], color=colour, linewidth=1.2, drawstyle="steps-post", zorder=3
    )
    axes.plot([end, limit], [y[-1]] * 2, ":", color=colour, linewidth=0.8, zorder=2)
    places = 10.0 ** np.arange(np.log10(left) + phase / 2, np.log10(end), 0.5)
    axes.plot(
        places,
        [profile.at(place) for place in places],
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


def _draw_background(axes: Axes, profiles: Sequence[Profile], limit: float) -> None:
    for p in profiles:
        x, y = np.append(p.budgets, limit), np.append(p.fraction, p.at(p.budgets[-1]))
        axes.plot(
            np.minimum(x, limit), y, color=BACKGROUND, linewidth=0.5, drawstyle="steps-post",
            zorder=0.5, gid="background",
        )  # fmt: skip


def _draw_band(axes: Axes, table: EcdfTable, profile: Profile, colour: str) -> None:
    """The band of a curve, from ``low`` to ``high``."""
    cell = ("algorithm", "suite", "dimension", "group")
    own = np.all([table[name] == getattr(profile, name) for name in cell], axis=0)
    low, high = table["low"][own], table["high"][own]
    axes.fill_between(
        profile.budgets, low, high, step="post", color=colour, alpha=0.15, linewidth=0, zorder=1
    )


def _label(profile: Profile, profiles: Sequence[Profile]) -> str:
    """The algorithm's name; its functions too where the curves do not stand for the same."""
    name = label(profile.algorithm) + (" *" if profile.partial else "")
    same = all(p.functions == profile.functions for p in profiles)
    return name if same else f"{name} (f{ranges(profile.functions)})"


def _dress(axes: Axes, profiles: Sequence[Profile], limits: tuple[float, float]) -> None:
    axes.set_xscale("log")
    axes.set_xlim(limits)
    axes.set_ylim(0, _TOP)
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.grid(True, color="0.85", linewidth=0.5)
    axes.grid(True, axis="x", which="minor", color="0.94", linewidth=0.3)
    axes.set_xlabel(axis_text(profiles[0].axis))
    axes.set_ylabel("fraction of function-target pairs")
    first, second = _title(profiles)
    axes.set_title(f"{first}\n{second}", loc="left", linespacing=1.35, parse_math=False)


def _title(profiles: Sequence[Profile]) -> tuple[str, str]:
    profile = profiles[0]
    functions = sorted({f for p in profiles for f in p.functions})
    group = "" if profile.group == "all" or len(functions) == 1 else f" {text(profile.group)},"
    first = f"{text(profile.suite)},{group} f{ranges(functions)}, {profile.dimension}-D"
    counts = sorted({len(p.instances) for p in profiles if p.instances})
    few = "-".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
    return first, f"{profile.targets_text}, {few} instance{'' if few == '1' else 's'}"


@ecdf.figure(
    "ecdf-functions",
    cells=_groups,
    caption=_caption_by_function,
    options="targets seed reference background unequal count",
    group_by=("function", "group", "all"),
)
def draw_by_function(
    table: EcdfTable, *, one_axes: bool = False, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw a panel for each function of a group, and at last one for the group.

    Args:
        table: Profiles by ``("function", "group")``, or ``"all"`` in place of ``"group"``.
        one_axes: All as curves in one plot instead: thin ones of the functions, a thick one of the
            group. Of one algorithm, colours tell functions apart; of several, algorithms.
        **options: ``suite``, ``dimension``, ``group``; the number of panels gives their width.
    """
    mine = profiles_of(table.profiles, options, "suite", "dimension")
    if one_axes:  # too many curves for more behind them
        mine = [p for p in mine if not p.background]
    single = {p.group for p in mine if p.group == f"f{p.functions[0]:03d}"}
    whole = profiles_of([p for p in mine if p.group not in single], options, "group")
    functions = sorted({f for p in whole for f in p.functions})
    by_function = [[p for p in mine if p.group == f"f{function:03d}"] for function in functions]
    own = [p.algorithm for p in mine if not p.background]
    places = places_of(own, options.get("algorithms"))
    draw = _draw_one_axes if one_axes else _draw_panels
    return draw(dict(zip(functions, by_function, strict=True)), whole, places, size_of(options))


def _draw_panels(
    by_function: Mapping[int, list[Profile]],
    whole: list[Profile],
    places: dict[str, int],
    size: tuple[float, float],
) -> Figure:
    panels = [*by_function.values(), whole]
    columns = _COLUMNS if len(panels) <= _MOST_IN_THREE else 5
    rows = math.ceil(len(panels) / columns)
    size = (0.3 + _PANEL_INCHES * columns, 0.6 + _PANEL_INCHES * rows)
    figure = blank_figure(size)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    inside = [p for own in panels for p in own if not p.background]
    left = _left_limit(inside)
    limit = max(10 * left, *(float(p.budgets[-1]) for p in inside))
    titles = [*(f"f{function}" for function in by_function), whole[0].group]
    for axes, own, title in zip(grid, panels, titles, strict=False):
        _draw_panel(axes, own, places, (left, limit))
        axes.set_title(title, fontweight="bold" if own is whole else None, parse_math=False)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    profile = whole[0]
    title = f"{profile.suite}, {profile.dimension}-D, {profile.targets_text}"
    figure.suptitle(title, x=0.01, ha="left", size=8.0)
    lowest = (rows - 1) * columns
    grid[(lowest + len(panels) - 1) // 2].set_xlabel(axis_text(profile.axis))
    grid[(rows - 1) // 2 * columns].set_ylabel("fraction of function-target pairs")
    add_names_below(figure, grid[len(panels) - 1])
    return figure


def _draw_one_axes(
    by_function: Mapping[int, list[Profile]],
    whole: list[Profile],
    places: dict[str, int],
    size: tuple[float, float],
) -> Figure:
    figure = blank_figure(size)
    axes = figure.add_subplot()
    every = [*(p for own in by_function.values() for p in own), *whole]
    limit = _right_limit(every)
    alone = len({p.algorithm for p in whole}) == 1
    names = []
    for place, (function, profiles) in enumerate(by_function.items()):
        for p in profiles:
            style = style_of(place if alone else places[p.algorithm], marked=False)
            _draw_steps(axes, p, limit, {**style, "linewidth": 0.7, "alpha": 0.8})
            if alone:
                names.append(Name(f"f{function}", p.at(limit) / _TOP, style))
    for p in whole:
        style = {"color": "black"} if alone else style_of(places[p.algorithm], marked=False)
        if p.reference:
            style = {"color": REFERENCE}
        _draw_steps(axes, p, limit, {**style, "linewidth": 2.4, "zorder": 5})
        name = p.group if alone else _label(p, whole)
        names.append(Name(name, p.at(limit) / _TOP, style))
    _dress(axes, whole, (_left_limit(every), limit))
    if alone:
        title = f"{label(whole[0].algorithm)}: {axes.get_title('left')}"
        axes.set_title(title, loc="left", linespacing=1.35, parse_math=False)
    add_names(axes, names)
    return figure


def _draw_steps(axes: Axes, profile: Profile, limit: float, style: dict[str, Any]) -> None:
    """One curve, without markers, up to the right end of the axes."""
    x, y = np.append(profile.budgets, limit), np.append(profile.fraction, profile.at(limit))
    axes.plot(x, y, drawstyle="steps-post", **style)


def _draw_panel(
    axes: Axes, profiles: list[Profile], places: dict[str, int], limits: tuple[float, float]
) -> None:
    _draw_background(axes, [p for p in profiles if p.background], limits[1])
    for profile in (p for p in profiles if not p.background):
        style = style_of(places[profile.algorithm], marked=False)
        if profile.reference:
            style = {"color": REFERENCE, "linewidth": 3.0, "zorder": 1}
        name = label(profile.algorithm) + (" *" if profile.partial else "")
        _draw_steps(axes, profile, limits[1], {**style, "label": name})
        for point, marker in ((profile.marker, "x"), (profile.dot, "o")):
            if point:
                axes.plot(*point, marker, color=style["color"], markersize=3.5, zorder=4)
    axes.set(xscale="log", xlim=limits, ylim=(0, 1.02))
