"""An observed problem as the problem object of another library, so that one stays in its idiom.

::

    import firsthit, optuna

    with firsthit.Observer("tpe.h5", algorithm="TPE") as observer:
        for problem in observer(firsthit.Suite("bbob-mixint", 1, 5, 1)):
            objective = firsthit.bridges.optuna(problem)
            study = optuna.create_study(directions=objective.directions)
            study.optimize(objective, n_trials=100)

Every evaluation goes through the observed problem: it is counted and logged, and what ends a run,
as `BudgetExhausted` in a campaign, is raised through the library. A function of one's own that
does this is an optimizer of `firsthit.benchmark`, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .runner.optimizers.adapters import nevergrad as _nevergrad
from .runner.optimizers.adapters import optuna as _optuna
from .runner.optimizers.adapters import pymoo as _pymoo
from .runner.optimizers.adapters import scipy as _scipy
from .suites.errors import SuiteError

Vector = NDArray[np.float64]


class Objective:
    """A function of optuna's trials, for ``study.optimize``.

    Variables are ``x0``, ``x1``, …, floats or integers within the bounds, bits integers 0 and 1.
    Constraints are handed to the trial with ``set_constraint``, for the samplers that use them.

    Args:
        problem: An observed problem, or one of a suite.

    Attributes:
        directions: Of ``optuna.create_study``: ``"minimize"``, for each objective.
        distributions: Of the variables, as ``study.ask`` takes them.
    """

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self.directions = ["minimize"] * problem.number_of_objectives
        self.distributions = _optuna.space_of(problem, "bridges.optuna")

    def __call__(self, trial: Any) -> Any:
        """The value of a trial, a float, or two with two objectives."""
        integers = self._problem.number_of_integer_variables
        point = np.empty(len(self.distributions))
        for i, (name, distribution) in enumerate(self.distributions.items()):
            suggest = trial.suggest_int if i < integers else trial.suggest_float
            point[i] = suggest(name, distribution.low, distribution.high)
        values = np.ravel(self._problem(point)).tolist()
        _optuna.tell_constraints(self._problem, trial, point)
        return values[0] if len(values) == 1 else values


def optuna(problem: Any) -> Objective:
    """The problem as an objective function of `optuna <https://optuna.org>`_.

    Args:
        problem: An observed problem, or one of a suite.

    Raises:
        OptimizerError: A bound is infinite.

    Example:
        ``study.optimize(firsthit.bridges.optuna(problem), n_trials=100)``
    """
    return Objective(problem)


def pymoo(problem: Any) -> Any:
    """The problem as a ``pymoo.core.problem.Problem``: bounds, constraints, objectives.

    Where all variables are bits or integers, its ``vtype`` is ``bool`` or ``int``: take sampling,
    crossover and mutation that make such. Where some are integers, the problem rounds them.

    Args:
        problem: An observed problem, or one of a suite.

    Raises:
        OptimizerError: A bound is infinite.

    Example:
        ``pymoo.optimize.minimize(firsthit.bridges.pymoo(problem), GA(), ("n_eval", 500), seed=1)``
    """
    all_integers = problem.number_of_integer_variables == problem.dimension
    kind = bool if problem.is_binary else int if all_integers else float
    return _pymoo.as_pymoo(problem, "bridge", vtype=kind)


def nevergrad(problem: Any) -> Any:
    """The problem as an ``ExperimentFunction`` of nevergrad, with its ``parametrization``.

    Real variables are an ``Array`` that starts at the problem's initial solution; integers, which
    come first, are one with integer casting, in a ``Tuple`` with the others; bits are a
    ``TransitionChoice``. Its ``constraint_violations`` go to ``optimizer.minimize``.

    Args:
        problem: An observed problem, or one of a suite.

    Raises:
        OptimizerError: A bound is infinite.

    Example::

        function = firsthit.bridges.nevergrad(problem)
        optimizer = ng.optimizers.OnePlusOne(function.parametrization, budget=100)
        optimizer.minimize(function, constraint_violation=function.constraint_violations)
    """
    from nevergrad.functions import ExperimentFunction

    def values(x: Any) -> Any:
        value = problem(np.hstack(x).astype(np.float64))
        return float(value) if np.ndim(value) == 0 else value

    def violations(x: Any) -> Any:
        return np.maximum(problem.constraint(np.hstack(x).astype(np.float64)), 0.0)

    space = _nevergrad.space_of(problem, problem.initial_solution, "bridges.nevergrad")
    function = ExperimentFunction(values, space.set_name(str(problem.id)))
    function.constraint_violations = [violations] if problem.number_of_constraints else None
    return function


class Function:
    """A function with what SciPy's optimizers are given beside it.

    Args:
        problem: An observed problem, or one of a suite, of one objective.

    Attributes:
        x0: The problem's initial solution, shape ``(dimension,)``.
        bounds: A ``scipy.optimize.Bounds``.
        constraints: A ``NonlinearConstraint``, or ``()``.
        integrality: Shape ``(dimension,)``, as ``differential_evolution`` and ``milp`` take it.
    """

    def __init__(self, problem: Any) -> None:
        from scipy.optimize import Bounds

        if problem.number_of_objectives != 1:
            raise SuiteError(f"{problem.id}: SciPy minimises one objective; there are two")
        self._problem = problem
        self.x0: Vector = problem.initial_solution
        self.bounds = Bounds(problem.lower_bounds, problem.upper_bounds)
        self.constraints = _scipy.constraints_of(problem)
        first = np.arange(problem.dimension) < problem.number_of_integer_variables
        self.integrality: NDArray[np.bool_] = first

    def __call__(self, x: ArrayLike) -> Any:
        """The value of one point, shape ``(dimension,)``, or of columns, ``(dimension, n)``."""
        return self._problem(np.transpose(x) if np.ndim(x) == 2 else x)


def scipy(problem: Any) -> Function:
    """The problem as a function for SciPy, with start, bounds, constraints and integrality.

    Args:
        problem: An observed problem, or one of a suite.

    Raises:
        SuiteError: It has two objectives.

    Example::

        f = firsthit.bridges.scipy(problem)
        scipy.optimize.minimize(f, f.x0, bounds=f.bounds, constraints=f.constraints)
    """
    return Function(problem)
