"""A group of commands that imports a command's module when the command is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are the ``command`` of one module each.

    Args:
        package: Where the modules are; a command ``fixed-target`` lives in ``fixed_target``,
            ``import`` in ``import_``.
        summaries: Name of each command to one line about it, in the order of a first visit.
        settings: As for ``click.Group``.
    """

    def __init__(self, *, package: str, summaries: Mapping[str, str], **settings: Any) -> None:
        super().__init__(**settings)
        self.package = package
        self.summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first visit, not of the alphabet."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command ``cmd_name``; None where there is none."""
        if cmd_name not in self.summaries:
            return None
        module = cmd_name.replace("-", "_")
        if iskeyword(module):
            module += "_"
        command: click.Command = import_module(f"{self.package}.{module}").command
        return command

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
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
