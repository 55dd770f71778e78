"""Facts about a problem other than its values: identity, bounds, optimum, constraints, noise.

`ProblemId` identifies a problem, and `ProblemFacts` holds what its suite states about it.
`PointConstraint`, `NoisyEvaluation` and `Unscaled` are optional parts of a problem: functions
that evaluate it faster than the general way, or in the unit in which runs are measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .measurement import STANDARD, Measurement


@dataclass(frozen=True, slots=True, order=True)
class ProblemId:
    """Identity of one problem. Its text names the problem in files and logs.

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


# ``noise(points, values, rng)`` returns noisy values in the shape of ``values``, which are the true
# values of ``points``: shape ``(n,)``, or ``(n, 2)`` with two objectives; ``points`` has shape
# ``(n, dimension)``. It draws random numbers row by row, equally many for each row, so that noisy
# values do not depend on how points are split into batches.
Noise = Callable[[Floats, Floats, np.random.Generator], Floats]


@dataclass(frozen=True, slots=True)
class PointConstraint:
    """Functions that evaluate the constraints at one point. Both check the shape of the point.

    Attributes:
        values: Returns the constraint values, shape ``(number_of_constraints,)``.
        count_violated: Returns the number of constraint values that are not <= 0.
    """

    values: Callable[[ArrayLike], Floats]
    count_violated: Callable[[ArrayLike], int]


@dataclass(frozen=True, slots=True)
class NoisyEvaluation:
    """Functions that return true and noisy values at once, faster than a problem and its noise.

    Attributes:
        bind_generator: Takes the random generator of a run and returns a function of one point,
            which checks the point's shape and returns ``(true value, noisy value)``.
        measure_batch: Takes points of shape ``(n, dimension)`` and a random generator, and returns
            true values and noisy values, each of shape ``(n,)``.
    """

    bind_generator: Callable[[np.random.Generator], Callable[[ArrayLike], tuple[float, float]]]
    measure_batch: Callable[[Floats, np.random.Generator], tuple[Floats, Floats]]


@dataclass(frozen=True, slots=True)
class Unscaled:
    """Values before an instance scales and shifts them. Runs are measured by these values.

    The problem's value is ``unscaled * scale - shift``.

    Attributes:
        point: Returns the unscaled value of one point, as ``Problem.evaluate_point`` does.
        batch: Returns the unscaled values of points, as ``Problem.evaluate_batch`` does.
        scale: Factor of the instance.
        shift: Number that the instance subtracts.
    """

    point: Callable[[ArrayLike], float]
    batch: Callable[[Floats], Floats]
    scale: float
    shift: float

    def scaled(self, value: float) -> float:
        """Convert an unscaled value to the problem's value, equal to the bit to an evaluation."""
        return value * self.scale - self.shift


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFacts:
    """Facts about a problem other than its values. None means that a fact is unknown.

    Attributes:
        name: Name of the function.
        lower_bounds: Lower bounds of the region of interest, shape ``(dimension,)``. Points
            outside the region can be evaluated.
        upper_bounds: Upper bounds of the region of interest, shape ``(dimension,)``.
        title: Name of the problem in ``cocoex``. Default: the name of the function.
        group: Group to which the function belongs; empty without groups.
        optimal_value: Global minimum of one objective, over feasible points.
        optimal_solution: A point with the optimal value, shape ``(dimension,)``.
        ideal_point: Minimum of each of two objectives, shape ``(2,)``.
        nadir_point: Maximum of each of two objectives over the Pareto set, shape ``(2,)``.
        reference_value: Value to which target precisions are relative. None: the optimal value.
            NaN: there are no precisions.
        reference_name: Origin of the reference value, if it is not the optimal value.
        initial_solution: Default start point, shape ``(dimension,)``. None: the middle of the
            region, with integer variables rounded upwards; for bits 0, 1, 0, 1, ….
        number_of_objectives: 1 or 2.
        number_of_constraints: Number of constraint values of a point.
        number_of_integer_variables: Integer variables precede continuous ones.
        is_binary: Whether all variables are bits, so that values other than 0 and 1 are refused.
        unscaled: Values by which runs are measured. None: the values of the problem.
        target_unit: Factor of the suite's targets on this problem.
        constraint: Function from C-contiguous float64 points, shape ``(n, dimension)``, to values
            of shape ``(n, number_of_constraints)``. A point is feasible if all are <= 0.
        point_constraint: Faster constraint functions for one point, if there are any.
        noise: Function that adds noise to true values, see `Noise`. None: values are exact.
        constants: Function that returns the value of ``Problem.constants()``.
        measurement: How runs are measured, as the problem's suite declares it.
    """

    name: str
    lower_bounds: Floats
    upper_bounds: Floats
    title: str = ""
    group: str = ""
    optimal_value: float | None = None
    optimal_solution: Floats | None = None
    ideal_point: Floats | None = None
    nadir_point: Floats | None = None
    reference_value: float | None = None
    reference_name: str = ""
    initial_solution: Floats | None = None
    number_of_objectives: int = 1
    number_of_constraints: int = 0
    number_of_integer_variables: int = 0
    is_binary: bool = False
    unscaled: Unscaled | None = None
    target_unit: float = 1.0
    constraint: Callable[[Floats], Floats] | None = None
    point_constraint: PointConstraint | None = None
    noise: Noise | None = None
    constants: Callable[[], dict[str, Floats]] = dict
    measurement: Measurement = STANDARD
