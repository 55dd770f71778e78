"""Draw average runtimes: against the target, and as a heat map of functions and algorithms."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from ...errors import AssessmentError
from ...figures.axes import (
    LABEL,
    FigureOptions,
    Rows,
    Width,
    add_title_above,
    by_algorithm,
    chosen,
    figure_and_axes,
    labels_of,
    remove_unused_panels,
    size_of,
    split,
)
from ...figures.style import add_legend, blank_figure, is_signed
from ...statistics.quantiles import Floats
from ...statistics.ratios import ratios_to_best
from ...tables.table import Table
from ...targets.target_sets import all_targets, key_of, key_text, pair_targets
from .table import art

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

    from .._framework.cell import Cell

_DARKEST_RATIO = 1e3
_MIN_INCHES_OF_NUMBERS = 0.3
"""Minimum width of a cell that has its ratio written into it."""
_INCHES_ROW = 0.15
_MAX_INCHES = 9.0
"""Maximum height of a heat map, which has to fit on a page with its caption."""
_INCHES_CELL = 0.1
"""Minimum width of a cell, at which the names below do not touch."""
_INCHES_BAR = 0.1
"""Width of the colour scale."""
_INCHES_TITLE = 0.4
_INCHES_LETTER = 0.05
_INCHES_MARGIN = 0.9
"""Width of the names of functions and of the colour scale."""


@art.figure(
    "art",
    cells="suite function dimension",
    caption="aRT on {place} against the target precision, easy targets left; a curve ends where no "
    "run reached the target.",
    targets=all_targets,
)
def draw_art(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT against the target precision, easy targets left, one curve for each algorithm.

    A curve ends at the hardest target that a run reached.

    Args:
        table: The table of `art`.
        **options: ``suite``, ``function`` and ``dimension`` select the curves.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension"), options)
    for name, curve, style in by_algorithm(rows):
        is_reached = np.isfinite(curve["art"])
        axes.plot(curve["target"][is_reached], curve["art"][is_reached], label=name, **style)
    if not np.isfinite(rows["art"]).any():
        # matplotlib chooses limits at 0 for axes without data, and logarithmic axes have no 0.
        axes.update_datalim([(target, 1.0) for target in rows["target"].tolist()])
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
    titles = [title for title, _ in _panels(cell.rows)]
    kind = {"target": "precisions", "budget": "the run-length targets of"}[by]
    if _targets_of_functions(cell.rows):
        kind, titles = f"{len(titles)} targets of each function,", ["from easy to hard,"]
    return (
        f"aRT to {kind} {', '.join(titles)} on {cell.place}, divided by "
        "the least of the algorithms shown, which has a dot or the number 1. Hatched: never "
        "reached. Blank: not run."
    )


class _Layout(NamedTuple):
    """Arrangement of the panels of a heat map.

    Attributes:
        n_rows: Number of rows of panels.
        n_columns: Number of columns of panels.
        height: Height of the figure in inches.
    """

    n_rows: int
    n_columns: int
    height: float


def _arrange_panels(
    n_panels: int, n_functions: int, labels: Collection[str], width: float
) -> _Layout:
    """Return how many panels stand beside each other, and how high the heat map becomes.

    Args:
        n_panels: Number of panels.
        n_functions: Number of functions, which are the rows of a panel.
        labels: Labels of the algorithms, which are the columns of a panel.
        width: Width of the figure in inches.
    """
    min_panel_width = max(_INCHES_CELL * len(labels), _INCHES_TITLE)
    max_columns = max(1, int((width - _INCHES_MARGIN) / min_panel_width))
    n_rows = math.ceil(n_panels / max_columns)
    n_columns = math.ceil(n_panels / n_rows)
    height = n_rows * (_INCHES_ROW * max(n_functions, 3) + 0.25) + 0.5
    height += 0.1 + _INCHES_LETTER * max(map(len, labels))
    return _Layout(n_rows, n_columns, height)


def _divide_functions(cell: Cell, width: Width) -> list[list[int]]:
    """Return the functions of each part of a heat map; one part if it fits on a page."""
    display_options: FigureOptions = {"width": width, "algorithms": cell.runs.log.algorithms}
    algorithms = sorted(set(cell.rows["algorithm"].tolist()))
    labels = [labels_of(algorithms, display_options)[name] for name in algorithms]
    functions = sorted(set(cell.rows["function"].tolist()))
    n_panels, inches = len(_panels(cell.rows)), size_of(display_options)[0]
    for n_parts in range(1, len(functions) + 1):
        parts = [part.tolist() for part in np.array_split(functions, n_parts)]
        if _arrange_panels(n_panels, len(parts[0]), labels, inches).height <= _MAX_INCHES:
            return parts
    return [[function] for function in functions]


@art.figure(
    "heatmap",
    cells="suite dimension",
    caption=_heatmap_caption,
    parts=_divide_functions,
    targets=pair_targets,
    has_styles=False,
)
def draw_heatmap(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw functions × algorithms, a panel for each target: aRT divided by the least.

    A cell is white if the algorithm is the best, the darker the larger the ratio, and hatched if no
    run of the algorithm succeeded. The ratio is written into the cell if there is room.

    Args:
        table: The table of `art`.
        **options: ``suite`` and ``dimension`` select the rows of the table. ``target`` selects one
            panel; without it, all targets are shown side by side. ``functions`` are the functions;
            default: all.

    Raises:
        AssessmentError: There is one algorithm, whose ratio to the least is 1 everywhere.
    """
    names: tuple[str, ...] = ("suite", "dimension")
    if options.get("target") is not None:
        names += ("target",)
    rows = chosen(table, names, options)
    if (shown := options.get("functions")) is not None:
        is_shown = np.isin(rows["function"], shown)
        rows = {name: column[is_shown] for name, column in rows.items()}
    algorithms = sorted(set(rows["algorithm"].tolist()))
    if len(algorithms) == 1:
        raise AssessmentError("figure: heatmap compares algorithms, and the table has one")
    functions = sorted(set(rows["function"].tolist()))
    panels = _panels(rows)
    width, _ = size_of(options)
    labels = dict(zip(rows["algorithm"].tolist(), rows[LABEL].tolist(), strict=True))
    ticks = [labels[name] for name in algorithms]
    n_rows, n_columns, height = _arrange_panels(len(panels), len(functions), ticks, width)
    figure = blank_figure((width, height))
    grid = figure.subplots(n_rows, n_columns, sharex=True, sharey=True, squeeze=False).ravel()
    remove_unused_panels(grid, len(panels), n_columns)
    has_numbers = (width - _INCHES_MARGIN) / (n_columns * len(algorithms)) >= _MIN_INCHES_OF_NUMBERS
    images = []
    for axes, (title, panel_rows) in zip(grid, panels, strict=False):
        ratios = ratios_to_best(_averages(panel_rows, functions, algorithms))
        images.append(_draw_panel(axes, ratios, has_numbers))
        axes.set_title(title, fontsize=7)
        axes.set_xticks(range(len(ticks)), ticks, rotation=90, fontsize=6)
        for tick in axes.get_xticklabels():
            tick.set_parse_math(False)
    for axes in grid[::n_columns]:
        axes.set_yticks(range(len(functions)), [f"f{n}" for n in functions], fontsize=6)
    aspect = n_rows * _INCHES_ROW * max(len(functions), 3) / _INCHES_BAR
    bar = figure.colorbar(images[-1], ax=list(grid), aspect=aspect, pad=0.02, extend="max")
    bar.set_label("aRT / least aRT")
    add_title_above(figure, rows, ("suite", "dimension"), options)
    return figure


