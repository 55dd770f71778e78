"""The convergence test of Moré and Wild, for data profiles and performance profiles.

Moré, Wild, "Benchmarking derivative-free optimization algorithms" (2009), SIAM J. Optim. 20(1),
equation 2.2: a run passes at its first x with ``f(x0) - f(x) >= (1 - tau) (f(x0) - f_L)``.
`find_solution_times` computes when runs pass the test, and `tabulate_profiles` turns these times
into curves of profiles. Values are precisions: differences from the optimum, or the values
themselves where it is unknown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from ...suites import FirsthitError
from ...suites.errors import UnknownNameError
from ...suites.suite import definition, problem_of
from ..errors import AssessmentError
from ..grouping import by_dimension
from ..hits.curves import RunCurves
from ..samples.curves import Curves
from ..selection import measurement_of
from ..statistics.quantiles import Floats
from ..tables.table import Value
from ..targets.budgets import one_budget
from ..targets.parse import numbers_of
from ..targets.target_sets import Cell, allows_restarts

if TYPE_CHECKING:
    from ...loggers import Log

Best = Literal["best", "optimum"]
ProblemInstance = tuple[Cell, int]
"""Problem class and instance: one objective function."""
RunOfInstance = tuple[Cell, int, int]
"""Problem class, instance, and the number of an algorithm's run on this instance, from 0."""
CurvesByRun = dict[RunOfInstance, tuple[Floats, Floats]]
"""For each run its improvements: evaluations, ascending, and precisions, descending."""
_TOLERANCE_OF_OPTIMUM = 1e-9
"""Relative and absolute difference up to which two optima belong to the same problem.

Recomputed optima may differ by rounding.
"""


@dataclass(frozen=True, eq=False)
class SolutionTimes:
    """Evaluations until the runs of all algorithms passed the test, in one suite and dimension.

    Attributes:
        tolerances: Tolerances (tau) of the test, descending, shape ``(n_tolerances,)``.
        times: By algorithm, shape ``(n_problems, n_tolerances)``: inf where a run did not pass
            within the budget, NaN where the algorithm has no run on the problem. A problem is a
            function, an instance, and the number of the run on it. A row is one problem for all
            algorithms.
    """

    suite: str
    dimension: int
    tolerances: Floats
    times: Mapping[str, Floats]


def parse_tolerances(value: str | float | Iterable[float]) -> tuple[float, ...]:
    """Parse the tolerances of the test: distinct numbers between 0 and 1, in descending order.

    >>> parse_tolerances("1e-3, 0.1")
    (0.1, 0.001)
    """
    refusal = "tau: {!r} is no number between 0 and 1; give such as 1e-1,1e-3"
    tolerances = numbers_of(value, lambda number: 0 < number < 1, refusal)
    if not tolerances:
        raise AssessmentError("tau: none given; give numbers between 0 and 1, such as 1e-1,1e-3")
    return tuple(reversed(tolerances))


def find_solution_times(
    sample: Curves,
    tau: str | float | Iterable[float],
    budget: float | str | None,
    reference: Best,
) -> tuple[list[SolutionTimes], tuple[str, ...]]:
    """Compute when runs pass the convergence test, in each suite and dimension.

    Args:
        sample: Convergence curves of single runs.
        tau: Tolerances of the test, between 0 and 1.
        budget: Improvements after this budget (in the unit of the sample's axis) are ignored.
            None: no limit.
        reference: ``f_L`` of the test: the ``"best"`` value of all runs within the budget, or the
            known ``"optimum"``.

    Returns:
        The times in each suite and dimension, and notes on assumed values of f(x0) and on runs
        that are left out.

    Raises:
        UnknownNameError: ``reference`` is not one of the two.
        AssessmentError: ``tau`` or ``budget`` is invalid, a suite has two objectives, the optimum
            of a function is unknown, or the algorithms share no instance.
    """
    if reference not in get_args(Best):
        raise UnknownNameError.of("reference value", reference, get_args(Best))
    tolerances = np.array(parse_tolerances(tau))
    limit_budget = None if budget is None else one_budget(budget)
    data = list(sample)
    _check_suites(sample.log, data, reference)
    starts, n_assumed = _find_start_precisions(sample)
    results, n_left_out = [], 0
    for (suite, dimension), run_curves in sorted(by_dimension(data).items()):
        limit = (
            math.inf
            if limit_budget is None
            else limit_budget.on(sample.axis, dimension) * (1 + 1e-12)  # tolerates rounding
        )
        curves = _curves_by_algorithm(run_curves, limit)
        of_algorithms = map(set, curves.values())
        joined = set.union if sample.selection.unequal else set.intersection
        problems = sorted(joined(*of_algorithms))
        n_left_out += sum(
            len(set(curves_of_algorithm) - set(problems)) for curves_of_algorithm in curves.values()
        )
        if not problems:
            continue
        best = _find_lowest_precisions(curves, problems, reference)
        bounds = {
            instance: _find_passing_precisions(starts[instance], lowest, tolerances)
            for instance, lowest in best.items()
        }
        times = {
            name: _find_times(curves_of_algorithm, problems, bounds)
            for name, curves_of_algorithm in curves.items()
        }
        results.append(SolutionTimes(suite, dimension, tolerances, times))
    if not results:
        raise AssessmentError(
            "the algorithms have no instance in common; choose algorithms, or show each on what it "
            "was run (--unequal, unequal=True)"
        )
    return results, _make_notes(n_assumed, n_left_out)


