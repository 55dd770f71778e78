"""The distribution of the runtime of an algorithm restarted until it succeeds, without sampling.

With ``n`` runs, of which ``n_f`` failed, a restarted algorithm draws runs with replacement until
one succeeds: ``RT = sum of J failed runs' evaluations + one successful runtime`` with
``P(J = k) = (n_f/n)**k * (1 - n_f/n)`` (Hansen et al., "COCO: Performance Assessment" (2016),
arXiv:1605.03560, section 4, equation RTrestart; Auger and Hansen, CEC 2005). So ``RT`` is the sum
of two independent numbers: the evaluations of the failed runs, and the runtime of a successful one.
The first one is a geometric sum. `failed_evaluations` computes its atoms in ascending order and
joins neighbours of small probability, so that failed runs may have any lengths.

**Error.** The share of runtimes up to a budget has an error below 0.002 (`ERROR`), and the mean is
exact. If all failed runs have equal lengths, the share is exact except for the last 0.0005
(`REMAINDER`), which is one atom that keeps the mean. Otherwise neighbours are joined up to the mass
``w = 0.001 p**-0.75`` in the renewal measure ``U``, where ``p`` is the success rate. For
``p > 0.6`` the error is proven: joining moves at most ``w`` past any budget, so
``|U' - U| <= F * |U' - U| + w <= w / p`` in the supremum norm, and the distribution is ``p * U``.
For smaller ``p`` the errors of different numbers of restarts are independent. Compared with lattice
convolutions, shares had an error of at most 0.0015 for success rates from 0.01 to 0.9 and lengths
that are equal, far apart, or nearly equal (``tests/assessment/test_restart_distribution.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import Floats

Indices = NDArray[np.int64]

ERROR = 0.002  # maximum error of a share; see the docstring of the module
REMAINDER = 5e-4  # probability of the last atom, which stands for the longest sequences of failures
MOST_JOINED_MASS = 1e-3  # ``w`` at success rate 1
_ROUNDING = 1e-12  # maximum rounding error of a sum of probabilities


@dataclass(frozen=True, eq=False)
class RestartDistribution:
    """A discrete distribution of runtimes: evaluations of failed runs plus a successful runtime.

    Attributes:
        failed: Evaluations of the failed runs before a success, ascending, shape ``(n_atoms,)``.
        probability: Probability of each of ``failed``, shape ``(n_atoms,)``; sums to 1.
        successes: Runtimes of successful runs, ascending and equally probable, shape
            ``(n_successes,)``. Empty if no run succeeded; the runtime is then infinite.
    """

    failed: Floats
    probability: Floats
    successes: Floats

    def cdf(self, budgets: ArrayLike) -> Floats:
        """Compute the probability that the runtime is at most each budget, in the same shape."""
        return RestartDistributions.concatenate([self]).expected(budgets)

    @property
    def mean(self) -> float:
        """Expected runtime, which is the average runtime (aRT); inf if no run succeeded."""
        if not self.successes.size:
            return float("inf")
        return float(self.failed @ self.probability + self.successes.mean())

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest runtime; (inf, inf) if no run succeeded."""
        if not self.successes.size:
            return float("inf"), float("inf")
        return float(self.successes[0]), float(self.failed[-1] + self.successes[-1])

    def atoms(self) -> tuple[Floats, Floats]:
        """Return all runtimes, unsorted, and the probability of each.

        Both have the shape ``(n_atoms * n_successes,)``, which is 0 if no run succeeded.
        """
        runtimes = np.add.outer(self.failed, self.successes).ravel()
        n = len(self.successes)
        return runtimes, np.repeat(self.probability / max(n, 1), n)

    def quantiles(self, probabilities: ArrayLike) -> Floats:
        """Compute the smallest runtime that is reached with at least each probability.

        If a probability is reached exactly, the result is the middle of this runtime and the next
        one, as for a sample in which each atom is repeated (Hyndman and Fan's type 2).

        Args:
            probabilities: Any shape, in [0, 1].

        Returns:
            Evaluations, in the shape of ``probabilities``; inf if no run succeeded.
        """
        levels = np.asarray(probabilities, dtype=np.float64)
        if not self.successes.size:
            return np.full(levels.shape, np.inf)
        runtimes, weights = self.atoms()
        order = runtimes.argsort(kind="stable")
        runtimes, cumulative = runtimes[order], weights[order].cumsum()
        positions = cumulative.searchsorted(np.array([levels - _ROUNDING, levels + _ROUNDING]))
        low, high = runtimes[np.minimum(positions, len(runtimes) - 1)]
        return np.asarray((low + high) / 2)


