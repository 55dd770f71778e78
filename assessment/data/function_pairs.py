"""Runtimes to all targets of one function, drawn or as exact distributions: what profiles add up.

Also the options that say which runtimes these are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..statistics.average_runtime import simulated_runtimes
from ..statistics.ecdf import share_up_to
from ..statistics.hits import runtimes_of_runs
from ..statistics.quantiles import Floats, quantiles
from ..statistics.restart_distribution import (
    RestartDistribution,
    RestartDistributions,
    distributions_of_targets,
    restart_distribution,
)
from .run_sets import RunSet

Runtimes = Literal["suite", "expected", "restarts", "runs"]
SINGLE_RUNTIMES = {
    "expected": "of single runtimes with restarts",
    "runs": "of single runs, a failed one as never",
}
"""Of what `usual_quantiles` are, for `runtimes_note`."""
_BELOW_UNITS = 1e-12
"""Budgets count as larger by this part: evaluations divided by a unit come back a bit smaller."""


@dataclass(frozen=True)
class Simulation:
    """How runtimes are simulated: the seed, and the least number of samples of each function.

    They are spread over its targets; those of a target are a multiple of its runs. With the
    default, another seed moves a function's profile by less than 0.005.
    """

    seed: int = 1
    samples: int = 200_000

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("samples", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise AssessmentError(f"{name} is {value!r}, must be an integer >= {least}")


@dataclass(frozen=True, eq=False)
class FunctionPairs:
    """Runtimes to the targets of one function.

    Attributes:
        samples: Runtimes in evaluations, shape ``(n_samples, n_sampled_targets)``; inf where not
            reached.
        exact: Distributions of the runtimes to the other targets.
        unit: Budgets are evaluations divided by this.
    """

    samples: Floats
    exact: RestartDistributions = field(
        default_factory=lambda: RestartDistributions.concatenate(())
    )
    unit: float = 1.0

    @property
    def n_targets(self) -> int:
        """Number of targets, each weighing the same."""
        return int(self.samples.shape[1] + self.exact.targets.sum())

    @property
    def solved(self) -> int:
        """Number of targets that were reached at all."""
        return int(np.isfinite(self.samples).any(axis=0).sum()) + self.exact.solved

    def fraction(self, budgets: ArrayLike) -> Floats:
        """Share of the runtimes that are at most each budget, in the shape of ``budgets``."""
        evaluations = np.asarray(budgets, dtype=np.float64) * self.unit * (1 + _BELOW_UNITS)
        reached = self.exact.expected(evaluations)
        if sampled := self.samples.shape[1]:
            reached += sampled * share_up_to(self._ascending, evaluations, self.samples.size)
        share: Floats = reached / self.n_targets
        return share

    def ends(self) -> tuple[float, float]:
        """Smallest and largest runtime as budgets; (inf, 0) where there is none."""
        known = np.concatenate([self._ascending[:1], self._ascending[-1:], self.exact.ends])
        reached = known[np.isfinite(known)]
        low, high = reached.min(initial=np.inf), reached.max(initial=0.0)
        return float(low) / self.unit, float(high) / self.unit

    def atoms(self) -> tuple[Floats, Floats]:
        """All runtimes as budgets, inf where not reached, and the weight of each; both ``(n,)``.

        The weights sum to 1.
        """
        weight = self.samples.shape[1] / max(self.samples.size, 1) / self.n_targets
        found = [(self.samples.ravel(), np.full(self.samples.size, weight))]
        for distribution, targets in zip(self.exact, self.exact.targets.tolist(), strict=True):
            runtimes, probability = distribution.atoms()
            found.append((runtimes, probability * targets / self.n_targets))
        runtimes, weights = (np.concatenate(column) for column in zip(*found, strict=True))
        return runtimes / self.unit, weights

    @cached_property
    def _ascending(self) -> Floats:
        """The finite samples, sorted."""
        return np.sort(self.samples[np.isfinite(self.samples)])


def function_pairs(
    run_set: RunSet, runtimes: str, simulation: Simulation, unit: float = 1.0
) -> FunctionPairs:
    """Runtimes of one algorithm to the targets of one function in one dimension."""
    runtimes = runtimes_meant(run_set, runtimes)
    if runtimes == "runs":
        return FunctionPairs(runtimes_of_runs(run_set.hits), unit=unit)
    if runtimes == "restarts":
        return FunctionPairs(simulated(run_set, simulation), unit=unit)
    reached = np.isfinite(run_set.hits).sum(axis=0)
    partly = (reached > 0) & (reached < len(run_set.hits))
    exact = distributions_of_targets(run_set.hits[:, partly], run_set.spent)
    return FunctionPairs(runtimes_of_runs(run_set.hits[:, ~partly]), exact, unit)


def runtimes_meant(run_set: RunSet, runtimes: str) -> str:
    """``runtimes``, or for ``"suite"`` the usual: ``"expected"``; without restarts ``"runs"``."""
    if runtimes not in get_args(Runtimes):
        raise UnknownNameError.of("kind of runtimes", runtimes, get_args(Runtimes))
    if runtimes != "suite":
        return runtimes
    return "expected" if run_set.restarts else "runs"


def runtimes_note(run_sets: Iterable[RunSet], runtimes: str, words: Mapping[str, str]) -> str:
    """What the runtimes of a table are: the sentence in ``words`` of each kind that is meant.

    Where suites differ, each is named; with two objectives it says that there are no restarts.
    """
    kinds: dict[str, dict[str, None]] = {}
    for run_set in run_sets:
        kinds.setdefault(runtimes_meant(run_set, runtimes), {})[run_set.suite] = None
    sentences = [
        (f"on {', '.join(suites)} " if len(kinds) > 1 else "") + words[kind]
        for kind, suites in kinds.items()
    ]
    if runtimes == "suite" and "runs" in kinds:
        sentences.append("no restarts are simulated with two objectives")
    return "; ".join(sentences)


def usual_quantiles(run_set: RunSet, probabilities: ArrayLike) -> Floats:
    """Quantiles of the usual runtime, ``(n_probabilities, n_targets)``, in evaluations.

    Of the algorithm restarted until it succeeds (`restart_distribution`), inf where no run
    succeeded. With two objectives of single runs, hazen, failures being infinite.
    """
    levels = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    if runtimes_meant(run_set, "suite") == "runs":
        return quantiles(runtimes_of_runs(run_set.hits), levels)
    columns = [own.quantiles(levels) for own in restart_distributions(run_set)]
    return np.array(columns).reshape(-1, len(levels)).T


def restart_distributions(run_set: RunSet) -> list[RestartDistribution]:
    """The distribution of the runtime with restarts to each target."""
    return [restart_distribution(hits, run_set.spent) for hits in run_set.hits.T]


def simulated(run_set: RunSet, simulation: Simulation) -> Floats:
    """Simulated runtimes, ``(n_samples, n_targets)``; see `simulated_runtimes`."""
    n_runs, n_targets = run_set.hits.shape
    samples = -(-simulation.samples // (n_runs * max(n_targets, 1))) * n_runs
    return simulated_runtimes(run_set.hits, run_set.spent, samples, run_set.rng(simulation.seed))
