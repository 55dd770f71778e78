r"""Write the help of commands: examples before the options, and defaults as "Default: …".

A command declares its complete command lines as ``examples``:

    @click.command(cls=Command, examples=["firsthit suites", "firsthit suites bbob"])

An option is declared with `add_option`, which takes the arguments of `click.option`. Its help
begins with a noun or a verb. A default that click knows is added if ``show_default`` is true. A
paragraph of a docstring that begins with the line ``\b`` keeps its line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

_EXTRA = re.compile(r"\s*\[((?:default: |required|env var: |[\d.x<>=]).*)\]$")
"""Facts in brackets that click appends to the help of an option, separated by semicolons."""


class Option(click.Option):
    """Option whose help ends with "Default: VALUE." or "Required."."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the names and the help of the option; None if the option is hidden."""
        record = super().get_help_record(ctx)
        if record is None or (match := _EXTRA.search(record[1])) is None:
            return record
        text, facts = record[1][: match.start()], match[1].split("; ")
        # Ranges such as "x>=1" are left out, because the text states which values are allowed.
        sentences = [
            f"{fact[0].upper()}{fact[1:]}." for fact in facts if fact.startswith(("default", "req"))
        ]
        return record[0], " ".join(filter(None, [text, *sentences]))


add_option = partial(click.option, cls=Option)
"""Decorator that adds an `Option`; it takes the arguments of `click.option`."""


class Command(click.Command):
    """Command whose help shows complete command lines.

    Args:
        examples: One to three complete command lines, such as ``"firsthit suites bbob"``.
        **settings: Further arguments of `click.Command`.

    Attributes:
        examples: The argument ``examples``.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.examples = tuple(examples)
        if self.help is not None:  # a raw docstring holds a backslash and a "b"
            self.help = self.help.replace("\\b\n", "\b\n")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the text of the help and, below it, the examples."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{example}\n")


class Group(Command, click.Group):
    """Group of commands whose help shows complete command lines."""
