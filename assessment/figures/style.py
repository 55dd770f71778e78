"""How all figures look: sizes for a paper's column, colours and markers that differ for any eye.

matplotlib (extra ``figures``) is imported when a figure is drawn; none of its global state is used
or changed, and pyplot is never imported.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackageError
from ..statistics.quantiles import Floats
from ..tables.table import text
from .fit import fit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

COLUMN_INCHES = 3.4
"""Width of a column of a two-column paper."""
SIZES = {"column": (COLUMN_INCHES, 2.5), "page": (7.0, 3.2)}
"""Inches of figures by the width that is asked for: a column, or both of them."""

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
"""The one style sheet."""

# the first four are Okabe and Ito's; the others are as far from all before as colours of a contrast
# of at least 3 to white and to the report's dark paper can be, for any colour vision
COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8017FF", "#745D68", "#C50C2E", "#8B80FF",
    "#D100A2", "#F35D74",
)  # fmt: skip
MARKERS = ("o", "D", "s", "^", "v", "p", "h", "<", ">", "d", "*")
DASHES = ("-", "--", "-.", ":")
_LONGEST_NAME = 40
_LONGEST_IN_COLUMN = 24
_NAME_POINTS = 6.5
_NAME_INCHES, _LETTER_INCHES = 0.14, 0.055
"""Of a line of a legend, and of a letter in it."""
_ASIDE_POINTS = (4.0, 7.0, 11.0)
"""So far right of the axes end the line to a name, stands its marker, and begins its text."""
_AXES_SHARE = 0.6
"""At least about so much of a figure's height are its axes."""
SMALLEST_PRECISION = 1e-12
"""Precisions below are drawn here: a logarithmic axis has no zero."""
SMALLEST_TARGET = 1e-8
"""Between this and its negative, axes with both signs are linear."""

Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Make a function draw in the style of all figures, and fit what it draws.

    Raises (when called): MissingPackageError: matplotlib is not installed.
    """

    @functools.wraps(draw)
    def drawing(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with require_matplotlib().rc_context(STYLE):
            figure = draw(*args, **kwargs)
            fit(figure)
            return figure

    return drawing


def require_matplotlib() -> Any:
    """The package matplotlib."""
    try:
        import_module("matplotlib.figure")
        return import_module("matplotlib")
    except ImportError as error:
        raise MissingPackageError.of("matplotlib", "figures", "a figure") from error


def blank_figure(size: tuple[float, float]) -> Figure:
    """A figure of so many inches, which makes room for titles, labels and names by itself."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def style_of(place: int, marked: bool = True) -> dict[str, Any]:
    """Colour, dashes and marker of the curve at a place of the order."""
    style: dict[str, Any] = {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place % len(DASHES)],
    }
    if marked:
        style |= {"marker": MARKERS[place % len(MARKERS)], "markerfacecolor": "white"}
    return style


def label(name: str, longest: int = _LONGEST_NAME) -> str:
    """A name for the eye: printable, not too long; its end is kept, where versions differ.

    >>> label("a-very-long-name-of-an-algorithm-with-popsize-20", 20)
    'a-very-long-…size-20'
    """
    name_text = text(name) or "(no name)"
    if len(name_text) <= longest:
        return name_text
    last = longest // 3 + 1
    return f"{name_text[: longest - last - 1]}…{name_text[-last:]}"


@dataclass(frozen=True)
class Name:
    """A name beside the axes; ``height``, part of theirs, is where its curve ends; None: none."""

    text: str
    height: float | None
    style: Mapping[str, Any]


def add_legend(axes: Axes) -> None:
    """Names right of the axes: of curves where they end, of points at their mean height.

    To be called last, when the limits of the axes are known.
    """
    names = []
    for line in axes.get_lines():
        name = str(line.get_label())
        if not name.startswith("_"):
            style = {"color": line.get_color(), "marker": line.get_marker()}
            names.append(Name(name, _height(axes, line), style))
    add_names(axes, names)


