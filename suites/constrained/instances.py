"""The instances of bbob-constrained: active and inactive constraints around the optimum.

At ``y = 0``, the optimum, the gradient of the objective is parallel to ``fd``, a direction that
ends inside the box. One active constraint has the gradient ``-fd``, and the others are feasible at
``fd``. Therefore 0 is optimal. Then a combination of the other active gradients is subtracted from
the gradient ``-fd``, which disguises it.

Objectives are functions of ``v = y - x1``. An instance draws ``x1`` and the rotation ``R`` with the
seed ``function + 20000 instance``, as bbob does. Constraints are drawn from another generator,
`RandomStream`, as in COCO's implementation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..bbob import generators, unimodal
from ..bbob.instances import Seeds
from ..compiled.kernel import Kernel
from . import kernels


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective of one instance."""

    kernel: Kernel
    rows: Floats  # constants of the kernel, shape (n_rows, dimension)
    center: Floats  # ``x1``, the optimum without constraints, shape (dimension,)
    gradient: Floats  # at ``y = 0``, up to a factor, shape (dimension,)
    rotation: Floats | None = None  # ``R``; None: not rotated


@dataclass(frozen=True, slots=True)
class ObjectiveKind:
    """One of the nine objectives, with the transformation ``T`` of objective and constraints."""

    name: str  # for people
    scale: float  # factor of the objective's values
    draw: Callable[[Seeds, Floats], Objective]  # called with the seeds and ``xopt``
    constraint_kernel: Kernel
    oscillates: bool = False  # whether ``T`` contains ``Tosz``
    asymmetry: float = 0.0  # ``beta`` of ``Tasy^beta`` in ``T``; 0: ``T`` does not contain it


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of one function."""

    kind: ObjectiveKind
    objective: Objective
    xopt: Floats  # the optimum, shape (dimension,)
    feasible_direction: Floats  # ``fd``, a feasible ``y``, shape (dimension,)
    gradients: Floats  # shape (m, dimension)
    offsets: Floats  # subtracted from ``y``; 0 for active constraints; shape (m, dimension)
    optimal_offset: float  # ``fopt``, added to the objective

    @classmethod
    def draw(
        cls, function: int, dimension: int, instance: int, has_inactive: bool, has_disguise: bool
    ) -> Instance:
        """Draw one instance.

        Args:
            function: Number of the function, 1 to 54.
            dimension: Number of variables.
            instance: Number of the instance.
            has_inactive: Whether the instance has inactive constraints.
            has_disguise: Whether the gradient ``-fd`` is disguised.

        Returns:
            The instance.
        """
        kind = OBJECTIVE_KINDS[(function - 1) // 6]
        xopt = generators.draw_optimal_solution(dimension, function + 10000 * instance)
        seeds = Seeds(dimension, function + 20000 * instance)
        objective = kind.draw(seeds, xopt)
        direction = _draw_feasible_direction(objective.gradient, xopt, seeds.seed)
        constraints = _draw_constraints(function, instance, direction, has_inactive, has_disguise)
        value_seed = Seeds.from_instance(function, dimension, instance).seed
        optimal_offset = generators.draw_optimal_value(value_seed)
        return cls(kind, objective, xopt, direction, *constraints, optimal_offset)

    @property
    def constraint_rows(self) -> Floats:
        """The constants of the kernel of constraints, see `kernels.linear_constraints_of`."""
        dimension = len(self.xopt)
        exponents = self.kind.asymmetry * np.arange(dimension) / (dimension - 1)
        by_variable = [a.T.reshape(-1, dimension) for a in (self.gradients, self.offsets)]
        return np.vstack([self.xopt, exponents, *by_variable])


def count_active_constraints(function: int, dimension: int) -> int:
    """Return the number of constraints that are active at the optimum of a function."""
    counts = (1, 2, 6, 6 + dimension // 2, 6 + dimension, 6 + 3 * dimension)
    return counts[(function - 1) % 6]


def find_initial_solution(instance: Instance) -> Floats:
    """Return the point at which runs start, shape ``(dimension,)``.

    It is ``xopt + T^-1(fd)``, which is feasible; ``fd`` is halved until the point is in the box.
    """
    direction = instance.feasible_direction
    while True:
        start = instance.xopt + _invert_transformation(instance.kind, direction)
        if np.all(np.abs(start) < 5.0):
            return start
        direction = direction / 2


class RandomStream:
    """Random numbers from the table of a lagged Fibonacci generator, as in COCO's implementation.

    COCO fills a table of 607 numbers in [0, 1] and skips 12 of them. An instance needs fewer than
    the remaining 595, so that the recurrence of the generator is never used.

    Args:
        seed: An integer; its lowest 32 bits count.
    """

    _TABLE_SIZE = 607
    _SKIPPED = 12

    def __init__(self, seed: int) -> None:
        self._state = seed & 0xFFFFFFFF
        self._n_drawn = 0
        for _ in range(self._SKIPPED):
            self._advance()

    def draw_uniform(self) -> float:
        """Draw a uniform number in [0, 1].

        Raises:
            ValueError: The table of numbers is used up.
        """
        if self._n_drawn == self._TABLE_SIZE:
            raise ValueError("an instance of bbob-constrained takes fewer than 596 random numbers")
        return self._advance()

    def draw_normal(self) -> float:
        """Draw a standard normal number from two uniform numbers (Box and Muller)."""
        radius = math.sqrt(-2 * math.log(self.draw_uniform()))
        return radius * math.cos(2 * math.pi * self.draw_uniform())

    def _advance(self) -> float:
        number = self._state / 0xFFFFFFFF
        mixed = 1812433253 * (self._state ^ (self._state >> 30))
        self._n_drawn += 1
        self._state = (mixed + self._n_drawn) & 0xFFFFFFFF
        return number


class _Constraints(NamedTuple):
    """Gradients and offsets of all constraints, see `Instance`."""

    gradients: Floats
    offsets: Floats


def _draw_feasible_direction(gradient: Floats, xopt: Floats, seed: int) -> Floats:
    """Return ``fd``: the gradient, scaled so that ``xopt + fd`` is in the box.

    Its length is 75 % to 100 % of the length at which it reaches the border.
    """
    share = 0.75 + 0.25 * float(generators.draw_uniform(1, seed + 412)[0])
    border = max(0.0, float(np.max(np.maximum(gradient / (5 - xopt), gradient / (-5 - xopt)))))
    return gradient * (share / border)


def _draw_constraints(
    function: int,
    instance: int,
    feasible_direction: Floats,
    has_inactive: bool,
    has_disguise: bool,
) -> _Constraints:
    """Draw active and inactive constraints in random order, numbers in COCO's order."""
    dimension = len(feasible_direction)
    seed = function + 10000 * instance
    n_active = count_active_constraints(function, dimension)
    n_inactive = n_active // 2
    inactive_left = n_inactive if has_inactive else 0
    stream = RandomStream(seed)
    size = 100 * 10 ** stream.draw_uniform()
    gradients: list[Floats] = []
    offsets: list[Floats] = []
    is_active: list[bool] = []
    special = 0  # index of the constraint with the gradient ``-fd``
    active_drawn = 1
    for j in range(n_active + inactive_left):
        if j == 0:
            is_next_active = True
        else:
            # As in COCO, 1e-23 lets a number of 0 exceed a share of 0, and no number is drawn once
            # all active constraints are drawn.
            is_next_active = active_drawn < n_active and (
                stream.draw_uniform() + 1e-23 > inactive_left / (n_active + n_inactive)
            )
            active_drawn += is_next_active
        inactive_left -= not is_next_active
        distance = 0.0 if is_next_active else 0.01 + 2 * stream.draw_uniform()
        gradient_stream = RandomStream(seed + 50000 * active_drawn)
        stretch = 100 ** gradient_stream.draw_uniform()
        if is_next_active and (active_drawn - 1 + instance) % n_active == 0:
            special = j
            gradient = -feasible_direction * (size * stretch / _norm(feasible_direction))
        else:
            normals = np.array([gradient_stream.draw_normal() for _ in range(dimension)])
            gradient = size * normals * stretch / math.sqrt(dimension)  # in COCO's order
        norm = _norm(gradient)
        if _dot(gradient, feasible_direction) - distance * norm > 0:
            gradient = -gradient  # make ``fd`` feasible
        gradients.append(gradient)
        offsets.append(distance / norm * gradient)
        is_active.append(is_next_active)
    if has_disguise and n_active > 1:
        others = [a for j, a in enumerate(gradients) if is_active[j] and j != special]
        gradients[special] = _disguise(gradients[special], others, RandomStream(seed))
    return _Constraints(np.array(gradients), np.array(offsets))


