"""Where functions are largest: bits ``z``, shape ``(n,)``, of those whose best is not all ones.

Of f18 only the largest value.

IOHprofiler's own optima are wrong or missing for several of them: f18 and f25 have none there, f23
and f24 have wrong ones for some dimensions. ``tests/suites/test_pbo_optima.py`` compares these with
all points of up to 20 bits.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

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

    Args:
        others: The neighbour of each variable, int64 ``(n,)``.
        tables: float64 ``(n, 4)``, what a variable contributes, to be minimised in all; see
            ``draws.neighbours``.
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
