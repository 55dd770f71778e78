"""Average runtimes of two algorithms as points, as in COCO's scatter plots (``ppscatter``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..asking.declaration import question
from ..asking.options import Algorithm, Reference, Targets
from ..data.notes import notes_on_targets
from ..data.run_sets import matched
from ..data.runs import Runs
from ..figures.axes import FigureOptions, figure_and_axes, split
from ..figures.style import add_legend, label, logarithmic, style_of, styled
from ..statistics.average_runtime import average_runtime
from ..tables.table import Table, Value, table_of
from ..targets.defaults import all_targets
from ..targets.target_sets import common_set, key_of, key_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

_COLUMNS = (
    "suite", "function", "dimension", "target", "first", "second", "art_first", "art_second",
    "longest_first", "longest_second",
)  # fmt: skip


@question("Algorithms against each other, function by function", 60)
def scatter(
    runs: Runs,
    first: Algorithm,
    second: Algorithm,
    targets: Targets | None = None,
    *,
    reference: Reference | None = None,
) -> Table:
    """Average runtimes of two algorithms as points.

    To each target on every function and dimension that both were run on, with their longest runs:
    averages beyond these rest on restarts. ``algorithms`` names the two where the logs hold more.

    Args:
        targets: None: the suite's, such as 51, 1e2 … 1e-8.
        reference: None: none; run-length targets need one.

    Returns:
        Columns: ``suite, function, dimension``; of run-length targets ``budget`` (evaluations /
        dimension); ``target, first, second``; ``art_first, art_second`` in
        evaluations, inf where not reached; ``longest_first, longest_second``, the evaluations of
        the longest run.

    Raises:
        AssessmentError: They share no function and dimension.
    """
    run_sets, aims = runs.of_two(first, second).at_targets(targets, all_targets, reference)
    rows: list[list[Value]] = []
    for a, b in matched(run_sets, first, second):
        art = [average_runtime(run_set.hits, run_set.spent).tolist() for run_set in (a, b)]
        longest = [float(a.spent.max()), float(b.spent.max())]
        for j, key in enumerate(aims.keys(*a.cell)):
            head: list[Value] = [a.suite, a.function, a.dimension, *key, first, second]
            rows.append([*head, art[0][j], art[1][j], *longest])
    return Table(table_of(aims.named(_COLUMNS), rows), notes_on_targets(run_sets, aims))


def _caption(cell: Cell) -> str:
    first, second = cell.rows["first"][0], cell.rows["second"][0]
    by = key_of(cell.rows)
    aims = sorted(set(cell.rows[by].tolist()), reverse=by == "target")
    span = f"{key_text(by, aims[0])} … {key_text(by, aims[-1])}"
    targets = common_set(aims).label if by == "target" else f"the run-length targets of {span}"
    return (
        f"aRT of {first} against aRT of {second} on {cell.place}: a mark for each of {targets}, in "
        "each dimension; at an edge: not reached."
    )


@scatter.figure("scatter", cells="suite function", caption=_caption, options="targets count")
@styled
def draw_scatter(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT of one algorithm against that of another, a point for each target and dimension.

    A colour and marker stand for a dimension. On the diagonal both are equal; points at the upper
    or right edge are targets that one of them did not reach. Filled marks: both aRTs are at most
    the longest run; the others rest on the successes of few.

    Args:
        table: The table.
        **options: ``suite``; ``function``, without which all are shown at once.
    """
    of_function = options.get("function") is not None
    figure, axes, rows = figure_and_axes(
        table, ("suite", "function") if of_function else ("suite",), options
    )
    x, y = rows["art_second"], rows["art_first"]
    finite = np.concatenate([v[np.isfinite(v)] for v in (x, y)])
    low, high = (finite.min(), finite.max()) if finite.size else (1.0, 10.0)
    edge = high * 3
    for place, (dimension, own) in enumerate(split(rows, "dimension").items()):
        across, up = (
            np.where(np.isfinite(own[side]), own[side], edge)
            for side in ("art_second", "art_first")
        )
        neither = ~np.isfinite(own["art_second"]) & ~np.isfinite(own["art_first"])
        beyond = (across > own["longest_second"]) | (up > own["longest_first"])
        style = {**style_of(place), "linestyle": "none"}
        full = {**style, "markerfacecolor": style["color"]}
        for there, kind in ((~beyond & ~neither, full), (beyond & ~neither, style)):
            name = f"{dimension}-D" if kind is full else "_nolegend_"
            axes.plot(across[there], up[there], label=name, **kind)
    logarithmic(axes)
    ends = (low / 1.5, edge * 1.2)
    axes.plot(ends, ends, "-", color="0.6", linewidth=0.7, label="_nolegend_")
    axes.set(xlim=ends, ylim=ends, aspect="equal")
    axes.set_xlabel(f"aRT of {label(rows['second'][0])}", parse_math=False)
    axes.set_ylabel(f"aRT of {label(rows['first'][0])}", parse_math=False)
    add_legend(axes)
    return figure
