"""Attainment surfaces of runs on two objectives, and where two algorithms differ, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.fronts.archives import Archives, at_budgets, end_budget, notes_on_archives
from ...errors import AssessmentError
from ...statistics.anytime.attainment import attainment_differences, attainment_surfaces
from ...statistics.fronts.surfaces import GRID, steps_of, surface_steps
from ...statistics.quantiles import Floats
from ...tables.table import Table, Value, stacked
from ...targets.budgets import counts_of, unit_of
from ...targets.parse import items_of

Surfaces = float | str | Iterable[float | str]
SURFACES = ("best", "median", "worst")
_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "runs", "budget", "surface", "scaled_1",
    "scaled_2",
)  # fmt: skip
_DIFFERENCE_COLUMNS = (
    "suite", "function", "dimension", "budget", "first", "second", "runs_first", "runs_second",
    "from_1", "to_1", "from_2", "to_2", "difference",
)  # fmt: skip
_CONVENTION = "every run weighs the same, after its end with its archive"
_ROUNDED = (
    "values are rounded up, by at most 4 % or 0.004; --exact (exact=True) gives every corner."
)


def parse_surfaces(value: Surfaces) -> tuple[str, ...]:
    """Names of surfaces from one or several, or from text such as ``"best, 25, worst"``.

    Returns:
        ``"best"``, ``"median"``, ``"worst"`` and percentages such as ``"25%"``, as given, each
        once.

    Raises:
        AssessmentError: Something is neither, or none is given.

    >>> parse_surfaces("best, 25")
    ('best', '25%')
    """
    names = []
    for item in items_of(value):
        if item not in SURFACES:
            try:
                percent = float(str(item).removesuffix("%"))
            except ValueError:
                percent = math.nan
            if not 0 < percent <= 100:
                raise AssessmentError(
                    f"surfaces: {str(item)[:80]!r} is none of {', '.join(SURFACES)}, nor a "
                    "percentage of runs above 0 and at most 100"
                )
            item = f"{percent:g}%"
        names.append(str(item))
    if not names:
        raise AssessmentError(f"surfaces: none given; take {', '.join(SURFACES)} or percentages")
    return tuple(dict.fromkeys(names))


def runs_of_surface(name: str, runs: int) -> int:
    """How many of some runs attain a surface: one, half of them, all, or a percentage.

    >>> [runs_of_surface(name, 5) for name in ("best", "median", "worst", "50%")]
    [1, 3, 5, 3]
    """
    percent = {"best": 0.0, "median": 50.0, "worst": 100.0}.get(name)
    share = float(name[:-1]) if percent is None else percent
    return max(1, math.ceil(round(share * runs / 100, 9)))


def surfaces_table(
    data: Sequence[Archives],
    names: Sequence[str] = SURFACES,
    budgets: tuple[float, ...] | None = None,
    axis: str = "evaluations/dimension",
    *,
    exact: bool = False,
) -> Table:
    """Attainment surfaces of each algorithm on each function, over all its runs and instances.

    Columns: ``algorithm, suite, function, dimension``; number of ``runs``; ``budget`` in the unit
    asked for; ``surface``; and its corners ``scaled_1, scaled_2``, which are 0 at the ideal point
    and 1 at the nadir point of a run's problem: so many runs have a point that is no worse than a
    corner in both objectives. A surface that too few runs attain has no rows.

    Args:
        data: Each algorithm, suite, dimension and function once.
        names: As `parse_surfaces` gives them.
        budgets: In the unit ``axis``; None: at the end of the longest run of each algorithm in each
            dimension.
        axis: ``"evaluations/dimension"`` or ``"evaluations"``.
        exact: Whether values are exact, else they are rounded up to
            `statistics.fronts.surfaces.GRID`.

    Raises:
        MissingPackageError: moocore is not installed, and ``exact`` is asked for.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for one, wanted, evaluations in at_budgets(data, budgets, axis, end_budget):
        head: list[Value] = [one.algorithm, one.suite, one.function, one.dimension, len(one.runs)]
        for budget, fronts in zip(wanted, one.normalised_fronts(evaluations), strict=True):
            counts = [runs_of_surface(name, len(fronts)) for name in names]
            found = _exact(fronts, counts) if exact else rounded_surfaces(fronts, counts)
            for name, surface in zip(names, found, strict=True):
                blocks.append([*head, float(budget), name, *surface.T])
    return Table(stacked(_COLUMNS, blocks), _notes(data, budgets, exact))


