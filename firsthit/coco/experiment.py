"""What loops over a suite need: repetitions within a budget, batches, and growing budgets."""

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

Place = tuple[int, int] | tuple[int, int, int | None]
"""Function, dimension, and mostly instance."""


class ExperimentRepeater:
    """Which problems to run again, as long as budget is left and successes are few.

    ::

        repeater = cocoex.ExperimentRepeater(budget_multiplier)
        while not repeater.done():
            for problem in suite:
                if repeater.done(problem):
                    continue
                problem.observe_with(observer)
                fmin(problem, repeater.initial_solution_proposal(problem))
                repeater.track(problem)

    A "problem" of the methods is a `Problem`, or a tuple of function, dimension and instance, of
    which the last may be missing.

    Args:
        budget_multiplier: Times the dimension: evaluations for the runs on an instance together.
        min_successes: So many successful runs on a function are enough; by default 11.
        max_sweeps: So many sweeps over the suite are enough; by default 20.

    Attributes:
        min_successes: As given.
        max_sweeps: As given.
        offset: Is added to the dimension before it is multiplied; 0.
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
        self._data: dict[tuple[int, int], defaultdict[int, list[tuple[int, bool]]]] = {}

    def done(self, problem: Problem | Place | None = None, message: bool = True) -> bool:
        """Whether a problem need not be run again; without one, whether none need be.

        Called without one at the begin of each sweep: the first sweep is always made.

        Args:
            problem: The problem that is asked for.
            message: Print what the last sweep came to.
        """
        if problem is not None:
            return self._sweeps > 1 and self._is_done(problem)
        if message:
            print(self.message_sweep(), end="")
        left = self._sweeps == 0 or self.remaining_problems()
        if not left or self._sweeps >= self.max_sweeps:
            return True
        self._sweeps += 1
        return False

    def _is_done(self, problem: Problem | Place) -> bool:
        is_enough = self.succeeded(problem) or self.budget_exhausted(problem)
        return is_enough and not self.missing_trials(problem)

    def track(self, problem: Problem) -> None:
        """Keep evaluations and success of a run that is over."""
        function, dimension, instance = problem.id_triple
        data = self._data.setdefault((function, dimension), defaultdict(list))
        data[instance].append((problem.evaluations, bool(problem.final_target_hit)))

    @property
    def sweep(self) -> int:
        """Number of the sweep over the suite, from 1."""
        return self._sweeps

    @property
    def n_problems(self) -> int:
        """Functions and dimensions that were run."""
        return len(self._data)

    def n_problem_instances(self, problem: Problem | Place | None = None) -> int:
        """Instances that were run, of a problem or of all."""
        return sum(map(bool, self._all_trials(problem)))

    def n_trials(self, problem: Problem | Place | None = None) -> int:
        """Runs, of a problem or of all."""
        return sum(self._all_trials(problem))

    def _all_trials(self, problem: Problem | Place | None) -> list[int]:
        problems: Iterable[Any] = list(self._data) if problem is None else [problem]
        return [number for place in problems for number in self.trials(place)]

    def problem_to_ids(self, problem: Problem | Place) -> tuple[int, int, int | None]:
        """Function, dimension and instance; None for an instance that is not given."""
        if isinstance(problem, tuple):
            return (*problem, None)[:3]
        return problem.id_function, problem.dimension, problem.id_instance

    def data(self, problem: Problem | Place) -> dict[int, list[tuple[int, bool]]]:
        """Evaluations and success of the runs on each instance."""
        function, dimension, _ = self.problem_to_ids(problem)
        return self._data.get((function, dimension), {})

    def data_of_instance(self, problem: Problem | Place) -> list[tuple[int, bool]]:
        """Evaluations and success of the runs on one instance."""
        instance = self.problem_to_ids(problem)[2]
        return self.data(problem).get(instance, [])  # type: ignore[arg-type]

    def instances(self, problem: Problem | Place) -> list[int]:
        """The instances that were run."""
        return list(self.data(problem))

    def evaluations(self, problem: Problem | Place) -> list[int]:
        """Evaluations on each instance, all runs together."""
        return [sum(spent for spent, _ in runs) for runs in self.data(problem).values()]

    def successes(self, problem: Problem | Place) -> list[int]:
        """Successful runs on each instance."""
        return [sum(hit for _, hit in runs) for runs in self.data(problem).values()]

    def trials(self, problem: Problem | Place, instance: int | None = None) -> Any:
        """Runs on each instance; on one alone, where it is given."""
        if instance is not None:
            return len(self.data(problem).get(instance, ()))
        return [len(runs) for runs in self.data(problem).values()]

    def missing_trials(self, problem: Problem | Place) -> int:
        """How many runs more another instance has; 1 where there is no run on the function."""
        most: int = max(self.trials(problem), default=1)
        return most - len(self.data_of_instance(problem))

    def succeeded(self, problem: Problem | Place) -> bool:
        """Whether there are enough successful runs."""
        return sum(self.successes(problem)) >= self.min_successes

    def budget_exhausted(self, problem: Problem | Place) -> bool:
        """Whether an instance has spent the budget, in the mean."""
        spent, dimension = self.evaluations(problem), self.problem_to_ids(problem)[1]
        return bool(spent) and float(np.mean(spent)) >= self.budget_from_dimension(dimension)

    def budget_from_dimension(self, problem_or_dimension: Problem | int) -> float:
        """The budget of each instance, in evaluations."""
        given = problem_or_dimension
        dimension = given if isinstance(given, int) else given.dimension
        return self.budget_multiplier * (dimension + self.offset)

    def all(self, method: str | Callable[[Place], Any]) -> dict[tuple[int, int], Any]:
        """What a method, or the method of that name, gives for each function and dimension."""
        function = getattr(self, method) if isinstance(method, str) else method
        return {place: function(place) for place in self._data}

    def remaining_problems(self, suite: Iterable[Problem] | None = None) -> list[Any]:
        """Function, dimension and instance of what is probably to be run, as far as is known.

        Args:
            suite: Its problems are looked at instead of those that were run.
        """
        known: Iterable[Any] = (
            (*place, instance) for place, runs in self._data.items() for instance in runs
        )
        if suite is not None:
            known = (self.problem_to_ids(problem) for problem in suite)
        return [place for place in known if not self._is_done(place)]

    def message_sweep(self) -> str:
        """A sentence on what is reached; ``""`` before the first run."""
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
        """A start point: the problem's own in the first of ``nonzero_odds + 1`` runs, else random.

        Runs on all instances of a function count. With ``nonzero_odds`` 0 it is always random.
        """
        trials = self.n_trials(problem)
        if nonzero_odds <= 0:
            return problem.initial_solution_proposal(trials + 1)
        return problem.initial_solution_proposal(trials if trials % (nonzero_odds + 1) else 0)


class BatchScheduler:
    """Which problems belong to the batch of this process, where an experiment is run in several.

    Problems are dealt to the batches in turn whenever the function or the dimension changes, so
    they must come in the same order in each process.

    Args:
        number_of_batches: How many there are.
        batch_to_execute: The one of this process, from 0; may be None where there is only one.

    Raises:
        SelectionError: There is no such batch.
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
        self._place: tuple[int, int] | None = None
        self._count = -1

    def is_in_batch(self, problem: Problem) -> bool:
        """Whether a problem belongs to this batch; ask for each problem, in order."""
        place = problem.id_function, problem.dimension
        if place != self._place:
            self._count += 1
        self._place = place
        return self._count % self.number_of_batches == self.batch_to_execute