@dataclass(frozen=True, eq=False)
class RestartDistributions:
    """A sequence of distributions, each the mean of those of some targets, in joint arrays.

    Attributes:
        failed: Evaluations of failed runs, of the first distribution, then of the second, ….
        probability: Probability of each of ``failed``.
        atoms: Distribution ``i`` has the rows ``atoms[i]:atoms[i + 1]`` of ``failed`` and
            ``probability``; shape ``(n + 1,)``.
        successes: Runtimes of successful runs, of the first distribution, then of the second, ….
        runs: Distribution ``i`` has the rows ``runs[i]:runs[i + 1]`` of ``successes``; shape
            ``(n + 1,)``.
        targets: Number of targets of each distribution, shape ``(n,)``.
    """

    failed: Floats
    probability: Floats
    atoms: Indices
    successes: Floats
    runs: Indices
    targets: Indices

    @classmethod
    def concatenate(cls, distributions: Sequence[RestartDistribution]) -> RestartDistributions:
        """Join distributions, any number, each of one target."""
        empty = np.empty(0)
        return cls(
            np.concatenate([empty, *(distribution.failed for distribution in distributions)]),
            np.concatenate([empty, *(distribution.probability for distribution in distributions)]),
            np.cumsum([0, *(len(distribution.failed) for distribution in distributions)]),
            np.concatenate([empty, *(distribution.successes for distribution in distributions)]),
            np.cumsum([0, *(len(distribution.successes) for distribution in distributions)]),
            np.ones(len(distributions), dtype=np.int64),
        )

    def __iter__(self) -> Iterator[RestartDistribution]:
        for i in range(len(self.targets)):
            atoms, runs = slice(*self.atoms[i : i + 2]), slice(*self.runs[i : i + 2])
            yield RestartDistribution(
                self.failed[atoms], self.probability[atoms], self.successes[runs]
            )

    @property
    def solved(self) -> int:
        """Number of targets that some run reached."""
        return int(self.targets[np.diff(self.runs) > 0].sum())

    @property
    def ends(self) -> tuple[float, float]:
        """Smallest and largest runtime of all distributions; (inf, inf) if no run succeeded."""
        if not self.successes.size:
            return float("inf"), float("inf")
        longest = self.failed[self.atoms[1:] - 1] + self.successes[self.runs[1:] - 1]
        return float(self.successes.min()), float(longest[np.diff(self.runs) > 0].max())

    def expected(self, budgets: ArrayLike) -> Floats:
        """Compute the expected number of targets that are reached within each budget.

        It is the sum of the distribution functions, each times its number of targets.

        Args:
            budgets: Evaluations, any shape.

        Returns:
            Numbers of targets, in the shape of ``budgets``.
        """
        from .restart_kernels import shares_within

        budget_array = np.asarray(budgets, dtype=np.float64)
        flat_budgets = budget_array.ravel()
        order = np.argsort(flat_budgets, kind="stable")
        n_reached = np.empty(flat_budgets.size)
        n_reached[order] = shares_within(
            self.failed,
            self.probability,
            self.atoms,
            self.successes,
            self.runs,
            self.targets.astype(np.float64),
            flat_budgets[order],
        )
        return n_reached.reshape(budget_array.shape)


