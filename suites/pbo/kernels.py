"""The formulas, compiled: one function for all 25. Each would cost a second to compile.

What reaches compiled code is the point and the address of the problem's tables: the header, which
input bit each bit of the function is and whether it is flipped, the integers and the numbers that
the formula reads (see ``functions``), and a workspace for the bits of one point.

A point is read as its 64-bit words, so that float64 and int64 arrays go through the same code:
``one`` is the word of a 1 in the array's type, and the word of a 0 is 0 in both.
"""

# mypy: ignore-errors
# (numba types this module, by its own rules)

from __future__ import annotations

import numpy as np
from numba import njit

from ..compiled.elementary import vectorisable
from ..compiled.wrappers import floats_at

HEADER = 8
"""Numbers in the header: dimension, bits of the function, formula, scale, shift, how many integers
and numbers follow, and whether bits are read in another order than they stand in."""

COUNTED_ONES, LEADING_ONES, MAJORITIES, PARITIES = 0, 1, 2, 4
"""What is counted for a value that stands in a table: ones or leading ones, 0 or 1, of the bits
themselves or, added to it, of majorities of three bits or parities within blocks of four."""
WEIGHTED, AUTOCORRELATION, AGREEING_PAIRS, INDEPENDENT, QUEENS, TRAPS, NEIGHBOURS = range(8, 15)


@vectorisable
def reduced(formula, z, count):
    """Replace the first ``count`` bits by majorities or parities; return how many there are."""
    if formula & MAJORITIES:
        count //= 3
        for j in range(count):
            z[j] = 1 if z[3 * j] + z[3 * j + 1] + z[3 * j + 2] >= 2 else 0
    elif formula & PARITIES:
        for start in range(0, count, 4):
            stop = min(start + 4, count)
            parity = 0
            for i in range(start, stop):
                parity ^= z[i]
            for i in range(start, stop - 1):
                z[i] = parity ^ z[i + 1]
            z[stop - 1] = parity
    return count


@vectorisable
def counted(leading, z, count):
    """How many of the first ``count`` bits are ones, all or before the first zero."""
    if leading:
        for i in range(count):
            if z[i] == 0:
                return i
        return count
    ones = 0
    for i in range(count):
        ones += z[i]
    return ones


@vectorisable
def autocorrelations(z, count):
    """The sum of the squares of all autocorrelations of ``2 z - 1``."""
    energy = 0
    for k in range(1, count):
        different = 0
        for i in range(count - k):
            different += z[i] ^ z[i + k]
        energy += (count - k - 2 * different) ** 2
    return energy


@vectorisable
def attacks(z, lines):
    """How many queens too many stand in the lines: each is a first field, a step and a length."""
    total = 0
    for k in range(0, lines.shape[0], 3):
        queens = 0
        for j in range(int(lines[k + 2])):
            queens += z[lines[k] + lines[k + 1] * np.uint64(j)]
        total += max(0, queens - 1)
    return total


@vectorisable
def raw_value(formula, z, count, integers, numbers):
    """The value, to be maximised, of the first ``count`` bits ``z``, which may be changed."""
    if formula < WEIGHTED:
        length = reduced(formula, z, count)
        return numbers[counted(formula & LEADING_ONES, z, length)]
    total = 0.0
    if formula == WEIGHTED:
        for i in range(count):
            total += numbers[i] * z[i]
        return total
    if formula == AUTOCORRELATION:
        return (count * count) / 2.0 / autocorrelations(z, count)
    if formula == AGREEING_PAIRS:
        pairs = 0
        for k in range(0, integers.shape[0], 2):
            pairs += 1 - (z[integers[k]] ^ z[integers[k + 1]])
        return float(pairs)
    if formula == INDEPENDENT:
        edges = 0
        for k in range(0, integers.shape[0], 2):
            edges += z[integers[k]] & z[integers[k + 1]]
        return float(counted(0, z, count) - count * edges)
    if formula == QUEENS:
        return counted(0, z, count) - numbers[0] * attacks(z, integers)
    if formula == TRAPS:
        for start in range(0, count // 5 * 5, 5):
            total += numbers[counted(0, z[start:], 5)]
        if count % 5:
            start = int(integers[0])
            total += numbers[6 + counted(0, z[start:], count - start)]
        return total
    for i in range(count):
        total += numbers[4 * i + z[i] + 2 * z[integers[i]]]
    return -(total / count)


@vectorisable
def sections(address):
    """Header, order, flips, integers, numbers and workspace of the tables at an address.

    What are positions is unsigned: a signed index is looked at for being negative.
    """
    header = floats_at(address, (HEADER,))
    bits, integers, numbers = int(header[1]), int(header[5]), int(header[6])
    words = floats_at(address + 8 * HEADER, (3 * bits + integers + numbers,))
    first, second, third = 2 * bits, 2 * bits + integers, 2 * bits + integers + numbers
    positions = words.view(np.uint64)
    return (
        header,
        positions[:bits],
        words[bits:first].view(np.int64),
        positions[first:second],
        words[second:third],
        words[third:].view(np.int64),
    )


@njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)  # for both wrappers
def value_of(x, bit_one, header, order, flip, integers, numbers, z):
    """The value of one point, to be minimised; NaN where ``x`` is no point of bits."""
    if x.shape[0] != int(header[0]):
        return np.nan
    wrong = 0
    for i in range(x.shape[0]):
        wrong |= (x[i] != 0) & (x[i] != bit_one)
    if wrong:
        return np.nan
    count = order.shape[0]
    if header[7] == 0.0:
        for i in range(count):
            z[i] = (x[i] != 0) ^ flip[i]
    else:
        for i in range(count):
            z[i] = (x[order[i]] != 0) ^ flip[i]
    raw = raw_value(int(header[2]), z, count, integers, numbers)
    return 0.0 - (raw * header[3] + header[4])  # 0, not -0


@njit(cache=True, error_model="numpy")
def point_value(x, bit_one, address):
    """The value of the point ``x``, shape ``(n,)``; raises where it is no point of bits."""
    header, order, flip, integers, numbers, z = sections(address)
    value = value_of(x, bit_one, header, order, flip, integers, numbers, z)
    if value != value:
        raise ValueError("no bits")
    return value


@njit(cache=True, error_model="numpy", nogil=True)
def batch_values(points, bit_one, address, values):
    """Put the values of ``points``, shape ``(k, n)``, into ``values``; returns the first bad row.

    It is the number of points where there is none.
    """
    header, order, flip, integers, numbers, spare = sections(address)
    z = np.empty(spare.shape[0], np.int64)
    for row in range(points.shape[0]):
        values[row] = value_of(points[row], bit_one, header, order, flip, integers, numbers, z)
        if values[row] != values[row]:
            return row
    return points.shape[0]
