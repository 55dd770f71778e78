"""The conformance test of suites, `check_suite`, for the suites of firsthit and of users.

Each private function `_find_…_faults` tests one part of the contract of `Problem`. It yields one
clause for each violation (fault), to be written after the identifier of the problem. Their argument
``points`` has shape ``(n, dimension)`` and contains start points of the problem.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .errors import EvaluationError, SuiteError
from .problem import Problem
from .suite import Suite

_N_POINTS = 8  # number of random start points at which a problem is tested
_POINTS_SEED = 8  # seed of these points; equal seeds give equal faults in each test
_NOISE_SEED = 1  # seed of the noise; `_find_noise_faults` draws equal noise several times
_MAX_LISTED_FAULTS = 20  # further faults are only counted in the message

_OPTIMUM_TOLERANCE = 1e-9
"""Allowed error of the optimal value: relative, but absolute for values below 1.

Suites know the optimal value from a formula, and rounding makes the evaluated value differ.
"""
_RELATIVE_TOLERANCE = 1e-8
_ABSOLUTE_TOLERANCE = 1e-12
"""Allowed differences of values that should be equal. Batches may be summed in another order than
single points, so their rounding errors differ."""


def check_suite(problems: str | Iterable[Problem]) -> int:
    """Test that problems keep the contract of ``Problem``, and return the number of problems.

    The test checks that

    - lower bounds are below upper bounds, start points are within the bounds, identifiers are
      unique, and problems can be pickled
    - single points, batches and repeated evaluations give equal values, and ``x`` is not changed
    - points with NaN or infinity get no finite value
    - wrong shapes, complex numbers and masked entries raise ``EvaluationError``
    - the optimal solution is feasible and has the optimal value, and no feasible start point has a
      lower value
    - equal random numbers give equal noise, even if batches are split in another way
    - bounds, start points and the optimal solution are integers in integer variables
    - bits can be truth values, integers or floats, with equal values, and any entry except 0 and 1
      raises ``EvaluationError``

    Args:
        problems: A suite, its name, or any iterable of problems.

    Raises:
        SuiteError: There are no problems, or some violate the contract. The message lists up to 20
            violations.
        UnknownNameError: No suite has this name.

    Example:
        >>> import firsthit
        >>> suite = firsthit.Suite("bbob", functions="1-3", dimensions=2, instances=1)
        >>> firsthit.check_suite(suite)  # the number of problems
        3
    """
    if isinstance(problems, str):
        problems = Suite(problems)
    ids: set[str] = set()
    faults: list[str] = []
    n_problems = 0
    for problem in problems:
        n_problems += 1
        if problem.id in ids:
            faults.append(f"{problem.id}: another problem has the same identifier")
        ids.add(problem.id)
        faults.extend(f"{problem.id}: {fault}" for fault in _find_faults(problem))
    if faults:
        n_unlisted = len(faults) - _MAX_LISTED_FAULTS
        more = f"\n… and {n_unlisted} more" if n_unlisted > 0 else ""
        listed = "\n".join(faults[:_MAX_LISTED_FAULTS])
        raise SuiteError(f"{len(faults)} faults:\n{listed}{more}")
    if not n_problems:
        raise SuiteError("the suite has no problems")
    return n_problems


def _find_faults(problem: Problem) -> Iterator[str]:
    """Run all tests of one problem; stop early if its bounds are invalid."""
    if not np.all(problem.lower_bounds < problem.upper_bounds):
        yield "a lower bound is not below its upper bound"
        return
    rng = np.random.default_rng(_POINTS_SEED)
    points = np.array([problem.initial_solution_proposal(rng) for _ in range(_N_POINTS)])
    is_inside = (points >= problem.lower_bounds) & (points <= problem.upper_bounds)
    if not is_inside.all():
        yield "initial_solution_proposal returns a point outside the bounds"
    yield from _find_integer_faults(problem, points)
    yield from _find_value_faults(problem, points)
    if problem.is_binary:
        yield from _find_bit_faults(problem, points)
    else:
        yield from _find_infinity_faults(problem, points)
    yield from _find_refusal_faults(problem)
    yield from _find_constraint_faults(problem, points)
    yield from _find_noise_faults(problem, points)
    yield from _find_optimum_faults(problem, points)
    yield from _find_pickle_faults(problem, points)


def _find_integer_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test that bounds, start points and the optimal solution are integers in integer variables."""
    n_integers = problem.number_of_integer_variables
    if not 0 <= n_integers <= problem.dimension:
        yield f"number_of_integer_variables is {n_integers}, of {problem.dimension} variables"
        return
    points_by_name = {
        "the lower bound": problem.lower_bounds,
        "the upper bound": problem.upper_bounds,
        "initial_solution": problem.initial_solution,
        "initial_solution_proposal": points,
        "the optimal solution": problem.optimal_solution,
    }
    for name, values in points_by_name.items():
        if values is None:
            continue
        integers = values[..., :n_integers]  # integer variables come first
        if np.any(integers != np.floor(integers)):
            yield f"{name} is not an integer in an integer variable"


