"""The 25 functions: which formula each is, what the formula reads, its best point and its mean.

``raw`` values are maximised; their formulas stand in ``kernels``. A function sees bits ``z``, those
that an ``Instance`` makes of ``x``. What is written here as ``L`` is the number of bits counted.

The last section has the bits ``z``, shape ``(n,)``, where functions are largest whose best is not
all ones; of f18 only the largest value. IOHprofiler's own optima are wrong or missing for several:
f18 and f25 have none there, f23 and f24 have wrong ones for some dimensions.
``tests/suites/test_pbo_optima.py`` compares these with all points of up to 20 bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from . import kernels
from .draws import dummy, neighbours

Vector = NDArray[np.float64]
Indices = NDArray[np.int64]

_NO_INTEGERS: Indices = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Function:
    """One function in one dimension."""

    formula: int  # its number in ``kernels``
    best: Vector | None  # bits where it is largest, (n,); None where they are not known here
    mean: float  # expectation of its value at random bits
    bits: Indices  # the positions that it reads, in this order
    integers: Indices = field(default_factory=_NO_INTEGERS.copy)  # what the formula reads
    numbers: Vector = field(default_factory=lambda: np.empty(0))
    largest: float | None = None  # its largest value, where that is known without such bits


def _ruggedness_1(length: int) -> Vector:
    """Every other value is that of its neighbour; the best one stands alone."""
    counts = np.arange(length + 1)
    steps = (counts + length % 2) // 2 + 1
    steps[length] = (length + 1) // 2 + 1
    return steps.astype(np.float64)


def _ruggedness_2(length: int) -> Vector:
    """Neighbours are swapped, but for the best."""
    counts = np.arange(length + 1)
    swapped = np.where(counts % 2 == length % 2, counts + 1, np.maximum(counts - 1, 0))
    swapped[length] = length
    return swapped.astype(np.float64)


def _ruggedness_3(length: int) -> Vector:
    """Below the best, blocks of five values are in reverse."""
    values = np.empty(length + 1)
    for j in range(1, length // 5 + 1):
        values[length - 5 * j : length - 5 * j + 5] = length - 5 * j + np.arange(4, -1, -1)
    rest = length % 5
    values[:rest] = np.arange(rest - 1, -1, -1)
    values[length] = length
    return values


def _as_counted(length: int) -> Vector:
    return np.arange(length + 1.0)


Table = Callable[[int], Vector]
_LAYERS: tuple[tuple[int, float, Table], ...] = (
    (0, 0.5, _as_counted),
    (0, 0.9, _as_counted),
    (kernels.MAJORITIES, 1.0, _as_counted),
    (kernels.PARITIES, 1.0, _as_counted),
    (0, 1.0, _ruggedness_1),
    (0, 1.0, _ruggedness_2),
    (0, 1.0, _ruggedness_3),
)
"""Of f4 … f10, and again f11 … f17: a reduction of the bits, how many of them are no dummies, and
the values of the counts (the W-model of Weise and Wu 2018)."""


def _counted(
    n: int, kind: int, layer: tuple[int, float, Table] = (0, 1.0, _as_counted)
) -> Function:
    reduction, rate, table = layer
    bits = np.arange(n) if rate == 1 else dummy(n, rate)
    length = len(bits) // 3 if reduction == kernels.MAJORITIES else len(bits)
    values = table(length)
    if kind == kernels.LEADING_ONES:
        chances = np.array([0.5 ** (k + 1) for k in range(length)] + [0.5**length])
    else:
        chances = _binomial(length)
    best = np.ones(n)
    if reduction == kernels.PARITIES:  # blocks 1000 have the parities 1111
        best[np.arange(n) % 4 > 0] = 0
    return Function(kind + reduction, best, math.fsum(values * chances), bits, numbers=values)


def _binomial(length: int) -> Vector:
    """Chances of 0 … ``length`` ones among random bits."""
    logarithms = [
        math.lgamma(length + 1) - math.lgamma(k + 1) - math.lgamma(length - k + 1)
        for k in range(length + 1)
    ]
    chances = np.exp(np.array(logarithms) - length * math.log(2))
    return np.asarray(chances / chances.sum())


def _linear(n: int) -> Function:
    weights = np.arange(1.0, n + 1)
    return Function(kernels.WEIGHTED, np.ones(n), n * (n + 1) / 4, np.arange(n), numbers=weights)


def _labs(n: int) -> Function:
    """The mean is that at the mean energy, n (n - 1) / 2: its reciprocal's has no formula."""
    largest = best_merit_factor(n)
    return Function(kernels.AUTOCORRELATION, None, n / (n - 1), np.arange(n), largest=largest)