def _disguise(gradient: Floats, others: list[Floats], stream: RandomStream) -> Floats:
    """Return ``gradient`` minus a combination of the others, scaled to the same length."""
    dimension, norm = len(gradient), _norm(gradient)
    total = sum((stream.draw_uniform() * a for a in others), np.zeros(dimension))
    product = _dot(total, gradient)
    factor = min(dimension, norm**2 / product) if product > 0 else dimension
    factor *= (1 + stream.draw_uniform()) / (2 + 1 / dimension)
    mixed = gradient - factor * total
    return mixed * (norm / _norm(mixed))


def _norm(vector: Floats) -> float:
    return math.sqrt(_dot(vector, vector))


def _dot(a: Floats, b: Floats) -> float:
    """Return the inner product, summed in order as in COCO: long gradients amplify rounding."""
    return float(np.cumsum(a * b)[-1])


def _multiply(matrix: Floats, vector: Floats) -> Floats:
    """Return ``matrix @ vector``, summed in order as in COCO."""
    product: Floats = np.cumsum(matrix * vector, axis=1)[:, -1]
    return product


def _invert_transformation(kind: ObjectiveKind, y: Floats) -> Floats:
    """Return ``T^-1(y)``."""
    if kind.asymmetry:
        exponents = kind.asymmetry * np.arange(len(y)) / (len(y) - 1)
        y = np.array(
            [
                _solve(partial(_asymmetry, exponent), value)
                for exponent, value in zip(exponents, y, strict=True)
            ]
        )
    if kind.oscillates:
        y = np.array([_solve(_oscillation, value) for value in y])
    return y


