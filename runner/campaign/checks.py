"""What is looked at before any run: whether optimizers, problems and indicators fit each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from operator import attrgetter

from ...loggers.indicators.registry import make_indicator
from ...loggers.records.identity import check_name
from ...suites import FirsthitError, Problem, ProblemId
from ..errors import OptimizerError
from ..optimizers.resolve import OptimizerRef, resolve_optimizer
from ..optimizers.suitability import check_problems, is_of_firsthit, made, samples
from .campaign import RunRules, RunSpec, SuiteChoice

_NAMED = 3


def check_fit(
    refs: Iterable[OptimizerRef], problems: Sequence[Problem | ProblemId], rules: RunRules
) -> None:
    """Import optimizers, and see that runs of them on these problems can be made and logged.

    Args:
        refs: The optimizers.
        problems: Of those that are named, the first of each suite stands for all.
        rules: Of all runs.

    Raises:
        OptimizerError: One cannot be called with its parameters, never ends, or does not fit a
            problem; or restarts are to multiply what it does not have.
        FirsthitError: Its name cannot stand in a log, or the indicator does not fit a problem.
    """
    for ref in refs:
        check_name(ref.name, "algorithm")
        check_call(ref, rules)
        check_restarts(ref, rules)
        check_problems(ref, problems)
    check_indicator(rules.indicator, problems)


def check_call(ref: OptimizerRef, rules: RunRules) -> None:
    """Raise OptimizerError where an optimizer cannot be called as given, or never ends."""
    optimizer = resolve_optimizer(ref)
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
    """Raise where an indicator does not fit a problem.

    Args:
        indicator: Its name; None: each suite's own, which fits where the suite is firsthit's.
        problems: What it is to measure; of problems that are named, the first of each suite stands
            for all. Where making it fails, its run says so.

    Raises:
        ObservationError: It takes another number of objectives, or no constraints.
        UnknownNameError: Nobody registered it.
    """
    for one in samples(problems):
        problem = None if indicator is None and is_of_firsthit(one) else made(one)
        if problem is not None:
            make_indicator(indicator or problem.measurement.indicator, problem)


def note_on_unknown_optima(runs: Sequence[RunSpec]) -> str | None:
    """The sentence on problems without an optimal value; None where there are none.

    Of problems given, all are looked at; of a user's suite, the first of each function. An
    indicator that was asked for has a reference of its own: then nothing is looked at.
    """
    problems = (run.problem for run in runs if run.rules.indicator is None)
    looked_at = [
        made(one)
        for one in samples(problems, of=attrgetter("suite", "function"))
        if not is_of_firsthit(one)
    ]
    unknown = [one.id for one in looked_at if one is not None and math.isnan(one.reference_value)]
    if not unknown:
        return None
    return (
        f"no optimal value is known of {', '.join(unknown[:_NAMED])}"
        f"{', …' if len(unknown) > _NAMED else ''}: targets do not apply there, and only questions "
        "without targets, such as fixed budgets, are answered; problem_from(..., "
        "reference_value=...) takes the best value known"
    )