class ProblemNonAnytime:
    """A problem for algorithms that depend on their budget, run with larger and larger budgets.

    ::

        for index in range(len(suite)):
            with ProblemNonAnytime(suite, observer, index) as problem:
                for budget in sorted(budgets):
                    x = fmin(problem, problem.initial_solution, budget)
                    problem.delivered(x)
                    if problem.final_target_hit:
                        break

    What is logged is one run, to which each budget adds the evaluations that go beyond what is
    logged before: of two problems one is observed, and evaluations go to the other until it has as
    many. It has the attributes of a `Problem`, too.

    Args:
        suite: Whose problem it is.
        observer: Logs the run.
        index: Position of the problem in the suite.

    Attributes:
        evaluations: Since the last ``reset``.
    """

    def __init__(self, suite: Suite, observer: Observer | None, index: int) -> None:
        self._suite, self._index = suite, index
        self.p_observed = suite.get_problem(index, observer)
        self.p_unobserved = self._current = suite.get_problem(index)
        self.evaluations = 0

    def __call__(self, x: ArrayLike) -> Any:
        """The value of a point."""
        self.evaluations += 1
        if self.p_unobserved.evaluations >= self.p_observed.evaluations:
            self._current = self.p_observed
        return self._current(x)

    def delivered(self, x: ArrayLike) -> None:
        """Take the solution for a budget; it is evaluated unless its value is the best so far.

        Then ``reset``.
        """
        if self.p_unobserved(x) != self.best_observed_fvalue1:
            self.p_observed(x)
        self.reset()

    def reset(self) -> None:
        """Prepare for the next budget."""
        self.p_unobserved.free()
        self.p_unobserved = self._current = self._suite.get_problem(self._index)
        self.evaluations = 0

    def free(self) -> None:
        """End the run."""
        self.p_unobserved.free()
        self.p_observed.free()

    def print_progress(self) -> None:
        """Print function and instance, below the dimension where it is new."""
        problem, before = self.p_observed, self._index - 1
        if before < 0 or self._suite.get_problem(before).dimension != problem.dimension:
            print(f"\nd={problem.dimension}: ")
        print(f"f{problem.id_function:03d}_i{problem.id_instance:02d}", end=" ", flush=True)

    @property
    def random_solution(self) -> NDArray[np.float64]:
        """A random point, uniform in the region of interest."""
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
