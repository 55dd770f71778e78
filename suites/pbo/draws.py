"""How instances and fixed tables are drawn: IOHprofiler's generator for pseudo-Boolean problems.

It is not COCO's generator: here the index into the table comes from the seed, not from the last
number drawn. Integers are exact, so the numbers are the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]

_MODULUS = 2147483647
_XOR_INSTANCES = range(2, 51)
_ORDER_INSTANCES = range(51, 101)


def uniform(count: int, seed: int, low: float = 0.0, high: float = 1.0) -> list[float]:
    """So many numbers in ``(low, high)``, from one seed."""
    table = [0] * 32
    for i in range(39, -1, -1):
        seed = _step(seed)
        if i < 32:
            table[i] = seed
    numbers = []
    for _ in range(count):
        new = _step(seed)
        place = int(seed / 67108865.0)
        seed, table[place] = table[place], new
        numbers.append((seed / 2.147483647e9 or 1e-99) * (high - low) + low)
    return numbers


def _step(seed: int) -> int:
    """Lehmer's generator by Schrage's method; ``seed`` must not be negative."""
    rest, times = seed % 127773, seed // 127773
    new = 16807 * rest - 2836 * times
    return new + _MODULUS if new < 0 else new


@dataclass(frozen=True, slots=True)
class Instance:
    """What an instance does to the bits before a function, and to its value.

    Bit ``i`` of the function is ``x[order[i]] ^ flip[i]``; ``y = raw * scale + shift``.
    """

    order: Indices
    flip: Indices
    scale: float = 1.0
    shift: float = 0.0

    @classmethod
    def of(cls, dimension: int, number: int) -> Instance:
        """Instance 1 changes nothing; 2 to 50 flip bits, 51 to 100 reorder them, later neither.

        All but the first scale and shift values; scale and shift come from the same number drawn.
        """
        order, flip = np.arange(dimension), np.zeros(dimension, dtype=np.int64)
        if number == 1:
            return cls(order, flip)
        if number in _XOR_INSTANCES:
            drawn = np.array(uniform(dimension, number))
            flip = (2.0 * np.floor(1e4 * drawn) / 1e4).astype(np.int64)
        elif number in _ORDER_INSTANCES:
            for u in uniform(dimension, number):
                place = int(u * dimension)
                order[0], order[place] = order[place], order[0]
        (scale,), (shift,) = uniform(1, number, 0.2, 5.0), uniform(1, number, -1000.0, 1000.0)
        return cls(order, flip, scale, shift)

    def before(self, z: NDArray[np.float64]) -> NDArray[np.float64]:
        """The point ``x`` that the function sees as the bits ``z``, shape ``(n,)``."""
        x = np.empty(len(z))
        x[self.order] = np.abs(z - self.flip)
        return x


def dummy(dimension: int, rate: float) -> Indices:
    """The ``floor(dimension * rate)`` positions that matter, ascending; the same in all instances.

    The other variables are dummies.
    """
    count = int(dimension * rate)
    places = np.arange(dimension)
    for i, u in enumerate(uniform(count, 10000)):
        place = int(u * 1e4 / 1e4 * dimension)
        places[i], places[place] = places[place], places[i]
    return np.sort(places[:count])


def neighbours(dimension: int) -> tuple[Indices, NDArray[np.float64]]:
    """Of the NK landscape with K = 1: each neighbour, ``(n,)``, and each table, ``(n, 4)``.

    Tables are indexed by ``z_i + 2 z_neighbour``. A variable can be its own neighbour.
    """
    seeds = range(1, dimension + 1)
    places = [int(uniform(1, seed)[0] * dimension) for seed in seeds]
    return np.array(places), np.array([uniform(4, 2 * seed) for seed in seeds])
