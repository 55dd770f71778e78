"""``firsthit rerun``: run again what a report tells of, and compare the first hits.

A report is a stranger's file. Of what it says only the keys listed here are taken, one by one, each
with the type that a campaign file asks for. Addresses, workers, threads and paths of logs are not
among them. Only firsthit's own optimizers run, with parameters that cannot name or be code;
``--trust`` lifts that.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..suites.errors import FirsthitError

if TYPE_CHECKING:
    from ..assessment.report.source import Fingerprint
    from ..runner import Campaign, OptimizerRef, Parallel, SuiteChoice

_MOST_NAMED = 10
_WORD = re.compile(r"[A-Za-z0-9_/-]{1,60}", re.ASCII)
"""Texts in parameters that are safe: cma, for one, evaluates texts as Python expressions, and a
word calls nothing. Slashes stand in names such as ``DE/rand/1/bin``."""


class RerunError(FirsthitError, ValueError):
    """What a report tells of cannot be run again."""


class _Damaged(RerunError):
    """A report's campaign is malformed; the text says where, without the report's name."""


@click.command()
@click.argument("report", metavar="REPORT.html")
@click.option("-o", "--output", metavar="FOLDER", required=True, help="New: for the logs.")
@click.option("--workers", metavar="N|all", default="all", help="Runs at the same time (all).")
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
    help="Import optimizers and suites that are not firsthit's own, and take parameters as they "
    "are: running them is running what the report's author names.",
)
def command(report: str, output: str, workers: str, code: str, trust: bool) -> None:
    """Run the campaigns of REPORT.html again and say whether the first hits are equal.

    What is run is listed first. Exit code: 0 equal, 1 different or failed, 2 wrong use. A report is
    a stranger's file: only firsthit's own optimizers run, unless --trust is given.
    """
    from .run import single_threaded

    single_threaded()
    from ..assessment.report import read_report
    from ..runner import plan
    from ..runner.campaign.keys import checked

    source = read_report(report)
    folder = Path(output)
    if os.path.lexists(folder):
        raise RerunError(f"{output!r} exists; name a new folder")
    if not source.headers:
        raise RerunError(f"{report}: the report tells of no log")
    count, here = checked("workers", workers), str(Path(code).absolute())
    try:
        campaigns = [
            replace(
                _campaign(header, trust, here),
                name=f"{number}",
                workers=count,
                output=folder / f"{number}.h5",
                folder=here,
            )
            for number, header in enumerate(source.headers, start=1)
        ]
    except _Damaged as error:
        raise RerunError(
            f"{report}: what the report tells of its campaign is damaged: {error}"
        ) from error
    for campaign in campaigns:
        for line in _summary(campaign, len(plan(campaign))):
            click.echo(line, err=True)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise RerunError(f"cannot write to {folder}: {error.strerror or error}") from error
    sys.exit(_compare(source.first_hits, _run(campaigns)))


def _campaign(header: Mapping[str, Any], trust: bool, code: str) -> Campaign:
    """The campaign that makes the runs under a log's header again.

    Raises:
        RerunError: The runs were made by no campaign, by objects that have no name, or by code that
            is not trusted; or the header is malformed.
        FirsthitError: There is no such suite, optimizer, parameter or indicator.
    """
    from ..runner import Campaign, RunRules, parse_batch
    from ..runner.campaign.campaign import RUN_RULES
    from ..runner.campaign.checks import check_fit, first_problems

    facts, algorithms = header.get("campaign"), header.get("algorithms")
    if facts is None:
        raise RerunError(
            "the report's runs were observed in somebody's own loop or imported: no campaign "
            "tells how to make them again"
        )
    if not isinstance(facts, dict) or not isinstance(algorithms, dict) or not algorithms:
        raise _Damaged("campaign and algorithms must be mappings")
    imports = _imports(facts.get("imports"), trust, code)
    parallel = _parallel(facts.get("parallel"), trust, code)
    known = {**facts, "parallel": parallel}
    rules = RunRules(*(_value(known, key) for key in RUN_RULES))
    refs = tuple(_optimizer(name, one, trust, code) for name, one in algorithms.items())
    suites = tuple(_suites(facts.get("suites")))
    check_fit(refs, first_problems(suites), rules)
    batch = facts.get("batch")
    return Campaign(
        name="",
        suites=suites,
        optimizers=refs,
        rules=rules,
        repetitions=_value(facts, "repetitions"),
        imports=imports,
        batch=None if batch is None else parse_batch(batch),
    )


def _imports(texts: Any, trust: bool, code: str) -> tuple[str, ...]:
    from ..runner.optimizers.import_string import import_text

    if not texts:
        return ()
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise _Damaged("imports must be a list of texts")
    _check_trusted(trust, *texts)
    for text in texts:
        import_text(text, code)
    return tuple(texts)


def _parallel(told: Any, trust: bool, code: str) -> Parallel | None:
    """Evaluators and durations; a function that says how long they last is code."""
    from ..runner.optimizers.durations import read_duration

    keys = ("evaluators", "duration")
    if isinstance(told, dict):
        told = {key: value for key, value in told.items() if key in keys}
    parallel: Parallel | None = _value({"parallel": told}, "parallel")
    if parallel is None:
        return None
    if isinstance(reference := read_duration(parallel.duration), str):
        _check_trusted(trust, reference)
    return replace(parallel, folder=code)


def _suites(listed: Any) -> Iterator[SuiteChoice]:
    from ..runner import SuiteChoice
    from ..runner.campaign.campaign import NUMBERS

    if not isinstance(listed, list) or not listed:
        raise _Damaged("suites must be a list with at least one entry")
    for one in listed:
        if not isinstance(one, dict) or not isinstance(one.get("name"), str):
            raise _Damaged("a suite must have a name, which is text")
        if not set(NUMBERS) & set(one):
            raise RerunError(
                f"the problems of suite {one['name'][:60]!r} were given one by one: no campaign "
                "can name them"
            )
        if not set(NUMBERS) <= set(one):
            raise _Damaged(f"a suite must have {', '.join(NUMBERS)}")
        choice = SuiteChoice(one["name"], *(_value(one, key) for key in NUMBERS))
        choice.suite()  # raises where it is not there
        yield choice


def _optimizer(name: str, facts: Any, trust: bool, code: str) -> OptimizerRef:
    from ..loggers.records.identity import check_name
    from ..runner import OptimizerRef, optimizer_names

    check_name(name, "algorithm")  # before a message shows it
    use = facts.get("use") if isinstance(facts, dict) else None
    if not isinstance(use, str):
        raise _Damaged(f"algorithm {name!r} has no 'use'")
    if use not in optimizer_names():
        if ":" not in use:
            raise RerunError(
                f"algorithm {name!r} was a Python object ({use[:60]!r}), which no campaign can name"
            )
        _check_trusted(trust, use)
    parameters = facts.get("parameters") or {}
    if not isinstance(parameters, dict):
        raise _Damaged(f"the parameters of {name!r} must be a mapping")
    for key, value in parameters.items() if not trust else ():
        if not _is_harmless(value):
            raise RerunError(
                f"algorithm {name!r}: parameter {key[:60]!r} is {json.dumps(value)[:60]}, which an "
                "optimizer may take for code; --trust hands it on"
            )
    restarts = None if facts.get("restarts") is None else _value(facts, "restarts")
    return OptimizerRef(name, use, parameters, restarts, code)


def _check_trusted(trust: bool, *references: str) -> None:
    if not trust:
        raise RerunError(
            f"the report names code that is not firsthit's own: "
            f"{', '.join(repr(one[:60]) for one in references)}; --trust imports and runs it"
        )


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
        return all(_is_harmless(one) for one in value)
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    return value is None or isinstance(value, bool | int | float)


def _summary(campaign: Campaign, runs: int) -> Iterator[str]:
    """What is going to be run: a line for the campaign, and one for each optimizer."""
    from ..suites.selection import ranges

    suites = "; ".join(
        f"{one.name} f{ranges(one.functions or ())} in {ranges(one.dimensions or ())}-D, "
        f"instances {ranges(one.instances or ())}"
        for one in campaign.suites
    )
    budget = campaign.rules.budget or "none"
    parallel = campaign.rules.parallel
    at_once = f"; {parallel.evaluators} evaluators, {parallel.duration}" if parallel else ""
    yield f"campaign {campaign.name}: {runs} runs on {suites}; budget: {budget}{at_once}"
    for ref in campaign.optimizers:
        yield f"  {ref.name}: {ref.use} {json.dumps(ref.parameters)}"


def _run(campaigns: Sequence[Campaign]) -> tuple[Fingerprint, ...]:
    from ..assessment.report.source import fingerprints
    from ..loggers import read_log
    from .run import executed

    for campaign in campaigns:
        executed(campaign)
    return fingerprints(read_log([campaign.output for campaign in campaigns]))


def _compare(before: Sequence[Fingerprint], after: Sequence[Fingerprint]) -> int:
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
