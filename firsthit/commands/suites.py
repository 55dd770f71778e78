"""``firsthit suites``: which suites there are, and what is in them."""

from __future__ import annotations

import json

import click


@click.command()
@click.argument("name", required=False)
@click.option("--format", "style", type=click.Choice(["table", "json"]), default="table")
def command(name: str | None, style: str) -> None:
    """List the registered suites, or the functions of the suite NAME.

    Dimensions and instances are those of the standard experiment; bbob has any others too.
    """
    from ..suites import definition, suite_names
    from ..suites.selection import ranges

    if name is None:
        suites = [definition(known) for known in suite_names()]
        rows = [
            {
                "suite": suite.name,
                "version": suite.version,
                "functions": ranges(suite.functions),
                "dimensions": ranges(suite.dimensions),
                "instances": ranges(suite.instances),
            }
            for suite in suites
        ]
    else:
        suite = definition(name)
        first = (suite.dimensions[0], suite.instances[0])
        rows = [
            {"function": str(number), "group": problem.group, "name": problem.name}
            for number, problem in ((f, suite.problem(f, *first)) for f in suite.functions)
        ]
    click.echo(json.dumps(rows, indent=2) if style == "json" else _aligned(rows))


def _aligned(rows: list[dict[str, str]]) -> str:
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
