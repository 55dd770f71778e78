"""The class `Problem`: a test problem that evaluates points and holds facts about itself.

An evaluation is a pure, deterministic function of the point. Evaluations are counted, limited and
recorded by observers (``loggers.observation``), not here. A suite creates a problem from two
evaluators, one for single points and one for batches, and from `ProblemFacts`. Transforms create a
problem from another one with `Problem.wrapped`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .errors import SuiteError
from .facts import NoisyEvaluation, ProblemFacts, ProblemId, Unscaled
from .measurement import Measurement
from .penalty import Penalized
from .points import as_batch, as_point, is_batch

# A function and its arguments that create a problem again: the result of ``__reduce__``.
Remake = tuple[Callable[..., "Problem"], tuple[Any, ...]]


class Problem:
    """One problem instance, which is called with a point or with a batch of points.

    ``problem(x)`` of a point, shape ``(dimension,)``, is a float. Of a batch, shape
    ``(n, dimension)`` with one point a row, it has shape ``(n,)`` and contains the values of the
    points up to rounding. With two objectives the shapes are ``(2,)`` and ``(n, 2)``. A point with
    NaN has the value NaN, and another point with infinity has the value infinity. If the problem is
    noisy, these are the true values, and ``noisy`` returns the noisy ones.

    Args:
        identity: Suite, function, dimension and instance.
        facts: Bounds, optimum, numbers of objectives and constraints, noise, and so on.
        evaluate_point: Function of one point, which is a float64 array. It checks the shape itself,
            because observers call it directly.
        evaluate_batch: Function of a C-contiguous float64 batch, shape ``(n, dimension)``. It
            returns shape ``(n,)``, or ``(n, 2)`` with two objectives.
        suite_version: Version of the suite. Values never change under one version.
        problem_id: Identifier of the problem. Default: the text of ``identity``.
        remake: A function and its arguments that create this problem again, for pickling. Default:
            the problem cannot be pickled.
        measuring: Functions that return true and noisy values. Default: a noisy problem is
            evaluated, and then the noise of ``facts`` is applied.

    Raises:
        SuiteError: The bounds have another shape than ``(dimension,)``.

    Example:
        >>> from firsthit import Suite
        >>> problem = Suite("bbob").problem(function=3, dimension=2, instance=1)
        >>> problem.id, problem.name
        ('bbob_f003_i01_d02', 'Rastrigin separable')
        >>> problem.lower_bounds, problem.upper_bounds
        (array([-5., -5.]), array([5., 5.]))
        >>> problem(problem.optimal_solution) == problem.optimal_value
        True
        >>> problem([[0, 0], [1, 1]]).shape
        (2,)
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
        evaluate_batch: Callable[[Floats], Floats],
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
        self.lower_bounds = _copy_bounds(facts.lower_bounds, identity)
        self.upper_bounds = _copy_bounds(facts.upper_bounds, identity)
        self._facts = facts
        self._remake = remake
        self._measuring = measuring
        self._point_constraint = facts.point_constraint

    def __call__(self, x: ArrayLike) -> Any:
        """Return the true value of one point, a float, or of a batch, shape ``(n,)``.

        With two objectives the shapes are ``(2,)`` and ``(n, 2)``.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        try:
            x_is_batch = x.ndim == 2  # type: ignore[union-attr]
        except AttributeError:
            x_is_batch = is_batch(x)
        if x_is_batch:
            return self.evaluate_batch(self.as_batch(x))
        evaluate = self.evaluate_point  # calling it through a local name costs 5 % less
        return evaluate(x)

    @property
    def name(self) -> str:
        """Name of the function."""
        return self._facts.name

    @property
    def title(self) -> str:
        """Name of the problem in ``cocoex``. Default: the name of the function."""
        return self._facts.title or self._facts.name

    @property
    def group(self) -> str:
        """Group to which the function belongs; empty without groups."""
        return self._facts.group

    @property
    def number_of_objectives(self) -> int:
        """Number of objectives, which are minimised: 1 or 2."""
        return self._facts.number_of_objectives

    @property
    def number_of_constraints(self) -> int:
        """Number of constraint values of a point."""
        return self._facts.number_of_constraints

    @property
    def number_of_integer_variables(self) -> int:
        """Number of integer variables, which precede the continuous ones."""
        return self._facts.number_of_integer_variables

    @property
    def is_binary(self) -> bool:
        """Whether all variables are bits, so that values other than 0 and 1 are refused."""
        return self._facts.is_binary

    @property
    def target_unit(self) -> float:
        """Factor of the suite's targets on this problem, mostly 1."""
        return self._facts.target_unit

    @property
    def is_noisy(self) -> bool:
        """Whether ``noisy(x, rng)`` differs from ``problem(x)``."""
        return self._facts.noise is not None

    @property
    def measurement(self) -> Measurement:
        """How runs on the problem are measured: indicator, targets, final target."""
        return self._facts.measurement

    @property
    def optimal_value(self) -> float | None:
        """Global minimum over feasible points; None if it is unknown."""
        return self._facts.optimal_value

    @property
    def optimal_solution(self) -> Floats | None:
        """Copy of a point with the optimal value, shape ``(dimension,)``; None if unknown."""
        solution = self._facts.optimal_solution
        return None if solution is None else solution.copy()

    @property
    def ideal_point(self) -> Floats | None:
        """Copy of the minima of two objectives, shape ``(2,)``; None if they are unknown."""
        return None if self._facts.ideal_point is None else self._facts.ideal_point.copy()

    @property
    def nadir_point(self) -> Floats | None:
        """Copy of the maxima of two objectives over the Pareto set, shape ``(2,)``.

        None if they are unknown.
        """
        return None if self._facts.nadir_point is None else self._facts.nadir_point.copy()

    @property
    def reference_value(self) -> float:
        """Value to which target precisions are relative; NaN if there are no precisions."""
        facts = self._facts
        value = facts.optimal_value if facts.reference_value is None else facts.reference_value
        return math.nan if value is None else float(value)

    @property
    def reference_name(self) -> str:
        """Origin of the reference value, as ``"COCO 2.8.2"``; empty if it is the optimal value.

        Precisions that are relative to reference values of different origins cannot be compared.
        """
        return self._facts.reference_name

    @property
    def initial_solution(self) -> Floats:
        """New array with the start point of a first run, shape ``(dimension,)``.

        Default: the middle of the region, with integer variables rounded upwards. Bits are
        0, 1, 0, 1, …, because equal bits are the optimum of too many functions.
        """
        if self._facts.initial_solution is not None:
            return self._facts.initial_solution.copy()
        if self.is_binary:
            return np.arange(self.dimension, dtype=np.float64) % 2
        middle = (self.lower_bounds + self.upper_bounds) / 2
        if n_integers := self.number_of_integer_variables:
            middle[:n_integers] = np.floor(middle[:n_integers] + 0.5)
        return middle

    def initial_solution_proposal(self, rng: np.random.Generator) -> Floats:
        """Draw a random start point, shape ``(dimension,)``, from COCO's distribution.

        A continuous variable is the mean of two uniform numbers, so that start points are denser in
        the middle of the region. An integer variable is uniform.
        """
        n_integers = self.number_of_integer_variables
        width = self.upper_bounds - self.lower_bounds
        weight = (rng.random(self.dimension) + rng.random(self.dimension)) / 2
        point = self.lower_bounds + weight * width
        if n_integers:
            steps = np.floor(rng.random(n_integers) * (width[:n_integers] + 1))
            integers = self.lower_bounds[:n_integers] + steps
            # Rounding of the product can yield one step beyond the upper bound.
            point[:n_integers] = np.minimum(integers, self.upper_bounds[:n_integers])
        return point

    def constraint(self, x: ArrayLike) -> Floats:
        """Return the constraint values of one point, shape ``(m,)``, or of a batch, ``(n, m)``.

        A point is feasible if all its ``m = number_of_constraints`` values are <= 0.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        point_constraint = self._point_constraint
        if point_constraint is not None and getattr(x, "ndim", 0) == 1:
            return point_constraint.values(x)
        points = self._as_rows(x)
        constraint = self._facts.constraint
        values = np.empty((len(points), 0)) if constraint is None else constraint(points)
        return values if is_batch(x) else values[0]

    def is_feasible(self, x: ArrayLike) -> Any:
        """Return whether one point is feasible, a bool, or the points of a batch, shape ``(n,)``.

        Evaluates the constraints. A point is feasible if all its constraint values are <= 0.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        point_constraint = self._point_constraint
        if point_constraint is not None and getattr(x, "ndim", 0) == 1:
            return point_constraint.count_violated(x) == 0
        values = self.constraint(x)
        return bool(np.all(values <= 0)) if values.ndim == 1 else np.all(values <= 0, axis=1)

    def penalized(self, weight: float = 10.0) -> Penalized:
        """Return the function "objective plus ``weight`` times the sum of violations" of ``x``.

        It is meant for optimizers that cannot handle constraints. Without constraints it equals the
        objective.

        Raises:
            SuiteError: The problem has two objectives, or the weight is not a finite number > 0.
        """
        if self.number_of_objectives != 1 or not 0 < weight < math.inf:
            raise SuiteError(
                f"{self.id}: penalized takes one objective and a weight > 0; there are "
                f"{self.number_of_objectives} and {weight!r}"
            )
        return Penalized(self, weight)

    def noisy(self, x: ArrayLike, rng: np.random.Generator) -> Any:
        """Return the noisy value of one point or of a batch, in the shape of ``problem(x)``.

        The same state of ``rng`` gives the same values, even if points are split into batches in
        another way. Without noise the true values are returned.

        Args:
            x: One point, shape ``(dimension,)``, or a batch, shape ``(n, dimension)``.
            rng: Source of the noise.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        values = self.evaluate_noisy(self._as_rows(x), rng)[1]
        if is_batch(x):
            return values
        return float(values[0]) if values.ndim == 1 else values[0]

    def evaluate_noisy(self, points: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return the true and the noisy values of a batch, without checking its shape.

        Args:
            points: C-contiguous float64 array of shape ``(n, dimension)``.
            rng: Source of the noise.

        Returns:
            True values and noisy values, each of shape ``(n,)``, or ``(n, 2)`` with two objectives.
            Values that are NaN or infinite have no noise.
        """
        if self._measuring is not None:
            return self._measuring.measure_batch(points, rng)
        values = self.evaluate_batch(points)
        noise = self._facts.noise
        if noise is None:
            return values, values.copy()
        return values, np.where(np.isfinite(values), noise(points, values, rng), values)

    def measuring(self, rng: np.random.Generator) -> Callable[[ArrayLike], tuple[Any, Any]]:
        """Return a function of one point that returns its true value and its noisy value.

        Each call of the function draws from ``rng``, checks the shape of the point, and raises
        EvaluationError if the shape is wrong.
        """
        if self._measuring is not None:
            return self._measuring.bind_generator(rng)

        def measure(x: ArrayLike) -> tuple[Any, Any]:
            point = self.as_point(x)
            true, noisy = self.evaluate_noisy(point[np.newaxis], rng)
            return (float(true[0]), float(noisy[0])) if true.ndim == 1 else (true[0], noisy[0])

        return measure

    def constants(self) -> dict[str, Floats]:
        """Return copies of the arrays that define the instance, such as its optimum and rotations.

        With them the problem can be evaluated elsewhere, for example in JAX or on a GPU. The suite
        documents the keys, bbob in ``suites.bbob``. Empty if only code defines the problem.
        """
        return self._facts.constants()

    def unscaled(self, x: ArrayLike) -> Any:
        """Return the value before the instance scales and shifts it, of one point or of a batch.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        facts = self._facts.unscaled
        if facts is None:
            return self(x)
        return facts.batch(self.as_batch(x)) if is_batch(x) else facts.point(x)

    @property
    def scaling(self) -> Unscaled | None:
        """Unscaled values and their conversion to values; None if values are not scaled."""
        return self._facts.unscaled

    def as_point(self, x: ArrayLike) -> Floats:
        """Convert ``x`` to float64 of shape ``(dimension,)``.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        return as_point(x, self.dimension, self.id, self._facts.is_binary)

    def as_batch(self, x: ArrayLike) -> Floats:
        """Convert ``x`` to C-contiguous float64 of shape ``(n, dimension)``.

        Raises:
            EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
        """
        return as_batch(x, self.dimension, self.id, self._facts.is_binary)

    def with_identity(
        self,
        identity: ProblemId,
        *,
        suite_version: str,
        problem_id: str,
        group: str,
        measurement: Measurement,
        remake: Remake,
    ) -> Problem:
        """Return this problem under the identity that a suite gives it.

        Args:
            identity: Suite, function, dimension and instance.
            suite_version: Version of the suite.
            problem_id: Identifier in the suite's format.
            group: Group of the function; used only if the problem has no group yet.
            measurement: How runs are measured.
            remake: A function and its arguments that create the returned problem again.
        """
        facts = replace(self._facts, group=self._facts.group or group, measurement=measurement)
        return Problem(
            identity,
            facts,
            self.evaluate_point,
            self.evaluate_batch,
            suite_version=suite_version,
            problem_id=problem_id,
            remake=remake,
            measuring=self._measuring,
        )

    def with_batches(self, evaluate_batch: Callable[[Floats], Floats], remake: Remake) -> Problem:
        """Return this problem, under the same identity, with another function for batches.

        Args:
            evaluate_batch: Function of a batch that returns the same values as this problem.
            remake: A function and its arguments that create the returned problem again.
        """
        return Problem(
            self.problem_id,
            self._facts,
            self.evaluate_point,
            evaluate_batch,
            suite_version=self.suite_version,
            problem_id=self.id,
            remake=remake,
            measuring=self._measuring,
        )

    def wrapped(
        self,
        remake: Remake,
        *,
        evaluate_point: Callable[[ArrayLike], Any] | None = None,
        evaluate_batch: Callable[[Floats], Floats] | None = None,
        **facts: Any,
    ) -> Problem:
        """Return a problem that wraps this one, as a transform does.

        It belongs to the suite ``user``, because its values differ. If a registered suite consists
        of wrapped problems, the suite gives them its own identity.

        Args:
            remake: A function and its arguments that create the returned problem again.
            evaluate_point: Function of one point. Default: that of this problem.
            evaluate_batch: Function of a batch. Default: that of this problem.
            **facts: Fields of `ProblemFacts` with new values.
        """
        return Problem(
            replace(self.problem_id, suite="user"),
            replace(self._facts, **facts),
            evaluate_point or self.evaluate_point,
            evaluate_batch or self.evaluate_batch,
            remake=remake,
        )

    def _as_rows(self, x: ArrayLike) -> Floats:
        """Convert a point or a batch to a batch; a point becomes the only row."""
        return self.as_batch(x if is_batch(x) else self.as_point(x)[np.newaxis])

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


def _copy_bounds(bounds: Floats, identity: ProblemId) -> Floats:
    """Return a read-only copy of bounds, or raise SuiteError if they have the wrong shape."""
    copy = np.array(bounds, dtype=np.float64)
    if copy.shape != (identity.dimension,):
        raise SuiteError(
            f"{identity}: bounds have shape {copy.shape}; they must be ({identity.dimension},)"
        )
    copy.flags.writeable = False
    return copy
