"""A problem: pure evaluation and facts. Counting, budgets and logging belong to its observer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import SuiteError
from .facts import NoisyEvaluation, ProblemFacts, ProblemId, Unscaled
from .measurement import Measurement
from .penalty import Penalized
from .points import Vector, as_batch, as_point, is_batch

Remake = tuple[Callable[..., "Problem"], tuple[Any, ...]]


class Problem:
    """One problem instance: call it with a point or with points; nothing is counted or kept.

    ``problem(x)`` takes ``x`` of shape ``(dimension,)`` and returns a float, or ``(n, dimension)``,
    one point a row, and returns shape ``(n,)``, the same numbers within rounding; with two
    objectives shapes ``(2,)`` and ``(n, 2)``. NaN in a point gives NaN, infinity gives infinity.
    Where a problem is noisy, these are the true values; ``noisy`` gives the measured ones.

    Args:
        identity: Suite, function, dimension and instance.
        facts: Bounds, optimum, numbers of objectives and constraints, noise.
        evaluate_point: Takes a float64 array and returns its value; checks the shape itself. This
            is the hot path of observers.
        evaluate_batch: Takes a C-contiguous float64 ``(n, dimension)``, returns ``(n,)`` or
            ``(n, 2)``.
        suite_version: Version of the definition; values never change under one version.
        problem_id: The identifier, where it is not the text of ``identity``.
        remake: A function and its arguments that make this problem again, for pickling.
        measuring: How it is measured with noise; by default it is evaluated, then noise is applied.
    """

    __slots__ = (
        "_facts",
        "_measuring",
        "_point_constraint",
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
        evaluate_point: Callable[[ArrayLike], Any],
        evaluate_batch: Callable[[Vector], Vector],
        *,
        suite_version: str = "1",
        problem_id: str | None = None,
        remake: Remake | None = None,
        measuring: NoisyEvaluation | None = None,
    ) -> None:
        self.problem_id = identity
        self.id = problem_id or str(identity)
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
        self._measuring = measuring
        self._point_constraint = facts.point_constraint

    def __call__(self, x: ArrayLike) -> Any:
        """True value of one point, a float, or of points, shape ``(n,)``; see the class.

        Raises:
            EvaluationError: ``x`` has another shape, or masked entries, or is complex or not
                numeric.
        """
        try:
            are_many = x.ndim == 2  # type: ignore[union-attr]
        except AttributeError:
            are_many = is_batch(x)
        if are_many:
            return self.evaluate_batch(self.as_batch(x))
        evaluate = self.evaluate_point  # called through a local name it costs 5 % less
        return evaluate(x)

    @property
    def name(self) -> str:
        """The function's name, for people."""
        return self._facts.name

    @property
    def title(self) -> str:
        """The problem's name, for people, as ``cocoex`` calls it."""
        return self._facts.title or self._facts.name

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
    def is_binary(self) -> bool:
        """Whether all variables are bits, and nothing but 0 and 1 is evaluated."""
        return self._facts.is_binary

    @property
    def target_unit(self) -> float:
        """What the targets of the suite are multiplied by on this problem; mostly 1."""
        return self._facts.target_unit

    @property
    def is_noisy(self) -> bool:
        """Whether ``noisy(x, rng)`` differs from ``problem(x)``."""
        return self._facts.noise is not None

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
    def ideal_point(self) -> Vector | None:
        """The minima of two objectives, shape ``(2,)``; None where nobody knows."""
        return None if self._facts.ideal_point is None else self._facts.ideal_point.copy()

    @property
    def nadir_point(self) -> Vector | None:
        """The worst values among the optimal compromises, shape ``(2,)``; None where unknown."""
        return None if self._facts.nadir_point is None else self._facts.nadir_point.copy()

    @property
    def reference_value(self) -> float:
        """What target precisions are measured from; NaN where there is nothing to measure from."""
        facts = self._facts
        value = facts.optimal_value if facts.reference_value is None else facts.reference_value
        return math.nan if value is None else float(value)

    @property
    def reference_name(self) -> str:
        """Where the reference value is from, as ``"COCO 2.8.2"``; ``""`` where it is the optimum's.

        Results that are measured from references of different names must not be mixed.
        """
        return self._facts.reference_name

    @property
    def initial_solution(self) -> Vector:
        """Where a first run starts, shape ``(dimension,)``: by default the middle of the region.

        Of bits it is 0, 1, 0, 1, …: all of one kind are the optimum of too many functions.
        """
        if self._facts.initial_solution is not None:
            return self._facts.initial_solution.copy()
        if self.is_binary:
            return np.arange(self.dimension, dtype=np.float64) % 2
        middle = (self.lower_bounds + self.upper_bounds) / 2
        if integers := self.number_of_integer_variables:
            middle[:integers] = np.floor(middle[:integers] + 0.5)
        return middle

    def initial_solution_proposal(self, rng: np.random.Generator) -> Vector:
        """A random start point, shape ``(dimension,)``: COCO's law over the region.

        A continuous variable is the sum of two uniform numbers, so that starts are denser in the
        middle; an integer variable is uniform.
        """
        integers, width = self.number_of_integer_variables, self.upper_bounds - self.lower_bounds
        weight = (rng.random(self.dimension) + rng.random(self.dimension)) / 2
        point = self.lower_bounds + weight * width
        if integers:
            steps = np.floor(rng.random(integers) * (width[:integers] + 1))
            highest = self.upper_bounds[:integers]
            point[:integers] = np.minimum(self.lower_bounds[:integers] + steps, highest)
        return point

    def constraint(self, x: ArrayLike) -> Vector:
        """Constraint values of one point, shape ``(m,)``, or of points, ``(n, m)``; feasible <= 0.

        Raises:
            EvaluationError: ``x`` has another shape, or is complex or not numeric.
        """
        fast = self._point_constraint
        if fast is not None and getattr(x, "ndim", 0) == 1:
            return fast.values(x)
        points, are_many = self._points(x)
        constraint = self._facts.constraint
        values = np.empty((len(points), 0)) if constraint is None else constraint(points)
        return values if are_many else values[0]

    def is_feasible(self, x: ArrayLike) -> Any:
        """Whether all constraints are <= 0 at one point, a bool, or at points, bools ``(n,)``.

        Raises:
            EvaluationError: ``x`` has another shape, or is complex or not numeric.
        """
        fast = self._point_constraint
        if fast is not None and getattr(x, "ndim", 0) == 1:
            return fast.violated(x) == 0
        values = self.constraint(x)
        return bool(np.all(values <= 0)) if values.ndim == 1 else np.all(values <= 0, axis=1)

    def penalized(self, weight: float = 10.0) -> Penalized:
        """The objective plus ``weight`` times the sum of violations, as a function of ``x``.

        For optimizers that know no constraints. Without constraints it is the objective.

        Raises:
            SuiteError: There are two objectives, or the weight is not a number > 0.
        """
        if self.number_of_objectives != 1 or not 0 < weight < math.inf:
            raise SuiteError(
                f"{self.id}: penalized takes one objective and a weight > 0; there are "
                f"{self.number_of_objectives} and {weight!r}"
            )
        return Penalized(self, weight)

    def noisy(self, x: ArrayLike, rng: np.random.Generator) -> Any:
        """What is measured at one point or at points: shapes as of ``problem(x)``.

        The same state of ``rng`` gives the same values, however points are split into batches.
        Where the problem has no noise, these are the true values.

        Raises:
            EvaluationError: ``x`` has another shape, or is complex or not numeric.
        """
        points, are_many = self._points(x)
        measured = self.evaluate_noisy(points, rng)[1]
        if are_many:
            return measured
        return float(measured[0]) if measured.ndim == 1 else measured[0]

    def evaluate_noisy(self, points: Vector, rng: np.random.Generator) -> tuple[Vector, Vector]:
        """True and measured values of C-contiguous float64 ``(n, dimension)``; nothing is checked.

        Values that are NaN or infinite stay so.
        """
        if self._measuring is not None:
            return self._measuring.batch(points, rng)
        values = self.evaluate_batch(points)
        noise = self._facts.noise
        if noise is None:
            return values, values.copy()
        return values, np.where(np.isfinite(values), noise(points, values, rng), values)

    def measuring(self, rng: np.random.Generator) -> Callable[[ArrayLike], tuple[Any, Any]]:
        """A function of one point that returns its true and its measured value, with this noise."""
        if self._measuring is not None:
            return self._measuring.point(rng)

        def measure(x: ArrayLike) -> tuple[Any, Any]:
            point = self.as_point(x)
            true, noisy = self.evaluate_noisy(point[np.newaxis], rng)
            return (float(true[0]), float(noisy[0])) if true.ndim == 1 else (true[0], noisy[0])

        return measure

    def constants(self) -> dict[str, Vector]:
        """The arrays that define the instance, so that it can be evaluated elsewhere (JAX, a GPU).

        What the keys mean is said where the suite is defined, for bbob in ``suites.bbob``. Empty
        where a problem is defined by code alone.
        """
        return self._facts.constants()

    def _points(self, x: ArrayLike) -> tuple[Vector, bool]:
        """``x`` as points, one a row, and whether it was more than one point."""
        if is_batch(x):
            return self.as_batch(x), True
        return self.as_batch(self.as_point(x)[None]), False

    def as_point(self, x: ArrayLike) -> Vector:
        """``x`` as float64 of shape ``(dimension,)``; raises EvaluationError where it is none."""
        return as_point(x, self.dimension, self.id, self._facts.is_binary)

    def as_batch(self, x: ArrayLike) -> Vector:
        """``x`` as C-contiguous float64 ``(n, dimension)``; likewise."""
        return as_batch(x, self.dimension, self.id, self._facts.is_binary)

    def unscaled(self, x: ArrayLike) -> Any:
        """The value before the instance scales and shifts it, of one point or of points.

        Raises:
            EvaluationError: ``x`` has another shape, or is complex or not numeric.
        """
        facts = self._facts.unscaled
        if facts is None:
            return self(x)
        return facts.batch(self.as_batch(x)) if is_batch(x) else facts.point(x)

    @property
    def scaling(self) -> Unscaled | None:
        """What turns unscaled values into values; None where they are the same."""
        return self._facts.unscaled

    def renamed(
        self,
        identity: ProblemId,
        *,
        suite_version: str,
        problem_id: str,
        group: str,
        measurement: Measurement,
        remake: Remake,
    ) -> Problem:
        """The same problem under the identity that a suite gives it."""
        facts = replace(self._facts, group=self._facts.group or group, measurement=measurement)
        return Problem(
            identity, facts, self.evaluate_point, self.evaluate_batch,
            suite_version=suite_version, problem_id=problem_id, remake=remake,
            measuring=self._measuring,
        )  # fmt: skip

    def with_batches(self, evaluate_batch: Callable[[Vector], Vector], remake: Remake) -> Problem:
        """The same problem with another way to evaluate batches."""
        evaluators = (self.evaluate_point, evaluate_batch)
        return Problem(
            self.problem_id, self._facts, *evaluators, suite_version=self.suite_version,
            problem_id=self.id, remake=remake, measuring=self._measuring,
        )  # fmt: skip

    def wrapped(
        self,
        remake: Remake,
        *,
        evaluate_point: Callable[[ArrayLike], Any] | None = None,
        evaluate_batch: Callable[[Vector], Vector] | None = None,
        **facts: Any,
    ) -> Problem:
        """Another problem around this one, as a transform returns it.

        It belongs to the suite ``user``, since its values are others; a registered suite that is
        made of such problems gives them its own identifiers.

        Args:
            remake: See the class.
            evaluate_point: See the class; by default this problem's.
            evaluate_batch: Likewise.
            **facts: Fields of ``ProblemFacts`` that change.
        """
        return Problem(
            replace(self.problem_id, suite="user"),
            replace(self._facts, **facts),
            evaluate_point or self.evaluate_point,
            evaluate_batch or self.evaluate_batch,
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

    def _repr_html_(self) -> str:
        from .notebook import problem_html

        return problem_html(self)


def _frozen(bounds: Vector, identity: ProblemId) -> NDArray[np.float64]:
    array = np.array(bounds, dtype=np.float64)
    if array.shape != (identity.dimension,):
        raise SuiteError(
            f"{identity}: bounds have shape {array.shape}; they must be ({identity.dimension},)"
        )
    array.flags.writeable = False
    return array
