"""The interface of indicators, and the check of the problems that an indicator takes."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..targets.grid import TargetGrid

Array = NDArray[np.float64]
_OBJECTIVE_TEXTS = {1: "one objective", 2: "two objectives"}


class Indicator(Protocol):
    """Turns the evaluations of one run into one number that falls as the run gets better.

    The observed problem makes one indicator for each run. It calls the indicator for one evaluation
    or one batch at a time, in the order in which evaluations are recorded. An exception of the
    indicator is raised into the algorithm. If both `is_the_value` and `is_at_least_the_value` are
    False, the indicator depends on earlier evaluations, so the exception also ends the run.

    An indicator may have optional members. They are looked up by their names, and a class need not
    define them:

    - ``measure_point(x, value)``: method that is called for single points instead of ``measure``,
      and returns the same number as a float. ``x`` has shape ``(dimension,)``.
    - ``may_improve(value)``: method that takes the true value of a single point. The point is
      measured only if it returns True. Default: `is_at_least_the_value` decides.
    - ``reference``: float, the indicator's value at which precisions are 0. Default: the problem's
      reference value.
    - ``entered``: int64 of shape ``(m,)``, the positions of the points that entered an archive,
      among the points that were measured last. Default: the indicator has no archive.
    - ``value_at(best)``: method that returns the value of the objective at which the indicator is
      ``best``. Default: the indicator and the objective have the same scale. With this method,
      `is_at_least_the_value` compares ``value_at`` of the indicator with the objective's value.
    - ``every_improvement``: bool. If it is True, all improvements are recorded, even if the user
      asked for first hits of targets. Default: False.
    """

    @property
    def name(self) -> str:
        """Name by which suites, observers and campaigns choose the indicator."""

    @property
    def grid(self) -> TargetGrid:
        """The targets whose first hits are recorded."""

    @property
    def is_the_value(self) -> bool:
        """Whether the indicator is the objective's value itself: ``measure`` is never called."""

    @property
    def is_at_least_the_value(self) -> bool:
        """Whether the indicator is never below the objective's value.

        Then ``measure`` is called only for values that are below the best one so far.
        """

    @property
    def takes_measured_values(self) -> bool:
        """Whether it measures the values that the algorithm got, with noise, not the true values.

        Then `is_the_value` and `is_at_least_the_value` must be False.
        """

    def measure(self, points: Array, values: Array) -> Array:
        """Return the indicator after each of these evaluations.

        Args:
            points: The points just evaluated, shape ``(n, dimension)``. Do not keep or change them.
            values: Their true values, or their noisy values if `takes_measured_values`; shape
                ``(n,)``, or ``(n, 2)`` with two objectives.

        Returns:
            Shape ``(n,)``. The numbers must not depend on how evaluations are split into batches.
            NaN and infinity never hit a target and are never best.
        """


def check_takes(problem: Problem, indicator: str, objectives: int, constraints: bool) -> None:
    """Raise ObservationError if an indicator cannot measure a problem.

    Args:
        problem: The problem.
        indicator: Name of the indicator, for the message.
        objectives: The number of objectives that the indicator takes, 1 or 2.
        constraints: Whether the indicator takes problems with constraints.
    """
    n_constraints = problem.number_of_constraints
    if problem.number_of_objectives == objectives and (constraints or not n_constraints):
        return
    takes = _OBJECTIVE_TEXTS[objectives] + ("" if constraints else " without constraints")
    has = _OBJECTIVE_TEXTS.get(
        problem.number_of_objectives, f"{problem.number_of_objectives} objectives"
    )
    if n_constraints:
        has += f" and {n_constraints} constraint{'s' if n_constraints > 1 else ''}"
    raise ObservationError(f"indicator {indicator!r} takes {takes}; {problem.id} has {has}")
