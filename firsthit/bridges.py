"""Convert an observed problem to the problem object of another optimization library.

::

    import firsthit, optuna

    with firsthit.Observer("tpe.h5", algorithm="TPE") as observer:
        for problem in observer(firsthit.Suite("bbob-mixint", 1, 5, 1)):
            objective = firsthit.bridges.optuna(problem)
            study = optuna.create_study(directions=objective.directions)
            study.optimize(objective, n_trials=100)

The library evaluates the observed problem, so that all its evaluations are counted and logged. An
exception that ends the run, such as `BudgetExhausted` in a campaign, leaves the library's call. A
function that takes a problem and uses these conversions is an optimizer that `firsthit.benchmark`
accepts.
"""

from __future__ import annotations

from pickle import PicklingError
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .loggers import ObservedProblem
from .runner.optimizers.adapters import nevergrad as _nevergrad
from .runner.optimizers.adapters import optuna as _optuna
from .runner.optimizers.adapters import pymoo as _pymoo
from .runner.optimizers.adapters import scipy as _scipy
from .suites.arrays import Floats
from .suites.errors import SuiteError


class Objective:
    """Objective function of optuna's trials, for ``study.optimize``.

    The variables are called ``x0``, ``x1``, … They are floats or integers within the bounds, and
    for bits the integers 0 and 1. The values of constraints are stored in the trial by its method
    ``set_constraint``, because some samplers use them.

    Args:
        problem: An observed problem, or a problem of a suite.

    Attributes:
        directions: The argument of ``optuna.create_study``: ``"minimize"`` for each objective.
        distributions: The distributions of the variables by name, for ``study.ask``.

    Example:
        >>> import firsthit
        >>> problem = firsthit.Suite("bbob-mixint", functions=1, dimensions=5, instances=1)[0]
        >>> objective = firsthit.bridges.Objective(problem)
        >>> objective.directions, list(objective.distributions)
        (['minimize'], ['x0', 'x1', 'x2', 'x3', 'x4'])
        >>> objective.distributions["x0"]
        IntDistribution(high=1, log=False, low=0, step=1)
    """

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self.directions = ["minimize"] * problem.number_of_objectives
        self.distributions = _optuna.space_of(problem, "bridges.optuna")

    def __call__(self, trial: Any) -> Any:
        """Evaluate the point of a trial.

        Returns:
            The value. A list of two values if the problem has two objectives.
        """
        n_integers = self._problem.number_of_integer_variables  # integer variables come first
        point = np.empty(len(self.distributions))
        for i, (name, distribution) in enumerate(self.distributions.items()):
            suggest = trial.suggest_int if i < n_integers else trial.suggest_float
            point[i] = suggest(name, distribution.low, distribution.high)
        values = np.ravel(self._problem(point)).tolist()
        _optuna.tell_constraints(self._problem, trial, point)
        return values[0] if len(values) == 1 else values


def optuna(problem: Any) -> Objective:
    """Convert a problem to an objective function of `optuna <https://optuna.org>`_.

    Args:
        problem: An observed problem, or a problem of a suite.

    Raises:
        OptimizerError: A bound is infinite.

    Example:
        >>> import firsthit, optuna
        >>> problem = firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)[0]
        >>> objective = firsthit.bridges.optuna(problem)
        >>> optuna.logging.set_verbosity(optuna.logging.ERROR)
        >>> study = optuna.create_study(directions=objective.directions)
        >>> study.optimize(objective, n_trials=10)
        >>> len(study.trials)
        10
    """
    return Objective(problem)


def pymoo(problem: Any) -> Any:
    """Convert a problem to a ``pymoo.core.problem.Problem`` with bounds and constraints.

    If all variables are bits or integers, ``vtype`` is ``bool`` or ``int``. The algorithm then
    needs operators for sampling, crossover and mutation of this type. If only some variables are
    integers, ``vtype`` is ``float``, the observed problem rounds the integer variables, and
    ``vars`` declares the type of each variable for pymoo's algorithms with mixed variables.

    Args:
        problem: An observed problem, or a problem of a suite.

    Raises:
        OptimizerError: A bound is infinite.

    Example:
        >>> import firsthit
        >>> from pymoo.algorithms.soo.nonconvex.ga import GA
        >>> from pymoo.optimize import minimize
        >>> problem = firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)[0]
        >>> function = firsthit.bridges.pymoo(problem)
        >>> result = minimize(function, GA(pop_size=10), ("n_eval", 50), seed=1)
        >>> result.X.shape
        (2,)
    """
    all_integers = problem.number_of_integer_variables == problem.dimension
    variable_type = bool if problem.is_binary else int if all_integers else float
    bridge = _pymoo.as_pymoo(problem, "bridge", vtype=variable_type)
    if 0 < problem.number_of_integer_variables < problem.dimension:
        bridge.vars = _pymoo.declare_variables(problem)
    return bridge


