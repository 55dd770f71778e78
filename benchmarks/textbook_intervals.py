"""Compute two textbook intervals of the average runtime, for many experiments at once.

``hits`` and ``spent`` have the shape ``(n_experiments, n_runs)``; results ``(2, n_experiments)``.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats


def student_on_log(hits: np.ndarray, spent: np.ndarray, level: float) -> np.ndarray:
    """Compute Student's interval of the logarithm, with the standard error of the delta method."""
    n = hits.shape[1]
    art, _, residuals = _parts(hits, spent)
    error = np.sqrt((residuals**2).sum(axis=1) / (n * (n - 1))) / art
    reach = stats.t.ppf((1 + level) / 2, n - 1) * error
    return np.array([art * np.exp(-reach), art * np.exp(reach)])


def bca(
    hits: np.ndarray, spent: np.ndarray, level: float, seed: int, samples: int = 1000
) -> np.ndarray:
    """Compute Efron's bias-corrected and accelerated percentiles (1987, JASA 82)."""
    n = hits.shape[1]
    evaluations, reached = np.where(np.isfinite(hits), hits, spent), np.isfinite(hits)
    rng = np.random.default_rng([seed, n])
    counts = rng.multinomial(n, np.full(n, 1 / n), size=samples).astype(float)
    successes = counts @ reached.T.astype(float)
    resampled = np.where(successes > 0, counts @ evaluations.T / np.maximum(successes, 1), np.inf)
    resampled.sort(axis=0)
    art, _, residuals = _parts(hits, spent)
    below = ((resampled < art).sum(axis=0) + 0.5 * (resampled == art).sum(axis=0)) / samples
    bias = special.ndtri(np.clip(below, 1 / samples, 1 - 1 / samples))
    cubes, squares = (residuals**3).sum(axis=1), (residuals**2).sum(axis=1)
    acceleration = cubes / np.maximum(6 * squares**1.5, 1e-99)
    ends = []
    for score in special.ndtri([(1 - level) / 2, (1 + level) / 2]):
        moved = bias + score
        p = special.ndtr(bias + moved / (1 - acceleration * moved))
        rows = np.clip((p * samples).astype(int), 0, samples - 1)
        ends.append(resampled[rows, np.arange(len(art))])
    return np.array(ends)


def _parts(hits: np.ndarray, spent: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the aRT, the number of successes, and the influence of each run on the aRT.

    The influence is the derivative of the aRT to the weight of the run.
    """
    reached = np.isfinite(hits)
    evaluations = np.where(reached, hits, spent)
    successes = reached.sum(axis=1)
    art = evaluations.sum(axis=1) / successes
    share = successes / hits.shape[1]
    return art, successes, (evaluations - art[:, None] * reached) / share[:, None]
