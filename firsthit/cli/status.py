"""``firsthit status``: print the progress of a campaign.

The command reads the campaign's file and its logs, or the log alone. It executes no run, writes
nothing, and imports nothing that the campaign names.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from .help import Command, add_option
from .options import OutputFormat, format_option, print_rows, report_damage
from .run import INTERRUPTED, batch_option, drop_unset, limit_threads, select_batch

if TYPE_CHECKING:
    from ..loggers.records.log_header import LogHeader
    from ..runner.campaign.follower import CampaignFollower
    from ..runner.campaign.status import Status
    from ..suites import FirsthitError

PlanSource = Literal["campaign", "log", "unknown"]
"""Where the plan comes from: the campaign's file, or the campaign in the header of the log."""

_LOG_SUFFIXES = (".h5", ".h5.parts")


@click.command(
    cls=Command,
    examples=[
        "firsthit status quickstart",
        "firsthit status results/quickstart.h5 --format json",
        "firsthit status my.yaml --follow",
    ],
)
@click.argument("campaign", metavar="CAMPAIGN|LOG")
@add_option(
    "-o", "--output", metavar="FILE.h5", help="Log of the campaign. Default: results/CAMPAIGN.h5."
)
@batch_option
@format_option
@add_option(
    "--follow",
    is_flag=True,
    help="Show progress, failures and solved targets until the campaign ends.",
)
def command(
    campaign: str,
    output_format: OutputFormat,
    output: str | None,
    batch: str | None,
    follow: bool,
) -> None:
    """Show the progress of a campaign or a log: finished, running, failed and missing runs.

    CAMPAIGN is a campaign file or the name of a built-in campaign. The command works while the
    campaign runs and after a crash. It runs nothing and imports nothing that the campaign names.

    For a campaign, the logs of its batches count, too, and missing batches are named. For a log,
    the plan is the campaign or batch stored in it.

    A run is planned, then running, then done, failed or timeout. Missing runs are the planned runs
    that have not ended; interrupted runs are among them. A campaign with several budgets runs in
    stages: all runs with the first budget, then all runs with the second. A batch is a share of the
    problems with its own command (`firsthit run --batch 2/5`) and its own log. The remaining time
    is estimated from the finished runs; it is rough if runs differ much.

    With --follow, the command ends when the campaign ends. Exit code: 0 if all runs succeeded, 1 if
    runs failed or are missing, 130 after an interruption. `firsthit watch` shows the same in a
    browser.
    """
    if follow:
        if output_format == "json":
            raise click.UsageError("--follow shows text; leave out --format json")
        sys.exit(_follow(campaign, output, batch))
    status, plan_source = _read_status(campaign, output, batch)
    batch_logs = [batch.log for batch in status.batches if batch.log is not None]
    report_damage([status.log, *batch_logs], status.notes)
    if output_format == "json":
        click.echo(json.dumps(_convert_to_json(status, plan_source), indent=2))
        return
    total = {"algorithm": "all", "dimension": "", **_sum_counts(status)}
    print_rows([*_status_rows(status), total], output_format, none_text="?")
    for line in _describe(status, plan_source):
        click.echo(line)


def _follow(source: str, output: str | None, batch: str | None) -> int:
    """Show the campaign on standard output until it ends, and return the exit code."""
    limit_threads()
    from ..watching.terminal import follow_in_terminal
    from ..watching.watcher import Watcher

    try:
        snapshot = follow_in_terminal(Watcher(open_follower(source, output, batch)))
    except KeyboardInterrupt:
        return INTERRUPTED
    is_complete = snapshot["state"] in ("complete", "ended")  # ended: nothing was planned
    return 0 if is_complete and not snapshot["failures"] else 1


