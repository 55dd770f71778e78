"""Which problems an indicator takes: how many objectives, with constraints or without."""

from __future__ import annotations

from ...suites import Problem
from ..errors import ObservationError

_OBJECTIVES = {1: "one objective", 2: "two objectives"}


def check_takes(problem: Problem, indicator: str, objectives: int, constraints: bool) -> None:
    """Refuse a problem that an indicator cannot measure.

    Args:
        problem: What is optimized.
        indicator: Name of the indicator, for the message.
        objectives: How many it takes.
        constraints: Whether it takes any.

    Raises:
        ObservationError: The problem has another number of objectives, or constraints that the
            indicator does not take.
    """
    there_are = problem.number_of_constraints
    if problem.number_of_objectives == objectives and (constraints or not there_are):
        return
    takes = _OBJECTIVES[objectives] + ("" if constraints else " without constraints")
    has = _OBJECTIVES.get(
        problem.number_of_objectives, f"{problem.number_of_objectives} objectives"
    )
    if there_are:
        has += f" and {there_are} constraint{'s' * (there_are > 1)}"
    raise ObservationError(f"indicator {indicator!r} takes {takes}; {problem.id} has {has}")
