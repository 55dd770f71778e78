"""A problem: pure evaluation and facts. Counting, budgets and logging belong to its observer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import SuiteError
from .identity import ProblemId
from .measurement import STANDARD, Measurement
from .points import Vector, as_batch, as_point

Remake = tuple[Callable[..., "Problem"], tuple[Any, ...]]


def unconstrained(x: ArrayLike) -> Vector:
    """The constraint values of a problem that has none: shape ``(0,)``."""
    return np.empty(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemFacts:
    """What is known of a problem besides its values.

    Attributes:
        name: For people, ``"sphere"``.
        group: The group of functions it belongs to, ``""`` where there is none.
        lower_bounds: Shape ``(dimension,)``, the region of interest; not a hard limit.
        upper_bounds: Likewise.
        optimal_value: The global minimum; None where nobody knows.
        optimal_solution: Where it is, shape ``(dimension,)``; None where nobody knows.
        reference_value: What target precisions are measured from; NaN where there is nothing to
            measure from. By default the optimal value.
        initial_solution: Shape ``(dimension,)``; by default the middle of the region.
        number_of_objectives: 1.
        number_of_constraints: ``constraint(x)`` returns so many values, feasible where all <= 0.
        number_of_integer_variables: The first so many variables are integers.
        constraint: ``(dimension,) -> (number_of_constraints,)``.
        measurement: How runs on it are measured; its suite's.
    """

    name: str
    lower_bounds: Vector
    upper_bounds: Vector
    group: str = ""
    optimal_value: float | None = None
    optimal_solution: Vector | None = None
    reference_value: float | None = None
    initial_solution: Vector | None = None
    number_of_objectives: int = 1
    number_of_constraints: int = 0
    number_of_integer_variables: int = 0
    constraint: Callable[[ArrayLike], Vector] = unconstrained
    measurement: Measurement = STANDARD


class Problem:
    """One problem instance: call it with a point or with points; nothing is counted or kept.

    ``problem(x)`` takes ``x`` of shape ``(dimension,)`` and returns a float, or ``(n, dimension)``,
    one point a row, and returns shape ``(n,)``, the same numbers within rounding. NaN in a point
    gives NaN, infinity gives infinity.

    Args:
        identity: Suite, function, dimension and instance.
        facts: Bounds, optimum, numbers of objectives and constraints.
        evaluate_point: Takes a float64 array and returns its value; checks the shape itself. This
            is the hot path of observers.
        evaluate_batch: Takes a C-contiguous float64 ``(n, dimension)``, returns ``(n,)``.
        suite_version: Version of the definition; values never change under one version.
        remake: A function and its arguments that make this problem again, for pickling.
    """

    __slots__ = (
        "_facts",
        "_remake",
        "dimension",
        "evaluate_batch",
        "evaluate_point",
        "function",
        "id",
        "instance",
        "lower_bounds",
        "problem_id",
        "suite",
        "suite_version",
        "upper_bounds",
    )

    def __init__(
        self,
        identity: ProblemId,
        facts: ProblemFacts,
        evaluate_point: Callable[[ArrayLike], float],
        evaluate_batch: Callable[[Vector], Vector],
        *,
        suite_version: str = "1",
        remake: Remake | None = None,
    ) -> None:
        self.problem_id = identity
        self.id = str(identity)
        self.suite = identity.suite
        self.function = identity.function
        self.dimension = identity.dimension
        self.instance = identity.instance
        self.suite_version = suite_version
        self.evaluate_point = evaluate_point
        self.evaluate_batch = evaluate_batch
        self.lower_bounds = _frozen(facts.lower_bounds, identity)
        self.upper_bounds = _frozen(facts.upper_bounds, identity)
        self._facts = facts
        self._remake = remake

    def __call__(self, x: ArrayLike) -> Any:
        """Value of one point, a float, or of points, shape ``(n,)``.

        Raises:
            EvaluationError: ``x`` has another shape, or is complex or not numeric.
        """
        if x.ndim == 2 if type(x) is np.ndarray else _nested(x):
            return self.evaluate_batch(as_batch(x, self.dimension, self.id))
        return self.evaluate_point(x)

    @property
    def name(self) -> str:
        """The function's name, for people."""
        return self._facts.name

    @property
    def group(self) -> str:
        """The group of functions it belongs to, ``""`` where there is none."""
        return self._facts.group

    @property
    def number_of_objectives(self) -> int:
        """How many values are minimised at once."""
        return self._facts.number_of_objectives

    @property
    def number_of_constraints(self) -> int:
        """How many values ``constraint(x)`` returns."""
        return self._facts.number_of_constraints

    @property
    def number_of_integer_variables(self) -> int:
        """How many of the first variables are integers."""
        return self._facts.number_of_integer_variables

    @property
    def is_noisy(self) -> bool:
        """Whether an optimizer is given noisy values."""
        return False

    @property
    def measurement(self) -> Measurement:
        """How runs on it are measured: indicator, targets, final target."""
        return self._facts.measurement

    @property
    def optimal_value(self) -> float | None:
        """The global minimum; None where nobody knows."""
        return self._facts.optimal_value

    @property
    def optimal_solution(self) -> Vector | None:
        """Where the global minimum is, shape ``(dimension,)``; None where nobody knows."""
        solution = self._facts.optimal_solution
        return None if solution is None else solution.copy()

    @property
    def reference_value(self) -> float:
        """What target precisions are measured from; NaN where there is nothing to measure from."""
        facts = self._facts
        value = facts.optimal_value if facts.reference_value is None else facts.reference_value
        return math.nan if value is None else float(value)

    @property
    def initial_solution(self) -> Vector:
        """Where a first run starts, shape ``(dimension,)``: by default the middle of the region."""
        start = self._facts.initial_solution
        return (self.lower_bounds + self.upper_bounds) / 2 if start is None else start.copy()

    def initial_solution_proposal(self, rng: np.random.Generator) -> Vector:
        """A random start point, shape ``(dimension,)``: COCO's triangular law over the region.

        The sum of two uniform numbers, so that starts are denser in the middle.
        """
        weight = (rng.random(self.dimension) + rng.random(self.dimension)) / 2
        return self.lower_bounds + weight * (self.upper_bounds - self.lower_bounds)

    def constraint(self, x: ArrayLike) -> Vector:
        """Constraint values of one point, shape ``(number_of_constraints,)``; <= 0 is feasible.

        Raises:
            EvaluationError: ``x`` has another shape, or is complex or not numeric.
        """
        return self._facts.constraint(as_point(x, self.dimension, self.id))

    def renamed(
        self,
        identity: ProblemId,
        *,
        suite_version: str,
        group: str,
        measurement: Measurement,
        remake: Remake,
    ) -> Problem:
        """The same problem under the identity that a suite gives it."""
        facts = replace(self._facts, group=self._facts.group or group, measurement=measurement)
        evaluators = (self.evaluate_point, self.evaluate_batch)
        return Problem(identity, facts, *evaluators, suite_version=suite_version, remake=remake)

    def with_batches(self, evaluate_batch: Callable[[Vector], Vector], remake: Remake) -> Problem:
        """The same problem with another way to evaluate batches."""
        return Problem(
            self.problem_id,
            self._facts,
            self.evaluate_point,
            evaluate_batch,
            suite_version=self.suite_version,
            remake=remake,
        )

    def __reduce__(self) -> Remake:
        if self._remake is None:
            raise SuiteError(
                f"{self.id}: this problem cannot be pickled; make it through a registered suite"
            )
        return self._remake

    def __repr__(self) -> str:
        return f"<Problem {self.id}: {self.name}>"


def _nested(x: ArrayLike) -> bool:
    """Whether what is not exactly an array has two levels, as far as a look at the first tells."""
    if isinstance(x, list | tuple):
        return len(x) > 0 and np.ndim(x[0]) > 0
    return getattr(x, "ndim", 1) == 2


def _frozen(bounds: Vector, identity: ProblemId) -> NDArray[np.float64]:
    array = np.array(bounds, dtype=np.float64)
    if array.shape != (identity.dimension,):
        raise SuiteError(
            f"{identity}: bounds have shape {array.shape}; they must be ({identity.dimension},)"
        )
    array.flags.writeable = False
    return array
