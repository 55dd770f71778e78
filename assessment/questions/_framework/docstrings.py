"""Split docstrings of questions into their parts, and add the options of the needs to them.

A docstring of a question is in Google style. Its section Args describes the options of the
question's function only. `complete_docstring` adds those of the needs, so that the docstring of a
method and the help of a command describe all options.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_SECTION_HEADER = re.compile(r"^(Args|Returns|Raises|Yields):\s*$", re.MULTILINE)
_ARGUMENT = re.compile(r"^    (\w+): (.*(?:\n        .*)*)", re.MULTILINE)
_WIDTH = 96
"""Columns of a docstring without its indentation: 100 columns of source minus 4."""


class DocstringParts(NamedTuple):
    """Parts of a docstring in Google style.

    Attributes:
        summary: The first paragraph, on one line.
        body: The paragraphs between the summary and the first section.
        arguments: Name of each argument to its description, on one line.
    """

    summary: str
    body: str
    arguments: Mapping[str, str]


def split_docstring(docstring: str | None) -> DocstringParts:
    """Split a docstring into its summary, the paragraphs after it, and its arguments."""
    text, *headers_and_contents = _SECTION_HEADER.split(inspect.cleandoc(docstring or ""))
    summary, _, body = text.strip().partition("\n\n")
    sections = _collect_sections(headers_and_contents)
    arguments = {
        name: " ".join(description.split())
        for name, description in _ARGUMENT.findall(sections.get("Args", ""))
    }
    return DocstringParts(" ".join(summary.split()), body.strip(), arguments)


def complete_docstring(
    docstring: str | None, parameters: Iterable[str], documented: Mapping[str, str]
) -> str:
    """Return a docstring whose section Args describes all options in their order.

    Args:
        docstring: Docstring of the question's function.
        parameters: Names of all options, in their order.
        documented: Descriptions of the options of the needs, by name. The docstring takes
            precedence over them.

    Returns:
        The docstring without indentation; an option without any description is left out.
    """
    descriptions = {**documented, **split_docstring(docstring).arguments}
    arguments = [
        textwrap.fill(
            f"{name}: {descriptions[name]}",
            _WIDTH,
            initial_indent="    ",
            subsequent_indent="        ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for name in parameters
        if name in descriptions
    ]
    text = inspect.cleandoc(docstring or "")
    if not arguments:
        return text
    body, *headers_and_contents = _SECTION_HEADER.split(text)
    sections = _collect_sections(headers_and_contents)
    sections.pop("Args", None)
    return "\n\n".join(
        [
            body.strip(),
            "Args:\n" + "\n".join(arguments),
            *(
                f"{header}:\n{content.strip(chr(10)).rstrip()}"
                for header, content in sections.items()
            ),
        ]
    )


def _collect_sections(headers_and_contents: list[str]) -> dict[str, str]:
    """Return the contents of sections by header, from a list in which both alternate."""
    return dict(zip(headers_and_contents[::2], headers_and_contents[1::2], strict=True))
