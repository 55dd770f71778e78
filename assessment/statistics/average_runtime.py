"""Runtimes of one algorithm on one function and dimension: averages and simulated restarts.

Pure functions on two arrays. ``hits``, shape ``(n_runs, n_targets)``, holds the evaluation (counted
from 1) at which a run first reached a target, NaN where it did not. ``spent``, shape ``(n_runs,)``,
holds the evaluations each run used itself, reached or not. Formulas are those of COCO: Hansen,
Auger, Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .quantiles import quantiles
from .restart_simulation import RestartSimulation

Floats = NDArray[np.float64]

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
    runs, ends = _checked(hits, spent)
    successes = np.isfinite(runs).sum(axis=0)
    never = np.full(successes.shape, np.inf)
    total = _until_hit_or_end(runs, ends).sum(axis=0)
    art: Floats = np.divide(total, successes, out=never, where=successes > 0)
    return art


def evaluations_until(hits: ArrayLike, spent: ArrayLike) -> Floats:
    """Sum over the runs of the evaluations until they hit the target or else ended.

    The numerator of `average_runtime`: a lower bound of the cost where nobody reached the target.
    Arguments and errors are those of `average_runtime`; shape ``(n_targets,)``.

    >>> evaluations_until([[20.0, 30.0], [np.nan, 10.0]], [100.0, 100.0])
    array([120.,  40.])
    """
    runs, ends = _checked(hits, spent)
    total: Floats = _until_hit_or_end(runs, ends).sum(axis=0)
    return total


def success_rate(hits: ArrayLike) -> Floats:
    """Share of the runs that reached each target, shape ``(n_targets,)``.

    Args:
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.

    Raises:
        ValueError: ``hits`` is not two-dimensional or holds no run.

    >>> success_rate([[20.0, 30.0], [np.nan, 10.0]])
    array([0.5, 1. ])
    """
    rate: Floats = np.isfinite(_matrix(hits)).mean(axis=0)
    return rate


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
    runs, ends = _checked(hits, spent)
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


def _until_hit_or_end(hits: Floats, spent: Floats) -> Floats:
    return np.where(np.isfinite(hits), hits, spent[:, None])


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


def _matrix(hits: ArrayLike) -> Floats:
    runs = np.asarray(hits, dtype=np.float64)
    if runs.ndim != 2 or len(runs) == 0:
        raise ValueError(f"hits has shape {runs.shape}, must be (n_runs >= 1, n_targets)")
    return runs


def _checked(hits: ArrayLike, spent: ArrayLike) -> tuple[Floats, Floats]:
    runs, ends = _matrix(hits), np.asarray(spent, dtype=np.float64)
    if ends.shape != runs.shape[:1]:
        raise ValueError(f"spent has shape {ends.shape}, must be {runs.shape[:1]}, one per run")
    if not np.all((ends >= 0) & (ends < np.inf)):
        raise ValueError("spent must be finite and not negative")
    late = runs > ends[:, None]
    if late.any() and np.isfinite(runs[late]).any():
        raise ValueError("a hit is later than the evaluations its run spent")
    return runs, ends