def _find_value_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test types and shapes of values, and that batches and repeated evaluations agree."""
    original_points = points.copy()
    single_values = np.array([problem(x) for x in points])
    batch_values = problem(points)
    n_objectives = problem.number_of_objectives
    shape: tuple[int, ...] = () if n_objectives == 1 else (n_objectives,)
    batch_shape = getattr(batch_values, "shape", None)
    if not np.array_equal(points, original_points):
        yield "evaluation changes x"
    if n_objectives == 1 and not isinstance(problem(points[0]), float):
        yield f"the value of one point is a {type(problem(points[0])).__name__}, not a float"
    if single_values.shape != (len(points), *shape):
        yield f"the value of one point has shape {single_values.shape[1:]}, not {shape}"
    elif batch_shape != (len(points), *shape):
        yield f"a batch of {len(points)} points returns shape {batch_shape}"
    elif not _are_close(batch_values, single_values):
        yield "a batch gives other values than single points"
    if not np.array_equal(single_values, [problem(x) for x in points], equal_nan=True):
        yield "the same point gives another value the second time"


def _find_infinity_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test that a point with NaN or infinity gets no finite value."""
    for coordinate, name in ((np.nan, "NaN"), (np.inf, "infinity")):
        x = points[0].copy()
        x[-1] = coordinate
        if np.isfinite(problem(x)).any():
            yield f"a point with {name} gets the finite value {problem(x)}"


def _find_bit_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test that bits of any type give equal values, and that other entries are refused."""
    if np.any(problem.lower_bounds != 0) or np.any(problem.upper_bounds != 1):
        yield "the bounds of bits are not 0 and 1"
    for dtype in (bool, np.uint8, np.int64):
        single_values = [problem(x) for x in points.astype(dtype)]
        batch_values = problem(points.astype(dtype))
        values = problem(points)
        if not _are_close(np.array(single_values), values) or not _are_close(batch_values, values):
            yield f"bits of type {dtype.__name__} give other values than bits of type float64"
    for coordinate in (0.5, 2.0, -1.0, np.nan, np.inf):
        x = points[0].copy()
        x[-1] = coordinate
        for argument, name in ((x, "a point"), (np.array([points[0], x]), "a batch")):
            if not _is_refused(problem, argument):
                yield f"{name} with {coordinate} among its bits is not refused with EvaluationError"


def _find_refusal_faults(problem: Problem) -> Iterator[str]:
    """Test that wrong shapes, complex numbers and masked entries are refused."""
    dimension = problem.dimension
    for x, description in (
        (np.zeros(dimension + 1), f"shape ({dimension + 1},)"),
        (np.zeros(dimension, dtype=complex), "complex numbers"),
        (np.ma.masked_equal(np.zeros(dimension), 0), "masked entries"),
        (np.ma.masked_equal(np.zeros((2, dimension)), 0), "masked entries in a batch"),
    ):
        if not _is_refused(problem, x):
            yield f"x with {description} is not refused with EvaluationError"


def _is_refused(problem: Problem, x: ArrayLike) -> bool:
    """Return whether the evaluation of ``x`` raises EvaluationError."""
    try:
        problem(x)
    except EvaluationError:
        return True
    return False


def _find_constraint_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test shapes of constraint values, and that batches agree with single points."""
    original_points = points.copy()
    n_constraints = problem.number_of_constraints
    batch_values = problem.constraint(points)
    single_values = [problem.constraint(x) for x in points]
    if not np.array_equal(points, original_points):
        yield "evaluation of constraints changes x"
    if batch_values.shape != (len(points), n_constraints) or any(
        values.shape != (n_constraints,) for values in single_values
    ):
        yield (
            f"constraints of {len(points)} points have shape {batch_values.shape}, and those of "
            f"one point {single_values[0].shape}, but number_of_constraints is {n_constraints}"
        )
    elif not _are_close(batch_values, np.array(single_values)):
        yield "a batch gives other constraint values than single points"


