"""A group of commands that imports a command's module when the command is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click


@dataclass(frozen=True)
class Section:
    """Commands that stand in one folder and under one heading of the help.

    Attributes:
        heading: Of the list of commands.
        package: Where the modules are; the command ``fixed-target`` is ``command`` in
            ``fixed_target``, and ``import`` that in ``import_``.
        summaries: Name of each command to one line about it, in the order of a first visit.
    """

    heading: str
    package: str
    summaries: Mapping[str, str]

    def module(self, name: str) -> str:
        """Full name of the module of the command ``name``."""
        stem = name.replace("-", "_")
        return f"{self.package}.{stem}_" if iskeyword(stem) else f"{self.package}.{stem}"


class LazyGroup(click.Group):
    """A group whose commands are the ``command`` of one module each.

    Args:
        sections: All commands, in the order of the help.
        settings: As for ``click.Group``.
    """

    def __init__(self, *, sections: Sequence[Section], **settings: Any) -> None:
        super().__init__(**settings)
        self.sections = sections
        self._places = {name: one for one in sections for name in one.summaries}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first visit, not of the alphabet."""
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command ``cmd_name``; None where there is none."""
        if cmd_name not in self._places:
            return None
        module = self._places[cmd_name].module(cmd_name)
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a suggestion for a misspelt command."""
        name = args[0]
        if name not in self._places and not name.startswith("-"):
            from ..suites.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, self._places), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by section without importing them."""
        width = max(map(len, self._places))
        for one in self.sections:
            with formatter.section(one.heading):
                rows = [(name.ljust(width), text) for name, text in one.summaries.items()]
                formatter.write_dl(rows)
