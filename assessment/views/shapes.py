"""Distributions of runtimes to targets and of precisions at budgets: masses and densities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from ...suites.errors import UnknownNameError
from ..data.fixed_budget_data import FixedBudgetData, notes_on_precisions
from ..data.notes import notes_on_targets
from ..data.run_sets import RunSet
from ..statistics.densities import kernel_density, kernel_density_of_r, probability_mass
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of
from ..targets.target_sets import TargetSet

Shape = Literal["mass", "density", "density-nrd0"]
_HITS = "of single runs, without restarts; those that missed the target are left out"
SHAPES: tuple[Shape, ...] = get_args(Shape)
_OF = {
    "mass": probability_mass,
    "density": kernel_density,
    "density-nrd0": kernel_density_of_r,
}


def runtime_shapes(run_sets: Iterable[RunSet], targets: TargetSet, shape: str) -> Table:
    """Masses or densities of the runs' runtimes to each target, without restarts.

    Columns: ``algorithm, suite, function, dimension, target, runtime`` (evaluations) and
    ``probability``, or ``density`` per decade of runtime; with ``"density-nrd0"`` per evaluation
    (`kernel_density_of_r`).

    Raises:
        UnknownNameError: ``shape`` is none of the three.
    """
    data = list(run_sets)
    samples: list[tuple[list[Value], Floats]] = [
        ([one.algorithm, one.suite, one.function, one.dimension, target], one.hits[:, j])
        for one in data
        for j, target in enumerate(targets.of(*one.cell))
    ]
    return _table(samples, ("target", "runtime"), shape, notes_on_targets(data, targets, _HITS))


def precision_shapes(reached: Iterable[FixedBudgetData], shape: str) -> Table:
    """Masses or densities of the runs' best precisions at each budget.

    Columns: ``algorithm, suite, function, dimension, budget, precision`` and ``probability``, or
    ``density`` per decade of precision; with ``"density-nrd0"`` of the precision itself.

    Raises:
        UnknownNameError: ``shape`` is none of the three.
    """
    data = list(reached)
    samples: list[tuple[list[Value], Floats]] = [
        ([one.algorithm, one.suite, one.function, one.dimension, budget], one.precision[:, j])
        for one in data
        for j, budget in enumerate(one.budgets.tolist())
    ]
    return _table(samples, ("budget", "precision"), shape, notes_on_precisions(data))


def _table(
    samples: Sequence[tuple[list[Value], Floats]],
    columns: tuple[str, str],
    shape: str,
    notes: tuple[str, ...],
) -> Table:
    if shape not in SHAPES:
        raise UnknownNameError.of("shape", shape, SHAPES)
    rows: list[list[Value]] = []
    without = 0
    for cell, values in samples:
        at, share = _OF[shape](values)
        without += not at.size
        rows.extend([*cell, *point] for point in zip(at.tolist(), share.tolist(), strict=True))
    last = "probability" if shape == "mass" else "density"
    if without:
        few = {"mass": "nothing was reached", "density": "fewer than two values differ"}
        why = few.get(shape, "there are fewer than two values")
        notes += (f"{without} of {len(samples)} distributions are left out: {why}.",)
    names = ("algorithm", "suite", "function", "dimension", *columns, last)
    return Table(table_of(names, rows), notes)
