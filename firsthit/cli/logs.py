"""Logs of logs, or of other people's data, and the other way round.

``firsthit merge``, ``references``, ``import`` and ``export``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import options
from .assess import format_option, show

if TYPE_CHECKING:
    from ..assessment import Results
    from ..assessment.data.selection import Selectors


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="FILE.h5", help="The file to write; with one log: that log itself."
)
@click.option("--partial", is_flag=True, help="Join batches of a campaign though some are missing.")
def merge(logs: tuple[str, ...], output: str | None, partial: bool) -> None:
    """Join LOGS (files, folders, globs) into one log, every run once.

    Runs that are in several logs must be equal in all; a run that failed gives way to the same run
    that did not. A log whose writer was killed is finished by naming it alone. Logs with other
    parameters of an algorithm, or another version of a suite, are refused; other libraries and
    machines are only reported. Batches of a campaign without the others are refused, unless
    --partial is given; the others can be merged with the outcome later.
    """
    from ..loggers import merge_logs, read_log
    from ..loggers.errors import LogConflictError
    from ..loggers.records.log_header import differing
    from ..runner.campaign.batches import missing_batches

    if output is None and len(logs) > 1:
        raise click.UsageError("several logs need --output FILE.h5")
    if output is not None and output not in logs:
        for name, batches in missing_batches(read_log(list(logs)).headers).items():
            missing = ", ".join(map(str, batches))
            sentence = f"campaign {name!r}: missing batches {missing}"
            if not partial:
                raise LogConflictError(
                    f"{sentence}; give their logs, too, or --partial to do without them"
                )
            click.echo(f"note: {sentence}", err=True)
    merged = merge_logs(list(logs), output or logs[0])
    for sentence in differing(read_log(merged).headers):
        click.echo(f"note: {sentence}", err=True)
    click.echo(merged)


@click.command()
@options.of_logs
@click.option(
    "-o",
    "--output",
    metavar="FILE.csv",
    help="Write the references there, with the best of LOGS where it is better; never overwritten.",
)
@format_option
def references(results: Results, selectors: Selectors, output: str | None, form: str) -> None:
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
        from ..assessment.data.hypervolume import updated, write_references

        write_references(updated(table, Path(output).stem), Path(output))
        click.echo(f"wrote {output}", err=True)
    show(table, form)


@click.command()
@click.argument("sources", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="LOG.h5", required=True, help="The log to write; never overwritten."
)
@click.option(
    "--algorithm",
    metavar="NAME",
    help="Name of the algorithm in the log; by default the one in the data.",
)
@options.coco_archive
def import_(sources: tuple[str, ...], output: str, algorithm: str | None) -> None:
    """Read SOURCES (folders, .tar.gz, .tgz, .tar, .zip archives, 'coco:NAME') into one log.

    SOURCES are data of COCO, formats bbob, bbob-new, bbob-new2 and bbob-biobj, or of IOHprofiler,
    JSON and .info. Archives are read in memory and never unpacked to disk. Notes say what was
    guessed or left out; the log keeps them. `firsthit assess` also takes folders and archives
    directly.
    """
    from ..loggers import import_data

    done = import_data(sources, output, algorithm)
    for note in done.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{done.path}: {done.runs} runs", err=True)


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["coco", "ioh", "parquet"]),
    required=True,
    help="What to write.",
)
@click.option(
    "-o", "--output", metavar="FOLDER", required=True, help="A new folder; never overwritten."
)
@options.coco_archive
def export(logs: tuple[str, ...], form: str, output: str) -> None:
    """Write the runs of LOGS (files, folders, globs) into a new folder.

    coco: format bbob-new2, for cocopp. ioh: JSON and .dat files, for IOHanalyzer and iohinspector.
    With several algorithms or suites, each gets a folder of its own in it. parquet: all that the
    logs hold, for DuckDB, pandas and polars; `firsthit assess` reads that folder like the logs.
    """
    from ..loggers import read_log, write_coco, write_ioh, write_parquet

    writers = {"coco": write_coco, "ioh": write_ioh, "parquet": write_parquet}
    for note in writers[form](read_log(list(logs)), Path(output)):
        click.echo(f"note: {note}", err=True)
    click.echo(output)
