"""BBOB's random numbers: what every instance of bbob is drawn from, bit for bit as published.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noiseless Functions Definitions, INRIA RR-6829, and the reference implementation's generator:
Lehmer's 16807 modulo 2**31 - 1 with a Bays-Durham shuffle of 32 slots.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..compiled.compilation import machine_code
from ..compiled.elementary import vectorisable

_MODULUS = 2147483647


@vectorisable
def _advance(state):  # type: ignore[no-untyped-def]
    quotient = state // 127773
    state = 16807 * (state - quotient * 127773) - 2836 * quotient
    return state + _MODULUS if state < 0 else state


@njit(cache=True)
def fill_uniform(numbers, slots, seed):  # type: ignore[no-untyped-def]
    """Put uniform numbers into ``numbers``; ``slots`` is a workspace of 32 integers."""
    state = max(1, abs(seed))
    for i in range(39, -1, -1):
        state = _advance(state)
        if i < 32:
            slots[i] = state
    last = slots[0]
    for k in range(len(numbers)):
        state = _advance(state)
        slot = last // 67108865
        last = slots[slot]
        slots[slot] = state
        numbers[k] = last / 2.147483647e9
        if numbers[k] == 0.0:
            numbers[k] = 1e-99


@njit(cache=True)
def _box_muller(uniform, numbers):  # type: ignore[no-untyped-def]
    count = len(numbers)
    for k in range(count):
        angle = 2 * math.pi * uniform[count + k]
        numbers[k] = math.sqrt(-2 * math.log(uniform[k])) * math.cos(angle)
        if numbers[k] == 0.0:
            numbers[k] = 1e-99


@njit(cache=True)
def _orthonormal_rows(rows):  # type: ignore[no-untyped-def]
    dimension = rows.shape[0]
    for i in range(dimension):
        for j in range(i):
            product = 0.0
            for k in range(dimension):
                product += rows[i, k] * rows[j, k]
            for k in range(dimension):
                rows[i, k] -= product * rows[j, k]
        square = 0.0
        for k in range(dimension):
            square += rows[i, k] * rows[i, k]
        norm = math.sqrt(square)
        for k in range(dimension):
            rows[i, k] /= norm


def uniform(count: int, seed: int) -> NDArray[np.float64]:
    """``count`` numbers in (0, 1), shape ``(count,)``."""
    numbers = np.empty(count)
    machine_code(fill_uniform, "float64[::1], int64[::1], int64")(
        numbers, np.empty(32, np.int64), seed
    )
    return numbers


def gaussian(count: int, seed: int) -> NDArray[np.float64]:
    """``count`` standard normal numbers (Box and Muller), shape ``(count,)``; never exactly 0."""
    numbers = np.empty(count)
    machine_code(_box_muller, "float64[::1], float64[::1]")(uniform(2 * count, seed), numbers)
    return numbers


@lru_cache(maxsize=4)
def rotation(dimension: int, seed: int) -> NDArray[np.float64]:
    """A rotation, shape ``(dimension, dimension)``: Gram and Schmidt on columns of normal numbers.

    The numbers fill the matrix by columns; the columns are made orthonormal from first to last.
    Read-only; the last ones are kept, as an instance reads its rotations more than once.
    """
    columns = gaussian(dimension * dimension, seed).reshape(dimension, dimension)
    machine_code(_orthonormal_rows, "float64[:, ::1]")(columns)
    columns.flags.writeable = False
    return columns.T


def optimal_solution(dimension: int, seed: int, reach: float = 4.0) -> NDArray[np.float64]:
    """The optimum of most functions, shape ``(dimension,)``; never exactly 0.

    In ``[-reach, reach)``, by steps of ``reach / 5000``.
    """
    solution = 2 * reach * np.floor(1e4 * uniform(dimension, seed)) / 1e4 - reach
    solution[solution == 0.0] = -1e-5
    return solution


def optimal_value(seed: int) -> float:
    """The optimal value: 100 times a Cauchy number, rounded to 0.01, within [-1000, 1000]."""
    cents = 1e4 * gaussian(1, seed)[0] / gaussian(1, seed + 1)[0]
    return float(min(1000.0, max(-1000.0, math.floor(cents + 0.5) / 100)))