def add_names_below(figure: Figure, axes: Axes) -> None:
    """Names of the curves of one of several panels, below all; the figure grows as they need."""
    width, height = figure.get_size_inches()
    lines = [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
    names = [str(line.get_label()) for line in lines]
    letters = max(map(len, names), default=0) + 9
    columns = max(1, min(len(names), int(width / (letters * _LETTER_INCHES))))
    figure.set_figheight(height + _NAME_INCHES * -(-len(names) // columns))
    legend = figure.legend(lines, names, loc="outside lower left", ncols=columns)
    for label_text in legend.get_texts():
        label_text.set_parse_math(False)


def add_names(axes: Axes, names: Sequence[Name]) -> None:
    """Names right of the axes at their heights, moved apart where they would overlap.

    Those without a curve stand below the others.
    """
    if not names:
        return
    from matplotlib.patches import ConnectionPatch
    from matplotlib.transforms import ScaledTranslation

    figure = axes.get_figure(root=True)
    assert figure is not None
    width, height = figure.get_size_inches()
    inches = height * _AXES_SHARE
    size = float(np.clip(72 * inches / (1.25 * len(names)), 3.5, _NAME_POINTS))
    order = sorted(names, key=lambda name: -1.0 if name.height is None else name.height)
    places = spread([name.height or 0.0 for name in order], 1.25 * size / 72 / inches)
    longest = _LONGEST_NAME if width > COLUMN_INCHES else _LONGEST_IN_COLUMN
    aside = [
        axes.transAxes + ScaledTranslation(points / 72, 0.0, figure.dpi_scale_trans)
        for points in _ASIDE_POINTS
    ]
    for name, place in zip(order, places, strict=True):
        colour = name.style["color"]
        if name.height is not None:
            joined = (1.0, name.height), (1.0, place), axes.transAxes, aside[0]
            axes.add_artist(
                ConnectionPatch(*joined, arrowstyle="-", color=colour, linewidth=0.7, clip_on=False)
            )
        axes.plot(
            [1.0], [place], color=colour, marker=name.style.get("marker") or "none",
            markerfacecolor="white", markersize=4, linestyle="none", transform=aside[1],
            clip_on=False, label="_name",
        )  # fmt: skip
        axes.text(
            1.0, place, label(name.text, longest), transform=aside[2], va="center", fontsize=size,
            color=colour, parse_math=False, gid="name",
        )  # fmt: skip


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move ascending heights apart to at least ``gap``, clusters around their middle.

    The highest stays half a gap below 1, where a line of text ends below the title.

    >>> [round(height, 3) for height in spread([0.5, 0.5, 0.9], 0.2)]
    [0.4, 0.6, 0.9]
    """
    clusters: list[list[float]] = []
    for i, height in enumerate(heights):
        clusters.append([height - i * gap])
        while len(clusters) > 1 and np.mean(clusters[-2]) > np.mean(clusters[-1]):
            clusters[-2:] = [clusters[-2] + clusters[-1]]
    lowest = [float(np.mean(cluster)) for cluster in clusters for _ in cluster]
    highest = max(1.0 - (len(lowest) - 0.5) * gap, 0.0)
    return [float(np.clip(low, 0.0, highest)) + i * gap for i, low in enumerate(lowest)]


def _height(axes: Axes, line: Line2D) -> float | None:
    """Where a curve ends, or the mean height of points, as a part of the height of the axes."""
    axes.get_xlim()  # brings the limits up to date
    axes.get_ylim()
    points = np.column_stack([np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata())])
    points = points[np.isfinite(points.astype(np.float64)).all(axis=1)]
    if not len(points):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        places = (axes.transScale + axes.transLimits).transform(points)
    across, up = places[np.isfinite(places).all(axis=1)].T
    if not len(up):
        return None
    if line.get_linestyle() == "None":
        return float(np.clip(up.mean(), 0.0, 1.0))
    rightmost = np.flatnonzero(across == across.max())
    last = rightmost[0] if axes.xaxis_inverted() else rightmost[-1]
    return float(np.clip(up[last], 0.0, 1.0))


def logarithmic(axes: Axes, y: bool = True) -> None:
    """Logarithmic axes, or the one of x alone, where something positive is drawn on them."""
    lines = axes.get_lines()
    if any(np.any(np.asarray(line.get_xdata(), dtype=float) > 0) for line in lines):
        axes.set_xscale("log")
    if y and any(np.any(np.asarray(line.get_ydata(), dtype=float) > 0) for line in lines):
        axes.set_yscale("log")


def is_signed(rows: Mapping[str, NDArray[Any]], *names: str) -> bool:
    """Whether precisions in some columns lie below 0 by more than rounding."""
    return any(bool((rows[name] < -SMALLEST_TARGET / 10).any()) for name in names)


def drawn(precision: NDArray[np.float64], signed: bool) -> Floats:
    """Precisions as they are drawn: NaN where there is none, on logarithmic axes at least 1e-12."""
    values = np.where(np.isfinite(precision), precision, np.nan)
    return values if signed else np.asarray(np.maximum(values, SMALLEST_PRECISION))


def precision_axes(axes: Axes, signed: bool) -> None:
    """Logarithmic budgets; precisions logarithmic, with both signs symmetrically so around 0."""
    logarithmic(axes, y=not signed)
    if signed:
        axes.set_yscale("symlog", linthresh=SMALLEST_TARGET)


def both_signs_across(axes: Axes) -> None:
    """A horizontal axis of precisions with both signs: a tick at 0, and one on each side."""
    axes.set_xscale("symlog", linthresh=SMALLEST_TARGET)
    axes.autoscale_view(scaley=False)  # the limits are still those of the scale before
    size = np.maximum(np.abs(axes.get_xlim()), SMALLEST_TARGET)
    axes.set_xticks([0, *(np.array([-1, 1]) * 10 ** np.floor(np.log10(size)))])
