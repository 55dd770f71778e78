"""Choose the budgets of a summary, and describe the runs on a suite for the heading of its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...cost import SECONDS, is_seconds
from ...hits.curves import counts_of_budgets
from ...hits.run_sets import RunSet
from ...targets.budgets import budget_text, own_budgets
from ...targets.parse import target_text
from ...targets.target_sets import all_targets, common_set, summary_targets
from .layout import SuiteDescription

if TYPE_CHECKING:
    from ....loggers import Log
    from ....suites.measurement import Measurement

_LEAST_DECADE = 10.0
"""Smallest power of ten among the budgets: within fewer evaluations, few pairs are solved."""
_MAX_RATIO_OF_SECONDS = 100
"""Seconds have no smallest budget: it is at most the longest run divided by this number."""
_COUNTED = {"f+g": "f + g", "f": "f", "g": "g"}


class Budgets(NamedTuple):
    """Budgets of one suite and dimension.

    Attributes:
        values: Powers of ten below the last budget, ascending, then the last budget itself.
        allowed: Evaluations that all runs were allowed; None if they differ or are unknown.
        is_allowed: Whether the last budget is ``allowed``; otherwise it is the longest run.
        allowed_count: What ``allowed`` counts: ``"f"`` or ``"f+g"``.
    """

    values: tuple[float, ...]
    allowed: int | None
    is_allowed: bool
    allowed_count: str


def choose_budgets(log: Log, cells: Sequence[RunSet], axis: str) -> Budgets:
    """Choose the budgets of one suite and dimension.

    The last budget is the one that all runs were allowed. It is the longest run if the runs were
    allowed different numbers of evaluations, or if the budget counts other evaluations.

    Args:
        log: The log.
        cells: Runs of all algorithms on all functions of the suite in the dimension.
        axis: Unit of the budgets.
    """
    first, rows = cells[0], np.concatenate([run_set.rows for run_set in cells])
    allowed_by_run = np.unique(log.runs["budget"][rows]).tolist()
    allowed = allowed_by_run[0] if len(allowed_by_run) == 1 and allowed_by_run[0] > 0 else None
    counts = counts_of_budgets(log, rows) if allowed is not None else set()
    has_constraints = any(run_set.constraints for run_set in cells)
    is_allowed = (
        allowed is not None
        and not is_seconds(first.count)
        and (not has_constraints or counts == {first.count})
    )
    longest = max(float(run_set.total.max()) for run_set in cells)
    end = float(allowed) if allowed is not None and is_allowed else longest
    unit = first.unit(axis)
    least = end / _MAX_RATIO_OF_SECONDS if is_seconds(first.count) and end > 0 else 1.0
    decades = [
        b for b in own_budgets([end], unit, least) if is_seconds(first.count) or b >= _LEAST_DECADE
    ]
    values = tuple(decades) or own_budgets([end], unit)[-1:]
    return Budgets(values, allowed, is_allowed, "f+g" if counts == {"f+g"} else "f")


def describe_suite(
    run_sets: Sequence[RunSet],
    budgets: Mapping[int, Budgets],
    measurement: Measurement,
    has_shares: bool,
    axis: str,
) -> SuiteDescription:
    """Describe the runs on a suite for the heading of the text form.

    Args:
        run_sets: Runs on the suite, of all algorithms and dimensions.
        budgets: Budgets by dimension.
        measurement: Targets of the suite.
        has_shares: Whether targets are shares of each function's range.
        axis: Unit of the budgets.
    """
    has_final_target = measurement.final_target is not None
    # Without a final target, the hardest targets of a suite may be out of reach on all functions.
    target = summary_targets(measurement)[-1 if has_final_target else 0]
    name = f"{target:.2g} of range" if has_shares and target else target_text(target)
    functions = len({run_set.function for run_set in run_sets})
    instances = len({i for run_set in run_sets for i in run_set.instances.tolist()})
    repetitions = len({i for run_set in run_sets for i in run_set.repetitions.tolist()})
    targets = common_set(all_targets(measurement)).label
    parts = [
        run_sets[0].suite,
        _format_number(functions, "function"),
        _format_number(instances, "instance"),
        *([_format_number(repetitions, "repetition")] if repetitions > 1 else []),
        _describe_budgets(budgets, axis),
        f"{targets} (shares of each function's range)" if has_shares else targets,
    ]
    heading = ", ".join(parts)
    if is_seconds(run_sets[0].count):
        heading += "; runtimes are in seconds"
    elif any(run_set.constraints for run_set in run_sets):
        heading += f"; evaluations of {_COUNTED[run_sets[0].count]} are counted"
    return SuiteDescription(heading, target, name, has_final_target)


def _format_number(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"


def _describe_budgets(budgets: Mapping[int, Budgets], axis: str) -> str:
    """Return the budget that runs were allowed, or else the longest run, in words."""
    longest = sorted({b.values[-1] for b in budgets.values()})
    longest_text = " to ".join(
        dict.fromkeys(budget_text(b, axis) for b in (longest[0], longest[-1]))
    )
    allowed = {b.allowed for b in budgets.values()}
    if None in allowed:
        return f"longest run {longest_text}"
    per_dimension = sorted({(b.allowed or 0) / dimension for dimension, b in budgets.items()})
    if len(per_dimension) > 1 and len(allowed) == 1:
        budget = f"budget {budget_text(float(allowed.pop() or 0), 'evaluations')} evaluations"
    else:
        ends = dict.fromkeys(budget_text(b) for b in (per_dimension[0], per_dimension[-1]))
        budget = f"budget {' to '.join(ends)}"
    if all(b.is_allowed for b in budgets.values()):
        return budget
    # Runtimes are seconds, or the budget counts other evaluations than the table.
    count = _COUNTED[next(iter(budgets.values())).allowed_count]
    counted = "" if axis == SECONDS else f" of {count}"
    return f"{budget}{counted}, longest run {longest_text}"
