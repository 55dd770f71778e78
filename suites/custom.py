"""One Python function as a problem: ``problem_from``, with shifted and rotated instances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from .errors import EvaluationError, SuiteError, unknown_name
from .facts import Noise, ProblemFacts, ProblemId
from .points import Vector, as_point, checked_bits
from .problem import Problem

Transformation = Literal["none", "shift", "rotation", "shift+rotation"]
_TRANSFORMATIONS = get_args(Transformation)


def problem_from(
    function: Callable[[Vector], Any],
    dimension: int,
    *,
    name: str | None = None,
    number: int = 1,
    instance: int = 1,
    transformation: Transformation = "none",
    lower_bounds: ArrayLike = -5.0,
    upper_bounds: ArrayLike = 5.0,
    optimal_value: float | None = None,
    optimal_solution: ArrayLike | None = None,
    reference_value: float | None = None,
    batch: Callable[[Vector], ArrayLike] | None = None,
    objectives: int = 1,
    constraint: Callable[[Vector], ArrayLike] | None = None,
    number_of_constraints: int = 0,
    integer_variables: int = 0,
    bits: bool = False,
    noise: Noise | None = None,
) -> Problem:
    """Make a problem of one Python function.

    With a transformation, instance ``k`` is ``f(o + R (x - s))``: ``o`` is the optimal solution
    where given, else the middle of the region; ``s`` is drawn from the inner 80 % of the region
    (with ``"shift"``), ``R`` is a random rotation (with ``"rotation"``), both from ``k`` alone.

    Args:
        function: Takes float64 of shape ``(dimension,)``, returns a number to be minimised, or two
            numbers with ``objectives=2``.
        dimension: The number of variables, >= 1.
        name: By default the function's own name.
        number: The function's number in the identifier ``user_f001_i01_d02``, >= 1: functions that
            go into one log need numbers of their own. A registered suite gives its own identifiers.
        instance: >= 1.
        transformation: ``"none"``, ``"shift"``, ``"rotation"`` or ``"shift+rotation"``.
        lower_bounds: A number or shape ``(dimension,)``: the region of interest.
        upper_bounds: Likewise.
        optimal_value: The global minimum of ``function``; None where nobody knows.
        optimal_solution: Where it is, shape ``(dimension,)``; None where nobody knows.
        reference_value: Where the optimum is unknown, the value that target precisions are
            measured from; without it every improvement is logged and no target applies.
        batch: The same function for ``(n, dimension)``, returning ``(n,)``, or ``(n, 2)`` with two
            objectives; else rows are looped.
        objectives: 1 or 2.
        constraint: Takes what ``function`` takes, returns ``number_of_constraints`` numbers; a
            point is feasible where all are <= 0.
        number_of_constraints: How many numbers that are.
        integer_variables: The first so many variables are integers: they are rounded, halves
            upwards, before any function is called.
        bits: All variables are 0 or 1, which are also their bounds, and anything else is refused.
            Functions get float64 still.
        noise: ``noise(points, values, rng)`` returns what is measured at points ``(n, dimension)``
            of true ``values``, shape ``(n,)`` or ``(n, 2)``; it draws row after row, equally many
            numbers for each. Without it values are exact.

    Raises:
        SuiteError: An argument contradicts another.

    Example::

        def gauss(points, values, rng):
            return values * (1 + 0.1 * rng.standard_normal(len(values)))

        problem = problem_from(sphere, 5, optimal_value=0.0, noise=gauss)
    """
    if transformation not in _TRANSFORMATIONS:
        raise SuiteError(unknown_name("transformation", transformation, _TRANSFORMATIONS))
    for what, value, least, most in (
        ("dimension", dimension, 1, None),
        ("number", number, 1, None),
        ("instance", instance, 1, None),
        ("objectives", objectives, 1, 2),
        ("number_of_constraints", number_of_constraints, 0, None),
        ("integer_variables", integer_variables, 0, dimension),
    ):
        _check_integer(what, value, least, most)
    if (constraint is None) != (number_of_constraints == 0):
        raise SuiteError("constraint and number_of_constraints >= 1 are given together or not")
    if integer_variables and transformation != "none":
        raise SuiteError("integer variables cannot be shifted or rotated: transformation='none'")
    if bits:
        if integer_variables or transformation != "none":
            raise SuiteError("bits are given without integer_variables and transformation")
        lower_bounds, upper_bounds = _bounds_of_bits(lower_bounds, upper_bounds)
        integer_variables = dimension
    label = name or str(getattr(function, "__name__", type(function).__name__))
    identity = ProblemId("user", number, dimension, instance)
    lower = _spread(lower_bounds, dimension, "lower_bounds")
    upper = _spread(upper_bounds, dimension, "upper_bounds")
    if not np.all(lower < upper):
        raise SuiteError(f"{label}: every lower bound must be below its upper bound")
    optimum = (
        None
        if optimal_solution is None
        else _spread(optimal_solution, dimension, "optimal_solution")
    )
    move = _Move.of(transformation, instance, (lower, upper), optimum, integer_variables)
    who = f"{label} ({identity})"
    values = _Evaluator(function, batch, move, (dimension, objectives), bits, who, "function")
    limits = None
    if constraint is not None:
        sizes = (dimension, number_of_constraints)
        limits = _Evaluator(constraint, None, move, sizes, bits, who, "constraint").vectors
    facts = ProblemFacts(
        name=label,
        lower_bounds=lower,
        upper_bounds=upper,
        optimal_value=optimal_value,
        optimal_solution=None if optimum is None else move.back(optimum),
        reference_value=reference_value,
        number_of_objectives=objectives,
        number_of_constraints=number_of_constraints,
        number_of_integer_variables=integer_variables,
        is_binary=bits,
        constraint=limits,
        noise=noise,
        constants=move.constants,
    )
    remake = partial(
        problem_from, function, dimension, name=label, number=number, instance=instance,
        transformation=transformation, lower_bounds=lower, upper_bounds=upper,
        optimal_value=optimal_value, optimal_solution=optimum, reference_value=reference_value,
        batch=batch, objectives=objectives, constraint=constraint,
        number_of_constraints=number_of_constraints,
        integer_variables=0 if bits else integer_variables, bits=bits, noise=noise,
    )  # fmt: skip
    evaluators = (values.point, values.rows) if objectives == 1 else (values.vector, values.vectors)
    return Problem(identity, facts, *evaluators, remake=(remake, ()))


def _check_integer(what: str, value: object, least: int, most: int | None) -> None:
    number = value.__index__() if hasattr(value, "__index__") else least - 1
    if isinstance(value, bool) or number < least or (most is not None and number > most):
        limit = f"an integer >= {least}" if most is None else f"an integer from {least} to {most}"
        raise SuiteError(f"{what} must be {limit}; got {value!r}")


def _bounds_of_bits(lower: ArrayLike, upper: ArrayLike) -> tuple[float, float]:
    given = set(np.ravel(lower).tolist()), set(np.ravel(upper).tolist())
    if given not in (({-5.0}, {5.0}), ({0}, {1})):
        raise SuiteError(f"the bounds of bits are 0 and 1; got {lower!r} and {upper!r}")
    return 0.0, 1.0


def _spread(value: ArrayLike, dimension: int, what: str) -> Vector:
    try:
        return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (dimension,)))
    except (TypeError, ValueError) as error:
        raise SuiteError(
            f"{what} must be a number or {dimension} numbers; got {value!r}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Move:
    """The map ``x -> o + R (x - s)``, or the rounding of the first variables."""

    origin: Vector
    shift: Vector
    rotation: Vector | None
    integers: int

    @classmethod
    def of(
        cls,
        transformation: str,
        instance: int,
        bounds: tuple[Vector, Vector],
        optimum: Vector | None,
        integers: int,
    ) -> _Move:
        rng = np.random.default_rng([instance, len(bounds[0])])
        middle, half = (bounds[0] + bounds[1]) / 2, (bounds[1] - bounds[0]) / 2
        origin = middle if optimum is None else optimum
        inner = middle + 0.8 * half * rng.uniform(-1, 1, len(middle))
        shift = inner if "shift" in transformation else origin
        rotation = None
        if "rotation" in transformation:
            q, r = np.linalg.qr(rng.standard_normal((len(middle), len(middle))))
            rotation = q * np.sign(np.diag(r))
        return cls(origin, shift, rotation, integers)

    def __call__(self, x: Vector) -> Vector:
        """Points, or a point, as a user's function gets them: always a copy."""
        if self.rotation is None and self.shift is self.origin:
            moved = x.copy()
            moved[..., : self.integers] = np.floor(x[..., : self.integers] + 0.5)
            return moved
        z = x - self.shift
        return self.origin + (z if self.rotation is None else z @ self.rotation.T)

    def back(self, z: Vector) -> Vector:
        """The point that is moved to ``z``."""
        y = z - self.origin
        return self.shift + (y if self.rotation is None else y @ self.rotation)

    def constants(self) -> dict[str, Vector]:
        """What defines the instance: the user's function is called at ``o + R (x - s)``."""
        arrays = {"o": self.origin, "s": self.shift, "R": self.rotation}
        return {key: array.copy() for key, array in arrays.items() if array is not None}


