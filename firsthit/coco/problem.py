"""``cocoex.Problem``: what an observed problem offers, whether it is observed or not."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import suites
from ..loggers import ObservedProblem
from ..loggers.errors import ObservationError
from ..loggers.observation.stops import StopConditions
from ..loggers.records.identity import RunIdentity
from ..loggers.records.run_record import ArchiveKept, Status
from ..suites.errors import SelectionError
from ..suites.facts import ProblemId
from ..suites.suite import SuiteDefinition, definition, problem_of
from .exceptions import InvalidProblemException, NoSuchProblemException, NoSuchSuiteException
from .observer import Observer

Vector = NDArray[np.float64]

_NO_ARCHIVE: ArchiveKept = "none"
_ENDLESS = StopConditions(final_target=False)


class Problem:
    """One problem of a `Suite`. Its values are computed, and its run begins, when it is first used.

    Call it with a point for its value; all evaluations are counted. It has the other attributes of
    `firsthit.loggers.ObservedProblem`, too. With ``with`` it is freed at the end.

    Args:
        suite: Whose problem it is.
        identity: Which one.
        index: Its position in the whole suite, before filters, from 0.

    Attributes:
        id: Its identifier.
        id_function: Number of the function.
        id_instance: Number of the instance.
        dimension: Number of variables.
        suite: Name of the suite.
        index: See above.
        observers: What it is observed with.
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
        run = ObservedProblem(self._problem, identity, _ENDLESS, archive=archive)
        run.index = self.index
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
        """How many observers it has."""
        return len(self.observers)

    @property
    def info(self) -> str:
        """The problem in a sentence, for people."""
        counts = {
            "constraint": self.number_of_constraints,
            "integer variable": self.number_of_integer_variables,
        }
        parts = [f"{n} {what}{'s' * (n > 1)}" for what, n in counts.items() if n]
        objectives = "bi" if self.number_of_objectives > 1 else "single"
        return (
            f"{self.id}: a {self.dimension}-dimensional {objectives}-objective problem"
            f"{' with ' * bool(parts)}{' and '.join(parts)} "
            f'(problem {self.index} of suite "{self.suite}" with name "{self.name}")'
        )

    @property
    def best_observed_fvalue1(self) -> float:
        """The best value so far, with constraints of feasible points; the largest float before.

        Raises:
            ObservationError: There are two objectives.
        """
        if self.number_of_objectives > 1:
            raise ObservationError(
                f"{self.id} has two objectives, and no best value; best_observed_value is its "
                "best indicator value so far"
            )
        return min(self._run.best_observed_value, sys.float_info.max)

    def initial_solution_proposal(self, restart_number: int | None = None) -> Vector:
        """A start point, shape ``(dimension,)``: first the problem's own, then random ones.

        They are drawn from NumPy's global generator, as with ``cocoex``: ``numpy.random.seed``
        repeats them.

        Args:
            restart_number: 0 for the problem's own, more for a random point; by default the
                number of calls before.
        """
        number = self._proposals if restart_number is None else restart_number
        self._proposals += restart_number is None
        if number == 0:
            return cast(Vector, self.initial_solution)
        return self._problem.initial_solution_proposal(np.random)  # type: ignore[arg-type]

    def observe_with(self, observer: Observer | None) -> Self:
        """Log all evaluations as a run of the observer's algorithm; None changes nothing.

        Raises:
            ObservationError: The problem was evaluated before, or the observer takes no more.
        """
        if observer is None:
            return self
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
        """End the run, and log it where the problem is observed. Twice does no harm."""
        self.end(None)

    def end(self, error: BaseException | None) -> None:
        """End the run, which an exception ended where one is given."""
        if self._is_over:
            return
        self._is_over = True
        run: ObservedProblem | None = self.__dict__.get("_run")
        if run is None:
            return
        if error is not None:
            status: Status = "failed" if isinstance(error, Exception) else "interrupted"
            record = run.finish(status, f"{type(error).__name__}: {error}")
        else:
            record = run.finish("target" if run.final_target_hit else "terminated")
        if record.evaluations or record.evaluations_constraints:
            for observer in self.observers:
                observer.log(record)

    def restart(self) -> None:
        """Log that the algorithm starts anew."""
        self._run.restart()

    def __call__(self, x: ArrayLike) -> Any:
        """The value of one point, or of each row of a batch."""
        return self._run(x)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a problem has no attribute {name!r}")
        return getattr(self._run, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.free()

    def __del__(self) -> None:
        # a script that drops a problem without `free` means its end
        if any(observer.is_open for observer in self.__dict__.get("observers", ())):
            self.free()

    def __str__(self) -> str:
        return self.info

    def __repr__(self) -> str:
        return f"<firsthit.coco.Problem(), id={self.id!r}>"


class BareProblem:
    """A problem outside any suite or run: nothing is counted, and its optimum may be asked for.

    Args:
        suite_name: A suite.
        function: Number of the function.
        dimension: Number of variables.
        instance: Number of the instance.

    Attributes:
        id: The problem's identifier.
        is_tainted: Whether ``best_parameter`` was asked for.

    Raises:
        NoSuchSuiteException: No suite has this name.
        NoSuchProblemException: The suite has no such problem.
    """

    def __init__(self, suite_name: str, function: int, dimension: int, instance: int) -> None:
        if suite_name not in suites.suite_names():
            raise NoSuchSuiteException.of("suite", suite_name, suites.suite_names())
        try:
            self._problem = problem_of(suite_name, function, dimension, instance)
        except SelectionError as error:
            raise NoSuchProblemException(str(error)) from error
        self.suite_name = suite_name
        self.function = function
        self.dimension = dimension
        self.instance = instance
        self.id = definition(suite_name).id_of(self._problem.problem_id)
        self.is_tainted = False

    def __call__(self, x: ArrayLike) -> Any:
        """The value of one point, or of each row of a batch."""
        return self._problem(x)

    def best_value(self) -> float | None:
        """The smallest value there is; None where nobody knows."""
        return self._problem.optimal_value

    def best_parameter(self) -> Vector | None:
        """Where it is, shape ``(dimension,)``; None where nobody knows."""
        self.is_tainted = True
        return self._problem.optimal_solution

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        place = self.suite_name, self.function, self.dimension, self.instance
        return f"BareProblem{place!r}"
