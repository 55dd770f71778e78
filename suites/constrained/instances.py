"""The instances of bbob-constrained: active and inactive constraints around the optimum.

At ``y = 0`` the objective's gradient is ``fd``, a direction in which the box ends soon. Constraint
``s`` has the gradient ``-fd`` and is active, so 0 is optimal where the others hold at ``fd``, too;
then the other active gradients are subtracted from it, so that it is in disguise.

Objectives: ``v = y - x1``; ``e_i = i / (D - 1)``; an instance draws ``x1`` and ``R`` with the seed
``s = f + 20000 instance``: ``x1`` as bbob draws its optima, ``R`` with ``s + 1000000``. Constraints
are drawn from a generator of their own, `Numbers`, as in COCO's implementation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..bbob import generators, unimodal
from ..bbob.instances import Seeds
from . import kernels

Array = NDArray[np.float64]


_SLOTS, _FIRST = 607, 12


class Numbers:
    """A stream of random numbers: a lagged Fibonacci generator on 607 numbers in [0, 1].

    An instance needs fewer than the 595 that it gives before they are drawn anew.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed & 0xFFFFFFFF
        self._slot = 0
        for _ in range(_FIRST):
            self._advance()

    def _advance(self) -> float:
        number = self._seed / 0xFFFFFFFF
        mixed = 1812433253 * (self._seed ^ (self._seed >> 30))
        self._slot += 1
        self._seed = (mixed + self._slot) & 0xFFFFFFFF
        return number

    def uniform(self) -> float:
        """The next number, in [0, 1]; ValueError where the numbers would be drawn anew."""
        if self._slot == _SLOTS:
            raise ValueError("an instance of bbob-constrained takes fewer than 596 random numbers")
        return self._advance()

    def gaussian(self) -> float:
        """A standard normal number of the next two (Box and Muller)."""
        radius = math.sqrt(-2 * math.log(self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())


@dataclass(frozen=True, slots=True)
class Objective:
    """One objective of one instance."""

    kernel: Callable[..., None]
    rows: Array
    center: Array  # ``x1``
    gradient: Array  # parallel to the gradient of the objective at ``y = 0``
    rotation: Array | None = None  # ``R``; None where it is not rotated


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
    """One of the nine kinds of functions."""

    name: str
    scale: float  # what values are multiplied by
    make: Make
    constraints: Callable[..., None]  # their kernel
    oscillates: bool = False  # whether ``T`` contains ``Tosz``
    asymmetry: float = 0.0  # ``beta`` of ``Tasy^beta`` in ``T``; 0 where there is none


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


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of one function."""

    kind: Kind
    objective: Objective
    xopt: Array  # the optimum
    direction: Array  # ``fd``, a feasible ``y``
    gradients: Array  # (m, dimension)
    offsets: Array  # what is subtracted from ``y``, (m, dimension)
    optimal_offset: float  # ``fopt``, added to the objective

    @classmethod
    def of(
        cls, function: int, dimension: int, instance: int, has_inactive: bool, has_disguise: bool
    ) -> Instance:
        """Draw an instance, with inactive constraints, and the gradient ``-fd`` in disguise."""
        kind = KINDS[(function - 1) // 6]
        xopt = generators.optimal_solution(dimension, function + 10000 * instance)
        seeds = Seeds(dimension, function + 20000 * instance)
        objective = kind.make(seeds, xopt)
        direction = _feasible_direction(objective.gradient, xopt, seeds.seed)
        gradients, offsets = _constraints(function, instance, direction, has_inactive, has_disguise)
        value = generators.optimal_value(Seeds.of(function, dimension, instance).seed)
        return cls(kind, objective, xopt, direction, gradients, offsets, value)

    @property
    def constraint_rows(self) -> Array:
        """What the kernels of constraints read."""
        dimension = len(self.xopt)
        asymmetry = self.kind.asymmetry * np.arange(dimension) / (dimension - 1)
        by_columns = [a.T.reshape(-1, dimension) for a in (self.gradients, self.offsets)]
        return np.vstack([self.xopt, asymmetry, *by_columns])


def active_constraints(function: int, dimension: int) -> int:
    """How many constraints of a function are active at its optimum."""
    counts = (1, 2, 6, 6 + dimension // 2, 6 + dimension, 6 + 3 * dimension)
    return counts[(function - 1) % 6]


def _feasible_direction(gradient: Array, xopt: Array, seed: int) -> Array:
    """The gradient, of 75 % to 100 % of the length at which ``xopt`` plus it leaves the box."""
    length = 0.75 + 0.25 * float(generators.uniform(1, seed + 412)[0])
    out = max(0.0, float(np.max(np.maximum(gradient / (5 - xopt), gradient / (-5 - xopt)))))
    return gradient * (length / out)


def _constraints(
    function: int, instance: int, direction: Array, has_inactive: bool, has_disguise: bool
) -> tuple[Array, Array]:
    """The gradients of all constraints and what is subtracted from ``y``, in order."""
    dimension = len(direction)
    seed = function + 10000 * instance
    active = active_constraints(function, dimension)
    inactive = active // 2
    left = inactive if has_inactive else 0
    numbers = Numbers(seed)
    size = 100 * 10 ** numbers.uniform()
    gradients, offsets, is_active = [], [], []
    special, count = 0, 1
    for j in range(active + left):
        if j == 0:
            takes = True
        else:
            takes = count < active and numbers.uniform() + 1e-23 > left / (active + inactive)
            count += takes
        left -= not takes
        shift = 0.0 if takes else 0.01 + 2 * numbers.uniform()
        own = Numbers(seed + 50000 * count)
        stretch = 100 ** own.uniform()
        if takes and (count - 1 + instance) % active == 0:
            special = j
            gradient = -direction * (size * stretch / _norm(direction))
        else:
            normals = np.array([own.gaussian() for _ in range(dimension)])
            gradient = size * normals * stretch / math.sqrt(dimension)  # in COCO's order
        norm = _norm(gradient)
        if _dot(gradient, direction) - shift * norm > 0:
            gradient = -gradient
        gradients.append(gradient)
        offsets.append(shift / norm * gradient)
        is_active.append(takes)
    if has_disguise and active > 1:
        others = [a for j, a in enumerate(gradients) if is_active[j] and j != special]
        gradients[special] = _disguised(gradients[special], others, Numbers(seed))
    return np.array(gradients), np.array(offsets)


def _disguised(gradient: Array, others: list[Array], numbers: Numbers) -> Array:
    """``gradient`` less a combination of the others, of the same length."""
    dimension, norm = len(gradient), _norm(gradient)
    total = sum((numbers.uniform() * a for a in others), np.zeros(dimension))
    along = _dot(total, gradient)
    factor = min(dimension, norm**2 / along) if along > 0 else dimension
    factor *= (1 + numbers.uniform()) / (2 + 1 / dimension)
    mixed = gradient - factor * total
    return mixed * (norm / _norm(mixed))


def _dot(a: Array, b: Array) -> float:
    """Summed in order, as COCO does: long gradients amplify rounding."""
    return float(np.cumsum(a * b)[-1])


def _norm(vector: Array) -> float:
    return math.sqrt(_dot(vector, vector))


def initial_solution(instance: Instance) -> Array:
    """Where runs start: the feasible ``xopt + T^-1(fd)``, shape ``(dimension,)``.

    ``fd`` is halved until that is in the box.
    """
    direction = instance.direction
    while True:
        start = instance.xopt + _inverse(instance, direction)
        if np.all(np.abs(start) < 5.0):
            return start
        direction = direction / 2


def _inverse(instance: Instance, y: Array) -> Array:
    beta = instance.kind.asymmetry
    if beta:
        steps = beta * np.arange(len(y)) / (len(y) - 1)
        y = np.array([_solve(partial(_asymmetry, e), v) for e, v in zip(steps, y, strict=True)])
    if instance.kind.oscillates:
        y = np.array([_solve(_oscillation, v) for v in y])
    return y


def _solve(function: Callable[[float], float], value: float) -> float:
    """Where an increasing function that keeps signs has this value, by Brent's method.

    The tolerances are COCO's, so that starts agree with its.
    """
    from scipy.optimize import brentq

    if value == 0.0 or function(value) == value:
        return value
    other = value
    stretch = 2.0 if abs(function(value)) < abs(value) else 0.5
    while (abs(function(other)) < abs(value)) == (stretch == 2.0):
        other *= stretch
    root: float = brentq(
        lambda x: function(x) - value, *sorted((value, other)), xtol=1e-14, rtol=1e-10
    )
    return root


def _asymmetry(exponent: float, x: float) -> float:
    return x ** (1 + exponent * math.sqrt(x)) if x > 0 else x


def _oscillation(x: float) -> float:
    t = math.log(abs(x)) / 0.1
    fast, slow = (1.0, 0.79) if x > 0 else (0.55, 0.31)
    return math.copysign(math.exp(t + 0.49 * (math.sin(fast * t) + math.sin(slow * t))) ** 0.1, x)