@dataclass(frozen=True, slots=True)
class _Evaluator:
    """Checks a point, moves it, calls the user's function, checks what comes back."""

    function: Callable[[Vector], Any]
    batch: Callable[[Vector], ArrayLike] | None
    move: _Move
    sizes: tuple[int, int]
    """Variables, and values of a point."""
    bits: bool
    who: str
    what: str

    def point(self, x: ArrayLike) -> float:
        """The one value at a point."""
        point = self._as_point(x)
        if not np.isfinite(point).all():
            return _non_finite(point)
        value = self.function(self.move(point))
        return value if type(value) is float else float(self._checked(value)[0])

    def vector(self, x: ArrayLike) -> Vector:
        """The values at a point, shape ``(m,)``."""
        point = self._as_point(x)
        if not np.isfinite(point).all():
            return np.full(self.sizes[1], _non_finite(point))
        return self._checked(self.function(self.move(point)))

    def _as_point(self, x: ArrayLike) -> Vector:
        point = as_point(x, self.sizes[0], self.who, self.bits)
        return checked_bits(point, self.who) if self.bits else point

    def _checked(self, value: object) -> Vector:
        count, array = self.sizes[1], np.asarray(value)
        if array.size != count or array.dtype.kind not in "fiu" or np.ma.is_masked(value):
            numbers = "one real number" if count == 1 else f"{count} real numbers"
            raise EvaluationError(
                f"{self.who}: the {self.what} returned {value!r}; it must return {numbers}"
            )
        return array.reshape(count).astype(np.float64)

    def rows(self, points: Vector) -> Vector:
        """The one value at each point, shape ``(n,)``."""
        return self.vectors(points)[:, 0]

    def vectors(self, points: Vector) -> Vector:
        """The values at points, shape ``(n, m)``."""
        count = self.sizes[1]
        if self.batch is None or not np.isfinite(points).all():
            return np.array([self.vector(x) for x in points], dtype=np.float64).reshape(-1, count)
        if self.bits:
            points = checked_bits(points, self.who)
        value = self.batch(self.move(points))
        values = np.asarray(value)
        expected = (len(points),) if count == 1 else (len(points), count)
        if values.shape != expected or values.dtype.kind not in "fiu" or np.ma.is_masked(value):
            raise EvaluationError(
                f"{self.who}: batch returned {type(value).__name__} of shape {values.shape} and "
                f"type {values.dtype} for {len(points)} points; it must return {expected} real "
                "numbers"
            )
        return values.astype(np.float64).reshape(-1, count)


def _non_finite(point: Vector) -> float:
    return math.nan if np.isnan(point).any() else math.inf
