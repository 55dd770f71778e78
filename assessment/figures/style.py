"""Give all figures one style: sizes of a paper's columns, colours, markers, names and scales.

`styled` is the decorator of all functions that draw. It applies the style sheet `STYLE`, and breaks
titles that are too long. The other functions are called by the functions that draw: they make an
empty figure, choose the style of a curve, write the names of curves beside or below the axes, and
scale the axes.

matplotlib (extra ``figures``) is imported when a figure is drawn; none of its global state is used
or changed, and pyplot is never imported.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackageError
from ..statistics.quantiles import Floats
from ..tables.table import text
from ..targets.budgets import axis_text
from .fit import fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Transform

COLUMN_INCHES = 3.4
"""Width of a column of a two-column paper."""
SIZES = {"column": (COLUMN_INCHES, 2.5), "page": (7.0, 3.2)}
"""Width and height of figures in inches, by the option ``width``: a column, or both columns."""

STYLE: dict[str, Any] = {
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.5,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "grid.color": "0.88",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "savefig.dpi": 200,
    "svg.hashsalt": "firsthit",
    "pdf.fonttype": 42,
}
"""Style sheet of all figures: settings of matplotlib."""

# Any two colours differ by CIEDE2000 of at least 15 for usual vision, protanopia, deuteranopia and
# tritanopia (Machado et al. 2009). Each has a contrast of at least 3 to white and to the dark paper
# of the report. A search found no palette of more than eight colours; six are easier to tell apart.
COLOURS = ("#4153F7", "#E37308", "#00A87A", "#C70000", "#BB017F", "#B983B2")
MARKERS = ("o", "D", "s", "^", "v", "p", "h", "<", ">", "d", "*")
DASHES: tuple[tuple[float, ...], ...] = (
    (), (4, 1.6), (6.4, 1.6, 1, 1.6), (1, 1.4), (10, 2.5), (5, 1.4, 1, 1.4, 1, 1.4), (1, 3.2),
    (8, 1.4, 3, 1.4), (2.5, 2.5), (4, 1.2, 1, 1.2, 1, 1.2, 1, 1.2),
)  # fmt: skip
"""Lengths of dashes and gaps in turn, as multiples of the line width; empty for a solid line."""
HATCHES = ("", "/////", "\\\\\\\\\\", "xxxx", "....", "-----", "|||||", "++++", "oo", "**")
N_STYLES = len(COLOURS) * len(DASHES)
"""Number of different styles, 60; the styles of further curves repeat."""
GREY_INDEX = -1
"""Index of the style of algorithms that a figure does not highlight."""
_GREY = "#A6A6A6"

SMALLEST_PRECISION = 1e-12
"""Smaller precisions are drawn at this value, because a logarithmic axis has no zero."""
SMALLEST_TARGET = 1e-8
"""Axes with both signs are linear between this target and its negative, else logarithmic."""

MAX_NAME_CHARACTERS = {"column": 24, "page": 40}
"""Maximum length of the names of algorithms, by the option ``width``."""
_NAME_POINTS = 6.5
"""Font size of names beside the axes, unless there are too many of them."""
_MIN_NAME_POINTS = 5.0
"""A figure with more names than fit at this size becomes higher."""
_LINE_SPACING = 1.25
"""Distance of lines of text, as a multiple of the font size."""
_LEGEND_LINE_INCHES = 0.14
_LETTER_INCHES = 0.055
"""Mean width of a letter in a legend."""
_HANDLE_LETTERS = 9
"""Width of the line beside a name in a legend, in letters."""
_JOINT_POINTS, _KEY_POINTS, _TEXT_POINTS = 4.0, 18.0, 20.0
"""Distances from the right end of the axes to the end of the line that joins a curve to its name,
to the end of the short line that shows the style of the curve, and to the text."""
_MAX_KEY_LINE_POINTS = 2.5
"""Maximum line width of the line that shows the style of a curve, which may be thicker."""
_AXES_SHARE = 0.6
"""Lower estimate of the height of the axes, as a share of the height of the figure."""

Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Make a function draw in the style of all figures, and fit titles and labels to their room.

    Args:
        draw: Function that draws a figure.

    Returns:
        The function. It raises MissingPackageError if matplotlib is not installed.
    """

    @functools.wraps(draw)
    def draw_in_style(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with require_matplotlib().rc_context(STYLE):
            figure = draw(*args, **kwargs)
            fit(figure)
            return figure

    return draw_in_style


def require_matplotlib() -> Any:
    """Import matplotlib and return the package.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    try:
        import_module("matplotlib.figure")
        return import_module("matplotlib")
    except ImportError as error:
        raise MissingPackageError.of("matplotlib", "figures", "a figure") from error


def blank_figure(size: tuple[float, float]) -> Figure:
    """Make an empty figure, whose layout leaves room for titles, labels and names.

    Args:
        size: Width and height in inches.
    """
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def style_of(index: int, marked: bool = True) -> dict[str, Any]:
    """Return colour, dashes and marker of a curve, as keyword arguments of ``Axes.plot``.

    The first `N_STYLES` indices have different pairs of colour and dashes, and different pairs of
    colour and marker.

    Args:
        index: Index of the curve in its order, from 0; or `GREY_INDEX`.
        marked: Whether the curve has markers.
    """
    if index == GREY_INDEX:
        style: dict[str, Any] = {"color": _GREY, "linestyle": "-"}
        return style | ({"marker": "."} if marked else {})
    numbers = style_numbers(index)
    dashes = numbers["dashes"]
    style = {"color": numbers["colour"], "linestyle": (0, dashes) if dashes else "-"}
    if marked:
        style |= {"marker": MARKERS[numbers["marker"]], "markerfacecolor": "white"}
    return style


def hatch_of(index: int) -> str:
    """Return the hatch of an area; the first `N_STYLES` pairs of colour and hatch differ."""
    return "" if index == GREY_INDEX else HATCHES[style_numbers(index)["hatch"]]


def style_numbers(index: int) -> dict[str, Any]:
    """Return the style of a curve as values of JSON, for pages that draw it themselves.

    Args:
        index: Index of the curve in its order, from 0.

    Returns:
        ``colour``, ``#RRGGBB``; ``dashes``, as of `DASHES`; ``marker`` and ``hatch``, indices in
        `MARKERS` and `HATCHES`.
    """
    turn, colour = divmod(index % N_STYLES, len(COLOURS))
    return {
        "colour": COLOURS[colour],
        "dashes": DASHES[(colour + turn) % len(DASHES)],
        "marker": index % len(MARKERS),
        "hatch": turn % len(HATCHES),
    }


def label(name: str, max_characters: int = MAX_NAME_CHARACTERS["page"]) -> str:
    """Return a name without unprintable characters, shortened at its end if it is too long.

    Args:
        name: The name. An empty name becomes ``(no name)``.
        max_characters: Maximum length of the result.

    >>> label("a-very-long-name-of-an-algorithm", 12)
    'a-very-long…'
    """
    name_text = text(name) or "(no name)"
    if len(name_text) <= max_characters:
        return name_text
    return f"{name_text[: max_characters - 1]}…"


def distinct_labels(
    names: Iterable[str], max_characters: int = MAX_NAME_CHARACTERS["page"]
) -> dict[str, str]:
    """Return the label of each name; equal labels get ``~1``, ``~2``, … in the order of the names.

    Args:
        names: The names, which may repeat.
        max_characters: Maximum length of a label.

    >>> distinct_labels(["optimizer-a", "optimizer-b", "other"], 8)
    {'optimizer-a': 'optim…~1', 'optimizer-b': 'optim…~2', 'other': 'other'}
    """
    names_by_label: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        names_by_label.setdefault(label(name, max_characters), []).append(name)
    labels = {}
    for short_name, full_names in names_by_label.items():
        if len(full_names) == 1:
            labels[full_names[0]] = short_name
            continue
        for number, name in enumerate(full_names, start=1):
            ending = f"~{number}"
            labels[name] = label(name, max_characters - len(ending)) + ending
    return labels


@dataclass(frozen=True)
class Name:
    """A name beside the axes.

    Attributes:
        text: The name.
        height: Height of the end of its curve, from 0 to 1, as a fraction of the height of the
            axes. None: it has no curve.
        style: Keyword arguments of ``Axes.plot`` that show the style of the curve.
        line: The curve, whose style is shown instead of ``style``. None: there is none.
    """

    text: str
    height: float | None
    style: Mapping[str, Any]
    line: Line2D | None = None


def add_legend(axes: Axes) -> None:
    """Write the names of curves and points to the right of the axes.

    The name of a curve is at the height of its end, that of points at their mean height. Call the
    function last, because it needs the final limits of the axes.
    """
    names = []
    for line in axes.get_lines():
        name = str(line.get_label())
        if not name.startswith("_"):
            style = {"color": line.get_color()}
            names.append(Name(name, _measure_height(axes, line), style, line))
    add_names(axes, names)


def add_names(axes: Axes, names: Sequence[Name]) -> None:
    """Write names to the right of the axes at their heights, moved apart so that none overlap.

    A line joins a name to the end of its curve, and a short line beside the name shows the style of
    the curve. Names without a curve are below the others. If there are many names, their font is
    smaller, and the figure becomes higher.

    Args:
        axes: The axes.
        names: The names.
    """
    if not names:
        return
    from matplotlib.patches import ConnectionPatch
    from matplotlib.transforms import Affine2D, ScaledTranslation, blended_transform_factory

    figure = axes.get_figure(root=True)
    assert figure is not None
    min_axes_inches = _LINE_SPACING * _MIN_NAME_POINTS / 72 * len(names)
    figure.set_figheight(max(figure.get_figheight(), min_axes_inches / _AXES_SHARE))
    axes_inches = figure.get_figheight() * _AXES_SHARE
    fitting_points = 72 * axes_inches / (_LINE_SPACING * len(names))
    font_points = min(fitting_points, _NAME_POINTS)
    ascending = sorted(names, key=lambda name: -1.0 if name.height is None else name.height)
    text_heights = spread(
        [name.height or 0.0 for name in ascending], _LINE_SPACING * font_points / 72 / axes_inches
    )
    # Points to the right of the axes, and fractions of their height.
    fractions: Any = axes.transAxes
    points_beside_axes = blended_transform_factory(
        Affine2D().scale(1 / 72) + figure.dpi_scale_trans + ScaledTranslation(1, 0, fractions),
        fractions,
    )
    for name, text_height in zip(ascending, text_heights, strict=True):
        colour = name.style["color"]
        if name.height is not None:
            start, end = (1.0, name.height), (_JOINT_POINTS, text_height)
            axes.add_artist(
                ConnectionPatch(
                    start, end, axes.transAxes, points_beside_axes,
                    arrowstyle="-", color=colour, linewidth=0.7, clip_on=False,
                )
            )  # fmt: skip
        axes.add_artist(_make_key(name, text_height, points_beside_axes))
        axes.text(
            _TEXT_POINTS, text_height, name.text, transform=points_beside_axes, va="center",
            fontsize=font_points, color=colour, parse_math=False, gid="name",
        )  # fmt: skip


def _make_key(name: Name, height: float, transform: Transform) -> Line2D:
    """Return the short line, with a marker in its middle, that shows the style of a curve."""
    from matplotlib.lines import Line2D

    x = [_JOINT_POINTS, (_JOINT_POINTS + _KEY_POINTS) / 2, _KEY_POINTS]
    key = Line2D(x, [height] * 3, markevery=[1], **name.style)
    if name.line is not None:
        key.update_from(name.line)
    key.set(
        transform=transform, clip_on=False, markersize=4, drawstyle="default", label="_name",
        linewidth=min(key.get_linewidth(), _MAX_KEY_LINE_POINTS), gid="key",
    )  # fmt: skip
    return key


def add_names_below(figure: Figure, axes: Axes) -> None:
    """Write the names of curves below all panels of a figure, and make the figure higher for them.

    Args:
        figure: The figure.
        axes: Panel whose curves are named.
    """
    width, height = figure.get_size_inches()
    lines = [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
    names = [str(line.get_label()) for line in lines]
    column_letters = max(map(len, names), default=0) + _HANDLE_LETTERS
    n_columns = max(1, min(len(names), int(width / (column_letters * _LETTER_INCHES))))
    n_rows = -(-len(names) // n_columns)
    figure.set_figheight(height + _LEGEND_LINE_INCHES * n_rows)
    legend = figure.legend(lines, names, loc="outside lower left", ncols=n_columns)
    for legend_text in legend.get_texts():
        legend_text.set_parse_math(False)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights apart until they differ by at least ``gap``; clusters stay around their middle.

    The highest stays half a gap below 1, where a line of text ends below the title.

    Args:
        heights: Heights from 0 to 1, ascending.
        gap: Minimum difference.

    >>> [round(height, 3) for height in spread([0.5, 0.5, 0.9], 0.2)]
    [0.4, 0.6, 0.9]
    """
    # Without the gaps below them, heights that are far enough apart ascend. Those that do not are
    # pooled and replaced by their mean (isotonic regression by adjacent violators).
    clusters: list[list[float]] = []
    for i, height in enumerate(heights):
        clusters.append([height - i * gap])
        while len(clusters) > 1 and np.mean(clusters[-2]) > np.mean(clusters[-1]):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    without_gaps = [float(np.mean(cluster)) for cluster in clusters for _ in cluster]
    highest = max(1.0 - (len(without_gaps) - 0.5) * gap, 0.0)
    return [float(np.clip(low, 0.0, highest)) + i * gap for i, low in enumerate(without_gaps)]


def logarithmic(axes: Axes, y: bool = True) -> None:
    """Make axes logarithmic if something positive is drawn on them.

    Args:
        axes: The axes, after all curves were drawn.
        y: Whether the vertical axis may become logarithmic, too.
    """
    lines = axes.get_lines()
    if any(np.any(np.asarray(line.get_xdata(), dtype=float) > 0) for line in lines):
        axes.set_xscale("log")
    if y and any(np.any(np.asarray(line.get_ydata(), dtype=float) > 0) for line in lines):
        axes.set_yscale("log")


def is_signed(rows: Mapping[str, NDArray[Any]], *names: str) -> bool:
    """Return whether precisions in some columns are below 0 by more than rounding.

    Args:
        rows: Columns by name.
        *names: Names of columns of precisions.
    """
    return any(bool((rows[name] < -SMALLEST_TARGET / 10).any()) for name in names)


def drawn(precision: Floats, signed: bool) -> Floats:
    """Return precisions such that they can be drawn: NaN instead of infinity, and at least 1e-12.

    Args:
        precision: Precisions of any shape.
        signed: Whether the axis has both signs; precisions then have no minimum.
    """
    values = np.where(np.isfinite(precision), precision, np.nan)
    return values if signed else np.asarray(np.maximum(values, SMALLEST_PRECISION))


def precision_axes(axes: Axes, signed: bool, axis: str) -> None:
    """Scale and label the axes of a figure of precision by budget.

    Budgets are on a logarithmic scale, and so are precisions; with both signs, the scale of
    precisions is symmetric around 0.

    Args:
        axes: The axes, after all curves were drawn.
        signed: Whether precisions have both signs.
        axis: Unit of budgets.
    """
    logarithmic(axes, y=not signed)
    if signed:
        axes.set_yscale("symlog", linthresh=SMALLEST_TARGET)
    axes.set(xlabel=axis_text(axis), ylabel="best precision so far")


def both_signs_across(axes: Axes) -> None:
    """Scale a horizontal axis of precisions with both signs, with ticks at 0 and on both sides."""
    axes.set_xscale("symlog", linthresh=SMALLEST_TARGET)
    axes.autoscale_view(scaley=False)  # replaces the limits, which are those of the former scale
    limits = np.maximum(np.abs(axes.get_xlim()), SMALLEST_TARGET)
    axes.set_xticks([0, *(np.array([-1, 1]) * 10 ** np.floor(np.log10(limits)))])


def _measure_height(axes: Axes, line: Line2D) -> float | None:
    """Return the height of a curve's end, or the mean height of points.

    Returns:
        The height as a fraction of the height of the axes, from 0 to 1. None: nothing is drawn.
    """
    axes.get_xlim()  # brings the limits up to date
    axes.get_ylim()
    points = np.column_stack([np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata())])
    points = points[np.isfinite(points.astype(np.float64)).all(axis=1)]
    if not len(points):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):  # logarithms of values up to 0
        fractions = (axes.transScale + axes.transLimits).transform(points)
    x, y = fractions[np.isfinite(fractions).all(axis=1)].T
    if not len(y):
        return None
    if line.get_linestyle() == "None":
        return float(np.clip(y.mean(), 0.0, 1.0))
    rightmost = np.flatnonzero(x == x.max())
    last = rightmost[0] if axes.xaxis_inverted() else rightmost[-1]
    return float(np.clip(y[last], 0.0, 1.0))
