"""The joint view of COCO's 2010 papers: runtimes to single targets, and precisions at budgets.

Hansen, Auger, Finck, Ros, "Real-Parameter Black-Box Optimization Benchmarking 2010: Experimental
Setup", INRIA RR-7215, figures of every paper of that workshop: left, which share of the runs has
reached a target within a budget; right, which share is within a precision at a budget. Runs count
as they are, without restarts, so that both halves meet: within ``budget``, as many runs have
reached the hardest target on the left as are within it on the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...data.fixed_budget_data import FixedBudgetData, notes_on_precisions
from ...data.grouping import check_grouping, group_name, grouped
from ...data.notes import SINGLE_RUNS, notes_on_targets
from ...data.precision_profiles import precision_profiles
from ...data.references import ReferenceRuntimes
from ...data.run_sets import RunSet
from ...errors import AssessmentError
from ...statistics.ecdf import budget_grid, ecdf
from ...statistics.quantiles import Floats
from ...tables.table import Table, Value, stacked
from ...targets.runlength import runtimes_at
from ...targets.target_sets import Cell, TargetSet
from ..reference import rests_on

JOINT_COLUMNS = ("algorithm", "suite", "dimension", "group", "of", "at", "value", "fraction")
OF = ("runtime", "precision", "reference")
"""What a curve is the distribution of."""


def joint_table(
    run_sets: Iterable[RunSet],
    targets: TargetSet,
    reached: Iterable[FixedBudgetData],
    group_by: str = "all",
    reference: tuple[Mapping[Cell, ReferenceRuntimes], str] | None = None,
) -> Table:
    """Distributions of runtimes to single targets, and of precisions at single budgets.

    Columns: ``algorithm, suite, dimension, group``; ``of``: ``"runtime"``, then ``at`` is a target
    and ``value`` evaluations / dimension; or ``"precision"``, then ``at`` is a budget (evaluations
    / dimension) and ``value`` a precision; ``fraction``, the share of runs whose runtime or
    precision is at most ``value``, each function weighing the same. ``"reference"`` is of the
    average runtimes of a reference, as ``"runtime"``: the share of functions.

    Args:
        run_sets: Runs with the hits of ``targets``.
        targets: The same for all functions of a suite.
        reached: The same runs at budgets, evaluations / dimension.
        group_by: ``"function"``, ``"group"`` or ``"all"``; never several dimensions.
        reference: Entries by cell, and their name.

    Raises:
        AssessmentError: ``group_by`` is none of the three; or functions have targets of their own.
    """
    check_grouping(group_by)
    if targets.own:
        raise AssessmentError("targets: this view needs the same ones for all functions")
    runs, data = list(run_sets), list(reached)
    blocks: list[list[Value | Floats]] = []
    for group in grouped(runs, group_by):
        one = group[0]
        cell: list[Value] = [one.algorithm, one.suite, one.dimension, group_name(one, group_by)]
        columns = [member.hits / one.dimension for member in group]
        for j, target in enumerate(targets.of(*one.cell)):
            curve = _shares([column[:, j] for column in columns])
            blocks.append([*cell, "runtime", target, *curve])
    if reference is not None:
        blocks += _of_reference(grouped(runs, group_by), group_by, targets, reference)
    for *head, budget, precision, fraction in precision_profiles(data, group_by):
        blocks.append([*head, "precision", budget, precision, fraction])
    notes = notes_on_targets(runs, targets, f"{SINGLE_RUNS}; every function weighs the same")
    notes += tuple(note for note in notes_on_precisions(data)[:-1] if note not in notes)
    if reference is not None:
        notes += (
            f"{reference[1]}: a reference; its average runtimes, a number for each function.",
            *rests_on(*reference, notes),
        )
    return Table(stacked(JOINT_COLUMNS, blocks), notes)


def _shares(columns: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Budgets, and the share of each function's values up to them, on average over functions."""
    budgets = budget_grid(columns)
    return budgets, np.mean([ecdf(column, budgets) for column in columns], axis=0)


def _of_reference(
    groups: Sequence[Sequence[RunSet]],
    group_by: str,
    targets: TargetSet,
    reference: tuple[Mapping[Cell, ReferenceRuntimes], str],
) -> list[list[Value | Floats]]:
    """Curves of the average runtimes of a reference, where it has all functions of a group."""
    entries, name = reference
    blocks: list[list[Value | Floats]] = []
    done = set()
    for group in groups:
        one = group[0]
        key = (one.suite, one.dimension, group_name(one, group_by))
        if key in done or not all(member.cell in entries for member in group):
            continue
        done.add(key)
        aims = targets.of(*one.cell)
        known = [entries[member.cell] for member in group]
        average = np.array([runtimes_at(e.targets, e.average_runtimes, aims) for e in known])
        for j, target in enumerate(aims):
            curve = _shares([row[[j]] / one.dimension for row in average])
            blocks.append([name, *key, "reference", target, *curve])
    return blocks
