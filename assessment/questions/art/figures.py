"""Figures of average runtimes: against the target, and as a map of functions and algorithms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...figures.axes import (
    FigureOptions,
    Rows,
    add_title_above,
    by_algorithm,
    chosen,
    figure_and_axes,
    size_of,
    split,
)
from ...figures.style import add_legend, blank_figure, is_signed, label
from ...statistics.quantiles import Floats
from ...statistics.ratios import ratios_to_best
from ...tables.table import Table
from ...targets.target_sets import all_targets, key_of, key_text, pair_targets
from .table import art

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...asking.cell import Cell

_DARKEST_RATIO = 1e3
_NUMBERS_FROM_INCHES = 0.3
"""Cells at least so wide have their ratio written into them."""
_INCHES_ROW = 0.15
_INCHES_CELL = 0.1
"""Cells are at least so wide that the names below stand apart."""
_INCHES_TITLE = 0.4
_INCHES_LETTER = 0.05
_INCHES_MARGIN = 0.9
"""Names of functions and the scale."""


@art.figure(
    "art",
    cells="suite function dimension",
    caption="aRT on {place} against the target precision, easy targets left; a curve ends where no "
    "run reached the target.",
    options="targets",
    unasked="no",
    targets=all_targets,
)
def draw_art(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT against the target precision, easy targets left, one curve for each algorithm.

    A curve ends where no run reached the target.

    Args:
        table: Average runtimes.
        **options: ``suite``, ``function``, ``dimension``.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    for name, own, style in by_algorithm(rows):
        reached = np.isfinite(own["art"])
        axes.plot(own["target"][reached], own["art"][reached], label=name, **style)
    if is_signed(rows, "target"):
        smallest = np.abs(rows["target"][rows["target"] != 0]).min()
        axes.set_xscale("symlog", linthresh=smallest)
    else:
        axes.set_xscale("log")
    axes.invert_xaxis()
    axes.set(xlabel="target precision", ylabel=f"aRT ({table.runtime_unit})", yscale="log")
    add_legend(axes)
    return figure


def _heatmap_caption(cell: Cell) -> str:
    by = key_of(cell.rows)
    texts = [text for text, _ in _panels(cell.rows)]
    what = {"target": "precisions", "budget": "the run-length targets of"}[by]
    if _own_targets(cell.rows):
        what, texts = f"{len(texts)} targets of each function,", ["from easy to hard,"]
    return (
        f"aRT to {what} {', '.join(texts)} on {cell.place}, divided by "
        "the least of the algorithms shown, which has a dot or the number 1. Hatched: never "
        "reached. Blank: not run."
    )


@art.figure(
    "heatmap",
    cells="suite dimension",
    caption=_heatmap_caption,
    options="targets",
    curated=True,
    targets=pair_targets,
)
def draw_heatmap(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw functions × algorithms, a panel for each target: aRT divided by the least.

    A cell is white where the algorithm is the best, darker the more it takes, and hatched where it
    never succeeded. The ratio is written into it where there is room.

    Args:
        table: Average runtimes.
        **options: ``suite``, ``dimension``; ``target``, without which all are shown side by side.
    """
    names: tuple[str, ...] = ("suite", "dimension")
    if options.get("target") is not None:
        names += ("target",)
    rows = chosen(table, names, options)
    algorithms = sorted(set(rows["algorithm"].tolist()))
    functions = sorted(set(rows["function"].tolist()))
    panels = _panels(rows)
    width, _ = size_of(options)
    ticks = [label(name) for name in algorithms]
    room = width - _INCHES_MARGIN
    least = max(_INCHES_CELL * len(algorithms), _INCHES_TITLE)
    columns = min(len(panels), max(1, int(room / least)))
    below = math.ceil(len(panels) / columns)
    height = below * (_INCHES_ROW * max(len(functions), 3) + 0.25) + 0.5
    height += 0.1 + _INCHES_LETTER * max(map(len, ticks))
    figure = blank_figure((width, height))
    every = figure.subplots(below, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes in every[len(panels) :]:
        axes.set_axis_off()
    cell = room / (columns * len(algorithms))
    images = []
    for axes, (text, own) in zip(every, panels, strict=False):
        ratio = ratios_to_best(_averages(own, functions, algorithms))
        images.append(_draw_panel(axes, ratio, cell >= _NUMBERS_FROM_INCHES))
        axes.set_title(text, fontsize=7)
        axes.set_xticks(range(len(ticks)), ticks, rotation=90, fontsize=6)
        for tick in axes.get_xticklabels():
            tick.set_parse_math(False)
    for axes in every[::columns]:
        axes.set_yticks(range(len(functions)), [f"f{n}" for n in functions], fontsize=6)
    bar = figure.colorbar(images[-1], ax=list(every), aspect=40, pad=0.02, extend="max")
    bar.set_label("aRT / least aRT")
    add_title_above(figure, rows, ("suite", "dimension"), options)
    return figure


def _own_targets(rows: Rows) -> dict[int, list[float]]:
    """The targets of each function, from easy to hard; nothing where all functions share theirs."""
    if key_of(rows) == "budget":
        return {}
    found = {
        function: sorted(set(own["target"].tolist()), reverse=True)
        for function, own in split(rows, "function").items()
    }
    return {} if len(set(map(tuple, found.values()))) == 1 else found


def _panels(rows: Rows) -> list[tuple[str, Rows]]:
    """Title and rows of each panel, from easy to hard: of one target, or of one of each function.

    Where functions have targets of their own, the last panel has the hardest of each, the one
    before it the second hardest: a panel for each precision would show one function.
    """
    targets = _own_targets(rows)
    if not targets:
        by = key_of(rows)
        panels = list(split(rows, by).items())[:: -1 if by == "target" else 1]
        return [(key_text(by, target), own) for target, own in panels]
    pairs = zip(rows["function"].tolist(), rows["target"].tolist(), strict=True)
    most = max(map(len, targets.values()))
    places = [most - len(targets[f]) + 1 + targets[f].index(target) for f, target in pairs]
    by_place = split({**rows, "place": np.array(places)}, "place")
    return [(f"{place} of {most}", own) for place, own in by_place.items()]


def _averages(rows: Rows, functions: list[int], algorithms: list[str]) -> Floats:
    """Average runtimes, shape ``(n_functions, n_algorithms)``; NaN where not run."""
    art = np.full((len(functions), len(algorithms)), np.nan)
    columns = (rows[name].tolist() for name in ("algorithm", "function", "art"))
    for name, function, value in zip(*columns, strict=True):
        art[functions.index(function), algorithms.index(name)] = value
    return art


def _draw_panel(axes: Axes, ratio: Floats, numbers: bool) -> Any:
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    axes.grid(visible=False)
    axes.tick_params(length=0)
    finite = np.ma.masked_invalid(ratio)
    image = axes.imshow(finite, cmap="YlOrRd", norm=LogNorm(1, _DARKEST_RATIO), aspect="auto")
    for (i, j), value in np.ndenumerate(ratio):
        if np.isposinf(value):
            axes.add_patch(
                Rectangle(
                    (j - 0.5, i - 0.5), 1, 1, facecolor="0.93", edgecolor="0.55", hatch="/////",
                    linewidth=0,
                )
            )  # fmt: skip
        elif np.isfinite(value) and numbers:
            ink = "white" if value > 60 else "black"
            axes.text(j, i, _short(value), ha="center", va="center", fontsize=5.5, color=ink)
        elif value == 1.0:
            axes.plot(j, i, ".", color="0.35", markersize=2.5)
    return image


def _short(ratio: float) -> str:
    """A ratio in few signs.

    >>> [_short(r) for r in (1.0, 3.14, 42.4, 12345.0)]
    ['1', '3.1', '42', '1e4']
    """
    if ratio >= 1000:
        return f"{ratio:.0e}".replace("e+0", "e").replace("e+", "e")
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
