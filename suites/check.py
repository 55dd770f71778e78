"""The conformance test of a suite: what our suites are tested with, for those of users as well."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from .errors import EvaluationError, SuiteError
from .problem import Problem
from .suite import Suite

Points = NDArray[np.float64]

_SAMPLE = 8
_LISTED = 20


def check_suite(problems: str | Iterable[Problem]) -> int:
    """Test that every problem keeps the contract of ``Problem``; returns how many were tested.

    Tested are: bounds, start points, one point against a batch, repeated evaluation, untouched
    ``x``, NaN and infinity, refusal of wrong shapes and masked entries, the optimum's value and
    feasibility, no sampled feasible value below the optimal value, identifiers that differ, and
    pickling; of noise that it is repeated with the same random numbers, also when batches are
    split; of integer variables their bounds and start points; of bits that truth values and
    integers give the same values, and that all but 0 and 1 is refused, NaN and infinity too.

    Args:
        problems: A suite, its name, or any iterable of problems.

    Raises:
        SuiteError: Lists what is broken, by problem.
        UnknownNameError: There is no suite of that name.

    Example:
        ``firsthit.check_suite(firsthit.Suite("mine", dimensions=2))``
    """
    if isinstance(problems, str):
        problems = Suite(problems)
    seen: set[str] = set()
    faults: list[str] = []
    count = 0
    for problem in problems:
        count += 1
        if problem.id in seen:
            faults.append(f"{problem.id}: another problem has the same identifier")
        seen.add(problem.id)
        faults.extend(f"{problem.id}: {fault}" for fault in problem_faults(problem))
    if faults:
        more = f"\n… and {len(faults) - _LISTED} more" if len(faults) > _LISTED else ""
        raise SuiteError(f"{len(faults)} faults:\n" + "\n".join(faults[:_LISTED]) + more)
    if not count:
        raise SuiteError("the suite has no problems")
    return count


def problem_faults(problem: Problem) -> Iterator[str]:
    """What ``problem`` does against the contract, a sentence each; nothing where all is well."""
    if not np.all(problem.lower_bounds < problem.upper_bounds):
        yield "a lower bound is not below its upper bound"
        return
    rng = np.random.default_rng(_SAMPLE)
    points = np.array([problem.initial_solution_proposal(rng) for _ in range(_SAMPLE)])
    inside = (points >= problem.lower_bounds) & (points <= problem.upper_bounds)
    if not inside.all():
        yield "initial_solution_proposal leaves the bounds"
    yield from _integer_faults(problem, points)
    yield from _value_faults(problem, points)
    of_kind = _bit_faults if problem.is_binary else _infinity_faults
    yield from of_kind(problem, points)
    yield from _refusal_faults(problem)
    yield from _constraint_faults(problem, points)
    yield from _noise_faults(problem, points)
    yield from _optimum_faults(problem, points)
    yield from _pickle_faults(problem, points)


def _integer_faults(problem: Problem, points: Points) -> Iterator[str]:
    k = problem.number_of_integer_variables
    if not 0 <= k <= problem.dimension:
        yield f"{k} of {problem.dimension} variables are integers"
        return
    named = {
        "the lower bound": problem.lower_bounds,
        "the upper bound": problem.upper_bounds,
        "initial_solution": problem.initial_solution,
        "initial_solution_proposal": points,
        "the optimal solution": problem.optimal_solution,
    }
    for name, values in named.items():
        if values is not None and np.any(values[..., :k] != np.floor(values[..., :k])):
            yield f"{name} of an integer variable is no integer"


def _value_faults(problem: Problem, points: Points) -> Iterator[str]:
    kept = points.copy()
    single = np.array([problem(x) for x in points])
    batch = problem(points)
    objectives = problem.number_of_objectives
    shape: tuple[int, ...] = () if objectives == 1 else (objectives,)
    if not np.array_equal(points, kept):
        yield "evaluation changes x"
    if objectives == 1 and not isinstance(problem(points[0]), float):
        yield f"the value of one point is a {type(problem(points[0])).__name__}, not a float"
    if single.shape != (len(points), *shape):
        yield f"the value of one point has shape {single.shape[1:]}, not {shape}"
    elif getattr(batch, "shape", None) != (len(points), *shape):
        yield f"a batch of {len(points)} points returns shape {getattr(batch, 'shape', None)}"
    elif not _close(batch, single):
        yield "a batch gives other values than single points"
    if not np.array_equal(single, [problem(x) for x in points], equal_nan=True):
        yield "the same point gives another value the second time"


def _infinity_faults(problem: Problem, points: Points) -> Iterator[str]:
    for bad, name in ((np.nan, "NaN"), (np.inf, "infinity")):
        x = points[0].copy()
        x[-1] = bad
        if np.isfinite(problem(x)).any():
            yield f"a point with {name} gets the finite value {problem(x)}"


def _bit_faults(problem: Problem, points: Points) -> Iterator[str]:
    if np.any(problem.lower_bounds != 0) or np.any(problem.upper_bounds != 1):
        yield "the bounds of bits are not 0 and 1"
    for kind in (bool, np.uint8, np.int64):
        values = [problem(x) for x in points.astype(kind)]
        batch = problem(points.astype(kind))
        if not _close(np.array(values), problem(points)) or not _close(batch, problem(points)):
            yield f"bits of type {kind.__name__} give other values"
    for bad in (0.5, 2.0, -1.0, np.nan, np.inf):
        x = points[0].copy()
        x[-1] = bad
        for wrong, name in ((x, "a point"), (np.array([points[0], x]), "a batch")):
            if not _is_refused(problem, wrong):
                yield f"{name} with {bad} among its bits is not refused with EvaluationError"


def _refusal_faults(problem: Problem) -> Iterator[str]:
    n = problem.dimension
    for x, what in (
        (np.zeros(n + 1), f"shape ({n + 1},)"),
        (np.zeros(n, dtype=complex), "complex numbers"),
        (np.ma.masked_equal(np.zeros(n), 0), "masked entries"),
        (np.ma.masked_equal(np.zeros((2, n)), 0), "masked entries in a batch"),
    ):
        if not _is_refused(problem, x):
            yield f"x with {what} is not refused with EvaluationError"


def _is_refused(problem: Problem, x: Points) -> bool:
    try:
        problem(x)
    except EvaluationError:
        return True
    return False


def _constraint_faults(problem: Problem, points: Points) -> Iterator[str]:
    kept, m = points.copy(), problem.number_of_constraints
    batch = problem.constraint(points)
    single = [problem.constraint(x) for x in points]
    if not np.array_equal(points, kept):
        yield "evaluation of constraints changes x"
    if batch.shape != (len(points), m) or any(values.shape != (m,) for values in single):
        yield (
            f"constraints of {len(points)} points have shape {batch.shape}, of one point "
            f"{single[0].shape}; {m} are announced"
        )
    elif not _close(batch, np.array(single)):
        yield "a batch gives other constraint values than single points"


def _noise_faults(problem: Problem, points: Points) -> Iterator[str]:
    true = problem(points)
    measured = problem.noisy(points, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    parts = [problem.noisy(part, rng) for part in (points[:1], points[1:4], points[4:])]
    rng = np.random.default_rng(1)
    single = np.array([problem.noisy(x, rng) for x in points])
    if measured.shape != true.shape:
        yield f"noisy values have shape {measured.shape}, true ones {true.shape}"
    elif not _close(measured, problem.noisy(points, np.random.default_rng(1))):
        yield "the same random numbers give other noisy values"
    elif not _close(measured, np.concatenate(parts)) or not _close(measured, single):
        yield "noisy values depend on how points are split into batches"
    elif not problem.is_noisy and not _close(measured, true):
        yield "noisy values differ from the true ones, but the problem is not noisy"
    if not _close(true, problem(points)):
        yield "measuring with noise changes the true values"


def _optimum_faults(problem: Problem, points: Points) -> Iterator[str]:
    value, solution = problem.optimal_value, problem.optimal_solution
    if solution is not None and np.any(problem.constraint(solution) > 0):
        yield f"the optimal solution is not feasible: {problem.constraint(solution)}"
    if problem.number_of_objectives > 1:
        yield from _ideal_faults(problem, points)
        return
    if value is None:
        return
    slack = 1e-9 * max(1.0, abs(value))
    feasible = np.all(problem.constraint(points) <= 0, axis=1)
    best = float(np.nanmin(problem(points)[feasible], initial=np.inf))
    if best < value - slack:
        yield f"a sampled value {best} is below the optimal value {value}"
    if solution is None:
        return
    at_optimum = problem(solution)
    if not abs(at_optimum - value) <= slack:
        yield f"the optimal solution has value {at_optimum}, not the optimal value {value}"


def _ideal_faults(problem: Problem, points: Points) -> Iterator[str]:
    ideal, nadir = problem.ideal_point, problem.nadir_point
    if ideal is None:
        return
    best = np.nanmin(problem(points), axis=0)
    if np.any(best < ideal - 1e-9 * np.maximum(1.0, np.abs(ideal))):
        yield f"sampled values {best} are below the ideal point {ideal}"
    if nadir is not None and not np.all(ideal <= nadir):
        yield f"the ideal point {ideal} is not below the nadir point {nadir}"


def _close(values: Points, others: Points) -> bool:
    return np.allclose(values, others, rtol=1e-8, atol=1e-12, equal_nan=True)


def _pickle_faults(problem: Problem, points: Points) -> Iterator[str]:
    try:
        again = pickle.loads(pickle.dumps(problem))
    except Exception as error:
        yield f"cannot be pickled, so not run in other processes: {error}"
        return
    if again.id != problem.id or not np.array_equal(again(points), problem(points), equal_nan=True):
        yield "its pickled copy is another problem"
