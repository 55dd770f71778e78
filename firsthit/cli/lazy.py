"""A group of commands that imports a command's module when the command is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from pkgutil import resolve_name
from typing import Any

import click


@dataclass(frozen=True)
class Section:
    """Commands under one heading of the help.

    A place is such as ``"package.module:{}"``, the command's name standing for ``{}``:
    ``fixed-target`` as ``fixed_target``, ``import`` as ``import_``.
    """

    heading: str
    place: str | Mapping[str, str]  # of all, or of each
    summaries: Mapping[str, str]  # a line about each, in the order of a first visit

    def command(self, name: str) -> click.Command:
        """Import the command of that name."""
        stem = name.replace("-", "_") + ("_" if iskeyword(name) else "")
        place = self.place if isinstance(self.place, str) else self.place[name]
        command: click.Command = resolve_name(place.format(stem))
        return command


class LazyGroup(click.Group):
    """A group that imports a command when it is used."""

    def __init__(self, *, sections: Sequence[Section], **settings: Any) -> None:
        super().__init__(**settings)
        self.sections = sections
        self._sections = {name: section for section in sections for name in section.summaries}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first visit, not of the alphabet."""
        return list(self._sections)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command ``cmd_name``; None where there is none."""
        section = self._sections.get(cmd_name)
        return None if section is None else section.command(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a suggestion for a misspelt command."""
        name = args[0]
        if name not in self._sections and not name.startswith("-"):
            from ..suites.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, self._sections), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands by section without importing them."""
        width = max(map(len, self._sections))
        for section in self.sections:
            with formatter.section(section.heading):
                rows = [(name.ljust(width), text) for name, text in section.summaries.items()]
                formatter.write_dl(rows)
