"""Runtimes to all targets of one function, drawn or as exact distributions: what profiles add up.

Also the options that say which runtimes these are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...suites.errors import UnknownNameError
from ..errors import AssessmentError
from ..statistics.average_runtime import simulated_runtimes
from ..statistics.ecdf import share_up_to
from ..statistics.hits import runtimes_of_runs
from ..statistics.quantiles import Floats
from ..statistics.restarts.distribution import RestartDistribution, restart_distribution
from .run_sets import RunSet

Runtimes = Literal["restarts", "runs", "expected"]
_TAIL = 1e-3


@dataclass(frozen=True)
class Simulation:
    """How runtimes are simulated: the seed, and the least number of samples of each pair.

    The samples of a pair are the smallest multiple of its runs that is at least ``samples``, so
    that each run starts equally many of them.
    """

    seed: int = 1
    samples: int = 100

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("samples", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise AssessmentError(f"{name} is {value!r}, must be an integer >= {least}")


@dataclass(frozen=True, eq=False)
class FunctionPairs:
    """Runtimes to the targets of one function, in evaluations or these divided by the dimension.

    Attributes:
        samples: Runtimes, shape ``(n_samples, n_sampled_targets)``; inf where not reached.
        exact: Distributions of the runtimes to the other targets.
    """

    samples: Floats
    exact: tuple[RestartDistribution, ...] = ()

    @property
    def n_targets(self) -> int:
        """Number of targets, each weighing the same."""
        return int(self.samples.shape[1]) + len(self.exact)

    def fraction(self, budgets: ArrayLike) -> Floats:
        """Share of the runtimes that are at most each budget, in the shape of ``budgets``."""
        if not self.exact:
            return self._sampled(budgets)
        sampled = self.samples.shape[1]
        total = sampled * self._sampled(budgets) if sampled else np.zeros(np.shape(budgets))
        for one in self.exact:
            total = total + one.cdf(budgets)
        share: Floats = total / self.n_targets
        return share

    def ends(self) -> tuple[float, float]:
        """Smallest and largest runtime; (inf, 0) where there is none.

        The largest of an exact distribution is where all but a thousandth of it lies below.
        """
        low, high = (
            [float(x) for x in self._ascending[:1]],
            [float(x) for x in self._ascending[-1:]],
        )
        for one in self.exact:
            if one.runtimes.size:
                last = int(np.searchsorted(np.cumsum(one.probability), 1 - _TAIL))
                low.append(float(one.runtimes[0]))
                high.append(float(one.runtimes[min(last, one.runtimes.size - 1)]))
        return min(low, default=np.inf), max(high, default=0.0)

    @cached_property
    def _ascending(self) -> Floats:
        """The finite samples, sorted."""
        return np.sort(self.samples[np.isfinite(self.samples)])

    def _sampled(self, budgets: ArrayLike) -> Floats:
        """The share of the samples that are at most each budget: `ecdf`, sorting only once."""
        return share_up_to(self._ascending, budgets, self.samples.size)


def function_pairs(
    one: RunSet, runtimes: str, simulation: Simulation, unit: float = 1.0
) -> FunctionPairs:
    """Runtimes of one algorithm to the targets of one function in one dimension.

    Args:
        one: Its runs.
        runtimes: ``"restarts"``: with simulated restarts; ``"runs"``: those of the runs, failures
            being infinite; ``"expected"``: the exact distribution of ``"restarts"``, where
            `restart_distribution` can write it down, and samples elsewhere.
        simulation: Seed and samples.
        unit: Evaluations are divided by this.

    Raises:
        UnknownNameError: ``runtimes`` is none of the three.
    """
    if runtimes == "runs":
        return FunctionPairs(runtimes_of_runs(one.hits) / unit)
    if runtimes == "restarts":
        return FunctionPairs(simulated(one, simulation) / unit)
    if runtimes != "expected":
        raise UnknownNameError.of("kind of runtimes", runtimes, get_args(Runtimes))
    known = [restart_distribution(column, one.spent) for column in one.hits.T]
    missing = np.array([distribution is None for distribution in known], dtype=np.bool_)
    samples = simulated(one, simulation)[:, missing] if missing.any() else np.empty((0, 0))
    exact = tuple(replace(d, runtimes=d.runtimes / unit) for d in known if d is not None)
    return FunctionPairs(samples / unit, exact)


def simulated(one: RunSet, simulation: Simulation) -> Floats:
    """Simulated runtimes, ``(n_samples, n_targets)``; see `simulated_runtimes`."""
    n_runs = len(one.spent)
    samples = -(-simulation.samples // n_runs) * n_runs
    return simulated_runtimes(one.hits, one.spent, samples, one.rng(simulation.seed))