def _find_noise_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test that noise depends on the random numbers alone, and not on the split into batches."""
    true = problem(points)
    noisy = problem.noisy(points, np.random.default_rng(_NOISE_SEED))
    rng = np.random.default_rng(_NOISE_SEED)
    parts = [problem.noisy(part, rng) for part in (points[:1], points[1:4], points[4:])]
    rng = np.random.default_rng(_NOISE_SEED)
    single_values = np.array([problem.noisy(x, rng) for x in points])
    if noisy.shape != true.shape:
        yield f"noisy values have shape {noisy.shape}, true ones {true.shape}"
    elif not _are_close(noisy, problem.noisy(points, np.random.default_rng(_NOISE_SEED))):
        yield "the same random numbers give other noisy values"
    elif not _are_close(noisy, np.concatenate(parts)) or not _are_close(noisy, single_values):
        yield "noisy values depend on how points are split into batches"
    elif not problem.is_noisy and not _are_close(noisy, true):
        yield "noisy values differ from the true ones, but the problem is not noisy"
    if not _are_close(true, problem(points)):
        yield "evaluations with noise change the true values of later evaluations"


def _find_optimum_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test the optimal solution and its value, or the ideal point of several objectives."""
    value, solution = problem.optimal_value, problem.optimal_solution
    if solution is not None and np.any(problem.constraint(solution) > 0):
        yield (
            "the optimal solution is not feasible, because a constraint is above 0: "
            f"{problem.constraint(solution)}"
        )
    if problem.number_of_objectives > 1:
        yield from _find_ideal_point_faults(problem, points)
        return
    if value is None:
        return
    tolerance = _OPTIMUM_TOLERANCE * max(1.0, abs(value))
    is_feasible = np.all(problem.constraint(points) <= 0, axis=1)
    best_sampled = float(np.nanmin(problem(points)[is_feasible], initial=np.inf))
    if best_sampled < value - tolerance:
        yield f"a sampled value {best_sampled} is below the optimal value {value}"
    if solution is None:
        return
    value_of_solution = problem(solution)
    if not abs(value_of_solution - value) <= tolerance:  # `not <=`: NaN is a fault, too
        yield f"the optimal solution has value {value_of_solution}, not the optimal value {value}"


def _find_ideal_point_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test that the ideal point is below all sampled values and below the nadir point."""
    ideal, nadir = problem.ideal_point, problem.nadir_point
    if ideal is None:
        return
    best_sampled = np.nanmin(problem(points), axis=0)
    tolerance = _OPTIMUM_TOLERANCE * np.maximum(1.0, np.abs(ideal))
    if np.any(best_sampled < ideal - tolerance):
        yield f"sampled values {best_sampled} are below the ideal point {ideal}"
    if nadir is not None and not np.all(ideal <= nadir):
        yield f"the ideal point {ideal} is not below the nadir point {nadir}"


def _find_pickle_faults(problem: Problem, points: Floats) -> Iterator[str]:
    """Test that a pickled copy has the same identifier and the same values."""
    try:
        copy = pickle.loads(pickle.dumps(problem))
    except Exception as error:
        yield f"the problem cannot be pickled, so worker processes cannot evaluate it: {error}"
        return
    if copy.id != problem.id or not np.array_equal(copy(points), problem(points), equal_nan=True):
        yield "a pickled copy has another identifier or other values"


def _are_close(values: Floats, others: Floats) -> bool:
    """Return whether values are equal up to rounding errors; NaN equals NaN."""
    return np.allclose(
        values, others, rtol=_RELATIVE_TOLERANCE, atol=_ABSOLUTE_TOLERANCE, equal_nan=True
    )