def open_follower(source: str, output: str | None, batch: str | None) -> CampaignFollower:
    """Return a reader that follows a campaign, or the campaign in a log.

    Args:
        source: A log if it has the suffix of one, else a campaign's file or ready name.
        output: Log on the command line. None: the campaign's own log.
        batch: Batch of the campaign, such as "2/5". None: the campaign with all its batches.

    Raises:
        UsageError: ``batch`` is given with a log.
        FirsthitError: The log does not exist, or the campaign cannot be read and has no log.
    """
    from ..loggers.errors import LogNotFoundError
    from ..loggers.hdf5.merge import log_exists
    from ..runner.campaign.batches import batch_logs
    from ..runner.campaign.follower import CampaignFollower

    located = _locate_campaign(source, output, batch)
    if located.header is None and not (log_exists(located.log) or batch_logs(located.log)):
        raise located.campaign_error or LogNotFoundError(
            f"no log at {source!r}; to wait for a log, name the campaign instead"
        )
    return CampaignFollower(
        located.log, located.header, located.workers, with_batches=located.has_batches
    )


class _LocatedCampaign(NamedTuple):
    """A campaign on the command line.

    Attributes:
        log: Its log, which need not exist.
        header: Its header, which has the plan. None: the plan is in the log.
        workers: Its number of workers. None: unknown.
        has_batches: Whether the logs of its batches belong to it.
        campaign_error: Error of reading the campaign's file. None: there was no error.
    """

    log: Path
    header: LogHeader | None = None
    workers: int | None = None
    has_batches: bool = False
    campaign_error: FirsthitError | None = None


def _locate_campaign(source: str, output: str | None, batch: str | None) -> _LocatedCampaign:
    """Find the log and the header of a campaign; see `open_follower`."""
    from ..runner import load_campaign
    from ..runner.campaign.batches import parse_batch
    from ..runner.campaign.file import output_of
    from ..suites import FirsthitError

    if source.endswith(_LOG_SUFFIXES):
        if batch is not None:
            raise click.UsageError("--batch goes with a campaign, not with a log")
        return _LocatedCampaign(Path(source.removesuffix(".parts")))
    try:
        campaign = load_campaign(source, drop_unset({"output": output}), imports=False)
        campaign = select_batch(campaign, batch, output)
        header = campaign.header()
    except FirsthitError as campaign_error:
        # Without its imports, the campaign's own suites are not registered. Its log has the plan.
        log = Path(output) if output else output_of(source)
        if batch is not None and output is None:
            log = parse_batch(batch).output(log)
        return _LocatedCampaign(log, has_batches=batch is None, campaign_error=campaign_error)
    return _LocatedCampaign(campaign.output, header, campaign.workers, batch is None)


def _read_status(source: str, output: str | None, batch: str | None) -> tuple[Status, PlanSource]:
    """Read the progress of a campaign, or of the campaign in a log; see `open_follower`."""
    from ..runner.campaign.status import campaign_status
    from ..suites import FirsthitError

    located = _locate_campaign(source, output, batch)
    try:
        status = campaign_status(
            located.log, located.header, located.workers, with_batches=located.has_batches
        )
    except FirsthitError:
        if located.campaign_error is not None:
            raise located.campaign_error from None
        raise
    if located.header is not None:
        return status, "campaign"
    return status, "log" if status.is_planned else "unknown"


def _status_rows(status: Status) -> list[dict[str, Any]]:
    """Return one row for each algorithm and dimension, with all counts of runs."""
    from ..runner.campaign.status import COUNTS

    return [
        {"algorithm": row.algorithm, "dimension": row.dimension}
        | {count: getattr(row, count) for count in COUNTS}
        for row in status.rows
    ]


def _sum_counts(status: Status) -> dict[str, int | None]:
    """Return each count of runs, summed over algorithms and dimensions; None: unknown."""
    from ..runner.campaign.status import COUNTS

    return {count: status.total(count) for count in COUNTS}


def _describe(status: Status, plan_source: PlanSource) -> list[str]:
    """Return the lines below the table."""
    return [
        "",
        f"log: {status.log}",
        *_describe_coordinator(status, plan_source),
        *([f"isolation: {', '.join(status.isolation)}"] if status.isolation else []),
        *_describe_time_left(status, plan_source),
        *_describe_missing_and_failed(status),
        *_describe_stages_and_batches(status),
        *([f"{status.others} runs of the log are not in the plan"] if status.others else []),
        *(f"note: {note}" for note in status.notes),
    ]


