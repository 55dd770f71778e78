"""Machine code of the suite pbo: one function that evaluates all 25 formulas.

It is one function because compiling takes about a second for each function. Its arguments are the
point and the address of the problem's tables. The tables are a header, the order of the bits, the
flips, the integers and numbers that the formula reads (see ``functions``), and a workspace for the
bits of one point. The caller keeps the tables alive.

A point is read as 64-bit words, so that arrays of float64 and of int64 need the same machine code:
``bit_one`` is the word of a 1 in the type of the array. The word of a 0 is 0 in both types.
"""

# mypy: ignore-errors
# Reason: numba infers the types of these functions from their arguments.

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..arrays import Floats
from ..compiled.elementary import vectorisable
from ..compiled.wrappers import floats_at

UnsignedIndices = NDArray[np.uint64]  # unsigned, because numba tests signed indices for being < 0
Words = NDArray[np.int64]  # 64-bit words of points, or bits

# Indices into the header of a problem's tables.
DIMENSION = 0
N_BITS = 1  # number of bits that the function reads
FORMULA = 2  # one of the formulas below
SCALE = 3
SHIFT = 4
N_INTEGERS = 5
N_NUMBERS = 6
IS_REORDERED = 7  # 1 if the function reads the bits in another order than that of the point
HEADER_SIZE = 8

# Formulas. The first ones look up a count of bits in a table, the numbers. The count is one of
# COUNTED_ONES and LEADING_ONES; MAJORITIES or PARITIES may be added, which reduce the bits before.
COUNTED_ONES = 0
LEADING_ONES = 1  # only the ones before the first zero count
MAJORITIES = 2  # majorities of three bits
PARITIES = 4  # parities within blocks of four bits
WEIGHTED, AUTOCORRELATION, AGREEING_PAIRS, INDEPENDENT, QUEENS, TRAPS, NEIGHBOURS = range(8, 15)


@njit(cache=True, error_model="numpy")
def evaluate_point(x: Words, bit_one: int, address: int) -> float:
    """Return the value of the point ``x``, to be minimised.

    Args:
        x: Words of the point, shape ``(dimension,)``.
        bit_one: Word of a 1.
        address: Address of the problem's tables; their workspace is overwritten.

    Raises:
        ValueError: ``x`` has another shape, or a word that is neither 0 nor ``bit_one``.
    """
    header, order, flip, integers, numbers, workspace = _read_tables(address)
    value = _evaluate_words(x, bit_one, header, order, flip, integers, numbers, workspace)
    if value != value:
        raise ValueError("no bits")
    return value


@njit(cache=True, error_model="numpy", nogil=True)
def evaluate_batch(points: Words, bit_one: int, address: int, values: Floats) -> int:
    """Write the values of points to ``values``, up to the first row that is not a point of bits.

    Args:
        points: Words of the points, shape ``(n, dimension)``.
        bit_one: Word of a 1.
        address: Address of the problem's tables.
        values: Shape ``(n,)``.

    Returns:
        The index of the first row that is not a point of bits; n if all rows are.
    """
    header, order, flip, integers, numbers, point_workspace = _read_tables(address)
    # Other threads may use the workspace in the tables: allocate another one.
    workspace = np.empty(point_workspace.shape[0], np.int64)
    for row in range(points.shape[0]):
        values[row] = _evaluate_words(
            points[row], bit_one, header, order, flip, integers, numbers, workspace
        )
        if values[row] != values[row]:
            return row
    return points.shape[0]


# Not inlined: both functions above call it.
@njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
def _evaluate_words(x, bit_one, header, order, flip, integers, numbers, workspace):
    """Return the value of one point, to be minimised; NaN if ``x`` is not a point of bits.

    Writes the bits of the function to ``workspace``.
    """
    if x.shape[0] != int(header[DIMENSION]):
        return np.nan
    has_other_words = 0
    for i in range(x.shape[0]):
        has_other_words |= (x[i] != 0) & (x[i] != bit_one)
    if has_other_words:
        return np.nan
    count = order.shape[0]
    if header[IS_REORDERED] == 0.0:
        for i in range(count):
            workspace[i] = (x[i] != 0) ^ flip[i]
    else:
        for i in range(count):
            workspace[i] = (x[order[i]] != 0) ^ flip[i]
    raw = _compute_raw_value(int(header[FORMULA]), workspace, count, integers, numbers)
    return 0.0 - (raw * header[SCALE] + header[SHIFT])  # subtracted, so that 0 is not -0


