"""What is known of a problem besides its values: identity, bounds, optimum, constraints, noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .measurement import STANDARD, Measurement
from .points import Vector


@dataclass(frozen=True, slots=True, order=True)
class ProblemId:
    """Identity of one problem; its text form names it in files and logs.

    >>> str(ProblemId("bbob", 3, 10, 1))
    'bbob_f003_i01_d10'
    """

    suite: str
    function: int
    dimension: int
    instance: int

    def __reduce__(self) -> tuple[Any, ...]:
        return ProblemId, (self.suite, self.function, self.dimension, self.instance)

    def __str__(self) -> str:
        return f"{self.suite}_f{self.function:03d}_i{self.instance:02d}_d{self.dimension:02d}"


Noise = Callable[[Vector, Vector, np.random.Generator], Vector]


@dataclass(frozen=True, slots=True)
class PointConstraint:
    """The constraints at one point, for which both functions take an ``x`` and check its shape.

    Attributes:
        values: Returns the values, shape ``(number_of_constraints,)``.
        violated: Returns how many are not <= 0.
    """

    values: Callable[[ArrayLike], Vector]
    violated: Callable[[ArrayLike], int]


@dataclass(frozen=True, slots=True)
class NoisyEvaluation:
    """How a noisy problem is measured, where that is faster than evaluating and then ``noise``.

    Attributes:
        point: Makes, for the generator of a run, a function of one point, which checks the shape;
            it returns the true and the measured value.
        batch: Takes float64 ``(n, dimension)`` and a generator; returns true and measured values.
    """

    point: Callable[[np.random.Generator], Callable[[ArrayLike], tuple[float, float]]]
    batch: Callable[[Vector, np.random.Generator], tuple[Vector, Vector]]


@dataclass(frozen=True, slots=True)
class Unscaled:
    """The values before an instance scales and shifts them, by which its runs are measured.

    Attributes:
        point: Takes a point as the problem does.
        batch: Takes float64 ``(n, dimension)``, returns ``(n,)``.
        scale: > 0; the problem's value is ``unscaled * scale - shift``.
        shift: See ``scale``.
    """

    point: Callable[[ArrayLike], float]
    batch: Callable[[Vector], Vector]
    scale: float
    shift: float

    def scaled(self, value: float) -> float:
        """The problem's value where the unscaled one is ``value``, to the bit."""
        return value * self.scale - self.shift


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFacts:
    """What is known of a problem besides its values.

    Attributes:
        name: Of the function, for people, ``"sphere"``.
        title: Of the problem, as ``cocoex`` calls it; by default the function's name.
        group: The group of functions it belongs to, ``""`` where there is none.
        lower_bounds: Shape ``(dimension,)``, the region of interest; not a hard limit.
        upper_bounds: Likewise.
        optimal_value: The global minimum of one objective; None where nobody knows.
        optimal_solution: Where it is, shape ``(dimension,)``; None where nobody knows.
        ideal_point: The minima of two objectives, shape ``(2,)``; None where nobody knows.
        nadir_point: The worst values among the optimal compromises, shape ``(2,)``; likewise.
        reference_value: What target precisions are measured from; NaN where there is nothing to
            measure from. By default the optimal value.
        reference_name: Where the reference is from, if that is not the optimum: ``"COCO 2.8.2"``.
        initial_solution: Shape ``(dimension,)``; by default the middle of the region, integer
            variables rounded upwards.
        number_of_objectives: 1 or 2.
        number_of_constraints: ``constraint(x)`` returns so many values, feasible where all <= 0.
        number_of_integer_variables: The first so many variables are integers.
        is_binary: All variables are bits, and nothing but 0 and 1 is evaluated.
        unscaled: What runs are measured by, where that is not the value itself; the reference value
            is one of these.
        target_unit: What the targets of the suite are multiplied by, where problems of a suite have
            values of different sizes.
        constraint: Takes a C-contiguous float64 ``(n, dimension)``, returns
            ``(n, number_of_constraints)``; None where there are none.
        point_constraint: The same for one point, if that is faster.
        noise: ``noise(points, values, rng)``: what is measured where the true values are
            ``values``, shape ``(n,)`` or ``(n, 2)``. It draws row after row, equally many numbers
            for each. None where values are exact.
        constants: Makes what ``Problem.constants`` returns; by default nothing.
        measurement: How runs on it are measured; its suite's.
    """

    name: str
    lower_bounds: Vector
    upper_bounds: Vector
    title: str = ""
    group: str = ""
    optimal_value: float | None = None
    optimal_solution: Vector | None = None
    ideal_point: Vector | None = None
    nadir_point: Vector | None = None
    reference_value: float | None = None
    reference_name: str = ""
    initial_solution: Vector | None = None
    number_of_objectives: int = 1
    number_of_constraints: int = 0
    number_of_integer_variables: int = 0
    is_binary: bool = False
    unscaled: Unscaled | None = None
    target_unit: float = 1.0
    constraint: Callable[[Vector], Vector] | None = None
    point_constraint: PointConstraint | None = None
    noise: Noise | None = None
    constants: Callable[[], dict[str, Vector]] = dict
    measurement: Measurement = STANDARD
