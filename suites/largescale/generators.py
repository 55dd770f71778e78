"""What largescale instances are drawn from besides bbob's generators: blocks and permutations."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..bbob.generators import fill_uniform, rotation, uniform
from ..compiled.compilation import machine_code
from ..compiled.operators import block_rows

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
