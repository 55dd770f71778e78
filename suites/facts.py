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
    """The constraints at one point, for which both functions take an ``x`` and check its shape."""

    values: Callable[[ArrayLike], Vector]  # (number_of_constraints,)
    violated: Callable[[ArrayLike], int]  # how many are not <= 0


@dataclass(frozen=True, slots=True)
class NoisyEvaluation:
    """How a noisy problem is measured, where that is faster than evaluating and then ``noise``.

    ``point`` makes, for the generator of a run, a function of one point, which checks the shape; it
    returns the true and the measured value. ``batch`` returns those of points ``(n, dimension)``.
    """

    point: Callable[[np.random.Generator], Callable[[ArrayLike], tuple[float, float]]]
    batch: Callable[[Vector, np.random.Generator], tuple[Vector, Vector]]


@dataclass(frozen=True, slots=True)
class Unscaled:
    """The values before an instance scales and shifts them, by which its runs are measured.

    ``point`` and ``batch`` are as of `Problem`; its value is ``unscaled * scale - shift``.
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
    """What is known of a problem besides its values; None where nobody knows it.

    ``constraint`` takes a C-contiguous float64 ``(n, dimension)`` and returns
    ``(n, number_of_constraints)``, feasible where all are <= 0. ``noise(points, values, rng)`` is
    what is measured where the true values are ``values``, shape ``(n,)`` or ``(n, 2)``. It draws
    row after row, equally many numbers for each; None where values are exact. Precisions are
    measured from ``reference_value``, by default the optimal value; NaN where there is nothing.
    """

    name: str  # of the function, for people
    lower_bounds: Vector  # (dimension,), of the region of interest; not a hard limit
    upper_bounds: Vector
    title: str = ""  # of the problem, as ``cocoex`` calls it; by default the function's name
    group: str = ""  # of functions; empty where there is none
    optimal_value: float | None = None  # the global minimum of one objective
    optimal_solution: Vector | None = None  # (dimension,)
    ideal_point: Vector | None = None  # (2,), the minima of two objectives
    nadir_point: Vector | None = None  # (2,), the worst values among the optimal compromises
    reference_value: float | None = None
    reference_name: str = ""  # where the reference is from, if that is not the optimum
    initial_solution: Vector | None = None  # by default the middle, integers rounded upwards
    number_of_objectives: int = 1
    number_of_constraints: int = 0
    number_of_integer_variables: int = 0  # the first so many variables
    is_binary: bool = False  # all variables are bits, and nothing but 0 and 1 is evaluated
    unscaled: Unscaled | None = None  # what runs are measured by, if not the value
    target_unit: float = 1.0  # what the targets of the suite are multiplied by
    constraint: Callable[[Vector], Vector] | None = None
    point_constraint: PointConstraint | None = None  # the same for one point, if that is faster
    noise: Noise | None = None
    constants: Callable[[], dict[str, Vector]] = dict  # what ``Problem.constants`` returns
    measurement: Measurement = STANDARD  # its suite's
