"""Runtimes of one algorithm to all targets of one function, as samples or exact distributions.

`function_pairs` computes the runtimes, and `FunctionPairs` holds them; a profile is the average of
several `FunctionPairs`. The option `Runtimes` says which runtimes are computed: of single runs, or
of the algorithm restarted until it succeeds. `runtimes_meant` resolves its default, and
`usual_quantiles` gives quantiles of the default runtimes.
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
from ..hits.run_sets import RunSet
from ..statistics.average_runtime import simulated_runtimes
from ..statistics.ecdf import share_up_to
from ..statistics.hits import runtimes_of_runs
from ..statistics.quantiles import Floats, quantiles
from ..statistics.restart_distribution import (
    RestartDistributions,
    distributions_of_each_target,
    distributions_of_targets,
)

Runtimes = Literal["suite", "expected", "restarts", "runs"]
"""Kind of runtimes; `ProfileOptions` describes the kinds."""
SINGLE_RUNTIMES = {
    "expected": "single runtimes with restarts",
    "runs": "single runs, where unsuccessful runs never reach the target",
}
"""Descriptions of the runtimes of `usual_quantiles`, for `runtimes_note`."""
_RELATIVE_TOLERANCE = 1e-12
"""Relative widening of budgets: a budget times its unit may be rounded below a whole number."""


@dataclass(frozen=True)
class Simulation:
    """Options of the simulation of runtimes.

    Attributes:
        seed: Random seed, at least 0.
        samples: Minimum number of samples of each function, at least 1. The samples are divided
            equally between the targets of the function; the number for a target is a multiple of
            the number of runs. With the default, another seed changes a function's profile by less
            than 0.005.

    Raises:
        AssessmentError: A number is no integer, or too small.
    """

    seed: int = 1
    samples: int = 200_000

    def __post_init__(self) -> None:
        for name, minimum in (("seed", 0), ("samples", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < minimum:
                raise AssessmentError(f"{name} is {value!r}, must be an integer >= {minimum}")


@dataclass(frozen=True, eq=False)
class FunctionPairs:
    """Runtimes to the targets of one function.

    Attributes:
        samples: Runtimes in evaluations, shape ``(n_samples, n_sampled_targets)``; inf if the
            target was not reached.
        exact: Distributions of the runtimes to the other targets.
        unit: Number of evaluations of one unit of budgets; a budget is evaluations / ``unit``.
    """

    samples: Floats
    exact: RestartDistributions = field(
        default_factory=lambda: RestartDistributions.concatenate(())
    )
    unit: float = 1.0

    @property
    def n_targets(self) -> int:
        """Number of targets; each target has the same weight."""
        return int(self.samples.shape[1] + self.exact.targets.sum())

    @property
    def solved(self) -> int:
        """Number of targets that at least one run reached."""
        return int(np.isfinite(self.samples).any(axis=0).sum()) + self.exact.solved

    def fraction(self, budgets: ArrayLike) -> Floats:
        """Compute the share of the runtimes that are at most each budget.

        Args:
            budgets: Budgets, any shape.

        Returns:
            Shares in [0, 1], in the shape of ``budgets``.
        """
        evaluations = np.asarray(budgets, dtype=np.float64) * self.unit * (1 + _RELATIVE_TOLERANCE)
        n_reached = self.exact.expected(evaluations)
        if n_sampled := self.samples.shape[1]:
            n_reached += n_sampled * share_up_to(self._ascending, evaluations, self.samples.size)
        share: Floats = n_reached / self.n_targets
        return share

    def ends(self) -> tuple[float, float]:
        """Return the smallest and the largest runtime as budgets; (inf, 0) if there is none."""
        runtimes = np.concatenate([self._ascending[:1], self._ascending[-1:], self.exact.ends])
        finite = runtimes[np.isfinite(runtimes)]
        low, high = finite.min(initial=np.inf), finite.max(initial=0.0)
        return float(low) / self.unit, float(high) / self.unit

    def atoms(self) -> tuple[Floats, Floats]:
        """Return all runtimes as budgets, and the weight of each runtime.

        Returns:
            Budgets, inf if the target was not reached, and weights, which sum to 1. Both have the
            shape ``(n_atoms,)``.
        """
        weight = self.samples.shape[1] / max(self.samples.size, 1) / self.n_targets
        parts = [(self.samples.ravel(), np.full(self.samples.size, weight))]
        for distribution, n_targets in zip(self.exact, self.exact.targets.tolist(), strict=True):
            runtimes, probability = distribution.atoms()
            parts.append((runtimes, probability * n_targets / self.n_targets))
        runtimes, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        return runtimes / self.unit, weights

    @cached_property
    def _ascending(self) -> Floats:
        """The finite samples, sorted."""
        return np.sort(self.samples[np.isfinite(self.samples)])


def function_pairs(
    run_set: RunSet, runtimes: Runtimes, simulation: Simulation, unit: float = 1.0
) -> FunctionPairs:
    """Compute the runtimes of one algorithm to the targets of one function in one dimension.

    Args:
        run_set: The runs.
        runtimes: Kind of runtimes.
        simulation: Seed and number of samples, for ``"restarts"``.
        unit: Number of evaluations of one unit of budgets.

    Returns:
        The runtimes; those of ``"expected"`` are exact for targets that only some runs reached.

    Raises:
        UnknownNameError: ``runtimes`` is no `Runtimes`.
    """
    runtimes = runtimes_meant(run_set, runtimes)
    if runtimes == "runs":
        return FunctionPairs(runtimes_of_runs(run_set.hits), unit=unit)
    if runtimes == "restarts":
        return FunctionPairs(simulated(run_set, simulation), unit=unit)
    n_reached = np.isfinite(run_set.hits).sum(axis=0)
    # If all runs reached a target, nothing is restarted; if none did, all runtimes are infinite.
    needs_restarts = (n_reached > 0) & (n_reached < len(run_set.hits))
    exact = distributions_of_targets(run_set.hits[:, needs_restarts], run_set.spent)
    return FunctionPairs(runtimes_of_runs(run_set.hits[:, ~needs_restarts]), exact, unit)


def runtimes_meant(run_set: RunSet, runtimes: Runtimes) -> Runtimes:
    """Return the kind of runtimes that is computed for runs, never ``"suite"``.

    Args:
        run_set: The runs.
        runtimes: Requested kind of runtimes.

    Returns:
        ``runtimes``; for ``"suite"``, ``"expected"`` if restarts can be simulated, or else
        ``"runs"``.

    Raises:
        UnknownNameError: ``runtimes`` is no `Runtimes`.
    """
    if runtimes not in get_args(Runtimes):
        raise UnknownNameError.of("kind of runtimes", runtimes, get_args(Runtimes))
    if runtimes != "suite":
        return runtimes
    return "expected" if run_set.restarts else "runs"


def runtimes_note(
    run_sets: Iterable[RunSet], runtimes: Runtimes, descriptions: Mapping[str, str]
) -> str:
    """Describe the kind of the runtimes of a table in words.

    Args:
        run_sets: The runs of the table.
        runtimes: Requested kind of runtimes.
        descriptions: Description of each kind that `runtimes_meant` may return for the runs.

    Returns:
        The description of each computed kind, separated by semicolons, with the names of its suites
        if there are several kinds. With two objectives, it ends with a clause on restarts.

    Raises:
        UnknownNameError: ``runtimes`` is no `Runtimes`.
    """
    suites_by_kind: dict[str, dict[str, None]] = {}
    for run_set in run_sets:
        suites_by_kind.setdefault(runtimes_meant(run_set, runtimes), {})[run_set.suite] = None
    sentences = [
        (f"on {', '.join(suites)} " if len(suites_by_kind) > 1 else "") + descriptions[kind]
        for kind, suites in suites_by_kind.items()
    ]
    if runtimes == "suite" and "runs" in suites_by_kind:
        sentences.append("no restarts are simulated with two objectives")
    return "; ".join(sentences)


def usual_quantiles(run_set: RunSet, probabilities: ArrayLike) -> Floats:
    """Compute quantiles of the runtimes that ``"suite"`` stands for, to each target.

    They are quantiles of the exact distribution of the algorithm restarted until it succeeds
    (`restart_distribution`). With two objectives, they are Hazen's quantiles of single runs, and
    the runtime of a run that missed the target is infinite.

    Args:
        run_set: The runs.
        probabilities: Probabilities in [0, 1], shape ``(n_probabilities,)``.

    Returns:
        Evaluations, shape ``(n_probabilities, n_targets)``; inf if no run hit the target.
    """
    levels = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    if runtimes_meant(run_set, "suite") == "runs":
        return quantiles(runtimes_of_runs(run_set.hits), levels)
    distributions = distributions_of_each_target(run_set.hits, run_set.spent)
    columns = [distribution.quantiles(levels) for distribution in distributions]
    return np.array(columns).reshape(-1, len(levels)).T


def simulated(run_set: RunSet, simulation: Simulation) -> Floats:
    """Simulate runtimes of the algorithm restarted until it succeeds, to each target.

    Args:
        run_set: The runs that are sampled.
        simulation: Seed and minimum number of samples.

    Returns:
        Evaluations, shape ``(n_samples, n_targets)``; inf if no run hit the target.
    """
    n_runs, n_targets = run_set.hits.shape
    # With a multiple of the number of runs, each hit of a target that all runs hit is sampled
    # equally often.
    n_samples = -(-simulation.samples // (n_runs * max(n_targets, 1))) * n_runs
    return simulated_runtimes(run_set.hits, run_set.spent, n_samples, run_set.rng(simulation.seed))
