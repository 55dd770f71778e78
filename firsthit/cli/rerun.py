"""``firsthit rerun``: make the runs of a report or a log again, and compare the first hits.

A report is a stranger's file. Only the keys named here are taken from it, each with the type that a
campaign file asks for: no addresses, workers, threads or paths of logs. Only firsthit's own
optimizers run, with parameters that cannot name or be code; ``--trust`` lifts that.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..suites.errors import FirsthitError

if TYPE_CHECKING:
    from ..assessment.report.source import Fingerprint
    from ..runner.campaign.campaign import Campaign, SuiteChoice
    from ..runner.executors.executor import Isolation
    from ..runner.optimizers.resolve import OptimizerRef

_MOST_NAMED = 10
_WORD = re.compile(r"[A-Za-z0-9_/-]{1,60}", re.ASCII)
"""Texts in parameters that are safe: cma, for one, evaluates texts as Python expressions, and a
word calls nothing. Slashes stand in names such as ``DE/rand/1/bin``."""


class RerunError(FirsthitError, ValueError):
    """The runs of a report or a log cannot be made again."""


class _Damaged(RerunError):
    """A campaign is malformed; the text says where, without the file's name."""


@click.command()
@click.argument("source", metavar="REPORT.html|LOG.h5|FOLDER")
@click.option("-o", "--output", metavar="FOLDER", required=True, help="New: for the logs.")
@click.option("--workers", metavar="N|all", default="all", help="Runs at the same time (all).")
@click.option(
    "--code",
    metavar="FOLDER",
    default=".",
    show_default=True,
    help="Where the files stand that the campaign names ('my_es.py:solve').",
)
@click.option("--trust", is_flag=True,
              help="Import optimizers and suites that are not firsthit's own, and take parameters "
              "as they are: running them is running what the author names.")  # fmt: skip
def command(source: str, output: str, workers: str, code: str, trust: bool) -> None:
    """Run the campaigns of a report or a log again and say whether the first hits are equal.

    FOLDER is one that `firsthit publish` wrote; its log is taken.

    What is run is listed first. Exit code: 0 equal, 1 different or failed, 2 wrong use. A report is
    a stranger's file: only firsthit's own optimizers run, unless --trust is given.
    """
    from .run import executed, single_threaded

    single_threaded()
    from ..assessment.report.source import fingerprints
    from ..loggers import read_log
    from ..publishing.metadata import LOG
    from ..runner.campaign.keys import checked

    if (published := Path(source, LOG)).is_file():
        source = str(published)
    kind = "log" if source.endswith(".h5") else "report"
    headers, before = _content(source, kind)
    folder, here = Path(output), str(Path(code).absolute())
    if os.path.lexists(folder):
        raise RerunError(f"{output!r} exists; name a new folder")
    if not headers:
        raise RerunError(f"{source}: the report tells of no log")
    count, campaigns = checked("workers", workers), []
    try:
        for number, header in enumerate(headers, start=1):
            log = folder / f"{number}.h5"
            named = {"name": str(number), "workers": count, "output": log, "folder": here}
            campaigns.append(replace(_campaign(header, trust, here), **named))
    except _Damaged as error:
        raise RerunError(f"{source}: the {kind}'s campaign is damaged: {error}") from error
    for campaign in campaigns:
        _show(campaign)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise RerunError(f"cannot write to {folder}: {error.strerror or error}") from error
    for campaign in campaigns:
        executed(campaign)
    after = fingerprints(read_log([campaign.output for campaign in campaigns]))
    sys.exit(_compare(before, after, kind))


def _content(source: str, kind: str) -> tuple[Sequence[Mapping[str, Any]], Sequence[Fingerprint]]:
    """The headers of the logs, and the fingerprints of their first hits."""
    from ..assessment.report import read_report
    from ..assessment.report.source import fingerprints
    from ..loggers import read_log

    if kind == "log":
        return (log := read_log(source)).headers, fingerprints(log)
    report = read_report(source)
    return report.headers, report.first_hits


def _campaign(header: Mapping[str, Any], trust: bool, code: str) -> Campaign:
    """The campaign that makes the runs under a log's header again; raises where none can."""
    from ..runner.campaign.batches import parse_batch
    from ..runner.campaign.campaign import RUN_RULES, Campaign, RunRules
    from ..runner.campaign.checks import check_fit, first_problems
    from ..runner.optimizers.import_string import import_text
    from ..runner.optimizers.parallel import read_duration
    from ..runner.optimizers.resolve import BUILT_IN

    facts, algorithms = header.get("campaign"), header.get("algorithms")
    if facts is None:
        raise RerunError(
            "the runs were observed in somebody's own loop or imported: no campaign tells how to "
            "make them again"
        )
    if not isinstance(facts, dict) or not isinstance(algorithms, dict) or not algorithms:
        raise _Damaged("campaign and algorithms must be mappings")
    if isinstance(parallel := facts.get("parallel"), dict):
        known = {key: parallel[key] for key in ("evaluators", "duration") if key in parallel}
        facts = {**facts, "parallel": known}
    rules = RunRules(*(_value(facts, key) for key in RUN_RULES))
    imports = _value(facts, "imports") if facts.get("imports") else ()
    refs = tuple(_optimizer(name, entry, trust, code) for name, entry in algorithms.items())
    references = [*imports, *(ref.use for ref in refs if ref.use not in BUILT_IN)]
    if (own := rules.parallel) is not None:
        rules = replace(rules, parallel=replace(own, folder=code))
        if isinstance(reference := read_duration(own.duration), str):
            references.append(reference)
    if references and not trust:
        raise RerunError(
            "the campaign names code that is not firsthit's own: "
            f"{', '.join(repr(text[:60]) for text in references)}; --trust imports and runs it"
        )
    for text in imports:
        import_text(text, code)
    if not isinstance(listed := facts.get("suites"), list) or not listed:
        raise _Damaged("suites must be a list with at least one entry")
    suites = tuple(map(_suite, listed))
    check_fit(refs, first_problems(suites), rules)
    batch = None if facts.get("batch") is None else parse_batch(facts["batch"])
    isolation: Isolation = "run" if facts.get("isolation") == "run" else "algorithm"
    return Campaign("", suites, refs, rules, _value(facts, "repetitions"), isolation=isolation,
                    imports=imports, batch=batch)  # fmt: skip


