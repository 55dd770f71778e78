"""Distributions of runtimes to a target, or of precisions at a budget: masses and densities.

They are those of the violins and histograms of IOHanalyzer (``generate_data.PMF``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .quantiles import Floats, deviation

POINTS = 101  # at which a density is computed
POINTS_OF_R = 512  # the default of R's ``density``
_TOLERANCE = 1e-9  # relative rounding error of equal logarithms


def probability_mass(values: ArrayLike) -> tuple[Floats, Floats]:
    """Return the distinct finite values, ascending, and the share of all values that each has.

    The shares sum to 1 minus the share of infinite values and NaN, which were not reached.

    >>> probability_mass([3.0, 1.0, 3.0, np.inf])
    (array([1., 3.]), array([0.25, 0.5 ]))
    """
    data = np.asarray(values, dtype=np.float64)
    distinct, counts = np.unique(data[np.isfinite(data)], return_counts=True)
    return distinct, counts / max(data.size, 1)


def kernel_density(values: ArrayLike, points: int = POINTS) -> tuple[Floats, Floats]:
    """Compute a Gaussian kernel density of the decimal logarithms of values, by Scott's rule.

    The density integrates to the share of positive finite values; the other values have none.

    Args:
        values: Any values, shape ``(n,)``.
        points: Number of points, which are evenly spaced on the logarithm from three band widths
            below the smallest to three above the largest.

    Returns:
        Values at the points, and the density per decade there. Both are empty if fewer than two
        values differ.
    """
    from scipy.stats import gaussian_kde

    data = np.asarray(values, dtype=np.float64)
    logs = np.log10(data[np.isfinite(data) & (data > 0)])
    if logs.size < 2 or np.ptp(logs) <= _TOLERANCE * max(1.0, float(np.abs(logs).max())):
        return np.empty(0), np.empty(0)
    kernel = gaussian_kde(logs)
    margin = 3 * float(np.sqrt(kernel.covariance[0, 0]))
    positions = np.linspace(logs.min() - margin, logs.max() + margin, points)
    return 10.0**positions, kernel(positions) * (logs.size / data.size)


def nrd0(values: ArrayLike) -> float:
    """Compute the band width of R's ``density``, ``bw.nrd0``: Silverman's rule of thumb.

    ``0.9 min(sd, IQR / 1.34) n**(-1/5)``, with ``n - 1`` in ``sd`` and quartiles of type 7
    (Silverman 1986, equation 3.31). If the minimum is 0, it is replaced by ``sd``; if that is 0, by
    the absolute first value; if that is 0, by 1.

    >>> round(nrd0([1.0, 2.0, 3.0, 4.0]), 6)
    0.763514
    """
    data = np.asarray(values, dtype=np.float64)
    sd = float(deviation(data))
    low, high = np.quantile(data, [0.25, 0.75])
    spread = min(sd, float(high - low) / 1.34) or sd or abs(float(data[0])) or 1.0
    return float(0.9 * spread * data.size**-0.2)


def kernel_density_of_r(values: ArrayLike, points: int = POINTS_OF_R) -> tuple[Floats, Floats]:
    """Compute a Gaussian kernel density of the values themselves, as R's ``density`` by default.

    IOHanalyzer's violins show it. The band width is `nrd0`. R approximates the same density by
    binning. The density integrates to the share of finite values.

    Args:
        values: Any values, shape ``(n,)``.
        points: Number of points, which are evenly spaced from three band widths below the smallest
            value to three above the largest, so that runtimes have a density below 0.

    Returns:
        The points, and the density per unit there. Both are empty with fewer than two finite
        values.
    """
    data = np.asarray(values, dtype=np.float64)
    finite = data[np.isfinite(data)]
    if finite.size < 2:
        return np.empty(0), np.empty(0)
    width = nrd0(finite)
    positions = np.linspace(finite.min() - 3 * width, finite.max() + 3 * width, points)
    density = np.zeros(points)
    for value in finite.tolist():
        density += np.exp(-0.5 * ((positions - value) / width) ** 2)
    return positions, density / (data.size * width * np.sqrt(2 * np.pi))