def _solve(function: Callable[[float], float], value: float) -> float:
    """Return ``x`` with ``function(x) == value`` for an increasing function that keeps signs.

    Brent's method has COCO's tolerances, so that initial solutions agree with COCO's.
    """
    from scipy.optimize import brentq

    if value == 0.0 or function(value) == value:
        return value
    # Find the other end of an interval that contains the solution.
    other = value
    stretch = 2.0 if abs(function(value)) < abs(value) else 0.5
    while (abs(function(other)) < abs(value)) == (stretch == 2.0):
        other *= stretch
    root: float = brentq(
        lambda x: function(x) - value, *sorted((value, other)), xtol=1e-14, rtol=1e-10
    )
    return root


def _asymmetry(exponent: float, x: float) -> float:
    """Return ``Tasy`` of a coordinate, see ``bbob/transformations.py``."""
    return x ** (1 + exponent * math.sqrt(x)) if x > 0 else x


def _oscillation(x: float) -> float:
    """Return ``Tosz`` of a coordinate except 0, see ``bbob/transformations.py``."""
    t = math.log(abs(x)) / 0.1
    fast, slow = (1.0, 0.79) if x > 0 else (0.55, 0.31)
    return math.copysign(math.exp(t + 0.49 * (math.sin(fast * t) + math.sin(slow * t))) ** 0.1, x)


# Functions that draw objectives. The rows are documented at the kernels.


def _draw_sphere(seeds: Seeds, xopt: Floats) -> Objective:
    return Objective(unimodal.sphere, (xopt + seeds.xopt)[np.newaxis], seeds.xopt, -seeds.xopt)


def _draw_separable_ellipsoid(seeds: Seeds, xopt: Floats) -> Objective:
    weights = seeds.powers(1e6)
    rows = np.array([xopt, seeds.xopt, weights])
    return Objective(kernels.ellipsoid, rows, seeds.xopt, -weights * seeds.xopt)


def _draw_linear_slope(seeds: Seeds, xopt: Floats) -> Objective:
    """Draw bbob's linear slope; it is not shifted by ``xopt``, since its gradient is constant."""
    signs = np.where(seeds.xopt < 0, -1.0, 1.0)
    slopes = signs * seeds.powers(10)
    return Objective(unimodal.linear_slope, np.array([5 * signs, slopes]), 5 * signs, -slopes)


def _draw_rotated_ellipsoid(seeds: Seeds, xopt: Floats) -> Objective:
    return _rotate_weighted(seeds, xopt, seeds.xopt, seeds.powers(1e6))


def _draw_discus(seeds: Seeds, xopt: Floats) -> Objective:
    weights = np.ones(seeds.dimension)
    weights[0] = 1e6
    return _rotate_weighted(seeds, xopt, seeds.xopt, weights)