def restart_distribution(hits: ArrayLike, spent: ArrayLike) -> RestartDistribution:
    """Compute the distribution of the runtime with restarts to one target.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs,)``; NaN or inf if the run did not hit
            the target. With several targets that the same runs hit, shape ``(n_runs, n_targets)``,
            the result is the mean of their distributions.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.

    Raises:
        ValueError: There is no run, the shapes do not match, or different runs hit the targets.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import restart_distribution
        >>> one_in_two = restart_distribution([20.0, np.nan], [100.0, 100.0])
        >>> one_in_two.cdf([19.0, 20.0, 120.0, 220.0])
        array([0.   , 0.5  , 0.75 , 0.875])
    """
    runs, ends = np.asarray(hits, dtype=np.float64), np.asarray(spent, dtype=np.float64)
    if runs.ndim not in (1, 2) or runs.shape[:1] != ends.shape or not runs.size:
        raise ValueError(
            f"hits has shape {runs.shape} and spent {ends.shape}: both need one row for each run"
        )
    is_reached = np.isfinite(runs.reshape(len(runs), -1))
    is_success = is_reached[:, 0]
    if (is_reached != is_success[:, np.newaxis]).any():
        raise ValueError("hits: the targets were not reached by the same runs")
    order = np.argsort(ends)
    failed, probability, _ = _compute_failed_evaluations(
        ends[order], ~is_success[np.newaxis, order]
    )
    return RestartDistribution(failed, probability, np.sort(runs[is_success], axis=None))


def distributions_of_each_target(hits: Floats, spent: Floats) -> list[RestartDistribution]:
    """Compute the `restart_distribution` of each target, faster than one by one.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; not finite if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
    """
    order = np.argsort(spent, kind="stable")
    is_missed = ~np.isfinite(hits[order]).T  # a row for each target
    failed, probability, atoms = _compute_failed_evaluations(spent[order], is_missed)
    runtimes = np.sort(np.where(np.isfinite(hits), hits, np.inf), axis=0)
    distributions = []
    for j, n_hits in enumerate(np.isfinite(hits).sum(axis=0).tolist()):
        part, successes = slice(atoms[j], atoms[j + 1]), runtimes[:n_hits, j]
        distributions.append(RestartDistribution(failed[part], probability[part], successes))
    return distributions


def distributions_of_targets(hits: Floats, spent: Floats) -> RestartDistributions:
    """Compute the `restart_distribution` of many targets.

    Neighbouring targets that the same runs hit have one distribution, the mean of theirs.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; not finite if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
    """
    order = np.argsort(spent, kind="stable")
    is_missed = ~np.isfinite(hits[order]).T  # a row for each target
    differs = (is_missed[1:] != is_missed[:-1]).any(axis=1)
    # Distribution ``i`` is that of the targets from ``groups[i]`` to ``groups[i + 1] - 1``.
    groups = np.flatnonzero(np.concatenate([[True], differs, [True]])[: len(is_missed) + 1])
    n_targets = groups[1:] - groups[:-1]
    runtimes = np.sort(hits.T, axis=1)
    is_reached = np.isfinite(runtimes)
    successes = runtimes[is_reached]
    first_successes = np.zeros(len(is_missed) + 1, dtype=np.int64)
    is_reached.sum(axis=1).cumsum(out=first_successes[1:])
    runs = first_successes[groups]
    for i in np.flatnonzero(n_targets > 1).tolist():
        successes[runs[i] : runs[i + 1]].sort()
    atoms = _compute_failed_evaluations(spent[order], is_missed[groups[:-1]])
    return RestartDistributions(*atoms, successes, runs, n_targets)


def _compute_failed_evaluations(
    spent: Floats, is_failed: NDArray[np.bool_]
) -> tuple[Floats, Floats, Indices]:
    """Return the evaluations of failed runs before a success, and the probability of each.

    Args:
        spent: Evaluations of the runs, ascending, shape ``(n_runs,)``.
        is_failed: Whether each run missed each target, shape ``(n_targets, n_runs)``.

    Returns:
        Evaluations, probabilities and offsets of the targets; see `failed_evaluations`.
    """
    n_targets, n_runs = is_failed.shape
    n_failed = is_failed.sum(axis=1)
    if not ((n_failed > 0) & (n_failed < n_runs)).any():  # importing the kernels takes 0.3 s
        return np.zeros(n_targets), np.ones(n_targets), np.arange(n_targets + 1)
    from .restart_kernels import failed_evaluations

    distributions: tuple[Floats, Floats, Indices] = failed_evaluations(
        spent, np.ascontiguousarray(is_failed), MOST_JOINED_MASS, REMAINDER
    )
    return distributions
