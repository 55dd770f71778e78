"""The function `problem_from`, which makes a problem of a Python function.

A problem can have instances: the user's function is then called at a shifted and rotated point
(`_PointMap`). `_Evaluator` checks each point and each value that the user's function returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats
from .errors import EvaluationError, SuiteError, unknown_name
from .facts import Noise, ProblemFacts, ProblemId
from .points import as_point, checked_bits
from .problem import Problem

Transformation = Literal["none", "shift", "rotation", "shift+rotation"]
_TRANSFORMATIONS = get_args(Transformation)
_DEFAULT_LOWER_BOUND, _DEFAULT_UPPER_BOUND = -5.0, 5.0
_SHIFT_FRACTION = 0.8
"""Fraction of the region's width in which instances have their optimum, so that it is not close to
the bounds."""


def problem_from(
    function: Callable[[Floats], Any],
    dimension: int,
    *,
    name: str | None = None,
    number: int = 1,
    instance: int = 1,
    transformation: Transformation = "none",
    lower_bounds: ArrayLike = _DEFAULT_LOWER_BOUND,
    upper_bounds: ArrayLike = _DEFAULT_UPPER_BOUND,
    optimal_value: float | None = None,
    optimal_solution: ArrayLike | None = None,
    reference_value: float | None = None,
    batch: Callable[[Floats], ArrayLike] | None = None,
    objectives: int = 1,
    constraint: Callable[[Floats], ArrayLike] | None = None,
    number_of_constraints: int = 0,
    integer_variables: int = 0,
    bits: bool = False,
    noise: Noise | None = None,
) -> Problem:
    """Make a problem of one Python function.

    With a transformation, instance ``k`` is ``f(o + R (x - s))``. ``o`` is the optimal solution, or
    the middle of the region if ``optimal_solution`` is None. ``s`` is a random point of the inner
    80 % of the region with ``"shift"``, otherwise ``o``. ``R`` is a random rotation with
    ``"rotation"``, otherwise the identity. ``s`` and ``R`` depend only on ``k`` and the dimension.

    Args:
        function: Function of a float64 array of shape ``(dimension,)`` that returns a number, which
            is minimised, or two numbers if ``objectives`` is 2.
        dimension: Number of variables, >= 1.
        name: Name of the function. Default: the name of the Python function.
        number: Number of the function, >= 1, in the identifier ``user_f001_i01_d02``. Functions
            that are recorded in one log need different numbers. A registered suite replaces the
            identifier.
        instance: Number of the instance, >= 1.
        transformation: ``"none"``, ``"shift"``, ``"rotation"`` or ``"shift+rotation"``.
        lower_bounds: Lower bounds of the region of interest: a number, or shape ``(dimension,)``.
        upper_bounds: Upper bounds of the region of interest: a number, or shape ``(dimension,)``.
        optimal_value: Global minimum of ``function``. None: unknown.
        optimal_solution: A point with the optimal value, shape ``(dimension,)``. None: unknown. If
            both are given, the function is evaluated once at this point.
        reference_value: Value to which target precisions are relative if the optimum is unknown.
            None: the optimal value. If that is unknown as well, all improvements are recorded and
            there are no target precisions.
        batch: The same function of a batch, shape ``(n, dimension)``, that returns shape ``(n,)``,
            or ``(n, 2)`` with two objectives. Default: a loop over the points.
        objectives: Number of objectives, 1 or 2.
        constraint: Function of a float64 array of shape ``(dimension,)`` that returns
            ``number_of_constraints`` numbers. A point is feasible if all are <= 0.
        number_of_constraints: Number of values that ``constraint`` returns.
        integer_variables: Number of integer variables, which precede the continuous ones. They are
            rounded, halves upwards, before a function is called.
        bits: Whether all variables are bits. Their bounds are 0 and 1, and other values are
            refused. The functions still receive float64.
        noise: Function ``noise(points, values, rng)`` that returns the noisy values of points,
            shape ``(n, dimension)``, with the true ``values``, shape ``(n,)`` or ``(n, 2)``. It
            draws random numbers row by row, equally many for each row. Default: no noise.

    Returns:
        The problem. ``problem(x)`` returns its value.

    Raises:
        SuiteError: An argument is out of range or contradicts another one, or the function has
            another value at the optimal solution than the optimal value.

    Example:
        >>> import firsthit
        >>> problem = firsthit.problem_from(
        ...     lambda x: sum(x**2), 2, name="sphere", optimal_value=0.0, optimal_solution=[0, 0],
        ...     instance=3, transformation="shift",
        ... )
        >>> problem.id, problem(problem.optimal_solution)
        ('user_f001_i03_d02', 0.0)
        >>> problem([[1, 1], [2, 2], [3, 3]]).shape
        (3,)
    """
    if transformation not in _TRANSFORMATIONS:
        raise SuiteError(unknown_name("transformation", transformation, _TRANSFORMATIONS))
    for argument, value, minimum, maximum in (
        ("dimension", dimension, 1, None),
        ("number", number, 1, None),
        ("instance", instance, 1, None),
        ("objectives", objectives, 1, 2),
        ("number_of_constraints", number_of_constraints, 0, None),
        ("integer_variables", integer_variables, 0, dimension),
    ):
        _check_integer(argument, value, minimum, maximum)
    if (constraint is None) != (number_of_constraints == 0):
        raise SuiteError("constraint and number_of_constraints >= 1 are given together or not")
    if integer_variables and transformation != "none":
        raise SuiteError("integer variables cannot be shifted or rotated: transformation='none'")
    if bits:
        if integer_variables or transformation != "none":
            raise SuiteError("bits are given without integer_variables and transformation")
        _check_bounds_of_bits(lower_bounds, upper_bounds)
        lower_bounds, upper_bounds = 0.0, 1.0
        integer_variables = dimension
    function_name = name or str(getattr(function, "__name__", type(function).__name__))
    identity = ProblemId("user", number, dimension, instance)
    lower = _broadcast("lower_bounds", lower_bounds, dimension)
    upper = _broadcast("upper_bounds", upper_bounds, dimension)
    if not np.all(lower < upper):
        raise SuiteError(f"{function_name}: every lower bound must be below its upper bound")
    optimum = None
    if optimal_solution is not None:
        optimum = _broadcast("optimal_solution", optimal_solution, dimension)
    origin = (lower + upper) / 2 if optimum is None else optimum
    point_map = _PointMap.create(transformation, instance, lower, upper, origin, integer_variables)
    label = f"{function_name} ({identity})"
    objective_evaluator = _Evaluator(
        function, batch, point_map, dimension, objectives, bits, label, "function"
    )
    evaluate_constraints = None
    if constraint is not None:
        evaluate_constraints = _Evaluator(
            constraint, None, point_map, dimension, number_of_constraints, bits, label, "constraint"
        ).evaluate_batch_vectors
    facts = ProblemFacts(
        name=function_name,
        lower_bounds=lower,
        upper_bounds=upper,
        optimal_value=optimal_value,
        optimal_solution=None if optimum is None else point_map.invert(optimum),
        reference_value=reference_value,
        number_of_objectives=objectives,
        number_of_constraints=number_of_constraints,
        number_of_integer_variables=integer_variables,
        is_binary=bits,
        constraint=evaluate_constraints,
        noise=noise,
        constants=point_map.constants,
    )
    remake = partial(
        problem_from,
        function,
        dimension,
        name=function_name,
        number=number,
        instance=instance,
        transformation=transformation,
        lower_bounds=lower,
        upper_bounds=upper,
        optimal_value=optimal_value,
        optimal_solution=optimum,
        reference_value=reference_value,
        batch=batch,
        objectives=objectives,
        constraint=constraint,
        number_of_constraints=number_of_constraints,
        integer_variables=0 if bits else integer_variables,
        bits=bits,
        noise=noise,
    )
    if objectives == 1:
        evaluate_point: Callable[[ArrayLike], Any] = objective_evaluator.evaluate_point
        evaluate_batch = objective_evaluator.evaluate_batch
    else:
        evaluate_point = objective_evaluator.evaluate_point_vector
        evaluate_batch = objective_evaluator.evaluate_batch_vectors
    problem = Problem(identity, facts, evaluate_point, evaluate_batch, remake=(remake, ()))
    if objectives == 1 and optimal_value is not None and facts.optimal_solution is not None:
        value = problem(facts.optimal_solution)
        # `not <=` refuses NaN, too.
        if not abs(value - optimal_value) <= 1e-8 * max(1.0, abs(optimal_value)):
            raise SuiteError(
                f"{label}: the function has the value {value!r} at the optimal solution, but the "
                f"optimal value is {optimal_value!r}"
            )
    return problem


def _check_integer(argument: str, value: object, minimum: int, maximum: int | None) -> None:
    """Raise SuiteError if an argument is not an integer in a range.

    Args:
        argument: Name of the argument, for the message.
        value: Value of the argument.
        minimum: Smallest allowed value.
        maximum: Largest allowed value; None: there is none.
    """
    number = value.__index__() if hasattr(value, "__index__") else minimum - 1
    if isinstance(value, bool) or number < minimum or (maximum is not None and number > maximum):
        allowed = f">= {minimum}" if maximum is None else f"from {minimum} to {maximum}"
        raise SuiteError(f"{argument} must be an integer {allowed}; got {value!r}")


def _check_bounds_of_bits(lower: ArrayLike, upper: ArrayLike) -> None:
    """Raise SuiteError if the user gave bounds of bits other than 0 and 1."""
    bounds = set(np.ravel(lower).tolist()), set(np.ravel(upper).tolist())
    defaults = {_DEFAULT_LOWER_BOUND}, {_DEFAULT_UPPER_BOUND}  # the user gave no bounds
    if bounds not in (defaults, ({0}, {1})):
        raise SuiteError(f"the bounds of bits are 0 and 1; got {lower!r} and {upper!r}")


def _broadcast(argument: str, value: ArrayLike, dimension: int) -> Floats:
    """Return a new array of shape ``(dimension,)``; raise SuiteError if ``value`` does not fit."""
    try:
        return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (dimension,)))
    except (TypeError, ValueError) as error:
        raise SuiteError(
            f"{argument} must be a number or {dimension} numbers; got {value!r}"
        ) from error


@dataclass(frozen=True, slots=True)
class _PointMap:
    """Map from points ``x`` of a problem to points at which the user's function is called.

    It is ``x -> o + R (x - s)``. Without shift and rotation, it rounds the integer variables.

    Attributes:
        origin: ``o``, shape ``(dimension,)``.
        shift: ``s``, shape ``(dimension,)``; the object ``origin`` itself without a shift.
        rotation: ``R``, shape ``(dimension, dimension)``; None without a rotation.
        n_integers: Number of integer variables.
    """

    origin: Floats
    shift: Floats
    rotation: Floats | None
    n_integers: int

    @classmethod
    def create(
        cls,
        transformation: Transformation,
        instance: int,
        lower: Floats,
        upper: Floats,
        origin: Floats,
        n_integers: int,
    ) -> _PointMap:
        """Draw the shift and the rotation of an instance; see `problem_from`."""
        dimension = len(origin)
        rng = np.random.default_rng([instance, dimension])
        middle, half_width = (lower + upper) / 2, (upper - lower) / 2
        # Drawn even without a shift, so that the rotation does not depend on the transformation.
        random_point = middle + _SHIFT_FRACTION * half_width * rng.uniform(-1, 1, dimension)
        shift = random_point if "shift" in transformation else origin
        rotation = None
        if "rotation" in transformation:
            q, r = np.linalg.qr(rng.standard_normal((dimension, dimension)))
            # The signs make the distribution of the rotation uniform.
            rotation = q * np.sign(np.diag(r))
        return cls(origin, shift, rotation, n_integers)

    def __call__(self, x: Floats) -> Floats:
        """Map a point or a batch. The result is a copy, which the user's function may overwrite."""
        if self.rotation is None and self.shift is self.origin:
            mapped = x.copy()
            mapped[..., : self.n_integers] = np.floor(x[..., : self.n_integers] + 0.5)
            return mapped
        z = x - self.shift
        return self.origin + (z if self.rotation is None else z @ self.rotation.T)

    def invert(self, z: Floats) -> Floats:
        """Return the point that is mapped to ``z``."""
        y = z - self.origin
        return self.shift + (y if self.rotation is None else y @ self.rotation)

    def constants(self) -> dict[str, Floats]:
        """Return copies of ``o``, ``s`` and ``R``; without a rotation, of ``o`` and ``s``."""
        arrays = {"o": self.origin, "s": self.shift, "R": self.rotation}
        return {key: array.copy() for key, array in arrays.items() if array is not None}


