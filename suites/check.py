"""The conformance test of a suite: what our suites are tested with, for those of users as well."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator

import numpy as np

from .errors import EvaluationError, SuiteError
from .problem import Problem

_SAMPLE = 8
_LISTED = 20


def check_suite(problems: Iterable[Problem]) -> int:
    """Test that every problem keeps the contract of ``Problem``; returns how many were tested.

    Tested are: bounds, start points, one point against a batch, repeated evaluation, untouched
    ``x``, NaN and infinity, refusal of wrong shapes, the optimum's value, no sampled value below
    the optimal value, identifiers that differ, and pickling.

    Args:
        problems: A suite, or any iterable of problems.

    Raises:
        SuiteError: Lists what is broken, by problem.

    Example:
        ``firsthit.check_suite(firsthit.Suite("mine"))``
    """
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
    yield from _value_faults(problem, points)
    yield from _refusal_faults(problem)
    yield from _optimum_faults(problem, points)
    yield from _pickle_faults(problem, points)


def _value_faults(
    problem: Problem, points: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> Iterator[str]:
    kept = points.copy()
    single = np.array([problem(x) for x in points])
    batch = problem(points)
    if not np.array_equal(points, kept):
        yield "evaluation changes x"
    if not isinstance(problem(points[0]), float):
        yield f"the value of one point is a {type(problem(points[0])).__name__}, not a float"
    if getattr(batch, "shape", None) != (len(points),):
        yield f"a batch of {len(points)} points returns shape {getattr(batch, 'shape', None)}"
    elif not np.allclose(batch, single, rtol=1e-8, atol=1e-12, equal_nan=True):
        yield "a batch gives other values than single points"
    if not np.array_equal(single, [problem(x) for x in points], equal_nan=True):
        yield "the same point gives another value the second time"
    for bad, name in ((np.nan, "NaN"), (np.inf, "infinity")):
        x = points[0].copy()
        x[-1] = bad
        if np.isfinite(problem(x)):
            yield f"a point with {name} gets the finite value {problem(x)}"


def _refusal_faults(problem: Problem) -> Iterator[str]:
    for x in (np.zeros(problem.dimension + 1), np.zeros(problem.dimension, dtype=complex)):
        try:
            problem(x)
        except EvaluationError:
            continue
        yield f"x of shape {x.shape} and type {x.dtype} is not refused with EvaluationError"


def _optimum_faults(
    problem: Problem, points: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> Iterator[str]:
    value, solution = problem.optimal_value, problem.optimal_solution
    if value is None:
        return
    slack = 1e-9 * max(1.0, abs(value))
    best = float(np.nanmin(problem(points)))
    if best < value - slack:
        yield f"a sampled value {best} is below the optimal value {value}"
    if solution is None:
        return
    at_optimum = problem(solution)
    if not abs(at_optimum - value) <= slack:
        yield f"the optimal solution has value {at_optimum}, not the optimal value {value}"


def _pickle_faults(
    problem: Problem, points: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> Iterator[str]:
    try:
        again = pickle.loads(pickle.dumps(problem))
    except Exception as error:
        yield f"cannot be pickled, so not run in other processes: {error}"
        return
    if again.id != problem.id or not np.array_equal(again(points), problem(points), equal_nan=True):
        yield "its pickled copy is another problem"
