"""What an indicator is, and which problems one takes."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..errors import ObservationError
from ..targets.grid import TargetGrid

Array = NDArray[np.float64]
_OBJECTIVES = {1: "one objective", 2: "two objectives"}


class Indicator(Protocol):
    """Measures one run. The observed problem makes it and calls it in the order of evaluations.

    An exception may come in between anywhere, as a signal's handler raises it. It passes into the
    algorithm, and the evaluation counts. An indicator that does not depend on the point alone is
    then called again with the same object ``points``, which it never gets for other evaluations,
    and must say what it would have said; while it raises, no further evaluation is made.

    Where it has a method ``measure_point(x, value)``, this is called for single points: ``x`` is an
    array of shape ``(dimension,)``, and what it returns is what ``measure`` would. Where it has a
    method ``may_improve(value)``, it is asked with the true value of a single point, and measures
    this point only if that is not False. Where it has a number ``reference``, precisions are 0
    there, not at the problem's reference value. Where it has an archive, ``entered`` are the
    positions, int64 ``(m,)``, of the points that entered it among those measured last. Where it has
    a method ``value_at(best)``, that is the objective's value where the indicator is ``best``, and
    stands for it in ``is_at_least_the_value``. Where ``every_improvement`` is True, improvements
    are recorded whatever is asked for.
    """

    @property
    def name(self) -> str:
        """By which suites, observers and campaigns choose it."""

    @property
    def grid(self) -> TargetGrid:
        """The targets whose first hits are recorded."""

    @property
    def is_the_value(self) -> bool:
        """Whether it is the objective's value itself: then ``measure`` is never called."""

    @property
    def is_at_least_the_value(self) -> bool:
        """Whether it is never below the objective's value.

        Then ``measure`` is called only for values that are below the best so far.
        """

    @property
    def takes_measured_values(self) -> bool:
        """Whether it is made of what the algorithm was given, noise included, not of true values.

        Then it must not claim to be, or to be never below, the objective's value.
        """

    def measure(self, points: Array, values: Array) -> Array:
        """The indicator after each of these evaluations.

        Args:
            points: Shape ``(n, dimension)``, the points just evaluated; not to be kept or changed.
            values: What they are worth, without noise unless it ``takes_measured_values``; shape
                ``(n,)``, or ``(n, 2)`` with two objectives.

        Returns:
            Shape ``(n,)``. It must not depend on how evaluations are split into batches. NaN and
            infinity never hit a target and are never best.
        """


def check_takes(problem: Problem, indicator: str, objectives: int, constraints: bool) -> None:
    """Refuse a problem with another number of objectives, or with constraints not taken."""
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
