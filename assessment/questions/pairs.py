"""Comparisons of two algorithms: `scatter` and `ratios`.

`scatter` shows average runtimes as points, as COCO's ppscatter. `ratios` shows the distribution of
runtime ratios of single runs, as COCO's pplogabs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..figures.axes import FigureOptions, figure_and_axes, labels_of_two, split
from ..figures.style import MAX_NAME_CHARACTERS, add_legend, logarithmic, style_of
from ..hits.run_sets import RunSet, matched, paired_rows
from ..samples.at_targets import AtTargets
from ..samples.convention import EACH_RUN, SINGLE_RUNS, Convention
from ..statistics.average_runtime import average_runtime
from ..statistics.ecdf import ecdf
from ..statistics.hits import runtimes_of_runs
from ..statistics.quantiles import Floats
from ..statistics.ratios import known_ratios, runtime_ratios
from ..tables.table import Table, Value, table_of
from ..targets.target_sets import TargetSet, all_targets, common_set, key_of, key_text, pair_targets
from ._framework.needs import at_targets
from ._framework.options import Algorithm
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._framework.cell import Cell


_COLUMNS = (
    "suite", "function", "dimension", "target", "first", "second", "art_first", "art_second",
    "longest_first", "longest_second",
)  # fmt: skip


@question(
    "Algorithms against each other, function by function",
    60,
    needs=at_targets(all_targets),
    convention=EACH_RUN,
    examples=(
        "my.h5 --algorithms DE,L-BFGS-B --targets 1e1,1e-1",
        "my.h5 --algorithms DE,L-BFGS-B --plot scatter.pdf",
    ),
)
def scatter(sample: AtTargets, first: Algorithm, second: Algorithm) -> Table:
    """Show the average runtimes of two algorithms as points.

    The average runtime (aRT) is the evaluations of all runs until they hit the target or ended,
    divided by the number of runs that hit it. Each target on each function and dimension that both
    algorithms were run on is a point. The table also has the longest runs, because averages beyond
    them depend on few successful runs.

    Returns:
        One row for each ``suite``, ``function``, ``dimension`` and ``target``. Run-length targets
        also have a column ``budget``, in evaluations / dimension. ``first`` and ``second`` are the
        algorithms. ``art_first`` and ``art_second`` are their average runtimes in evaluations; inf
        if the target was not reached. ``longest_first`` and ``longest_second`` are the evaluations
        of their longest runs.

    Raises:
        AssessmentError: The algorithms share no function and dimension.
    """
    rows: list[list[Value]] = []
    for a, b in matched(sample.cells, first, second):
        art = [average_runtime(run_set.hits, run_set.spent).tolist() for run_set in (a, b)]
        longest = [float(a.spent.max()), float(b.spent.max())]
        for j, key in enumerate(sample.targets.keys(*a.problem_class)):
            head: list[Value] = [a.suite, a.function, a.dimension, *key, first, second]
            rows.append([*head, art[0][j], art[1][j], *longest])
    return Table(table_of(sample.targets.named(_COLUMNS), rows))


def _caption(cell: Cell) -> str:
    first, second = cell.rows["first"][0], cell.rows["second"][0]
    key_column = key_of(cell.rows)
    keys = sorted(set(cell.rows[key_column].tolist()), reverse=key_column == "target")
    span = f"{key_text(key_column, keys[0])} … {key_text(key_column, keys[-1])}"
    targets = (
        common_set(keys).label if key_column == "target" else f"the run-length targets of {span}"
    )
    return (
        f"aRT of {first} against aRT of {second} on {cell.place}: a mark for each of {targets}, in "
        "each dimension. Marks at the upper or right edge: the target was not reached."
    )


@scatter.figure("scatter", cells="suite function", caption=_caption, has_styles=False)
def draw_scatter(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT of one algorithm against that of another, a point for each target and dimension.

    A colour and a marker stand for a dimension. On the diagonal, both algorithms are equal. Points
    at the upper or right edge are targets that one of them did not reach. A mark is filled if both
    averages are at most the longest run; the other averages rest on few successes.

    Args:
        table: The table of `scatter`.
        **options: ``suite`` selects the points, ``function`` those of one function. Default: all
            functions.
    """
    of_function = options.get("function") is not None
    figure, axes, rows = figure_and_axes(
        table, ("suite", "function") if of_function else ("suite",), options
    )
    x, y = rows["art_second"], rows["art_first"]
    finite = np.concatenate([values[np.isfinite(values)] for values in (x, y)])
    low, high = (finite.min(), finite.max()) if finite.size else (1.0, 10.0)
    edge = high * 3
    for i, (dimension, dimension_rows) in enumerate(split(rows, "dimension").items()):
        across, up = (
            np.where(np.isfinite(dimension_rows[side]), dimension_rows[side], edge)
            for side in ("art_second", "art_first")
        )
        is_unreached = ~np.isfinite(dimension_rows["art_second"]) & ~np.isfinite(
            dimension_rows["art_first"]
        )
        is_beyond = (across > dimension_rows["longest_second"]) | (
            up > dimension_rows["longest_first"]
        )
        style = {**style_of(i), "linestyle": "none"}
        filled_style = {**style, "markerfacecolor": style["color"]}
        for is_drawn, point_style in (
            (~is_beyond & ~is_unreached, filled_style),
            (is_beyond & ~is_unreached, style),
        ):
            name = f"{dimension}-D" if point_style is filled_style else "_nolegend_"
            axes.plot(across[is_drawn], up[is_drawn], label=name, **point_style)
    logarithmic(axes)
    limits = (low / 1.5, edge * 1.2)
    axes.plot(limits, limits, "-", color="0.6", linewidth=0.7, label="_nolegend_")
    axes.set(xlim=limits, ylim=limits, aspect="equal")
    first, second = labels_of_two(rows, MAX_NAME_CHARACTERS["page"])
    axes.set_xlabel(f"aRT of {second}", parse_math=False)
    axes.set_ylabel(f"aRT of {first}", parse_math=False)
    add_legend(axes)
    return figure


