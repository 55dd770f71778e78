"""The suite ``ma-bbob``: affine mixtures of bbob's functions, ``ManyAffine`` of ioh to rounding.

An instance is a function of its own: some of the 24 functions, mixed with random weights, their
optima moved to one random place. Function 1, instance ``i`` is ``ioh.problem.ManyAffine(i, D)``;
``affine_mixture`` takes weights, instances and optimum of your own.

``problem.constants()`` returns ``weights``, ``instances`` and ``scales``, shape ``(24,)``,
``optimum``, shape ``(dimension,)``, and ``optimal_value``; the formula: `affine_mixture`.

Source: D. Vermetten, F. Ye, T. Bäck, C. Doerr: MA-BBOB: A Problem Generator for Black-Box
Optimization Using Affine Combinations and Shifts, ACM TELO 2025 (arXiv:2312.11083); weights and
places as ioh 0.3.22 draws them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import SuiteError
from ..facts import ProblemFacts, ProblemId
from ..points import Vector
from ..problem import Problem
from ..suite import register_suite

if TYPE_CHECKING:
    from ..compiled.formula import Formula

__all__ = ["affine_mixture"]


@register_suite(
    "ma-bbob",
    functions=1,
    dimensions=[2, 5, 10, 20],
    instances="1-50",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
)
def ma_bbob(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem."""
    return affine_mixture(*drawn(dimension, instance), instance=instance)


SCALES = np.array([
    11.0, 17.5, 12.3, 12.6, 11.5, 15.3, 12.1, 15.3, 15.2, 17.4, 13.4, 20.4,
    12.9, 10.4, 12.3, 10.3, 9.8, 10.6, 10.0, 14.7, 10.7, 10.8, 9.0, 12.1,
])  # fmt: skip
"""What the logarithms of f1 … f24 are divided by, so that all range over about 1."""

_LEAST = 1e-12
"""Precisions below count as this."""

_THRESHOLD = 0.85


def affine_mixture(
    weights: ArrayLike,
    instances: Sequence[int],
    optimum: ArrayLike,
    *,
    number: int = 1,
    instance: int = 1,
) -> Problem:
    """A mixture of bbob's 24 functions, its optimum at a place of your choice.

    With ``f_k`` of optimum ``b_k`` and optimal value ``v_k``, the value is ``10^(10 m - 8)``, where

    ``m = sum_k w_k (log10(max(f_k(x - optimum + b_k) - v_k, 1e-12)) + 8) / scales_k``.

    So the optimal value is not 0 but some 1e-12. A mixture of one function keeps its level sets.

    Args:
        weights: Shape ``(24,)``, none negative; they are divided by their sum.
        instances: Of each of the 24 functions, also where its weight is 0.
        optimum: Shape ``(dimension,)``, within ``[-5, 5]``.
        number: The function's number in the problem's identifier.
        instance: Likewise the instance's.

    Raises:
        SuiteError: The weights, the instances or the optimum are others.

    Example:
        ``affine_mixture([0.5] + 19 * [0] + [0.5] + 3 * [0], 24 * [1], [1.0, 2.0])``
    """
    w, place = np.array(weights, dtype=np.float64), np.array(optimum, dtype=np.float64)
    if w.shape != (24,) or not np.all(w >= 0) or not 0 < w.sum() < math.inf:
        raise SuiteError(f"weights must be 24 numbers >= 0 with a sum above 0; got {weights!r}")
    if len(instances) != 24 or min(instances) < 1:
        raise SuiteError(f"instances must be 24 integers >= 1; got {instances!r}")
    if place.ndim != 1 or len(place) < 2 or not np.all(np.abs(place) <= 5):
        raise SuiteError(f"the optimum must be 2 or more numbers within [-5, 5]; got {optimum!r}")
    w /= w.sum()
    identity = ProblemId("user", number, len(place), instance)
    evaluators = _evaluators(w, instances, place, str(identity))
    value = _value(w, [math.log10(_LEAST)] * 24)

    def constants() -> dict[str, Vector]:
        return {
            "optimum": place.copy(),
            "optimal_value": np.array(value),
            "weights": w.copy(),
            "instances": np.array(instances),
            "scales": SCALES.copy(),
        }

    facts = ProblemFacts(
        name="Affine mixture",
        title="ManyAffine",
        lower_bounds=np.full(len(place), -5.0),
        upper_bounds=np.full(len(place), 5.0),
        optimal_value=value,
        optimal_solution=place,
        constants=constants,
    )
    again = partial(affine_mixture, number=number, instance=instance)
    return Problem(identity, facts, *evaluators, remake=(again, (w, tuple(instances), place)))


def drawn(dimension: int, instance: int) -> tuple[Vector, list[int], Vector]:
    """Weights, instances and optimum of ``ioh.problem.ManyAffine(instance, dimension)``.

    Weights are uniform numbers; those below 0.85 become 0, but the two largest become 0.85 at
    least. They do not depend on the dimension. The optimum is uniform in ``[-4, 4]``. Every
    function is of the mixture's own instance number.
    """
    from ..bbob.generators import uniform

    numbers = uniform(24, 2000 + instance)
    largest = np.argsort(numbers, kind="stable")[-2:]
    numbers[largest] = np.maximum(numbers[largest], _THRESHOLD)
    weights = np.where(numbers >= _THRESHOLD, numbers, 0.0)
    return weights, [instance] * 24, 8 * uniform(dimension, 1000 + instance) - 4


def _value(weights: Vector, logarithms: Sequence[float]) -> float:
    mean = sum(w * (t + 8) / s for w, t, s in zip(weights, logarithms, SCALES, strict=True))
    return float(10.0 ** (10 * mean - 8))


def _evaluators(
    weights: NDArray[np.float64], instances: Sequence[int], optimum: Vector, who: str
) -> tuple[Callable[[ArrayLike], float], Callable[[Vector], Vector]]:
    """What evaluates a point, and points, of a mixture named ``who`` in errors."""
    from ..bbob.instances import formula
    from ..compiled.compilation import batch_evaluator, point_evaluator

    parts = []
    for k in map(int, np.flatnonzero(weights)):
        part = _moved(formula(k + 1, len(optimum), instances[k]), optimum)
        share, least = float(weights[k] / SCALES[k]), part.optimal_value
        point = point_evaluator(part.kernel, part.constants, who)
        parts.append((share, least, point, batch_evaluator(part.kernel, part.constants, who)))

    def evaluate_point(x: ArrayLike) -> float:
        mean = 0.0
        for share, least, part, _ in parts:
            mean += share * (math.log10(max(part(x) - least, _LEAST)) + 8)
        try:
            return math.pow(10.0, 10 * mean - 8)
        except OverflowError:
            return math.inf

    def evaluate_batch(points: Vector) -> Vector:
        mean = np.zeros(len(points))
        for share, least, _, part in parts:
            mean += share * (np.log10(np.maximum(part(points) - least, _LEAST)) + 8)
        with np.errstate(over="ignore"):
            return np.asarray(10.0 ** (10 * mean - 8))

    return evaluate_point, evaluate_batch


def _moved(part: Formula, optimum: Vector) -> Formula:
    """The function, its optimum at ``optimum``."""
    from ..compiled.operators import translation

    transform = translation(part.optimum - optimum)
    return replace(part, constants=replace(part.constants, transform=transform))