def profile_steps(times: Floats, end: float) -> tuple[Floats, Floats]:
    """Return the steps of one profile: positions, and the share of problems solved up to each.

    The last position is at least ``end``.

    Args:
        times: Time of each problem: inf where it was not solved, NaN where it does not count.
        end: Position at which the curve must have a step, even if no problem was solved there.
    """
    solved = times[np.isfinite(times)]
    positions = np.unique(np.append(solved, end))
    n_solved = np.searchsorted(np.sort(solved), positions, side="right")
    return positions, n_solved / (~np.isnan(times)).sum()


def tabulate_profiles(
    result: SolutionTimes, times: Mapping[str, Floats]
) -> list[list[Value | Floats]]:
    """Return one row for each tolerance and algorithm, with the steps of its profile.

    All curves end at the largest finite number in ``times``, but at least at 1.

    Args:
        result: The suite, dimension and tolerances.
        times: Scaled times of each algorithm, with the shape of ``result.times``.

    Returns:
        Rows of ``algorithm, suite, dimension, tau``, and two arrays: the positions of the steps,
        and the share of problems solved up to each of them.
    """
    solved = np.concatenate([column[np.isfinite(column)] for column in times.values()])
    end = float(solved.max(initial=1.0))
    return [
        [name, result.suite, result.dimension, tau, *profile_steps(times[name][:, j], end)]
        for j, tau in enumerate(result.tolerances.tolist())
        for name in sorted(times)
    ]


def _check_suites(log: Log, data: Sequence[RunCurves], reference: Best) -> None:
    """Raise AssessmentError if a suite has two objectives, or lacks an optimum that is needed."""
    for suite in sorted({cell.suite for cell in data}):
        if not allows_restarts(measurement_of(log, suite)):
            raise AssessmentError(
                f"suite {suite!r} has two objectives: the test compares values of one objective"
            )
        if reference == "optimum" and not all(o.has_reference for o in data if o.suite == suite):
            raise AssessmentError(
                f"suite {suite!r} has functions whose optimum is unknown; take the best of the "
                "runs (--reference best)"
            )


def _find_start_precisions(sample: Curves) -> tuple[dict[ProblemInstance, float], int]:
    """Return the precision at x0 of each problem instance, and for how many it is assumed.

    Where it cannot be computed, it is assumed to be the worst first value of all runs.
    """
    log, rows = sample.log, sample.rows
    names = ("suite", "function", "dimension", "instance", "reference_value")
    optima: dict[ProblemInstance, float] = {
        ((suite, function, dimension), instance): optimum
        for suite, function, dimension, instance, optimum in zip(
            *(log.runs[name][rows].tolist() for name in names), strict=True
        )
    }
    worst: dict[ProblemInstance, float] = {}
    for run_curves in sample:
        for instance, (_, precision) in zip(
            run_curves.instances.tolist(), run_curves.curves, strict=True
        ):
            first = float(precision[0]) if precision.size else -math.inf
            worst[run_curves.problem_class, instance] = max(
                worst.get((run_curves.problem_class, instance), -math.inf), first
            )
    starts = {
        instance_key: _compute_start_precision(log, instance_key, optimum)
        for instance_key, optimum in optima.items()
    }
    unknown = [instance_key for instance_key, value in starts.items() if not math.isfinite(value)]
    return {**starts, **{instance_key: worst[instance_key] for instance_key in unknown}}, len(
        unknown
    )


