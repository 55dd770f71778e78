"""Average runtime (aRT) and simulated restarts of one algorithm on one function and dimension.

Formulas are those of COCO: Hansen, Auger, Brockhoff, Tušar, "COCO: Performance Assessment" (2016),
arXiv:1605.03560. The module `hits` defines the arguments ``hits`` and ``spent``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import checked, matrix, successes
from .quantiles import Floats

# An instance dominates an average if its share is above this, and above what chance explains.
_MIN_DOMINANT_SHARE = 0.5
_MAX_CHANCE = 0.01


def average_runtime(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Compute the average runtime (aRT) to each target.

    ``aRT(t) = evaluations of all runs until they hit t or ended / number of runs that hit t``
    (arXiv:1605.03560, section 4.1). cocopp 2.9.1 ``DataSet.detERT`` uses runs that are copied until
    instances are balanced; here each run counts once.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.

    Returns:
        Evaluations, shape ``(n_targets,)``; inf if no run hit the target.

    Raises:
        ValueError: The shapes do not match, there is no run, or a hit is later than the end of its
            run.

    Example:
        >>> import numpy as np
        >>> from firsthit.assessment import average_runtime
        >>> average_runtime([[20.0], [np.nan]], [100.0, 100.0])  # (20 + 100) / 1
        array([120.])
    """
    return per_success(evaluations_until(hits, spent), successes(hits))


def evaluations_until(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Sum the evaluations of all runs until they hit each target or ended.

    This is the numerator of `average_runtime`, and a lower bound of the cost if no run hit the
    target.

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.

    Returns:
        Evaluations, shape ``(n_targets,)``.

    Raises:
        ValueError: As `average_runtime`.

    >>> evaluations_until([[20.0, 30.0], [np.nan, 10.0]], [100.0, 100.0])
    array([120.,  40.])
    """
    runs, ends = checked(hits, spent)
    total: Floats = np.where(np.isfinite(runs), runs, ends[:, None]).sum(axis=0)
    return total


def per_success(total: Floats, count: NDArray[np.int64]) -> Floats:
    """Divide evaluations by numbers of successes; inf if there is no success.

    Args:
        total: Evaluations, shape ``(n_targets,)``.
        count: Number of successes, shape ``(n_targets,)``.

    Returns:
        Evaluations per success, shape ``(n_targets,)``.
    """
    infinite = np.full(np.shape(total), np.inf)
    quotient: Floats = np.divide(total, count, out=infinite, where=count > 0)
    return quotient


def success_rate(hits: ArrayLike) -> Floats:
    """Compute the share of the runs that hit each target, shape ``(n_targets,)``.

    >>> success_rate([[20.0, 30.0], [np.nan, 10.0]])
    array([0.5, 1. ])
    """
    runs = matrix(hits)
    return np.asarray(successes(runs) / len(runs))


def simulated_runtimes(
    hits: ArrayLike, spent: ArrayLike, samples: int, rng: np.random.Generator
) -> Floats:
    """Simulate runtimes of the algorithm restarted until it hits each target, from its runs.

    A sample is the sum of the evaluations of failed runs, drawn with replacement, and the hit of
    one successful run: ``RT = sum of J failed runs' spent + hit`` with ``P(J = k) = q**k (1 - q)``,
    where q is the share of failed runs (arXiv:1605.03560, section 4.2). `restart_distribution` is
    the distribution of the samples.

    Samples for different targets are independent, so that their noise averages out in a profile
    over targets. J is stratified: one sample is drawn from each of ``samples`` equal parts of its
    distribution. Successes are stratified, too: samples go through random permutations of them. If
    all runs succeeded and ``samples`` is a multiple of ``n_runs``, the samples are the hits
    themselves, equally often. (cocopp 2.9.1 ``toolsstats.simulated_evals`` stratifies the first run
    of a sample, and draws about 100 samples.)

    Args:
        hits: Evaluation of the first hit, shape ``(n_runs, n_targets)``; NaN or inf if the run did
            not hit the target.
        spent: Evaluations of each run in total, shape ``(n_runs,)``.
        samples: Number of samples for each target, at least 1.
        rng: Source of random numbers.

    Returns:
        Evaluations, shape ``(samples, n_targets)``, in no order; inf if no run hit the target.

    Raises:
        ValueError: As `average_runtime`, or ``samples`` is below 1.
    """
    runs, ends = checked(hits, spent)
    if samples < 1:
        raise ValueError(f"samples is {samples}, must be at least 1")
    runtimes = np.full((samples, runs.shape[1]), np.inf)
    for target_hits, target_runtimes in zip(runs.T, runtimes.T, strict=True):
        is_hit = np.isfinite(target_hits)
        if not is_hit.any():
            continue
        n_hits = int(is_hit.sum())
        target_runtimes[:] = target_hits[is_hit][_stratify_indices(n_hits, samples, rng)]
        if is_hit.all():
            continue
        levels = (rng.permutation(samples) + rng.random(samples)) / samples
        n_failures = np.floor(np.log1p(-levels) / np.log1p(-is_hit.mean())).astype(np.int64)
        failures = rng.choice(ends[~is_hit], size=n_failures.sum())
        # Differences of cumulative sums: the evaluations of the failures of each sample.
        cumulative = np.append(0.0, np.cumsum(failures))[np.append(0, np.cumsum(n_failures))]
        target_runtimes += np.diff(cumulative)
    return runtimes


def dominant_instances(
    evaluations: ArrayLike, instances: ArrayLike
) -> tuple[NDArray[np.int64], Floats]:
    """Find the hardest instance for each target, and its share if it dominates the average.

    The share of an instance is its mean evaluations divided by the sum of the means of all
    instances. The instance dominates if its share is more than one half and is not explained by
    chance. Among n equally hard instances with exponential runtimes, as those of restarts, the
    largest share exceeds x with a probability of at most ``n (1 - x)^(n - 1)`` (Fisher 1929, "Tests
    of significance in harmonic analysis"). This has to be below 1 %. A share must therefore exceed
    79 % with 5 instances, 54 % with 10, 50.4 % with 11, and one half with 12 or more.

    Args:
        evaluations: Evaluations of each run until it hit the target or ended, shape
            ``(n_runs, n_targets)``.
        instances: Instance of each run, shape ``(n_runs,)``.

    Returns:
        The hardest instance for each target, shape ``(n_targets,)``, and its share, which is NaN if
        the instance does not dominate.

    >>> dominant_instances([[10, 10], [12, 12], [8, 8], [9, 9], [50, 500]], [1, 2, 3, 4, 5])
    (array([5, 5]), array([       nan, 0.92764378]))
    """
    numbers, groups = np.unique(np.asarray(instances, np.int64), return_inverse=True)
    n_instances, until = len(numbers), np.asarray(evaluations, np.float64)
    sums = np.zeros((n_instances, until.shape[1]))
    np.add.at(sums, groups, until)
    means = sums / np.bincount(groups)[:, np.newaxis]
    share = means.max(axis=0) / np.maximum(means.sum(axis=0), 1)
    chance = n_instances * (1 - share) ** (n_instances - 1)
    dominates = (share > _MIN_DOMINANT_SHARE) & (chance < _MAX_CHANCE)
    return numbers[means.argmax(axis=0)], np.where(dominates, share, np.nan)


def _stratify_indices(n: int, samples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return ``samples`` indices below ``n``, from one random permutation after the other."""
    n_permutations = -(-samples // n)
    indices = np.broadcast_to(np.arange(n), (n_permutations, n))
    return rng.permuted(indices, axis=1).ravel()[:samples]