Pairs = Literal["all", "instances"]
_PAIR_PHRASES = {"all": "all pairs of runs", "instances": "pairs of runs on the same instance"}
_RATIO_COLUMNS = ("suite", "dimension", "target", "first", "second", "ratio", "fraction", "pairs")
_GRID = tuple((10.0 ** (np.arange(-80, 81) / 20)).tolist())
_MIN_REACH, _MAX_REACH = 10.0, 1e4
"""Limits of the reach; the x axis shows ratios from 1 / reach to reach, and cuts curves beyond."""
_MAX_NAME_LENGTH = 20
"""Longest name of an algorithm, in characters, that is drawn inside the axes."""


@dataclass(frozen=True, eq=False, repr=False)
class RatioTable(Table):
    """Distributions of ratios; see `ratios`.

    Attributes:
        targets: All, also those that neither algorithm reached, which have no rows.
    """

    targets: TargetSet = field(default_factory=lambda: TargetSet("none"))


def _convention(sample: AtTargets, options: Mapping[str, Any]) -> Convention:
    words = _PAIR_PHRASES[options["pairs"]]
    sentence = f"ratios of {words}, without restarts; each function has the same weight"
    return Convention(sentence, SINGLE_RUNS.failed)


@question(
    "Algorithms against each other, function by function",
    70,
    needs=at_targets(pair_targets),
    convention=_convention,
    examples=(
        "my.h5 --algorithms DE,L-BFGS-B --format csv",
        "my.h5 --algorithms DE,L-BFGS-B --plot ratios.pdf",
    ),
)
def ratios(
    sample: AtTargets, first: Algorithm, second: Algorithm, *, pairs: Pairs = "all"
) -> RatioTable:
    """Compute the distribution of the runtime ratios of two algorithms.

    A ratio is the runtime of a run of the first algorithm divided by that of a run of the second.
    The distribution is over pairs of their runs, on all functions of a dimension. Its value at 1 is
    how often the first algorithm is at least as fast. Functions on which both algorithms missed the
    target in all pairs do not count.

    Args:
        pairs: Pairs of runs: all, as in COCO's figures, or pairs of runs on equal instances.

    Returns:
        One row for each point of a curve; ``suite``, ``dimension``, ``target``, ``first`` and
        ``second`` identify the curve. Run-length targets have the column ``budget``, in evaluations
        / dimension, instead of ``target``. ``ratio`` is the runtime of ``first`` divided by that of
        ``second``. ``fraction`` is the share of pairs of runs with at most this ratio, where every
        function has the same weight. ``pairs`` is the number of pairs.

    Raises:
        UnknownNameError: ``pairs`` is neither all nor instances.
        AssessmentError: The algorithms share no function and dimension, or functions have different
            targets that no budgets chose.
    """
    targets = sample.targets
    sample.check_shared_targets(budgets_suffice=True)
    if pairs not in get_args(Pairs):
        raise UnknownNameError.of("kind of pairs", pairs, get_args(Pairs))
    cells: dict[tuple[str, int], list[tuple[RunSet, RunSet]]] = {}
    for a, b in matched(sample.cells, first, second):
        cells.setdefault((a.suite, a.dimension), []).append((a, b))
    rows: list[list[Value]] = []
    for (suite, dimension), run_set_pairs in sorted(cells.items()):
        for j, key in enumerate(targets.budgets or targets.shared(suite)):
            head: list[Value] = [suite, dimension, key, first, second]
            rows += [[*head, *row] for row in _tabulate_distribution(run_set_pairs, j, pairs)]
    names = ["budget" if targets.budgets and name == "target" else name for name in _RATIO_COLUMNS]
    return RatioTable(table_of(names, rows), targets=targets)