def _compute_start_precision(log: Log, instance_key: ProblemInstance, optimum: float) -> float:
    """Evaluate the suite's initial solution, and return its precision.

    Return NaN if this installation does not have the problem of the log, or if the initial
    solution is infeasible.
    """
    (suite, function, dimension), instance = instance_key
    try:
        if definition(suite).version != log.suites[suite].version:
            return math.nan
        problem = problem_of(suite, function, dimension, instance)
    except FirsthitError:
        return math.nan
    start, computed_optimum = problem.initial_solution, problem.reference_value
    tolerance = _TOLERANCE_OF_OPTIMUM
    is_same_problem = math.isclose(
        computed_optimum, optimum, rel_tol=tolerance, abs_tol=tolerance
    ) or (math.isnan(computed_optimum) and math.isnan(optimum))
    if not is_same_problem or not problem.is_feasible(start):
        return math.nan
    return float(problem(start)) - (0.0 if math.isnan(optimum) else optimum)


def _curves_by_algorithm(data: Sequence[RunCurves], limit: float) -> dict[str, CurvesByRun]:
    """Return the curves of each algorithm up to ``limit`` evaluations."""
    curves_by_algorithm: dict[str, CurvesByRun] = {}
    for run_curves in data:
        repetitions: Counter[int] = Counter()
        curves = curves_by_algorithm.setdefault(run_curves.algorithm, {})
        for instance, (evaluations, precision) in zip(
            run_curves.instances.tolist(), run_curves.curves, strict=True
        ):
            is_within = evaluations <= limit
            curves[run_curves.problem_class, instance, repetitions[instance]] = (
                evaluations[is_within],
                precision[is_within],
            )
            repetitions[instance] += 1
    return curves_by_algorithm


def _find_lowest_precisions(
    curves: Mapping[str, CurvesByRun], problems: Sequence[RunOfInstance], reference: Best
) -> dict[ProblemInstance, float]:
    """Return the precision of ``f_L`` on each instance; inf where no run has a value."""
    best: dict[ProblemInstance, float] = {}
    for problem_class, instance, run in problems:
        precisions = [
            curves_of_algorithm[problem_class, instance, run][1]
            for curves_of_algorithm in curves.values()
            if (problem_class, instance, run) in curves_of_algorithm
        ]
        last_precisions = [precision[-1] for precision in precisions if precision.size]
        lowest = min([best.get((problem_class, instance), math.inf), *last_precisions])
        best[problem_class, instance] = 0.0 if reference == "optimum" else float(lowest)
    return best


def _find_passing_precisions(start: float, lowest: float, tolerances: Floats) -> Floats:
    """Return the largest precision that passes the test, for each tolerance.

    It is -inf, which no run reaches, where x0 or all runs have no finite value.
    """
    if not math.isfinite(start) or not math.isfinite(lowest):
        return np.full(len(tolerances), -np.inf)
    return lowest + tolerances * (start - lowest)


def _find_times(
    curves: CurvesByRun, problems: Sequence[RunOfInstance], bounds: Mapping[ProblemInstance, Floats]
) -> Floats:
    """Return the evaluations until the runs of one algorithm passed; see `SolutionTimes`."""
    times = np.full((len(problems), len(next(iter(bounds.values()), ()))), np.nan)
    for i, (problem_class, instance, run) in enumerate(problems):
        if (problem_class, instance, run) in curves:
            evaluations, precision = curves[problem_class, instance, run]
            # precisions descend along a curve, but searchsorted needs ascending numbers
            row = np.searchsorted(-precision, -bounds[problem_class, instance])
            times[i] = np.append(evaluations, np.inf)[row]
    return times


def _make_notes(n_assumed: int, n_left_out: int) -> tuple[str, ...]:
    """Return notes on problems without a value at x0, and on runs that are left out."""
    notes = []
    if n_assumed:
        notes.append(
            f"f(x0): unknown on {n_assumed} problems; the worst first finite value of all runs is "
            "used."
        )
    if n_left_out:
        notes.append(
            f"surplus runs: {n_left_out} on instances where another algorithm has fewer; left out, "
            "but --unequal (unequal=True) uses all runs."
        )
    return tuple(notes)
