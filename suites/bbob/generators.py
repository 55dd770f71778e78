"""Random numbers, rotations and optima of bbob's instances, equal to the bit to COCO's.

Every number is determined by a seed, an integer from which an instance derives further seeds by
adding constants.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noiseless Functions Definitions, INRIA RR-6829, and the generator of its implementation:
Lehmer's multiplicative generator, 16807 modulo 2**31 - 1, with a Bays-Durham shuffle of 32 slots.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import njit

from ..arrays import Floats
from ..compiled.compilation import machine_code
from ..compiled.elementary import vectorisable

_MODULUS = 2147483647  # 2**31 - 1


def draw_uniform(count: int, seed: int) -> Floats:
    """Draw uniform numbers.

    Args:
        count: Number of numbers.
        seed: Seed of the generator.

    Returns:
        Numbers in (0, 1), shape ``(count,)``.
    """
    numbers = np.empty(count)
    machine_code(fill_uniform, "float64[::1], int64[::1], int64")(
        numbers, np.empty(32, np.int64), seed
    )
    return numbers


def draw_normal(count: int, seed: int) -> Floats:
    """Draw standard normal numbers.

    Args:
        count: Number of numbers.
        seed: Seed of the generator.

    Returns:
        Numbers other than exactly 0, shape ``(count,)``.
    """
    numbers = np.empty(count)
    machine_code(fill_normals, "float64[::1], float64[::1]")(draw_uniform(2 * count, seed), numbers)
    return numbers


@lru_cache(maxsize=4)  # an instance uses its rotations more than once
def draw_rotation(dimension: int, seed: int) -> Floats:
    """Draw a rotation: normal numbers in columns, made orthonormal from the first to the last.

    Args:
        dimension: Number of variables.
        seed: Seed of the generator.

    Returns:
        A read-only matrix, shape ``(dimension, dimension)``.
    """
    columns = draw_normal(dimension * dimension, seed).reshape(dimension, dimension)
    machine_code(orthonormalise_rows, "float64[:, ::1]")(columns)
    columns.flags.writeable = False
    return columns.T


def draw_optimal_solution(dimension: int, seed: int, bound: float = 4.0) -> Floats:
    """Draw the optimum of most functions.

    Args:
        dimension: Number of variables.
        seed: Seed of the generator.
        bound: Coordinates are in ``[-bound, bound)``.

    Returns:
        Multiples of ``bound / 5000``, shape ``(dimension,)``; 0 is replaced by -1e-5.
    """
    solution = 2 * bound * np.floor(1e4 * draw_uniform(dimension, seed)) / 1e4 - bound
    solution[solution == 0.0] = -1e-5
    return solution


def draw_optimal_value(seed: int) -> float:
    """Draw an optimal value: 100 times a Cauchy number, rounded to 0.01, clipped to +-1000."""
    cents = 1e4 * draw_normal(1, seed)[0] / draw_normal(1, seed + 1)[0]
    return float(min(1000.0, max(-1000.0, math.floor(cents + 0.5) / 100)))


@njit(cache=True)
def fill_uniform(numbers, slots, seed):  # type: ignore[no-untyped-def]
    """Write uniform numbers in (0, 1) to ``numbers``; 0 becomes 1e-99.

    Args:
        numbers: float64, shape ``(n,)``.
        slots: Scratch memory, int64, shape ``(32,)``.
        seed: An integer; its sign is ignored, and 0 counts as 1.
    """
    state = max(1, abs(seed))
    for i in range(39, -1, -1):
        state = _advance(state)
        if i < 32:
            slots[i] = state
    last = slots[0]
    for k in range(len(numbers)):
        state = _advance(state)
        slot = last // 67108865  # maps 31 bits to 32 slots
        last = slots[slot]
        slots[slot] = state
        numbers[k] = last / 2.147483647e9
        if numbers[k] == 0.0:
            numbers[k] = 1e-99


@vectorisable
def _advance(state):  # type: ignore[no-untyped-def]
    """Return ``16807 * state`` modulo ``_MODULUS`` by Schrage's method, which avoids overflow."""
    quotient = state // 127773
    state = 16807 * (state - quotient * 127773) - 2836 * quotient
    return state + _MODULUS if state < 0 else state


@njit(cache=True)
def fill_normals(uniform, out):  # type: ignore[no-untyped-def]
    """Write standard normal numbers to ``out`` by the method of Box and Muller; 0 becomes 1e-99.

    Args:
        uniform: Uniform numbers in (0, 1), shape ``(2 n,)``.
        out: float64, shape ``(n,)``.
    """
    count = len(out)
    for k in range(count):
        angle = 2 * math.pi * uniform[count + k]
        out[k] = math.sqrt(-2 * math.log(uniform[k])) * math.cos(angle)
        if out[k] == 0.0:
            out[k] = 1e-99


@njit(cache=True)
def orthonormalise_rows(matrix):  # type: ignore[no-untyped-def]
    """Make the rows of a square matrix orthonormal, in place, by the method of Gram and Schmidt.

    Products are sums in the order of the indices: those of BLAS change f19 by 1e-8.
    """
    dimension = matrix.shape[0]
    for i in range(dimension):
        for j in range(i):
            product = 0.0
            for k in range(dimension):
                product += matrix[i, k] * matrix[j, k]
            for k in range(dimension):
                matrix[i, k] -= product * matrix[j, k]
        square = 0.0
        for k in range(dimension):
            square += matrix[i, k] * matrix[i, k]
        norm = math.sqrt(square)
        for k in range(dimension):
            matrix[i, k] /= norm
