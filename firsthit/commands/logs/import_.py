"""``firsthit import``: data of COCO, IOHprofiler and pycma into a log."""

from __future__ import annotations

import click


@click.command()
@click.argument("sources", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="LOG.h5", required=True, help="The log to write; never overwritten."
)
@click.option(
    "--algorithm",
    metavar="NAME",
    help="Name of the algorithm in the log; by default the one in the data ('pycma' of pycma's).",
)
@click.option(
    "--suite", metavar="NAME", help="Of pycma's data, which do not say what was optimized."
)
@click.option("--function", type=click.IntRange(1), metavar="NUMBER", help="Likewise.")
@click.option("--instance", type=click.IntRange(0), metavar="NUMBER", help="Likewise.")
def command(
    sources: tuple[str, ...],
    output: str,
    algorithm: str | None,
    suite: str | None,
    function: int | None,
    instance: int | None,
) -> None:
    """Read SOURCES (folders or .tar.gz, .tgz, .tar, .zip archives) into one log.

    Read are data of COCO, formats bbob, bbob-new, bbob-new2 and bbob-biobj; of IOHprofiler, JSON
    and .info; and of pycma, outcmaes/*.dat, with --suite, --function and --instance, since they do
    not say what was optimized. Archives are read in memory and never unpacked to disk. What had to
    be guessed or left out is said on stderr and stands in the log. `firsthit assess` also takes
    folders and archives of COCO and IOHprofiler directly.
    """
    from ...loggers import GivenProblem, import_data

    problem = None
    if suite is not None and function is not None and instance is not None:
        problem = GivenProblem(suite, function, instance)
    elif (suite, function, instance) != (None, None, None):
        raise click.UsageError("--suite, --function and --instance: give all three, or none")
    done = import_data(sources, output, algorithm, problem)
    for note in done.notes:
        click.echo(f"note: {note}", err=True)
    click.echo(f"{done.path}: {done.runs} runs", err=True)
