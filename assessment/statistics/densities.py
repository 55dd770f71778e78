"""Distribution of runtimes to a target, or of precisions at a budget: masses and densities.

The violins and histograms of IOHanalyzer (``generate_data.PMF``) show these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...suites.errors import UnknownNameError
from ..data.fixed_budget_data import Reached, notes_on_reached
from ..data.run_sets import Trials
from ..tables.table import Table, Value, table_of
from ..targets.target_sets import TargetSet, notes_on_targets
from .quantiles import Floats

Shape = Literal["mass", "density"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
POINTS = 101


def probability_mass(values: ArrayLike) -> tuple[Floats, Floats]:
    """Each different finite value, ascending, and its share of all values.

    What is missing to a sum of 1 is the share of infinite values and NaN: what was not reached.

    >>> probability_mass([3.0, 1.0, 3.0, np.inf])
    (array([1., 3.]), array([0.25, 0.5 ]))
    """
    data = np.asarray(values, dtype=np.float64)
    different, counts = np.unique(data[np.isfinite(data)], return_counts=True)
    return different, counts / max(data.size, 1)


def kernel_density(values: ArrayLike, points: int = POINTS) -> tuple[Floats, Floats]:
    """Gaussian kernel density of the decimal logarithm of values, by Scott's rule (scipy).

    Args:
        values: Shape ``(n,)``; what is not positive and finite carries no density.
        points: Where to evaluate it: so many, evenly from three band widths below the smallest
            logarithm to three above the largest.

    Returns:
        Values, and density per decade, which integrates (over the logarithm) to the share of
        values that carry it; both empty where fewer than two differ: no width can be chosen.
    """
    from scipy.stats import gaussian_kde

    data = np.asarray(values, dtype=np.float64)
    logs = np.log10(data[np.isfinite(data) & (data > 0)])
    if logs.size < 2 or np.ptp(logs) <= 1e-9 * max(1.0, float(np.abs(logs).max())):
        return np.empty(0), np.empty(0)
    kernel = gaussian_kde(logs)
    width = 3 * float(np.sqrt(kernel.covariance[0, 0]))
    at = np.linspace(logs.min() - width, logs.max() + width, points)
    return 10.0**at, kernel(at) * (logs.size / data.size)


def runtime_shapes(trials: Iterable[Trials], targets: TargetSet, shape: str) -> Table:
    """Masses or densities of the runs' runtimes to each target, without restarts.

    Columns: ``algorithm, suite, function, dimension, target, runtime`` (evaluations) and
    ``probability``, or ``density`` per decade of runtime.

    Raises:
        UnknownNameError: ``shape`` is neither ``"mass"`` nor ``"density"``.
    """
    data = list(trials)
    samples: list[tuple[list[Value], Floats]] = [
        ([one.algorithm, one.suite, one.function, one.dimension, target], one.hits[:, j])
        for one in data
        for j, target in enumerate(targets.of(one.suite, one.function, one.dimension))
    ]
    return _table(samples, ("target", "runtime"), shape, notes_on_targets(data, targets))


def precision_shapes(reached: Iterable[Reached], shape: str) -> Table:
    """Masses or densities of the runs' best precisions at each budget.

    Columns: ``algorithm, suite, function, dimension, budget, precision`` and ``probability``, or
    ``density`` per decade of precision.

    Raises:
        UnknownNameError: ``shape`` is neither ``"mass"`` nor ``"density"``.
    """
    data = list(reached)
    samples: list[tuple[list[Value], Floats]] = [
        ([one.algorithm, one.suite, one.function, one.dimension, budget], one.precision[:, j])
        for one in data
        for j, budget in enumerate(one.budgets.tolist())
    ]
    return _table(samples, ("budget", "precision"), shape, notes_on_reached(data))


def _table(
    samples: Sequence[tuple[list[Value], Floats]],
    columns: tuple[str, str],
    shape: str,
    notes: tuple[str, ...],
) -> Table:
    if shape not in SHAPES:
        raise UnknownNameError.of("shape", shape, SHAPES)
    of = probability_mass if shape == "mass" else kernel_density
    rows: list[list[Value]] = []
    without = 0
    for cell, values in samples:
        at, share = of(values)
        without += not at.size
        rows.extend([*cell, *point] for point in zip(at.tolist(), share.tolist(), strict=True))
    last = "probability" if shape == "mass" else "density"
    if without:
        why = "nothing was reached" if shape == "mass" else "fewer than two values differ"
        notes += (f"{without} of {len(samples)} distributions are left out: {why}.",)
    names = ("algorithm", "suite", "function", "dimension", *columns, last)
    return Table(table_of(names, rows), notes)
