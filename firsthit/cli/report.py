"""``firsthit report``: write an interactive HTML file on logs, which opens without a network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..assessment.questions._framework.help_texts import (
    BACKGROUND_HELP,
    REFERENCE_HELP,
    TARGETS_HELP,
)
from . import options
from .activity import show_activity
from .help import Command, add_option


@click.command(
    cls=Command,
    examples=[
        "firsthit report results/quickstart.h5",
        "firsthit report results/*.h5 --reference best2009-bbob -o all.html",
        "firsthit report --index public",
    ],
)
@click.argument("logs", nargs=-1)
@add_option(
    "-o",
    "--output",
    metavar="FILE.html",
    default="report.html",
    show_default=True,
    help="File of the report.",
)
@options.overwrite
@add_option("--title", default="Benchmark report", show_default=True, help="Heading of the report.")
@add_option(
    "--targets",
    metavar="NUMBERS",
    help=f"{TARGETS_HELP} Default: the targets of each suite.",
)
@options.algorithms
@add_option(
    "--reference",
    metavar="NAME",
    help=f"{REFERENCE_HELP} The report adds its thick line to runtime profiles, and ratios of "
    "average runtimes. Default: no reference.",
)
@add_option(
    "--background",
    metavar="NAMES",
    help=f"{BACKGROUND_HELP} Their profiles are thin and grey; names appear under the mouse "
    "pointer. Default: no other algorithms.",
)
@options.unequal
@options.count
@add_option(
    "--seed", default=1, show_default=True, help="Random seed of simulated restarts and intervals."
)
@options.hypervolume_reference
@options.coco_archive
@add_option(
    "--index",
    metavar="FOLDER",
    help="Write FOLDER/index.html, with a link to each report in FOLDER, instead of a report. Give "
    "no LOGS then. Default: write a report.",
)
def command(
    logs: Sequence[str],
    output: str,
    overwrite: bool,
    algorithms: Sequence[str],
    index: str | None,
    **settings: Any,
) -> None:
    """Write an interactive report on LOGS: one HTML file that opens without a network.

    LOGS are files, folders, patterns, or names of published data such as 'coco:bbob/2009/BFGS'. Of
    a log that is still being written, the finished runs count.
    """
    from ..assessment.report import index_reports, report

    if index is not None:
        if logs:
            raise click.UsageError("--index FOLDER stands alone, without LOGS")
        click.echo(f"wrote {index_reports(index)}", err=True)
        return
    if not logs:
        raise click.UsageError("Missing argument 'LOGS...'.")
    options.refuse_existing([output], overwrite)
    options.report_damage(logs)
    show_activity("making the report")
    file = report(list(logs), output, algorithms=list(algorithms) or None, **settings)
    click.echo(f"wrote {file}", err=True)
