"""Random numbers of instances and of fixed tables: IOHprofiler's generator for bits.

It differs from COCO's generator (see ``bbob/generators.py``): the slot of the table is chosen by
the current state instead of the last number drawn. Integers are exact, so that the numbers are the
same on all machines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats

Indices = NDArray[np.int64]

_MODULUS = 2147483647  # 2**31 - 1
_FLIPPING_INSTANCES = range(2, 51)
_REORDERING_INSTANCES = range(51, 101)


def draw_uniform(count: int, seed: int, low: float = 0.0, high: float = 1.0) -> list[float]:
    """Draw ``count`` uniform numbers in ``(low, high)``.

    Args:
        count: Number of numbers.
        seed: Not negative.
        low: Lower limit.
        high: Upper limit.

    Returns:
        The numbers.
    """
    state = seed
    slots = [0] * 32
    for i in range(39, -1, -1):
        state = _advance(state)
        if i < 32:
            slots[i] = state
    numbers = []
    for _ in range(count):
        next_state = _advance(state)
        slot = int(state / 67108865.0)  # maps 31 bits to 32 slots
        state, slots[slot] = slots[slot], next_state
        numbers.append((state / 2.147483647e9 or 1e-99) * (high - low) + low)
    return numbers


def _advance(state: int) -> int:
    """Return ``16807 * state`` modulo ``_MODULUS`` by Schrage's method; not for negative states."""
    quotient, remainder = divmod(state, 127773)
    new = 16807 * remainder - 2836 * quotient
    return new + _MODULUS if new < 0 else new


@dataclass(frozen=True, slots=True)
class Instance:
    """The changes that an instance makes to the bits and to the value of a function.

    Bit ``i`` of the function is ``x[order[i]] ^ flip[i]``; ``y = raw * scale + shift``.
    """

    order: Indices
    flip: Indices
    scale: float = 1.0
    shift: float = 0.0

    @classmethod
    def draw(cls, dimension: int, number: int) -> Instance:
        """Draw an instance: 1 changes nothing, 2 to 50 flip bits, 51 to 100 reorder bits.

        All instances except 1 scale and shift values, with scale and shift drawn from one seed.

        Args:
            dimension: Number of bits.
            number: Number of the instance, at least 1.

        Returns:
            The instance.
        """
        order, flip = np.arange(dimension), np.zeros(dimension, dtype=np.int64)
        if number == 1:
            return cls(order, flip)
        if number in _FLIPPING_INSTANCES:
            numbers = np.array(draw_uniform(dimension, number))
            flip = (2.0 * np.floor(1e4 * numbers) / 1e4).astype(np.int64)
        elif number in _REORDERING_INSTANCES:
            for u in draw_uniform(dimension, number):
                position = int(u * dimension)
                order[0], order[position] = order[position], order[0]
        (scale,) = draw_uniform(1, number, 0.2, 5.0)
        (shift,) = draw_uniform(1, number, -1000.0, 1000.0)
        return cls(order, flip, scale, shift)

    def to_point(self, bits: Floats) -> Floats:
        """Return the point ``x`` for which the function reads ``bits``, shape ``(n,)`` each."""
        x = np.empty(len(bits))
        x[self.order] = np.abs(bits - self.flip)
        return x


def draw_relevant_positions(dimension: int, share: float) -> Indices:
    """Draw the positions of the bits that are no dummies; the same in all instances.

    Args:
        dimension: Number of bits.
        share: Share of the bits that are no dummies.

    Returns:
        ``floor(dimension * share)`` positions, ascending.
    """
    count = int(dimension * share)
    positions = np.arange(dimension)
    for i, u in enumerate(draw_uniform(count, 10000)):
        j = int(u * 1e4 / 1e4 * dimension)  # not `u * dimension`: as in ioh, with its rounding
        positions[i], positions[j] = positions[j], positions[i]
    return np.sort(positions[:count])


class Landscape(NamedTuple):
    """An NK landscape with K = 1: each variable has one neighbour, possibly itself."""

    neighbours: Indices  # shape (n,)
    tables: Floats  # contributions, shape (n, 4), by ``bit + 2 * bit of neighbour``


def draw_landscape(dimension: int) -> Landscape:
    """Draw the landscape of f25, the same in all instances."""
    seeds = range(1, dimension + 1)
    neighbours = [int(draw_uniform(1, seed)[0] * dimension) for seed in seeds]
    tables = [draw_uniform(4, 2 * seed) for seed in seeds]
    return Landscape(np.array(neighbours), np.array(tables))
