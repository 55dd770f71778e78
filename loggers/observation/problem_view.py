"""Show an algorithm the facts of its problem that it may know, under the names of ``cocoex``.

By COCO's rule (Hansen et al. 2016, arXiv:1603.08776) an algorithm may use the dimension, the region
of interest, the initial solution, and the numbers of objectives and constraints. It must not use
the identity of the problem, which is available because loops print it. The optimum is not
available.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Self

import numpy as np

from ...suites import Problem
from ...suites.arrays import Floats


class PairsOfBounds(list[tuple[float, float]]):
    """A pair ``(lower, upper)`` for each variable, with the attributes of SciPy's ``Bounds``."""

    @property
    def lb(self) -> Floats:
        """Lower bounds, a new array of shape ``(dimension,)``."""
        return np.array([lower for lower, _ in self])

    @property
    def ub(self) -> Floats:
        """Upper bounds, a new array of shape ``(dimension,)``."""
        return np.array([upper for _, upper in self])


class ProblemView:
    """Facts of a problem that an algorithm may know; base class of the observed problem.

    Args:
        problem: The problem, which the algorithm cannot access because it knows the optimum.
        rng: Generator of random start points, or a function that makes it when it is first needed.

    Attributes:
        dimension: Number of variables.
        index: Position of the problem in the loop of its observer, from 0; None without a loop.
    """

    __slots__ = ("_initial_solution", "_problem", "_proposals", "_rng", "dimension", "index")

    def __init__(
        self, problem: Problem, rng: np.random.Generator | Callable[[], np.random.Generator]
    ) -> None:
        self._problem = problem
        self.dimension = problem.dimension
        self.index: int | None = None
        self._initial_solution: Floats | None = None
        self._rng = rng
        self._proposals = 0

    @property
    def id(self) -> str:
        """Identifier of the problem, such as ``"bbob_f001_i01_d02"``."""
        return self._problem.id

    @property
    def name(self) -> str:
        """Readable name of the problem: that of ``cocoex``, or of the function if there is none."""
        return self._problem.title

    @property
    def suite(self) -> str:
        """Name of the suite."""
        return self._problem.suite

    @property
    def id_function(self) -> int:
        """Number of the function."""
        return self._problem.function

    @property
    def id_instance(self) -> int:
        """Number of the instance."""
        return self._problem.instance

    @property
    def number_of_variables(self) -> int:
        """Dimension, under another name of ``cocoex``."""
        return self.dimension

    id_dimension = number_of_variables

    @property
    def number_of_objectives(self) -> int:
        """Number of values that are minimized together."""
        return self._problem.number_of_objectives

    @property
    def number_of_constraints(self) -> int:
        """Number of values that ``constraint(x)`` returns."""
        return self._problem.number_of_constraints

    @property
    def number_of_integer_variables(self) -> int:
        """Number of integer variables, which are the first ones."""
        return self._problem.number_of_integer_variables

    @property
    def is_binary(self) -> bool:
        """Whether all variables are bits, so that only the values 0 and 1 can be evaluated."""
        return self._problem.is_binary

    @property
    def largest_fvalues_of_interest(self) -> Floats | None:
        """Nadir point of two objectives, shape ``(2,)``; None: one objective, or unknown."""
        return self._problem.nadir_point

    @property
    def lower_bounds(self) -> Floats:
        """Lower bounds of the region of interest, shape ``(dimension,)``, read-only."""
        return self._problem.lower_bounds

    @property
    def upper_bounds(self) -> Floats:
        """Upper bounds of the region of interest, shape ``(dimension,)``, read-only."""
        return self._problem.upper_bounds

    @property
    def bounds(self) -> PairsOfBounds:
        """Region of interest: a list with a pair ``(lower, upper)`` for each variable.

        The list also has the attributes ``lb`` and ``ub`` of SciPy's ``Bounds``.
        """
        pairs = zip(self.lower_bounds.tolist(), self.upper_bounds.tolist(), strict=True)
        return PairsOfBounds(pairs)

    @property
    def initial_solution(self) -> Floats:
        """Start point of the run or of the current restart, a new array, shape ``(dimension,)``."""
        start = self._initial_solution
        return self._problem.initial_solution if start is None else start.copy()

    def initial_solution_proposal(self, restart_number: int | None = None) -> Floats:
        """Return a start point: the first call the problem's own, later calls random points.

        Args:
            restart_number: 0 for the problem's own start point, larger for a random point. Default:
                the number of earlier calls without this argument.

        Returns:
            A new array, shape ``(dimension,)``.
        """
        number = self._proposals if restart_number is None else restart_number
        self._proposals += restart_number is None
        if number == 0:
            return self._problem.initial_solution
        if not isinstance(self._rng, np.random.Generator):
            self._rng = self._rng()
        return self._problem.initial_solution_proposal(self._rng)

    def observe_with(self, observer: object) -> Self:
        """Return this problem, which is observed already; for loops written for ``cocoex``."""
        return self

    def free(self) -> None:
        """Do nothing, because the run ends when the loop continues; for loops for ``cocoex``."""

    def _withheld(self) -> NoReturn:
        """Raise AttributeError, because an algorithm may not know the optimum or the problem."""
        raise AttributeError(
            "an algorithm may not know this, nor the problem behind the observed one; the loop's "
            "owner asks the suite: Suite(name).problem(function, dimension, instance)"
        )

    problem = optimal_value = optimal_solution = reference_value = property(_withheld)
