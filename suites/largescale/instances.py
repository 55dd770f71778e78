"""The functions of bbob-largescale and their instances: optimum, and the rows of each kernel.

The seeds are bbob's. ``s.part("B1")`` and ``s.part("p2")`` name rotations and permutations as the
table in ``suites.largescale`` does. Blocks and permutations are drawn besides by `permutation` and
`block_rotation`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..bbob import generators, unimodal
from ..bbob import instances as bbob
from ..bbob.generators import fill_uniform, rotation, uniform
from ..bbob.instances import Function, Instance, Seeds, formula_of, rows
from ..compiled.compilation import machine_code
from ..compiled.formula import Formula
from ..compiled.operators import block_rows
from . import kernels

BLOCK = 40
"""Variables of a block; also the dimension up to which permutations change nothing."""


@njit(cache=True)
def _swap(order, places, seed):  # type: ignore[no-untyped-def]
    count = len(order)
    reach = count // 3
    number = np.empty(1)
    slots = np.empty(32, np.int64)
    for k in range(count):
        here = order[k]
        low, high = max(0, here - reach), min(count - 1, here + reach)
        fill_uniform(number, slots, seed + 1000 * (k + 1))
        there = low + int(number[0] * (high - low))
        if there >= here:
            there += 1
        places[here], places[there] = places[there], places[here]


def permutation(dimension: int, seed: int) -> NDArray[np.int64]:
    """A permutation that moves variables by about a third of the range, shape ``(dimension,)``.

    Every place, in a random order, swaps what it holds with a place at most a third of the
    dimension away. Up to ``BLOCK`` variables nothing is moved.
    """
    places = np.arange(dimension)
    if dimension > BLOCK:
        order = np.argsort(uniform(dimension, seed), kind="stable")
        machine_code(_swap, "int64[::1], int64[::1], int64")(order, places, seed)
    return places


@lru_cache(maxsize=2)
def block_rotation(dimension: int, seed: int) -> NDArray[np.float64]:
    """Rotations of ``BLOCK`` variables along a diagonal, as ``operators.block_rows`` has them.

    The last one may be smaller. Shape ``(min(BLOCK, dimension), dimension)``. Read-only; the last
    ones are kept, as an instance reads its rotations more than once.
    """
    sizes = [min(BLOCK, dimension - start) for start in range(0, dimension, BLOCK)]
    rows = block_rows([rotation(size, seed + 1000000 * k) for k, size in enumerate(sizes)])
    rows.flags.writeable = False
    return rows


Array = NDArray[np.float64]


def part(s: Seeds, name: str) -> Array:
    """``B1`` or ``B2``, the blocks; ``p2`` … ``p6``, the permutations."""
    if name[0] == "p":
        return permutation(s.dimension, s.seed + 1000000 * int(name[1])).astype(np.float64)
    return block_rotation(s.dimension, s.seed + (1000000 if name == "B1" else 0))


def _once(s: Seeds, before: str, blocks: str, after: str) -> Array:
    """Rows of an ``A``: see ``kernels``."""
    return rows(part(s, before), part(s, after), part(s, blocks))


def _twice(
    s: Seeds, first: Sequence[str], base: float, second: Sequence[str], power: float = 0.5
) -> Array:
    """Rows of an ``A2``: ``first`` and ``second`` are permutation, blocks, permutation.

    Between them, variables are scaled by ``base^(e_i / 2)``.
    """
    before, blocks, inner = (part(s, name) for name in first)
    outer, others, after = (part(s, name) for name in second)
    order = outer.astype(np.int64)
    scales = s.powers(math.pow(base, power))
    return rows(before, inner[order], after, scales[order], blocks, others)


def _front(s: Seeds, first: float, others: float) -> Array:
    """Weights: ``first`` of one axis in 40, the first ones; ``others`` of the rest."""
    weights = np.full(s.dimension, others)
    weights[: math.ceil(s.dimension / BLOCK)] = first
    return weights


def _attractive_sector(s: Seeds) -> Instance:
    chain = _twice(s, ("p2", "B2", "p3"), 10.0, ("p4", "B1", "p5"))
    return Instance(s.xopt, rows(s.xopt, chain))


def _step_ellipsoid(s: Seeds) -> Instance:
    scales = s.powers(math.sqrt(10))
    chains = (_once(s, "p2", "B2", "p3"), _once(s, "p4", "B1", "p5"))
    return Instance(s.xopt, rows(s.xopt, s.powers(100), scales, *chains))


def _rosenbrock(s: Seeds) -> Instance:
    optimum = 0.75 * s.xopt
    return Instance(optimum, rows(optimum, np.ones(s.dimension)))


def _rosenbrock_rotated(s: Seeds) -> Instance:
    optimum = 0.75 * s.xopt
    return Instance(optimum, rows(optimum, _once(s, "p2", "B2", "p3")))


def _ellipsoid(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, s.powers(1e6), _once(s, "p2", "B1", "p3")))


def _discus(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, _front(s, 1e6, 1.0), _once(s, "p2", "B1", "p3")))


def _bent_cigar(s: Seeds) -> Instance:
    xopt = generators.optimal_solution(s.dimension, s.seed + 1000000)
    weights = _front(s, 1.0, 1e6)
    return Instance(xopt, rows(xopt, weights, s.linear(0.5), _once(s, "p2", "B1", "p3")))


def _sharp_ridge(s: Seeds) -> Instance:
    chain = _twice(s, ("p5", "B2", "p6"), 10.0, ("p3", "B1", "p4"))
    return Instance(s.xopt, rows(s.xopt, chain))


def _different_powers(s: Seeds) -> Instance:
    return Instance(s.xopt, rows(s.xopt, 2 + s.linear(4), _once(s, "p2", "B1", "p3")))


def _rastrigin(s: Seeds) -> Instance:
    chain = _twice(s, ("p5", "B2", "p6"), 10.0, ("p3", "B1", "p4"))
    return Instance(s.xopt, rows(s.xopt, s.linear(0.2), _once(s, "p3", "B1", "p4"), chain))


def _weierstrass(s: Seeds) -> Instance:
    chain = _twice(s, ("p3", "B2", "p4"), 100.0, ("p5", "B1", "p6"), power=-0.5)
    return Instance(s.xopt, rows(s.xopt, _once(s, "p5", "B1", "p6"), chain))


def _schaffers(conditioning: float) -> Callable[[Seeds], Instance]:
    def instance(s: Seeds) -> Instance:
        scales = s.powers(math.sqrt(conditioning))
        chains = (_once(s, "p5", "B1", "p6"), _once(s, "p3", "B2", "p4"))
        return Instance(s.xopt, rows(s.xopt, s.linear(0.5), scales, *chains))

    return instance


def _griewank_rosenbrock(s: Seeds) -> Instance:
    optimum = np.empty(s.dimension)
    optimum[permutation(s.dimension, s.seed + 2000000)] = _column_sums(part(s, "B2")) / 2
    return Instance(optimum, _once(s, "p2", "B2", "p3"))


def _column_sums(blocks: Array) -> Array:
    """The sum of each column of each block, shape ``(dimension,)``."""
    size, dimension = blocks.shape
    parts = [blocks[:, start : start + size] for start in range(0, dimension, size)]
    return np.concatenate([part[: part.shape[1]].sum(axis=1) for part in parts])


def _gallagher(peaks: int, spread: float, first: float) -> Callable[[Seeds], Instance]:
    def instance(s: Seeds) -> Instance:
        arrays = bbob.gallagher_arrays(s, peaks, spread, first)
        blocks = part(s, "B2")
        size, dimension = blocks.shape
        rotated = np.empty((dimension, peaks))
        for start in range(0, dimension, size):
            here = slice(start, min(start + size, dimension))
            length = here.stop - start
            rotated[here] = blocks[:length, here].T @ arrays["peaks"][:, here].T
        return Instance(
            arrays["peaks"][0].copy(), rows(blocks, bbob.gallagher_rows(rotated, arrays)), arrays
        )

    return instance


def _katsuura(s: Seeds) -> Instance:
    chain = _twice(s, ("p3", "B2", "p4"), 100.0, ("p5", "B1", "p6"))
    return Instance(s.xopt, rows(s.xopt, chain))


def _lunacek(s: Seeds) -> Instance:
    sign = np.where(generators.gaussian(s.dimension, s.seed) < 0, -1.0, 1.0)
    chain = _twice(s, ("p3", "B2", "p4"), 100.0, ("p5", "B1", "p6"))
    return Instance(1.25 * sign, rows(sign, chain), {"signs": sign})


_ONCE_PARTS, _TWICE_PARTS = "B1 p2 p3", "B1 B2 p3 p4 p5 p6"
_CHANGED: dict[int, tuple[Callable[..., None], Callable[[Seeds], Instance], str]] = {
    4: (kernels.large_bueche_rastrigin, bbob.FUNCTIONS[4].instance, ""),
    6: (kernels.large_attractive_sector, _attractive_sector, "B1 B2 p2 p3 p4 p5"),
    7: (kernels.large_step_ellipsoid, _step_ellipsoid, "B1 B2 p2 p3 p4 p5"),
    8: (unimodal.rosenbrock, _rosenbrock, ""),
    9: (kernels.large_rosenbrock, _rosenbrock_rotated, "B2 p2 p3"),
    10: (kernels.large_oscillated_rotation, _ellipsoid, _ONCE_PARTS),
    11: (kernels.large_oscillated_rotation, _discus, _ONCE_PARTS),
    12: (kernels.large_bent_cigar, _bent_cigar, _ONCE_PARTS),
    13: (kernels.large_sharp_ridge, _sharp_ridge, _TWICE_PARTS),
    14: (kernels.large_different_powers, _different_powers, _ONCE_PARTS),
    15: (kernels.large_rastrigin, _rastrigin, _TWICE_PARTS),
    16: (kernels.large_weierstrass, _weierstrass, _TWICE_PARTS),
    17: (kernels.large_schaffers, _schaffers(10.0), _TWICE_PARTS),
    18: (kernels.large_schaffers, _schaffers(1000.0), _TWICE_PARTS),
    19: (kernels.large_griewank_rosenbrock, _griewank_rosenbrock, "B2 p2 p3"),
    21: (kernels.large_gallagher, _gallagher(101, 10.0, math.sqrt(1000.0)), "B2"),
    22: (kernels.large_gallagher, _gallagher(21, 9.8, 1000.0), "B2"),
    23: (kernels.large_katsuura, _katsuura, _TWICE_PARTS),
    24: (kernels.large_lunacek, _lunacek, _TWICE_PARTS),
}
"""Functions that differ from those of bbob: kernel, instance, and what defines one."""
_NOT_MULTIPLIED = (4, 6, 7, *range(16, 25))
"""Of the others values are multiplied by ``min(1, 40 / D)``; here the kernel does it, or nobody."""


def formula(function: int, dimension: int, instance: int) -> Formula:
    """One instance of one function."""
    definition = bbob.FUNCTIONS[function]
    if function in _CHANGED:
        definition = Function(definition.name, *_CHANGED[function], part)
    factor = 1.0 if function in _NOT_MULTIPLIED else min(1.0, 40.0 / dimension)
    return formula_of(definition, Seeds.of(function, dimension, instance), factor)
