"""The order of names in lists: by the numbers in them, not digit by digit."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> tuple[tuple[tuple[str, int], ...], str]:
    """Key to sort names by: numbers in them count as numbers; equal names stay apart.

    >>> sorted(["f10", "f2", "a"], key=natural)
    ['a', 'f2', 'f10']
    """
    pieces = _DIGITS.split(name)
    pairs = zip(pieces[::2], [*pieces[1::2], "-1"], strict=True)
    return tuple((text, int(number)) for text, number in pairs), name


def natural_order(names: Iterable[str]) -> list[str]:
    """The names, each once, in the order of lists."""
    return sorted(set(names), key=natural)
