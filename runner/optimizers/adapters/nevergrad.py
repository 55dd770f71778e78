"""nevergrad: optimizers by their names in its registry. They never end: they want a budget."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .built_in import BuiltIn, Ended, Method, Package, Vector, finite_bounds

NEVERGRAD = Package("nevergrad", "nevergrad", "MIT")
_TWO_OBJECTIVES = ("OnePlusOne", "DE", "TwoPointsDE", "PSO", "CMA", "DiagonalCMA")
_CONSTRAINED = ("OnePlusOne", "ScrHammersleySearch")
"""All take violations with ``tell``, but nevergrad 1.0.12 adds its penalty to what it hands on and
not to ``candidate.loss``, where the others look: they prefer infeasible points."""


def solve(
    name: str,
    problem: Any,
    x0: Vector,
    seed: int,
    budget: int | None = None,
    *,
    num_workers: int = 1,
) -> Ended:
    """Optimizer ``name`` of nevergrad's registry, told the budget that is left, if there is one.

    ``num_workers`` points are asked for before any of them is told, and evaluated as one batch.
    Integer variables are cast to integers, bits are choices, which begin where nevergrad does; some
    are told violated constraints with the value.
    """
    optimizer = _optimizer(name, problem, x0, seed, budget, num_workers)
    with _quiet():
        while budget is None or optimizer.num_tell < budget:
            left = num_workers if budget is None else min(num_workers, budget - optimizer.num_tell)
            _generation(optimizer, problem, left)
    return Ended("budget", int(optimizer.num_tell))


class AskTell:
    """The same, asked and told point by point, in any order.

    ``num_workers``, for which some prepare, is by default the number of evaluators.
    """

    def __init__(
        self,
        name: str,
        problem: Any,
        x0: Vector,
        seed: int,
        budget: int | None = None,
        *,
        num_workers: int | None = None,
    ) -> None:
        workers = num_workers or problem.evaluators
        self._optimizer = _optimizer(name, problem, x0, seed, budget, workers)
        self._problem = problem
        self._candidates: dict[int, Any] = {}

    def ask(self) -> Vector:
        """The point of a new candidate."""
        with _quiet():
            candidate = self._optimizer.ask()
        point: Vector = np.hstack(candidate.value).astype(np.float64)
        self._candidates[id(point)] = candidate
        return point

    def tell(self, point: Vector, value: Any) -> None:
        """The value of a point that was asked for; that very object."""
        result = [self._candidates.pop(id(point)), value]
        if self._problem.number_of_constraints:
            result.append(np.maximum(self._problem.constraint(point), 0.0))
        with _quiet():
            self._optimizer.tell(*result)


def _optimizer(
    name: str, problem: Any, x0: Vector, seed: int, budget: int | None, num_workers: int
) -> Any:
    import nevergrad as ng

    space = space_of(problem, x0, f"nevergrad:{name}")
    space.random_state.seed(seed)
    return ng.optimizers.registry[name](space, budget=budget, num_workers=num_workers)


@contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        # pycma's, about how nevergrad uses it: one for almost every generation
        warnings.filterwarnings("ignore", message="orphanated injected solution")
        # of two objectives, before nevergrad has chosen a reference point
        warnings.filterwarnings("ignore", message="Updating fitness with inf value")
        yield


def _generation(optimizer: Any, problem: Any, size: int) -> None:
    candidates = [optimizer.ask() for _ in range(size)]
    points = np.array([np.hstack(candidate.value) for candidate in candidates], dtype=np.float64)
    results = [candidates, problem(points).tolist()]
    if problem.number_of_constraints:
        results.append(np.maximum(problem.constraint(points), 0.0))
    for result in zip(*results, strict=True):
        optimizer.tell(*result)


def space_of(problem: Any, x0: Vector, who: str) -> Any:
    """Nevergrad's form of the region, from ``x0`` on; ``who`` needs finite bounds.

    Bits are choices. Where integers come first, they are an array of their own.
    """
    import nevergrad as ng

    low, high = finite_bounds(who, problem)
    if problem.is_binary:
        return ng.p.TransitionChoice([0.0, 1.0], repetitions=len(low))
    start, integers = np.clip(x0, low, high), problem.number_of_integer_variables
    if not integers:
        return ng.p.Array(init=start, lower=low, upper=high)
    first, rest = slice(integers), slice(integers, None)
    arrays = [ng.p.Array(init=start[first], lower=low[first], upper=high[first])]
    arrays[0].set_integer_casting()
    if integers < len(start):
        arrays.append(ng.p.Array(init=start[rest], lower=low[rest], upper=high[rest]))
    return ng.p.Tuple(*arrays)


def _registered(name: str, about: str) -> BuiltIn:
    method = Method(solve, name, {"num_workers": None})
    return BuiltIn(
        method, about, (NEVERGRAD,), needs_budget=True, batch="num_workers", integers=True,
        bits="only" if "Discrete" in name else "yes",
        constraints=name in _CONSTRAINED, objectives=(1, 2) if name in _TWO_OBJECTIVES else (1,),
        ask_tell=Method(AskTell, name, {"num_workers": None}),
    )  # fmt: skip


OPTIMIZERS = {
    f"nevergrad:{name}": _registered(name, about)
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
