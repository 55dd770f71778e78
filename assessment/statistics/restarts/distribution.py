"""The exact distribution of the runtime of an algorithm restarted until it succeeds.

With ``n`` runs, of which ``n_f`` failed, a restarted algorithm draws runs with replacement until
one succeeds: ``RT = sum of J failed runs' evaluations + one successful runtime`` with
``P(J = k) = (n_f/n)**k * (1 - n_f/n)`` (Hansen et al., "COCO: Performance Assessment" (2016),
arXiv:1605.03560, section 4, equation RTrestart; Auger and Hansen, CEC 2005). So the distribution of
`simulated_runtimes` need not be drawn: it is the sum over k of the k-fold convolution of the failed
lengths, convolved with the successful runtimes. With failed runs of one length it has one value for
each k and each success; with lengths far apart it soon has too many to write down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..quantiles import Floats

TOLERANCE = 1e-9
MOST_VALUES = 20_000


@dataclass(frozen=True, eq=False)
class RestartDistribution:
    """A discrete distribution of runtimes.

    Attributes:
        runtimes: Evaluations, ascending, shape ``(n_values,)``.
        probability: Of each runtime, shape ``(n_values,)``.
        remainder: Probability of the runtimes left out, at most ``TOLERANCE``; 1 where no run
            succeeded and the runtime is infinite.
    """

    runtimes: Floats
    probability: Floats
    remainder: float

    def cdf(self, budgets: ArrayLike) -> Floats:
        """Probability that the runtime is at most each budget, in the shape of ``budgets``."""
        reached = np.concatenate(([0.0], np.cumsum(self.probability)))
        wanted = np.asarray(budgets, dtype=np.float64)
        return np.asarray(reached[np.searchsorted(self.runtimes, wanted, side="right")])

    @property
    def mean(self) -> float:
        """Expected runtime without the remainder; inf where no run succeeded.

        It is the average runtime (aRT) up to the tolerance.
        """
        if not self.runtimes.size:
            return float("inf")
        return float(self.runtimes @ self.probability / self.probability.sum())


def restart_distribution(
    hits: ArrayLike, spent: ArrayLike, most_values: int = MOST_VALUES
) -> RestartDistribution | None:
    """Distribution of the runtime with restarts to one target.

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs,)``; NaN or inf where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        most_values: Give up beyond so many different runtimes.

    Returns:
        The distribution; None where the failed runs' lengths differ so much that it would have
        more than ``most_values`` values.

    Raises:
        ValueError: There is no run, or the shapes disagree.

    >>> one_in_two = restart_distribution([20.0, np.nan], [100.0, 100.0])
    >>> one_in_two.cdf([19.0, 20.0, 120.0, 220.0])
    array([0.   , 0.5  , 0.75 , 0.875])
    """
    runs, ends = np.asarray(hits, dtype=np.float64), np.asarray(spent, dtype=np.float64)
    if runs.ndim != 1 or runs.shape != ends.shape or not runs.size:
        raise ValueError(f"hits has shape {runs.shape} and spent {ends.shape}: one of each a run")
    succeeded = np.isfinite(runs)
    if not succeeded.any():
        return RestartDistribution(np.empty(0), np.empty(0), 1.0)
    success, failure = _atoms(runs[succeeded], len(runs)), _atoms(ends[~succeeded], len(runs))
    rate = float(np.count_nonzero(~succeeded)) / len(runs)
    rounds = 1 if rate == 0 else int(np.ceil(np.log(TOLERANCE) / np.log(rate)))
    elapsed = (np.zeros(1), np.ones(1))
    parts = [elapsed]
    for _ in range(rounds - 1):
        elapsed = _convolved(elapsed, failure)
        parts.append(elapsed)
        if sum(len(part[0]) for part in parts) * len(success[0]) > most_values:
            parts = [_joined(parts)]
            if len(parts[0][0]) * len(success[0]) > most_values:
                return None
    return RestartDistribution(*_convolved(_joined(parts), success), float(rate**rounds))


def _atoms(lengths: Floats, n_runs: int) -> tuple[Floats, Floats]:
    """Different values, ascending, and the share of all runs that each has."""
    values, counts = np.unique(lengths, return_counts=True)
    return values, counts / n_runs


def _convolved(a: tuple[Floats, Floats], b: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return _merged(np.add.outer(a[0], b[0]).ravel(), np.multiply.outer(a[1], b[1]).ravel())


def _joined(parts: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    return _merged(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _merged(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Equal values once, ascending, with the sum of their weights."""
    unique, which = np.unique(values, return_inverse=True)
    return unique, np.bincount(which, weights=weights).astype(np.float64)
