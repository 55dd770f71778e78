"""Average ranks over problems, and whether they differ: Friedman's test and what follows it.

Source: Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets" (2006), JMLR 7,
section 3.2, for ``k`` algorithms on ``N`` problems.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..quantiles import Floats
from ..significance import holm
from ..uncertainty.rank_distributions import mid_ranks


class Friedman(NamedTuple):
    """Friedman's test in the form of Iman and Davenport.

    Attributes:
        ranks: Average rank of each algorithm, 1 is best, shape ``(k,)``.
        p: Probability, if all were equal, of ranks that differ at least as much.
        problems: N.
    """

    ranks: Floats
    p: float
    problems: int


def friedman(values: ArrayLike) -> Friedman:
    """Rank algorithms on each problem, and test whether their average ranks differ.

    ``chi2 = 12 N / (k (k + 1)) * sum (R_j - (k + 1)/2)^2``, divided by the correction for ties, and
    ``F = (N - 1) chi2 / (N (k - 1) - chi2)`` with ``k - 1`` and ``(k - 1)(N - 1)`` degrees of
    freedom. Where problems agree entirely F is infinite; p is never less than the chance of that,
    ``k!^-(N - 1)``.

    Args:
        values: Shape ``(N, k)``, smaller is better; equal ones share their mean rank.

    Raises:
        ValueError: There are no two algorithms or no problem, or values are NaN.

    >>> friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]]).ranks.tolist()
    [1.25, 2.0, 2.75]
    """
    from scipy import special

    data = np.asarray(values, dtype=np.float64)
    if data.ndim != 2 or data.shape[1] < 2 or not len(data) or np.isnan(data).any():
        raise ValueError("a comparison of ranks needs two algorithms, one problem, and no NaN")
    n, k = data.shape
    ranks = mid_ranks(data)
    mean = ranks.mean(axis=0)
    spread = ((ranks - (k + 1) / 2) ** 2).sum() / (k - 1)  # k (k + 1) / 12 each without ties
    if n < 2 or spread == 0:
        return Friedman(mean, 1.0, n)
    chi2 = n * n * ((mean - (k + 1) / 2) ** 2).sum() / spread
    rest = n * (k - 1) - chi2
    ratio = (n - 1) * chi2 / rest if rest > 1e-9 * n else np.inf
    p = float(special.fdtrc(k - 1, (k - 1) * (n - 1), ratio)) if ratio < np.inf else 0.0
    return Friedman(mean, max(p, float(math.factorial(k)) ** (1 - n)), n)


def pairwise_p(ranks: Floats, problems: int, correction: str) -> Floats:
    """P-values of all pairs of average ranks, corrected for their number.

    ``z = (R_i - R_j) / sqrt(k (k + 1) / (6 N))``. ``"holm"``: two-sided normal p-values, adjusted
    by Holm over all pairs; ``"nemenyi"``: by the studentized range, so that a pair differs at level
    ``a`` where its ranks differ by `critical_difference`.

    Args:
        ranks: Average ranks, shape ``(k,)``.
        problems: N.
        correction: ``"holm"`` or ``"nemenyi"``.

    Returns:
        Shape ``(k, k)``, symmetric, 1 on the diagonal.
    """
    from scipy import special, stats

    k = len(ranks)
    z = np.abs(ranks[:, np.newaxis] - ranks) / np.sqrt(k * (k + 1) / (6 * problems))
    first, second = np.triu_indices(k, 1)
    if correction == "nemenyi":
        p = np.asarray(stats.studentized_range.sf(z[first, second] * np.sqrt(2), k, np.inf))
    else:
        p = holm(2 * special.ndtr(-z[first, second]))
    found = np.ones((k, k))
    found[first, second] = found[second, first] = np.clip(p, 0.0, 1.0)
    return found


def critical_difference(algorithms: int, problems: int, alpha: float) -> float:
    """Nemenyi's: average ranks that differ by at least this differ at level ``alpha``.

    ``CD = q / sqrt(2) * sqrt(k (k + 1) / (6 N))``, q the quantile of the studentized range.

    >>> round(critical_difference(4, 14, 0.05), 2)  # Demšar 2006, section 3.2.4: 4 and 14
    1.25
    """
    from scipy import stats

    q = float(stats.studentized_range.ppf(1 - alpha, algorithms, np.inf))
    return float(q * np.sqrt(algorithms * (algorithms + 1) / (12 * problems)))


def undecided_groups(ranks: Floats, p: Floats, alpha: float) -> list[NDArray[np.intp]]:
    """Groups of algorithms, consecutive in rank, no two of which differ at level ``alpha``.

    Args:
        ranks: Average ranks, shape ``(k,)``.
        p: Of all pairs, shape ``(k, k)``.
        alpha: A p-value up to this is a difference.

    Returns:
        The largest such groups of at least two, each as positions in ``ranks``, best first.
    """
    order = np.argsort(ranks, kind="stable")
    groups: list[NDArray[np.intp]] = []
    last = 0
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and (p[order[end], order[start:end]] > alpha).all():
            end += 1
        if end - start > 1 and end > last:
            groups.append(order[start:end])
            last = end
    return groups
