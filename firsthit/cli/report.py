"""``firsthit report``: one HTML file that answers, offline, what logs say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from . import options


@click.command()
@click.argument("logs", nargs=-1)
@click.option("-o", "--output", metavar="FILE.html", default="report.html", show_default=True)
@click.option("--title", default="Benchmark report", show_default=True, help="Its heading.")
@click.option(
    "--targets",
    metavar="NUMBERS",
    help="Precisions such as 1e1,1e-8 or 1e2..1e-8/5: five per decade; runlength or "
    "runlength:0.5*D,10*D with --reference; dynamic; a file NAME.csv that `assess targets` wrote "
    "[default: those of each suite].",
)
@options.algorithms
@click.option(
    "--reference",
    metavar="NAME",
    help="An algorithm of LOGS; 'best' for the best of them on each target, 'best:A,B' of some; "
    "best2009-bbob and others that cocopp brings; a file of such data or of assess best --output "
    "[default: none; a thick line in profiles, and ratios of average runtimes].",
)
@click.option(
    "--background",
    metavar="NAMES",
    help="Logs or published data of others, such as 'coco:bbob/2009/*', between commas: their "
    "profiles stand thin and grey behind, with names on hover.",
)
@options.unequal
@options.count
@click.option("--seed", default=1, show_default=True, help="Of all that is simulated.")
@options.hypervolume_reference
@options.coco_archive
@click.option(
    "--index",
    metavar="FOLDER",
    help="Alone, without LOGS: write FOLDER/index.html, with a link to each report in FOLDER.",
)
def command(
    logs: Sequence[str], output: str, algorithms: Sequence[str], index: str | None, **wishes: Any
) -> None:
    """Write an interactive report on LOGS: one HTML file that opens without a network.

    LOGS are files, folders, globs, or names of published data such as 'coco:bbob/2009/BFGS'; logs
    still being written count with their finished runs.
    """
    from ..assessment.report import index_reports, report

    if index is not None:
        if logs:
            raise click.UsageError("--index FOLDER stands alone, without LOGS")
        click.echo(f"wrote {index_reports(index)}", err=True)
        return
    if not logs:
        raise click.UsageError("Missing argument 'LOGS...'.")
    file = report(list(logs), output, algorithms=list(algorithms) or None, **wishes)
    click.echo(f"wrote {file}", err=True)
