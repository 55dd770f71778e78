"""A penalty for optimizers that know no constraints."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import BuiltIn, Solver

PARAMETER = "penalty"


class PenalizedProblem:
    """The observed problem without its constraints; its values are the penalized ones."""

    number_of_constraints = 0

    def __init__(self, problem: Any, weight: float) -> None:
        self._problem = problem
        self._value = problem.penalized(weight)

    def __call__(self, x: Any) -> Any:
        """The penalized value of one point, a float, or of points, shape ``(n,)``."""
        return self._value(x)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._problem, name)

    def __deepcopy__(self, memo: object) -> PenalizedProblem:
        return self


class PenalizedAskTell:
    """An object that is asked for points and told their penalized values."""

    def __init__(self, optimizer: Any, problem: Any, weight: float) -> None:
        self.ask = optimizer.ask
        self._tell = optimizer.tell
        self._problem = problem
        self._weight = weight

    def tell(self, point: Any, value: float) -> None:
        """The objective's value of a point just evaluated."""
        violations = np.maximum(self._problem.constraint(point), 0.0)
        self._tell(point, value + self._weight * float(violations.sum()))


@dataclass(frozen=True)
class WithPenalty:
    """An adapter with one parameter more: ``penalty``, the weight of violated constraints.

    It minimises ``f + penalty * sum_j max(0, g_j)``, see ``Problem.penalized``. Without constraints
    it changes nothing.
    """

    solve: Solver

    def __call__(
        self, problem: Any, *offered: Any, penalty: float | None = None, **named: Any
    ) -> Any:
        """One start; raises where there are constraints and no ``penalty``."""
        if not problem.number_of_constraints:
            return self.solve(problem, *offered, **named)
        if penalty is None:
            raise OptimizerError("it does not know constraints; give its parameter 'penalty'")
        solver = self.solve(PenalizedProblem(problem, penalty), *offered, **named)
        return PenalizedAskTell(solver, problem, penalty) if hasattr(solver, "tell") else solver

    @property
    def __signature__(self) -> inspect.Signature:
        """That of the adapter, and ``penalty``."""
        own = inspect.Parameter(PARAMETER, inspect.Parameter.KEYWORD_ONLY, default=None)
        return inspect.Signature([*inspect.signature(self.solve).parameters.values(), own])


def with_penalty(optimizer: BuiltIn) -> BuiltIn:
    """The same optimizer, with the parameter ``penalty`` where it knows no constraints.

    Of two objectives there is no penalized value.
    """
    if optimizer.constraints or 1 not in optimizer.objectives:
        return optimizer
    ask_tell = None if optimizer.ask_tell is None else WithPenalty(optimizer.ask_tell)
    return replace(optimizer, solve=WithPenalty(optimizer.solve), ask_tell=ask_tell)
