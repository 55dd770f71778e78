"""Texts for people: the order of names in lists, and nothing in a text that a terminal obeys."""

from __future__ import annotations

import json
import re
import unicodedata
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


_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Unicode's categories of characters that do something instead of being seen."""
_JOINERS = "\u200c\u200d"
"""Two of them that are part of words, in Persian and Hindi, and of pictures."""


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Text with ``\u001b`` and so on for characters that do something instead of being seen.

    These are control characters, as in escape codes, those that turn the direction of writing or
    have no width, and line separators. Letters of any script stay, and what is in ``kept``.

    >>> print(visible("\x1b[31mred \u202e žółć"))
    \u001b[31mred \u202e žółć
    """
    return re.sub(f"[^{kept} -~]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    is_seen = unicodedata.category(character) not in _UNSEEN or character in _JOINERS
    return character if is_seen else json.dumps(character)[1:-1]