@dataclass(frozen=True, slots=True)
class _Evaluator:
    """Evaluates a user's function at points of a problem, and checks the points and the values.

    The methods raise EvaluationError if a point has the wrong shape or type, or if the function
    does not return real numbers. The function is not called at points with NaN or infinity: their
    values are NaN or infinity.

    Attributes:
        function: Function of a mapped point, shape ``(dimension,)``, to ``n_values`` numbers.
        batch: The same function of mapped points, shape ``(n, dimension)``; None: use a loop.
        point_map: Map from points of the problem to points of the function.
        dimension: Number of variables.
        n_values: Number of values of a point.
        bits: Whether all variables are bits.
        label: Subject of error messages: the problem.
        role: Noun for the function in error messages.
    """

    function: Callable[[Floats], Any]
    batch: Callable[[Floats], ArrayLike] | None
    point_map: _PointMap
    dimension: int
    n_values: int
    bits: bool
    label: str
    role: Literal["function", "constraint"]

    def evaluate_point(self, x: ArrayLike) -> float:
        """Return the value of a point, if ``n_values`` is 1."""
        point = self._as_point(x)
        if not np.isfinite(point).all():
            return _choose_non_finite(point)
        value = self.function(self.point_map(point))
        # The usual type needs no check, which would take longer than a short function.
        return value if type(value) is float else float(self._check_values(value)[0])

    def evaluate_point_vector(self, x: ArrayLike) -> Floats:
        """Return the values of a point, shape ``(n_values,)``."""
        point = self._as_point(x)
        if not np.isfinite(point).all():
            return np.full(self.n_values, _choose_non_finite(point))
        return self._check_values(self.function(self.point_map(point)))

    def evaluate_batch(self, points: Floats) -> Floats:
        """Return the value of each point, shape ``(n,)``, if ``n_values`` is 1."""
        return self.evaluate_batch_vectors(points)[:, 0]

    def evaluate_batch_vectors(self, points: Floats) -> Floats:
        """Return the values of each point, shape ``(n, n_values)``."""
        if self.batch is None or not np.isfinite(points).all():
            rows = [self.evaluate_point_vector(x) for x in points]
            return np.array(rows, dtype=np.float64).reshape(-1, self.n_values)
        if self.bits:
            points = checked_bits(points, self.label)
        returned = self.batch(self.point_map(points))
        values = np.asarray(returned)
        expected = (len(points),) if self.n_values == 1 else (len(points), self.n_values)
        if values.shape != expected or not _are_real_numbers(returned, values):
            raise EvaluationError(
                f"{self.label}: batch returned {type(returned).__name__} of shape {values.shape} "
                f"and type {values.dtype} for {len(points)} points; it must return {expected} real "
                "numbers"
            )
        return values.astype(np.float64).reshape(-1, self.n_values)

    def _as_point(self, x: ArrayLike) -> Floats:
        """Return ``x`` as a point, shape ``(dimension,)``; raise EvaluationError if it is none."""
        point = as_point(x, self.dimension, self.label, self.bits)
        return checked_bits(point, self.label) if self.bits else point

    def _check_values(self, returned: object) -> Floats:
        """Return the result of the function for one point as an array, shape ``(n_values,)``."""
        values = np.asarray(returned)
        if values.size != self.n_values or not _are_real_numbers(returned, values):
            expected = "one real number" if self.n_values == 1 else f"{self.n_values} real numbers"
            raise EvaluationError(
                f"{self.label}: the {self.role} returned {returned!r}; it must return {expected}"
            )
        return values.reshape(self.n_values).astype(np.float64)


def _are_real_numbers(returned: object, values: NDArray[Any]) -> bool:
    """Return whether a result consists of real numbers, none of them masked.

    Args:
        returned: The result as the user's function returned it.
        values: The same result as an array.
    """
    return values.dtype.kind in "fiu" and not np.ma.is_masked(returned)


def _choose_non_finite(point: Floats) -> float:
    """Return the value of a point with NaN or infinity: NaN if it has NaN, otherwise infinity."""
    return math.nan if np.isnan(point).any() else math.inf
