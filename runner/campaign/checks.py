"""Check before the first run whether optimizers, problems and indicators fit each other.

`check_fit` makes all checks. The other functions make one check each, so that the reader of
campaign files can report the position of each error.

- A built-in optimizer is refused if it cannot handle the objectives, constraints or bits of a
  problem. Other optimizers are not refused, because their abilities are unknown.
- No optimizer is refused because of integer variables, because problems round them.
- Only one problem of each suite is checked, because the problems of a suite have the same
  properties.
- A problem that cannot be made is not checked here. The run on this problem reports the error.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import NamedTuple

from ...loggers.indicators.registry import make_indicator
from ...loggers.records.dtypes import count_point_bytes
from ...loggers.records.identity import check_name
from ...suites import FirsthitError, Problem
from ...suites.facts import ProblemId
from ...suites.suite import definition
from ..errors import OptimizerError
from ..optimizers.adapters.built_in import BuiltIn
from ..optimizers.adapters.penalized import PARAMETER
from ..optimizers.resolve import BUILT_IN, OptimizerRef, resolve_optimizer
from .campaign import RunRules, RunSpec, SuiteChoice, named_problem

_MAX_LISTED = 3
"""Maximum number of problems that a note lists."""
_OBJECTIVES = {1: "one objective", 2: "two objectives"}
# Examples of built-in optimizers that error messages suggest.
_FOR_ONE_OBJECTIVE = "scipy:Nelder-Mead, cma:CMA-ES or random-search"
_FOR_TWO_OBJECTIVES = "pymoo:NSGA2, comocma:COMO-CMA-ES, optuna:TPE or random-search"
_FOR_BITS = "bits:OnePlusOneEA, bits:GA, nevergrad:DiscreteOnePlusOne or random-search"
_FOR_CONSTRAINTS = "scipy:COBYQA, scipy:SLSQP, cma:CMA-ES, optuna:TPE or pymoo:GA"
_LIST_HINT = "('firsthit optimizers' lists all)"


def check_fit(
    refs: Iterable[OptimizerRef], problems: Sequence[Problem | ProblemId], rules: RunRules
) -> None:
    """Import optimizers, and check that their runs on these problems can be made and logged.

    Args:
        refs: The optimizers.
        problems: The problems: `Problem` objects, or identities of problems of registered suites.
        rules: Rules of the runs. The checks use budget, restarts, time limit, simulated parallel
            evaluation and indicator.

    Raises:
        FirsthitError: An optimizer, its name, a parameter or the indicator cannot be used.
    """
    for ref in refs:
        check_name(ref.name, "algorithm")
        check_call(ref, rules)
        check_restarts(ref, rules)
        check_problems(ref, problems)
    check_indicator(rules.indicator, problems)


def check_call(ref: OptimizerRef, rules: RunRules) -> None:
    """Import an optimizer, and check that it can be called and that its runs will end.

    Args:
        ref: The optimizer.
        rules: Rules of the runs. The check uses budget, time limit and simulated parallel
            evaluation.

    Raises:
        FirsthitError: The optimizer cannot be called, or the duration of evaluations is invalid.
        OptimizerError: The optimizer never ends by itself, and there is no budget or time limit.
    """
    if rules.parallel is not None:
        rules.parallel.law()  # raises an error if the duration cannot be imported
    optimizer = resolve_optimizer(ref, rules.parallel is not None)
    if optimizer.needs_budget and rules.budget is None and rules.timeout_seconds is None:
        raise OptimizerError(f"optimizer {ref.name!r} never ends by itself; give a budget")


def check_restarts(ref: OptimizerRef, rules: RunRules) -> None:
    """Check that the restart scheme of an optimizer can be applied.

    Restarts may multiply parameters of the optimizer. These parameters need a number as the value
    for the first start.

    Args:
        ref: The optimizer, with its parameters.
        rules: Rules of the runs. The check uses restarts and budget.

    Raises:
        OptimizerError: The value of a multiplied parameter is missing or is not a number, or there
            is neither a budget nor a maximum number of restarts.
    """
    rules.restarts_of(ref).check(ref.name, ref.parameters, rules.budget is not None)


def check_problems(ref: OptimizerRef, problems: Iterable[Problem | ProblemId]) -> None:
    """Check that a built-in optimizer can optimize these problems.

    Args:
        ref: The optimizer. An optimizer that is not built in passes the check.
        problems: The problems: `Problem` objects, or identities of problems of registered suites.

    Raises:
        OptimizerError: The optimizer cannot handle the number of objectives, the constraints or the
            type of the variables of a problem.
    """
    built_in = BUILT_IN.get(ref.use) if isinstance(ref.use, str) else None
    if built_in is None:
        return
    for sample in choose_samples(problems):
        _check_problem(ref, built_in, sample)


def check_indicator(indicator: str | None, problems: Iterable[Problem | ProblemId]) -> None:
    """Check that an indicator can measure these problems.

    Args:
        indicator: Name of the indicator. None: the indicator of each suite.
        problems: The problems: `Problem` objects, or identities of problems of registered suites.

    Raises:
        FirsthitError: The indicator does not fit a problem.
    """
    for sample in choose_samples(problems):
        if indicator is None and is_of_firsthit(sample):
            continue  # the indicators of firsthit's own suites fit their problems
        problem = problem_or_none(sample)
        if problem is not None:
            make_indicator(indicator or problem.measurement.indicator, problem)


def first_problems(suites: Iterable[SuiteChoice]) -> list[ProblemId]:
    """Return the identity of the first problem of each suite; skip suites that cannot be made."""
    problems: list[ProblemId] = []
    for choice in suites:
        with suppress(FirsthitError):  # the reader of the suites has reported this error
            problems += itertools.islice(choice.suite().identities(), 1)
    return problems


def note_on_unknown_optima(runs: Sequence[RunSpec]) -> str | None:
    """Return a note that lists problems without a reference value; None if all have one.

    One problem of each function is checked. Problems of firsthit's own suites are not checked, and
    neither are runs whose rules name an indicator, because they have a reference value.
    """
    problems = (run.problem for run in runs if run.rules.indicator is None)
    checked_problems = [
        problem_or_none(sample)
        for sample in choose_samples(problems, group_key=attrgetter("suite", "function"))
        if not is_of_firsthit(sample)
    ]
    unknown = [
        problem.id
        for problem in checked_problems
        if problem is not None and math.isnan(problem.reference_value)
    ]
    if not unknown:
        return None
    return (
        f"no optimal value is known of {', '.join(unknown[:_MAX_LISTED])}"
        f"{', …' if len(unknown) > _MAX_LISTED else ''}: targets do not apply there, and only "
        "questions without targets, such as fixed budgets, are answered; problem_from(..., "
        "reference_value=...) takes the best value known"
    )


def compute_point_bytes(runs: Sequence[RunSpec]) -> int:
    """Compute the maximum size of all points that runs record, in bytes before compression.

    It is the sum of the limits of the runs. A run with a small budget counts with the size of the
    points of all its evaluations instead.
    """
    total = 0
    for run in runs:
        choice, dimension = run.rules.record_points, run.problem_id.dimension
        if choice is None:
            continue
        counts = [run.budget_evaluations, choice.count_evaluations(dimension)]
        n_points = min((count for count in counts if count is not None), default=None)
        limit = run.rules.max_point_bytes
        total += limit if n_points is None else min(limit, n_points * count_point_bytes(dimension))
    return total


def choose_samples(
    problems: Iterable[Problem | ProblemId],
    group_key: Callable[[ProblemId], object] = attrgetter("suite"),
) -> Iterator[Problem | ProblemId]:
    """Yield the problems that are checked: all `Problem` objects, and one identity of each group.

    Args:
        problems: The problems: `Problem` objects, or identities of problems of registered suites.
        group_key: Function that returns the group of an identity. Default: its suite.
    """
    seen_keys: set[object] = set()
    for problem in problems:
        key = problem if isinstance(problem, Problem) else group_key(problem)
        if key not in seen_keys:
            seen_keys.add(key)
            yield problem


def problem_or_none(problem: Problem | ProblemId) -> Problem | None:
    """Return a problem, or make the problem with this identity; return None if that fails."""
    if isinstance(problem, Problem):
        return problem
    with suppress(Exception):  # the run on this problem reports the error
        return named_problem(problem)
    return None


def is_of_firsthit(problem: Problem | ProblemId) -> bool:
    """Return whether a problem is given by its identity, and belongs to a suite of firsthit."""
    return isinstance(problem, ProblemId) and definition(problem.suite).is_built_in


class _Properties(NamedTuple):
    """Properties of a problem that some built-in optimizers cannot handle."""

    has_constraints: bool
    n_objectives: int
    is_binary: bool


def _find_properties(sample: Problem | ProblemId) -> _Properties:
    """Return the properties of a problem.

    The properties that its suite declares count, too: a suite declares constraints, for example, if
    some of its problems have them.
    """
    properties = _Properties(False, 1, False)
    if isinstance(sample, ProblemId):
        suite = definition(sample.suite)
        properties = _Properties(suite.constrained, suite.objectives, suite.binary)
    # Problems of firsthit's own suites need not be made, because these suites declare everything.
    problem = None if is_of_firsthit(sample) else problem_or_none(sample)
    if problem is None:
        return properties
    return _Properties(
        properties.has_constraints or problem.number_of_constraints > 0,
        max(properties.n_objectives, problem.number_of_objectives),
        properties.is_binary or problem.is_binary,
    )


def _check_problem(ref: OptimizerRef, built_in: BuiltIn, sample: Problem | ProblemId) -> None:
    """Raise OptimizerError if a built-in optimizer cannot handle a property of a problem."""
    has_constraints, n_objectives, is_binary = _find_properties(sample)
    label = f"problem {sample.id!r}" if isinstance(sample, Problem) else f"suite {sample.suite!r}"
    if n_objectives not in built_in.objectives:
        expected, actual = _OBJECTIVES[built_in.objectives[0]], _OBJECTIVES[n_objectives]
        others = _FOR_TWO_OBJECTIVES if n_objectives == 2 else _FOR_ONE_OBJECTIVE
        raise OptimizerError(
            f"optimizer {ref.name!r} takes {expected}, {label} has {actual}; use one that takes "
            f"{actual}, such as {others} {_LIST_HINT}, or one of your own"
        )
    if is_binary and built_in.bits == "no":
        raise OptimizerError(
            f"optimizer {ref.name!r} takes real vectors, the variables of {label} are bits; use "
            f"one that takes bits, such as {_FOR_BITS} {_LIST_HINT}, or one of your own"
        )
    if not is_binary and built_in.bits == "only":
        raise OptimizerError(
            f"optimizer {ref.name!r} takes bits, the variables of {label} are none; use one that "
            f"takes them, such as {_FOR_ONE_OBJECTIVE} {_LIST_HINT}, or one of your own"
        )
    if built_in.constraints or not has_constraints:
        return
    penalty = ref.parameters.get(PARAMETER)
    if penalty is None:
        raise OptimizerError(
            f"optimizer {ref.name!r} does not know constraints, {label} has them; use one "
            f"that does, such as {_FOR_CONSTRAINTS} {_LIST_HINT}, or give its parameter 'penalty', "
            "a weight such as 100, to optimize the penalized objective"
        )
    if isinstance(penalty, bool | str) or not 0 < penalty < math.inf:
        raise OptimizerError(
            f"optimizer {ref.name!r}: penalty must be a number > 0; got {penalty!r}", PARAMETER
        )
