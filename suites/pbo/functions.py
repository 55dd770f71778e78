"""The 25 functions of the suite pbo: their formulas with data, best bits and mean values.

The values are *raw* values: IOHprofiler maximises them, and no instance scales them. ``kernels``
has the formulas, and ``optima`` computes the best bits of functions that are not maximal at all
ones. A function reads the bits that an ``Instance`` makes of a point ``x``.

In this module ``n`` is the number of bits of a point. Builders (`_build_…`) take ``n`` and return
the function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from ..points import Vector
from . import kernels
from .draws import Indices, draw_landscape, draw_relevant_positions
from .optima import (
    compute_best_merit_factor,
    find_best_in_landscape,
    find_best_traps,
    find_independent_columns,
    place_queens,
)

_NO_INTEGERS: Indices = np.empty(0, dtype=np.int64)
_NO_NUMBERS: Vector = np.empty(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """One function in one dimension ``n``.

    The meaning of ``integers`` and ``numbers`` depends on the formula: for example pairs of
    positions, or a table of values by the count of ones. The builder of each function states it.
    """

    formula: int  # one of the formulas of ``kernels``
    best_bits: Vector | None  # bits at which the value is maximal, shape (n,); None: unknown
    mean: float  # expected value of uniformly random bits; of f18 an approximation
    positions: Indices  # positions in ``x`` of the bits that the formula reads, in this order
    integers: Indices = field(default_factory=_NO_INTEGERS.copy)  # integer data of the formula
    numbers: Vector = field(default_factory=_NO_NUMBERS.copy)  # real data of the formula
    largest_value: float | None = None  # the maximal value, if it is known without the best bits


@lru_cache(maxsize=64)
def get_function(number: int, dimension: int) -> Function:
    """Return one of the functions in one dimension.

    Args:
        number: Number of the function, 1 to 25.
        dimension: Number of bits, one that the function takes, see ``suites.pbo.refusal``.

    Returns:
        The function. It is cached, so its arrays must not be changed.
    """
    return _BUILDERS[number](dimension)


# Tables of values for functions that count ones or leading ones among ``length`` bits. A table has
# shape ``(length + 1,)``: the value of each count from 0 to ``length``. "The best" is the count
# ``length``.


def _tabulate_identity(length: int) -> Vector:
    """Return a table in which the value is the count itself."""
    return np.arange(length + 1.0)


def _tabulate_ruggedness_1(length: int) -> Vector:
    """Return a table in which pairs of neighbouring counts have equal values, except the best."""
    counts = np.arange(length + 1)
    steps = (counts + length % 2) // 2 + 1
    steps[length] = (length + 1) // 2 + 1
    return steps.astype(np.float64)


def _tabulate_ruggedness_2(length: int) -> Vector:
    """Return a table in which the values of neighbouring counts are swapped, except the best."""
    counts = np.arange(length + 1)
    swapped = np.where(counts % 2 == length % 2, counts + 1, np.maximum(counts - 1, 0))
    swapped[length] = length
    return swapped.astype(np.float64)


def _tabulate_ruggedness_3(length: int) -> Vector:
    """Return a table in which blocks of five values below the best are reversed."""
    values = np.empty(length + 1)
    for start in range(length - 5, -1, -5):
        values[start : start + 5] = start + np.arange(4, -1, -1)
    remainder = length % 5
    values[:remainder] = np.arange(remainder - 1, -1, -1)
    values[length] = length
    return values


class _Layer(NamedTuple):
    """A layer of the W-model (Weise and Wu 2018): changes before and after the count of bits."""

    reduction: int = 0  # `kernels.MAJORITIES` or `kernels.PARITIES`; 0: no reduction
    relevant_share: float = 1.0  # share of the bits that the function reads; it skips the others
    build_table: Callable[[int], Vector] = _tabulate_identity  # takes the number of bits


_NO_LAYER = _Layer()
_LAYERS = (
    _Layer(relevant_share=0.5),
    _Layer(relevant_share=0.9),
    _Layer(reduction=kernels.MAJORITIES),
    _Layer(reduction=kernels.PARITIES),
    _Layer(build_table=_tabulate_ruggedness_1),
    _Layer(build_table=_tabulate_ruggedness_2),
    _Layer(build_table=_tabulate_ruggedness_3),
)
"""Layers of f4 to f10, which count ones. The layers of f11 to f17, which count leading ones, are
the same."""


def _build_counted(n: int, counted: int, layer: _Layer = _NO_LAYER) -> Function:
    """Build a function that looks up a count of bits in a table, ``numbers``.

    Args:
        n: Number of bits.
        counted: `kernels.COUNTED_ONES` or `kernels.LEADING_ONES`.
        layer: Changes of the bits and of the table.
    """
    if layer.relevant_share == 1:
        positions = np.arange(n)
    else:
        positions = draw_relevant_positions(n, layer.relevant_share)
    length = len(positions) // 3 if layer.reduction == kernels.MAJORITIES else len(positions)
    values = layer.build_table(length)
    if counted == kernels.LEADING_ONES:
        probabilities = np.array([0.5 ** (k + 1) for k in range(length)] + [0.5**length])
    else:
        probabilities = _compute_binomial_probabilities(length)
    best_bits = np.ones(n)
    if layer.reduction == kernels.PARITIES:  # the bits 1000 have the parities 1111
        best_bits[np.arange(n) % 4 > 0] = 0
    return Function(
        formula=counted + layer.reduction,  # ``kernels`` numbers combined formulas by this sum
        best_bits=best_bits,
        mean=math.fsum(values * probabilities),
        positions=positions,
        numbers=values,
    )


def _compute_binomial_probabilities(length: int) -> Vector:
    """Return the probabilities of 0 to ``length`` ones among ``length`` uniformly random bits."""
    logarithms = [
        math.lgamma(length + 1) - math.lgamma(k + 1) - math.lgamma(length - k + 1)
        for k in range(length + 1)
    ]
    chances = np.exp(np.array(logarithms) - length * math.log(2))
    return np.asarray(chances / chances.sum())


# Other functions, in the order of their numbers.


def _build_linear(n: int) -> Function:
    """Build f3: the sum of the bits, weighted by ``numbers``."""
    return Function(
        formula=kernels.WEIGHTED,
        best_bits=np.ones(n),
        mean=n * (n + 1) / 4,
        positions=np.arange(n),
        numbers=np.arange(1.0, n + 1),
    )


def _build_low_autocorrelation(n: int) -> Function:
    """Build f18: the merit factor ``n^2 / (2 E)`` of a sequence with the energy ``E``.

    There is no formula for the expected merit factor of random bits. ``mean`` is instead the merit
    factor of the expected energy, ``n (n - 1) / 2``.
    """
    return Function(
        formula=kernels.AUTOCORRELATION,
        best_bits=None,
        mean=n / (n - 1),
        positions=np.arange(n),
        largest_value=compute_best_merit_factor(n),
    )


def _build_ising(n: int, pairs: Indices) -> Function:
    """Build a function that counts the pairs of bits that are equal.

    Args:
        n: Number of bits.
        pairs: Positions of the bits of each pair, shape ``(k, 2)``; flat in ``integers``. A pair
            may consist of one position twice.
    """
    n_pairs_of_two = int((pairs[:, 0] != pairs[:, 1]).sum())
    return Function(
        formula=kernels.AGREEING_PAIRS,
        best_bits=np.ones(n),
        mean=len(pairs) - n_pairs_of_two / 2,
        positions=np.arange(n),
        integers=pairs.ravel(),
    )


def _build_ring(n: int) -> Function:
    """Build f19: pairs of neighbours on a ring."""
    i = np.arange(n)
    return _build_ising(n, np.column_stack([i, np.roll(i, 1)]))


def _build_lattice(n: int, *steps: tuple[int, int]) -> Function:
    """Build f20 or f21: pairs of fields of a torus of ``sqrt(n)`` rows and columns.

    Args:
        n: Number of bits, one for each field.
        steps: Steps in rows and columns from each field to those with which it forms pairs.
    """
    fields = np.arange(n).reshape(math.isqrt(n), -1)
    pairs = [
        np.column_stack([fields.ravel(), np.roll(fields, step, (0, 1)).ravel()]) for step in steps
    ]
    return _build_ising(n, np.concatenate(pairs))


def _build_independent_set(n: int) -> Function:
    """Build f22: the largest independent set of a graph of two rows of fields.

    Each field has edges to both fields of each neighbouring column. The two fields of a column have
    no edge. ``integers`` are the edges. If ``n`` is odd, the last bit is not read.
    """
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
    return Function(
        formula=kernels.INDEPENDENT,
        best_bits=find_independent_columns(n),
        mean=count / 2 - count * len(edges) / 4,
        positions=np.arange(count),
        integers=edges.ravel(),
    )


class _Line(NamedTuple):
    """A row, column or diagonal of a board, whose fields are numbered row by row."""

    first_field: int
    step: int  # difference between the numbers of neighbouring fields of the line
    length: int  # number of fields, at least two


def _build_queens(n: int) -> Function:
    """Build f23: queens on a board of ``sqrt(n)`` rows and columns.

    The value is the number of queens minus a penalty for each queen of a line beyond the first one.
    ``integers`` are the lines, and the one number is the penalty, ``sqrt(n)``.
    """
    side = math.isqrt(n)
    lines = [_Line(side * i, 1, side) for i in range(side)]
    lines += [_Line(i, side, side) for i in range(side)]
    for i in range(side - 1):
        length = side - i
        # The diagonals of this length above and, except for the longest ones, below the middle.
        lines += [_Line(i, side + 1, length), _Line(side - 1 - i, side - 1, length)]
        if i:
            lines += [
                _Line(side * i, side + 1, length),
                _Line(side * i + side - 1, side - 1, length),
            ]
    # Expected number of queens of a line beyond the first one, if a bit is 1 with probability 1/2.
    mean_excess = math.fsum(line.length / 2 - 1 + 0.5**line.length for line in lines)
    return Function(
        formula=kernels.QUEENS,
        best_bits=place_queens(side),
        mean=n / 2 - side * mean_excess,
        positions=np.arange(n),
        integers=np.array(lines, dtype=np.int64).ravel(),
        numbers=np.array([float(side)]),
    )


def _build_traps(n: int) -> Function:
    """Build f24: blocks of five bits and, if 5 does not divide ``n``, a further term.

    The further term reads the bits from ``4 (n // 5)`` on, so it overlaps some of the blocks.
    ``numbers`` are the values of a block by its count of ones, 0 to 5, followed by those of the
    further term. The one integer is the position of the first bit of this term.
    """
    n_blocks, remainder = divmod(n, 5)
    start = 4 * n_blocks
    values = np.array([(4 - u) / 5 for u in range(5)] + [1.0])
    mean = n_blocks * float(values @ _compute_binomial_probabilities(5))
    if remainder:
        last_values = np.array(
            [
                1.0 if ones == remainder else (remainder - 1 - ones) / remainder
                for ones in range(n - start + 1)
            ]
        )
        mean += float(last_values @ _compute_binomial_probabilities(n - start))
        values = np.concatenate([values, last_values])
    return Function(
        formula=kernels.TRAPS,
        best_bits=find_best_traps(n),
        mean=mean,
        positions=np.arange(n),
        integers=np.array([start]),
        numbers=values,
    )


def _build_landscape(n: int) -> Function:
    """Build f25, an NK landscape: minus the mean of the contributions of all variables.

    ``integers`` are the neighbours of the variables, and ``numbers`` their tables; see `Landscape`.
    """
    landscape = draw_landscape(n)
    neighbours, tables = landscape
    # A variable that is its own neighbour reads only the values of two equal bits.
    is_alone = neighbours == np.arange(n)
    means = np.where(is_alone, tables[:, [0, 3]].mean(axis=1), tables.mean(axis=1))
    return Function(
        formula=kernels.NEIGHBOURS,
        best_bits=find_best_in_landscape(landscape),
        mean=-float(means.mean()),
        positions=np.arange(n),
        integers=neighbours,
        numbers=tables.ravel(),
    )


_BUILDERS: dict[int, Callable[[int], Function]] = {
    1: partial(_build_counted, counted=kernels.COUNTED_ONES),
    2: partial(_build_counted, counted=kernels.LEADING_ONES),
    3: _build_linear,
    **{
        number: partial(_build_counted, counted=kernels.COUNTED_ONES, layer=layer)
        for number, layer in enumerate(_LAYERS, start=4)
    },
    **{
        number: partial(_build_counted, counted=kernels.LEADING_ONES, layer=layer)
        for number, layer in enumerate(_LAYERS, start=11)
    },
    18: _build_low_autocorrelation,
    19: _build_ring,
    20: lambda n: _build_lattice(n, (1, 0), (0, 1)),
    21: lambda n: _build_lattice(n, (1, 0), (0, 1), (1, 1)),
    22: _build_independent_set,
    23: _build_queens,
    24: _build_traps,
    25: _build_landscape,
}
"""Builder of each function, by its number."""
