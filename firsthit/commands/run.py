"""``firsthit run``: run a campaign, or continue it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..loggers import Log
    from ..runner import Campaign, Outcome

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Set to 1 before numpy is imported: on small problems BLAS threads only cost time."""

_INTERRUPTED = 130
_SHOWN_ERRORS = 5


def overriding_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that stand for keys of the campaign file."""
    for decorate in reversed(
        [
            click.option("--output", metavar="FILE.h5", help="The log (results/CAMPAIGN.h5)."),
            click.option("--workers", metavar="N|all", help="Runs at the same time (all)."),
            click.option("--budget", metavar="TEXT", help="Such as '1e3 * dimension'."),
            click.option("--restarts", type=int, help="Most restarts of one run."),
            click.option("--repetitions", type=int, help="Runs on each problem."),
            click.option("--seed", type=int, help="The campaign's seed."),
            click.option("--timeout", type=float, metavar="SECONDS", help="Longest time of a run."),
        ]
    ):
        command = decorate(command)
    return command


def given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {key: value for key, value in options.items() if value is not None}


@click.command()
@click.argument("campaign", metavar="FILE|NAME")
@overriding_options
def command(campaign: str, **options: Any) -> None:
    """Run the campaign FILE, or a ready one by its NAME: quickstart, bbob.

    Runs that are in the log already are not made again: the same command continues a campaign.
    Options stand for the keys of the file. A campaign imports the optimizers that it names: run
    none that you do not trust. Exit code: 0 all fine, 1 some runs failed, 2 wrong use.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    from ..runner import load_campaign

    loaded = load_campaign(campaign, given(options))
    outcome = _executed(loaded)
    sys.exit(_told(loaded, outcome))


def _executed(campaign: Campaign) -> Outcome:
    from ..runner import default_progress, execute, open_log, plan

    runs = plan(campaign)
    path = str(campaign.output)
    with open_log(campaign.output, campaign.header(), resume=True) as writer:
        try:
            with _terminable(), contextlib.redirect_stdout(sys.stderr):
                return execute(runs, writer, campaign.workers, default_progress())
        except KeyboardInterrupt:
            writer.abandon()
            text = f"interrupted; finished runs are in {path}; the same command continues"
            click.echo(text, err=True)
            sys.exit(_INTERRUPTED)


@contextlib.contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM, which batch systems send, do what Ctrl-C does."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _told(campaign: Campaign, outcome: Outcome) -> int:
    """Print the table and what failed; the exit code."""
    from ..assessment import load, summary

    path = str(campaign.output)
    results = load(path)
    click.echo(str(summary(results)))
    logged = outcome.runs - outcome.made
    made = (
        f"{outcome.made} runs made in {outcome.seconds:.0f} s" if outcome.made else "nothing to do"
    )
    click.echo(f"\n{made}{f', {logged} were in the log' if logged else ''}: {path}", err=True)
    return _failures(results.log)


def _failures(log: Log) -> int:
    failed = [i for i, status in enumerate(log.runs["status"]) if status in ("failed", "timeout")]
    if not failed:
        return 0
    click.echo(f"{len(failed)} of {len(log)} runs failed:", err=True)
    errors: dict[tuple[str, str], int] = {}
    for i in failed:
        key = (str(log.runs["algorithm"][i]), str(log.runs["error"][i]))
        errors[key] = errors.get(key, 0) + 1
    for (algorithm, error), count in list(errors.items())[:_SHOWN_ERRORS]:
        click.echo(f"  {algorithm} ({count} runs): {error}", err=True)
    if len(errors) > _SHOWN_ERRORS:
        click.echo(f"  and {len(errors) - _SHOWN_ERRORS} other errors", err=True)
    return 1
