"""Provide ``cocoex.Problem``, which counts and logs evaluations, and ``cocoex.BareProblem``.

A `Problem` creates its evaluator and its run at their first use. So an iteration over a suite is
fast, even if most problems are not evaluated. The run is an `ObservedProblem`, with or without an
observer.
"""

from __future__ import annotations

import sys
from functools import cached_property
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import suites
from ..loggers import ObservedProblem, observe_problem
from ..loggers.errors import ObservationError
from ..loggers.observation.stops import RunStop, StopConditions
from ..loggers.records.identity import RunIdentity
from ..loggers.records.run_record import ArchiveKept, Status
from ..suites.errors import EvaluationError, SelectionError
from ..suites.facts import ProblemId
from ..suites.points import is_batch
from ..suites.suite import SuiteDefinition, definition, problem_of
from .exceptions import InvalidProblemException, NoSuchProblemException, NoSuchSuiteException
from .observer import Observer

Vector = NDArray[np.float64]

_NO_ARCHIVE: ArchiveKept = "none"
_NEVER_STOP = StopConditions(final_target=False)


class Problem:
    """A problem of a `Suite` that counts and logs its evaluations.

    A call with a point returns its value. Attributes that this class does not define are those of
    `firsthit.loggers.ObservedProblem`. In a ``with`` statement, the problem is freed at the end of
    the block.

    Args:
        suite: The definition of the suite.
        identity: The identity of the problem.
        index: Position of the problem in the suite without ``suite_options``, counted from 0.

    Attributes:
        id: The identifier of the problem.
        id_function: Number of the function.
        id_instance: Number of the instance.
        dimension: Number of variables.
        suite: Name of the suite.
        index: The argument ``index``.
        observers: The observers that log the run.

    Example:
        >>> from firsthit import coco as cocoex
        >>> suite = cocoex.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1")
        >>> problem = suite.get_problem("bbob_f001_i01_d02")
        >>> value = problem(problem.initial_solution)
        >>> problem.id, problem.evaluations, problem.best_observed_fvalue1 == value
        ('bbob_f001_i01_d02', 1, True)
        >>> problem.free()
    """

    def __init__(self, suite: SuiteDefinition, identity: ProblemId, index: int) -> None:
        self.observers: list[Observer] = []
        self.id = suite.id_of(identity)
        self.id_function = identity.function
        self.id_instance = identity.instance
        self.dimension = identity.dimension
        self.suite = identity.suite
        self.index = index
        self._identity = identity
        self._definition = suite
        self._proposals = 0
        self._is_over = False

    @cached_property
    def _problem(self) -> suites.Problem:
        return self._definition.problem(self.id_function, self.dimension, self.id_instance)

    @cached_property
    def _run(self) -> ObservedProblem:
        if self._is_over:
            raise InvalidProblemException(f"{self.id} was freed, and can be used no more")
        identity, archive = RunIdentity("unobserved", self._identity), _NO_ARCHIVE
        if self.observers:
            identity = self.observers[0].identity(self._identity)
            archive = self.observers[0].archive
        run = observe_problem(self._problem, identity, _NEVER_STOP, archive=archive)
        run.index = self.index
        run.accepts_batches = False  # as with cocoex
        return run

    @property
    def id_triple(self) -> tuple[int, int, int]:
        """Function, dimension and instance."""
        return self.id_function, self.dimension, self.id_instance

    @property
    def number_of_variables(self) -> int:
        """The dimension."""
        return self.dimension

    @property
    def is_observed(self) -> int:
        """The number of observers; 0 if the problem is not observed."""
        return len(self.observers)

    @property
    def info(self) -> str:
        """A sentence that describes the problem."""
        counts = {
            "constraint": self.number_of_constraints,
            "integer variable": self.number_of_integer_variables,
        }
        parts = [f"{n} {noun}{'s' * (n > 1)}" for noun, n in counts.items() if n]
        objectives = "bi" if self.number_of_objectives > 1 else "single"
        return (
            f"{self.id}: a {self.dimension}-dimensional {objectives}-objective problem"
            f"{' with ' * bool(parts)}{' and '.join(parts)} "
            f'(problem {self.index} of suite "{self.suite}" with name "{self.name}")'
        )

    @property
    def best_observed_fvalue1(self) -> float:
        """The best value of a feasible point so far. Without one, the largest finite float.

        Raises:
            ObservationError: The problem has two objectives.
        """
        if self.number_of_objectives > 1:
            raise ObservationError(
                f"{self.id} has two objectives, and no best value; best_observed_value is its "
                "best indicator value so far"
            )
        return min(self._run.best_observed_value, sys.float_info.max)

    def initial_solution_proposal(self, restart_number: int | None = None) -> Vector:
        """Return a start point, shape ``(dimension,)``: the initial solution or a random point.

        Random points come from NumPy's global generator, as with ``cocoex``. So
        ``numpy.random.seed`` makes them reproducible.

        Args:
            restart_number: 0: the initial solution. Other numbers: a random point. None: the number
                of earlier calls with None is used, so that the first call returns the initial
                solution.
        """
        number = self._proposals if restart_number is None else restart_number
        self._proposals += restart_number is None
        if number == 0:
            return cast(Vector, self.initial_solution)
        return self._problem.initial_solution_proposal(np.random)  # type: ignore[arg-type]

    def observe_with(self, observer: Observer | None) -> Self:
        """Let an observer log all evaluations as a run of its algorithm; return this problem.

        Args:
            observer: The observer. None: nothing is changed.

        Raises:
            ObservationError: The problem was evaluated before, or the observer was freed or
                observes another suite.
        """
        if observer is None:
            return self
        # A run without evaluations is discarded. The next use creates a new run, with the identity
        # that the observer assigns.
        run: ObservedProblem | None = self.__dict__.pop("_run", None)
        if run is not None and (run.evaluations or run.evaluations_constraints):
            self._run = run
            raise ObservationError(
                f"{self.id} was evaluated {run.evaluations} times before "
                "observe_with; observe a problem before its first evaluation"
            )
        observer.begin(self, self.suite)
        self.observers.append(observer)
        return self

    add_observer = observe_with

    def free(self, force: bool = False) -> None:
        """End the run, and log it if the problem is observed; a second call has no effect.

        Args:
            force: Ignored; it exists for scripts that were written for ``cocoex``.
        """
        self.end(None)

    def end(self, error: BaseException | None) -> None:
        """End the run, and log it if the problem is observed and was evaluated.

        Args:
            error: The exception that ended the run. Its status is then ``"failed"``, or
                ``"interrupted"`` after an exception such as KeyboardInterrupt. None: the run ended
                regularly.
        """
        if self._is_over:
            return
        self._is_over = True
        run: ObservedProblem | None = self.__dict__.get("_run")
        if run is None:
            return
        if error is not None:
            is_failure = isinstance(error, Exception | RunStop)
            status: Status = "failed" if is_failure else "interrupted"
            record = run.finish(status, f"{type(error).__name__}: {error}")
        else:
            record = run.finish("target" if run.final_target_hit else "terminated")
        if record.evaluations or record.evaluations_constraints:
            for observer in self.observers:
                observer.log(record)

    def restart(self) -> None:
        """Record a restart of the algorithm in the run."""
        self._run.restart()

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, and return its value, or its values of two objectives.

        Raises:
            EvaluationError: ``x`` has another shape than ``(dimension,)``. ``cocoex`` raises a
                ValueError for two-dimensional ``x``, too.
        """
        return self._run(x)

    def constraint(self, x: ArrayLike) -> Vector | None:
        """Evaluate the constraints at one point; the result is None if there are none.

        Raises:
            EvaluationError: ``x`` has another shape than ``(dimension,)``.
        """
        if not self.number_of_constraints:
            return None
        if is_batch(x):
            raise EvaluationError(
                f"{self.id}: x is two-dimensional; give one point of {self.dimension} numbers"
            )
        return self._run.constraint(x)

    def logger_biobj_feed_solution(self, evaluation: int, y: ArrayLike) -> None:
        """Refuse to log values that were computed elsewhere.

        Raises:
            ObservationError: Always.
        """
        raise ObservationError(
            f"{self.id}: values of other programs cannot be fed to the logger; evaluate the points"
        )

    def __dir__(self) -> list[str]:
        """Return the attributes, with those of the run, as ``cocoex`` does."""
        run_names = (name for name in dir(ObservedProblem) if not name.startswith("_"))
        return sorted({*super().__dir__(), *run_names})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a problem has no attribute {name!r}")
        return getattr(self._run, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.free()

    def __del__(self) -> None:
        # A script may delete a problem without a call of `free`. Its run has ended, too.
        if any(observer.is_open for observer in self.__dict__.get("observers", ())):
            self.free()

    def __str__(self) -> str:
        return self.info

    def __repr__(self) -> str:
        return f"<firsthit.coco.Problem(), id={self.id!r}>"


class BareProblem:
    """A problem whose evaluations are not counted, and whose optimum is available.

    Args:
        suite_name: The name of a suite.
        function: Number of the function.
        dimension: Number of variables.
        instance: Number of the instance; 0 is an additional instance of bbob, as with ``cocoex``.

    Attributes:
        id: The problem's identifier.
        is_tainted: Whether ``best_parameter`` was called.

    Raises:
        NoSuchSuiteException: No suite has this name.
        NoSuchProblemException: The suite has no such problem.

    Example:
        >>> from firsthit import coco as cocoex
        >>> problem = cocoex.BareProblem("bbob", function=1, dimension=2, instance=1)
        >>> problem.id, problem.best_value()
        ('bbob_f001_i01_d02', 79.48)
    """

    def __init__(self, suite_name: str, function: int, dimension: int, instance: int) -> None:
        if suite_name not in suites.suite_names():
            raise NoSuchSuiteException.of("suite", suite_name, suites.suite_names())
        try:
            self._problem = problem_of(suite_name, function, dimension, instance or 1)
        except SelectionError as error:
            raise NoSuchProblemException(str(error)) from error
        if instance == 0:
            if suite_name != "bbob":
                raise NoSuchProblemException(f"suite {suite_name!r} has no instance 0")
            self._problem = definition(suite_name).problem(function, dimension, instance)
        self.suite_name = suite_name
        self.function = function
        self.dimension = dimension
        self.instance = instance
        self.id = definition(suite_name).id_of(self._problem.problem_id)
        self.is_tainted = False

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate one point, or each row of a batch; return the value or the values."""
        return self._problem(x)

    def best_value(self) -> float | None:
        """Return the optimal value; None if it is unknown."""
        return self._problem.optimal_value

    def best_parameter(self) -> Vector | None:
        """Return the optimal solution, shape ``(dimension,)``, and set ``is_tainted``.

        The result is None if the optimal solution is unknown.
        """
        self.is_tainted = True
        return self._problem.optimal_solution

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        arguments = self.suite_name, self.function, self.dimension, self.instance
        return f"BareProblem{arguments!r}"
