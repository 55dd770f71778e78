"""``firsthit report``: one HTML file that answers, offline, what logs say."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..terminal.assessing import hypervolume_reference


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE.html", default="report.html", show_default=True)
@click.option("--title", default="Benchmark report", show_default=True, help="Its heading.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of all that is simulated.")
@hypervolume_reference
def command(
    logs: Sequence[str], output: str, title: str, seed: int, hypervolume_reference: str | None
) -> None:
    """Write an interactive report on LOGS: one HTML file that opens without a network.

    LOGS are files, folders or globs; logs still being written count with their finished runs.
    """
    from ..assessment.report import report

    file = report(
        list(logs), output, title=title, seed=seed, hypervolume_reference=hypervolume_reference
    )
    click.echo(f"wrote {file}", err=True)
