"""Printing a list of rows, as every command that lists something does it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import click

Cell = str | int | None

format_option = click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", help="Of the output."
)


def print_rows(rows: Sequence[Mapping[str, Cell]], form: str, none: str = "unlimited") -> None:
    """Print rows that have the same keys.

    Args:
        rows: At least one; the keys are the heads.
        form: ``"json"`` for a list of objects; ``"table"`` for columns, numbers to the right.
        none: What None is in a table.
    """
    if form == "json":
        click.echo(json.dumps([dict(row) for row in rows], indent=2))
        return
    lines = [
        list(rows[0]),
        *([none if cell is None else str(cell) for cell in row.values()] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    to_right = [not isinstance(cell, str) for cell in rows[0].values()]
    for line in lines:
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, to_right, strict=True)
        )
        click.echo("  ".join(cells).rstrip())