def _suite(facts: Any) -> SuiteChoice:
    from ..runner.campaign.campaign import NUMBERS, SuiteChoice

    if not isinstance(facts, dict) or not isinstance(facts.get("name"), str):
        raise _Damaged("a suite must have a name, which is text")
    if not set(NUMBERS) & set(facts):
        raise RerunError(
            f"the problems of suite {facts['name'][:60]!r} were given one by one: no campaign can "
            "name them"
        )
    if not set(NUMBERS) <= set(facts):
        raise _Damaged(f"a suite must have {', '.join(NUMBERS)}")
    choice = SuiteChoice(facts["name"], *(_value(facts, key) for key in NUMBERS))
    choice.suite()  # raises where it is not there
    return choice


def _optimizer(name: str, facts: Any, trust: bool, code: str) -> OptimizerRef:
    from ..loggers.records.identity import check_name
    from ..runner.optimizers.resolve import BUILT_IN, OptimizerRef

    check_name(name, "algorithm")  # before a message shows it
    if not isinstance(facts, dict) or not isinstance(use := facts.get("use"), str):
        raise _Damaged(f"algorithm {name!r} has no 'use'")
    if use not in BUILT_IN and ":" not in use:
        raise RerunError(
            f"algorithm {name!r} was a Python object ({use[:60]!r}), which no campaign can name"
        )
    parameters = facts.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise _Damaged(f"the parameters of {name!r} must be a mapping")
    for key, value in parameters.items() if not trust else ():
        if not _is_harmless(value):
            raise RerunError(
                f"algorithm {name!r}: parameter {key[:60]!r} is {json.dumps(value)[:60]}, which an "
                "optimizer may take for code; --trust hands it on"
            )
    return OptimizerRef(name, use, parameters, _value(facts, "restarts"), code)


def _value(facts: Mapping[str, Any], key: str) -> Any:
    """What stands under a key; the key's default where nothing does."""
    from ..runner.campaign.keys import FILTERS, RULES, checked

    if facts.get(key) is None:
        return {**FILTERS, **RULES}[key].default
    try:
        return checked(key, facts[key])
    except FirsthitError as error:
        raise _Damaged(str(error)) from error


def _is_harmless(value: Any) -> bool:
    """Whether a parameter is a number, a truth value, a word, or a list of such."""
    if isinstance(value, list):
        return all(map(_is_harmless, value))
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    return value is None or isinstance(value, bool | int | float)


def _show(campaign: Campaign) -> None:
    """Print what is going to be run: a line for the campaign, and one for each optimizer."""
    from ..runner import plan
    from ..suites.selection import ranges

    suites = "; ".join(
        f"{choice.name} f{ranges(choice.functions or ())} in {ranges(choice.dimensions or ())}-D, "
        f"instances {ranges(choice.instances or ())}"
        for choice in campaign.suites
    )
    parallel, budget = campaign.rules.parallel, campaign.rules.budget or "none"
    at_once = f"; {parallel.evaluators} evaluators, {parallel.duration}" if parallel else ""
    runs = f"{len(plan(campaign))} runs on {suites}; budget: {budget}{at_once}"
    click.echo(f"campaign {campaign.name}: {runs}", err=True)
    for ref in campaign.optimizers:
        click.echo(f"  {ref.name}: {ref.use} {json.dumps(ref.parameters)}", err=True)


def _compare(before: Sequence[Fingerprint], after: Sequence[Fingerprint], kind: str) -> int:
    """Print the comparison; 0 where all is equal, else 1."""
    now = {found.cell: found for found in after}
    wrong = [found.cell for found in before if now.get(found.cell) != found]
    if not wrong:
        runs = sum(found.runs for found in before)
        click.echo(f"equal: the first hits of all {runs} runs are those of the {kind}")
        return 0
    click.echo(f"different: {len(wrong)} of {len(before)} pairs of algorithm and function")
    for algorithm, suite, function, dimension in wrong[:_MOST_NAMED]:
        click.echo(f"  {algorithm} on {suite} f{function} in {dimension}-D")
    if len(wrong) > _MOST_NAMED:
        click.echo(f"  and {len(wrong) - _MOST_NAMED} more")
    return 1
