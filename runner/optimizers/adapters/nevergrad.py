"""Declare optimizers of the package nevergrad, by their names in its registry.

`solve` runs an optimizer and evaluates batches. `AskTell` is the interface for simulated parallel
evaluation, in which the optimizer is asked for single points. The optimizers never end by
themselves, and adapt to the budget.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ....suites.arrays import Floats
from .built_in import BuiltIn, Method, Package, StartResult, finite_bounds

NEVERGRAD = Package("nevergrad", "nevergrad", "MIT")
_TWO_OBJECTIVES = ("OnePlusOne", "DE", "TwoPointsDE", "PSO", "CMA", "DiagonalCMA")
"""Optimizers that also accept two objectives."""
_CONSTRAINED = ("OnePlusOne", "ScrHammersleySearch")
"""Optimizers that use violations of constraints.

All optimizers of nevergrad accept violations in ``tell``. But the others select points by
``candidate.loss``, to which nevergrad 1.0.12 does not add its penalty. They would prefer infeasible
points.
"""


def solve(
    name: str,
    problem: Any,
    x0: Floats,
    seed: int,
    budget: int | None = None,
    *,
    num_workers: int = 1,
) -> StartResult:
    """Run an optimizer of nevergrad's registry until the budget is spent.

    Args:
        name: Name in the registry.
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``. It is not used for bits.
        seed: Seed of this start.
        budget: Remaining evaluations of the run. nevergrad's optimizers adapt to it. None: no
            limit.
        num_workers: Number of points that are requested from nevergrad and evaluated as one batch.

    Returns:
        The stop reason, and the number of evaluations.
    """
    optimizer = _make_optimizer(name, problem, x0, seed, budget, num_workers)
    with _ignore_warnings():
        while budget is None or optimizer.num_tell < budget:
            size = num_workers if budget is None else min(num_workers, budget - optimizer.num_tell)
            _evaluate_batch(optimizer, problem, size)
    return StartResult("budget", int(optimizer.num_tell))


class AskTell:
    """An optimizer of nevergrad's registry with ``ask`` and ``tell`` for single points.

    Values may be told in any order. The arguments are those of `solve`, with one exception: the
    default of ``num_workers`` is the number of evaluators. Some optimizers adapt to this number.
    """

    def __init__(
        self,
        name: str,
        problem: Any,
        x0: Floats,
        seed: int,
        budget: int | None = None,
        *,
        num_workers: int | None = None,
    ) -> None:
        workers = num_workers or problem.evaluators
        self._optimizer = _make_optimizer(name, problem, x0, seed, budget, workers)
        self._problem = problem
        # Candidates of nevergrad whose values are not known yet, by the ``id()`` of their points.
        self._candidates: dict[int, Any] = {}

    def ask(self) -> Floats:
        """Return a new point, shape ``(dimension,)``."""
        with _ignore_warnings():
            candidate = self._optimizer.ask()
        point: Floats = np.hstack(candidate.value).astype(np.float64)
        self._candidates[id(point)] = candidate
        return point

    def tell(self, point: Floats, value: Any) -> None:
        """Tell the optimizer the value of a point.

        Args:
            point: The object that `ask` returned, not a copy of it.
            value: Objective value, or values of two objectives.
        """
        result = [self._candidates.pop(id(point)), value]
        if self._problem.number_of_constraints:
            result.append(np.maximum(self._problem.constraint(point), 0.0))
        with _ignore_warnings():
            self._optimizer.tell(*result)


def _make_optimizer(
    name: str, problem: Any, x0: Floats, seed: int, budget: int | None, num_workers: int
) -> Any:
    """Create an optimizer of nevergrad. The arguments are those of `solve`."""
    import nevergrad as ng

    space = space_of(problem, x0, f"nevergrad:{name}")
    space.random_state.seed(seed)
    return ng.optimizers.registry[name](space, budget=budget, num_workers=num_workers)


@contextmanager
def _ignore_warnings() -> Iterator[None]:
    """Ignore warnings that nevergrad and pycma issue in the block in regular runs."""
    with warnings.catch_warnings():
        # pycma issues this warning in almost every generation when nevergrad calls it.
        warnings.filterwarnings("ignore", message="orphanated injected solution")
        # With two objectives, the loss is inf until nevergrad has chosen a reference point.
        warnings.filterwarnings("ignore", message="Updating fitness with inf value")
        yield


def _evaluate_batch(optimizer: Any, problem: Any, size: int) -> None:
    """Ask for ``size`` points, evaluate them as one batch, and tell their values."""
    candidates = [optimizer.ask() for _ in range(size)]
    points = np.array([np.hstack(candidate.value) for candidate in candidates], dtype=np.float64)
    results = [candidates, problem(points).tolist()]
    if problem.number_of_constraints:
        results.append(np.maximum(problem.constraint(points), 0.0))
    for result in zip(*results, strict=True):
        optimizer.tell(*result)


def space_of(problem: Any, x0: Floats, label: str) -> Any:
    """Return nevergrad's parametrization of the variables of a problem.

    Args:
        problem: The observed problem.
        x0: Initial values, shape ``(dimension,)``. They are not used for bits.
        label: Name of the optimizer or function that needs finite bounds, for the message.

    Returns:
        Bits: a ``TransitionChoice``. Only real variables: an ``Array``. Otherwise a ``Tuple`` of an
        array with integer casting and, if there are real variables, a second array for them.

    Raises:
        OptimizerError: A bound is infinite.
    """
    import nevergrad as ng

    low, high = finite_bounds(label, problem)
    if problem.is_binary:
        return ng.p.TransitionChoice([0.0, 1.0], repetitions=len(low))
    start, n_integers = np.clip(x0, low, high), problem.number_of_integer_variables
    if not n_integers:
        return ng.p.Array(init=start, lower=low, upper=high)
    integers, reals = slice(n_integers), slice(n_integers, None)
    arrays = [ng.p.Array(init=start[integers], lower=low[integers], upper=high[integers])]
    arrays[0].set_integer_casting()
    if n_integers < len(start):
        arrays.append(ng.p.Array(init=start[reals], lower=low[reals], upper=high[reals]))
    return ng.p.Tuple(*arrays)


def _declare(name: str, about: str) -> BuiltIn:
    """Declare an optimizer by its name in the registry and a description of its method."""
    method = Method(solve, name, {"num_workers": None})
    return BuiltIn(
        method, about, (NEVERGRAD,), needs_budget=True, batch="num_workers", integers=True,
        bits="only" if "Discrete" in name else "yes",
        constraints=name in _CONSTRAINED, objectives=(1, 2) if name in _TWO_OBJECTIVES else (1,),
        ask_tell=Method(AskTell, name, {"num_workers": None}),
    )  # fmt: skip


OPTIMIZERS = {
    f"nevergrad:{name}": _declare(name, about)
    for name, about in (
        ("OnePlusOne", "(1+1)-ES"),
        ("DiscreteOnePlusOne", "(1+1)-EA, some variables drawn anew"),
        ("DoubleFastGADiscreteOnePlusOne", "(1+1)-EA, heavy-tailed mutation"),
        ("DE", "differential evolution"),
        ("TwoPointsDE", "differential evolution, two-point crossover"),
        ("PSO", "particle swarm"),
        ("CMA", "CMA-ES"),
        ("DiagonalCMA", "CMA-ES with a diagonal covariance"),
        ("TBPSA", "population control, for noise"),
        ("ScrHammersleySearch", "scrambled Hammersley points"),
        ("NGOpt", "nevergrad's choice for dimension and budget"),
    )
}
