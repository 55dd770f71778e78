"""Quantiles under the conventions of the field, with inf for what was not reached.

Names follow Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages", as R's ``type``:
``hazen`` (type 5; cocopp's ``toolsstats.prctile``), ``type-7`` (R's and numpy's default; the
f-values of IOHanalyzer and pandas), ``type-3`` (nearest even order statistic; the runtimes of
IOHanalyzer).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites.errors import UnknownNameError

Floats = NDArray[np.float64]
Convention = Literal["hazen", "type-3", "type-7"]
CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
PERCENTS = (2, 5, 10, 25, 50, 75, 90, 95, 98)
"""The percentages of quantiles that IOHanalyzer shows."""

_FUZZ = 4 * float(np.finfo(np.float64).eps)


def quantiles(values: ArrayLike, probabilities: ArrayLike, convention: str = "hazen") -> Floats:
    """Quantiles along the first axis; a quantile that leans on an infinite value is inf, never NaN.

    Sorted values ``x_1 … x_n``; ``hazen``: ``x_i`` sits at ``(i - 1/2) / n``, ``type-7``: at
    ``(i - 1) / (n - 1)``, both linear between and constant outside; ``type-3``: the value whose
    rank is nearest to ``n p``, the even one of two.

    Args:
        values: Shape ``(n,)`` or ``(n, n_columns)``; NaN counts as inf.
        probabilities: Shape ``(n_probabilities,)``, in [0, 1].
        convention: One of ``CONVENTIONS``.

    Returns:
        Shape ``(n_probabilities,)`` or ``(n_probabilities, n_columns)``.

    Raises:
        ValueError: There is no value, or a probability lies outside [0, 1].
        UnknownNameError: There is no such convention.

    >>> quantiles([10.0, 20.0], [0.25, 0.75], "type-3")
    array([10., 20.])
    """
    data = np.asarray(values, dtype=np.float64)
    levels = np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    if data.ndim == 0 or len(data) == 0:
        raise ValueError("no runtimes: a quantile needs at least one")
    if not np.all((levels >= 0) & (levels <= 1)):
        raise ValueError(f"probabilities {levels.tolist()} must lie in [0, 1]")
    data = np.sort(np.where(np.isnan(data), np.inf, data), axis=0)
    position = np.clip(_position(len(data), levels, convention), 0, len(data) - 1)
    below = np.floor(position).astype(np.intp)
    weight = (position - below).reshape(-1, *[1] * (data.ndim - 1))
    low, high = data[below], data[np.minimum(below + 1, len(data) - 1)]
    infinite = np.isinf(low) | (np.isinf(high) & (weight > 0))
    step = np.subtract(high, low, out=np.zeros_like(low), where=~np.isinf(low) & ~np.isinf(high))
    return np.where(infinite, np.inf, low + weight * step)


def hazen_quantile(values: Floats, probability: float) -> float:
    """One of the `quantiles` of finite values, five times as fast: profiles need many.

    >>> hazen_quantile(np.array([30.0, 10.0, 20.0, 40.0]), 0.5)
    25.0
    """
    ascending = np.sort(values)
    position = min(max(len(values) * probability - 0.5, 0.0), len(values) - 1.0)
    below = int(position)
    low, high = ascending[below], ascending[min(below + 1, len(values) - 1)]
    return float(low + (position - below) * (high - low))


def precision_or_inf(precision: ArrayLike) -> Floats:
    """Precisions with inf for NaN and infinities of either sign: there nothing finite was seen.

    >>> precision_or_inf([0.5, np.nan, -np.inf]).tolist()
    [0.5, inf, inf]
    """
    values = np.asarray(precision, dtype=np.float64)
    return np.where(np.isfinite(values), values, np.inf)


def deviation(values: Floats) -> Floats:
    """Standard deviation (n - 1) along the first axis, of finite values, at least two.

    A power of two is taken out before squaring, which changes no bit of the result and keeps it
    finite: values of 1e300 have a deviation, though no square.
    """
    _, exponent = np.frexp(np.abs(values).max(axis=0))
    scaled: Floats = np.ldexp(values, -exponent).std(axis=0, ddof=1)
    return np.asarray(np.ldexp(scaled, exponent))


def _position(n: int, p: Floats, convention: str) -> Floats:
    """Where a quantile lies among the sorted values, counted from 0; a fraction interpolates."""
    if convention == "hazen":
        return n * p - 0.5
    if convention == "type-7":
        return (n - 1) * p
    if convention == "type-3":
        fuzz = _FUZZ * n
        rank = np.floor(n * p - 0.5 + fuzz)
        tie = np.abs(n * p - 0.5 - rank) < fuzz
        return np.where(tie & (rank % 2 == 0), rank, rank + 1) - 1
    raise UnknownNameError.of("quantile convention", convention, CONVENTIONS)
