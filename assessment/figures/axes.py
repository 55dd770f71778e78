"""Parts that most figures share: rows of the table, axes and title, and the plane of fronts.

A figure shows one value of some columns of its table. `chosen` selects the rows with these values,
`figure_and_axes` also makes the figure, and `title_of` names the values. `staircase` and
`scaled_plane` draw fronts of two objectives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.selection import ranges
from ..errors import AssessmentError
from ..selection import Selectors
from ..statistics.quantiles import Floats
from ..tables.table import Table
from ..targets.parse import target_text
from .style import (
    GREY_INDEX,
    MAX_NAME_CHARACTERS,
    SIZES,
    blank_figure,
    distinct_labels,
    style_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Rows = dict[str, NDArray[Any]]
"""Columns of the rows that a figure shows, by name, of equal length."""
Width = Literal["column", "page"]
"""Width of a figure: of a column of a two-column paper, or of a page."""


class FigureOptions(TypedDict, total=False):
    """Values that a figure shows, and options that all figures have.

    ``algorithm`` to ``name`` are values of columns; one may be left out if the table holds only one
    value of its column. ``width`` is the width of a paper's ``"column"`` (default) or ``"page"``.
    ``algorithms`` are all algorithms in the order of their styles; default: those of the table.
    ``highlight`` are the algorithms that are drawn in colour, and all others are grey; default:
    all algorithms are drawn in colour.
    ``functions`` are the functions that the title names if the table has no column of functions.
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
    width: Width
    algorithms: Sequence[str] | None
    highlight: Sequence[str] | None
    functions: Sequence[int] | None


_DISPLAY_OPTIONS = ("width", "algorithms", "highlight", "functions")
"""The `FigureOptions` that are not values of a column."""
_MAX_BANDS = 4
"""Maximum number of algorithms for which a figure shows bands, because they overlap."""
_MAX_CHARACTERS_OF_TWO = 28
"""Maximum length of each of two names on one label."""
_ENDS_OF_SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Ends of an axis of shares that have round numbers at its ticks."""
REFERENCE_COLOUR = "#e8cfa0"
"""Colour of the thick line of a reference, as in COCO's figures."""
REFERENCE_NAME_COLOUR = "#8f6d2a"
"""Colour of the name of a reference: darker than its line, so that it can be read."""
PLACE = "place of the algorithm"
"""Name of a column that `chosen` adds: the index of the style of the row's algorithm."""
LABEL = "label of the algorithm"
"""Name of a column that `chosen` adds: the name of the row's algorithm, shortened if it is long."""


def figure_and_axes(
    table: Table, names: Sequence[str], options: FigureOptions
) -> tuple[Figure, Axes, Rows]:
    """Make a figure with one pair of axes and a title, and select the rows that it shows.

    Args:
        table: Table of the question.
        names: Columns of which the figure shows one value each; the title names the values.
        options: Values of these columns, and display options.

    Returns:
        The figure, its axes, and the rows as of `chosen`.

    Raises:
        UnknownNameError: An option is no column in ``names``, or there is no such width.
        AssessmentError: The table does not hold a requested value, or it holds several values of a
            column for which none is requested.
    """
    rows = chosen(table, names, options)
    figure = blank_figure(size_of(options))
    axes = figure.add_subplot()
    axes.set_title(title_of(rows, names, options), parse_math=False)
    return figure, axes, rows


def size_of(options: FigureOptions) -> tuple[float, float]:
    """Return width and height of a figure in inches.

    Raises:
        UnknownNameError: There is no such width.
    """
    width = options.get("width", "column")
    if width not in SIZES:
        raise UnknownNameError.of("width", width, SIZES)
    return SIZES[width]


def chosen(table: Table, names: Sequence[str], options: FigureOptions) -> Rows:
    """Select the rows of a table that a figure shows.

    Args:
        table: Table of the question.
        names: Columns of which the figure shows one value each.
        options: Values of these columns, and display options.

    Returns:
        The columns of the selected rows; with columns `PLACE` and `LABEL` if the table names
        algorithms.

    Raises:
        UnknownNameError: An option is no column in ``names``.
        AssessmentError: The table does not hold a requested value, or it holds several values of a
            column for which none is requested.
    """
    rows = dict(table.columns)
    if "algorithm" in rows:
        algorithm_of_row = rows["algorithm"].tolist()
        index_of = places_of(algorithm_of_row, options)
        rows[PLACE] = np.array([index_of[name] for name in algorithm_of_row], dtype=np.intp)
        labels = labels_of(algorithm_of_row, options)
        rows[LABEL] = np.array([labels[name] for name in algorithm_of_row], dtype=np.str_)
    for name, value in options.items():
        if value is not None and name not in (*names, *_DISPLAY_OPTIONS):
            raise UnknownNameError.of("column that the figure shows one value of", name, names)
    for name in names:
        value = single_value(name, rows[name].tolist(), options.get(name))
        rows = {other: column[rows[name] == value] for other, column in rows.items()}
    return rows


