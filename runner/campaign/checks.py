"""Checks before any run: do optimizers, problems and indicators fit each other?

Only built-in optimizers are refused: nobody knows what a user's own makes of its problem.
Integer variables are no reason to refuse: problems round what they are given. Of problems that are
named, the first of each suite stands for all. Where making one fails, its run says so.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter

from ...loggers.indicators.registry import make_indicator
from ...loggers.records.identity import check_name
from ...suites import FirsthitError, Problem
from ...suites.facts import ProblemId
from ...suites.suite import definition
from ..errors import OptimizerError
from ..optimizers.adapters.built_in import BuiltIn
from ..optimizers.adapters.penalized import PARAMETER
from ..optimizers.resolve import BUILT_IN, OptimizerRef, resolve_optimizer
from .campaign import RunRules, RunSpec, SuiteChoice, named_problem

_NAMED = 3
_IN_WORDS = {1: "one objective", 2: "two objectives"}
_FOR_ONE = "scipy:Nelder-Mead, cma:CMA-ES or random-search"
_FOR_TWO = "pymoo:NSGA2, comocma:COMO-CMA-ES, optuna:TPE or random-search"
_FOR_BITS = "bits:OnePlusOneEA, bits:GA, nevergrad:DiscreteOnePlusOne or random-search"
_LISTED = "('firsthit optimizers' lists all)"
_EXAMPLES = "scipy:COBYQA, scipy:SLSQP, cma:CMA-ES, optuna:TPE or pymoo:GA"


def check_fit(
    refs: Iterable[OptimizerRef], problems: Sequence[Problem | ProblemId], rules: RunRules
) -> None:
    """Import optimizers, and see that runs of them on these problems can be made and logged."""
    for ref in refs:
        check_name(ref.name, "algorithm")
        check_call(ref, rules)
        check_restarts(ref, rules)
        check_problems(ref, problems)
    check_indicator(rules.indicator, problems)


def check_call(ref: OptimizerRef, rules: RunRules) -> None:
    """Raise where an optimizer cannot be called, never ends, or evaluations have no duration."""
    if rules.parallel is not None:
        rules.parallel.law()
    optimizer = resolve_optimizer(ref, rules.parallel is not None)
    if optimizer.needs_budget and rules.budget is None and rules.timeout_seconds is None:
        raise OptimizerError(f"optimizer {ref.name!r} never ends by itself; give a budget")


def check_restarts(ref: OptimizerRef, rules: RunRules) -> None:
    """Raise OptimizerError where restarts are to multiply what an optimizer does not have."""
    rules.restarts_of(ref).check(ref.name, ref.parameters, rules.budget is not None)


def first_problems(suites: Iterable[SuiteChoice]) -> list[ProblemId]:
    """The first problem of each suite, of those that can be made."""
    found: list[ProblemId] = []
    for choice in suites:
        with suppress(FirsthitError):  # said where the suites are read
            found += itertools.islice(choice.suite().identities(), 1)
    return found


def check_indicator(indicator: str | None, problems: Iterable[Problem | ProblemId]) -> None:
    """Raise where an indicator, None for each suite's own, does not fit a problem."""
    for sample in samples(problems):
        # firsthit's own suites name indicators that fit
        problem = None if indicator is None and is_of_firsthit(sample) else problem_or_none(sample)
        if problem is not None:
            make_indicator(indicator or problem.measurement.indicator, problem)


def note_on_unknown_optima(runs: Sequence[RunSpec]) -> str | None:
    """The sentence on problems without an optimal value; None where there are none.

    Of problems given, all are looked at; of a user's suite, the first of each function. An
    indicator that was asked for has a reference of its own: then nothing is looked at.
    """
    problems = (run.problem for run in runs if run.rules.indicator is None)
    looked_at = [
        problem_or_none(sample)
        for sample in samples(problems, group_key=attrgetter("suite", "function"))
        if not is_of_firsthit(sample)
    ]
    unknown = [
        problem.id
        for problem in looked_at
        if problem is not None and math.isnan(problem.reference_value)
    ]
    if not unknown:
        return None
    return (
        f"no optimal value is known of {', '.join(unknown[:_NAMED])}"
        f"{', …' if len(unknown) > _NAMED else ''}: targets do not apply there, and only questions "
        "without targets, such as fixed budgets, are answered; problem_from(..., "
        "reference_value=...) takes the best value known"
    )


