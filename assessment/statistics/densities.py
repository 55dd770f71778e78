"""Distribution of runtimes to a target, or of precisions at a budget: masses and densities.

The violins and histograms of IOHanalyzer (``generate_data.PMF``) show these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .quantiles import Floats

POINTS = 101


def probability_mass(values: ArrayLike) -> tuple[Floats, Floats]:
    """Each different finite value, ascending, and its share of all values.

    What is missing to a sum of 1 is the share of infinite values and NaN: what was not reached.

    >>> probability_mass([3.0, 1.0, 3.0, np.inf])
    (array([1., 3.]), array([0.25, 0.5 ]))
    """
    data = np.asarray(values, dtype=np.float64)
    different, counts = np.unique(data[np.isfinite(data)], return_counts=True)
    return different, counts / max(data.size, 1)


def kernel_density(values: ArrayLike, points: int = POINTS) -> tuple[Floats, Floats]:
    """Gaussian kernel density of the decimal logarithm of values, by Scott's rule (scipy).

    Args:
        values: Shape ``(n,)``; what is not positive and finite carries no density.
        points: Where to evaluate it: so many, evenly from three band widths below the smallest
            logarithm to three above the largest.

    Returns:
        Values, and density per decade, which integrates (over the logarithm) to the share of
        values that carry it; both empty where fewer than two differ: no width can be chosen.
    """
    from scipy.stats import gaussian_kde

    data = np.asarray(values, dtype=np.float64)
    logs = np.log10(data[np.isfinite(data) & (data > 0)])
    if logs.size < 2 or np.ptp(logs) <= 1e-9 * max(1.0, float(np.abs(logs).max())):
        return np.empty(0), np.empty(0)
    kernel = gaussian_kde(logs)
    width = 3 * float(np.sqrt(kernel.covariance[0, 0]))
    at = np.linspace(logs.min() - width, logs.max() + width, points)
    return 10.0**at, kernel(at) * (logs.size / data.size)
