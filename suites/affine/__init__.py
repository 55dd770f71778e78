"""The suite ``ma-bbob``: affine mixtures of bbob's functions, equal to ioh's ``ManyAffine``.

The values agree up to rounding. An instance is a function of its own: some of bbob's 24 functions
are mixed with random weights, and their optima are moved to one random point. Function 1, instance
``i`` is ``ioh.problem.ManyAffine(i, D)``. `affine_mixture` builds a mixture with weights, instances
and an optimum of the caller's choice, and documents the formula.

``problem.constants()`` returns ``weights``, ``instances`` and ``scales``, shape ``(24,)``,
``optimum``, shape ``(dimension,)``, and ``optimal_value``.

Source: D. Vermetten, F. Ye, T. Bäck, C. Doerr: MA-BBOB: A Problem Generator for Black-Box
Optimization Using Affine Combinations and Shifts, ACM TELO 2025 (arXiv:2312.11083); weights and
optima as ioh 0.3.22 draws them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..compiled.kernel import Evaluators
from ..errors import SuiteError
from ..facts import ProblemFacts, ProblemId
from ..points import Vector
from ..problem import Problem
from ..suite import register_suite

if TYPE_CHECKING:
    from ..compiled.formula import Formula

__all__ = ["affine_mixture"]


SCALES = np.array([
    11.0, 17.5, 12.3, 12.6, 11.5, 15.3, 12.1, 15.3, 15.2, 17.4, 13.4, 20.4,
    12.9, 10.4, 12.3, 10.3, 9.8, 10.6, 10.0, 14.7, 10.7, 10.8, 9.0, 12.1,
])  # fmt: skip
"""Divisors of the logarithms of f1 … f24, with which all of them have a range of about 1."""

_MIN_PRECISION = 1e-12  # smaller precisions count as this, because their logarithm is needed
_WEIGHT_THRESHOLD = 0.85  # uniform numbers below it become the weight 0


@register_suite(
    "ma-bbob",
    functions=1,
    dimensions=[2, 5, 10, 20],
    instances="1-50",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
)
def ma_bbob(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of ma-bbob; its first evaluation compiles the kernels of its functions."""
    return affine_mixture(*draw_mixture(dimension, instance), instance=instance)


def affine_mixture(
    weights: ArrayLike,
    instances: Sequence[int],
    optimum: ArrayLike,
    *,
    number: int = 1,
    instance: int = 1,
) -> Problem:
    """Build a mixture of bbob's 24 functions that has its optimum at a chosen point.

    Let ``f_k`` have the optimum ``b_k`` and the optimal value ``v_k``. The mixture has the value
    ``10^(10 m - 8)``, where

    ``m = sum_k w_k (log10(max(f_k(x - optimum + b_k) - v_k, 1e-12)) + 8) / scales_k``.

    The optimal value is therefore about 1e-12, not 0. A mixture of one function has the level sets
    of this function.

    Args:
        weights: Shape ``(24,)``, none negative; they are divided by their sum.
        instances: Instance of each of the 24 functions; needed also for functions with weight 0.
        optimum: Shape ``(dimension,)``, within ``[-5, 5]``.
        number: Number of the function in the problem's identifier.
        instance: Number of the instance in the problem's identifier.

    Returns:
        The problem.

    Raises:
        SuiteError: The weights, the instances or the optimum have another shape or range.

    Example:
        >>> from firsthit.suites import affine_mixture
        >>> weights = 24 * [0]
        >>> weights[0] = weights[20] = 0.5  # half sphere (f1), half Gallagher's 101 peaks (f21)
        >>> problem = affine_mixture(weights, instances=24 * [1], optimum=[1.0, 2.0])
        >>> problem([1.0, 2.0]) < 1e-11, problem([0.0, 0.0]) > 1
        (True, True)
    """
    w, xopt = np.array(weights, dtype=np.float64), np.array(optimum, dtype=np.float64)
    if w.shape != (24,) or not np.all(w >= 0) or not 0 < w.sum() < math.inf:
        raise SuiteError(f"weights must be 24 numbers >= 0 with a sum above 0; got {weights!r}")
    if len(instances) != 24 or min(instances) < 1:
        raise SuiteError(f"instances must be 24 integers >= 1; got {instances!r}")
    if xopt.ndim != 1 or len(xopt) < 2 or not np.all(np.abs(xopt) <= 5):
        raise SuiteError(f"the optimum must be 2 or more numbers within [-5, 5]; got {optimum!r}")
    w /= w.sum()
    identity = ProblemId("user", number, len(xopt), instance)
    evaluators = _build_evaluators(w, instances, xopt, str(identity))
    optimal_value = _mix(w, [math.log10(_MIN_PRECISION)] * 24)

    def constants() -> dict[str, Vector]:
        return {
            "optimum": xopt.copy(),
            "optimal_value": np.array(optimal_value),
            "weights": w.copy(),
            "instances": np.array(instances),
            "scales": SCALES.copy(),
        }

    facts = ProblemFacts(
        name="Affine mixture",
        title="ManyAffine",
        lower_bounds=np.full(len(xopt), -5.0),
        upper_bounds=np.full(len(xopt), 5.0),
        optimal_value=optimal_value,
        optimal_solution=xopt,
        constants=constants,
    )
    rebuild = partial(affine_mixture, number=number, instance=instance)
    return Problem(identity, facts, *evaluators, remake=(rebuild, (w, tuple(instances), xopt)))


