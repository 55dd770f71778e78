"""Runtimes to single targets beside precisions at single budgets, as in COCO's 2010 papers.

Hansen, Auger, Finck, Ros, "Real-Parameter Black-Box Optimization Benchmarking 2010: Experimental
Setup", INRIA RR-7215, figures of every paper of that workshop: left, which share of the runs has
reached a target within a budget; right, which share is within a precision at a budget. Runs count
as they are, without restarts, so that both halves meet: within a budget, as many runs have reached
the hardest target on the left as are within it on the right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..asking.declaration import question
from ..asking.options import Budgets, GroupBy, Reference, Targets
from ..data.fixed_budget_data import notes_on_precisions, precision_profiles
from ..data.grouping import check_grouping, group_name, grouped
from ..data.notes import SINGLE_RUNS, notes_on_targets
from ..data.reference_tables import rests_on
from ..data.references import Entries
from ..data.run_sets import RunSet
from ..data.runs import Runs
from ..data.target_choice import BEST
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, Rows, chosen, split, title_of
from ..figures.style import COLOURS, DASHES, SIZES, add_legend, blank_figure, both_signs_across
from ..statistics.ecdf import budget_grid, ecdf
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked
from ..targets.budgets import axis_text, budget_title
from ..targets.parse import target_text
from ..targets.runlength import runtimes_at
from ..targets.target_sets import TargetSet, pair_targets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

_COLUMNS = ("algorithm", "suite", "dimension", "group", "of", "at", "value", "fraction")
_CELL = ("suite", "dimension", "group", "algorithm")
_NAMES = ("algorithm", "suite", "group", "dimension")
_BEHIND = {"linewidth": 3.0, "linestyle": "-", "alpha": 0.3, "zorder": 1, "gid": "reference"}


@question("Evaluations to targets", 60, joins=True)
def dual_ecdf(
    runs: Runs,
    targets: Targets | None = None,
    budgets: Budgets | None = None,
    *,
    group_by: GroupBy = "all",
    reference: Reference | None = None,
) -> Table:
    """Runtimes to single targets, and precisions at single budgets.

    The distribution of runtimes to each target, and of precisions at each budget. Both are of
    single runs, without restarts, and meet: at the hardest target, the curve of a budget begins
    where the curve of that target is at the budget. `firsthit figures --kinds dual-ecdf` draws them
    side by side, as COCO's papers of 2010 did.

    Args:
        targets: The same for all functions of a suite. None: 1e1, 1e-1, 1e-4, 1e-8, or four of the
            suite's.
        budgets: None: powers of ten below the longest run, and the longest of each algorithm.
        group_by: What a curve spans; never several dimensions.
        reference: None: none; the distribution of its average runtimes is added.

    Returns:
        Columns: ``algorithm, suite, dimension, group``; ``of``: ``"runtime"``, then ``at`` is a
        target and ``value`` evaluations / dimension; or ``"precision"``, then ``at`` is a budget
        (evaluations / dimension) and ``value`` a precision; ``fraction``, the share of runs whose
        runtime or precision is at most ``value``, each function weighing the same.
        ``"reference"`` is of the average runtimes of a reference, as ``"runtime"``: the share of
        functions.

    Raises:
        AssessmentError: Functions have targets of their own.
    """
    check_grouping(group_by)
    targets = runs.load_targets(targets, reference)
    runs = runs.common()
    run_sets, aims = runs.at_targets(targets, pair_targets)
    if aims.own:
        raise AssessmentError("targets: this view needs the same ones for all functions")
    known = None if reference is None else runs.reference_at(reference, aims)
    data = list(runs.at_budgets(budgets))
    groups = grouped(run_sets, group_by)
    blocks: list[list[Value | Floats]] = []
    for group in groups:
        first = group[0]
        columns = [member.hits / first.unit() for member in group]
        for j, target in enumerate(aims.of(*first.cell)):
            curve = _shares([column[:, j] for column in columns])
            blocks.append([*first.group_head(group_by), "runtime", target, *curve])
    if known is not None:
        blocks += _reference_blocks(groups, group_by, aims, known)
    for *head, budget, precision, fraction in precision_profiles(data, group_by):
        blocks.append([*head, "precision", budget, precision, fraction])
    notes = notes_on_targets(run_sets, aims, f"{SINGLE_RUNS}; every function weighs the same")
    notes += tuple(note for note in notes_on_precisions(data)[:-1] if note not in notes)
    if known is not None:
        notes += (
            f"{known[1]}: a reference; its average runtimes, a number for each function.",
            *rests_on(*known, notes),
        )
    return Table(stacked(_COLUMNS, blocks), notes)


def _shares(columns: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Budgets, and the share of each function's values up to them, on average over functions."""
    budgets = budget_grid(columns)
    return budgets, np.mean([ecdf(column, budgets) for column in columns], axis=0)


