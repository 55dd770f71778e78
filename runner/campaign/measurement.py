"""Whether runs can be measured, by an indicator and from an optimum; looked at before any run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import attrgetter

from ...loggers.indicators.registry import make_indicator
from ...suites import Problem, ProblemId
from ..optimizers.suitability import is_of_firsthit, made, samples
from .campaign import RunSpec

_NAMED = 3


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