def _ising(n: int, pairs: Indices) -> Function:
    different = int((pairs[:, 0] != pairs[:, 1]).sum())
    mean = len(pairs) - different / 2
    return Function(kernels.AGREEING_PAIRS, np.ones(n), mean, np.arange(n), pairs.ravel())


def _ring(n: int) -> Function:
    i = np.arange(n)
    return _ising(n, np.column_stack([i, np.roll(i, 1)]))


def _lattice(n: int, *steps: tuple[int, int]) -> Function:
    """A torus of ``sqrt(n)`` rows and columns, each field paired with those at these steps."""
    fields = np.arange(n).reshape(math.isqrt(n), -1)
    pairs = [np.column_stack([fields.ravel(), np.roll(fields, step, (0, 1)).ravel()])
             for step in steps]  # fmt: skip
    return _ising(n, np.concatenate(pairs))


def _independent_set(n: int) -> Function:
    """Two rows of fields, neighbouring columns linked completely but straight ahead across."""
    count = n - n % 2
    half = count // 2
    first = np.arange(half - 1)
    edges = np.concatenate(
        [
            np.column_stack([first, first + 1]),
            np.column_stack([half + first, half + first + 1]),
            np.column_stack([first, half + first + 1]),
            np.column_stack([first + 1, half + first]),
        ]
    )
    mean = count / 2 - count * len(edges) / 4
    best = independent_columns(n)
    return Function(kernels.INDEPENDENT, best, mean, np.arange(count), edges.ravel())


def _queens(n: int) -> Function:
    side = math.isqrt(n)
    lines = [(side * i, 1, side) for i in range(side)] + [(i, side, side) for i in range(side)]
    for i in range(side - 1):  # diagonals of two fields and more, from the upper and a side border
        lines += [(i, side + 1, side - i), (side - 1 - i, side - 1, side - i)]
        if i:
            lines += [(side * i, side + 1, side - i), (side * i + side - 1, side - 1, side - i)]
    too_many = math.fsum(length / 2 - 1 + 0.5**length for _, _, length in lines)
    return Function(
        kernels.QUEENS, peaceful_queens(side), n / 2 - side * too_many, np.arange(n),
        np.array(lines, dtype=np.int64).ravel(), np.array([float(side)]),
    )  # fmt: skip


def _traps(n: int) -> Function:
    """Blocks of five bits; where 5 does not divide ``n``, a last term overlaps them."""
    blocks, rest = divmod(n, 5)
    start = 4 * blocks
    values = np.array([(4 - u) / 5 for u in range(5)] + [1.0])
    mean = blocks * float(values @ _binomial(5))
    if rest:
        last = np.array([1.0 if s == rest else (rest - 1 - s) / rest for s in range(n - start + 1)])
        mean += float(last @ _binomial(n - start))
        values = np.concatenate([values, last])
    return Function(kernels.TRAPS, best_traps(n), mean, np.arange(n), np.array([start]), values)


def _landscape(n: int) -> Function:
    others, tables = neighbours(n)
    alone = others == np.arange(n)  # a variable that is its own neighbour reads two of its values
    mean = np.where(alone, tables[:, [0, 3]].mean(axis=1), tables.mean(axis=1))
    return Function(
        kernels.NEIGHBOURS, best_landscape(others, tables), -float(mean.mean()), np.arange(n),
        others, tables.ravel(),
    )  # fmt: skip


_SINGLE: dict[int, Callable[[int], Function]] = {
    1: lambda n: _counted(n, kernels.COUNTED_ONES),
    2: lambda n: _counted(n, kernels.LEADING_ONES),
    3: _linear,
    18: _labs,
    19: _ring,
    20: lambda n: _lattice(n, (1, 0), (0, 1)),
    21: lambda n: _lattice(n, (1, 0), (0, 1), (1, 1)),
    22: _independent_set,
    23: _queens,
    24: _traps,
    25: _landscape,
}


@lru_cache(maxsize=64)
def function(number: int, dimension: int) -> Function:
    """One of the functions 1 … 25; the dimension is one that it takes, see ``suites.pbo``."""
    if number in _SINGLE:
        return _SINGLE[number](dimension)
    kind, first = (kernels.COUNTED_ONES, 4) if number < 11 else (kernels.LEADING_ONES, 11)
    return _counted(dimension, kind, _LAYERS[number - first])


_ENERGIES = (
    1, 1, 2, 2, 7, 3, 8, 12, 13, 5, 10, 6, 19, 15, 24, 32, 25, 29, 26, 26, 39, 47, 36, 36, 45, 37,
    50, 62, 59, 67, 64, 64, 65, 73, 82, 86, 87, 99, 108, 108, 101, 109, 122, 118, 131, 135, 140,
    136, 153, 153, 166, 170, 175, 171, 192, 188, 197, 205, 218, 226, 235, 207, 208, 240, 257,
)  # fmt: skip
"""The least energies of binary sequences of 2, 3, … 66 bits, proven by exhaustive search:
T. Packebusch, S. Mertens: Low autocorrelation binary sequences, J. Phys. A 49, 2016,
arXiv:1512.02475, table 1."""


