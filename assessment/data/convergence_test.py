"""When runs pass the convergence test of Moré and Wild, for data and performance profiles.

Moré, Wild, "Benchmarking derivative-free optimization algorithms" (2009), SIAM J. Optim. 20(1),
equation 2.2: a run passes at its first x with ``f(x0) - f(x) >= (1 - tau) (f(x0) - f_L)``.
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
from ..statistics.quantiles import Floats
from ..tables.table import Value
from ..targets.budgets import one_budget
from ..targets.parse import numbers_of
from ..targets.target_sets import Cell, allows_restarts
from .counting import axis_of
from .grouping import by_dimension
from .notes import basis
from .run_curves import RunCurves
from .runs import Runs
from .selection import measurement_of

if TYPE_CHECKING:
    from ...loggers import Log

Best = Literal["best", "optimum"]
Place = tuple[Cell, int]
"""Suite, function and dimension; and instance: one objective function."""
Problem = tuple[Cell, int, int]
"""Besides, which of an algorithm's runs on it, from 0."""
Curves = dict[Problem, tuple[Floats, Floats]]
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Passed:
    """Evaluations until the runs of algorithms passed the test, in one suite and dimension.

    ``times`` are those of each algorithm, ``(n_problems, n_tolerances)``: inf where a run did not
    pass within the budget, NaN where there is no such run. A problem is a function, an instance,
    and which of the runs on it; a row is the same problem for all algorithms.
    """

    suite: str
    dimension: int
    tolerances: Floats
    times: Mapping[str, Floats]


def parse_tolerances(value: str | float | Iterable[float]) -> tuple[float, ...]:
    """Tolerances between 0 and 1, the largest first, each once.

    >>> parse_tolerances("1e-3, 0.1")
    (0.1, 0.001)
    """
    refusal = "tau: {!r} is no number between 0 and 1; give such as 1e-1,1e-3"
    found = numbers_of(value, lambda number: 0 < number < 1, refusal)
    if not found:
        raise AssessmentError("tau: none given; give numbers between 0 and 1, such as 1e-1,1e-3")
    return tuple(reversed(found))


def passed(
    runs: Runs,
    tau: str | float | Iterable[float],
    budget: float | str | None,
    reference: str,
) -> tuple[list[Passed], tuple[str, ...]]:
    """When runs pass the test, by suite and dimension; and sentences on what that rests on.

    What comes after ``budget`` does not count; ``f_L`` is the ``"best"`` value of all these
    runs within it, or the ``"optimum"``.
    """
    if reference not in get_args(Best):
        raise UnknownNameError.of("reference value", reference, get_args(Best))
    tolerances = np.array(parse_tolerances(tau))
    limit_budget = None if budget is None else one_budget(budget)
    unit = axis_of("evaluations", runs.count)
    runs = runs.common()
    data = list(runs.curves("evaluations"))
    _check(runs.log, data, reference)
    starts, assumed = _starts(runs, data)
    found, left = [], 0
    for (suite, dimension), own in sorted(by_dimension(data).items()):
        limit = math.inf if limit_budget is None else limit_budget.on(unit, dimension) * (1 + 1e-12)
        curves = _by_algorithm(own, limit)
        problems = sorted(_problems(curves, runs.unequal))
        left += sum(len(set(curves_here) - set(problems)) for curves_here in curves.values())
        if not problems:
            continue
        best = _best(curves, problems, reference)
        bounds = {p: _bounds(starts[p], lowest, tolerances) for p, lowest in best.items()}
        times = {
            name: _times(curves_here, problems, bounds) for name, curves_here in curves.items()
        }
        found.append(Passed(suite, dimension, tolerances, times))
    if not found:
        raise AssessmentError(
            "the algorithms have no instance in common; choose algorithms, or show each on what it "
            "was run (--unequal, unequal=True)"
        )
    return found, (*runs.notes, *_notes(data, reference, budget is not None, assumed, left))


def steps(times: Floats, end: float) -> tuple[Floats, Floats]:
    """Where the share of problems that were solved grows, and the share from there on.

    Times are inf where a problem was not solved, NaN where it does not count.
    """
    solved = times[np.isfinite(times)]
    at = np.unique(np.append(solved, end))
    return at, np.searchsorted(np.sort(solved), at, side="right") / (~np.isnan(times)).sum()


def profile_rows(
    found: Passed, times: Mapping[str, Floats], least: float
) -> list[list[Value | Floats]]:
    """``algorithm, suite, dimension, tau``, and `steps` as two arrays.

    All curves go on to the largest of all numbers in ``times``, or to ``least``.
    """
    solved = np.concatenate([column[np.isfinite(column)] for column in times.values()])
    end = float(solved.max(initial=least))
    return [
        [name, found.suite, found.dimension, tau, *steps(times[name][:, j], end)]
        for j, tau in enumerate(found.tolerances.tolist())
        for name in sorted(times)
    ]


def _check(log: Log, data: Sequence[RunCurves], reference: str) -> None:
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