def _draw_bent_cigar(seeds: Seeds, xopt: Floats) -> Objective:
    weights = np.full(seeds.dimension, 1e6)
    weights[0] = 1.0
    center = generators.draw_optimal_solution(seeds.dimension, seeds.seed + 1000000)
    return _rotate_weighted(seeds, xopt, center, weights, seeds.multiples(0.2))


def _rotate_weighted(
    seeds: Seeds,
    xopt: Floats,
    center: Floats,
    weights: Floats,
    exponents: Floats | None = None,
) -> Objective:
    """Build a weighted sum of squares of rotated variables; ``exponents`` are those of ``Tasy``."""
    asymmetry_rows = [] if exponents is None else [exponents]
    rows = np.vstack([xopt, center, weights, *asymmetry_rows, seeds.r.T])
    gradient = _multiply(seeds.r.T, weights * _multiply(seeds.r, -center))
    kernel = kernels.rotated_ellipsoid if exponents is None else kernels.bent_cigar
    return Objective(kernel, rows, center, gradient, seeds.r)


def _draw_different_powers(seeds: Seeds, xopt: Floats) -> Objective:
    """Draw the different powers; ``x1`` has the length 1e-2, at which the powers differ."""
    center = seeds.xopt * (1e-2 / math.sqrt(float(np.sum(seeds.xopt**2))))
    exponents = 2 + seeds.multiples(4)
    z = _multiply(seeds.r, -center)
    powers = np.array([math.pow(abs(v), e - 1) for v, e in zip(z, exponents, strict=True)])
    gradient = _multiply(seeds.r.T, exponents * powers * np.sign(z))
    rows = np.vstack([xopt + center, exponents, seeds.r.T])
    return Objective(unimodal.different_powers, rows, center, gradient, seeds.r)


def _draw_separable_rastrigin(seeds: Seeds, xopt: Floats) -> Objective:
    center = _draw_integer_center(seeds)
    rows = np.array([xopt, center, seeds.multiples(0.2)])
    return Objective(kernels.rastrigin, rows, center, -center)


def _draw_rotated_rastrigin(seeds: Seeds, xopt: Floats) -> Objective:
    center = _draw_integer_center(seeds)
    rows = np.vstack([xopt, center, seeds.multiples(0.2), seeds.r.T])
    gradient = _multiply(seeds.r.T, -center)
    return Objective(kernels.rastrigin_rotated, rows, center, gradient, seeds.r)


def _draw_integer_center(seeds: Seeds) -> Floats:
    """Draw integers, not all 0.

    At integers, the cosines of Rastrigin's function do not contribute to the gradient.
    """
    center: Floats = np.trunc(10 * generators.draw_uniform(seeds.dimension, seeds.seed) - 5)
    if not center.any():
        center[:] = np.arange(seeds.dimension) % 9 - 4
    return center


OBJECTIVE_KINDS = (
    ObjectiveKind("Sphere", 10.0, _draw_sphere, kernels.plain_constraints),
    ObjectiveKind(
        "Ellipsoid separable",
        1e-4,
        _draw_separable_ellipsoid,
        kernels.oscillated_constraints,
        oscillates=True,
    ),
    ObjectiveKind("Linear slope", 10.0, _draw_linear_slope, kernels.plain_constraints),
    ObjectiveKind(
        "Ellipsoid rotated",
        1e-4,
        _draw_rotated_ellipsoid,
        kernels.oscillated_constraints,
        oscillates=True,
    ),
    ObjectiveKind("Discus", 1e-4, _draw_discus, kernels.oscillated_constraints, oscillates=True),
    ObjectiveKind(
        "Bent cigar", 1e-4, _draw_bent_cigar, kernels.asymmetric_constraints, asymmetry=0.2
    ),
    ObjectiveKind("Different powers", 100.0, _draw_different_powers, kernels.plain_constraints),
    ObjectiveKind(
        "Rastrigin separable",
        10.0,
        _draw_separable_rastrigin,
        kernels.composed_constraints,
        oscillates=True,
        asymmetry=0.2,
    ),
    ObjectiveKind(
        "Rastrigin rotated",
        10.0,
        _draw_rotated_rastrigin,
        kernels.composed_constraints,
        oscillates=True,
        asymmetry=0.2,
    ),
)
