"""A group of commands in sections, which are imported when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose help imports no command; those below say how one is found by its name.

    ``sections`` are headings, each with a line about each of its commands, by name, in the order of
    a first visit.
    """

    def __init__(self, *, sections: Mapping[str, Mapping[str, str]], **settings: Any) -> None:
        super().__init__(**settings)
        self.sections = sections
        self.summaries = {name: text for own in sections.values() for name, text in own.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first visit, not of the alphabet."""
        return list(self.summaries)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a suggestion for a misspelt command."""
        name = args[0]
        if name not in self.summaries and not name.startswith("-"):
            from ..suites.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, self.summaries), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by section without importing them."""
        width = max(map(len, self.summaries))
        for heading, summaries in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), text) for name, text in summaries.items()])
