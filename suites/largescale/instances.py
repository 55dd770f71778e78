"""The instances of bbob-largescale: optima, and the constants that the kernels read.

Seeds are those of bbob, and functions that do not occur in `_DIFFERENT_FUNCTIONS` have bbob's
kernels and instances. Rotations and permutations are named as in the table of
``suites.largescale``; `draw_array` draws one by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..arrays import Floats
from ..bbob import generators, unimodal
from ..bbob import instances as bbob
from ..bbob.generators import draw_rotation, draw_uniform, fill_uniform
from ..bbob.instances import Function, Instance, Seeds, build_formula, stack_rows
from ..compiled.compilation import machine_code
from ..compiled.formula import Formula
from ..compiled.kernel import Kernel
from ..compiled.operators import block_rows
from . import kernels
from .kernels import BLOCK_VARIABLES

# Functions whose values are not multiplied by ``min(1, 40 / D)`` here: the kernels of f4, f6, f7
# and f24 multiply, and the others are not multiplied in COCO.
_WITHOUT_FACTOR = (4, 6, 7, *range(16, 25))


def draw_formula(function: int, dimension: int, instance: int) -> Formula:
    """Draw one instance of one function of bbob-largescale.

    Args:
        function: Number of the function, 1 to 24.
        dimension: Number of variables.
        instance: Number of the instance.

    Returns:
        The formula of the instance, with its optimal value.
    """
    definition = bbob.FUNCTIONS[function]
    if function in _DIFFERENT_FUNCTIONS:
        definition = Function(definition.name, *_DIFFERENT_FUNCTIONS[function], draw_array)
    factor = 1.0 if function in _WITHOUT_FACTOR else min(1.0, BLOCK_VARIABLES / dimension)
    return build_formula(definition, Seeds.from_instance(function, dimension, instance), factor)


def draw_array(seeds: Seeds, name: str) -> Floats:
    """Draw a rotation or a permutation of an instance.

    Args:
        seeds: Seeds of the instance.
        name: ``"B1"`` or ``"B2"`` for the blocks of a rotation, ``"p2"`` to ``"p6"`` for a
            permutation.

    Returns:
        Blocks as `draw_block_rotation` returns them, or a permutation as floats, shape
        ``(dimension,)``.
    """
    if name[0] == "p":
        seed = seeds.seed + 1000000 * int(name[1])
        return draw_permutation(seeds.dimension, seed).astype(np.float64)
    seed = seeds.seed + (1000000 if name == "B1" else 0)
    return draw_block_rotation(seeds.dimension, seed)


@lru_cache(maxsize=2)  # an instance uses its rotations more than once
def draw_block_rotation(dimension: int, seed: int) -> Floats:
    """Draw rotations along a diagonal, of `BLOCK_VARIABLES` variables; the last may be smaller.

    Returns:
        Read-only rows as made by ``operators.block_rows``, shape
        ``(min(BLOCK_VARIABLES, dimension), dimension)``.
    """
    starts = range(0, dimension, BLOCK_VARIABLES)
    sizes = [min(BLOCK_VARIABLES, dimension - start) for start in starts]
    rows = block_rows([draw_rotation(size, seed + 1000000 * k) for k, size in enumerate(sizes)])
    rows.flags.writeable = False
    return rows


def draw_permutation(dimension: int, seed: int) -> NDArray[np.int64]:
    """Draw a permutation of ``range(dimension)`` that moves variables over a limited distance.

    Each position, in a random order, swaps its content with that of a random position at a distance
    of at most a third of the dimension. Up to `BLOCK_VARIABLES` variables it is the identity.
    """
    permutation = np.arange(dimension)
    if dimension > BLOCK_VARIABLES:
        visiting_order = np.argsort(draw_uniform(dimension, seed), kind="stable")
        machine_code(_swap_in_place, "int64[::1], int64[::1], int64")(
            permutation, visiting_order, seed
        )
    return permutation


@njit(cache=True)
def _swap_in_place(permutation, visiting_order, seed):  # type: ignore[no-untyped-def]
    """Swap the content of each position with that of a random other position nearby."""
    count = len(visiting_order)
    reach = count // 3
    number = np.empty(1)
    slots = np.empty(32, np.int64)
    for k in range(count):
        position = visiting_order[k]
        low, high = max(0, position - reach), min(count - 1, position + reach)
        fill_uniform(number, slots, seed + 1000 * (k + 1))
        partner = low + int(number[0] * (high - low))
        if partner >= position:
            partner += 1
        permutation[position], permutation[partner] = permutation[partner], permutation[position]


class _Rotation(NamedTuple):
    """Names of the arrays of a rotation ``A`` (see ``kernels``), in the order of application."""

    first_permutation: str
    blocks: str
    last_permutation: str


def _stack_rotation(seeds: Seeds, rotation: _Rotation) -> Floats:
    """Return the rows of a matrix ``A``, see ``kernels``."""
    names = (rotation.first_permutation, rotation.last_permutation, rotation.blocks)
    return stack_rows(*(draw_array(seeds, name) for name in names))


def _stack_two_rotations(
    seeds: Seeds, first: _Rotation, second: _Rotation, base: float, power: float = 0.5
) -> Floats:
    """Return the rows of a matrix ``A2``, see ``kernels``.

    Between the rotations, variable ``i`` is multiplied by ``base^(power e_i)``. The permutations
    before and after this multiplication are composed to one, which the rows contain.
    """
    first_permutation, first_blocks, inner = (draw_array(seeds, name) for name in first)
    outer, second_blocks, last_permutation = (draw_array(seeds, name) for name in second)
    outer_indices = outer.astype(np.int64)
    scales = seeds.powers(math.pow(base, power))
    return stack_rows(
        first_permutation,
        inner[outer_indices],
        last_permutation,
        scales[outer_indices],
        first_blocks,
        second_blocks,
    )


# Functions that draw instances. The rows are documented at the kernels.


def _draw_attractive_sector(seeds: Seeds) -> Instance:
    first, second = _Rotation("p2", "B2", "p3"), _Rotation("p4", "B1", "p5")
    matrix = _stack_two_rotations(seeds, first, second, 10.0)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, matrix))


def _draw_step_ellipsoid(seeds: Seeds) -> Instance:
    scales = seeds.powers(math.sqrt(10))
    first = _stack_rotation(seeds, _Rotation("p2", "B2", "p3"))
    second = _stack_rotation(seeds, _Rotation("p4", "B1", "p5"))
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.powers(100), scales, first, second))


def _draw_rosenbrock(seeds: Seeds) -> Instance:
    optimum = 0.75 * seeds.xopt
    return Instance(optimum, stack_rows(optimum, np.ones(seeds.dimension)))


def _draw_rosenbrock_rotated(seeds: Seeds) -> Instance:
    optimum = 0.75 * seeds.xopt
    matrix = _stack_rotation(seeds, _Rotation("p2", "B2", "p3"))
    return Instance(optimum, stack_rows(optimum, matrix))


def _draw_ellipsoid(seeds: Seeds) -> Instance:
    matrix = _stack_rotation(seeds, _Rotation("p2", "B1", "p3"))
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.powers(1e6), matrix))


def _draw_discus(seeds: Seeds) -> Instance:
    weights = _make_weights(seeds.dimension, 1e6, 1.0)
    matrix = _stack_rotation(seeds, _Rotation("p2", "B1", "p3"))
    return Instance(seeds.xopt, stack_rows(seeds.xopt, weights, matrix))


def _draw_bent_cigar(seeds: Seeds) -> Instance:
    xopt = generators.draw_optimal_solution(seeds.dimension, seeds.seed + 1000000)
    weights = _make_weights(seeds.dimension, 1.0, 1e6)
    matrix = _stack_rotation(seeds, _Rotation("p2", "B1", "p3"))
    return Instance(xopt, stack_rows(xopt, weights, seeds.multiples(0.5), matrix))


def _make_weights(dimension: int, first: float, others: float) -> Floats:
    """Return weights: ``first`` for the first ceil(dimension / 40) variables, else ``others``."""
    weights = np.full(dimension, others)
    weights[: math.ceil(dimension / BLOCK_VARIABLES)] = first
    return weights


def _draw_sharp_ridge(seeds: Seeds) -> Instance:
    first, second = _Rotation("p5", "B2", "p6"), _Rotation("p3", "B1", "p4")
    matrix = _stack_two_rotations(seeds, first, second, 10.0)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, matrix))


def _draw_different_powers(seeds: Seeds) -> Instance:
    matrix = _stack_rotation(seeds, _Rotation("p2", "B1", "p3"))
    return Instance(seeds.xopt, stack_rows(seeds.xopt, 2 + seeds.multiples(4), matrix))


def _draw_rastrigin(seeds: Seeds) -> Instance:
    inner_rotation = _Rotation("p3", "B1", "p4")
    inner = _stack_rotation(seeds, inner_rotation)
    outer = _stack_two_rotations(seeds, _Rotation("p5", "B2", "p6"), inner_rotation, 10.0)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, seeds.multiples(0.2), inner, outer))


def _draw_weierstrass(seeds: Seeds) -> Instance:
    inner_rotation = _Rotation("p5", "B1", "p6")
    inner = _stack_rotation(seeds, inner_rotation)
    first = _Rotation("p3", "B2", "p4")
    outer = _stack_two_rotations(seeds, first, inner_rotation, 100.0, power=-0.5)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, inner, outer))


def _draw_schaffers(seeds: Seeds, conditioning: float) -> Instance:
    scales = seeds.powers(math.sqrt(conditioning))
    first = _stack_rotation(seeds, _Rotation("p5", "B1", "p6"))
    second = _stack_rotation(seeds, _Rotation("p3", "B2", "p4"))
    rows = stack_rows(seeds.xopt, seeds.multiples(0.5), scales, first, second)
    return Instance(seeds.xopt, rows)


def _draw_griewank_rosenbrock(seeds: Seeds) -> Instance:
    """Draw an instance of f19, whose optimum is where ``A x`` is 1/2."""
    optimum = np.empty(seeds.dimension)
    order = draw_permutation(seeds.dimension, seeds.seed + 2000000)
    optimum[order] = _sum_columns(draw_array(seeds, "B2")) / 2
    return Instance(optimum, _stack_rotation(seeds, _Rotation("p2", "B2", "p3")))


def _sum_columns(rows: Floats) -> Floats:
    """Return the sum of each column of each block, shape ``(dimension,)``."""
    size, dimension = rows.shape
    parts = [rows[:, start : start + size] for start in range(0, dimension, size)]
    return np.concatenate([part[: part.shape[1]].sum(axis=1) for part in parts])


def _draw_gallagher(seeds: Seeds, n_peaks: int, width: float, best_conditioning: float) -> Instance:
    arrays = bbob.draw_peaks(seeds, n_peaks, width, best_conditioning)
    rows = draw_array(seeds, "B2")
    size, dimension = rows.shape
    rotated_positions = np.empty((dimension, n_peaks))
    for start in range(0, dimension, size):
        variables = slice(start, min(start + size, dimension))
        length = variables.stop - start
        block = rows[:length, variables].T
        rotated_positions[variables] = block @ arrays["peaks"][:, variables].T
    peak_rows = bbob.pack_peaks(rotated_positions, arrays)
    return Instance(arrays["peaks"][0].copy(), stack_rows(rows, peak_rows), arrays)


def _draw_katsuura(seeds: Seeds) -> Instance:
    first, second = _Rotation("p3", "B2", "p4"), _Rotation("p5", "B1", "p6")
    matrix = _stack_two_rotations(seeds, first, second, 100.0)
    return Instance(seeds.xopt, stack_rows(seeds.xopt, matrix))


def _draw_lunacek(seeds: Seeds) -> Instance:
    signs = np.where(generators.draw_normal(seeds.dimension, seeds.seed) < 0, -1.0, 1.0)
    first, second = _Rotation("p3", "B2", "p4"), _Rotation("p5", "B1", "p6")
    matrix = _stack_two_rotations(seeds, first, second, 100.0)
    return Instance(1.25 * signs, stack_rows(signs, matrix), {"signs": signs})


class _Definition(NamedTuple):
    """The differences of a function of bbob-largescale from the function of bbob."""

    kernel: Kernel
    draw_instance: Callable[[Seeds], Instance]
    array_names: tuple[str, ...] = ()


_ARRAYS_OF_ONE = ("B1", "p2", "p3")
_ARRAYS_OF_TWO = ("B1", "B2", "p3", "p4", "p5", "p6")
_DIFFERENT_FUNCTIONS = {
    4: _Definition(kernels.large_bueche_rastrigin, bbob.FUNCTIONS[4].draw_instance),
    6: _Definition(
        kernels.large_attractive_sector,
        _draw_attractive_sector,
        ("B1", "B2", "p2", "p3", "p4", "p5"),
    ),
    7: _Definition(
        kernels.large_step_ellipsoid, _draw_step_ellipsoid, ("B1", "B2", "p2", "p3", "p4", "p5")
    ),
    8: _Definition(unimodal.rosenbrock, _draw_rosenbrock),
    9: _Definition(kernels.large_rosenbrock, _draw_rosenbrock_rotated, ("B2", "p2", "p3")),
    10: _Definition(kernels.large_oscillated_rotation, _draw_ellipsoid, _ARRAYS_OF_ONE),
    11: _Definition(kernels.large_oscillated_rotation, _draw_discus, _ARRAYS_OF_ONE),
    12: _Definition(kernels.large_bent_cigar, _draw_bent_cigar, _ARRAYS_OF_ONE),
    13: _Definition(kernels.large_sharp_ridge, _draw_sharp_ridge, _ARRAYS_OF_TWO),
    14: _Definition(kernels.large_different_powers, _draw_different_powers, _ARRAYS_OF_ONE),
    15: _Definition(kernels.large_rastrigin, _draw_rastrigin, _ARRAYS_OF_TWO),
    16: _Definition(kernels.large_weierstrass, _draw_weierstrass, _ARRAYS_OF_TWO),
    17: _Definition(
        kernels.large_schaffers, partial(_draw_schaffers, conditioning=10.0), _ARRAYS_OF_TWO
    ),
    18: _Definition(
        kernels.large_schaffers, partial(_draw_schaffers, conditioning=1000.0), _ARRAYS_OF_TWO
    ),
    19: _Definition(
        kernels.large_griewank_rosenbrock, _draw_griewank_rosenbrock, ("B2", "p2", "p3")
    ),
    21: _Definition(
        kernels.large_gallagher,
        partial(_draw_gallagher, n_peaks=101, width=10.0, best_conditioning=math.sqrt(1000.0)),
        ("B2",),
    ),
    22: _Definition(
        kernels.large_gallagher,
        partial(_draw_gallagher, n_peaks=21, width=9.8, best_conditioning=1000.0),
        ("B2",),
    ),
    23: _Definition(kernels.large_katsuura, _draw_katsuura, _ARRAYS_OF_TWO),
    24: _Definition(kernels.large_lunacek, _draw_lunacek, _ARRAYS_OF_TWO),
}
