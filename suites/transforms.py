"""Transforms: functions that wrap a problem into another problem.

A transform is plain Python and works with any problem. Suites with compiled kernels use the input
transforms of ``suites.compiled.operators`` instead, which cost no extra time. To add a transform,
copy ``hard_box``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Floats
from .errors import SuiteError
from .facts import Noise
from .points import as_point
from .problem import Problem

_MIN_POINTS_PER_THREAD = 256
"""Minimum number of points that a thread evaluates. Passing a smaller part of a batch to a thread
takes longer than its evaluation."""


def hard_box(problem: Problem) -> Problem:
    """Return the problem with the value infinity outside its bounds.

    Points on the bounds keep their values, and so do points with NaN. Evaluations outside the
    bounds count as evaluations. With several objectives, all values of a point outside are
    infinite.

    Args:
        problem: Any problem.
    """
    lower, upper = problem.lower_bounds, problem.upper_bounds
    n_objectives = problem.number_of_objectives

    def evaluate_point(x: ArrayLike) -> Any:
        point = as_point(x, problem.dimension, problem.id)
        if ((point < lower) | (point > upper)).any() and not np.isnan(point).any():
            return np.inf if n_objectives == 1 else np.full(n_objectives, np.inf)
        return problem.evaluate_point(point)

    def evaluate_batch(points: Floats) -> Floats:
        values = problem.evaluate_batch(points)
        is_outside = ((points < lower) | (points > upper)).any(axis=1)
        values[is_outside & ~np.isnan(points).any(axis=1)] = np.inf
        return values

    return problem.wrapped(
        (hard_box, (problem,)), evaluate_point=evaluate_point, evaluate_batch=evaluate_batch
    )


def with_constraints(
    problem: Problem,
    constraint: Callable[[Floats], Floats],
    number: int,
    optimal_value: float | None = None,
    optimal_solution: Floats | None = None,
) -> Problem:
    """Return the problem with the same objective and with constraints.

    Args:
        problem: A problem without constraints.
        constraint: Function of a batch, shape ``(n, dimension)``, that returns shape
            ``(n, number)``. A point is feasible if all its values are <= 0.
        number: Number of constraints, >= 1.
        optimal_value: Minimum over feasible points. None: unknown.
        optimal_solution: A feasible point with this value, shape ``(dimension,)``. None: unknown.

    Raises:
        SuiteError: The problem has constraints already, or ``number`` is below 1.
    """
    if problem.number_of_constraints or number < 1:
        raise SuiteError(
            f"{problem.id}: with_constraints takes a problem without constraints and a number of "
            f"them >= 1; got {problem.number_of_constraints} and {number}"
        )
    return problem.wrapped(
        (with_constraints, (problem, constraint, number, optimal_value, optimal_solution)),
        constraint=constraint,
        number_of_constraints=number,
        optimal_value=optimal_value,
        optimal_solution=None if optimal_solution is None else np.array(optimal_solution, float),
    )


def on_integers(problem: Problem, cardinalities: ArrayLike) -> Problem:
    """Return the problem with its first variables restricted to a grid and numbered by integers.

    A variable with ``c`` values has the integers 0 … ``c - 1``. They stand for equidistant
    coordinates from the lower to the upper bound. Other numbers are rounded to the nearest of these
    integers, halves upwards. The optimum stays known only if it lies on the grid.

    Args:
        problem: A problem with one objective and continuous variables, without constraints.
        cardinalities: Number of values of each of the first variables; integers >= 2. The other
            variables stay continuous.

    Raises:
        SuiteError: The problem or the cardinalities are of another kind.
    """
    counts: NDArray[np.float64] = np.asarray(cardinalities, dtype=np.float64)
    n_integers = len(counts)
    if (
        problem.number_of_integer_variables
        or problem.number_of_constraints
        or problem.number_of_objectives != 1
    ):
        raise SuiteError(f"{problem.id}: on_integers takes one objective of continuous variables")
    if n_integers > problem.dimension or not np.all((counts >= 2) & (counts == np.floor(counts))):
        raise SuiteError(
            f"{problem.id}: cardinalities must be at most {problem.dimension} integers >= 2; "
            f"got {cardinalities!r}"
        )
    grid_start = problem.lower_bounds[:n_integers]
    grid_step = (problem.upper_bounds[:n_integers] - grid_start) / (counts - 1)
    lower, upper = problem.lower_bounds.copy(), problem.upper_bounds.copy()
    lower[:n_integers], upper[:n_integers] = 0.0, counts - 1

    def round_to_integers(numbers: Floats) -> Floats:
        return np.clip(np.floor(numbers + 0.5), 0.0, counts - 1)

    def convert_to_coordinates(points: Floats) -> Floats:
        coordinates = points.copy()
        integers = points[..., :n_integers]
        on_grid = grid_start + grid_step * round_to_integers(integers)
        coordinates[..., :n_integers] = np.where(np.isfinite(integers), on_grid, integers)
        return coordinates

    def evaluate_point(x: ArrayLike) -> Any:
        point = as_point(x, problem.dimension, problem.id)
        return problem.evaluate_point(convert_to_coordinates(point))

    def evaluate_batch(points: Floats) -> Floats:
        return problem.evaluate_batch(convert_to_coordinates(points))

    optimum = problem.optimal_solution
    if optimum is not None:
        optimum[:n_integers] = round_to_integers((optimum[:n_integers] - grid_start) / grid_step)
        if problem.optimal_value is None or evaluate_point(optimum) > problem.optimal_value:
            optimum = None
    return problem.wrapped(
        (on_integers, (problem, cardinalities)),
        evaluate_point=evaluate_point,
        evaluate_batch=evaluate_batch,
        lower_bounds=lower,
        upper_bounds=upper,
        optimal_value=None if optimum is None else problem.optimal_value,
        optimal_solution=optimum,
        initial_solution=None,
        number_of_integer_variables=n_integers,
        constants=lambda: {**problem.constants(), "cardinalities": counts.copy()},
    )


def with_noise(problem: Problem, noise: Noise) -> Problem:
    """Return the problem with noise; its true values are those of ``problem``.

    Args:
        problem: Any problem. Noise that it has already is replaced.
        noise: Function ``noise(points, values, rng)`` that returns noisy values. It draws random
            numbers row by row, equally many for each row.

    Example::

        def gauss(points, values, rng):
            return values * np.exp(0.1 * rng.standard_normal(len(values)))

        noisy = with_noise(problem, gauss)
    """
    return problem.wrapped((with_noise, (problem, noise)), noise=noise)


def two_objectives(
    first: Problem, second: Problem, reference_value: float = math.nan, name: str = ""
) -> Problem:
    """Return a problem with two objectives, whose values have shape ``(2,)``, or ``(n, 2)``.

    The ideal point is the pair of the optimal values. The nadir point is the value of each
    objective at the optimal solution of the other one. Each is None if these optima are unknown.

    Args:
        first: First objective, without noise and constraints. Its bounds and start point are used.
        second: Second objective, without noise and constraints, of the same dimension.
        reference_value: Hypervolume to which target precisions are relative. Default: no
            precisions.
        name: Name of the function. Default: the names of both, with a comma.

    Raises:
        SuiteError: A problem has several objectives, noise or constraints; or the problems differ
            in dimension or in the number of integer variables.
    """
    for problem in (first, second):
        if problem.number_of_objectives != 1 or problem.is_noisy or problem.number_of_constraints:
            raise SuiteError(
                f"{problem.id}: two_objectives takes problems of one objective, without noise "
                "and constraints"
            )
    first_variables, second_variables = (
        (problem.dimension, problem.number_of_integer_variables) for problem in (first, second)
    )
    if first_variables != second_variables:
        raise SuiteError(
            f"{first.id} and {second.id}: two_objectives takes problems of one dimension and one "
            f"number of integer variables; got {first_variables} and {second_variables}"
        )

    def evaluate_point(x: ArrayLike) -> Floats:
        point = as_point(x, first.dimension, first.id)
        return np.array([first.evaluate_point(point), second.evaluate_point(point)])

    def evaluate_batch(points: Floats) -> Floats:
        return np.column_stack([first.evaluate_batch(points), second.evaluate_batch(points)])

    def constants() -> dict[str, Floats]:
        return {
            f"{prefix}_{key}": array
            for prefix, problem in (("first", first), ("second", second))
            for key, array in problem.constants().items()
        }

    ideal = nadir = None
    if first.optimal_value is not None and second.optimal_value is not None:
        ideal = np.array([first.optimal_value, second.optimal_value])
    if first.optimal_solution is not None and second.optimal_solution is not None:
        nadir = np.array([first(second.optimal_solution), second(first.optimal_solution)])
    return first.wrapped(
        (two_objectives, (first, second, reference_value, name)),
        evaluate_point=evaluate_point,
        evaluate_batch=evaluate_batch,
        name=name or f"{first.name}, {second.name}",
        optimal_value=None,
        optimal_solution=None,
        ideal_point=ideal,
        nadir_point=nadir,
        reference_value=reference_value,
        number_of_objectives=2,
        constants=constants,
    )


def with_threads(problem: Problem, threads: int) -> Problem:
    """Return the problem with large batches evaluated in several threads.

    Values are equal to the bit. Compiled problems (bbob) run in parallel; a Python function does
    not. Campaigns do not use threads, because their workers occupy the processors already.

    Args:
        problem: Any problem.
        threads: Maximum number of threads, >= 1. A thread evaluates at least 256 points.

    Raises:
        SuiteError: ``threads`` is not an integer >= 1.

    Example:
        >>> import numpy as np
        >>> from firsthit.suites import Suite, with_threads
        >>> problem = Suite("bbob", functions=1, dimensions=40, instances=1)[0]
        >>> points = np.ones((1000, 40))
        >>> bool(np.all(with_threads(problem, threads=4)(points) == problem(points)))
        True
    """
    from concurrent.futures import ThreadPoolExecutor

    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise SuiteError(f"threads must be an integer >= 1; got {threads!r}")
    pool = ThreadPoolExecutor(threads, thread_name_prefix="firsthit batch")

    def evaluate_batch(points: Floats) -> Floats:
        n_parts = min(threads, len(points) // _MIN_POINTS_PER_THREAD)
        if n_parts < 2:
            return problem.evaluate_batch(points)
        parts = np.array_split(points, n_parts)
        return np.concatenate(list(pool.map(problem.evaluate_batch, parts)))

    return problem.with_batches(evaluate_batch, (with_threads, (problem, threads)))
