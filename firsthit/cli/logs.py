"""``firsthit merge``, ``references``, ``import`` and ``export``: convert logs.

``merge`` joins logs, ``import`` reads data of other programs into a log, and ``export`` writes logs
as such data. ``references`` lists and writes the references from which hypervolumes are measured.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import click

from . import options
from .activity import show_activity
from .assess import TableFormat, format_option, show
from .help import Command, add_option

if TYPE_CHECKING:
    from ..assessment import Results
    from ..assessment.selection import Selectors

ExportFormat = Literal["coco", "ioh", "parquet"]


def _refuse_existing_output(output: str | None, overwrite: bool, **_: object) -> None:
    options.refuse_existing([output], overwrite)


@click.command(
    cls=Command,
    examples=[
        "firsthit merge results/my.1-of-2.h5 results/my.2-of-2.h5 -o results/my.h5",
        "firsthit merge results/interrupted.h5",
    ],
)
@click.argument("logs", nargs=-1, required=True)
@add_option(
    "-o", "--output", metavar="FILE.h5", help="Log to write. Default, with a single log: this log."
)
@options.overwrite
@add_option("--partial", is_flag=True, help="Join batches of a campaign even if some are missing.")
def merge(logs: tuple[str, ...], output: str | None, overwrite: bool, partial: bool) -> None:
    """Join LOGS (files, folders, patterns) into one log that contains each run once.

    A run that is in several logs must be equal in all of them. A successful run replaces a failed
    one. If a program was killed while it wrote a log, `firsthit merge LOG` completes this log.

    Logs are refused if they disagree on the parameters of an algorithm or on the version of a
    suite. Different libraries and machines are only reported. Incomplete batches of a campaign are
    refused unless --partial is given; the missing ones can be merged later.
    """
    from ..loggers import merge_logs, read_log
    from ..loggers.errors import LogConflictError
    from ..loggers.records.log_header import differing
    from ..runner.campaign.status import missing_batches

    if output is None and len(logs) > 1:
        raise click.UsageError("several logs need --output FILE.h5")
    # One log whose output is itself is only finished after a crash, whatever its batches are.
    is_completed = output is None or [os.path.realpath(log) for log in logs] == [
        os.path.realpath(output)
    ]
    if not is_completed:
        options.refuse_existing([output], overwrite)
    show_activity("reading logs")
    if output is not None and output not in logs:
        for campaign, batches in missing_batches(read_log(list(logs))).items():
            message = f"campaign {campaign!r}: missing batches {', '.join(map(str, batches))}"
            if not partial:
                raise LogConflictError(
                    f"{message}; give their logs, too, or --partial to do without them"
                )
            click.echo(f"note: {message}", err=True)
    options.report_damage(logs)
    show_activity("merging logs")
    merged_log = merge_logs(list(logs), output or logs[0], overwrite=overwrite)
    for difference in differing(read_log(merged_log).headers):
        click.echo(f"note: {difference}", err=True)
    click.echo(merged_log)


@click.command(
    cls=Command,
    examples=[
        "firsthit references old.h5 -o known.csv",
        "firsthit references new.h5 --hypervolume-reference known.csv -o better.csv",
    ],
)
@options.call_first(_refuse_existing_output)
@options.read_logs
@add_option(
    "-o",
    "--output",
    metavar="FILE.csv",
    help="File for the references, improved by the best hypervolumes of LOGS. Default: no file.",
)
@options.overwrite
@format_option
def references(
    results: Results,
    selectors: Selectors,
    output: str | None,
    overwrite: bool,
    table_format: TableFormat,
) -> None:
    """List the reference hypervolume of each problem with two objectives in LOGS.

    A precision is the difference to a reference: the best known hypervolume. COCO has references
    for instances 1-10 of f1-f55 of bbob-biobj. Otherwise it uses the placeholder 1, which is
    unreachable. "best" is the hypervolume of all archives in LOGS together.

    All commands that read logs accept a file of --output as --hypervolume-reference. In this
    command, a second call improves the file by further logs; see the examples.
    """
    table = results.hypervolume_references(**selectors)
    if output is not None:
        from ..assessment.hypervolume_references import updated, write_references

        write_references(updated(table, Path(output).stem), Path(output), overwrite=overwrite)
        click.echo(f"wrote {output}", err=True)
    show(table, table_format)


@click.command(
    cls=Command,
    examples=[
        "firsthit import exdata/BFGS -o bfgs.h5",
        "firsthit import 'coco:bbob/2009/BFGS' --algorithm quasi-Newton -o bfgs.h5",
    ],
)
@click.argument("sources", nargs=-1, required=True)
@add_option("-o", "--output", metavar="LOG.h5", required=True, help="Log to write.")
@options.overwrite
@add_option(
    "--algorithm",
    metavar="NAME",
    help="Name of the algorithm in the log. Default: the name in the data.",
)
@options.coco_archive
def import_(sources: tuple[str, ...], output: str, overwrite: bool, algorithm: str | None) -> None:
    """Read data of COCO or IOHprofiler into one log.

    SOURCES are folders, archives (.tar.gz, .tgz, .tar, .zip) or names of published data such as
    'coco:bbob/2009/BFGS'. COCO's formats are bbob, bbob-new, bbob-new2 and bbob-biobj;
    IOHprofiler's are JSON and .info. Archives are not unpacked to disk. Notes name all facts that
    were guessed or left out; the log stores them. `firsthit assess` accepts folders and archives
    directly, too.
    """
    from ..loggers import import_data

    options.refuse_existing([output], overwrite)
    show_activity("importing data")
    imported = import_data(sources, output, algorithm, overwrite=overwrite)
    for note in imported.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{imported.path}: {imported.runs} runs", err=True)


@click.command(
    cls=Command,
    examples=[
        "firsthit export results/quickstart.h5 --format coco -o exdata",
        "firsthit export results/*.h5 --format parquet -o parquet",
    ],
)
@click.argument("logs", nargs=-1, required=True)
@add_option(
    "--format",
    "export_format",
    type=click.Choice(get_args(ExportFormat)),
    required=True,
    help="Format of the data.",
)
@add_option("-o", "--output", metavar="FOLDER", required=True, help="Folder to write.")
@options.overwrite
@options.coco_archive
def export(
    logs: tuple[str, ...], export_format: ExportFormat, output: str, overwrite: bool
) -> None:
    r"""Write the runs of LOGS (files, folders, patterns) into a folder.

    \b
    Formats:
      coco     format bbob-new2, for cocopp
      ioh      JSON and .dat files, for IOHanalyzer and iohinspector
      parquet  all data of the logs, for DuckDB, pandas and polars;
               `firsthit assess` reads this folder like the logs

    If there are several algorithms or suites, coco and ioh write one folder for each. --overwrite
    replaces a folder only if it is empty or contains nothing but an earlier export in the same
    format.
    """
    from ..loggers import read_log, write_coco, write_ioh, write_parquet

    writers = {"coco": write_coco, "ioh": write_ioh, "parquet": write_parquet}
    write = writers[export_format]
    options.refuse_existing([output], overwrite)
    show_activity("reading logs")
    log = read_log(list(logs))
    show_activity(f"writing {export_format}")
    for note in write(log, Path(output), overwrite=overwrite):
        click.echo(f"note: {note}", err=True)
    options.report_damage(logs)
    click.echo(output)