def _reference_blocks(
    groups: Sequence[Sequence[RunSet]],
    group_by: str,
    targets: TargetSet,
    reference: tuple[Entries, str],
) -> list[list[Value | Floats]]:
    """Curves of the average runtimes of a reference, where it has all functions of a group."""
    entries, name = reference
    blocks: list[list[Value | Floats]] = []
    done = set()
    for group in groups:
        first = group[0]
        key = (first.suite, first.dimension, group_name(first, group_by))
        if key in done or not all(member.cell in entries for member in group):
            continue
        done.add(key)
        aims = targets.of(*first.cell)
        known = [entries[member.cell] for member in group]
        average = np.array([runtimes_at(e.targets, e.average_runtimes, aims) for e in known])
        for j, target in enumerate(aims):
            curve = _shares([row[[j]] / first.unit() for row in average])
            blocks.append([name, *key, "reference", target, *curve])
    return blocks


def _cells(table: Table) -> list[dict[str, Any]]:
    """What each figure shows: an algorithm that is not the reference."""
    own = table["of"] != "reference"
    values = sorted(set(zip(*(table[name][own].tolist() for name in _CELL), strict=True)))
    return [dict(zip(_CELL, cell_values, strict=True)) for cell_values in values]


def _behind(table: Table, values: Mapping[str, Any]) -> Rows:
    """The rows of a reference on the suite, group and dimension that a figure shows."""
    rows = dict(table.columns)
    keep = rows["of"] == "reference"
    for name in ("suite", "group", "dimension"):
        keep &= rows[name] == values[name]
    return {name: column[keep] for name, column in rows.items()}


def _caption(cell: Cell) -> str:
    budgets = "1, 10, 100, …" if cell.options.get("budgets") is None else "some"
    unit = axis_text(cell.table.axis)
    right = f"Right: share within a precision after {budgets} {unit}."
    if cell.options.get("per_target"):
        right = (
            "Right: share whose precision after the largest budget is within a multiple of the "
            f"target, so that left curves go on; gray: after {budgets} {unit}, "
            "multiples of the hardest target."
        )
    references = dict.fromkeys(_behind(cell.table, cell.values)["algorithm"].tolist())
    behind = (f" Behind: average runtimes of {name} to the same targets." for name in references)
    return (
        f"Left: share of the runs of {cell.values['algorithm']} on {cell.place} that reached a "
        f"target within a budget. {right} Every function weighs the same; no restarts are "
        "simulated."
    ) + "".join(behind)


