"""Provide a group of commands that imports each command only when it is used.

The import of all commands would take seconds. So the help is written from a mapping of the names of
commands to summaries, in sections with headings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from .help import Group


class LazyGroup(Group):
    """Group of commands whose help is written without importing the commands.

    Subclasses must define `get_command`, which imports a command by its name.

    Args:
        sections: Heading of each section to its commands. The commands are a mapping from their
            names to summaries of one line. The help lists sections and commands in this order.
        **settings: Further arguments of `Group`, such as ``examples``.

    Attributes:
        sections: The argument ``sections``.
        summaries: Names of the commands of all sections to their summaries.
    """

    def __init__(self, *, sections: Mapping[str, Mapping[str, str]], **settings: Any) -> None:
        super().__init__(**settings)
        self.sections = sections
        self.summaries = {
            name: summary for summaries in sections.values() for name, summary in summaries.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the sections."""
        return list(self.summaries)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name of a command, the command, and the arguments after it.

        Raises:
            UsageError: There is no such command; the message names the nearest one.
        """
        name = args[0]
        if name not in self.summaries and not name.startswith("-"):
            from ..suites.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, self.summaries), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section into the help, without importing them."""
        width = max(map(len, self.summaries))
        for heading, summaries in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(name.ljust(width), summary) for name, summary in summaries.items()]
                )
