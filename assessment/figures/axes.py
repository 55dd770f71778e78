"""What nearly all figures begin with: axes, their title, the rows they show; the scaled plane."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.selection import ranges
from ..data.selection import Selectors
from ..errors import AssessmentError
from ..statistics.quantiles import Floats
from ..tables.table import Table
from ..targets.parse import target_text
from .style import SIZES, blank_figure, label, style_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Rows = dict[str, NDArray[Any]]


class FigureOptions(TypedDict, total=False):
    """Which value of a column a figure shows; may be left out where the rows hold one only.

    And how: ``width`` is that of a paper's ``"column"`` (default) or ``"page"``; ``algorithms``
    are all that the figures of a paper show, in the order of their colours (default: those of the
    table); ``functions`` are those that the rows stand for, where no column says so, for the title.
    """

    algorithm: str | None
    suite: str | None
    group: str | None
    function: int | None
    dimension: int | None
    instance: int | None
    target: float | None
    budget: float | None
    name: str | None
    width: str
    algorithms: Sequence[str] | None
    functions: Sequence[int] | None


_HOW = ("width", "algorithms", "functions")
_LONGEST_OF_TWO = 28
"""Letters of each of two names on one label."""
PLACE = "place of the algorithm"
"""A column that `chosen` adds: the position of the row's algorithm, which says its colour."""


def figure_and_axes(
    table: Table, names: Sequence[str], options: FigureOptions
) -> tuple[Figure, Axes, Rows]:
    """A figure as wide as a column with one pair of axes, and the rows of a table that it shows.

    ``names`` are the columns of which it shows one value; its title says which.
    """
    rows = chosen(table, names, options)
    figure = blank_figure(size_of(options))
    axes = figure.add_subplot()
    axes.set_title(title_of(rows, names, options), parse_math=False)
    return figure, axes, rows


def size_of(options: FigureOptions) -> tuple[float, float]:
    """Width and height in inches."""
    width = options.get("width", "column")
    if width not in SIZES:
        raise UnknownNameError.of("width", width, SIZES)
    return SIZES[width]


def chosen(table: Table, names: Sequence[str], options: FigureOptions) -> Rows:
    """The rows of a table that a figure shows; arguments and errors as of `figure_and_axes`."""
    rows = dict(table.columns)
    if "algorithm" in rows:
        names_of_rows = rows["algorithm"].tolist()
        places = places_of(names_of_rows, options.get("algorithms"))
        rows[PLACE] = np.array([places[name] for name in names_of_rows], dtype=np.intp)
    for name, selected in options.items():
        if selected is not None and name not in (*names, *_HOW):
            raise UnknownNameError.of("column that the figure shows one value of", name, names)
    for name in names:
        value = single_value(name, rows[name].tolist(), options.get(name))
        rows = {other: column[rows[name] == value] for other, column in rows.items()}
    return rows


def single_value(name: str, values: Iterable[Any], requested: object) -> Any:
    """The requested value, which a table must hold; for None the only value that it holds."""
    there = list(dict.fromkeys(values))
    known = ", ".join(map(str, there)) or "nothing"
    if requested is not None and requested not in there:
        raise AssessmentError(f"figure: no {name} {requested} in the table; it holds {known}")
    if requested is None and len(there) != 1:
        choice = (
            f", such as {name}s={there[0]!r}"
            if f"{name}s" in Selectors.__annotations__ and there
            else ""
        )
        raise AssessmentError(
            f"figure: it shows one {name}, but the table holds {known}; choose one{choice}"
        )
    return there[0] if requested is None else requested


def split(rows: Rows, name: str) -> dict[Any, Rows]:
    """Rows by the value of a column, in ascending order of the value."""
    return {
        value: {other: column[rows[name] == value] for other, column in rows.items()}
        for value in sorted(set(rows[name].tolist()))
    }


def by_algorithm(rows: Rows, marked: bool = True) -> Iterator[tuple[str, Rows, dict[str, Any]]]:
    """Label, rows and style of each algorithm: the same in all figures of the same algorithms."""
    for name, own in split(rows, "algorithm").items():
        yield label(name), own, style_of(int(own[PLACE][0]), marked)