def best_merit_factor(n: int) -> float | None:
    """The largest value of f18; None above 66 bits, where nobody knows."""
    return n * n / 2.0 / _ENERGIES[n - 2] if n - 2 < len(_ENERGIES) else None


def independent_columns(n: int) -> Vector:
    """Of f22: both fields of the first column and of every other one after it.

    Neighbouring columns are linked completely but straight ahead across, so no two of them hold
    more than two fields that are independent. The last of an odd number of bits is not read.
    """
    half = n // 2
    best = np.zeros(n)
    best[np.arange(half)[::2]] = best[half + np.arange(half)[::2]] = 1
    return best


def peaceful_queens(side: int) -> Vector:
    """Of f23: as many queens as rows (E. Pauls, 1874); one fewer on boards of 2 and 3 rows."""
    even, odd = list(range(1, side, 2)), list(range(0, side, 2))
    if side % 6 == 2:
        odd = [2, 0, *odd[3:], 4]
    elif side % 6 == 3:
        even, odd = [*even[1:], 1], [*odd[2:], 0, 2]
    columns = even + odd if side > 3 else [0, 2][: side - 1] or [0]
    board = np.zeros((side, side))
    board[range(len(columns)), columns] = 1
    return board.ravel()


def best_traps(n: int) -> Vector:
    """Of f24: all ones where 5 divides ``n``.

    Else the last term counts all ones from ``4 (n // 5)`` on and wants just ``n % 5`` of them; each
    more costs it as much as a block can gain. So blocks within its reach are zeros, but for the
    first one where no more than ``n % 5`` of its bits are within; the last bits fill up the rest.
    """
    blocks, rest = divmod(n, 5)
    best = np.ones(n)
    if rest:
        start = 4 * blocks
        inside = -start % 5  # bits of the block in which the last term begins
        first = start // 5 * 5 if inside > rest else start + inside
        best[first:] = 0
        best[n - rest + (inside if 0 < inside <= rest else 0) :] = 1
    return best


def best_landscape(others: NDArray[np.int64], tables: NDArray[np.float64]) -> Vector:
    """Of f25, exactly: each variable has one neighbour, so the graph is trees that hang on cycles.

    Trees are worked off from their leaves; each cycle is solved for both values of one variable.
    ``others`` and ``tables``, to be minimised in all, are as of ``draws.neighbours``.
    """
    n = len(others)
    cost = np.zeros((n, 2))  # of the trees that hang on a variable, for each of its values
    choice = np.zeros((n, 2), dtype=np.int64)  # its best value, for each value of its neighbour
    waiting = np.bincount(others, minlength=n)
    leaves = [i for i in range(n) if not waiting[i]]
    for i in leaves:  # grows while it is read
        other = others[i]
        own = _contribution(tables[i]) + cost[i][:, np.newaxis]
        choice[i] = own.argmin(axis=0)
        cost[other] += own.min(axis=0)
        waiting[other] -= 1
        if not waiting[other]:
            leaves.append(other)
    best = np.full(n, -1)
    for i in range(n):
        if waiting[i] and best[i] < 0:
            _solve_cycle(i, others, tables, cost, best)
    for i in reversed(leaves):
        best[i] = choice[i, best[others[i]]]
    return best.astype(np.float64)


def _contribution(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of a variable, by its value and its neighbour's, shape ``(2, 2)``."""
    return table.reshape(2, 2).T


def _solve_cycle(
    first: int,
    others: NDArray[np.int64],
    tables: NDArray[np.float64],
    cost: NDArray[np.float64],
    best: NDArray[np.int64],
) -> None:
    """Put the best values of the variables of a cycle into ``best``."""
    cycle = [first]
    while others[cycle[-1]] != first:
        cycle.append(int(others[cycle[-1]]))
    found: tuple[float, list[int]] = (math.inf, [])
    for value in (0, 1):
        # the least cost of the variables so far, for each value of the last one, and how
        total = np.where(np.arange(2) == value, cost[first], np.inf)
        ways: list[list[int]] = [[0], [1]]
        for i, after in pairwise(cycle):
            step = total[:, np.newaxis] + _contribution(tables[i]) + cost[after]
            ways = [[*ways[step[:, v].argmin()], v] for v in (0, 1)]
            total = step.min(axis=0)
        total = total + _contribution(tables[cycle[-1]])[:, value]
        last = int(total.argmin())
        if total[last] < found[0]:
            found = float(total[last]), ways[last]
    best[cycle] = found[1]
