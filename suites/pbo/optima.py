"""Best bits of the functions of the suite pbo that are not maximal at all ones.

For f18 only the maximal value is known. IOHprofiler has no optimum of f18 and f25, and wrong ones
of f23 and f24 in some dimensions. ``tests/suites/test_pbo_optima.py`` compares the optima with the
values of all points of up to 20 bits. `functions` describes the functions; ``n`` is the number of
bits.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from ..points import Vector
from .draws import Indices, Landscape

_MIN_ENERGIES = (
    1, 1, 2, 2, 7, 3, 8, 12, 13, 5, 10, 6, 19, 15, 24, 32, 25, 29, 26, 26, 39, 47, 36, 36, 45, 37,
    50, 62, 59, 67, 64, 64, 65, 73, 82, 86, 87, 99, 108, 108, 101, 109, 122, 118, 131, 135, 140,
    136, 153, 153, 166, 170, 175, 171, 192, 188, 197, 205, 218, 226, 235, 207, 208, 240, 257,
)  # fmt: skip
"""Minimal energies of binary sequences of 2, 3, … 66 bits, proven by exhaustive search.

Source: T. Packebusch, S. Mertens: Low autocorrelation binary sequences, J. Phys. A 49, 2016,
arXiv:1512.02475, table 1.
"""
_SHORTEST_SEQUENCE = 2  # number of bits that belongs to the first of these energies


def compute_best_merit_factor(n: int) -> float | None:
    """Return the maximal value of f18 for ``n`` >= 2 bits; None above 66 bits: it is unknown."""
    index = n - _SHORTEST_SEQUENCE
    return n * n / 2.0 / _MIN_ENERGIES[index] if index < len(_MIN_ENERGIES) else None


def find_independent_columns(n: int) -> Vector:
    """Return best bits of f22, shape ``(n,)``: both fields of the first, third, … column.

    Two neighbouring columns have at most two independent fields, because there is an edge between
    each field of one column and each field of the other. If ``n`` is odd, the function does not
    read the last bit.
    """
    half = n // 2
    best_bits = np.zeros(n)
    best_bits[np.arange(half)[::2]] = best_bits[half + np.arange(half)[::2]] = 1
    return best_bits


def place_queens(side: int) -> Vector:
    """Return best bits of f23: ``side`` queens on a board of ``side`` rows, shape ``(side**2,)``.

    The positions are those of E. Pauls, 1874: first the even columns, counted from 1, then the odd
    ones, with exceptions for some numbers of rows. Boards of 2 and 3 rows have room for one queen
    less.
    """
    even, odd = list(range(1, side, 2)), list(range(0, side, 2))
    if side % 6 == 2:
        odd = [2, 0, *odd[3:], 4]
    elif side % 6 == 3:
        even, odd = [*even[1:], 1], [*odd[2:], 0, 2]
    columns = even + odd  # column of the queen in each row, from 0
    if side <= 3:
        columns = {1: [0], 2: [0], 3: [0, 2]}[side]
    board = np.zeros((side, side))
    board[range(len(columns)), columns] = 1
    return board.ravel()


def find_best_traps(n: int) -> Vector:
    """Return best bits of f24, shape ``(n,)``: all ones if 5 divides ``n``.

    Otherwise the function has a further term, which counts the ones from position ``4 (n // 5)`` on
    and is maximal, 1, if there are exactly ``n % 5`` of them. Each one beyond lowers the term by
    more than a block of ones has more than a block of zeros, 0.2. In the best point, the blocks
    that overlap the term are therefore zeros. The first of them is an exception: it is ones if at
    most ``n % 5`` of its bits belong to the term. The last bits of the point are ones, as many as
    the term still needs.
    """
    n_blocks, remainder = divmod(n, 5)
    best_bits = np.ones(n)
    if remainder:
        start = 4 * n_blocks
        n_shared = -start % 5  # bits of the block in which the term begins that belong to the term
        first_zero = start // 5 * 5 if n_shared > remainder else start + n_shared
        best_bits[first_zero:] = 0
        n_last_ones = remainder - (n_shared if n_shared <= remainder else 0)
        best_bits[n - n_last_ones :] = 1
    return best_bits


def find_best_in_landscape(landscape: Landscape) -> Vector:
    """Return best bits of f25, shape ``(n,)``; they minimise the sum of the contributions.

    Each variable has one neighbour, so the graph consists of cycles with trees attached to them.
    The variables of trees are eliminated by dynamic programming, from the leaves to the cycles.
    Then each cycle is solved, once for each value of one of its variables. Finally the variables of
    trees get their values, from the cycles to the leaves.
    """
    neighbours, tables = landscape
    n = len(neighbours)
    # Minimal sum of the eliminated variables that are attached to a variable, for each of its
    # values.
    attached_cost = np.zeros((n, 2))
    # Best value of an eliminated variable, for each value of its neighbour.
    best_value = np.zeros((n, 2), dtype=np.int64)
    n_remaining = np.bincount(neighbours, minlength=n)  # variables with this neighbour
    eliminated = [i for i in range(n) if not n_remaining[i]]
    for i in eliminated:  # the list grows during the loop
        neighbour = neighbours[i]
        costs = _arrange_table(tables[i]) + attached_cost[i][:, np.newaxis]
        best_value[i] = costs.argmin(axis=0)
        attached_cost[neighbour] += costs.min(axis=0)
        n_remaining[neighbour] -= 1
        if not n_remaining[neighbour]:
            eliminated.append(neighbour)
    best_bits = np.full(n, -1)  # -1: not yet determined
    for i in range(n):
        if n_remaining[i] and best_bits[i] < 0:
            _solve_cycle(i, landscape, attached_cost, best_bits)
    for i in reversed(eliminated):
        best_bits[i] = best_value[i, best_bits[neighbours[i]]]
    return best_bits.astype(np.float64)


def _solve_cycle(
    start: int, landscape: Landscape, attached_cost: Vector, best_bits: Indices
) -> None:
    """Write the best values of the variables of one cycle to ``best_bits``.

    Args:
        start: A variable of the cycle.
        landscape: The landscape.
        attached_cost: Minimal sum of the eliminated variables that are attached to a variable, for
            each of its two values, shape ``(n, 2)``.
        best_bits: Values of all variables, shape ``(n,)``; those of the cycle are overwritten.
    """
    neighbours, tables = landscape
    cycle = [start]
    while neighbours[cycle[-1]] != start:
        cycle.append(int(neighbours[cycle[-1]]))
    minimum, best_path = math.inf, list[int]()
    for start_value in (0, 1):
        # Minimal cost of the variables up to the current one, for each value of the current one,
        # and the values of these variables.
        costs = np.where(np.arange(2) == start_value, attached_cost[start], np.inf)
        paths: list[list[int]] = [[0], [1]]
        for i, following in pairwise(cycle):
            step_costs = costs[:, np.newaxis] + _arrange_table(tables[i]) + attached_cost[following]
            paths = [[*paths[step_costs[:, value].argmin()], value] for value in (0, 1)]
            costs = step_costs.min(axis=0)
        costs = costs + _arrange_table(tables[cycle[-1]])[:, start_value]
        last_value = int(costs.argmin())
        if costs[last_value] < minimum:
            minimum, best_path = float(costs[last_value]), paths[last_value]
    best_bits[cycle] = best_path


def _arrange_table(table: Vector) -> Vector:
    """Return the contributions of a variable as a matrix, shape ``(2, 2)``.

    Rows are the values of the variable, and columns those of its neighbour.
    """
    return table.reshape(2, 2).T