def single_value(name: str, values: Iterable[Any], requested: object) -> Any:
    """Return the requested value of a column, or else the only value that the column holds.

    Args:
        name: Name of the column, for messages.
        values: The column; values may repeat.
        requested: The value. None: the only one.

    Raises:
        AssessmentError: The column does not hold the requested value; or none is requested, and the
            column does not hold exactly one.
    """
    distinct = list(dict.fromkeys(values))
    allowed = ", ".join(map(str, distinct)) or "nothing"
    if requested is not None and requested not in distinct:
        raise AssessmentError(f"figure: no {name} {requested} in the table; it holds {allowed}")
    if requested is None and len(distinct) != 1:
        example = (
            f", such as {name}s={distinct[0]!r}"
            if f"{name}s" in Selectors.__annotations__ and distinct
            else ""
        )
        raise AssessmentError(
            f"figure: it shows one {name}, but the table holds {allowed}; choose one{example}"
        )
    return distinct[0] if requested is None else requested


def split(rows: Rows, name: str) -> dict[Any, Rows]:
    """Return the rows by the value of the column ``name``, in ascending order of the values."""
    return {
        value: {other: column[rows[name] == value] for other, column in rows.items()}
        for value in sorted(set(rows[name].tolist()))
    }


def by_algorithm(rows: Rows, marked: bool = True) -> Iterator[tuple[str, Rows, dict[str, Any]]]:
    """Yield the label, the rows and the style of each algorithm.

    Args:
        rows: Rows of `chosen`.
        marked: Whether the style has a marker.
    """
    for rows_of_algorithm in split(rows, "algorithm").values():
        style = style_of(int(rows_of_algorithm[PLACE][0]), marked)
        yield str(rows_of_algorithm[LABEL][0]), rows_of_algorithm, style