def _targets_of_functions(rows: Rows) -> dict[int, list[float]]:
    """Return the targets of each function, from easy to hard; empty if all functions share them."""
    if key_of(rows) == "budget":
        return {}
    targets = {
        function: sorted(set(function_rows["target"].tolist()), reverse=True)
        for function, function_rows in split(rows, "function").items()
    }
    return {} if len(set(map(tuple, targets.values()))) == 1 else targets


def _panels(rows: Rows) -> list[tuple[str, Rows]]:
    """Return title and rows of each panel, from easy to hard targets.

    If all functions share their targets, a panel shows one target. Else the last panel shows the
    hardest target of each function, the panel before it the second hardest, and so on, because a
    panel for each precision would show a single function.
    """
    targets = _targets_of_functions(rows)
    if not targets:
        by = key_of(rows)
        panels = list(split(rows, by).items())[:: -1 if by == "target" else 1]
        return [(key_text(by, target), panel_rows) for target, panel_rows in panels]
    pairs = zip(rows["function"].tolist(), rows["target"].tolist(), strict=True)
    n_panels = max(map(len, targets.values()))
    numbers = [n_panels - len(targets[f]) + 1 + targets[f].index(target) for f, target in pairs]
    by_number = split({**rows, "panel": np.array(numbers)}, "panel")
    return [(f"{number} of {n_panels}", panel_rows) for number, panel_rows in by_number.items()]


def _averages(rows: Rows, functions: list[int], algorithms: list[str]) -> Floats:
    """Return average runtimes, shape ``(n_functions, n_algorithms)``; NaN if there are no runs."""
    art = np.full((len(functions), len(algorithms)), np.nan)
    columns = (rows[name].tolist() for name in ("algorithm", "function", "art"))
    for name, function, value in zip(*columns, strict=True):
        art[functions.index(function), algorithms.index(name)] = value
    return art


def _draw_panel(axes: Axes, ratios: Floats, has_numbers: bool) -> AxesImage:
    """Draw the ratios of one panel as colours, with numbers or with dots on the best algorithms."""
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    axes.grid(visible=False)
    axes.tick_params(length=0)
    finite = np.ma.masked_invalid(ratios)
    image = axes.imshow(finite, cmap="YlOrRd", norm=LogNorm(1, _DARKEST_RATIO), aspect="auto")
    for (i, j), value in np.ndenumerate(ratios):
        if np.isposinf(value):
            axes.add_patch(
                Rectangle(
                    (j - 0.5, i - 0.5), 1, 1, facecolor="0.93", edgecolor="0.55", hatch="/////",
                    linewidth=0,
                )
            )  # fmt: skip
        elif np.isfinite(value) and has_numbers:
            ink = "white" if value > 60 else "black"
            axes.text(j, i, _short(value), ha="center", va="center", fontsize=5.5, color=ink)
        elif value == 1.0:
            axes.plot(j, i, ".", color="0.35", markersize=2.5)
    return image


def _short(ratio: float) -> str:
    """Format a ratio in at most four characters.

    >>> [_short(r) for r in (1.0, 3.14, 42.4, 12345.0)]
    ['1', '3.1', '42', '1e4']
    """
    if ratio >= 1000:
        return f"{ratio:.0e}".replace("e+0", "e").replace("e+", "e")
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
