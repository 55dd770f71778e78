"""Average runtimes (aRT) and simulated restarts of one algorithm on one function and dimension.

Formulas are those of COCO: Hansen, Auger, Brockhoff, Tušar, "COCO: Performance Assessment" (2016),
arXiv:1605.03560. For ``hits`` and ``spent`` see `hits`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import checked, matrix, successes
from .quantiles import Floats


def average_runtime(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Average runtime (aRT) to each target.

    ``aRT(t) = evaluations of all runs until they hit t or else ended / number of runs that hit t``
    (arXiv:1605.03560, section 4.1; cocopp 2.9.1 ``DataSet.detERT``, there over runs that are copied
    until instances balance; here every run counts once).

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN (or inf) where not
            reached.
        spent: Evaluations of each run, shape ``(n_runs,)``: its own, never a maximum over runs.

    Returns:
        Evaluations, shape ``(n_targets,)``; inf where no run reached the target.

    Raises:
        ValueError: The shapes disagree, there is no run, or a hit is later than the run's end.

    >>> average_runtime([[20.0], [np.nan]], [100.0, 100.0])
    array([120.])
    """
    return per_success(evaluations_until(hits, spent), successes(hits))


def evaluations_until(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Sum over the runs of the evaluations until they hit the target or else ended.

    The numerator of `average_runtime`: a lower bound of the cost where nobody reached the target.
    Arguments and errors are those of `average_runtime`; shape ``(n_targets,)``.

    >>> evaluations_until([[20.0, 30.0], [np.nan, 10.0]], [100.0, 100.0])
    array([120.,  40.])
    """
    runs, ends = checked(hits, spent)
    total: Floats = np.where(np.isfinite(runs), runs, ends[:, None]).sum(axis=0)
    return total


def per_success(total: Floats, count: NDArray[np.int64]) -> Floats:
    """Evaluations divided by successes, inf where there are none; both ``(n_targets,)``."""
    never = np.full(np.shape(total), np.inf)
    quotient: Floats = np.divide(total, count, out=never, where=count > 0)
    return quotient


def success_rate(hits: ArrayLike) -> Floats:
    """Share of the runs that reached each target, shape ``(n_targets,)``.

    >>> success_rate([[20.0, 30.0], [np.nan, 10.0]])
    array([0.5, 1. ])
    """
    runs = matrix(hits)
    return np.asarray(successes(runs) / len(runs))


def simulated_runtimes(
    hits: ArrayLike, spent: ArrayLike, samples: int, rng: np.random.Generator
) -> Floats:
    """Runtimes of the algorithm restarted until it hits the target, drawn from the runs at hand.

    A sample adds up ``spent`` of unsuccessful runs, drawn with replacement, and the hit of one
    successful run: ``RT = sum of J failed runs' spent + hit`` with ``P(J = k) = q**k (1 - q)``, q
    being the share of failed runs (arXiv:1605.03560, section 4.2). `restart_distribution` is what
    the samples tend to.

    Draws for different targets are independent, so their noise does not add up in a profile over
    targets. J is stratified (one sample from each of ``samples`` equal parts of its distribution),
    and so are the successes: samples walk through random permutations of them. Where all runs
    succeeded and ``samples`` is a multiple of ``n_runs``, the samples are the hits themselves, each
    equally often. (cocopp 2.9.1 ``toolsstats.simulated_evals`` stratifies the first run of a
    sample, and draws about 100.) Evaluations, shape ``(samples, n_targets)``, in no order; inf
    where no run reached the target.
    """
    runs, ends = checked(hits, spent)
    if samples < 1:
        raise ValueError(f"samples is {samples}, must be at least 1")
    runtimes = np.full((samples, runs.shape[1]), np.inf)
    for column, runtime in zip(runs.T, runtimes.T, strict=True):
        reached = np.isfinite(column)
        if not reached.any():
            continue
        runtime[:] = column[reached][_stratified(int(reached.sum()), samples, rng)]
        if reached.all():
            continue
        parts = (rng.permutation(samples) + rng.random(samples)) / samples
        failures = np.floor(np.log1p(-parts) / np.log1p(-reached.mean())).astype(np.int64)
        drawn = rng.choice(ends[~reached], size=failures.sum())
        total = np.append(0.0, np.cumsum(drawn))[np.append(0, np.cumsum(failures))]
        runtime += np.diff(total)
    return runtimes


def _stratified(n_runs: int, samples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices of runs: one random permutation after the other, cut to ``samples``."""
    rounds = -(-samples // n_runs)
    each = np.broadcast_to(np.arange(n_runs), (rounds, n_runs))
    return rng.permuted(each, axis=1).ravel()[:samples]


_LEAST_SHARE = 0.5
_CHANCE = 0.01


def dominant_instances(
    evaluations: ArrayLike, instances: ArrayLike
) -> tuple[NDArray[np.int64], Floats]:
    """The hardest instance for each target, and its share where it dominates the average.

    The share of an instance is its mean evaluations divided by the sum of these means. An instance
    dominates where its share is more than one half and is not to be expected by chance: among n
    equally hard instances with exponential runtimes, as restarts have, the largest share exceeds x
    with a probability of at most n (1 - x)^(n - 1) (Fisher 1929, "Tests of significance in harmonic
    analysis"), which has to be below 1 %. So 5 instances take a share of 79 %, 10 of 54 %, and from
    11 on one half is enough; fewer than 3 hardly tell. ``evaluations`` are those of each run until
    it hit the target or ended, ``(n_runs, n_targets)``; a share is NaN where no instance dominates.

    >>> dominant_instances([[10, 10], [12, 12], [8, 8], [9, 9], [50, 500]], [1, 2, 3, 4, 5])
    (array([5, 5]), array([       nan, 0.92764378]))
    """
    known = np.unique(np.asarray(instances, np.int64))
    which = np.searchsorted(known, instances)
    until = np.asarray(evaluations, np.float64)
    sums = np.zeros((len(known), until.shape[1]))
    np.add.at(sums, which, until)
    means = sums / np.bincount(which)[:, np.newaxis]
    share = means.max(axis=0) / np.maximum(means.sum(axis=0), 1)
    by_chance = len(known) * (1 - share) ** (len(known) - 1)
    dominates = (share > _LEAST_SHARE) & (by_chance < _CHANCE)
    return known[means.argmax(axis=0)], np.where(dominates, share, np.nan)
