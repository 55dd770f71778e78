"""What counts as a point: turns an ``x`` into float64 of the right shape, or says what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import EvaluationError

Vector = NDArray[np.float64]
_FLOAT64 = np.dtype(np.float64)


def as_point(x: ArrayLike, dimension: int, who: str, bits: bool = False) -> Vector:
    """One point of real numbers, or with ``bits`` truth values, as float64 ``(dimension,)``."""
    point = _as_real(x, dimension, who, bits)
    if point.shape != (dimension,):
        raise EvaluationError(_wrong_shape(point, dimension, who))
    return point


def as_batch(x: ArrayLike, dimension: int, who: str, bits: bool = False) -> Vector:
    """Points as C-contiguous float64 of shape ``(n, dimension)``, one point a row."""
    if type(x) is np.ndarray and x.dtype is _FLOAT64 and x.ndim == 2 and x.shape[1] == dimension:
        return x if x.flags.c_contiguous else np.ascontiguousarray(x)
    points = _as_real(x, dimension, who, bits)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise EvaluationError(_wrong_shape(points, dimension, who))
    return np.ascontiguousarray(points)


def is_batch(x: ArrayLike) -> bool:
    """Whether ``x`` is points, not a point, as far as a look at the first tells."""
    if isinstance(x, np.ndarray):
        return x.ndim == 2
    if isinstance(x, list | tuple):
        return any(isinstance(item, list | tuple) or np.ndim(item) > 0 for item in x[:1])
    try:
        return np.ndim(x) == 2
    except ValueError:  # a ragged sequence
        return False


def _as_real(x: ArrayLike, dimension: int, who: str, bits: bool) -> Vector:
    if type(x) is not np.ndarray and _has_masked(x):
        raise EvaluationError(f"{who}: x has masked entries; it must be real numbers")
    try:
        array = np.asarray(x)
    except ValueError as error:
        raise EvaluationError(f"{who}: x is not an array of numbers ({error})") from error
    if array.dtype.kind not in ("fiub" if bits else "fiu"):
        raise EvaluationError(
            f"{who}: x has type {array.dtype} (from {type(x).__name__}); "
            f"it must be real numbers, shape ({dimension},) or (n, {dimension})"
        )
    return array.astype(np.float64, copy=False)


def checked_bits(points: Vector, who: str) -> Vector:
    """The same points without negative zeros; EvaluationError where a number is no bit."""
    wrong = np.argwhere((points != 0) & (points != 1))
    if len(wrong):
        place = tuple(wrong[0].tolist())
        raise EvaluationError(
            f"{who}: x{list(place)} is {points[place]:g}; every variable is a bit, 0 or 1"
        )
    return np.abs(points)


def _has_masked(x: object) -> bool:
    if isinstance(x, list | tuple):
        return any(_has_masked(item) for item in x if isinstance(item, np.ndarray | list | tuple))
    return bool(np.ma.is_masked(x))


def _wrong_shape(x: Vector, dimension: int, who: str) -> str:
    return (
        f"{who}: x has shape {x.shape}; it must be ({dimension},) for one point, "
        f"or (n, {dimension}) for n points, one a row"
    )
