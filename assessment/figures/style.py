"""How all figures look: sizes for a paper's column, colours and markers that differ for any eye.

matplotlib (extra ``figures``) is imported when a figure is drawn; none of its global state is used
or changed, and pyplot is never imported.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingPackageError
from ..statistics.quantiles import Floats
from ..tables.table import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN_INCHES = 3.4
"""Width of a column of a two-column paper."""

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

# Okabe and Ito's colours, which any colour vision tells apart, without the yellow (too pale)
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
MARKERS = ("o", "D", "s", "^", "v", "p", "h", "<", ">", "d", "*")
DASHES = ("-", "--", "-.", ":")
_LONGEST_NAME = 40
SMALLEST_PRECISION = 1e-12
"""Precisions below are drawn here: a logarithmic axis has no zero."""
SMALLEST_TARGET = 1e-8
"""Between this and its negative, axes with both signs are linear."""

Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Make a function draw in the style of all figures.

    Raises (when called): MissingPackageError: matplotlib is not installed.
    """

    @functools.wraps(draw)
    def drawing(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with require_matplotlib().rc_context(STYLE):
            return draw(*args, **kwargs)

    return drawing


def require_matplotlib() -> Any:
    """The package matplotlib.

    Raises:
        MissingPackageError: It is not installed.
    """
    try:
        import_module("matplotlib.figure")
        return import_module("matplotlib")
    except ImportError as error:
        raise MissingPackageError.of("matplotlib", "figures", "a figure") from error


def style_of(place: int, marked: bool = True) -> dict[str, Any]:
    """Colour, dashes and marker of the curve at a place of the order."""
    style: dict[str, Any] = {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[place // len(COLOURS) % len(DASHES)],
    }
    if marked:
        style |= {"marker": MARKERS[place % len(MARKERS)], "markerfacecolor": "white"}
    return style


def label(name: str) -> str:
    """A name for the eye: printable, not too long."""
    shown = text(name) or "(no name)"
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 1] + "…"


def add_legend(axes: Axes) -> None:
    """The names of curves, as text, where they hide least; none where no curve has a name."""
    handles, names = axes.get_legend_handles_labels()
    if not names:
        return
    legend = axes.legend(handles, names, loc="best")
    for entry in legend.get_texts():
        entry.set_parse_math(False)


def logarithmic(axes: Axes, x: bool = True, y: bool = True) -> None:
    """Logarithmic axes, where something positive is drawn on them."""
    lines = axes.get_lines()
    for wanted, get, change in (
        (x, "get_xdata", axes.set_xscale),
        (y, "get_ydata", axes.set_yscale),
    ):
        values = [np.asarray(getattr(line, get)(), dtype=float) for line in lines]
        if wanted and any(np.any(value > 0) for value in values):
            change("log")


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
