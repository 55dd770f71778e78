"""``firsthit rerun``: run again what a report tells of, and compare the first hits."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..suites.errors import FirsthitError

if TYPE_CHECKING:
    from ..assessment.report.fingerprint import Fingerprint

_MOST_NAMED = 10


class RerunError(FirsthitError, ValueError):
    """What a report tells of cannot be run again."""


@click.command()
@click.argument("report", metavar="REPORT.html")
@click.option(
    "-o", "--output", metavar="FOLDER", required=True, help="New: for campaigns and logs."
)
@click.option("--workers", metavar="N|all", help="Runs at the same time (all).")
@click.option(
    "--code",
    metavar="FOLDER",
    default=".",
    show_default=True,
    help="Where the files stand that the campaign names ('my_es.py:solve').",
)
@click.option(
    "--trust",
    is_flag=True,
    help="Import optimizers and suites that are not firsthit's own: running them is running what "
    "the report's author names.",
)
def command(report: str, output: str, workers: str | None, code: str, trust: bool) -> None:
    """Run the campaigns of REPORT.html again and say whether the first hits are equal.

    Exit code: 0 equal, 1 different or failed, 2 wrong use. A report is a stranger's file: what it
    names beside firsthit's own optimizers is imported only with --trust.
    """
    from ..assessment.report import read_report
    from .run import single_threaded

    single_threaded()
    source = read_report(report)
    folder = Path(output)
    if folder.exists():
        raise RerunError(f"{output!r} exists; name a new folder")
    campaigns = [
        campaign_of(header, f"{i}.h5", Path(code).absolute(), trust)
        for i, header in enumerate(source.headers, start=1)
    ]
    if not campaigns:
        raise RerunError(f"{report}: the report tells of no log")
    _write(folder, campaigns)
    sys.exit(_told(source.first_hits, _run(folder, len(campaigns), workers)))


def campaign_of(header: Mapping[str, Any], log: str, code: Path, trust: bool) -> dict[str, Any]:
    """The campaign file, as data, that makes the runs under a log's header again.

    Raises:
        RerunError: The runs were made by no campaign, by objects that have no name, or by code that
            is not trusted.
    """
    campaign, algorithms = header.get("campaign"), header.get("algorithms")
    if not isinstance(campaign, dict) or not isinstance(algorithms, dict):
        raise RerunError(
            "the report's runs were observed in somebody's own loop or imported: no campaign tells "
            "how to make them again"
        )
    optimizers = [_optimizer(name, facts, code) for name, facts in algorithms.items()]
    imports = [_located(str(item), code) for item in campaign.get("imports") or ()]
    foreign = [one["use"] for one in optimizers if not _is_own(one["use"])] + imports
    if foreign and not trust:
        raise RerunError(
            f"the report names code that is not firsthit's own: {', '.join(map(repr, foreign))}; "
            "--trust imports and runs it"
        )
    dropped = ("name", "suites", "imports")
    kept = {k: v for k, v in campaign.items() if k not in dropped and v is not None}
    suites = [
        {key: suite[key] for key in ("name", "functions", "dimensions", "instances")}
        for suite in campaign["suites"]
    ]
    tuning = {"tuning": header["tuning"]} if header.get("tuning") is not None else {}
    made = {"suites": suites, "optimizers": optimizers, **kept, **tuning}
    return {**made, "output": log, **({"imports": imports} if imports else {})}


def _optimizer(name: str, facts: Any, code: Path) -> dict[str, Any]:
    use = facts.get("use") if isinstance(facts, dict) else None
    if not isinstance(use, str) or not (_is_own(use) or ":" in use):
        raise RerunError(
            f"algorithm {name!r} was a Python object ({use}), which no campaign can name"
        )
    kept = {key: facts[key] for key in ("parameters", "restarts") if facts.get(key)}
    return {"name": name, "use": use if _is_own(use) else _located(use, code), **kept}


def _is_own(use: str) -> bool:
    from ..runner import optimizer_names

    return use in optimizer_names()


def _located(reference: str, code: Path) -> str:
    """A reference to a file, made absolute; to a module, as it is."""
    path, colon, name = reference.rpartition(":")
    file = path if colon else name
    return f"{code / file}{colon}{name if colon else ''}" if file.endswith(".py") else reference


def _write(folder: Path, campaigns: Sequence[Mapping[str, Any]]) -> None:
    try:
        folder.mkdir(parents=True)
        for i, campaign in enumerate(campaigns, start=1):
            made = {**campaign, "output": str(folder / campaign["output"])}
            text = json.dumps(made, indent=2, ensure_ascii=False)
            (folder / f"{i}.yaml").write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise RerunError(f"cannot write to {folder}: {error.strerror or error}") from error


def _run(folder: Path, campaigns: int, workers: str | None) -> tuple[Fingerprint, ...]:
    from ..assessment.report.fingerprint import fingerprints
    from ..loggers import read_log
    from ..runner import load_campaign
    from .run import executed

    overrides = {} if workers is None else {"workers": workers}
    logs = []
    for i in range(1, campaigns + 1):
        campaign = load_campaign(folder / f"{i}.yaml", overrides)
        executed(campaign)
        logs.append(campaign.output)
    return fingerprints(read_log(logs))


def _told(before: Sequence[Fingerprint], after: Sequence[Fingerprint]) -> int:
    """Print the comparison; 0 where all is equal, else 1."""
    then, now = ({one.cell: one for one in ones} for ones in (before, after))
    wrong = [cell for cell in then if cell not in now or now[cell] != then[cell]]
    runs = sum(one.runs for one in before)
    if not wrong:
        click.echo(f"equal: the first hits of all {runs} runs are those of the report")
        return 0
    click.echo(f"different: {len(wrong)} of {len(then)} pairs of algorithm and function")
    for algorithm, suite, function, dimension in wrong[:_MOST_NAMED]:
        click.echo(f"  {algorithm} on {suite} f{function} in {dimension}-D")
    if len(wrong) > _MOST_NAMED:
        click.echo(f"  and {len(wrong) - _MOST_NAMED} more")
    return 1
