"""Runtime profiles in COCO's look: log budgets, cross, dot, names where the curves end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from ...suites.selection import ranges
from ..errors import AssessmentError
from ..tables.table import text
from ..views.ecdf import EcdfTable, Profile
from .files import file_part, write_figure
from .frame import places_of, size_of, the_one
from .style import Name, add_names, label, require_matplotlib, style_of, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
_TOP = 1.01
REFERENCE = "#e8cfa0"
"""Colour of the thick line of a reference, as in COCO's figures."""
REFERENCE_NAME = "#8f6d2a"
"""Of its name, dark enough to be read."""


class How(TypedDict, total=False):
    """How profiles are drawn: ``width`` and ``algorithms`` of `frame.Shown`."""

    width: str
    algorithms: Sequence[str] | None


@styled
def draw_ecdf(
    table: EcdfTable,
    dimension: int | None = None,
    group: str | None = None,
    suite: str | None = None,
    **how: Unpack[How],
) -> Figure:
    """Draw the runtime profiles of all algorithms in one dimension and group of functions.

    The cross marks the median over functions of the longest unsuccessful runs: right of it the
    curve rests on simulated restarts. The dot ends a curve: the share of pairs solved at all.
    Names stand at the right, ordered by the fractions reached. Bands are shaded, where the
    table has them (``interval``).

    Args:
        table: What `Results.ecdf` returned.
        dimension: Which dimension; None where the table holds one only.
        group: Which group; likewise.
        suite: Which suite; likewise.
        **how: ``width`` and ``algorithms``, as in `frame.Shown`.
    """
    profiles = profiles_of(table.profiles, suite=suite, dimension=dimension, group=group)
    from matplotlib.figure import Figure

    figure = Figure(figsize=size_of({"width": how.get("width", "column")}), layout="constrained")
    axes = figure.add_subplot()
    limit = _right_limit(profiles)
    everyone = [p.algorithm for p in table.profiles if not p.reference]
    places = places_of(everyone, how.get("algorithms"))
    names = []
    for i, profile in enumerate(profiles):
        style = style_of(places.get(profile.algorithm, i))
        _draw_curve(axes, profile, style, limit, (i + 0.5) / len(profiles))
        if "low" in table.names and not profile.reference:
            _draw_band(axes, table, profile, style["color"])
        if profile.reference:
            style = {"color": REFERENCE_NAME}
        area = float(np.mean([profile.at(b) for b in np.geomspace(1, limit, 200)]))
        names.append((area, Name(_label(profile, profiles), profile.at(limit) / _TOP, style)))
    _dress(axes, profiles, limit)
    add_names(axes, [name for _, name in sorted(names, key=lambda one: one[0])])
    return figure


def save_ecdf(table: EcdfTable, path: str | Path) -> list[Path]:
    """Draw every dimension and group of ``table`` into files; the suffix says the format.

    One figure goes to ``path`` itself. Several go to names with what tells them apart, such as
    ``NAME_d05.png`` or ``NAME_d05_f003.png``.

    Returns:
        The files written.

    Raises:
        AssessmentError: The suffix is none of ``.png``, ``.svg``, ``.pdf``, the folder does not
            exist, or the file cannot be written.
        MissingPackageError: matplotlib is not installed.
    """
    target = check_plot_path(path)
    require_matplotlib()
    figures = list(dict.fromkeys((p.suite, p.dimension, p.group) for p in table.profiles))
    several = [len(set(column)) > 1 for column in zip(*figures, strict=True)]
    files = []
    for suite, dimension, group in figures:
        parts = (suite, f"d{dimension:02d}", group)
        tags = ["_" + file_part(p) for p, differs in zip(parts, several, strict=True) if differs]
        file = target.with_name(target.stem + "".join(tags) + target.suffix)
        write_figure(draw_ecdf(table, dimension, group, suite), file)
        files.append(file)
    return files


def check_plot_path(path: str | Path) -> Path:
    """Refuse what cannot become a figure before anything is computed; errors as `save_ecdf`."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise AssessmentError(
            f"plot file {str(path)!r}: suffix {target.suffix!r} is none of {', '.join(SUFFIXES)}"
        )
    if not target.parent.is_dir():
        raise AssessmentError(f"plot file {str(path)!r}: there is no folder {str(target.parent)!r}")
    return target


def profiles_of(profiles: Sequence[Profile], **wanted: object) -> list[Profile]:
    """Those with one value of each attribute: the one wanted, or for None the only one there is."""
    for name, value in wanted.items():
        asked = the_one(name, [getattr(p, name) for p in profiles], value)
        profiles = [p for p in profiles if getattr(p, name) == asked]
    return list(profiles)


def _right_limit(profiles: Sequence[Profile]) -> float:
    ends = [point[0] for p in profiles for point in (p.dot, p.marker) if point]
    return float(10.0 ** np.ceil(np.log10(max([*ends, 10.0])) + 0.05))


def _draw_curve(
    axes: Axes, profile: Profile, style: dict[str, Any], limit: float, phase: float
) -> None:
    """One curve; ``phase`` in (0, 1) shifts its markers, so that equal curves show theirs."""
    if profile.reference:
        x, y = np.append(profile.budgets, limit), np.append(profile.fraction, profile.at(limit))
        axes.plot(
            x, y, color=REFERENCE, linewidth=4.0, drawstyle="steps-post", zorder=1, gid="reference"
        )
        return
    colour = style["color"]
    end = max([1.0, *(point[0] for point in (profile.dot, profile.marker) if point)])
    budgets, fraction = profile.budgets, profile.fraction
    solid = budgets <= end
    x = np.append(budgets[solid], end)
    y = np.append(fraction[solid], profile.at(limit))
    axes.plot(
        x, y, style["linestyle"], color=colour, linewidth=1.2, drawstyle="steps-post", zorder=3
    )
    axes.plot([end, limit], [y[-1]] * 2, ":", color=colour, linewidth=0.8, zorder=2)
    places = 10.0 ** np.arange(phase / 2, np.log10(end), 0.5)
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
                clip_on=point[0] < 1,
                zorder=6,
            )


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


def _dress(axes: Axes, profiles: Sequence[Profile], limit: float) -> None:
    axes.set_xscale("log")
    axes.set_xlim(1, limit)
    axes.set_ylim(0, _TOP)
    axes.set_yticks(np.linspace(0, 1, 6))
    axes.grid(True, color="0.85", linewidth=0.5)
    axes.grid(True, axis="x", which="minor", color="0.94", linewidth=0.3)
    axes.set_xlabel(profiles[0].axis.replace("/", " / "))
    axes.set_ylabel("fraction of function-target pairs")
    first, second = _title(profiles)
    axes.set_title(f"{first}\n{second}", loc="left", linespacing=1.35, parse_math=False)


def _title(profiles: Sequence[Profile]) -> tuple[str, str]:
    one = profiles[0]
    functions = sorted({f for p in profiles for f in p.functions})
    group = "" if one.group == "all" or len(functions) == 1 else f" {text(one.group)},"
    first = f"{text(one.suite)},{group} f{ranges(functions)}, {one.dimension}-D"
    counts = sorted({len(p.instances) for p in profiles if p.instances})
    few = "-".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
    return first, f"{one.targets_text}, {few} instance{'' if few == '1' else 's'}"
