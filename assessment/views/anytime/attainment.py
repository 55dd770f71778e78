"""Attainment of runs: levels of the attainment function, and differences of two algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from ...data.grouping import check_grouping, group_name, grouped
from ...data.notes import basis
from ...data.run_curves import RunCurves
from ...errors import AssessmentError
from ...statistics.anytime.attainment import Curve, attainment_differences, attainment_surfaces
from ...tables.table import Table, Value, stacked
from ...targets.parse import items_of

Levels = float | str | Iterable[float]
LEVELS = (10.0, 25.0, 50.0, 75.0, 90.0)
_LEVEL_COLUMNS = (
    "algorithm", "suite", "dimension", "group", "runs", "level", "budget", "precision",
)  # fmt: skip
_DIFFERENCE_COLUMNS = (
    "suite", "dimension", "group", "first", "second", "runs_first", "runs_second", "budget_from",
    "budget_to", "precision_from", "precision_to", "difference",
)  # fmt: skip


def parse_levels(value: Levels) -> tuple[float, ...]:
    """Percentages from a number, several, or text such as ``"25,50"``, ascending, each once.

    Raises:
        AssessmentError: Something is no number above 0 and at most 100, or none is given.

    >>> parse_levels("50, 25")
    (25.0, 50.0)
    """
    try:
        levels = tuple(sorted({float(item) for item in items_of(value)}))
    except (TypeError, ValueError):
        raise AssessmentError(f"levels: {value!r} are no percentages such as 25,50") from None
    if not levels or not all(0 < level <= 100 for level in levels):
        raise AssessmentError(f"levels: {value!r} must be percentages above 0 and at most 100")
    return levels


def attainment_table(
    data: Iterable[RunCurves], group_by: str, levels: Sequence[float] = LEVELS
) -> Table:
    """Levels of the empirical attainment function of each algorithm, suite and dimension.

    Columns: ``algorithm, suite, dimension, group``, number of ``runs``; ``level`` in percent; and
    the corners of its curve: from ``budget`` on, in the unit asked for, at least ``level`` percent
    of the runs had ``precision`` or better. A level that no budget attains has no rows.

    Args:
        data: Each algorithm, suite, dimension and function once.
        group_by: ``"function"``, ``"group"`` or ``"all"``; never several dimensions. All runs weigh
            the same.
        levels: Percentages, above 0 and at most 100.

    Raises:
        AssessmentError: A level or ``group_by`` is none.
        MissingPackageError: moocore is not installed.
    """
    check_grouping(group_by)
    members = list(data)
    blocks: list[list[Value | NDArray[Any]]] = []
    for group in grouped(members, group_by):
        one, curves = group[0], _curves(group)
        name = group_name(one, group_by)
        head: list[Value] = [one.algorithm, one.suite, one.dimension, name, len(curves)]
        surfaces = attainment_surfaces(curves, levels)
        for level, (budget, precision) in zip(levels, surfaces, strict=True):
            blocks.append([*head, float(level), budget, precision])
    return Table(stacked(_LEVEL_COLUMNS, blocks), _notes(members))


def attainment_difference_table(
    data: Iterable[RunCurves], group_by: str, first: str, second: str
) -> Table:
    """Where two algorithms differ in the share of runs that attain a budget and a precision.

    Columns: ``suite, dimension, group, first, second``, their numbers of runs; rectangles
    ``budget_from … budget_to`` × ``precision_from … precision_to`` (inf: without end); and
    ``difference``, share of ``first`` minus share of ``second``, above 0 where ``first`` is better.
    Outside of the rectangles there is no difference. Functions that only one of them was run on
    are left out.

    Args:
        data: Each algorithm, suite, dimension and function once.
        group_by: As of `attainment_table`.
        first: An algorithm.
        second: Another.

    Raises:
        AssessmentError: They have no function in common, or ``group_by`` is none.
        MissingPackageError: moocore is not installed.
    """
    check_grouping(group_by)
    members = [one for one in data if one.algorithm in (first, second)]
    sides = [
        {(one.suite, one.dimension, one.function) for one in members if one.algorithm == name}
        for name in (first, second)
    ]
    common = sides[0] & sides[1]
    if not common or first == second:
        raise AssessmentError(f"attainment: {first} and {second} share no function to compare on")
    kept = [one for one in members if (one.suite, one.dimension, one.function) in common]
    found: dict[tuple[str, int, str], dict[str, list[Curve]]] = {}
    for group in grouped(kept, group_by):
        one = group[0]
        cell = (one.suite, one.dimension, group_name(one, group_by))
        found.setdefault(cell, {})[one.algorithm] = _curves(group)
    blocks: list[list[Value | NDArray[Any]]] = []
    for cell, curves in found.items():
        runs = [len(curves[name]) for name in (first, second)]
        rectangles = attainment_differences(curves[first], curves[second])
        blocks.append([*cell, first, second, *runs, *rectangles.T])
    notes = _notes(kept)
    if left := len(sides[0] ^ sides[1]):
        notes = (f"{left} functions that only one of the two was run on are left out.", *notes)
    return Table(stacked(_DIFFERENCE_COLUMNS, blocks), notes)


def _curves(group: Sequence[RunCurves]) -> list[Curve]:
    return [curve for one in group for curve in one.curves]


def _notes(data: Sequence[RunCurves]) -> tuple[str, ...]:
    """Sentences on curves that may lie too high, on weights, and on missing references."""
    runs, complete = sum(len(one.curves) for one in data), sum(one.has_all for one in data)
    notes = []
    if complete < runs:
        notes.append(
            f"{runs - complete} of {runs} runs may have been better in between: their logs hold "
            "first hits of targets, not every improvement (record: improvements)."
        )
    if not all(one.has_reference for one in data):
        notes.append("without a reference value, precisions are indicator values.")
    return (*notes, *basis(data, "every run weighs the same, after its end with its last value"))
