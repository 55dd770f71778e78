"""``firsthit references``: what hypervolumes are measured from, and the best that logs know."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...terminal.assessing import format_, question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


@click.command(short_help="List what hypervolumes are measured from, and the best of logs.")
@question
@click.option(
    "-o",
    "--output",
    metavar="FILE.csv",
    help="Write the references there, with the best of LOGS where it is better; never overwritten.",
)
@format_
def command(results: Results, selectors: Selectors, output: str | None) -> Table:
    """List the references of LOGS with two objectives, problem by problem.

    Precisions are differences to a reference, the best hypervolume that somebody found. COCO knows
    it for instances 1-10 of f1-f55 of bbob-biobj; elsewhere it takes the placeholder 1, which
    nobody can reach. "best" is the hypervolume of all archives in LOGS together.

    A file that --output wrote can be given to --hypervolume-reference of all commands that read
    logs, and read again here, so that it improves with the next logs:

    firsthit references OLD.h5 -o known.csv

    firsthit references NEW.h5 --hypervolume-reference known.csv -o better.csv
    """
    table = results.hypervolume_references(**selectors)
    if output is not None:
        from ...assessment.views.fronts.references import updated, write_references

        write_references(updated(table, Path(output).stem), Path(output))
        click.echo(f"wrote {output}", err=True)
    return table