def nevergrad(problem: Any) -> Any:
    """Convert a problem to an ``ExperimentFunction`` of nevergrad with a ``parametrization``.

    Real variables are an ``Array`` that starts at the initial solution of the problem. Integer
    variables are an ``Array`` with integer casting, in a ``Tuple`` with the real variables; the
    integer variables come first. Bits are a ``TransitionChoice``.

    Args:
        problem: An observed problem, or a problem of a suite.

    Returns:
        The function. Its attribute ``constraint_violations`` is the argument
        ``constraint_violation`` for ``optimizer.minimize``. It is None if the problem has no
        constraints.

    Raises:
        OptimizerError: A bound is infinite.

    Example:
        >>> import firsthit, nevergrad
        >>> problem = firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)[0]
        >>> function = firsthit.bridges.nevergrad(problem)
        >>> optimizer = nevergrad.optimizers.OnePlusOne(function.parametrization, budget=10)
        >>> best = optimizer.minimize(
        ...     function, constraint_violation=function.constraint_violations
        ... )
        >>> best.args[0].shape
        (2,)
    """
    from nevergrad.functions import ExperimentFunction

    def evaluate(x: Any) -> Any:
        value = problem(np.hstack(x).astype(np.float64))
        return float(value) if np.ndim(value) == 0 else value

    def constraint_violations(x: Any) -> Any:
        return np.maximum(problem.constraint(np.hstack(x).astype(np.float64)), 0.0)

    space = _nevergrad.space_of(problem, problem.initial_solution, "bridges.nevergrad")
    function = ExperimentFunction(evaluate, space.set_name(str(problem.id)))
    function.constraint_violations = (
        [constraint_violations] if problem.number_of_constraints else None
    )
    return function


class Function:
    """Objective function whose attributes are further arguments for SciPy's optimizers.

    Args:
        problem: An observed problem, or a problem of a suite, with one objective.

    Attributes:
        x0: The initial solution of the problem, shape ``(dimension,)``.
        bounds: The bounds as a ``scipy.optimize.Bounds``.
        constraints: The constraints as a ``NonlinearConstraint``; ``()`` without constraints.
        integrality: Whether each variable is an integer, shape ``(dimension,)``. It is an argument
            of ``differential_evolution``.

    Raises:
        SuiteError: The problem has two objectives.

    Example:
        >>> import firsthit
        >>> suite = firsthit.Suite("bbob-constrained", functions=1, dimensions=2, instances=1)
        >>> function = firsthit.bridges.Function(suite[0])
        >>> function.bounds, function.integrality
        (Bounds(array([-5., -5.]), array([5., 5.])), array([False, False]))
        >>> type(function.constraints).__name__
        'NonlinearConstraint'
    """

    def __init__(self, problem: Any) -> None:
        from scipy.optimize import Bounds

        if problem.number_of_objectives != 1:
            raise SuiteError(f"{problem.id}: SciPy minimises one objective; there are two")
        self._problem = problem
        self.x0: Floats = problem.initial_solution
        self.bounds = Bounds(problem.lower_bounds, problem.upper_bounds)
        self.constraints = _scipy.constraints_of(problem)
        # Integer variables come first.
        is_integer = np.arange(problem.dimension) < problem.number_of_integer_variables
        self.integrality: NDArray[np.bool_] = is_integer

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling; refuse it for an observed problem.

        Raises:
            PicklingError: The problem is observed. SciPy converts a TypeError or ValueError of
                worker processes to an error of its own, without this sentence.
        """
        if isinstance(self._problem, ObservedProblem):
            raise PicklingError(
                f"{self._problem.id}: SciPy's argument workers makes evaluations in other "
                "processes, which no log records; use vectorized=True and updating='deferred'"
            )
        return self.__dict__

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point or several points.

        Args:
            x: A point, shape ``(dimension,)``, or points as columns, shape ``(dimension, n)``.
                ``differential_evolution`` with ``vectorized=True`` passes points as columns.
        """
        return self._problem(np.transpose(x) if np.ndim(x) == 2 else x)


def scipy(problem: Any) -> Function:
    """Convert a problem to a function for SciPy with initial point, bounds and constraints.

    Args:
        problem: An observed problem, or a problem of a suite.

    Raises:
        SuiteError: The problem has two objectives.

    Example:
        >>> import firsthit, scipy.optimize
        >>> problem = firsthit.Suite("bbob", functions=1, dimensions=2, instances=1)[0]
        >>> f = firsthit.bridges.scipy(problem)
        >>> result = scipy.optimize.minimize(f, f.x0, bounds=f.bounds, constraints=f.constraints)
        >>> bool(result.fun - problem.optimal_value < 1e-8)
        True
    """
    return Function(problem)
