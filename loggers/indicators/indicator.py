"""The interface of indicators, and the check of the problems that an indicator takes."""

from __future__ import annotations

from typing import ClassVar

from ...suites import Problem
from ...suites.arrays import Floats
from ..errors import ObservationError
from ..targets.grid import POSITIVE, SIGNED, TargetGrid

_OBJECTIVE_TEXTS = {1: "one objective", 2: "two objectives"}


class Indicator:
    """Base class of quality indicators: the number of a run that is minimized, and its targets.

    A subclass defines ``__init__(self, problem)`` and `measure`. `register_indicator` gives it a
    name. The observed problem makes one indicator for each run. It calls the indicator for one
    evaluation or one batch at a time, in the order in which evaluations are recorded. An exception
    of the indicator is raised into the algorithm. If both ``is_the_value`` and
    ``is_at_least_the_value`` are False, the indicator depends on earlier evaluations, so the
    exception also ends the run.

    Attributes:
        name: Name by which the indicator is registered.
        grid: The targets whose first hits are recorded. Default: ``Indicator.positive_targets``,
            20 per decade from 1e-8 upwards. An indicator that may fall below the reference value
            needs ``grid = Indicator.signed_targets``, which also contain 0 and negative targets.
        is_the_value: Whether the indicator is the objective's value itself. ``measure`` is then
            never called. Default: False.
        is_at_least_the_value: Whether the indicator is never below the objective's value.
            ``measure`` is then called only for values below the best one so far. Default: False.
        takes_measured_values: Whether ``measure`` receives the noisy values that the algorithm
            received, not the true values. ``is_the_value`` and ``is_at_least_the_value`` must then
            be False. Default: False.

    A subclass may define optional members:

    - ``measure_point(x, value)``: method that is called for single points instead of ``measure``,
      and returns the same number as a float. ``x`` has shape ``(dimension,)``.
    - ``may_improve(value)``: method that takes the true value of a single point. The point is
      measured only if it returns True. Default: ``is_at_least_the_value`` decides.
    - ``reference``: float, the indicator's value at which precisions are 0. Default: the problem's
      reference value.
    - ``entered``: int64 of shape ``(m,)``, the positions of the points that entered an archive,
      among the points that were measured last. Default: the indicator has no archive.
    - ``value_at(best)``: method that returns the value of the objective at which the indicator is
      ``best``. Default: the indicator and the objective have the same scale. With this method,
      ``is_at_least_the_value`` compares ``value_at`` of the indicator with the objective's value.
    - ``every_improvement``: bool. If it is True, all improvements are recorded, even if the user
      asked for first hits of targets. Default: False.

    Example:
        >>> import numpy as np
        >>> from firsthit.loggers import Indicator
        >>> class BestInside(Indicator):  # values of points outside of the bounds do not count
        ...     is_at_least_the_value = True
        ...     def __init__(self, problem):
        ...         self.lower, self.upper = problem.lower_bounds, problem.upper_bounds
        ...     def measure(self, points, values):
        ...         is_inside = np.all((self.lower <= points) & (points <= self.upper), axis=1)
        ...         return np.where(is_inside, values, np.inf)
        >>> from firsthit import Suite
        >>> indicator = BestInside(Suite("bbob", functions=1, dimensions=2, instances=1)[0])
        >>> indicator.measure(np.array([[0.0, 0.0], [9.0, 0.0]]), np.array([3.0, 1.0]))
        array([ 3., inf])
    """

    positive_targets: ClassVar[TargetGrid] = POSITIVE
    signed_targets: ClassVar[TargetGrid] = SIGNED
    name: str
    grid: TargetGrid = POSITIVE
    is_the_value: bool = False
    is_at_least_the_value: bool = False
    takes_measured_values: bool = False

    def measure(self, points: Floats, values: Floats) -> Floats:
        """Return the indicator after each of these evaluations.

        Args:
            points: The points just evaluated, shape ``(n, dimension)``. Do not keep or change them.
            values: Their true values, or their noisy values if ``takes_measured_values``; shape
                ``(n,)``, or ``(n, 2)`` with two objectives.

        Returns:
            Shape ``(n,)``. The numbers must not depend on how evaluations are split into batches.
            NaN and infinity never hit a target and are never best.
        """
        raise NotImplementedError(f"{type(self).__name__} must define the method measure")


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