def rounded_surfaces(fronts: Sequence[Floats], counts: Sequence[int]) -> list[Floats]:
    """Surfaces that so many of the runs attain, on the grid, each of shape ``(n, 2)``."""
    steps = [steps_of(front) for front in fronts]
    return [GRID[surface_steps(steps, count)] for count in counts]


def surface_difference_table(
    data: Sequence[Archives],
    first: str,
    second: str,
    budgets: tuple[float, ...] | None = None,
    axis: str = "evaluations/dimension",
    *,
    exact: bool = False,
) -> Table:
    """Where two algorithms differ in the share of runs that attain a point, at budgets.

    Columns: ``suite, function, dimension, budget, first, second``, their numbers of runs;
    rectangles ``from_1 … to_1`` × ``from_2 … to_2`` of the scaled objectives (inf: without end);
    and ``difference``, share of ``first`` minus share of ``second``, above 0 where ``first`` is
    better. Outside of the rectangles there is no difference. Functions that only one of them was
    run on are left out.

    Args:
        data: Each algorithm, suite, dimension and function once.
        first: An algorithm.
        second: Another.
        budgets: As of `surfaces_table`; None: at the end of the longest run of both.
        axis: Likewise.
        exact: Likewise.

    Raises:
        AssessmentError: They have no function in common, or too different numbers of runs.
        MissingPackageError: moocore is not installed.
    """
    members = [one for one in data if one.algorithm in (first, second)]
    found: dict[tuple[str, int, int], dict[str, Archives]] = {}
    for one in members:
        found.setdefault((one.suite, one.function, one.dimension), {})[one.algorithm] = one
    common = {cell: both for cell, both in found.items() if len(both) == 2}
    if not common or first == second:
        raise AssessmentError(f"surfaces: {first} and {second} share no function to compare on")
    blocks: list[list[Value | NDArray[Any]]] = []
    for cell, both in common.items():
        sides = [both[first], both[second]]
        unit = unit_of(axis, cell[2])
        shown = budgets or end_budget(max(one.spent for one in sides), unit)
        evaluations = counts_of(shown, unit)
        runs = [len(one.runs) for one in sides]
        of_sides = (one.normalised_fronts(evaluations) for one in sides)
        for budget, *fronts in zip(shown, *of_sides, strict=True):
            curves = [[_curve(front, exact) for front in of_side] for of_side in fronts]
            boxes = attainment_differences(*curves)
            blocks.append([*cell, float(budget), first, second, *runs, *boxes.T])
    kept = [one for both in common.values() for one in both.values()]
    notes = _notes(kept, budgets, exact)
    if left := len(found) - len(common):
        notes = (f"{left} functions that only one of the two was run on are left out.", *notes)
    return Table(stacked(_DIFFERENCE_COLUMNS, blocks), notes)


def _notes(
    data: Sequence[Archives], budgets: tuple[float, ...] | None, exact: bool
) -> tuple[str, ...]:
    return (*(() if exact else (_ROUNDED,)), *notes_on_archives(data, _CONVENTION, budgets is None))


def _exact(fronts: Sequence[Floats], counts: Sequence[int]) -> list[Floats]:
    curves = [_curve(front, True) for front in fronts]
    percents = [100 * count / len(fronts) for count in counts]
    return [np.stack(surface, axis=1) for surface in attainment_surfaces(curves, percents)]


def _curve(front: Floats, exact: bool) -> tuple[Floats, Floats]:
    """The two objectives of a front, the first rising."""
    first, second = (front if exact else GRID[steps_of(front)]).T
    return first, second