def _describe_coordinator(status: Status, plan_source: PlanSource) -> list[str]:
    """Return lines on the coordinator, and on the outcome of a campaign that is complete."""
    coordinator = status.writer
    if coordinator is not None and coordinator.is_alive:
        return [f"coordinator: {coordinator}, runs at once: {status.workers}"]
    lines = []
    if _is_complete(status, plan_source):
        numbers = [f"{status.total('planned')} runs"]
        numbers += [f"{n} failed" for n in [status.total("failed")] if n]
        numbers += [f"{n} timed out" for n in [status.total("timeout")] if n]
        lines.append(f"complete: {', '.join(numbers)}")
    if coordinator is not None:
        lines.append(f"no coordinator is at work; the last one, {coordinator}, was killed")
    return lines or ["no coordinator is at work"]


def _is_complete(status: Status, plan_source: PlanSource) -> bool:
    return plan_source != "unknown" and status.is_complete


def _describe_time_left(status: Status, plan_source: PlanSource) -> list[str]:
    """Return a line on the time left; none if the campaign is complete and ended."""
    seconds_left = status.seconds_left
    if plan_source == "unknown":
        return ["the plan is unknown: a loop has none; for a campaign, give its file"]
    if _is_complete(status, plan_source):
        return ["complete"] if status.is_alive else []
    if seconds_left is None:
        return ["time left: unknown until ten runs of each algorithm, dimension and budget ended"]
    duration = timedelta(seconds=round(seconds_left))
    return [f"time left: about {duration} (runs at once: {status.workers})"]


def _describe_missing_and_failed(status: Status) -> list[str]:
    lines = []
    n_missing = status.total("missing")
    # While a coordinator is at work, missing runs need no command.
    if n_missing and status.missing_runs and not status.is_alive:
        n_more = n_missing - len(status.missing_runs)
        more = [f"and {n_more} more"] if n_more > 0 else []
        run_names = "; ".join([*status.missing_runs, *more])
        lines.append(f"missing runs, which firsthit run makes: {run_names}")
    if status.is_planned and (status.total("failed") or status.total("timeout")):
        lines.append("failed and timed out runs: firsthit run --retry-failed makes them again")
    return lines


def _describe_stages_and_batches(status: Status) -> list[str]:
    lines = []
    for number, stage in enumerate(status.stages, start=1):
        progress = f"{stage.planned - stage.left} of {stage.planned} runs ended"
        lines.append(f"stage {number} of {len(status.stages)}, budget {stage.budget}: {progress}")
    for batch in status.batches:
        if batch.left:
            location = f"in {batch.log}" if batch.log else "no log of it here"
            lines.append(
                f"batch {batch.batch}: {batch.left} of {batch.planned} runs missing ({location})"
            )
    if status.batches and all(batch.left == 0 for batch in status.batches):
        lines.append(f"all {len(status.batches)} batches are complete; firsthit merge joins them")
    return lines


def _convert_to_json(status: Status, plan_source: PlanSource) -> dict[str, Any]:
    """Return the status as values of JSON; the keys are part of the command's interface."""
    coordinator = None if status.writer is None else asdict(status.writer)
    if coordinator is not None:
        del coordinator["note"]
    return {
        "log": str(status.log),
        "coordinator": coordinator,
        "plan": plan_source,
        "workers": status.workers,
        "isolation": list(status.isolation),
        "rows": _status_rows(status),
        "total": _sum_counts(status),
        "not_in_plan": status.others,
        "missing_runs": status.missing_runs,
        "seconds_left": status.seconds_left,
        "notes": status.notes,
        "stages": [asdict(stage) for stage in status.stages],
        "batches": [
            {
                "batch": str(batch.batch),
                "log": str(batch.log) if batch.log else None,
                "planned": batch.planned,
                "left": batch.left,
            }
            for batch in status.batches
        ],
    }