def _tabulate_distribution(
    run_set_pairs: Sequence[tuple[RunSet, RunSet]], j: int, pairs: Pairs
) -> list[tuple[float, float, int]]:
    """Return the distribution of runtime ratios to one target, averaged over functions.

    Args:
        run_set_pairs: Runs of both algorithms on each function.
        j: Index of the target.
        pairs: Which pairs of runs are taken.

    Returns:
        For each ratio of ``_GRID``: the ratio, the share of pairs with at most this ratio, and the
        number of pairs. Empty if no function has a ratio.
    """
    ratios_of_functions = [
        ratio for a, b in run_set_pairs if (ratio := _compute_ratios(a, b, j, pairs)).size
    ]
    if not ratios_of_functions:
        return []
    shares = np.mean(
        [ecdf(function_ratios, _GRID) for function_ratios in ratios_of_functions], axis=0
    ).tolist()
    n_pairs = sum(function_ratios.size for function_ratios in ratios_of_functions)
    return [(ratio, share, n_pairs) for ratio, share in zip(_GRID, shares, strict=True)]


def _compute_ratios(a: RunSet, b: RunSet, j: int, pairs: Pairs) -> Floats:
    """Compute runtime ratios to target ``j`` on one function, shape ``(n_pairs,)``."""
    if pairs == "all":
        return runtime_ratios(a.hits[:, j], b.hits[:, j])
    rows = paired_rows(a, b)
    first_hits, second_hits = a.hits[rows[:, 0], j], b.hits[rows[:, 1], j]
    return known_ratios(runtimes_of_runs(first_hits), runtimes_of_runs(second_hits))


def _ratio_caption(cell: Cell) -> str:
    assert isinstance(cell.table, RatioTable)
    targets = cell.table.targets
    key_column = key_of(cell.table.names)
    keys = targets.budgets or targets.shared(cell.values["suite"])
    target_texts = ", ".join(key_text(key_column, key_value) for key_value in keys)
    pairs = _PAIR_PHRASES[cell.options.get("pairs", "all")]
    return (
        f"Distribution of the runtime of {cell.rows['first'][0]} divided by that of "
        f"{cell.rows['second'][0]} on {cell.place}, over {pairs}, each function weighing "
        f"the same; targets {target_texts}."
    )


@ratios.figure(
    "ratios",
    cells="suite dimension",
    caption=_ratio_caption,
    has_styles=False,
)
def draw_ratios(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw the distribution of runtime ratios of two algorithms, a curve for each target.

    Left of 1, the first algorithm is faster. The dot marks the height of the curve at 1: the share
    of pairs of runs in which the first is at least as fast. Harder targets are darker. A curve ends
    below 1 if the first algorithm did not hit the target in all pairs.

    Args:
        table: The table of `ratios`.
        **options: ``suite`` and ``dimension`` select the curves.
    """
    from matplotlib import colormaps

    figure, axes, rows = figure_and_axes(table, ("suite", "dimension"), options)
    first, second = labels_of_two(rows, _MAX_NAME_LENGTH)
    key_column = key_of(rows)
    targets = list(split(rows, key_column).items())[:: -1 if key_column == "target" else 1]
    darker = colormaps["viridis_r"](np.linspace(0.25, 1.0, len(targets)))
    finite = [
        ratios[np.isfinite(ratios) & (ratios > 0)]
        for ratios in (target_rows["ratio"] for _, target_rows in targets)
    ]
    reach = max(
        [
            _MIN_REACH,
            *(float(np.max(np.maximum(ratios, 1 / ratios))) for ratios in finite if len(ratios)),
        ]
    )
    reach = min(10.0 ** np.ceil(np.log10(reach)), _MAX_REACH)
    for i, ((target, target_rows), colour) in enumerate(zip(targets, darker, strict=True)):
        style: dict[str, Any] = {**style_of(i, marked=False), "color": tuple(colour)}
        name = f"target {key_text(key_column, target)}"
        axes.plot(
            target_rows["ratio"],
            target_rows["fraction"],
            drawstyle="steps-post",
            label=name,
            **style,
        )
        share_at_one = target_rows["fraction"][target_rows["ratio"] <= 1.0]
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
