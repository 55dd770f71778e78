"""Distributions of runtimes with restarts to many targets, in flat arrays: built and asked at once.

One by one (`restart_distribution`) the same numbers take several times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..quantiles import Floats
from .distribution import JOINED, REMAINDER, RestartDistribution
from .failures import Indices, failed_evaluations_of_each, shares_within


@dataclass(frozen=True, eq=False)
class RestartDistributions:
    """Distributions, one after the other, each the mean of those of some targets.

    Attributes:
        failed: As of `RestartDistribution`, of the first distribution, then of the second, ….
        probability: Of each of ``failed``.
        atoms: The distribution ``i`` owns ``failed[atoms[i]:atoms[i + 1]]``; shape ``(n + 1,)``.
        successes: As of `RestartDistribution`, one distribution after the other.
        runs: The distribution ``i`` owns ``successes[runs[i]:runs[i + 1]]``; shape ``(n + 1,)``.
        targets: How many targets each is the mean of, shape ``(n,)``.
    """

    failed: Floats
    probability: Floats
    atoms: Indices
    successes: Floats
    runs: Indices
    targets: Indices

    @classmethod
    def joined(cls, distributions: Sequence[RestartDistribution]) -> RestartDistributions:
        """Distributions of one target each; any number."""
        none = np.empty(0)
        return cls(
            np.concatenate([none, *(one.failed for one in distributions)]),
            np.concatenate([none, *(one.probability for one in distributions)]),
            np.cumsum([0, *(len(one.failed) for one in distributions)]),
            np.concatenate([none, *(one.successes for one in distributions)]),
            np.cumsum([0, *(len(one.successes) for one in distributions)]),
            np.ones(len(distributions), dtype=np.int64),
        )

    def __iter__(self) -> Iterator[RestartDistribution]:
        """One distribution after the other."""
        for i in range(len(self.targets)):
            atoms, runs = slice(*self.atoms[i : i + 2]), slice(*self.runs[i : i + 2])
            yield RestartDistribution(
                self.failed[atoms], self.probability[atoms], self.successes[runs]
            )

    @property
    def solved(self) -> int:
        """How many of the targets any run reached."""
        return int(self.targets[np.diff(self.runs) > 0].sum())

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest runtime of all; (inf, inf) where no run succeeded."""
        if not self.successes.size:
            return float("inf"), float("inf")
        last = self.failed[self.atoms[1:] - 1] + self.successes[self.runs[1:] - 1]
        return float(self.successes.min()), float(last[np.diff(self.runs) > 0].max())

    def expected(self, budgets: ArrayLike) -> Floats:
        """How many of the targets are expected to be reached within each budget, in their shape.

        It is the sum of the distribution functions, each times its number of targets.
        """
        wanted = np.asarray(budgets, dtype=np.float64)
        flat = wanted.ravel()
        order = np.argsort(flat, kind="stable")
        reached = np.empty(flat.size)
        reached[order] = shares_within(
            self.failed, self.probability, self.atoms, self.successes, self.runs,
            self.targets.astype(np.float64), flat[order],
        )  # fmt: skip
        return reached.reshape(wanted.shape)


def distributions_of_targets(hits: Floats, spent: Floats) -> RestartDistributions:
    """As `restart_distribution`, of many targets; neighbours that the same runs reached have one.

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``, at least one run; NaN or
            inf where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
    """
    order = np.argsort(spent, kind="stable")
    missed = np.ascontiguousarray(~np.isfinite(hits[order]).T)
    others = (missed[1:] != missed[:-1]).any(axis=1)
    first = np.flatnonzero(np.append(True, others)[: len(missed)])
    targets = np.diff(first, append=len(missed))
    runtimes = np.sort(hits.T, axis=1)
    reached = np.isfinite(runtimes)
    successes = runtimes[reached]
    runs = np.cumsum([0, *reached.sum(axis=1).tolist()])[np.append(first, len(missed))]
    for i in np.flatnonzero(targets > 1).tolist():
        successes[runs[i] : runs[i + 1]].sort()
    failed = failed_evaluations_of_each(spent[order], missed[first], JOINED, REMAINDER)
    return RestartDistributions(*failed, successes, runs, targets)
