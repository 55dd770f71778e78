"""The random numbers that constraints are drawn from, as in COCO's implementation.

A lagged Fibonacci generator on 607 numbers in [0, 1]; an instance needs fewer than the 595 that it
gives before they are drawn anew.
"""

from __future__ import annotations

import math

_SLOTS, _FIRST = 607, 12


class Numbers:
    """A stream of random numbers.

    Args:
        seed: Any integer; its lowest 32 bits count.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed & 0xFFFFFFFF
        self._slot = 0
        for _ in range(_FIRST):
            self._advance()

    def _advance(self) -> float:
        number = self._seed / 0xFFFFFFFF
        mixed = 1812433253 * (self._seed ^ (self._seed >> 30))
        self._slot += 1
        self._seed = (mixed + self._slot) & 0xFFFFFFFF
        return number

    def uniform(self) -> float:
        """The next number, in [0, 1].

        Raises:
            ValueError: More numbers are asked for than the first filling of the slots.
        """
        if self._slot == _SLOTS:
            raise ValueError("an instance of bbob-constrained takes fewer than 596 random numbers")
        return self._advance()

    def gaussian(self) -> float:
        """A standard normal number of the next two (Box and Muller)."""
        radius = math.sqrt(-2 * math.log(self.uniform()))
        return radius * math.cos(2 * math.pi * self.uniform())
