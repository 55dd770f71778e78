"""Conversion of an argument ``x`` to float64 points, with errors that say what is wrong with it.

A point has shape ``(dimension,)``, a batch of points ``(n, dimension)``. Both must be real numbers:
complex numbers, masked entries and texts are refused. Truth values are accepted for bits only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .errors import EvaluationError

Vector = Floats  # the name that the subpackages of `suites` use
_FLOAT64 = np.dtype(np.float64)


def as_point(x: ArrayLike, dimension: int, label: str, bits: bool = False) -> Floats:
    """Convert ``x`` to one point, a float64 array of shape ``(dimension,)``.

    Args:
        x: Real numbers. A float64 array of the right shape is returned itself, not copied.
        dimension: Number of variables.
        label: Subject of error messages: the problem's identifier.
        bits: Whether truth values are accepted as well; other values than 0 and 1 are not refused.

    Raises:
        EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
    """
    point = _as_real_numbers(x, dimension, label, bits)
    if point.shape != (dimension,):
        raise EvaluationError(_describe_wrong_shape(point, dimension, label))
    return point


def as_batch(x: ArrayLike, dimension: int, label: str, bits: bool = False) -> Floats:
    """Convert ``x`` to a batch, a C-contiguous float64 array of shape ``(n, dimension)``.

    Args:
        x: Real numbers, one point a row. An array that already has this form is not copied.
        dimension: Number of variables.
        label: Subject of error messages: the problem's identifier.
        bits: Whether truth values are accepted as well; other values than 0 and 1 are not refused.

    Raises:
        EvaluationError: ``x`` has another shape, has masked entries, or is not real numbers.
    """
    if type(x) is np.ndarray and x.dtype is _FLOAT64 and x.ndim == 2 and x.shape[1] == dimension:
        return x if x.flags.c_contiguous else np.ascontiguousarray(x)
    points = _as_real_numbers(x, dimension, label, bits)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise EvaluationError(_describe_wrong_shape(points, dimension, label))
    return np.ascontiguousarray(points)


def is_batch(x: ArrayLike) -> bool:
    """Return whether ``x`` is a batch and not one point; of a list, look at the first item only."""
    if isinstance(x, np.ndarray):
        return x.ndim == 2
    if isinstance(x, list | tuple):
        return any(isinstance(item, list | tuple) or np.ndim(item) > 0 for item in x[:1])
    try:
        return np.ndim(x) == 2
    except ValueError:  # another sequence, whose items have different lengths
        return False


def checked_bits(points: Floats, label: str) -> Floats:
    """Return points with every negative zero replaced by 0; raise if a number is not 0 or 1.

    Args:
        points: One point or a batch, float64 of any shape.
        label: Subject of the error message: the problem's identifier.

    Returns:
        A new array of the same shape.

    Raises:
        EvaluationError: A number is neither 0 nor 1; the message shows the first one.
    """
    invalid_indices = np.argwhere((points != 0) & (points != 1))
    if len(invalid_indices):
        index = tuple(invalid_indices[0].tolist())
        raise EvaluationError(
            f"{label}: x{list(index)} is {float(points[index])!r}; every variable is a bit, 0 or 1"
        )
    return np.abs(points)


def _as_real_numbers(x: ArrayLike, dimension: int, label: str, bits: bool) -> Floats:
    if type(x) is not np.ndarray and _has_masked(x):
        raise EvaluationError(f"{label}: x has masked entries; it must be real numbers")
    try:
        array = np.asarray(x)
    except ValueError as error:
        raise EvaluationError(f"{label}: x is not an array of numbers ({error})") from error
    if array.dtype.kind not in ("fiub" if bits else "fiu"):
        raise EvaluationError(
            f"{label}: x has type {array.dtype} (from {type(x).__name__}); "
            f"it must be real numbers, shape ({dimension},) or (n, {dimension})"
        )
    return array.astype(np.float64, copy=False)


def _has_masked(x: object) -> bool:
    if isinstance(x, list | tuple):
        return any(_has_masked(item) for item in x if isinstance(item, np.ndarray | list | tuple))
    return bool(np.ma.is_masked(x))


def _describe_wrong_shape(x: Floats, dimension: int, label: str) -> str:
    return (
        f"{label}: x has shape {x.shape}; it must be ({dimension},) for one point, "
        f"or (n, {dimension}) for n points, one a row"
    )
