"""The nine objectives of bbob-constrained: their constants, gradients at ``y = 0``, and scales.

``v = y - x1``; ``e_i = i / (D - 1)``; an instance draws ``x1`` and ``R`` with the seed
``s = f + 20000 instance``: ``x1`` as bbob draws its optima, ``R`` with ``s + 1000000``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bbob import generators, unimodal
from ..bbob.instances import Seeds
from . import kernels

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Objective:
    """One objective of one instance.

    Attributes:
        kernel: Its formula.
        rows: What the kernel reads.
        center: ``x1``, shape ``(dimension,)``.
        gradient: Parallel to the gradient of the objective at ``y = 0``, shape ``(dimension,)``.
        rotation: ``R``; None where it is not rotated.
    """

    kernel: Callable[..., None]
    rows: Array
    center: Array
    gradient: Array
    rotation: Array | None = None


Make = Callable[[Seeds, Array], Objective]


def _sphere(s: Seeds, xopt: Array) -> Objective:
    return Objective(unimodal.sphere, (xopt + s.xopt)[np.newaxis], s.xopt, -s.xopt)


def _separable_ellipsoid(s: Seeds, xopt: Array) -> Objective:
    weights = s.powers(1e6)
    rows = np.array([xopt, s.xopt, weights])
    return Objective(kernels.ellipsoid, rows, s.xopt, -weights * s.xopt)


def _linear_slope(s: Seeds, xopt: Array) -> Objective:
    """``sum 5 |s_i| - s_i x_i`` with bbob's corner ``x1``; not shifted by ``xopt``."""
    sign = np.where(s.xopt < 0, -1.0, 1.0)
    slope = sign * s.powers(10)
    return Objective(unimodal.linear_slope, np.array([5 * sign, slope]), 5 * sign, -slope)


def _rotated_ellipsoid(s: Seeds, xopt: Array) -> Objective:
    return _weighted_rotation(s, xopt, s.xopt, s.powers(1e6))


def _discus(s: Seeds, xopt: Array) -> Objective:
    weights = np.ones(s.dimension)
    weights[0] = 1e6
    return _weighted_rotation(s, xopt, s.xopt, weights)


def _bent_cigar(s: Seeds, xopt: Array) -> Objective:
    weights = np.full(s.dimension, 1e6)
    weights[0] = 1.0
    center = generators.optimal_solution(s.dimension, s.seed + 1000000)
    asymmetry = s.linear(0.2)
    return _weighted_rotation(s, xopt, center, weights, asymmetry)


def _weighted_rotation(
    s: Seeds, xopt: Array, center: Array, weights: Array, *asymmetry: Array
) -> Objective:
    rows = np.vstack([xopt, center, weights, *asymmetry, s.r.T])
    gradient = _times(s.r.T, weights * _times(s.r, -center))
    kernel = kernels.bent_cigar if asymmetry else kernels.rotated_ellipsoid
    return Objective(kernel, rows, center, gradient, s.r)


def _times(matrix: Array, vector: Array) -> Array:
    """A product, summed in order, as COCO does."""
    product: Array = np.cumsum(matrix * vector, axis=1)[:, -1]
    return product


def _different_powers(s: Seeds, xopt: Array) -> Objective:
    """``x1`` has the length 1e-2, where the powers differ."""
    center = s.xopt * (1e-2 / math.sqrt(float(np.sum(s.xopt**2))))
    exponents = 2 + s.linear(4)
    z = _times(s.r, -center)
    powers = np.array([math.pow(abs(v), e - 1) for v, e in zip(z, exponents, strict=True)])
    gradient = _times(s.r.T, exponents * powers * np.sign(z))
    rows = np.vstack([xopt + center, exponents, s.r.T])
    return Objective(unimodal.different_powers, rows, center, gradient, s.r)


def _integer_center(s: Seeds) -> Array:
    """An optimum of Rastrigin's cosines, so that the gradient is the parabola's."""
    center: Array = np.trunc(10 * generators.uniform(s.dimension, s.seed) - 5)
    if not center.any():
        center[:] = np.arange(s.dimension) % 9 - 4
    return center


def _separable_rastrigin(s: Seeds, xopt: Array) -> Objective:
    center = _integer_center(s)
    rows = np.array([xopt, center, s.linear(0.2)])
    return Objective(kernels.rastrigin, rows, center, -center)


def _rotated_rastrigin(s: Seeds, xopt: Array) -> Objective:
    center = _integer_center(s)
    rows = np.vstack([xopt, center, s.linear(0.2), s.r.T])
    return Objective(kernels.rastrigin_rotated, rows, center, _times(s.r.T, -center), s.r)


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the nine kinds of functions.

    Attributes:
        name: For people.
        scale: What values are multiplied by.
        make: Makes the objective of an instance.
        constraints: The kernel of its constraints.
        oscillates: Whether ``T`` contains ``Tosz``.
        asymmetry: ``beta`` of ``Tasy^beta`` in ``T``; 0 where there is none.
    """

    name: str
    scale: float
    make: Make
    constraints: Callable[..., None]
    oscillates: bool = False
    asymmetry: float = 0.0


_PLAIN, _OSCILLATED = kernels.plain_constraints, kernels.oscillated_constraints
_ASYMMETRIC, _COMPOSED = kernels.asymmetric_constraints, kernels.composed_constraints

KINDS = (
    Kind("Sphere", 10.0, _sphere, _PLAIN),
    Kind("Ellipsoid separable", 1e-4, _separable_ellipsoid, _OSCILLATED, True),
    Kind("Linear slope", 10.0, _linear_slope, _PLAIN),
    Kind("Ellipsoid rotated", 1e-4, _rotated_ellipsoid, _OSCILLATED, True),
    Kind("Discus", 1e-4, _discus, _OSCILLATED, True),
    Kind("Bent cigar", 1e-4, _bent_cigar, _ASYMMETRIC, False, 0.2),
    Kind("Different powers", 100.0, _different_powers, _PLAIN),
    Kind("Rastrigin separable", 10.0, _separable_rastrigin, _COMPOSED, True, 0.2),
    Kind("Rastrigin rotated", 10.0, _rotated_rastrigin, _COMPOSED, True, 0.2),
)