def _starts(runs: Runs, data: Sequence[RunCurves]) -> tuple[dict[Place, float], int]:
    """Precision at x0 of each place; and of how many it is the worst first value of the runs."""
    log, rows = runs.log, runs.rows
    names = ("suite", "function", "dimension", "instance", "reference_value")
    optima: dict[Place, float] = {
        ((suite, function, dimension), instance): optimum
        for suite, function, dimension, instance, optimum in zip(
            *(log.runs[name][rows].tolist() for name in names), strict=True
        )
    }
    worst: dict[Place, float] = {}
    for cell in data:
        for instance, (_, precision) in zip(cell.instances.tolist(), cell.curves, strict=True):
            first = float(precision[0]) if precision.size else -math.inf
            worst[cell.cell, instance] = max(worst.get((cell.cell, instance), -math.inf), first)
    starts = {place: _at_start(log, place, optimum) for place, optimum in optima.items()}
    unknown = [place for place, value in starts.items() if not math.isfinite(value)]
    return {**starts, **{place: worst[place] for place in unknown}}, len(unknown)


def _at_start(log: Log, place: Place, optimum: float) -> float:
    """Precision at the suite's initial solution; NaN where the problem here is not the log's."""
    (suite, function, dimension), instance = place
    try:
        if definition(suite).version != log.suites[suite].version:
            return math.nan
        problem = problem_of(suite, function, dimension, instance)
    except FirsthitError:
        return math.nan
    start, known = problem.initial_solution, problem.reference_value
    same = math.isclose(known, optimum, rel_tol=_SAME, abs_tol=_SAME) or (
        math.isnan(known) and math.isnan(optimum)
    )
    if not same or not problem.is_feasible(start):
        return math.nan
    return float(problem(start)) - (0.0 if math.isnan(optimum) else optimum)


def _by_algorithm(data: Sequence[RunCurves], limit: float) -> dict[str, Curves]:
    """The curves of each algorithm up to a number of evaluations, by problem."""
    found: dict[str, Curves] = {}
    for cell in data:
        seen: Counter[int] = Counter()
        curves = found.setdefault(cell.algorithm, {})
        for instance, (evaluations, precision) in zip(
            cell.instances.tolist(), cell.curves, strict=True
        ):
            within = evaluations <= limit
            curves[cell.cell, instance, seen[instance]] = evaluations[within], precision[within]
            seen[instance] += 1
    return found


def _problems(curves: Mapping[str, Curves], unequal: bool) -> set[Problem]:
    """Those of all algorithms; with ``unequal`` those of any."""
    each = [set(own) for own in curves.values()]
    return set.union(*each) if unequal else set.intersection(*each)


def _best(
    curves: Mapping[str, Curves], problems: Sequence[Problem], reference: str
) -> dict[Place, float]:
    """``f_L`` of each place, as precision; inf where no run has a value."""
    best: dict[Place, float] = {}
    for cell, instance, run in problems:
        known = [own[cell, instance, run][1] for own in curves.values()
                 if (cell, instance, run) in own]  # fmt: skip
        lowest = min([best.get((cell, instance), math.inf), *(p[-1] for p in known if p.size)])
        best[cell, instance] = 0.0 if reference == "optimum" else float(lowest)
    return best


def _bounds(start: float, lowest: float, tolerances: Floats) -> Floats:
    """The precision that passes, of each tolerance; none does where no run has a value."""
    if not math.isfinite(start) or not math.isfinite(lowest):
        return np.full(len(tolerances), -np.inf)
    return lowest + tolerances * (start - lowest)


def _times(curves: Curves, problems: Sequence[Problem], bounds: Mapping[Place, Floats]) -> Floats:
    """Evaluations until each problem was solved; see `Passed`."""
    times = np.full((len(problems), len(next(iter(bounds.values()), ()))), np.nan)
    for i, (cell, instance, run) in enumerate(problems):
        if (cell, instance, run) in curves:
            evaluations, precision = curves[cell, instance, run]
            # precisions fall along a curve: the first that is low enough
            first = np.searchsorted(-precision, -bounds[cell, instance])
            times[i] = np.append(evaluations, np.inf)[first]
    return times


def _notes(
    data: Sequence[RunCurves], reference: str, has_budget: bool, assumed: int, left: int
) -> tuple[str, ...]:
    within = " within the budget" if has_budget else ""
    notes = [
        "solved: f(x0) - f >= (1 - tau) (f(x0) - f_L), with x0 the initial solution of the suite "
        + (
            "and f_L the optimum."
            if reference == "optimum"
            else f"and f_L the best value of all algorithms here{within}: another algorithm may "
            "change the numbers of all."
        )
    ]
    if assumed:
        notes.append(
            f"on {assumed} problems no value at an initial solution is to be had: f(x0) is the "
            "worst first value of all runs there."
        )
    if left:
        notes.append(
            f"{left} runs are left out: another algorithm has fewer runs on the instance. "
            "--unequal (unequal=True) shows all."
        )
    runs, exact = sum(len(cell.curves) for cell in data), sum(cell.has_all for cell in data)
    notes.append(
        "all numbers are exact: the logs hold every improvement."
        if runs == exact
        else f"{runs - exact} of {runs} runs may have solved earlier: their logs hold first hits "
        "of targets, not every improvement (record: improvements)."
    )
    convention = (
        "a problem is a function, an instance, and which of the runs on it; each weighs the same"
    )
    return (*notes, *basis(data, convention))
