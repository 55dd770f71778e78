"""Average runtimes (aRT) and simulated restarts of one algorithm on one function and dimension.

Formulas are those of COCO: Hansen, Auger, Brockhoff, Tušar, "COCO: Performance Assessment" (2016),
arXiv:1605.03560. For ``hits`` and ``spent`` see `hits`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .hits import checked, matrix, successes
from .quantiles import Floats, quantiles
from .restarts.simulation import RestartSimulation

_MOST_ROUNDS = 64
"""So many restarts are drawn at once."""


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

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.

    Raises:
        ValueError: ``hits`` is not two-dimensional or holds no run.

    >>> success_rate([[20.0, 30.0], [np.nan, 10.0]])
    array([0.5, 1. ])
    """
    runs = matrix(hits)
    return np.asarray(successes(runs) / len(runs))


def simulated_runtimes(
    hits: ArrayLike, spent: ArrayLike, samples: int, rng: np.random.Generator
) -> Floats:
    """Runtimes of the algorithm restarted until it hits the target, drawn from the runs at hand.

    A sample adds up ``spent`` of unsuccessful runs, drawn with replacement, and the hit of the
    first successful one: ``RT = sum of the failed runs' spent + hit``, the number of failures being
    negative-binomially distributed (arXiv:1605.03560, section 4.2). The first run of a sample is
    stratified: samples walk through random permutations of the runs, so each run starts
    ``floor(samples / n_runs)`` or one more of them (cocopp 2.9.1 ``toolsstats.drawSP``). If
    ``samples`` is a multiple of ``n_runs``, the expectation is exactly `average_runtime`, and where
    all runs succeeded the samples are the hits themselves, each repeated equally often.

    The same sequence of runs serves all targets of a sample, so a harder target is never reached
    earlier in it, and the draws for a target do not depend on which other targets are asked for.

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``.
        samples: How many runtimes to draw, at least 1.
        rng: Source of all randomness.

    Returns:
        Evaluations, shape ``(samples, n_targets)``; inf where no run reached the target.

    Raises:
        ValueError: As `average_runtime`, or ``samples`` is below 1.
    """
    runs, ends = checked(hits, spent)
    if samples < 1:
        raise ValueError(f"samples is {samples}, must be at least 1")
    simulations = [RestartSimulation(part, ends, samples) for part in _nested(runs)]
    drawn = _stratified(len(runs), samples, rng)[np.newaxis]
    rounds = min(max(one.rounds_expected for one in simulations), _MOST_ROUNDS)
    while not all([one.go_on(drawn) for one in simulations]):
        # the draws are the same in whatever blocks they come
        drawn = rng.integers(len(runs), size=(rounds, samples))
    found = [one.runtimes() for one in simulations]
    return found[0] if len(found) == 1 else np.hstack(found)


def runtime_quantiles(
    runtimes: ArrayLike, probabilities: ArrayLike, convention: str = "hazen"
) -> Floats:
    """Quantiles of runtimes along the first axis, with inf for "not reached".

    Hazen's definition by default, as cocopp's ``toolsstats.prctile``; arguments, the other
    conventions and errors are those of `quantiles`.

    >>> runtime_quantiles([10.0, 30.0, np.inf], [0.25, 0.5, 0.75])
    array([15., 30., inf])
    """
    return quantiles(runtimes, probabilities, convention)


def _stratified(n_runs: int, samples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Indices of runs: one random permutation after the other, cut to ``samples``."""
    rounds = -(-samples // n_runs)
    each = np.broadcast_to(np.arange(n_runs), (rounds, n_runs))
    return rng.permuted(each, axis=1).ravel()[:samples]


def _nested(runs: Floats) -> list[Floats]:
    """The targets in sets of which a run that misses one misses all after it: mostly one set."""
    reached = np.isfinite(runs)
    if (reached[:, 1:] <= reached[:, :-1]).all():
        return [runs]
    return [runs[:, [j]] for j in range(runs.shape[1])]
