"""One Python function as a problem: ``problem_from``, with shifted and rotated instances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .errors import EvaluationError, SuiteError, unknown_name
from .identity import ProblemId
from .points import Vector, as_point
from .problem import Problem, ProblemFacts

Transformation = Literal["none", "shift", "rotation", "shift+rotation"]
_TRANSFORMATIONS = ("none", "shift", "rotation", "shift+rotation")


def problem_from(
    function: Callable[[Vector], float],
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
) -> Problem:
    """Make a problem of one Python function.

    With a transformation, instance ``k`` is ``f(o + R (x - s))``: ``o`` is the optimal solution
    where given, else the middle of the region; ``s`` is drawn from the inner 80 % of the region
    (with ``"shift"``), ``R`` is a random rotation (with ``"rotation"``), both from ``k`` alone.

    Args:
        function: Takes float64 of shape ``(dimension,)``, returns a number to be minimised.
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
        batch: The same function for ``(n, dimension)``, returning ``(n,)``; else rows are looped.

    Raises:
        SuiteError: An argument contradicts another.
    """
    if transformation not in _TRANSFORMATIONS:
        raise SuiteError(unknown_name("transformation", transformation, _TRANSFORMATIONS))
    for what, value in (("dimension", dimension), ("number", number), ("instance", instance)):
        if isinstance(value, bool) or not hasattr(value, "__index__") or value < 1:
            raise SuiteError(f"{what} must be an integer >= 1; got {value!r}")
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
    move = _Move.of(transformation, instance, (lower, upper), optimum)
    evaluator = _Evaluator(function, batch, move, dimension, f"{label} ({identity})")
    facts = ProblemFacts(
        name=label,
        lower_bounds=lower,
        upper_bounds=upper,
        optimal_value=optimal_value,
        optimal_solution=None if optimum is None else move.back(optimum),
        reference_value=reference_value,
    )
    arguments = (function, dimension, label, number, instance, transformation, lower, upper)
    known = (optimal_value, optimum, reference_value, batch)
    remake = (_again, (*arguments, *known))
    return Problem(identity, facts, evaluator.point, evaluator.rows, remake=remake)


_KEYWORDS = (
    "name",
    "number",
    "instance",
    "transformation",
    "lower_bounds",
    "upper_bounds",
    "optimal_value",
    "optimal_solution",
    "reference_value",
    "batch",
)  # fmt: skip


def _again(function: Callable[[Vector], float], dimension: int, *values: object) -> Problem:
    return problem_from(function, dimension, **dict(zip(_KEYWORDS, values, strict=True)))  # type: ignore[arg-type]


def _spread(value: ArrayLike, dimension: int, what: str) -> Vector:
    try:
        return np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (dimension,)))
    except (TypeError, ValueError) as error:
        raise SuiteError(
            f"{what} must be a number or {dimension} numbers; got {value!r}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Move:
    """The map ``x -> o + R (x - s)``; None in both places is the identity."""

    origin: Vector
    shift: Vector
    rotation: Vector | None

    @classmethod
    def of(
        cls,
        transformation: str,
        instance: int,
        bounds: tuple[Vector, Vector],
        optimum: Vector | None,
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
        return cls(origin, shift, rotation)

    @property
    def is_identity(self) -> bool:
        return self.rotation is None and self.shift is self.origin

    def __call__(self, x: Vector) -> Vector:
        z = x - self.shift
        return self.origin + (z if self.rotation is None else z @ self.rotation.T)

    def back(self, z: Vector) -> Vector:
        """The point that is moved to ``z``."""
        y = z - self.origin
        return self.shift + (y if self.rotation is None else y @ self.rotation)


@dataclass(frozen=True, slots=True)
class _Evaluator:
    """Checks a point, moves it, calls the user's function, checks what comes back."""

    function: Callable[[Vector], float]
    batch: Callable[[Vector], ArrayLike] | None
    move: _Move
    dimension: int
    who: str

    def point(self, x: ArrayLike) -> float:
        point = as_point(x, self.dimension, self.who)
        if not np.isfinite(point).all():
            return float("nan") if np.isnan(point).any() else float("inf")
        moved = point.copy() if self.move.is_identity else self.move(point)
        return self._number(self.function(moved))

    def rows(self, points: Vector) -> Vector:
        if self.batch is None or not np.isfinite(points).all():
            return np.array([self.point(x) for x in points], dtype=np.float64)
        values = np.asarray(self.batch(points if self.move.is_identity else self.move(points)))
        if values.shape != (len(points),) or values.dtype.kind not in "fiu":
            raise EvaluationError(
                f"{self.who}: batch returned shape {values.shape} of {values.dtype} "
                f"for {len(points)} points; it must return ({len(points)},) real numbers"
            )
        return values.astype(np.float64)

    def _number(self, value: object) -> float:
        array = np.asarray(value)
        if array.size != 1 or array.dtype.kind not in "fiu":
            raise EvaluationError(
                f"{self.who}: the function returned {value!r}; it must return one real number"
            )
        return float(array.reshape(()))