class Mixture(NamedTuple):
    """The arguments of `affine_mixture` that define an instance."""

    weights: Vector  # not normalised, shape (24,)
    instances: list[int]  # 24 numbers
    optimum: Vector  # shape (dimension,)


def draw_mixture(dimension: int, instance: int) -> Mixture:
    """Draw weights, instances and optimum of ``ioh.problem.ManyAffine(instance, dimension)``.

    Weights are uniform numbers, which do not depend on the dimension. Numbers below 0.85 become 0,
    except that the two largest become at least 0.85. The optimum is uniform in ``[-4, 4]``.

    Args:
        dimension: Number of variables.
        instance: Number of the instance of the mixture, and of each of its functions.

    Returns:
        The mixture.
    """
    from ..bbob.generators import draw_uniform

    weights = draw_uniform(24, 2000 + instance)
    largest = np.argsort(weights, kind="stable")[-2:]
    weights[largest] = np.maximum(weights[largest], _WEIGHT_THRESHOLD)
    weights = np.where(weights >= _WEIGHT_THRESHOLD, weights, 0.0)
    optimum = 8 * draw_uniform(dimension, 1000 + instance) - 4
    return Mixture(weights, [instance] * 24, optimum)


def _mix(weights: Vector, logarithms: Sequence[float]) -> float:
    """Return the value of a mixture for given logarithms of the 24 precisions."""
    mean = sum(w * (t + 8) / s for w, t, s in zip(weights, logarithms, SCALES, strict=True))
    return float(10.0 ** (10 * mean - 8))


def _build_evaluators(
    weights: Vector, instances: Sequence[int], optimum: Vector, label: str
) -> Evaluators:
    """Return the functions that evaluate a mixture of the 24 functions of bbob.

    Args:
        weights: Weight of each function of bbob, shape ``(24,)``.
        instances: Instance of each function of bbob.
        optimum: Optimal solution of the mixture, shape ``(dimension,)``.
        label: Beginning of the messages of errors.
    """
    from ..bbob.instances import draw_formula
    from ..compiled.compilation import build_batch_evaluator, build_point_evaluator

    point_parts, batch_parts = [], []  # (weight / scale, optimal value, function that evaluates)
    for k in map(int, np.flatnonzero(weights)):
        formula = _move(draw_formula(k + 1, len(optimum), instances[k]), optimum)
        factor, optimal_value = float(weights[k] / SCALES[k]), formula.optimal_value
        evaluate_part = build_point_evaluator(formula.kernel, formula.constants, label)
        evaluate_part_batch = build_batch_evaluator(formula.kernel, formula.constants, label)
        point_parts.append((factor, optimal_value, evaluate_part))
        batch_parts.append((factor, optimal_value, evaluate_part_batch))

    def evaluate_point(x: ArrayLike) -> float:
        mean = 0.0
        for factor, optimal_value, evaluate in point_parts:
            mean += factor * (math.log10(max(evaluate(x) - optimal_value, _MIN_PRECISION)) + 8)
        try:
            return math.pow(10.0, 10 * mean - 8)
        except OverflowError:
            return math.inf

    def evaluate_batch(points: Vector) -> Vector:
        mean = np.zeros(len(points))
        for factor, optimal_value, evaluate in batch_parts:
            precisions = np.maximum(evaluate(points) - optimal_value, _MIN_PRECISION)
            mean += factor * (np.log10(precisions) + 8)
        with np.errstate(over="ignore"):
            return np.asarray(10.0 ** (10 * mean - 8))

    return Evaluators(evaluate_point, evaluate_batch)


def _move(formula: Formula, optimum: Vector) -> Formula:
    """Return the formula with its optimum at ``optimum``."""
    from ..compiled.operators import translation

    transform = translation(formula.optimum - optimum)
    return replace(formula, constants=replace(formula.constants, transform=transform))
