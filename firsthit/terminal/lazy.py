"""A group of commands that imports a command's module when the command is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from keyword import iskeyword
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are the ``command`` of one module each.

    A command without a module is not listed.

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
        return [name for name in self.summaries if find_spec(self._module(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command ``cmd_name``; None where there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(self._module(cmd_name)).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a suggestion for a misspelt command."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            from ..suites.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, known), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.summaries[name]) for name in self.list_commands(ctx)])

    def _module(self, name: str) -> str:
        module = name.replace("-", "_")
        return f"{self.package}.{module}{'_' if iskeyword(module) else ''}"
