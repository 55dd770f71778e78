"""The command line ``firsthit``: finds commands, turns errors into one sentence and exit code 2."""

from __future__ import annotations

import sys
from importlib import import_module

import click

_COMMANDS = {
    "run": "run a campaign file (again: continue it)",
    "check": "say what a campaign file would run, without running it",
    "assess": "compute runtimes and their distributions from logs",
    "merge": "join logs into one file",
    "suites": "list suites with their functions, dimensions and instances",
    "optimizers": "list optimizers and whether they run here",
}


class LazyGroup(click.Group):
    """A group whose commands live in ``firsthit.commands.NAME`` and are imported when used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first visit, not of the alphabet."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command ``cmd_name``; None where there is none."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f".commands.{cmd_name}", __package__)
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with a suggestion for a misspelt command."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            from .suites.errors import unknown_name

            raise click.UsageError(unknown_name("command", name, _COMMANDS), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="firsthit")
def group() -> None:
    """Benchmark black-box optimizers: run campaigns, assess their logs."""


def main() -> None:
    """Run the command line; exit code 0 fine, 1 some runs failed, 2 wrong use."""
    try:
        group(prog_name="firsthit")
    except Exception as error:
        from .suites.errors import FirsthitError

        if not isinstance(error, FirsthitError):
            raise
        click.echo(f"firsthit: {error}", err=True)
        sys.exit(2)
