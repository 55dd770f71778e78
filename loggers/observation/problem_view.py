"""What an algorithm is given of its problem.

By COCO's rule (Hansen et al. 2016, arXiv:1603.08776) it may use the dimension, the region, where to
start, and the numbers of objectives and constraints. It must not use the identity, which is there
as loops print it, nor the optimum, which is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem

Vector = NDArray[np.float64]


class ProblemView:
    """The facts of a problem that are given to the algorithm, under ``cocoex``'s names too.

    The problem itself is not handed out, as it knows the optimum. ``rng`` draws start points, or
    makes what does when it is needed. ``index`` is the position of the problem in the loop of its
    observer, from 0; None without a loop.
    """

    __slots__ = ("_initial_solution", "_problem", "_proposals", "_rng", "dimension", "index")

    def __init__(
        self, problem: Problem, rng: np.random.Generator | Callable[[], np.random.Generator]
    ) -> None:
        self._problem = problem
        self.dimension = problem.dimension
        self.index: int | None = None
        self._initial_solution: Vector | None = None
        self._rng = rng
        self._proposals = 0

    @property
    def id(self) -> str:
        """The problem's identifier, ``"bbob_f001_i01_d02"``."""
        return self._problem.id

    @property
    def name(self) -> str:
        """The problem's name, for people: that of ``cocoex``, or else the function's."""
        return self._problem.title

    @property
    def suite(self) -> str:
        """Name of the suite."""
        return self._problem.suite

    @property
    def id_function(self) -> int:
        """The function's number."""
        return self._problem.function

    @property
    def id_instance(self) -> int:
        """The instance's number."""
        return self._problem.instance

    @property
    def number_of_variables(self) -> int:
        """The dimension, as ``cocoex`` calls it too."""
        return self.dimension

    id_dimension = number_of_variables

    @property
    def number_of_objectives(self) -> int:
        """How many values are minimised at once."""
        return self._problem.number_of_objectives

    @property
    def number_of_constraints(self) -> int:
        """How many values ``constraint(x)`` returns."""
        return self._problem.number_of_constraints

    @property
    def number_of_integer_variables(self) -> int:
        """How many of the first variables are integers."""
        return self._problem.number_of_integer_variables

    @property
    def is_binary(self) -> bool:
        """Whether all variables are bits, and nothing but 0 and 1 is evaluated."""
        return self._problem.is_binary

    @property
    def largest_fvalues_of_interest(self) -> Vector | None:
        """The nadir point of two objectives, shape ``(2,)``; None with one, or where unknown."""
        return self._problem.nadir_point

    @property
    def lower_bounds(self) -> Vector:
        """Lower bounds of the region of interest, shape ``(dimension,)``, read-only."""
        return self._problem.lower_bounds

    @property
    def upper_bounds(self) -> Vector:
        """Upper bounds of the region of interest, shape ``(dimension,)``, read-only."""
        return self._problem.upper_bounds

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """The region of interest as SciPy takes it: a pair of numbers for each variable."""
        return list(zip(self.lower_bounds.tolist(), self.upper_bounds.tolist(), strict=True))

    @property
    def initial_solution(self) -> Vector:
        """Where the run starts, or starts anew, shape ``(dimension,)``, the caller's own copy."""
        start = self._initial_solution
        return self._problem.initial_solution if start is None else start.copy()

    def initial_solution_proposal(self, restart_number: int | None = None) -> Vector:
        """A start point, shape ``(dimension,)``: first the problem's own, then random ones.

        Args:
            restart_number: 0 for the problem's own, more for a random point; by default the
                number of calls before.
        """
        number = self._proposals if restart_number is None else restart_number
        self._proposals += restart_number is None
        if number == 0:
            return self._problem.initial_solution
        if not isinstance(self._rng, np.random.Generator):
            self._rng = self._rng()
        return self._problem.initial_solution_proposal(self._rng)

    def observe_with(self, observer: object) -> Self:
        """Nothing: the loop's observer observes already. So that a loop for ``cocoex`` runs."""
        return self

    def free(self) -> None:
        """Nothing: the run ends with its turn of the loop. So that a loop for ``cocoex`` runs."""

    def _withheld(self) -> NoReturn:
        """Not for the algorithm to know; who owns the loop asks the suite."""
        raise AttributeError(
            "an algorithm may not know this, nor the problem behind the observed one; the loop's "
            "owner asks the suite: Suite(name).problem(function, dimension, instance)"
        )

    problem = optimal_value = optimal_solution = reference_value = property(_withheld)
