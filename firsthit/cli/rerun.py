"""``firsthit rerun``: make the runs of a report or a log again, and compare the first hits.

A report or log may come from other people. `Campaign.from_header` reads its campaign with the
reader of campaign files and imports nothing. `_read_campaign` takes a fixed set of fields from this
campaign: never addresses, numbers of workers or threads, or paths of logs. Only the built-in
optimizers run, with parameters that cannot name or be code, unless ``--trust`` is given. The plan
is printed before the first run.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from . import options
from .activity import end_activity, show_activity
from .help import Command, add_option
from .rerun_selection import RerunError, SelectedRuns, select_from_log, select_from_report

if TYPE_CHECKING:
    from ..assessment.report.source import Fingerprint
    from ..runner.campaign.campaign import Campaign

SourceKind = Literal["log", "report"]

_OVERWRITE_HINT = "; or replace its logs with --overwrite"
_MAX_NAMED_DIFFERENCES = 10
"""Most differences that are printed; the others are counted."""
_WORD = re.compile(r"[A-Za-z0-9_/-]{1,60}", re.ASCII)
"""Texts in parameters that are harmless. Some optimizers, for example cma, evaluate texts as Python
expressions, and a word calls nothing. Slashes occur in names such as ``DE/rand/1/bin``."""


@click.command(
    cls=Command,
    examples=[
        "firsthit rerun report.html -o again",
        "firsthit rerun results/my.h5 -o again --trust --code .",
        "firsthit rerun results/my.h5 -o points --functions 8 --record-points all",
    ],
)
@click.argument("source", metavar="REPORT.html|LOG.h5|FOLDER")
@add_option(
    "-o",
    "--output",
    metavar="FOLDER",
    required=True,
    help="Folder of the new logs: a new folder, or the folder of an interrupted rerun to continue.",
)
@options.overwrite
@add_option(
    "--workers",
    metavar="N|all",
    default="all",
    help="Number of runs at the same time, e.g. 4.",
    show_default=True,
)
@add_option(
    "--code",
    metavar="FOLDER",
    default=".",
    show_default=True,
    help="Folder of the files that the campaign names, e.g. of my_es.py for 'my_es.py:solve'.",
)
@add_option(
    "--trust",
    is_flag=True,
    help="Import optimizers and suites that do not belong to firsthit, and allow all parameters. "
    "This runs code that the author of the file chose.",
)
@options.algorithms
@options.suites
@options.functions
@options.dimensions
@options.instances
@add_option(
    "--record-points",
    metavar="hits|all|TEXT",
    help="Points that the new logs contain: of hits, of all evaluations, or e.g. 'first 50*D'. "
    "Default: those of the campaign, usually none.",
)
@add_option(
    "--max-point-bytes",
    type=int,
    metavar="BYTES",
    help="Maximum size of the points of one run, before compression, e.g. 10000000. Default: that "
    "of the campaign.",
)
def command(
    source: str,
    output: str,
    overwrite: bool,
    workers: str,
    code: str,
    trust: bool,
    record_points: str | None,
    max_point_bytes: int | None,
    **selectors: Any,
) -> None:
    """Repeat the campaigns of a report or log, and compare the first hits.

    FOLDER is a folder that `firsthit publish` wrote; its log is used.

    Selectors such as --functions restrict the runs that are repeated and compared. With
    --record-points, the new logs contain the points of these runs, because seeds and start points
    are in the log. If first hits differ, the points belong to other runs.

    The command prints the planned runs first. After an interruption, the same command continues.
    --overwrite deletes the logs of an earlier rerun in the output folder first. A report may come
    from other people: only built-in optimizers run, unless --trust is given.

    Exit code: 0 if the first hits are equal, 1 if they differ or runs failed, 2 for wrong use.
    """
    from .run import execute_campaign, limit_threads

    limit_threads()
    from ..assessment.report.source import fingerprints
    from ..loggers import read_log
    from ..loggers.hdf5.merge import remove_log
    from ..loggers.records.points import parse_points
    from ..publishing.metadata import LOG
    from ..runner import CampaignError
    from ..runner.campaign.keys import checked

    if (published_log := Path(source, LOG)).is_file():
        source = str(published_log)
    kind: SourceKind = "log" if source.endswith(".h5") else "report"
    rule_changes: dict[str, Any] = {}
    if record_points is not None:
        rule_changes["record_points"] = parse_points(record_points)
    if max_point_bytes is not None:
        rule_changes["max_point_bytes"] = checked("max_point_bytes", max_point_bytes)
    show_activity("reading the first hits")
    headers, selected = _read_source(source, kind, selectors)
    folder, code_folder = Path(output), str(Path(code).absolute())
    if not headers:
        raise RerunError(f"{source}: the report names no log")
    earlier_logs = _list_earlier_logs(folder, len(headers), overwrite)
    if overwrite and os.path.realpath(source) in map(os.path.realpath, earlier_logs):
        raise RerunError(f"{source}: --overwrite would delete this log; name a new folder")
    n_workers = checked("workers", workers)
    campaigns = []
    for number, header in enumerate(headers, start=1):
        try:
            stored_campaign = _read_campaign(header, code_folder)
        except CampaignError as error:
            raise RerunError(f"{source}: the runs cannot be made again: {error}") from error
        if (campaign := selected.narrow(stored_campaign)) is None:
            continue
        log = folder / f"{number}.h5"
        rules = replace(campaign.rules, **rule_changes)
        campaign = replace(campaign, name=str(number), workers=n_workers, output=log, rules=rules)
        _check_campaign(campaign, trust)
        campaigns.append(campaign)
    if not overwrite:
        for campaign in campaigns:
            _check_begun_log(campaign)
    for campaign in campaigns:
        _show_plan(campaign)
    if overwrite:
        for log in earlier_logs:
            remove_log(log)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RerunError(f"cannot write to {folder}: {error.strerror or error}") from error
    end_activity()
    for campaign in campaigns:
        execute_campaign(campaign)
    show_activity("comparing the first hits")
    new_log = read_log([campaign.output for campaign in campaigns])
    exit_code = _compare(selected.first_hits, fingerprints(selected.compared_runs(new_log)), kind)
    if exit_code and any(campaign.rules.record_points for campaign in campaigns):
        click.echo(f"the recorded points belong to other runs than those of the {kind}")
    sys.exit(exit_code)


def _list_earlier_logs(folder: Path, n_logs: int, overwrite: bool) -> list[Path]:
    """Return the logs of an earlier rerun in a folder.

    Args:
        folder: The folder, which may not exist.
        n_logs: Number of logs that this rerun writes: 1.h5 to N.h5.
        overwrite: Whether the folder may have further logs N.h5, of another rerun.

    Raises:
        RerunError: The folder contains anything else, or it is no folder.
    """
    if not os.path.lexists(folder):
        return []
    reason = "" if folder.is_dir() else "it is not a folder"
    logs = []
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        # A log may have a folder of parts, the torn end of a journal and temporary files beside it.
        match = re.match(r"\.?([1-9][0-9]*)\.h5", entry.name, re.ASCII)
        if match is None:
            reason = f"{entry.name[:60]!r} in it does not belong to a rerun"
        elif int(match[1]) > n_logs and not overwrite:
            reason = f"{entry.name[:60]!r} in it does not belong to this rerun{_OVERWRITE_HINT}"
        else:
            logs.append(folder / f"{match[1]}.h5")
    if reason:
        raise RerunError(f"{str(folder)!r} exists; name a new folder, because {reason}")
    return list(dict.fromkeys(logs))


def _check_begun_log(campaign: Campaign) -> None:
    """Raise RerunError if the log of a campaign exists and contains runs of another campaign."""
    from ..loggers import read_log
    from ..loggers.errors import LogNotFoundError

    try:
        headers = read_log(campaign.output).headers
    except LogNotFoundError:
        return
    expected = json.loads(campaign.header().to_json())
    if any(_identify(header) != _identify(expected) for header in headers):
        raise RerunError(
            f"{str(campaign.output.parent)!r} exists; name a new folder, because the runs in "
            f"{campaign.output.name!r} are of another rerun{_OVERWRITE_HINT}"
        )


def _identify(header: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    """Return the campaign of a header and the names of its algorithms.

    The isolation is left out, because a rerun may be continued with another number of workers.
    """
    stored = dict(header.get("campaign") or {})
    stored.pop("isolation", None)
    return stored, sorted(header.get("algorithms") or {})


def _read_source(
    source: str, kind: SourceKind, selectors: Mapping[str, Any]
) -> tuple[Sequence[Mapping[str, Any]], SelectedRuns]:
    """Return the headers of the logs, and the runs that the selectors select."""
    from ..assessment.report import read_report
    from ..loggers import read_log

    if kind == "log":
        return (log := read_log(source)).headers, select_from_log(log, selectors)
    report = read_report(source)
    return report.headers, select_from_report(report.first_hits, selectors)


def _read_campaign(header: Mapping[str, Any], code_folder: str) -> Campaign:
    """Return the campaign of a header with the fields that a rerun takes, and no others.

    Nothing is imported. Raise CampaignError if the header contains no campaign or a damaged one.
    """
    from ..runner.campaign.campaign import Campaign

    stored = Campaign.from_header(header, code_folder)
    return Campaign(
        name=stored.name,
        suites=stored.suites,
        optimizers=stored.optimizers,
        rules=stored.rules,
        repetitions=stored.repetitions,
        isolation=stored.isolation,
        imports=stored.imports,
        folder=stored.folder,
        batch=stored.batch,
    )


def _check_campaign(campaign: Campaign, trust: bool) -> None:
    """Check that a campaign can run, and import its modules and optimizers.

    Raises:
        RerunError: An optimizer was a Python object. Without ``trust``: the campaign names code
            that does not belong to firsthit, or a parameter could be code. Nothing was imported.
        FirsthitError: A suite, optimizer or indicator does not exist, or they do not fit together.
    """
    from ..runner.campaign.checks import check_fit, first_problems
    from ..runner.optimizers.import_string import import_text
    from ..runner.optimizers.parallel import read_duration
    from ..runner.optimizers.resolve import BUILT_IN

    references = list(campaign.imports)
    for optimizer in campaign.optimizers:
        name, use = optimizer.name, str(optimizer.use)
        if use not in BUILT_IN:
            if ":" not in use:
                raise RerunError(
                    f"algorithm {name!r} was a Python object ({use[:60]!r}), which no campaign can "
                    "name"
                )
            references.append(use)
        for key, value in optimizer.parameters.items():
            if not trust and not _is_harmless(value):
                raise RerunError(
                    f"algorithm {name!r}: parameter {key[:60]!r} is {json.dumps(value)[:60]}, "
                    "which an optimizer may take for code; --trust hands it on"
                )
    if campaign.rules.parallel is not None:
        duration = read_duration(campaign.rules.parallel.duration)
        if isinstance(duration, str):
            references.append(duration)
    if references and not trust:
        raise RerunError(
            "the campaign names code that is not firsthit's own: "
            f"{', '.join(repr(text[:60]) for text in references)}; --trust imports and runs it"
        )
    for text in campaign.imports:
        import_text(text, campaign.folder)
    for choice in campaign.suites:
        choice.suite()  # raises UnknownNameError or SelectionError
    check_fit(campaign.optimizers, first_problems(campaign.suites), campaign.rules)


def _is_harmless(value: Any) -> bool:
    """Return whether a parameter is None, a number, a Boolean, a word, or a list of these."""
    if isinstance(value, list):
        return all(map(_is_harmless, value))
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    return value is None or isinstance(value, bool | int | float)


def _show_plan(campaign: Campaign) -> None:
    """Print the planned runs: one line for the campaign, and one for each optimizer."""
    from ..runner import plan
    from ..suites.selection import ranges

    suites = "; ".join(
        f"{choice.name} f{ranges(choice.functions or ())} in {ranges(choice.dimensions or ())}-D, "
        f"instances {ranges(choice.instances or ())}"
        for choice in campaign.suites
    )
    parallel, budget = campaign.rules.parallel, campaign.rules.budget or "none"
    evaluators = f"; {parallel.evaluators} evaluators, {parallel.duration}" if parallel else ""
    runs = f"{len(plan(campaign))} runs on {suites}; budget: {budget}{evaluators}"
    click.echo(f"campaign {campaign.name}: {runs}", err=True)
    for optimizer in campaign.optimizers:
        parameters = json.dumps(optimizer.parameters)
        click.echo(f"  {optimizer.name}: {optimizer.use} {parameters}", err=True)


def _compare(before: Sequence[Fingerprint], after: Sequence[Fingerprint], kind: SourceKind) -> int:
    """Print whether the first hits are equal, and which differ; return the exit code, 0 or 1."""
    after_by_cell = {fingerprint.cell: fingerprint for fingerprint in after}
    different_cells = [
        fingerprint.cell
        for fingerprint in before
        if after_by_cell.get(fingerprint.cell) != fingerprint
    ]
    if not different_cells:
        n_runs = sum(fingerprint.runs for fingerprint in before)
        click.echo(f"equal: the first hits of all {n_runs} runs are those of the {kind}")
        return 0
    click.echo(
        f"different: {len(different_cells)} of {len(before)} pairs of algorithm and function"
    )
    for algorithm, suite, function, dimension in different_cells[:_MAX_NAMED_DIFFERENCES]:
        click.echo(f"  {algorithm} on {suite} f{function} in {dimension}-D")
    if len(different_cells) > _MAX_NAMED_DIFFERENCES:
        click.echo(f"  and {len(different_cells) - _MAX_NAMED_DIFFERENCES} more")
    return 1
