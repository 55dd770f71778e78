"""``firsthit run``: run a campaign, or continue it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from .streams import as_written

if TYPE_CHECKING:
    from ..loggers import Log
    from ..runner.campaign.campaign import Campaign
    from ..runner.execution.progress import Outcome

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Set to 1 before numpy is imported: on small problems BLAS threads only cost time."""

_MAX_ERRORS = 5

INTERRUPTED = 130
"""Exit code of a command that was interrupted."""

_AT_ONCE = b"\nended at once; runs that were on the disk are kept\n"


_OVERRIDING: tuple[tuple[str, type, str | None, str], ...] = (
    ("--workers", str, "N|all", "Runs at the same time (all); 0: in this process."),
    ("--cluster", str, "ADDRESS|FILE|local", "Run on a Dask cluster."),
    ("--threads", int, None, "Threads of each worker (1)."),
    ("--isolation", str, "algorithm|run", "A process for each algorithm (the default), or for each "
     "run."),
    ("--budget", str, "TEXT", "Such as '1e3*D'."),
    ("--restarts", int, None, "Most restarts of one run."),
    ("--repetitions", int, None, "Runs on each problem."),
    ("--seed", int, None, "The campaign's seed."),
    ("--timeout", float, "SECONDS", "Longest time of a run."),
    ("--indicator", str, "NAME", "What runs are measured by."),
    ("--archive", str, "all|final|none", "What the log keeps of the archive of two objectives "
     "(all)."),
    ("--evaluators", int, None, "Evaluations at the same time, in simulated time (none)."),
    ("--clock", str, "none|measured", "Whether hits get their second (none)."),
)  # fmt: skip
"""Type, metavar and help of each."""


def overriding_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that stand for keys of the campaign file."""
    for option, kind, metavar, help_ in reversed(_OVERRIDING):
        command = click.option(option, type=kind, metavar=metavar, help=help_)(command)
    output = click.option(
        "-o", "--output", metavar="FILE.h5", help="The log (results/CAMPAIGN.h5)."
    )
    return output(command)


batch_option = click.option(
    "--batch", metavar="I/N", help="Batch I of N of the campaign; its log is NAME.I-of-N.h5."
)


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {key: value for key, value in options.items() if value is not None}


@click.command()
@click.argument("campaign", metavar="FILE|NAME")
@overriding_options
@batch_option
@click.option("--retry-failed", is_flag=True, help="Make failed and timed out runs again.")
@click.option(
    "--accept-changes",
    metavar="[NAME]",
    is_flag=False,
    flag_value="",
    multiple=True,
    help="As --retry-failed, also after a change of an optimizer's file. Other runs stay; the log "
    "says which file made which run. With the NAME of an algorithm: only of its file, and all its "
    "runs are made again. Stands after the campaign; may be given several times.",
)
@click.option("--report", is_flag=True, help="Then write a report on the log, NAME.html beside it.")
def command(
    campaign: str,
    batch: str | None,
    retry_failed: bool,
    accept_changes: tuple[str, ...],
    report: bool,
    **options: Any,
) -> None:
    """Run the campaign FILE, or a ready one by its NAME, such as quickstart or bbob-biobj.

    Runs that are in the log already are not made again: the same command continues a campaign.
    Options stand for the keys of the file. A campaign imports the optimizers that it names: run
    none that you do not trust. Batches, --batch 1/3 to 3/3, may run on different machines; then
    firsthit merge joins their logs. Exit code: 0 all fine, 1 some runs failed, 2 wrong use.
    """
    single_threaded()
    from ..runner import load_campaign

    loaded = in_batch(load_campaign(campaign, given(options)), batch, options["output"])
    if report:
        from ..assessment.report import check_report_packages

        check_report_packages()
    names = [name for name in accept_changes if name]
    outcome = executed(loaded, retry_failed, names or bool(accept_changes))
    if report:
        _write_report(loaded)
    sys.exit(_print_outcome(loaded, outcome))


def _write_report(campaign: Campaign) -> None:
    from ..assessment.report import report

    page = report(campaign.output, campaign.output.with_suffix(".html"), title=campaign.name)
    click.echo(f"report: {page} (open it in a browser)", err=True)


def single_threaded() -> None:
    """One thread each for BLAS and OpenMP; to be called before numpy is imported."""
    for name in _THREADS:
        os.environ.setdefault(name, "1")


def in_batch(campaign: Campaign, batch: str | None, output: str | None) -> Campaign:
    """The campaign; with ``batch`` one batch of it, with a log of its own unless one is given."""
    from ..runner.campaign.batches import parse_batch

    if batch is None:
        return campaign
    parsed = parse_batch(batch)
    path = parsed.output(campaign.output) if output is None else campaign.output
    return replace(campaign, batch=parsed, output=path)


def executed(
    campaign: Campaign, retry_failed: bool = False, accept_changes: bool | list[str] = False
) -> Outcome:
    """Make the runs of a campaign into its log; Ctrl-C says how to go on."""
    from ..runner import execute, open_log, plan
    from ..runner.campaign.checks import note_on_unknown_optima
    from ..runner.execution.progress import default_progress

    runs = plan(campaign)
    if unknown := note_on_unknown_optima(runs):
        click.echo(f"note: {unknown}", err=True)
    try:
        with (
            _interruptible(),
            open_log(
                campaign.output,
                campaign.header(),
                resume=True,
                retry_failed=retry_failed,
                accept_changes=accept_changes,
            ) as writer,
            as_written(),
        ):
            return execute(runs, writer, campaign.executor_config, default_progress())
    except KeyboardInterrupt:
        text = f"interrupted; finished runs are in {campaign.output}; the same command continues"
        click.echo(text, err=True)
        sys.exit(INTERRUPTED)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Within, the first SIGINT or SIGTERM raises KeyboardInterrupt; the second ends the process.

    Finished runs stay; its workers end with it.
    """
    count = 0

    def interrupt(number: int, frame: object) -> None:
        nonlocal count
        count += 1
        if count > 1:
            with contextlib.suppress(OSError):
                os.write(2, _AT_ONCE)
            os._exit(INTERRUPTED)
        raise KeyboardInterrupt

    handlers = {
        signum: signal.signal(signum, interrupt) for signum in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for signum, handler in handlers.items():
            signal.signal(signum, handler)


def _print_outcome(campaign: Campaign, outcome: Outcome) -> int:
    """Print the table and what failed; the exit code."""
    from ..assessment import load

    results = load(campaign.output)
    logged = outcome.runs - outcome.finished
    message = (
        f"{outcome.finished} runs made in {outcome.seconds:.0f} s"
        if outcome.finished
        else "nothing to do"
    )
    in_log = f", {logged} were in the log" if logged else ""
    click.echo(f"{message}{in_log}: {campaign.output}", err=True)
    code = _failures(results.log)
    if len(results.log):
        table = results.summary()
        click.echo("\n".join([*([str(table)] if len(table) else []), *table.notes]))
    return code


def _failures(log: Log) -> int:
    failed = [i for i, status in enumerate(log.runs["status"]) if status in ("failed", "timeout")]
    if not failed:
        return 0
    click.echo(f"{len(failed)} of {len(log)} runs failed:", err=True)
    errors = Counter(
        (log.runs["algorithm"][i], log.runs["error"][i].partition("\n")[0]) for i in failed
    )
    for (algorithm, error), count in list(errors.items())[:_MAX_ERRORS]:
        click.echo(f"  {algorithm} ({count} runs): {error}", err=True)
    if len(errors) > _MAX_ERRORS:
        click.echo(f"  and {len(errors) - _MAX_ERRORS} other errors", err=True)
    return 1
