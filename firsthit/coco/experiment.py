"""Helpers for loops over a suite, as in ``cocoex``.

`ExperimentRepeater` repeats runs within a budget, `BatchScheduler` splits an experiment into
batches, and `ProblemNonAnytime` logs runs with increasing budgets as one run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..suites.errors import SelectionError
from .observer import Observer
from .problem import Problem
from .suite import Suite

ProblemKey = tuple[int, int] | tuple[int, int, int | None]
"""A tuple of function, dimension, and optionally instance."""

_Trial = tuple[int, bool]
"""A tuple for a run: its number of evaluations, and whether it hit the final target."""


class ExperimentRepeater:
    """Decide which problems to run again, from the budget and the number of successful runs.

    ::

        repeater = cocoex.ExperimentRepeater(budget_multiplier)
        while not repeater.done():
            for problem in suite:
                if repeater.done(problem):
                    continue
                problem.observe_with(observer)
                fmin(problem, repeater.initial_solution_proposal(problem))
                repeater.track(problem)

    The methods accept a problem as a `Problem` object, or as a tuple of function, dimension and
    optionally instance. Successful runs on all instances of a function and dimension are counted
    together.

    Args:
        budget_multiplier: The budget for all runs on an instance together, in evaluations divided
            by the dimension.
        min_successes: The number of successful runs on a function that are enough. Default: 11.
        max_sweeps: The maximum number of sweeps over the suite. Default: 20.

    Attributes:
        min_successes: The number of successful runs that are enough.
        max_sweeps: The maximum number of sweeps.
        offset: A number that is added to the dimension before the multiplication; 0.

    Example:
        >>> from firsthit import coco as cocoex
        >>> suite = cocoex.Suite("bbob", "instances: 1-2", "dimensions: 2 function_indices: 1")
        >>> repeater = cocoex.ExperimentRepeater(budget_multiplier=10, max_sweeps=1)
        >>> while not repeater.done(message=False):
        ...     for problem in suite:
        ...         for _ in range(5):
        ...             value = problem(repeater.initial_solution_proposal(problem))
        ...         repeater.track(problem)
        >>> repeater.evaluations(problem), repeater.successes(problem)
        ([5, 5], [0, 0])
    """

    min_successes_default = 11
    max_sweeps_default = 20

    def __init__(
        self,
        budget_multiplier: float,
        min_successes: float | None = None,
        max_sweeps: int | None = None,
    ) -> None:
        self.budget_multiplier = budget_multiplier
        self.min_successes = self.min_successes_default if min_successes is None else min_successes
        self.max_sweeps = self.max_sweeps_default if max_sweeps is None else max_sweeps
        self.offset = 0
        self._sweeps = 0
        self._data: dict[tuple[int, int], defaultdict[int, list[_Trial]]] = {}

    def done(self, problem: Problem | ProblemKey | None = None, message: bool = True) -> bool:
        """Return whether a problem, or the whole experiment, is finished.

        With a problem, the method returns whether this problem need not be run again. Without a
        problem, it returns whether the experiment is finished. If the experiment is not finished,
        this call begins the next sweep. The first sweep is always made.

        Args:
            problem: The problem. None: the whole experiment.
            message: Whether a summary of the last sweep is printed if ``problem`` is None.
        """
        if problem is not None:
            return self._sweeps > 1 and self._is_done(problem)
        if message:
            print(self.message_sweep(), end="")
        has_work = self._sweeps == 0 or self.remaining_problems()
        if not has_work or self._sweeps >= self.max_sweeps:
            return True
        self._sweeps += 1
        return False

    def _is_done(self, problem: Problem | ProblemKey) -> bool:
        is_enough = self.succeeded(problem) or self.budget_exhausted(problem)
        return is_enough and not self.missing_trials(problem)

    def track(self, problem: Problem) -> None:
        """Record the evaluations and the success of a finished run."""
        function, dimension, instance = problem.id_triple
        data = self._data.setdefault((function, dimension), defaultdict(list))
        data[instance].append((problem.evaluations, bool(problem.final_target_hit)))

    @property
    def sweep(self) -> int:
        """The number of the current sweep over the suite, counted from 1; 0 before it."""
        return self._sweeps

    @property
    def n_problems(self) -> int:
        """The number of pairs of function and dimension that were run."""
        return len(self._data)

    def n_problem_instances(self, problem: Problem | ProblemKey | None = None) -> int:
        """Return the number of instances that were run.

        Args:
            problem: Problem whose function and dimension are counted. None: all of them.
        """
        return sum(map(bool, self._count_trials(problem)))

    def n_trials(self, problem: Problem | ProblemKey | None = None) -> int:
        """Return the number of runs.

        Args:
            problem: Problem whose function and dimension are counted. None: all of them.
        """
        return sum(self._count_trials(problem))

    def _count_trials(self, problem: Problem | ProblemKey | None) -> list[int]:
        """Return the number of runs on each instance; ``problem`` is as in `n_trials`."""
        problems: Iterable[Any] = list(self._data) if problem is None else [problem]
        return [count for key in problems for count in self.trials(key)]

    def problem_to_ids(self, problem: Problem | ProblemKey) -> tuple[int, int, int | None]:
        """Return function, dimension and instance; the instance is None if the tuple has none."""
        if isinstance(problem, tuple):
            return (*problem, None)[:3]
        return problem.id_function, problem.dimension, problem.id_instance

    def data(self, problem: Problem | ProblemKey) -> dict[int, list[_Trial]]:
        """Return evaluations and success of the runs on each instance."""
        function, dimension, _ = self.problem_to_ids(problem)
        return self._data.get((function, dimension), {})

    def data_of_instance(self, problem: Problem | ProblemKey) -> list[_Trial]:
        """Return evaluations and success of the runs on one instance."""
        instance = self.problem_to_ids(problem)[2]
        return self.data(problem).get(instance, [])  # type: ignore[arg-type]

    def instances(self, problem: Problem | ProblemKey) -> list[int]:
        """Return the instances that were run."""
        return list(self.data(problem))

    def evaluations(self, problem: Problem | ProblemKey) -> list[int]:
        """Return the number of evaluations on each instance, summed over its runs."""
        return [sum(spent for spent, _ in runs) for runs in self.data(problem).values()]

    def successes(self, problem: Problem | ProblemKey) -> list[int]:
        """Return the number of successful runs on each instance."""
        return [sum(hit for _, hit in runs) for runs in self.data(problem).values()]

    def trials(self, problem: Problem | ProblemKey, instance: int | None = None) -> Any:
        """Return the number of runs on each instance as a list.

        If ``instance`` is given, return the number of runs on this instance instead.
        """
        if instance is not None:
            return len(self.data(problem).get(instance, ()))
        return [len(runs) for runs in self.data(problem).values()]

    def missing_trials(self, problem: Problem | ProblemKey) -> int:
        """Return how many runs an instance lacks compared with the instance with the most runs.

        If there are no runs on the function and dimension, the result is 1.
        """
        most: int = max(self.trials(problem), default=1)
        return most - len(self.data_of_instance(problem))

    def succeeded(self, problem: Problem | ProblemKey) -> bool:
        """Return whether there are enough successful runs on the function and dimension."""
        return sum(self.successes(problem)) >= self.min_successes

    def budget_exhausted(self, problem: Problem | ProblemKey) -> bool:
        """Return whether the instances have used the budget on average.

        The number of evaluations of each instance is the sum over its runs.
        """
        spent, dimension = self.evaluations(problem), self.problem_to_ids(problem)[1]
        return bool(spent) and float(np.mean(spent)) >= self.budget_from_dimension(dimension)

    def budget_from_dimension(self, problem_or_dimension: Problem | int) -> float:
        """Return the budget of each instance, in evaluations."""
        dimension = problem_or_dimension
        if not isinstance(dimension, int):
            dimension = dimension.dimension
        return self.budget_multiplier * (dimension + self.offset)

    def all(self, method: str | Callable[[ProblemKey], Any]) -> dict[tuple[int, int], Any]:
        """Call a method of this object, or a callable, for each pair of function and dimension.

        Args:
            method: The name of a method, or a callable with a tuple of function and dimension.

        Returns:
            The results by function and dimension.
        """
        function = getattr(self, method) if isinstance(method, str) else method
        return {key: function(key) for key in self._data}

    def remaining_problems(self, suite: Iterable[Problem] | None = None) -> list[Any]:
        """Return function, dimension and instance of the problems to run again.

        Further problems may be added later: after a further run on one instance, the other
        instances may lack a run.

        Args:
            suite: The problems to check. None: the problems that were run.
        """
        keys: Iterable[Any] = (
            (*key, instance) for key, trials in self._data.items() for instance in trials
        )
        if suite is not None:
            keys = (self.problem_to_ids(problem) for problem in suite)
        return [key for key in keys if not self._is_done(key)]

    def message_sweep(self) -> str:
        """Return a summary of the runs so far; ``""`` before the first run."""
        if not self._data:
            return ""
        successes = [sum(counts) for counts in self.all("successes").values()]
        total, problems = sum(successes), len(successes)
        spent = sum(self.budget_exhausted(p) and not self.succeeded(p) for p in self._data)
        return (
            f"\nSweep {self._sweeps} done ({total} success{'es' * (total != 1)} on {problems} "
            f"problem{'s' * (problems != 1)} where {sum(n > 0 for n in successes)} had >= 1 "
            f"success and {sum(n >= self.min_successes for n in successes)} had >= "
            f"{self.min_successes} successes and {spent} exhausted the budget)\n"
        )

    def initial_solution_proposal(
        self, problem: Problem, nonzero_odds: int = 14
    ) -> NDArray[np.float64]:
        """Return the start point of the next run on a problem, shape ``(dimension,)``.

        Args:
            problem: The problem.
            nonzero_odds: Number of runs from random points after each run from the initial
                solution of the problem. Runs on all instances of the function and dimension are
                counted. 0: all start points are random.
        """
        trials = self.n_trials(problem)
        if nonzero_odds <= 0:
            return problem.initial_solution_proposal(trials + 1)
        return problem.initial_solution_proposal(trials if trials % (nonzero_odds + 1) else 0)


class BatchScheduler:
    """Select the problems of one batch of an experiment that is split into several processes.

    The pairs of function and dimension are assigned to the batches in turn, in the order in which
    `is_in_batch` sees them. Each process must therefore pass all problems in the same order.

    Args:
        number_of_batches: The number of batches.
        batch_to_execute: The batch of this process, counted from 0. It may be None if there is only
            one batch.

    Raises:
        SelectionError: The batch does not exist.

    Example:
        >>> from firsthit import coco as cocoex
        >>> suite = cocoex.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1-4")
        >>> scheduler = cocoex.BatchScheduler(number_of_batches=2, batch_to_execute=0)
        >>> [problem.id for problem in suite if scheduler.is_in_batch(problem)]
        ['bbob_f001_i01_d02', 'bbob_f003_i01_d02']
    """

    def __init__(self, number_of_batches: int, batch_to_execute: int | None) -> None:
        if number_of_batches == 1:
            batch_to_execute = 0
        if batch_to_execute is None or not 0 <= batch_to_execute < number_of_batches:
            raise SelectionError(
                f"batch_to_execute is {batch_to_execute}; with {number_of_batches} batches it must "
                f"be one of 0 to {number_of_batches - 1}"
            )
        self.number_of_batches, self.batch_to_execute = number_of_batches, batch_to_execute
        self._last_key: tuple[int, int] | None = None
        self._count = -1

    def is_in_batch(self, problem: Problem) -> bool:
        """Return whether a problem belongs to this batch.

        The result depends on earlier calls. Call the method once for each problem, in the order of
        the suite.
        """
        key = problem.id_function, problem.dimension
        if key != self._last_key:
            self._count += 1
        self._last_key = key
        return self._count % self.number_of_batches == self.batch_to_execute


class ProblemNonAnytime:
    """Problem on which an algorithm is run several times, with increasing budgets.

    This is for algorithms whose behaviour depends on the budget::

        for index in range(len(suite)):
            with ProblemNonAnytime(suite, observer, index) as problem:
                for budget in sorted(budgets):
                    x = fmin(problem, problem.initial_solution, budget)
                    problem.delivered(x)
                    if problem.final_target_hit:
                        break

    The log contains one run for all budgets. With each budget, the first evaluations are made on an
    unobserved copy of the problem, because the run with the smaller budget has logged the same
    number of evaluations. When the copy has as many evaluations as the observed problem, all
    further evaluations are made on the observed problem and are logged. Attributes that this class
    does not define are those of the observed `Problem`.

    Args:
        suite: The suite of the problem.
        observer: The observer that logs the run. None: nothing is logged.
        index: Position of the problem in the suite, counted from 0.

    Attributes:
        evaluations: The number of evaluations since the last ``reset``.
        p_observed: The observed problem.
        p_unobserved: The unobserved copy. ``reset`` replaces it by a new one.
    """

    def __init__(self, suite: Suite, observer: Observer | None, index: int) -> None:
        self._suite, self._index = suite, index
        self.p_observed = suite.get_problem(index, observer)
        self.p_unobserved = self._current = suite.get_problem(index)
        self.evaluations = 0

    def __call__(self, x: ArrayLike) -> Any:
        """Evaluate a point on the unobserved copy or on the observed problem; return its value."""
        self.evaluations += 1
        if self.p_unobserved.evaluations >= self.p_observed.evaluations:
            self._current = self.p_observed
        return self._current(x)

    def delivered(self, x: ArrayLike) -> None:
        """Record the result of the algorithm for a budget, and prepare for the next budget.

        If the value of the solution is not the best value so far, the solution is evaluated on the
        observed problem, so that the log contains it.

        Args:
            x: Solution that the algorithm returned, shape ``(dimension,)``.
        """
        if self.p_unobserved(x) != self.best_observed_fvalue1:
            self.p_observed(x)
        self.reset()

    def reset(self) -> None:
        """Create a new unobserved copy for the next budget, and set ``evaluations`` to 0."""
        self.p_unobserved.free()
        self.p_unobserved = self._current = self._suite.get_problem(self._index)
        self.evaluations = 0

    def free(self) -> None:
        """End the run, which logs it."""
        self.p_unobserved.free()
        self.p_observed.free()

    def print_progress(self) -> None:
        """Print function and instance; print the dimension before them if it has changed."""
        problem, previous = self.p_observed, self._index - 1
        if previous < 0 or self._suite.get_problem(previous).dimension != problem.dimension:
            print(f"\nd={problem.dimension}: ")
        print(f"f{problem.id_function:03d}_i{problem.id_instance:02d}", end=" ", flush=True)

    @property
    def random_solution(self) -> NDArray[np.float64]:
        """A random point, shape ``(dimension,)``, uniform within the bounds.

        The point comes from NumPy's global generator, as with ``cocoex``.
        """
        lower, upper = self.p_observed.lower_bounds, self.p_observed.upper_bounds
        weight = np.random.random(len(lower))  # noqa: NPY002
        point: NDArray[np.float64] = lower + (upper - lower) * weight
        return point

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "p_observed":
            raise AttributeError(f"a problem has no attribute {name!r}")
        return getattr(self.p_observed, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.free()
