r"""Functions for texts that people read: sorting of names, and escaping of invisible characters.

Names with numbers are sorted by the numbers, so that ``f10`` follows ``f2``. Characters that a
terminal obeys instead of showing them are replaced by escapes such as ``\u001b``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable

MAX_QUOTED_CHARACTERS = 200
"""Largest number of characters of an input that an error message quotes."""
_DIGITS = re.compile(r"(\d+)")

# Unicode categories of characters without a glyph: control characters, format characters (such as
# those that change the writing direction), surrogates, line and paragraph separators.
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")

# Zero-width non-joiner and joiner: format characters, but parts of words in Persian and Hindi, and
# of emoji.
_JOINERS = "\u200c\u200d"


def natural(name: str) -> tuple[tuple[tuple[str, int], ...], str]:
    """Return the sort key of a name that orders numbers in names by value.

    The last item of the key is the name itself, so that different names never have equal keys.

    >>> sorted(["f10", "f2", "a"], key=natural)
    ['a', 'f2', 'f10']
    """
    parts = _DIGITS.split(name)  # text, digits, text, …, text
    pairs = zip(parts[::2], [*parts[1::2], "-1"], strict=True)
    return tuple((text, int(digits)) for text, digits in pairs), name


def natural_order(names: Iterable[str]) -> list[str]:
    """Return the distinct names, sorted by `natural`."""
    return sorted(set(names), key=natural)


def shorten(text: str, limit: int = MAX_QUOTED_CHARACTERS) -> str:
    """Return a text for a message: its beginning and ``…`` if it is longer than ``limit``.

    >>> shorten("a long text", 6)
    'a long…'
    """
    return text if len(text) <= limit else text[:limit] + "…"


def shorten_words(text: str) -> str:
    """Shorten each word of a message that has more than `MAX_QUOTED_CHARACTERS` characters.

    Such a word quotes an input: no word of our own sentences is so long. Punctuation at its end is
    kept.

    >>> shorten_words("no file '" + "x" * 300 + "': name too long")[-24:]
    "xxxxxxx…': name too long"
    """
    return re.sub(rf"(\S{{{MAX_QUOTED_CHARACTERS}}})\S+?([':;,.)]*)(?!\S)", r"\1…\2", text)


def visible(text: str, kept: str = "\n\t") -> str:
    r"""Return a text in which invisible characters are replaced by escapes such as ``\u001b``.

    Invisible are control characters (as in escape codes of terminals), characters that change the
    writing direction or have no width, and line separators. Letters of any script are visible.

    Args:
        text: Any text.
        kept: Invisible characters that stay as they are. Default: line feed and tab.

    >>> print(visible("\x1b[31mred \u202e žółć"))
    \u001b[31mred \u202e žółć
    """
    return re.sub(f"[^{kept} -~]", _escape_invisible, text)


def _escape_invisible(match: re.Match[str]) -> str:
    character = match[0]
    category = unicodedata.category(character)
    is_visible = category not in _INVISIBLE_CATEGORIES or character in _JOINERS
    return character if is_visible else json.dumps(character)[1:-1]
