"""Runtimes to single targets beside precisions at single budgets, as in COCO's 2010 papers.

Hansen, Auger, Finck, Ros, "Real-Parameter Black-Box Optimization Benchmarking 2010: Experimental
Setup", INRIA RR-7215. The left panel shows the share of runs that reached a target, by budget. The
right panel shows the share of runs whose precision at a budget is at most a value. Runs are counted
without simulated restarts. Therefore the panels agree: at a budget, the share of runs that reached
the hardest target on the left equals the share of runs with at most this precision on the right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from ..caveats import BACKGROUND, REFERENCE_RUNS
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, Rows, chosen, split, title_of
from ..figures.style import SIZES, add_legend, blank_figure, both_signs_across, style_of
from ..grouping import group_name, grouped
from ..hits.run_sets import RunSet
from ..hits.within_budgets import precision_profiles
from ..notes import notes_on_reference
from ..references import Entries
from ..samples.at_budgets import AtBudgets
from ..samples.at_targets import AtTargets
from ..samples.convention import SINGLE_RUNS
from ..samples.sample import Answer
from ..statistics.ecdf import budget_grid, ecdf
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..target_choice import BEST
from ..targets.budgets import axis_text, budget_title, distinct_budgets
from ..targets.parse import target_text
from ..targets.runlength import runtimes_at
from ..targets.target_sets import TargetSet, pair_targets
from ._framework.needs import at_budgets, at_targets
from ._framework.options import Background, GroupBy
from ._framework.question import question

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._framework.cell import Cell

_COLUMNS = ("algorithm", "suite", "dimension", "group", "of", "at", "value", "fraction")
_FIGURE_COLUMNS = ("suite", "dimension", "group", "algorithm")
_NAMES = ("algorithm", "suite", "group", "dimension")
_REFERENCE_STYLE = {
    "linewidth": 3.0,
    "linestyle": "-",
    "alpha": 0.3,
    "zorder": 1,
    "gid": "reference",
}


_BACKGROUND_STYLE = {
    "color": "#b4b4b4",
    "linewidth": 0.5,
    "linestyle": "-",
    "zorder": 0.5,
    "gid": "background",
}


@question(
    "Evaluations to targets",
    60,
    needs=(at_targets(pair_targets, shows_reference=True), at_budgets(takes_axis=False)),
    convention=(SINGLE_RUNS.with_more("each function has the same weight"), None),
    joins=True,
    examples=(
        "results/quickstart.h5",
        "results/quickstart.h5 --plot dual.pdf",
    ),
    explains=[BACKGROUND],
)
def dual_ecdf(
    runtimes: AtTargets,
    precisions: AtBudgets,
    *,
    group_by: GroupBy = "all",
    background: Background | None = None,
) -> Table:
    """Compute distributions of runtimes to single targets, and of precisions at budgets.

    Both distributions are those of single runs, without simulated restarts. They meet at the
    hardest target: the curve of precisions at a budget begins with the share that the curve of
    runtimes to this target has at the budget. `firsthit figures --kinds dual-ecdf` draws both side
    by side, as COCO's papers of 2010 did.

    Args:
        targets: They must be equal for all functions of a suite. None: 1e1, 1e-1, 1e-4, 1e-8, or
            four targets of the suite.
        group_by: Functions of one dimension that a curve aggregates.
        reference: The distribution of its average runtimes is added. None: no reference.
        background: The distributions of their runtimes to the hardest target are added, thin and
            grey in figures. An algorithm without all functions of a curve is left out. None: no
            other algorithms.

    Returns:
        One row for each point of a curve; ``algorithm``, ``suite``, ``dimension``, ``group``,
        ``of`` and ``at`` identify the curve. If ``of`` is ``"runtime"``, ``at`` is a target and
        ``value`` is a runtime in evaluations / dimension. If it is ``"precision"``, ``at`` is a
        budget in evaluations / dimension and ``value`` is a precision. ``fraction`` is the share of
        runs whose runtime or precision is at most ``value``, where every function has the same
        weight. If ``of`` is ``"reference"``, ``value`` is an average runtime of a reference, and
        ``fraction`` is a share of functions. If it is ``"background"``, ``value`` is a runtime of
        another algorithm to the hardest target.

    Raises:
        AssessmentError: Functions of a suite have different targets.
    """
    runtimes.check_shared_targets()
    targets = runtimes.targets
    groups = runtimes.grouped(group_by)
    blocks: list[list[Value | Floats]] = []
    for group in groups:
        first = group[0]
        hits_by_function = [member.hits / first.unit() for member in group]
        for j, target in enumerate(targets.of(*first.problem_class)):
            curve = _average_ecdf([column[:, j] for column in hits_by_function])
            blocks.append([*first.group_head(group_by), "runtime", target, *curve])
    if runtimes.reference is not None:
        blocks += _make_reference_blocks(groups, group_by, targets, runtimes.reference.read())
    notes: tuple[str, ...] = ()
    if background is not None:
        from ..profiles.background import background_of, describe_background

        others = background_of(background, runtimes.cells, targets, runtimes.count)
        behind = _make_background_blocks(groups, group_by, targets, others.run_sets)
        n_places = len({tuple(group[0].group_head(group_by)[1:]) for group in groups})
        notes = describe_background(others, [str(block[0]) for block in behind], n_places)
        blocks += behind
    for *head, budget, precision, fraction in precision_profiles(precisions, group_by):
        blocks.append([*head, "precision", budget, precision, fraction])
    return Table(stacked(_COLUMNS, blocks), notes=notes)


@dual_ecdf.caveat(explains=[REFERENCE_RUNS])
def reference_is_average(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what is shown of the reference, and which runs it rests on."""
    if sample.reference is None:
        return
    entries, name = sample.reference.read()
    yield f"reference: {name}; its curves show average runtimes, one for each function."
    yield from notes_on_reference(entries, name, answer.notes)