def add_differences(
    axes: Axes, rows: Rows, ends: Sequence[NDArray[np.float64]], rasterized: bool = False
) -> None:
    """Boxes, blue where the first algorithm attains more, red where the second, and what they mean.

    A box for each row, from ``ends``: left, right, lower and upper, each ``(n_rows,)``. The
    limits and scales of the axes stay; many small boxes are drawn as an image (``rasterized``).
    """
    from matplotlib.collections import PolyCollection

    left, right, low, high = ends
    boxes = np.stack([[left, low], [right, low], [right, high], [left, high]], axis=1).T
    areas = PolyCollection(
        list(boxes),
        array=rows["difference"],
        cmap="RdBu",
        edgecolor="face",
        linewidth=0.1,
        rasterized=rasterized,
    )
    areas.set_clim(-1, 1)
    axes.add_collection(areas, autolim=False)
    first, second = (label(rows[name][0], _LONGEST_OF_TWO) for name in ("first", "second"))
    figure = axes.get_figure(root=True)
    assert figure is not None
    bar = figure.colorbar(areas, ax=axes)
    bar.set_label(f"share of {first} - share of {second}", parse_math=False)


def add_title_above(
    figure: Figure, rows: Rows, names: Sequence[str], options: FigureOptions
) -> None:
    """What all panels of a figure show (`title_of`), above them."""
    title = title_of(rows, names, options)
    figure.suptitle(title, x=0.01, ha="left", fontsize=8, parse_math=False)


def places_of(names: Iterable[str], algorithms: Sequence[str] | None) -> dict[str, int]:
    """Position of each name among the algorithms; those that are none of them come after."""
    there = sorted(set(names))
    places = {name: place for place, name in enumerate(algorithms or there)}
    for name in there:
        places.setdefault(name, len(places))
    return places


def title_of(rows: Rows, names: Sequence[str], options: FigureOptions) -> str:
    """What a figure shows.

    Such as ``bbob f3, 5-D`` and ``bbob f1-5, 5-D, target 1e-8``; a group of functions by its
    numbers where they are known, by its name elsewhere.
    """
    values = {name: rows[name][0] for name in names}
    parts = [values["suite"]]
    if "algorithm" in values:
        parts[0] = f"{label(values['algorithm'])}: {parts[0]}"
    if "function" in values:
        parts[0] += f" f{values['function']}"
    if "instance" in values:
        parts[0] += f" i{values['instance']}"
    functions = options.get("functions")
    if functions is None and "function" not in names and "function" in rows:
        functions = sorted(set(rows["function"].tolist()))
    if functions is not None and "function" not in values:
        parts[0] += f" f{ranges(functions)}"
    elif values.get("group", "all") != "all":
        parts.append(values["group"])
    if "dimension" in values:
        parts.append(f"{values['dimension']}-D")
    if "target" in values:
        parts.append(f"target {target_text(values['target'])}")
    if "budget" in values:
        parts.append(f"target of {values['budget']:g}D")
    return ", ".join(parts)


SMALLEST_SCALED = 1e-6
"""Scaled objectives below are drawn here: a logarithmic axis has no zero."""
SCALED = (
    "Objectives are scaled: the ideal point is 0, the nadir point 1; dotted: the region between."
)
"""Of captions."""
_LARGEST = 10.0
_FAR = 1e9
_LABEL = "objective {}, scaled: 0 ideal, 1 nadir"


def staircase(front: Floats, smallest: float | None = None) -> tuple[Floats, Floats]:
    """The boundary of what a front dominates, as corners of a line that ends far outside.

    The first objective rises along the front; values below ``smallest`` are drawn there.
    """
    if not len(front):
        return np.empty(0), np.empty(0)
    x, y = (front if smallest is None else np.maximum(front, smallest)).T
    far_x, far_y = (max(float(abs(values).max()), 1.0) * _FAR for values in (x, y))
    x, y = np.append(x, far_x), np.append(y, y[-1])
    return np.repeat(x, 2)[:-1], np.concatenate([[far_y], np.repeat(y[:-1], 2)])


def scaled_plane(axes: Axes, fronts: Sequence[Floats]) -> None:
    """Logarithmic axes with the region of interest, whose upper corner is the nadir point.

    They begin below the least values and end where each front has begun to be seen.
    """
    there = [front for front in fronts if len(front)]
    least = np.min([front.min(axis=0) for front in there], axis=0)
    nearest = max(float(front.max(axis=1).min()) for front in there)
    low = np.clip(least, SMALLEST_SCALED, 0.1) / 1.3
    top = max(_LARGEST, 3 * nearest)
    axes.set(xscale="log", yscale="log", xlim=(low[0], top), ylim=(low[1], top))
    axes.plot([low[0], 1, 1], [1, 1, low[1]], color="0.5", linewidth=0.6, linestyle=":")
    axes.set(xlabel=_LABEL.format(1), ylabel=_LABEL.format(2))
