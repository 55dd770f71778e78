"""Quantiles in the conventions of the field, with inf for values that were not reached.

Names follow Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages", whose numbers are
R's argument ``type``:

- ``hazen`` (type 5): ``toolsstats.prctile`` of cocopp
- ``type-7``: default of R, NumPy and pandas; the f-values of IOHanalyzer
- ``type-3``: nearest even order statistic; the runtimes of IOHanalyzer
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ...suites.arrays import Floats as Floats  # re-exported for the other formulas
from ...suites.errors import UnknownNameError

Convention = Literal["hazen", "type-3", "type-7"]
CONVENTIONS: tuple[Convention, ...] = get_args(Convention)
PERCENTS = (2, 5, 10, 25, 50, 75, 90, 95, 98)  # the quantiles that IOHanalyzer shows

# Relative rounding error of ``n p``, within which ``type-3`` finds a tie between two ranks.
_RANK_TOLERANCE = 4 * float(np.finfo(np.float64).eps)


def quantiles(
    values: ArrayLike, probabilities: ArrayLike, convention: Convention = "hazen"
) -> Floats:
    """Compute quantiles along the first axis.

    With sorted values ``x_1 … x_n``, ``hazen`` assigns ``x_i`` to the probability ``(i - 1/2) / n``
    and ``type-7`` to ``(i - 1) / (n - 1)``. Both interpolate linearly and are constant outside.
    ``type-3`` takes the value whose rank is nearest to ``n p``, the even one of two. A quantile
    that depends on an infinite value is inf, never NaN.

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
    position = np.clip(_compute_positions(len(data), levels, convention), 0, len(data) - 1)
    below = np.floor(position).astype(np.intp)
    weight = (position - below).reshape(-1, *[1] * (data.ndim - 1))
    low, high = data[below], data[np.minimum(below + 1, len(data) - 1)]
    is_infinite = np.isinf(low) | (np.isinf(high) & (weight > 0))
    step = np.subtract(high, low, out=np.zeros_like(low), where=~np.isinf(low) & ~np.isinf(high))
    return np.where(is_infinite, np.inf, low + weight * step)


def hazen_quantile(values: Floats, probability: float) -> float:
    """Compute one ``hazen`` quantile of finite values, five times as fast as `quantiles`.

    Args:
        values: Finite values, shape ``(n,)``, at least one.
        probability: In [0, 1].

    >>> hazen_quantile(np.array([30.0, 10.0, 20.0, 40.0]), 0.5)
    25.0
    """
    ascending = np.sort(values)
    position = min(max(len(values) * probability - 0.5, 0.0), len(values) - 1.0)
    below = int(position)
    low, high = ascending[below], ascending[min(below + 1, len(values) - 1)]
    return float(low + (position - below) * (high - low))


def precision_or_inf(precision: ArrayLike) -> Floats:
    """Replace NaN and infinities of either sign by inf, which stands for "no finite precision".

    >>> precision_or_inf([0.5, np.nan, -np.inf]).tolist()
    [0.5, inf, inf]
    """
    values = np.asarray(precision, dtype=np.float64)
    return np.where(np.isfinite(values), values, np.inf)


def deviation(values: Floats) -> Floats:
    """Compute the standard deviation (n - 1) along the first axis, of at least two finite values.

    The values are divided by a power of two before they are squared. This changes no bit of the
    result, and keeps it finite for values such as 1e300, whose squares are infinite.
    """
    _, exponent = np.frexp(np.abs(values).max(axis=0))
    scaled: Floats = np.ldexp(values, -exponent).std(axis=0, ddof=1)
    return np.asarray(np.ldexp(scaled, exponent))


def _compute_positions(n: int, p: Floats, convention: Convention) -> Floats:
    """Return the positions of quantiles among ``n`` sorted values, counted from 0.

    A fraction stands for an interpolation between two values.
    """
    if convention not in CONVENTIONS:
        raise UnknownNameError.of("quantile convention", convention, CONVENTIONS)
    if convention == "hazen":
        return n * p - 0.5
    if convention == "type-7":
        return (n - 1) * p
    tolerance = _RANK_TOLERANCE * n
    rank = np.floor(n * p - 0.5 + tolerance)
    is_tie = np.abs(n * p - 0.5 - rank) < tolerance
    return np.where(is_tie & (rank % 2 == 0), rank, rank + 1) - 1