def samples(
    problems: Iterable[Problem | ProblemId],
    group_key: Callable[[ProblemId], object] = attrgetter("suite"),
) -> Iterator[Problem | ProblemId]:
    """Each problem that is given, and the first that is named of each group; they stand for all."""
    seen: set[object] = set()
    for problem in problems:
        key = problem if isinstance(problem, Problem) else group_key(problem)
        if key not in seen:
            seen.add(key)
            yield problem


def problem_or_none(problem: Problem | ProblemId) -> Problem | None:
    """The problem that is given or named; None where making it fails: then its run reports it."""
    if isinstance(problem, Problem):
        return problem
    with suppress(Exception):
        return named_problem(problem)
    return None


def is_of_firsthit(problem: Problem | ProblemId) -> bool:
    """Whether a problem is named, and of a suite of firsthit's own."""
    return isinstance(problem, ProblemId) and definition(problem.suite).is_built_in


def check_problems(ref: OptimizerRef, problems: Iterable[Problem | ProblemId]) -> None:
    """Raise OptimizerError where a built-in one would ignore what a problem or a suite has."""
    built_in = BUILT_IN.get(ref.use) if isinstance(ref.use, str) else None
    if built_in is None:
        return
    for sample in samples(problems):
        _check(ref, built_in, sample)


def _demands(sample: Problem | ProblemId) -> tuple[bool, int, bool]:
    """Whether there are constraints, how many objectives, and whether variables are bits."""
    constrained, objectives, binary = False, 1, False
    if isinstance(sample, ProblemId):
        suite = definition(sample.suite)
        constrained, objectives, binary = suite.constrained, suite.objectives, suite.binary
    problem = None if is_of_firsthit(sample) else problem_or_none(sample)
    if problem is None:
        return constrained, objectives, binary
    return (
        constrained or problem.number_of_constraints > 0,
        max(objectives, problem.number_of_objectives),
        binary or problem.is_binary,
    )


def _check(ref: OptimizerRef, built_in: BuiltIn, sample: Problem | ProblemId) -> None:
    constrained, objectives, binary = _demands(sample)
    where = f"problem {sample.id!r}" if isinstance(sample, Problem) else f"suite {sample.suite!r}"
    if objectives not in built_in.objectives:
        takes, has = _IN_WORDS[built_in.objectives[0]], _IN_WORDS[objectives]
        others = _FOR_TWO if objectives == 2 else _FOR_ONE
        raise OptimizerError(
            f"optimizer {ref.name!r} takes {takes}, {where} has {has}; use one that takes "
            f"{has}, such as {others} {_LISTED}, or one of your own"
        )
    if binary and built_in.bits == "no":
        raise OptimizerError(
            f"optimizer {ref.name!r} takes real vectors, the variables of {where} are bits; use "
            f"one that takes bits, such as {_FOR_BITS} {_LISTED}, or one of your own"
        )
    if not binary and built_in.bits == "only":
        raise OptimizerError(
            f"optimizer {ref.name!r} takes bits, the variables of {where} are none; use one that "
            f"takes them, such as {_FOR_ONE} {_LISTED}, or one of your own"
        )
    if built_in.constraints or not constrained:
        return
    penalty = ref.parameters.get(PARAMETER)
    if penalty is None:
        raise OptimizerError(
            f"optimizer {ref.name!r} does not know constraints, {where} has them; use one "
            f"that does, such as {_EXAMPLES} {_LISTED}, or give its parameter 'penalty', a "
            "weight such as 100, to optimize the penalized objective"
        )
    if isinstance(penalty, bool | str) or not 0 < penalty < math.inf:
        raise OptimizerError(
            f"optimizer {ref.name!r}: penalty must be a number > 0; got {penalty!r}", PARAMETER
        )
