"""What wraps any problem: each function takes a problem and returns another around it.

A transform is plain Python; a suite with compiled kernels does the same at no cost by the input
transforms of ``suites.compiled.operators``. To add one, copy ``hard_box``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import SuiteError
from .facts import Noise
from .points import Vector, as_point
from .problem import Problem


def hard_box(problem: Problem) -> Problem:
    """The same problem, infinite outside its closed bounds; such evaluations count as any other.

    Args:
        problem: With any number of objectives.
    """
    lower, upper = problem.lower_bounds, problem.upper_bounds
    objectives = problem.number_of_objectives

    def evaluate_point(x: ArrayLike) -> Any:
        point = as_point(x, problem.dimension, problem.id)
        if ((point < lower) | (point > upper)).any() and not np.isnan(point).any():
            return np.inf if objectives == 1 else np.full(objectives, np.inf)
        return problem.evaluate_point(point)

    def evaluate_batch(points: Vector) -> Vector:
        values = problem.evaluate_batch(points)
        is_outside = ((points < lower) | (points > upper)).any(axis=1)
        values[is_outside & ~np.isnan(points).any(axis=1)] = np.inf
        return values

    return problem.wrapped(
        (hard_box, (problem,)), evaluate_point=evaluate_point, evaluate_batch=evaluate_batch
    )


def with_constraints(
    problem: Problem,
    constraint: Callable[[Vector], Vector],
    number: int,
    optimal_value: float | None = None,
    optimal_solution: Vector | None = None,
) -> Problem:
    """The same objective, to be minimised where all constraints are <= 0.

    ``constraint`` takes ``(n, dimension)`` and returns ``(n, number)``. The optimal value is that
    of a feasible point; None where nobody knows.
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
    """The same problem, its first variables integers 0 … n - 1 that stand for a grid.

    With ``n`` values, at least 2, 0 stands for the lower bound, ``n - 1`` for the upper one, and
    what is between them lies at equal distances. Numbers that are no such integers are rounded,
    halves upwards, to the nearest. The optimum is not known any more, unless it lies on the grid.
    """
    n: NDArray[np.float64] = np.asarray(cardinalities, dtype=np.float64)
    k = len(n)
    if (
        problem.number_of_integer_variables
        or problem.number_of_constraints
        or (problem.number_of_objectives != 1)
    ):
        raise SuiteError(f"{problem.id}: on_integers takes one objective of continuous variables")
    if k > problem.dimension or not np.all((n >= 2) & (n == np.floor(n))):
        raise SuiteError(
            f"{problem.id}: cardinalities must be at most {problem.dimension} integers >= 2; "
            f"got {cardinalities!r}"
        )
    low = problem.lower_bounds[:k]
    step = (problem.upper_bounds[:k] - low) / (n - 1)
    lower, upper = problem.lower_bounds.copy(), problem.upper_bounds.copy()
    lower[:k], upper[:k] = 0.0, n - 1

    def inner(points: Vector) -> Vector:
        moved = points.copy()
        integers = points[..., :k]
        nearest = np.clip(np.floor(integers + 0.5), 0.0, n - 1)
        moved[..., :k] = np.where(np.isfinite(integers), low + step * nearest, integers)
        return moved

    def evaluate_point(x: ArrayLike) -> Any:
        return problem.evaluate_point(inner(as_point(x, problem.dimension, problem.id)))

    def evaluate_batch(points: Vector) -> Vector:
        return problem.evaluate_batch(inner(points))

    optimum = problem.optimal_solution
    if optimum is not None:
        optimum[:k] = np.clip(np.floor((optimum[:k] - low) / step + 0.5), 0.0, n - 1)
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
        number_of_integer_variables=k,
        constants=lambda: {**problem.constants(), "cardinalities": n.copy()},
    )


def with_noise(problem: Problem, noise: Noise) -> Problem:
    """The same problem, measured with noise as of `ProblemFacts`; ``problem(x)`` stays true.

    Example::

        def gauss(points, values, rng):
            return values * np.exp(0.1 * rng.standard_normal(len(values)))

        noisy = with_noise(problem, gauss)
    """
    return problem.wrapped((with_noise, (problem, noise)), noise=noise)


def two_objectives(
    first: Problem, second: Problem, reference_value: float = math.nan, name: str = ""
) -> Problem:
    """The problem to minimise both at once: values have shape ``(2,)``, or ``(n, 2)``.

    Where both optima are known, the ideal point is the pair of the optimal values, and the nadir
    point is what each objective is worth at the optimum of the other. The bounds are those of the
    first.
    """
    for problem in (first, second):
        if problem.number_of_objectives != 1 or problem.is_noisy or problem.number_of_constraints:
            raise SuiteError(
                f"{problem.id}: two_objectives takes problems of one objective, without noise "
                "and constraints"
            )
    kinds = [(p.dimension, p.number_of_integer_variables) for p in (first, second)]
    if kinds[0] != kinds[1]:
        raise SuiteError(
            f"{first.id} and {second.id}: two_objectives takes problems of one dimension and one "
            f"number of integer variables; got {kinds[0]} and {kinds[1]}"
        )

    def evaluate_point(x: ArrayLike) -> Vector:
        point = as_point(x, first.dimension, first.id)
        return np.array([first.evaluate_point(point), second.evaluate_point(point)])

    def evaluate_batch(points: Vector) -> Vector:
        return np.column_stack([first.evaluate_batch(points), second.evaluate_batch(points)])

    def constants() -> dict[str, Vector]:
        parts = (("first", first), ("second", second))
        return {f"{part}_{key}": a for part, p in parts for key, a in p.constants().items()}

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


_LEAST_ROWS = 256
"""A thread is worth its start from about so many points on."""


def with_threads(problem: Problem, threads: int) -> Problem:
    """The same problem, evaluating large batches in several threads; the same values to the bit.

    Compiled problems (bbob) let threads run at the same time; a Python function does not. Campaigns
    do not use this: their workers occupy the processors already.

    Args:
        problem: Any problem.
        threads: How many, >= 1. Each takes at least 256 points, so smaller batches stay in one.

    Raises:
        SuiteError: ``threads`` is not an integer >= 1.

    Example:
        ``problem = with_threads(firsthit.Suite("bbob", 1, 40, 1)[0], threads=4)``
    """
    from concurrent.futures import ThreadPoolExecutor

    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise SuiteError(f"threads must be an integer >= 1; got {threads!r}")
    pool = ThreadPoolExecutor(threads, thread_name_prefix="firsthit batch")

    def evaluate_batch(x: Vector) -> Vector:
        parts = min(threads, len(x) // _LEAST_ROWS)
        if parts < 2:
            return problem.evaluate_batch(x)
        return np.concatenate(list(pool.map(problem.evaluate_batch, np.array_split(x, parts))))

    return problem.with_batches(evaluate_batch, (with_threads, (problem, threads)))
