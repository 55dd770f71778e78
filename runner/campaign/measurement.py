"""Whether runs can be measured by the indicator that is asked for; looked at before any run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from ...loggers.indicators.registry import make_indicator
from ...suites import Problem, ProblemId, definition, problem_of


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
    for problem in _made(problems, indicator is not None):
        make_indicator(indicator or problem.measurement.indicator, problem)


def _made(problems: Iterable[Problem | ProblemId], also_built_in: bool) -> Iterator[Problem]:
    seen: set[str] = set()
    for one in problems:
        if isinstance(one, Problem):
            yield one
        elif one.suite not in seen:
            seen.add(one.suite)
            if also_built_in or not definition(one.suite).is_built_in:
                problem = None
                with suppress(Exception):
                    problem = problem_of(one.suite, one.function, one.dimension, one.instance)
                if problem is not None:
                    yield problem
