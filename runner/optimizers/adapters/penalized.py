"""Add a penalty for constraint violations to optimizers that do not handle constraints.

`with_penalty` wraps the adapter of such an optimizer in `WithPenalty`, which adds the parameter
``penalty``. The wrapped adapter then minimizes a `PenalizedProblem`.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import OptimizerError
from .built_in import BuiltIn, Solver

PARAMETER = "penalty"
"""Name of the parameter that sets the weight of constraint violations."""


class PenalizedProblem:
    """Observed problem that hides its constraints and returns penalized values.

    Attributes that this class does not define are those of the observed problem.

    Args:
        problem: Observed problem with one objective.
        weight: Weight of the violations, > 0.
    """

    number_of_constraints = 0

    def __init__(self, problem: Any, weight: float) -> None:
        self._problem = problem
        self._value = problem.penalized(weight)

    def __call__(self, x: Any) -> Any:
        """Return the penalized value of one point, a float, or of a batch, shape ``(n,)``."""
        return self._value(x)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._problem, name)

    def __deepcopy__(self, memo: object) -> PenalizedProblem:
        return self


class PenalizedAskTell:
    """Ask/tell object that adds penalties to the values that it passes to an optimizer.

    Args:
        optimizer: Ask/tell object that minimizes the penalized values.
        problem: Problem of the run, with one objective.
        weight: Weight of the violations, > 0.
    """

    def __init__(self, optimizer: Any, problem: Any, weight: float) -> None:
        self.ask = optimizer.ask
        self._tell = optimizer.tell
        self._problem = problem
        self._weight = weight

    def tell(self, point: Any, value: float) -> None:
        """Tell the optimizer the penalized value of a point.

        Args:
            point: Point of the last evaluation, as `ask` returned it.
            value: Objective value of the point.
        """
        violations = np.maximum(self._problem.constraint(point), 0.0)
        self._tell(point, value + self._weight * float(violations.sum()))


@dataclass(frozen=True)
class WithPenalty:
    """Adapter with the additional parameter ``penalty``, the weight of constraint violations.

    The adapter minimizes ``f + penalty * sum_j max(0, g_j)``, as ``Problem.penalized`` defines it.
    On a problem without constraints, the parameter has no effect.

    Attributes:
        solve: Adapter of an optimizer that does not handle constraints. It may return an ask/tell
            object.
    """

    solve: Solver

    def __call__(
        self, problem: Any, *offered: Any, penalty: float | None = None, **keywords: Any
    ) -> Any:
        """Make one start.

        Args:
            problem: The observed problem.
            *offered: Further arguments of the adapter.
            penalty: Weight of the violations, > 0. None: only for problems without constraints.
            **keywords: Further arguments of the adapter by name.

        Raises:
            OptimizerError: The problem has constraints, and ``penalty`` is None.
        """
        if not problem.number_of_constraints:
            return self.solve(problem, *offered, **keywords)
        if penalty is None:
            raise OptimizerError("it does not know constraints; give its parameter 'penalty'")
        solver = self.solve(PenalizedProblem(problem, penalty), *offered, **keywords)
        return PenalizedAskTell(solver, problem, penalty) if hasattr(solver, "tell") else solver

    @property
    def __signature__(self) -> inspect.Signature:
        """Signature of the adapter with the parameter ``penalty`` added."""
        penalty = inspect.Parameter(PARAMETER, inspect.Parameter.KEYWORD_ONLY, default=None)
        return inspect.Signature([*inspect.signature(self.solve).parameters.values(), penalty])


def with_penalty(optimizer: BuiltIn) -> BuiltIn:
    """Add the parameter ``penalty`` to an optimizer that does not handle constraints.

    Optimizers of two objectives are returned unchanged, because penalized values are defined for
    one objective.
    """
    if optimizer.constraints or 1 not in optimizer.objectives:
        return optimizer
    ask_tell = None if optimizer.ask_tell is None else WithPenalty(optimizer.ask_tell)
    return replace(optimizer, solve=WithPenalty(optimizer.solve), ask_tell=ask_tell)
