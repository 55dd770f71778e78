"""The instances of bbob-constrained: active and inactive constraints around the optimum.

At ``y = 0`` the objective's gradient is ``fd``, a direction in which the box ends soon. Constraint
``s`` has the gradient ``-fd`` and is active, so 0 is optimal where the others hold at ``fd``, too;
then the other active gradients are subtracted from it, so that it is in disguise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..bbob import generators
from ..bbob.instances import Seeds
from .generators import Numbers
from .objectives import KINDS, Kind, Objective
from .variant import Variant

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of one function.

    Attributes:
        kind: Which objective and transformation.
        objective: Its constants.
        xopt: The optimum, shape ``(dimension,)``.
        direction: ``fd``, a feasible ``y``, shape ``(dimension,)``.
        gradients: Shape ``(m, dimension)``.
        offsets: What is subtracted from ``y``, shape ``(m, dimension)``.
        optimal_offset: ``fopt``, added to the objective.
    """

    kind: Kind
    objective: Objective
    xopt: Array
    direction: Array
    gradients: Array
    offsets: Array
    optimal_offset: float

    @classmethod
    def of(cls, variant: Variant, function: int, dimension: int, instance: int) -> Instance:
        """Draw an instance."""
        kind = KINDS[(function - 1) // 6]
        xopt = generators.optimal_solution(dimension, function + 10000 * instance)
        seeds = Seeds(dimension, function + 20000 * instance)
        objective = kind.make(seeds, xopt)
        direction = _feasible_direction(objective.gradient, xopt, seeds.seed)
        gradients, offsets = _constraints(variant, function, instance, direction)
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
    variant: Variant, function: int, instance: int, direction: Array
) -> tuple[Array, Array]:
    """The gradients of all constraints and what is subtracted from ``y``, in order."""
    dimension = len(direction)
    seed = function + 10000 * instance
    active = active_constraints(function, dimension)
    inactive = active // 2
    left = inactive if variant.has_inactive else 0
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
    if variant.has_disguise and active > 1:
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
