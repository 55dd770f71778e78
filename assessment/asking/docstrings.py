"""Docstrings of questions as help of commands: one text for Python and the command line."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

_SECTIONS = re.compile(r"^(Args|Returns|Raises|Yields):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^    (\w+): (.*(?:\n        .*)*)", re.MULTILINE)


def parts(docstring: str | None) -> tuple[str, str, dict[str, str]]:
    """The first sentence, the paragraphs after it, and what is said of each argument."""
    text = inspect.cleandoc(docstring or "")
    body = _SECTIONS.split(text)
    first, _, rest = body[0].strip().partition("\n\n")
    named = dict(zip(body[1::2], body[2::2], strict=True))
    arguments = {
        name: " ".join(words.split()) for name, words in _ARGUMENT.findall(named.get("Args", ""))
    }
    return " ".join(first.split()), rest.strip(), arguments


def for_terminal(text: str, options: Iterable[str]) -> str:
    """Without backquotes; names of options as they are written on the command line.

    >>> for_terminal("With ``group_by``, see `ecdf_band`.", ["group_by"])
    'With --group-by, see ecdf_band.'
    """
    known = set(options)

    def written(match: re.Match[str]) -> str:
        name = match[1]
        return f"--{name.replace('_', '-')}" if name in known else name

    return re.sub(r"`([^`]+)`", r"\1", re.sub(r"``([^`]+)``", written, text))


def option_help(general: str, documented: str) -> str:
    """The help of an option: what it is in any question, and in this one.

    A sentence ``None: …`` of the docstring says what stands where nothing is given.

    >>> option_help("Precisions such as 1e-8", "None: the suite's.")
    "Precisions such as 1e-8 [default: the suite's]."
    >>> option_help("{}, such as 100", "Where the area ends.")
    'Where the area ends, such as 100.'
    """
    before, none, default = documented.partition("None: ")
    own = before.strip().rstrip(".")
    text = general.format(own) if "{}" in general else ". ".join(filter(None, (general, own)))
    ending = f" [default: {default.strip().rstrip('.')}]" if none else ""
    return f"{text.rstrip('.')}{ending}." if text or ending else ""