@vectorisable
def _read_tables(address: int):
    """Return views of the tables: header, order, flips, integers, numbers, workspace.

    Order and integers are `UnsignedIndices`. The views do not keep the tables alive.
    """
    header = floats_at(address, (HEADER_SIZE,))
    n_bits, n_integers = int(header[N_BITS]), int(header[N_INTEGERS])
    n_numbers = int(header[N_NUMBERS])
    words = floats_at(address + 8 * HEADER_SIZE, (3 * n_bits + n_integers + n_numbers,))
    flip_end = 2 * n_bits
    integers_end = 2 * n_bits + n_integers
    numbers_end = 2 * n_bits + n_integers + n_numbers
    unsigned = words.view(np.uint64)
    return (
        header,
        unsigned[:n_bits],
        words[n_bits:flip_end].view(np.int64),
        unsigned[flip_end:integers_end],
        words[integers_end:numbers_end],
        words[numbers_end:].view(np.int64),
    )


@vectorisable
def _compute_raw_value(
    formula: int, bits: Words, count: int, integers: UnsignedIndices, numbers: Floats
) -> float:
    """Return the raw value of the first ``count`` bits, to be maximised; it may change ``bits``."""
    if formula < WEIGHTED:
        length = _reduce_bits(formula, bits, count)
        return numbers[_count_ones(formula & LEADING_ONES, bits, length)]
    total = 0.0
    if formula == WEIGHTED:
        for i in range(count):
            total += numbers[i] * bits[i]
        return total
    if formula == AUTOCORRELATION:
        return (count * count) / 2.0 / _sum_squared_autocorrelations(bits, count)
    if formula == AGREEING_PAIRS:
        pairs = 0
        for k in range(0, integers.shape[0], 2):
            pairs += 1 - (bits[integers[k]] ^ bits[integers[k + 1]])
        return float(pairs)
    if formula == INDEPENDENT:
        edges = 0
        for k in range(0, integers.shape[0], 2):
            edges += bits[integers[k]] & bits[integers[k + 1]]
        return float(_count_ones(0, bits, count) - count * edges)
    if formula == QUEENS:
        return _count_ones(0, bits, count) - numbers[0] * _count_excess_queens(bits, integers)
    if formula == TRAPS:
        for start in range(0, count // 5 * 5, 5):
            total += numbers[_count_ones(0, bits[start:], 5)]
        if count % 5:
            start = int(integers[0])
            total += numbers[6 + _count_ones(0, bits[start:], count - start)]
        return total
    for i in range(count):
        total += numbers[4 * i + bits[i] + 2 * bits[integers[i]]]
    return -(total / count)


@vectorisable
def _reduce_bits(formula: int, bits: Words, count: int) -> int:
    """Replace the first ``count`` bits by majorities or parities; return their new number."""
    if formula & MAJORITIES:
        count //= 3
        for j in range(count):
            bits[j] = 1 if bits[3 * j] + bits[3 * j + 1] + bits[3 * j + 2] >= 2 else 0
    elif formula & PARITIES:
        for start in range(0, count, 4):
            stop = min(start + 4, count)
            parity = 0
            for i in range(start, stop):
                parity ^= bits[i]
            for i in range(start, stop - 1):
                bits[i] = parity ^ bits[i + 1]
            bits[stop - 1] = parity
    return count


@vectorisable
def _count_ones(leading_only: int, bits: Words, count: int) -> int:
    """Return the number of ones among the first ``count`` bits, or of those before a zero."""
    if leading_only:
        for i in range(count):
            if bits[i] == 0:
                return i
        return count
    ones = 0
    for i in range(count):
        ones += bits[i]
    return ones


@vectorisable
def _sum_squared_autocorrelations(bits: Words, count: int) -> int:
    """Return the sum of the squared autocorrelations of the sequence ``2 bits - 1``."""
    energy = 0
    for k in range(1, count):
        different = 0
        for i in range(count - k):
            different += bits[i] ^ bits[i + k]
        energy += (count - k - 2 * different) ** 2
    return energy


@vectorisable
def _count_excess_queens(bits: Words, lines: UnsignedIndices) -> int:
    """Return the sum over all lines of the number of queens beyond the first.

    Args:
        bits: 1 for each field with a queen.
        lines: For each line its first field, the step between its fields, and its length.
    """
    total = 0
    for k in range(0, lines.shape[0], 3):
        queens = 0
        for j in range(int(lines[k + 2])):
            queens += bits[lines[k] + lines[k + 1] * np.uint64(j)]
        total += max(0, queens - 1)
    return total
