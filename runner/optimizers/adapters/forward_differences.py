"""Compute gradients for SciPy's methods by forward differences, at SciPy's own points.

A method of ``scipy.optimize.minimize`` that gets no gradient takes forward differences. SciPy's
code for them costs 10 to 15 µs per evaluation, many times the cost of the evaluation itself.
`ForwardDifferences` evaluates the same points in the same order, and computes the same gradient.
`has_equal_points` checks this for the installed version of SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ....suites.arrays import Floats

_ROOT_OF_EPSILON = float(np.finfo(float).eps) ** 0.5

ABSOLUTE_STEPS = {
    "L-BFGS-B": 1e-8,
    "TNC": 1e-8,
    "SLSQP": _ROOT_OF_EPSILON,
    "BFGS": _ROOT_OF_EPSILON,
    "CG": _ROOT_OF_EPSILON,
}
"""Step in each variable by method: SciPy's default of the option ``eps``."""
UNBOUNDED = ("BFGS", "CG")
"""Methods that accept no bounds."""
_TRIAL_START = (0.25, 6e9, 1e-9)
_TRIAL_BOUNDS = ((-1.0, 0.0, 0.0), (0.5, 1e10, 4e-9))
"""Start and bounds of `_minimize_trial_function`. The first variable reaches a bound, where steps
are reversed. A step of the second variable is rounded to 0, so that a larger step replaces it. The
bounds of the third variable are closer to each other than a step, which is therefore shortened."""


class ForwardDifferences:
    """A function and its gradient, for the arguments ``fun`` and ``jac`` of SciPy's ``minimize``.

    The points are evaluated one by one. A batch would be slower below 40 variables.

    Args:
        function: Function of a point, shape ``(dimension,)``. It must not change or keep the point.
        lower_bounds: Lower bounds, shape ``(dimension,)``; may be ``-inf``.
        upper_bounds: Upper bounds, above the lower ones; may be ``inf``.
        step: Step in each variable, > 0. It is reversed or shortened if it would leave the bounds.

    Attributes:
        evaluations: Number of evaluations until now.
    """

    def __init__(
        self,
        function: Callable[[Floats], float],
        lower_bounds: Floats,
        upper_bounds: Floats,
        step: float,
    ) -> None:
        self._function = function
        self._bounds = tuple(zip(lower_bounds.tolist(), upper_bounds.tolist(), strict=True))
        self._step = step
        self._point = np.empty(0)  # at which the function was evaluated last, and its value there
        self._value = np.nan
        self.evaluations = 0

    def evaluate(self, x: Floats) -> float:
        """Return the value at a point, shape ``(dimension,)``, and keep it for the gradient."""
        self._point = x.copy()
        self._value = self._function(x)
        self.evaluations += 1
        return self._value

    def compute_gradient(self, x: Floats) -> Floats:
        """Return the gradient at a point by one evaluation per variable.

        SciPy has called `evaluate` with this point before. If it has not, the point is evaluated
        first.

        Args:
            x: Point, shape ``(dimension,)``.

        Returns:
            Gradient, shape ``(dimension,)``.

        Raises:
            ValueError: The point violates the bounds.
        """
        if not np.array_equal(x, self._point):
            self.evaluate(x)
        # Python's floats are faster than arrays of few numbers.
        coordinates: list[float] = x.tolist()
        shifted_coordinates = [
            _shift(coordinate, self._step, low, high)
            for coordinate, (low, high) in zip(coordinates, self._bounds, strict=True)
        ]
        point, gradient = x.copy(), np.empty(x.size)
        for i, (coordinate, shifted) in enumerate(
            zip(coordinates, shifted_coordinates, strict=True)
        ):
            point[i] = shifted
            gradient[i] = (self._function(point) - self._value) / (shifted - coordinate)
            point[i] = coordinate
        self.evaluations += x.size
        return gradient


def make_differences(
    method: str, function: Callable[[Floats], float], lower_bounds: Floats, upper_bounds: Floats
) -> ForwardDifferences:
    """Return the differences that SciPy takes by default for a method in `ABSOLUTE_STEPS`.

    Args:
        method: Name of the method. Methods in `UNBOUNDED` ignore the bounds.
        function: Function of a point, shape ``(dimension,)``. It must not change or keep the point.
        lower_bounds: Lower bounds, shape ``(dimension,)``; may be ``-inf``.
        upper_bounds: Upper bounds, above the lower ones; may be ``inf``.
    """
    if method in UNBOUNDED:
        lower_bounds = np.full_like(lower_bounds, -np.inf)
        upper_bounds = np.full_like(upper_bounds, np.inf)
    return ForwardDifferences(function, lower_bounds, upper_bounds, ABSOLUTE_STEPS[method])


def _shift(coordinate: float, step: float, low: float, high: float) -> float:
    """Return the coordinate of the second point of a difference, by the rules of SciPy.

    Raises:
        ValueError: The coordinate violates the bounds; with SciPy's text.
    """
    if coordinate < low or coordinate > high:
        raise ValueError("`x0` violates bound constraints.")
    if (coordinate + step) - coordinate == 0:  # rounded to 0
        sign = 1.0 if coordinate >= 0 else -1.0
        step = _ROOT_OF_EPSILON * sign * max(1.0, abs(coordinate))
    to_low, to_high = coordinate - low, high - coordinate
    if abs(step) > max(to_low, to_high):
        return coordinate + (to_high if to_high >= to_low else -to_low)
    is_inside = low <= coordinate + step <= high
    return coordinate + step if is_inside else coordinate - step


@cache
def has_equal_points(method: str) -> bool:
    """Return whether SciPy evaluates the same points with `ForwardDifferences` as without them.

    The answer for the installed version of SciPy is found by minimizing a function of three
    variables in both ways. This takes about 2 ms, once per process and method.

    Args:
        method: Name of the method. Without a step in `ABSOLUTE_STEPS`, the answer is False.
    """
    if method not in ABSOLUTE_STEPS:
        return False
    with np.errstate(all="ignore"):
        return _minimize_trial_function(method, False) == _minimize_trial_function(method, True)


def _minimize_trial_function(method: str, with_differences: bool) -> list[bytes]:
    """Return the points that a method evaluates, with `ForwardDifferences` or with SciPy's."""
    from scipy.optimize import minimize

    points: list[bytes] = []

    def evaluate(x: Floats) -> float:
        points.append(x.tobytes())
        a, b, c = map(float, x)
        return (a - 1.0) ** 2 + 10.0 * (b / 1e10 - a**2) ** 2 + a * c + c**2 + c

    lower_bounds, upper_bounds = np.array(_TRIAL_BOUNDS)
    bounds = None if method in UNBOUNDED else list(zip(lower_bounds, upper_bounds, strict=True))
    if not with_differences:
        minimize(evaluate, _TRIAL_START, method=method, bounds=bounds)
        return points
    differences = make_differences(method, evaluate, lower_bounds, upper_bounds)
    minimize(
        differences.evaluate,
        _TRIAL_START,
        method=method,
        bounds=bounds,
        jac=differences.compute_gradient,
    )
    return points
