"""Numbers as COCO prints them, ``17`` and ``+1.234567890e-03``, read at many places at once.

A text is taken as words of eight bytes, whose digits become a number by three products, so no
object is made for any line or number. What is read is the float64 that Python reads, bit by bit;
what has another form is not read, and that is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Places = NDArray[np.int64]
Words = NDArray[np.uint64]
Mask = NDArray[np.bool_]

_NONE = int.from_bytes(b"0 ", "little")
_EACH = 0x0101010101010101
_POWERS = np.array([10**k for k in range(23)], dtype=np.float64)
"""The powers of ten that float64 holds exactly: a product or quotient with one rounds once."""
_EXACT = len(_POWERS) - 1
_WIDTH = len("+1.234567890e-03")
_DECIMALS = 9


class Numbers(NamedTuple):
    """What was read at some places, all of the same shape.

    Attributes:
        values: The numbers; anything where there is none.
        ends: Where the byte behind each stands.
        found: Where there is a number of the form expected.
    """

    values: Array
    ends: Places
    found: Mask


class DigitReader:
    """Reads numbers of a text.

    Args:
        parts: Its bytes, one part after the other.

    Attributes:
        characters: Its bytes as numbers.
    """

    def __init__(self, parts: Sequence[bytes]) -> None:
        size = sum(map(len, parts))
        self._text = b"".join([*parts, b"\0" * (16 - size % 8)])  # the last word is empty
        self._words: Words = np.frombuffer(self._text, "<u8")
        self.characters: NDArray[np.uint8] = np.frombuffer(self._text, np.uint8)[:size]

    def counts(self, places: Places) -> Numbers:
        """Integers of 1 to 15 digits, each with a space behind it, that begin at ``places``."""
        values, ends, found = self._short_counts(places)
        long = np.flatnonzero(~found)
        found &= ends > places
        if len(long):
            first, are_digits = _eight_digits(self._word(places[long]))
            rest = self._short_counts(places[long] + 8)
            size = np.minimum(rest.ends - places[long] - 8, 8)
            values[long] = first * _POWERS[size] + rest.values
            ends[long] = rest.ends
            found[long] = are_digits & rest.found
        return Numbers(values, ends, found)

    def decimals(self, places: Places) -> Numbers:
        """Numbers ``+1.234567890e-03`` at ``places``, each with a space or line end behind it."""
        head, tail = self._word(places), self._word(places + 8)
        eight, found = _eight_digits(np.asarray(head >> 32 | tail << 32))
        ones, tenths, tens_of_power, ones_of_power = (
            word - ord("0") for word in (_byte(head, 1), _byte(head, 3), _byte(tail, 6), tail >> 56)
        )
        for digit in (ones, tenths, tens_of_power, ones_of_power):
            found &= digit < 10
        sign, power_sign = _byte(head, 0), _byte(tail, 5)
        is_below, is_small = sign == ord("-"), power_sign == ord("-")
        found &= (is_below | (sign == ord("+"))) & (is_small | (power_sign == ord("+")))
        found &= (_byte(head, 2) == ord(".")) & (_byte(tail, 4) == ord("e"))
        ends = places + _WIDTH
        behind = _byte(self._word(ends), 0)
        found &= (behind == ord(" ")) | (behind == ord("\n"))
        power = (tens_of_power * 10 + ones_of_power).astype(np.int64)
        power = np.where(is_small, -power, power) - _DECIMALS
        near = np.clip(power, -_EXACT, _EXACT)
        mantissa = (ones * 10**9 + tenths * 10**8).astype(np.float64) + eight
        values = mantissa * _POWERS[np.maximum(near, 0)] / _POWERS[np.maximum(-near, 0)]
        values = np.where(is_below, -values, values)
        for i in np.flatnonzero(found & (near != power)).tolist():
            values[i] = float(self._text[places[i] : ends[i]])
        return Numbers(values, ends, found)

    def _short_counts(self, places: Places) -> Numbers:
        """Likewise of 0 to 7 digits; no digits are 0. Mostly no constraint is evaluated at all."""
        word = self._word(places)
        if (word & 0xFFFF == _NONE).all():
            return Numbers(np.zeros(len(places)), places + 1, np.ones(len(places), dtype=bool))
        others = word ^ ord(" ") * _EACH
        spaces = (others - _EACH) & ~others & 0x80 * _EACH
        first = spaces & (~spaces + 1)
        bits = np.bitwise_count(first - 1).astype(np.uint64) & 0x78
        # as many zeros in front as make eight digits; a shift by 64 leaves nothing
        values, found = _eight_digits(word << (64 - bits) | ord("0") * _EACH >> bits)
        return Numbers(values, places + (bits >> 3).view(np.int64), found & (bits < 64))

    def _word(self, places: Places) -> Words:
        """The eight bytes from each place on, the first the lowest; zeros beyond the end."""
        index, shift = places >> 3, (places & 7).view(np.uint64) << 3
        low = self._words.take(index, mode="clip")
        high = self._words.take(index + 1, mode="clip")
        return np.asarray(low >> shift | high << (64 - shift))


def _byte(word: Words, number: int) -> Words:
    return np.asarray(word >> 8 * number & 0xFF)


def _eight_digits(word: Words) -> tuple[Array, Mask]:
    """The number that eight bytes spell, and whether all are digits."""
    high = word & 0xF0 * _EACH
    are_digits = (high | (word + 0x06 * _EACH & 0xF0 * _EACH) >> 4) == 0x33 * _EACH
    pairs = (word & 0x0F * _EACH) * (1 + (10 << 8)) >> 8
    fours = (pairs & 0x00FF00FF00FF00FF) * (1 + (100 << 16)) >> 16
    eight = (fours & 0x0000FFFF0000FFFF) * (1 + (10000 << 32)) >> 32
    return eight.astype(np.float64), are_digits