def _average_ecdf(columns: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return an ECDF that is averaged over functions: budgets, and shares of values up to them.

    Args:
        columns: For each function, the values of its runs, shape ``(n_runs,)``.
    """
    budgets = budget_grid(columns)
    return budgets, np.mean([ecdf(column, budgets) for column in columns], axis=0)


def _make_reference_blocks(
    groups: Sequence[Sequence[RunSet]],
    group_by: str,
    targets: TargetSet,
    reference: tuple[Entries, str],
) -> list[list[Value | Floats]]:
    """Return ECDFs of a reference's average runtimes to each target, shares of functions.

    Groups with a function that the reference lacks are left out. Groups of several algorithms on
    the same functions have one curve for each target.
    """
    entries, name = reference
    blocks: list[list[Value | Floats]] = []
    finished_keys = set()
    for group in groups:
        first = group[0]
        key = (first.suite, first.dimension, group_name(first, group_by))
        if key in finished_keys or not all(member.problem_class in entries for member in group):
            continue
        finished_keys.add(key)
        target_values = targets.of(*first.problem_class)
        group_entries = [entries[member.problem_class] for member in group]
        average_runtimes = np.array(
            [
                runtimes_at(entry.targets, entry.average_runtimes, target_values)
                for entry in group_entries
            ]
        )
        for j, target in enumerate(target_values):
            curve = _average_ecdf([row[[j]] / first.unit() for row in average_runtimes])
            blocks.append([name, *key, "reference", target, *curve])
    return blocks


def _make_background_blocks(
    groups: Sequence[Sequence[RunSet]],
    group_by: GroupBy,
    targets: TargetSet,
    others: Iterable[RunSet],
) -> list[list[Value | Floats]]:
    """Return ECDFs of other algorithms' runtimes to the hardest target.

    Args:
        groups: Runs of the compared algorithms, by algorithm and group of functions.
        group_by: Functions of one dimension that a curve aggregates.
        targets: Targets of each function.
        others: Runs of the other algorithms. Those that lack functions of a group have no curve.
    """
    functions_of_group: dict[tuple[Value, ...], set[int]] = {}
    for group in groups:
        group_key = tuple(group[0].group_head(group_by)[1:])
        functions_of_group.setdefault(group_key, set()).update(member.function for member in group)
    blocks: list[list[Value | Floats]] = []
    for group in grouped(others, group_by):
        first = group[0]
        name, *key = first.group_head(group_by)
        if functions_of_group.get(tuple(key)) == {member.function for member in group}:
            curve = _average_ecdf([member.hits[:, -1] / first.unit() for member in group])
            hardest = targets.of(*first.problem_class)[-1]
            blocks.append([name, *key, "background", hardest, *curve])
    return blocks


def _list_figures(table: Table) -> list[dict[str, Any]]:
    """Return the suite, dimension, group and algorithm of the figure of each compared algorithm."""
    is_algorithm = np.isin(table["of"], ("runtime", "precision"))
    values = sorted(
        set(zip(*(table[name][is_algorithm].tolist() for name in _FIGURE_COLUMNS), strict=True))
    )
    return [
        dict(zip(_FIGURE_COLUMNS, values_of_figure, strict=True)) for values_of_figure in values
    ]


def _select_rows_behind(
    table: Table, of: Literal["reference", "background"], values: Mapping[str, Any]
) -> Rows:
    """Return the rows ``of`` others on the suite, group and dimension that a figure shows."""
    rows = dict(table.columns)
    is_shown = rows["of"] == of
    for name in ("suite", "group", "dimension"):
        is_shown &= rows[name] == values[name]
    return {name: column[is_shown] for name, column in rows.items()}


def _caption(cell: Cell) -> str:
    budgets = "the given" if isinstance(cell.options.get("budgets"), str) else "1, 10, 100, …"
    unit = axis_text(cell.table.axis)
    right = f"Right: share within a precision after {budgets} {unit}."
    if cell.options.get("per_target"):
        right = (
            "Right: share whose precision after the largest budget is within a multiple of the "
            f"target, so that left curves go on; gray: after {budgets} {unit}, "
            "multiples of the hardest target."
        )
    references = dict.fromkeys(
        _select_rows_behind(cell.table, "reference", cell.values)["algorithm"].tolist()
    )
    behind = _select_rows_behind(cell.table, "background", cell.values)
    n_others = len({*behind["algorithm"].tolist()})
    others = f"{n_others} other algorithm{'s' if n_others > 1 else ''}"
    background_sentence = f" Thin and grey: {others}, to the hardest target." if n_others else ""
    reference_sentences = (
        f" Behind: average runtimes of {cell.describe_reference(name)} to the same targets."
        for name in references
    )
    return (
        f"Left: share of the runs of {cell.values['algorithm']} on {cell.place} that reached a "
        f"target within a budget. {right} Every function weighs the same; no restarts are "
        "simulated."
    ) + "".join([*reference_sentences, background_sentence])


@dual_ecdf.figure(
    "dual-ecdf",
    cells=_list_figures,
    caption=_caption,
    reference=BEST,
    budgets=distinct_budgets,
    has_styles=False,
)
def draw_dual_ecdf(
    table: Table, *, per_target: bool = False, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw the distributions of one algorithm's runtimes and precisions, as two panels.

    The left panel has a curve for each target: the share of runs that reached it within a budget.
    The right panel has a curve for each budget: the share of runs within a precision, from the
    hardest target on. A right curve begins with the share that the left curve of the hardest target
    has at the budget. Curves of a reference are in the background, thick and pale, in the colours
    of their targets. Curves of background algorithms are thin and grey; they show runtimes to the
    hardest target.

    Args:
        table: The table of `dual_ecdf`.
        per_target: Show precisions divided by targets in the right panel, so that it continues the
            curve of each target. Curves of the largest budget are divided by each target, other
            curves by the hardest.
        **options: ``algorithm``, ``suite``, ``group`` and ``dimension`` select the curves.

    Raises:
        AssessmentError: ``per_target`` is set, and a target is not above 0.
    """
    rows = dict(table.columns)
    is_algorithm = np.isin(rows["of"], ("runtime", "precision"))
    algorithm_rows = chosen(
        Table({name: column[is_algorithm] for name, column in rows.items()}), _NAMES, options
    )
    values = {name: column[0] for name, column in algorithm_rows.items()}
    reference_rows = _select_rows_behind(table, "reference", values)
    figure = blank_figure(SIZES["page"])
    left, right = figure.subplots(1, 2, sharey=True)
    rows_by_kind = split(algorithm_rows, "of")
    background_rows = _select_rows_behind(table, "background", values)
    for curve in split(background_rows, "algorithm").values():
        _draw_curves(
            left, curve, lambda _: "_nolegend_", True, _BACKGROUND_STYLE,
            rows_by_kind["runtime"]["value"].max(),
        )  # fmt: skip
    if len(reference_rows["at"]):
        left.plot([], [], color="0.35", label="thick: reference")
        _draw_curves(
            left,
            reference_rows,
            lambda _: "_nolegend_",
            True,
            _REFERENCE_STYLE,
            rows_by_kind["runtime"]["value"].max(),
        )
    _draw_curves(left, rows_by_kind["runtime"], target_text, descending=True)
    left.set(xscale="log", ylabel="share of runs", ylim=(0, 1.02))
    left.set_xlabel(axis_text(table.axis))
    if per_target:
        _draw_multiples_of_targets(
            right,
            rows_by_kind["precision"],
            np.unique(rows_by_kind["runtime"]["at"])[::-1],
            table.axis,
        )
        right.set(xscale="log", xlabel="precision / target", xlim=(1, None))
    else:
        _draw_curves(right, rows_by_kind["precision"], partial(budget_title, axis=table.axis))
        right.set_xlabel("precision")
        if (rows_by_kind["precision"]["value"] <= 0).any():
            both_signs_across(right)
        else:
            right.set_xscale("log")
    add_legend(left)
    add_legend(right)
    left.set_title(title_of(algorithm_rows, _NAMES, options), parse_math=False)
    return figure


def _draw_multiples_of_targets(axes: Axes, rows: Rows, targets: Floats, axis: str) -> None:
    """Draw shares of runs within multiples of targets, in the colours of `_draw_curves`.

    The curves of the largest budget are coloured by target. The curves of smaller budgets are grey
    and show multiples of the hardest target.

    Args:
        axes: The panel.
        rows: Rows of precisions.
        targets: Targets in descending order.
        axis: Axis of the budgets, for labels.

    Raises:
        AssessmentError: A target is not above 0.
    """
    if targets[-1] <= 0:
        raise AssessmentError("figure: precisions are divided by targets above 0 only")
    by_budget = split(rows, "at")
    *earlier, last = by_budget
    curves: list[tuple[float, float, str, dict[str, Any]]] = [
        (budget, targets[-1], budget_title(budget, axis), {"color": "0.6"}) for budget in earlier
    ]
    for i, target in enumerate(targets.tolist()):
        curves.append((last, target, f"/ {target_text(target)}", style_of(i, marked=False)))
    end = max(2.0, float(rows["value"].max()) / targets[-1])
    for budget, target, name, style in curves:
        multiple, share = by_budget[budget]["value"] / target, by_budget[budget]["fraction"]
        is_beyond = multiple > 1
        share_at_one = share[~is_beyond][-1:] if (~is_beyond).any() else np.zeros(1)
        x = np.concatenate([[1.0], multiple[is_beyond], [end]])
        y = np.concatenate([share_at_one, share[is_beyond], share[-1:]])
        axes.plot(x, y, drawstyle="steps-post", label=name, **style)


def _draw_curves(
    axes: Axes,
    rows: Rows,
    label_of: Callable[[float], str],
    descending: bool = False,
    fixed_style: Mapping[str, Any] = MappingProxyType({}),
    min_end: float = 0.0,
) -> None:
    """Draw one curve for each target or budget, up to the largest value of all.

    Args:
        axes: The panel.
        rows: Rows of runtimes or of precisions.
        label_of: Formats a target or budget as a label of the legend.
        descending: Draw the largest target first.
        fixed_style: Properties of all lines. The other properties alternate colours and dashes, so
            that curves can be told apart without colour vision.
        min_end: Smallest right end of the curves.
    """
    curves = list(split(rows, "at").items())
    end = max(float(rows["value"].max()), min_end)
    for i, (key, curve) in enumerate(curves[::-1] if descending else curves):
        style = {**style_of(i, marked=False), "label": label_of(key), **fixed_style}
        axes.plot(
            np.append(curve["value"], end),
            np.append(curve["fraction"], curve["fraction"][-1:]),
            drawstyle="steps-post",
            **style,
        )
