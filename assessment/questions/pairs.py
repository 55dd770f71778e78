"""Two algorithms: average runtimes as points (COCO's ppscatter), and their ratios (pplogabs)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Algorithm, Reference, Targets
from ..data.notes import notes_on_targets
from ..data.run_sets import RunSet, matched, paired_rows
from ..data.runs import Runs
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, figure_and_axes, split
from ..figures.style import DASHES, add_legend, label, logarithmic, style_of
from ..statistics.average_runtime import average_runtime
from ..statistics.ecdf import ecdf
from ..statistics.hits import runtimes_of_runs
from ..statistics.quantiles import Floats
from ..statistics.ratios import known_ratios, runtime_ratios
from ..tables.table import Table, Value, table_of
from ..targets.target_sets import TargetSet, all_targets, common_set, key_of, key_text, pair_targets

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


Pairs = Literal["all", "instances"]
_WORDS = {"all": "all pairs of runs", "instances": "pairs of runs on the same instance"}
_RATIO_COLUMNS = ("suite", "dimension", "target", "first", "second", "ratio", "fraction", "pairs")
_GRID = tuple((10.0 ** (np.arange(-80, 81) / 20)).tolist())
_LEAST_REACH, _MOST_REACH = 10.0, 1e4
"""Ratios are drawn from 1 / reach to reach; the curves go on beyond."""
_LONGEST_INSIDE = 20
"""Letters of a name between the curves."""


@dataclass(frozen=True, eq=False, repr=False)
class RatioTable(Table):
    """Distributions of ratios; see `ratios`.

    Attributes:
        targets: All, also those that neither algorithm reached, which have no rows.
    """

    targets: TargetSet = field(default_factory=lambda: TargetSet("none"))


@question("Algorithms against each other, function by function", 70)
def ratios(
    runs: Runs,
    first: Algorithm,
    second: Algorithm,
    targets: Targets | None = None,
    *,
    pairs: Pairs = "all",
    reference: Reference | None = None,
) -> RatioTable:
    """Distribution of the runtime ratios of two algorithms.

    Over pairs of their runs on all functions of a dimension. The fraction at 1 is how often the
    first is at least as fast. Functions on which both failed in all pairs do not count.
    ``algorithms`` names the two where the logs hold more.

    Args:
        targets: None: 1e1, 1e-1, 1e-4, 1e-8, or four of the suite's.
        pairs: all pairs of runs, as in COCO's figures; or those on equal instances.
        reference: None: none; run-length targets need one.

    Returns:
        Columns: ``suite, dimension, target, first, second, ratio``, of run-length targets
        ``budget`` (evaluations / dimension) instead of ``target``; ``fraction``, the share of
        pairs of runs whose ratio (first by second) is at most ``ratio``, each function weighing the
        same; ``pairs``, how many there are.

    Raises:
        UnknownNameError: ``pairs`` is neither.
        AssessmentError: They share no function and dimension, or functions have targets of their
            own that no budgets chose.
    """
    run_sets, aims = runs.of_two(first, second).at_targets(targets, pair_targets, reference)
    if aims.own and not aims.budgets:
        raise AssessmentError("ratios over functions need targets that all functions share")
    if pairs not in get_args(Pairs):
        raise UnknownNameError.of("kind of pairs", pairs, get_args(Pairs))
    cells: dict[tuple[str, int], list[tuple[RunSet, RunSet]]] = {}
    for a, b in matched(run_sets, first, second):
        cells.setdefault((a.suite, a.dimension), []).append((a, b))
    rows: list[list[Value]] = []
    for (suite, dimension), both in sorted(cells.items()):
        for j, key in enumerate(aims.budgets or aims.shared(suite)):
            head: list[Value] = [suite, dimension, key, first, second]
            rows += [[*head, *row] for row in _distribution(both, j, pairs)]
    convention = f"of {_WORDS[pairs]}, every function weighing the same; without restarts"
    names = ["budget" if aims.budgets and name == "target" else name for name in _RATIO_COLUMNS]
    return RatioTable(table_of(names, rows), notes_on_targets(run_sets, aims, convention), aims)


def _distribution(
    both: Sequence[tuple[RunSet, RunSet]], j: int, pairs: str
) -> list[tuple[float, float, int]]:
    """Ratio, share of pairs up to it, and number of pairs; empty where no function has one."""
    found = [ratio for a, b in both if (ratio := _function_ratios(a, b, j, pairs)).size]
    if not found:
        return []
    shares = np.mean([ecdf(own, _GRID) for own in found], axis=0).tolist()
    count = sum(own.size for own in found)
    return [(ratio, share, count) for ratio, share in zip(_GRID, shares, strict=True)]


def _function_ratios(a: RunSet, b: RunSet, j: int, pairs: str) -> Floats:
    """Ratios of the runtimes to one target on one function, shape ``(n_pairs,)``."""
    if pairs == "all":
        return runtime_ratios(a.hits[:, j], b.hits[:, j])
    rows = paired_rows(a, b)
    over, under = a.hits[rows[:, 0], j], b.hits[rows[:, 1], j]
    return known_ratios(runtimes_of_runs(over), runtimes_of_runs(under))


def _ratio_caption(cell: Cell) -> str:
    assert isinstance(cell.table, RatioTable)
    aims = cell.table.targets
    key = key_of(cell.table.names)
    each = aims.budgets or aims.shared(cell.values["suite"])
    targets = ", ".join(key_text(key, key_value) for key_value in each)
    pairs = _WORDS[cell.options.get("pairs", "all")]
    return (
        f"Distribution of the runtime of {cell.rows['first'][0]} divided by that of "
        f"{cell.rows['second'][0]} on {cell.place}, over {pairs}, each function weighing "
        f"the same; targets {targets}."
    )


@ratios.figure(
    "ratios",
    cells="suite dimension",
    caption=_ratio_caption,
    options="targets count",
    unasked="where it applies",
)
def draw_ratios(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the distribution of runtime ratios of two algorithms, a curve for each target.

    Left of 1 the first is faster: the height at 1, marked by a dot, is the share of pairs of runs
    in which it is. Harder targets are darker. A curve that ends below 1 lacks pairs in which the
    first was never done.

    Args:
        table: The table.
        **options: ``suite``, ``dimension``.
    """
    from matplotlib import colormaps

    figure, axes, rows = figure_and_axes(table, ("suite", "dimension"), options)
    first, second = (label(rows[name][0], _LONGEST_INSIDE) for name in ("first", "second"))
    by = key_of(rows)
    targets = list(split(rows, by).items())[:: -1 if by == "target" else 1]
    darker = colormaps["viridis_r"](np.linspace(0.25, 1.0, len(targets)))
    finite = [r[np.isfinite(r) & (r > 0)] for r in (own["ratio"] for _, own in targets)]
    reach = max([_LEAST_REACH, *(float(np.max(np.maximum(r, 1 / r))) for r in finite if len(r))])
    reach = min(10.0 ** np.ceil(np.log10(reach)), _MOST_REACH)
    for place, ((target, own), colour) in enumerate(zip(targets, darker, strict=True)):
        style: dict[str, Any] = {"color": tuple(colour), "linestyle": DASHES[place % len(DASHES)]}
        name = f"target {key_text(by, target)}"
        axes.plot(own["ratio"], own["fraction"], drawstyle="steps-post", label=name, **style)
        share_at_one = own["fraction"][own["ratio"] <= 1.0]
        axes.plot(
            1.0,
            share_at_one[-1] if len(share_at_one) else 0.0,
            "o",
            color=style["color"],
            markersize=3,
        )
    axes.set(xscale="log", xlim=(1 / reach, reach), ylim=(0, 1.01), ylabel="share of pairs of runs")
    axes.axvline(1.0, color="0.6", linewidth=0.7)
    text_style: dict[str, Any] = {"transform": axes.transAxes, "fontsize": 6.5, "color": "0.35"}
    text_style["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0}
    axes.text(0.02, 0.96, f"← {first} faster", va="top", parse_math=False, **text_style)
    axes.text(0.98, 0.03, f"{second} faster →", ha="right", parse_math=False, **text_style)
    axes.set_xlabel(f"runtime of {first} / of {second}", parse_math=False)
    add_legend(axes)
    return figure