@dual_ecdf.figure(
    "dual-ecdf",
    cells=_cells,
    caption=_caption,
    options="targets budgets reference unequal count",
    unasked="where it applies",
    reference=BEST,
)
def draw_dual_ecdf(
    table: Table, *, per_target: bool = False, **options: Unpack[FigureOptions]
) -> Figure:
    """Draw the distributions of one algorithm's runtimes and precisions, as two panels.

    Left a curve for each target, the share of runs that reached it within a budget; right one for
    each budget, the share of runs within a precision, from the hardest target on: there each begins
    where the left curve of that target is at that budget. Curves of a reference are in the
    background, thick and pale, in the colours of their targets.

    Args:
        table: The table.
        per_target: At the right precisions divided by targets, so that the curve of each target
            goes on: after the largest budget by each target, after the others by the hardest.
        **options: ``algorithm``, ``suite``, ``group``, ``dimension``.

    Raises:
        AssessmentError: ``per_target``, and a target is not above 0.
    """
    rows = dict(table.columns)
    is_own = rows["of"] != "reference"
    own = chosen(Table({name: column[is_own] for name, column in rows.items()}), _NAMES, options)
    behind = _behind(table, {name: column[0] for name, column in own.items()})
    figure = blank_figure(SIZES["page"])
    left, right = figure.subplots(1, 2, sharey=True)
    by = split(own, "of")
    if len(behind["at"]):
        left.plot([], [], color="0.35", label="thick: reference")
        _draw(left, behind, lambda _: "_nolegend_", True, _BEHIND, by["runtime"]["value"].max())
    _draw(left, by["runtime"], target_text, descending=True)
    left.set(xscale="log", ylabel="share of runs", ylim=(0, 1.02))
    left.set_xlabel(axis_text(table.axis))
    if per_target:
        _draw_multiples(right, by["precision"], np.unique(by["runtime"]["at"])[::-1], table.axis)
        right.set(xscale="log", xlabel="precision / target", xlim=(1, None))
    else:
        _draw(right, by["precision"], partial(budget_title, axis=table.axis))
        right.set_xlabel("precision")
        if (by["precision"]["value"] <= 0).any():
            both_signs_across(right)
        else:
            right.set_xscale("log")
    add_legend(left)
    add_legend(right)
    left.set_title(title_of(own, _NAMES, options), parse_math=False)
    return figure


def _draw_multiples(axes: Axes, rows: Rows, targets: Floats, axis: str) -> None:
    """Shares of runs within multiples of targets, easiest first, in the colours of `_draw`."""
    if targets[-1] <= 0:
        raise AssessmentError("figure: precisions are divided by targets above 0 only")
    by_budget = split(rows, "at")
    *earlier, last = by_budget
    curves = [(budget, targets[-1], budget_title(budget, axis), "0.6", "-") for budget in earlier]
    for place, target in enumerate(targets.tolist()):
        look = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
        curves.append((last, target, f"/ {target_text(target)}", *look))
    end = max(2.0, float(rows["value"].max()) / targets[-1])
    for budget, target, name, colour, dashes in curves:
        multiple, share = by_budget[budget]["value"] / target, by_budget[budget]["fraction"]
        beyond = multiple > 1
        at_one = share[~beyond][-1:] if (~beyond).any() else np.zeros(1)
        x = np.concatenate([[1.0], multiple[beyond], [end]])
        y = np.concatenate([at_one, share[beyond], share[-1:]])
        axes.plot(x, y, dashes, color=colour, drawstyle="steps-post", label=name)


def _draw(
    axes: Axes,
    rows: Rows,
    named: Callable[[float], str],
    descending: bool = False,
    look: Mapping[str, Any] = MappingProxyType({}),
    last: float = 0.0,
) -> None:
    """A curve for each target or budget, in colours and dashes that differ for any eye.

    They go on to the largest value of ``rows``, or to ``last`` where that is more.
    """
    curves = list(split(rows, "at").items())
    end = max(float(rows["value"].max()), last)
    for place, (at, curve) in enumerate(curves[::-1] if descending else curves):
        how = {
            "color": COLOURS[place % len(COLOURS)],
            "linestyle": DASHES[place % len(DASHES)],
            "label": named(at),
            **look,
        }
        axes.plot(
            np.append(curve["value"], end),
            np.append(curve["fraction"], curve["fraction"][-1:]),
            drawstyle="steps-post",
            **how,
        )