def add_differences(
    axes: Axes, rows: Rows, ends: Sequence[NDArray[np.float64]], rasterized: bool = False
) -> None:
    """Draw a box for each row, coloured by the difference of two algorithms, and a colour bar.

    A box is blue where the first algorithm attains more, and red where the second one does. The
    limits and scales of the axes do not change.

    Args:
        axes: Axes that are drawn on.
        rows: Rows with the columns ``difference`` (-1 to 1), ``first`` and ``second``.
        ends: Left, right, lower and upper ends of the boxes, each of shape ``(n_rows,)``.
        rasterized: Whether vector formats hold the boxes as an image, for many small ones.
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
    first, second = labels_of_two(rows, _MAX_CHARACTERS_OF_TWO)
    figure = axes.get_figure(root=True)
    assert figure is not None
    bar = figure.colorbar(areas, ax=axes)
    bar.set_label(f"share of {first} - share of {second}", parse_math=False)


def has_few_algorithms(columns: Table | Rows) -> bool:
    """Return whether there are few enough algorithms for bands, bars and dots of each of them.

    Args:
        columns: A table, or rows of it, with the column ``algorithm``.
    """
    return len(set(columns["algorithm"].tolist())) <= _MAX_BANDS


def end_of_shares(largest: float) -> float:
    """Return the upper end of an axis of shares, just above the largest share that is drawn.

    Args:
        largest: The largest share, from 0 to 1.

    >>> [end_of_shares(share) for share in (1.0, 0.42, 0.003)]
    [1.01, 0.505, 0.0505]
    """
    end = next(end for end in _ENDS_OF_SHARES if end >= largest)
    return round(1.01 * end, 6)  # a line at the end is drawn at full width


def remove_unused_panels(grid: NDArray[np.object_], n_panels: int, n_columns: int) -> None:
    """Hide the panels of a grid that are not used, and label the x axes of the panels above them.

    Args:
        grid: The panels (matplotlib's Axes), row by row, shape ``(n,)``; those of a column share
            the x axis.
        n_panels: Number of panels that are used, which are the first ones.
        n_columns: Number of columns of the grid.
    """
    for axes in grid[n_panels:]:
        axes.set_axis_off()
    for axes in grid[max(n_panels - n_columns, 0) : n_panels]:
        axes.tick_params(labelbottom=True)


def add_title_above(
    figure: Figure, rows: Rows, names: Sequence[str], options: FigureOptions
) -> None:
    """Add a title above all panels of a figure; for the arguments, see `title_of`."""
    title = title_of(rows, names, options)
    figure.suptitle(title, x=0.01, ha="left", fontsize=8, parse_math=False)


def places_of(names: Iterable[str], options: FigureOptions) -> dict[str, int]:
    """Return the index of the style of each algorithm.

    Args:
        names: Names that need an index; names may repeat.
        options: Display options. ``algorithms`` are the algorithms in the order of their indices;
            default: ``names``, sorted. Algorithms that are not among ``highlight`` have the index
            `GREY_INDEX`.

    Returns:
        Index by name. Names that are not among ``algorithms`` follow them, sorted.
    """
    distinct = sorted(set(names))
    index_of = {name: index for index, name in enumerate(options.get("algorithms") or distinct)}
    for name in distinct:
        index_of.setdefault(name, len(index_of))
    highlight = options.get("highlight")
    if highlight is None:
        return index_of
    return {name: index if name in highlight else GREY_INDEX for name, index in index_of.items()}


def labels_of(names: Iterable[str], options: FigureOptions) -> dict[str, str]:
    """Return the label of each algorithm, a shortened name that no other algorithm has.

    Args:
        names: Names that need a label; names may repeat.
        options: Display options. The labels also differ from those of all ``algorithms``.

    Raises:
        UnknownNameError: There is no such width.
    """
    size_of(options)
    all_names = [*names, *(options.get("algorithms") or ())]
    return distinct_labels(all_names, MAX_NAME_CHARACTERS[options.get("width", "column")])


def labels_of_two(rows: Rows, max_characters: int) -> tuple[str, str]:
    """Return different labels of the algorithms in the columns ``first`` and ``second``."""
    first, second = str(rows["first"][0]), str(rows["second"][0])
    labels = distinct_labels((first, second), max_characters)
    return labels[first], labels[second]


def title_of(rows: Rows, names: Sequence[str], options: FigureOptions) -> str:
    """Return the title of a figure, such as ``bbob f1-5, 5-D, target 1e-8``.

    Args:
        rows: Rows that the figure shows.
        names: Columns of which the figure shows one value each, among them ``suite``.
        options: Display options. ``functions`` are the numbers of the functions if no column holds
            them. A group of functions appears by its name if the numbers are unknown.
    """
    values = {name: rows[name][0] for name in names}
    parts = [values["suite"]]
    if "algorithm" in values:
        parts[0] = f"{rows[LABEL][0]}: {parts[0]}"
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
"""Smaller scaled objectives are drawn at this value, because a logarithmic axis has no zero."""
SCALED = (
    "Objectives are scaled: the ideal point is 0, the nadir point 1. "
    "Dotted: the region between both."
)
"""Sentence for the captions of figures with a `scaled_plane`."""
_MIN_UPPER_LIMIT = 10.0
"""Both axes reach at least this far: ten times the nadir point."""
_BEYOND_AXES = 1e9
"""Factor by which the ends of a staircase lie beyond its points, outside of any axes."""
_AXIS_LABEL = "objective {}, scaled: 0 ideal, 1 nadir"


def staircase(front: Floats, smallest: float | None = None) -> tuple[Floats, Floats]:
    """Return the boundary of the region that a front dominates, as corners of a line.

    Both ends of the line lie far outside of the axes.

    Args:
        front: Points with ascending first objective, shape ``(n, 2)``.
        smallest: Lower bound that replaces smaller values. None: no bound.

    Returns:
        Coordinates of the corners, two arrays of shape ``(2 n + 1,)``; empty for an empty front.
    """
    if not len(front):
        return np.empty(0), np.empty(0)
    x, y = (front if smallest is None else np.maximum(front, smallest)).T
    far_x, far_y = (max(float(abs(values).max()), 1.0) * _BEYOND_AXES for values in (x, y))
    x, y = np.append(x, far_x), np.append(y, y[-1])
    return np.repeat(x, 2)[:-1], np.concatenate([[far_y], np.repeat(y[:-1], 2)])


def scaled_plane(axes: Axes, fronts: Sequence[Floats]) -> None:
    """Set logarithmic axes for scaled objectives, and draw the region of interest.

    The axes begin below the smallest values, and end where a part of each front is visible. The
    upper corner of the region of interest is the nadir point, (1, 1).

    Args:
        axes: Axes that are drawn on.
        fronts: Points of the fronts, each of shape ``(n, 2)``; at least one must not be empty.
    """
    non_empty = [front for front in fronts if len(front)]
    minima = np.min([front.min(axis=0) for front in non_empty], axis=0)
    nearest = max(float(front.max(axis=1).min()) for front in non_empty)
    low = np.clip(minima, SMALLEST_SCALED, 0.1) / 1.3
    top = max(_MIN_UPPER_LIMIT, 3 * nearest)
    axes.set(xscale="log", yscale="log", xlim=(low[0], top), ylim=(low[1], top))
    axes.plot([low[0], 1, 1], [1, 1, low[1]], color="0.5", linewidth=0.6, linestyle=":")
    axes.set(xlabel=_AXIS_LABEL.format(1), ylabel=_AXIS_LABEL.format(2))
