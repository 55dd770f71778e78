"""Distribution of runtimes to a target, or of precisions at a budget: masses and densities.

The violins and histograms of IOHanalyzer (``generate_data.PMF``) show these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .quantiles import Floats, deviation

POINTS = 101
POINTS_OF_R = 512


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

    Values, at ``points`` places evenly from three band widths below the smallest logarithm to
    three above the largest, and density per decade. It integrates to the share of values that
    carry it, the positive and finite ones; both are empty where fewer than two differ.
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


def nrd0(values: ArrayLike) -> float:
    """The band width of R's ``density``, ``bw.nrd0``: Silverman's rule of thumb.

    ``0.9 min(sd, IQR / 1.34) n**(-1/5)``, with sd over n - 1 and quartiles of type 7 (Silverman
    1986, equation 3.31); where the minimum is 0, sd takes its place, then the size of the first
    value, then 1.

    >>> round(nrd0([1.0, 2.0, 3.0, 4.0]), 6)
    0.763514
    """
    data = np.asarray(values, dtype=np.float64)
    sd = float(deviation(data))
    low, high = np.quantile(data, [0.25, 0.75])
    spread = min(sd, float(high - low) / 1.34) or sd or abs(float(data[0])) or 1.0
    return float(0.9 * spread * data.size**-0.2)


def kernel_density_of_r(values: ArrayLike, points: int = POINTS_OF_R) -> tuple[Floats, Floats]:
    """Gaussian kernel density of the values themselves, as R's ``density`` has it by default.

    Band width `nrd0`; from three widths below the smallest value to three above the largest, so
    that runtimes carry density below 0. R approximates the same by binning. IOHanalyzer's violins
    show this. Values, and density per unit, which integrates to the share of finite values; both
    are empty where there are fewer than two.
    """
    data = np.asarray(values, dtype=np.float64)
    finite = data[np.isfinite(data)]
    if finite.size < 2:
        return np.empty(0), np.empty(0)
    width = nrd0(finite)
    at = np.linspace(finite.min() - 3 * width, finite.max() + 3 * width, points)
    density = np.zeros(points)
    for value in finite.tolist():
        density += np.exp(-0.5 * ((at - value) / width) ** 2)
    return at, density / (data.size * width * np.sqrt(2 * np.pi))
