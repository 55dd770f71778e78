"""``firsthit status``: how far a campaign is."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import format_option, print_rows
from .run import batch_option, given, in_batch

if TYPE_CHECKING:
    from ..runner.campaign.status import Status

_LOG = ".h5"
_PARTS = ".h5.parts"


@click.command()
@click.argument("campaign", metavar="CAMPAIGN|LOG")
@click.option(
    "-o", "--output", metavar="FILE.h5", help="The log, where it is not the campaign's own."
)
@batch_option
@format_option
def command(campaign: str, form: str, output: str | None, batch: str | None) -> None:
    """Say how far a CAMPAIGN (file or ready name) is, or that of a LOG: done, running, missing.

    Works while it runs and after a crash. Nothing is run, and nothing that the campaign names is
    imported. Of a CAMPAIGN the logs of its batches count, too, and those that are missing are
    named. Of a LOG alone the plan is what the log tells of its campaign, or of its batch.

    A run is planned, then running (one for each worker at most), then done, failed or timeout;
    missing are those that have still to be made, interrupted ones among them. A campaign with
    several budgets is run in stages: all runs with the first budget, then all with the second. A
    campaign may be divided into batches, commands of their own (`firsthit run --batch 2/5`), each
    with its share of the problems and its own log. The time left is that of the runs that ended,
    for those to come; it is rough where runs differ much.
    """
    status, plan = _status(campaign, output, batch)
    if form == "json":
        click.echo(json.dumps(_plain(status, plan), indent=2))
        return
    total = {"algorithm": "all", "dimension": "", **_total(status)}
    print_rows([*_rows(status), total], form, none="?")
    for line in _notes(status, plan):
        click.echo(line)


def _status(source: str, output: str | None, batch: str | None) -> tuple[Status, str]:
    """The status, and where the plan comes from: ``campaign``, ``log`` or ``unknown``."""
    from ..runner import load_campaign
    from ..runner.campaign.batches import parse_batch
    from ..runner.campaign.file import output_of
    from ..runner.campaign.status import campaign_status
    from ..suites import FirsthitError

    if source.endswith((_LOG, _PARTS)):
        if batch is not None:
            raise click.UsageError("--batch goes with a campaign, not with a log")
        status = campaign_status(Path(source.removesuffix(".parts")))
        return status, "log" if status.is_planned else "unknown"
    try:
        loaded = load_campaign(source, given({"output": output}), imports=False)
        header = in_batch(loaded, batch, output).header()
    except FirsthitError as reason:
        # suites that its imports register are unknown here: what the log says is the next best
        log = Path(output) if output else output_of(source)
        if batch is not None and output is None:
            log = parse_batch(batch).output(log)
        try:
            status = campaign_status(log, with_batches=batch is None)
        except FirsthitError:
            raise reason from None
        return status, "log" if status.is_planned else "unknown"
    log = in_batch(loaded, batch, output).output
    return campaign_status(log, header, loaded.workers, with_batches=batch is None), "campaign"


def _rows(status: Status) -> list[dict[str, Any]]:
    from ..runner.campaign.status import COUNTS

    return [
        {"algorithm": row.algorithm, "dimension": row.dimension}
        | {name: getattr(row, name) for name in COUNTS}
        for row in status.rows
    ]


def _total(status: Status) -> dict[str, int | None]:
    from ..runner.campaign.status import COUNTS

    return {name: status.total(name) for name in COUNTS}


def _notes(status: Status, plan: str) -> list[str]:
    writer, left = status.writer, status.seconds_left
    runs = f"runs at once: {status.workers}"
    if writer is None:
        who = "no coordinator is at work"
    elif writer.is_alive:
        who = f"coordinator: {writer}, {runs}"
    else:
        who = f"no coordinator is at work; the last one, {writer}, was killed"
    notes = ["", f"log: {status.log}", who]
    if status.isolation:
        notes.append(f"isolation: {', '.join(status.isolation)}")
    if plan == "unknown":
        notes.append("the log does not tell what was planned; give the campaign file")
    elif left is None:
        notes.append("time left: unknown, no run has ended yet")
    elif status.is_complete:
        notes.append("complete")
    else:
        notes.append(f"time left: about {timedelta(seconds=round(left))} ({runs})")
    if status.total("failed") or status.total("timeout"):
        notes.append("failed and timed out runs: firsthit run --retry-failed makes them again")
    for i, stage in enumerate(status.stages, start=1):
        ended = f"{stage.planned - stage.left} of {stage.planned} runs ended"
        notes.append(f"stage {i} of {len(status.stages)}, budget {stage.budget}: {ended}")
    for entry in status.batches:
        if entry.left:
            where = f"in {entry.log}" if entry.log else "no log of it here"
            notes.append(
                f"batch {entry.batch}: {entry.left} of {entry.planned} runs missing ({where})"
            )
    if status.batches and all(entry.left == 0 for entry in status.batches):
        notes.append(f"all {len(status.batches)} batches are complete; firsthit merge joins them")
    if status.others:
        notes.append(f"{status.others} runs of the log are not in the plan")
    return [*notes, *(f"note: {note}" for note in status.notes)]


def _plain(status: Status, plan: str) -> dict[str, Any]:
    writer = None if status.writer is None else asdict(status.writer)
    if writer is not None:
        del writer["note"]
    return {
        "log": str(status.log),
        "coordinator": writer,
        "plan": plan,
        "workers": status.workers,
        "isolation": list(status.isolation),
        "rows": _rows(status),
        "total": _total(status),
        "not_in_plan": status.others,
        "seconds_left": status.seconds_left,
        "notes": status.notes,
        "stages": [asdict(stage) for stage in status.stages],
        "batches": [
            {"batch": str(entry.batch), "log": str(entry.log) if entry.log else None,
             "planned": entry.planned, "left": entry.left}
            for entry in status.batches
        ],
    }  # fmt: skip
