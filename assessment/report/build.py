"""``report``: from logs to the page."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...loggers.hdf5.schema import JOURNAL_SUFFIX
from ...suites.selection import ranges
from ..asking.context import Choices, Context
from ..asking.registry import sections
from ..data.counting import SECONDS, check_count, clocks_of
from ..data.hypervolume import change_reference
from ..data.notes import broken_notes, notes_on_functions, notes_on_instances, reference_notes
from ..data.run_sets import RunSet
from ..data.selection import references_of, select_runs, split_names
from ..data.target_choice import Reference, RequestedTargets
from ..errors import AssessmentError
from ..figures.style import COLOURS, DASHES
from .answer import Answer, Wording, answers, how, standings
from .page import Page, PageData, caption_of, check_report_path, packed_plotly, write_report
from .source import fingerprints

if TYPE_CHECKING:
    from ...loggers import Log


_COUNTED = {
    "f+g": "evaluations of the objective and of the constraints, as COCO counts (f+g)",
    "f": "evaluations of the objective alone (f)",
    "g": "evaluations of the constraints alone (g)",
    "seconds": "seconds of each run (seconds)",
    "mixed-seconds": "seconds of each run, of several clocks (mixed-seconds)",
}


def report(
    paths: str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    title: str = "Benchmark report",
    seed: int = 1,
    targets: RequestedTargets = None,
    unequal: bool = False,
    count: str | None = None,
    reference: Reference | None = None,
    hypervolume_reference: str | Path | None = None,
    algorithms: str | Sequence[str] | None = None,
    background: str | None = None,
) -> Path:
    """Write an interactive report on logs, one HTML file that needs no network.

    Args:
        paths: Logs, as for `load`.
        output: The file, ``NAME.html``; replaced if it exists.
        title: Its heading.
        seed: Of simulated restarts and of bootstraps.
        targets: As for `Results.ecdf`; None: those of each suite.
        unequal: Whether profiles and the answer use all runs, and mark by ``*`` who lacks what
            another has; else only what all algorithms were run on.
        count: What counts as an evaluation, as for `Results.ecdf`.
        reference: What algorithms are measured against, as for `Results.art`: a thick line in
            profiles, and ratios in the table of average runtimes; run-length targets are made from
            it.
        hypervolume_reference: What runs on two objectives are measured from, as
            `Results.measured_from` takes it; None: what the logs say.
        algorithms: Those that it is about, as for every question; None: all in the logs.
        background: Logs or published data of others, between commas, whose profiles stand thin and
            grey behind; None: none.

    Returns:
        The file.

    Raises:
        FirsthitError: A log cannot be read, the file cannot be written, or there is no such
            reference.
        MissingPackageError: jinja2 or plotly is not installed.
    """
    from ...loggers import read_log

    check_report_path(output)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(packed_plotly)  # it takes a moment, and is needed at the end
        log = read_log(paths)
        order = sorted(log.algorithms)
        if algorithms is not None:
            given = [algorithms] if isinstance(algorithms, str) else algorithms
            log = log.take(select_runs(log, algorithms=split_names(given, log.algorithms)))
        if hypervolume_reference is not None:
            log = change_reference(log, np.arange(len(log)), hypervolume_reference)
        choices = Choices(seed, targets, unequal, count, reference, background, order)
        page = page_of(log, title, choices)
        del log  # it takes much memory, and so does writing
        return write_report(page, output)


def page_of(
    log: Log, title: str, choices: Choices, *, base: Path | None = None, created: str = ""
) -> Page:
    """All that the report says about the runs of a log.

    Files are named in the folder ``base``; None: the working folder.
    """
    files = [_short_path(file) if base is None else _inside(file, base) for file in log.files]
    context = Context(log, files, choices)
    reference = _reference(context)  # a name that nobody knows is refused before the work begins
    run_sets = _read(context)
    wordings = {
        suite: Wording.of(suite in context.open_ended, suite in context.by_hypervolume)
        for suite in context.positions.suites
    }
    found = _answers(context, wordings)
    data = content(context)
    data.add({"standings": standings(found, context.positions), "reference": reference})
    timed, clock = _in_seconds(context)
    if timed is not None:
        _read(timed)
        in_seconds = _answers(timed, wordings)
        who = standings(in_seconds, timed.positions)
        data.add({"in_seconds": {**_counted(timed), "standings": who}})
        found += in_seconds
    return Page(
        title=title,
        what=_what(context),
        answer=found,
        warnings=broken_notes(run_sets)
        + reference_notes(run_sets)
        + context.common_runs[1].notes
        + clock
        + notes_on_functions(context.common_runs[0])
        + notes_on_instances(context.common_runs[0]),
        how=how(wordings.values()),
        choices=choice_rows(context),
        targets=context.targets_text,
        axis=context.axis,
        sections=[
            section for section in sections() if not section.needs or section.needs in data.names
        ],
        data=data.packed(),
        logs=[
            {"file": name, "sha256": _checksum(log, file)}
            for name, file in zip(files, log.files, strict=True)
        ],
        headers=log.headers,
        first_hits=fingerprints(log),
        created=created,
    )


def content(context: Context) -> PageData:
    """What the page's script draws: what all sections need, and what each adds."""
    found, requested = PageData(), context.choices.targets
    order = context.choices.order or context.positions.algorithms
    found.add(
        {
            "algorithms": list(context.positions.algorithms),
            "places": [order.index(name) for name in context.positions.algorithms],
            "suites": [_suite(context.log, name) for name in context.positions.suites],
            "logs": list(context.files),
            "partial": context.partial,
            "asked_targets": requested if isinstance(requested, str) else None,
            "colours": COLOURS,
            "dashes": DASHES,
        }
    )
    found.add(_counted(context))
    for section in sections():
        if not section.counts:
            found.add(section.data(context))
    return found


def _read(context: Context) -> list[RunSet]:
    """Read the hits that are needed, and free the memory of the rest; all runs with their hits."""
    _ = context.common_runs, context.averaged, context.averaged_reference
    context.log.forget()  # hits of targets are not asked for again
    return context.all_runs[0]


def _answers(context: Context, wordings: Mapping[str, Wording]) -> list[Answer]:
    groups = {suite: _groups(context.log, suite) for suite in context.positions.suites}
    return answers(context.common_runs[0], groups, context.seed, wordings)


def _counted(context: Context) -> dict[str, Any]:
    """The page's data that depend on what is counted; scripts are told by ``axis``."""
    own = [section for section in sections() if section.counts]
    captions = {
        section.id: caption_of(section, context.targets_text, context.axis) for section in own
    }
    found: dict[str, Any] = {
        "count": context.choices.count,
        "axis": context.axis,
        "clock": " and ".join(clocks_of(context.log, context.runs.rows)),
        "captions": captions,
    }
    for section in own:
        found |= section.data(context)
    return found


def _in_seconds(context: Context) -> tuple[Context | None, tuple[str, ...]]:
    """The same in seconds, where the page has a choice; a sentence where it should and cannot.

    There is one where nothing else was asked for and all runs have seconds of one clock.
    """
    log, rows = context.log, context.runs.rows
    if context.choices.count is not None or np.isnan(log.seconds(rows)).any():
        return None, ()
    timed = replace(context, choices=replace(context.choices, count=SECONDS))
    try:
        check_count(log, rows, SECONDS)
        _ = timed.averaged_reference, timed.reference, timed.background
    except AssessmentError as error:
        return None, (f"No choice of seconds: {error}.",)
    return timed, ()


def _reference(context: Context) -> dict[str, Any] | None:
    """Name of the reference, how commands name it, and its position among the algorithms."""
    if context.reference is None:
        return None
    requested, (_, name) = context.choices.reference, context.reference
    names = context.positions.algorithms
    return {
        "name": name,
        "asked": str(requested) if isinstance(requested, str | Path) else None,
        "algorithm": names.index(name) if name in names else None,
    }


def _suite(log: Log, name: str) -> dict[str, Any]:
    """Name, functions, groups and dimensions of a suite."""
    runs = log.runs
    rows = runs["suite"] == name
    numbers, first = np.unique(runs["function"][rows], return_index=True)
    titles = runs["function_name"][rows][first]
    return {
        "name": name,
        "dimensions": np.unique(runs["dimension"][rows]).tolist(),
        "functions": [
            {"function": int(number), "name": str(title)}
            for number, title in zip(numbers, titles, strict=True)
        ],
        "groups": _groups(log, name),
    }


def _groups(log: Log, suite: str) -> dict[str, list[int]]:
    return {name: list(functions) for name, functions in log.groups(suite).items() if name}


def _what(context: Context) -> str:
    runs, names = context.log.runs, context.positions.algorithms
    first_names = ", ".join(name or "(no name)" for name in names[:8])
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    n = len(names)
    functions, dimensions = (np.unique(runs[n]).tolist() for n in ("function", "dimension"))
    return (
        f"{n} algorithm{'s' if n > 1 else ''} ({first_names}{more}) on "
        f"{', '.join(context.positions.suites)}: functions {ranges(functions)}, dimensions "
        f"{ranges(dimensions)}; {len(context.log)} runs."
    )


def _short_path(file: Path) -> str:
    """The file as a reader may type it: relative where it lies below the working folder."""
    absolute = file.absolute()
    here = Path(os.getcwd())
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)


def _inside(file: Path, base: Path) -> str:
    """The file's place in a folder that is handed on; of a file elsewhere its name alone."""
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else file.name


def _checksum(log: Log, file: Path) -> str:
    """Of a log as it was read: by now its writer may have replaced it, or removed a journal."""
    if file.suffix == JOURNAL_SUFFIX:
        return "being written"
    return log.checksums.get(file) or _sha256(file)


def _sha256(source: Path) -> str:
    """Of a file; of a folder (data of other tools), of its files' names and checksums."""
    if source.is_dir():
        digest = hashlib.sha256()
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            digest.update(f"{_sha256(file)}  {file.relative_to(source).as_posix()}\n".encode())
        return digest.hexdigest()
    with open(source, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def choice_rows(context: Context) -> list[dict[str, str]]:
    """Rows ``{name, here, change}``: targets, reference, unequal sets, counts, seed."""
    own = context.choices
    unequal = (
        "all runs of each algorithm; * marks algorithms without some functions or instances"
        if own.unequal
        else "the answer and profiles use only functions, dimensions and instances that all "
        "algorithms were run on; tables and the other figures use all runs, and mark by * who "
        "lacks some"
    )
    rows = (
        ("targets", context.targets_text, "firsthit report LOGS --targets 1e1,1e-1,1e-8"),
        (
            "runtimes in profiles",
            "of the algorithm restarted until it succeeds (exact distribution)"
            + "; with two objectives, of runs as they are" * bool(context.by_hypervolume),
            "firsthit assess ecdf LOGS --runtimes runs",
        ),
        (
            "reference",
            "none" if context.reference is None else context.reference[1],
            "firsthit report LOGS --reference NAME, best, or a file of COCO's reference data; "
            "ratios to the least and to an algorithm: above the table of average runtimes",
        ),
        *_hypervolume(context),
        (
            "background",
            " ".join(context.background.notes) if context.background else "none",
            "firsthit report LOGS --background 'coco:bbob/2009/*'",
        ),
        ("unequal sets", unequal, "firsthit report LOGS --unequal"),
        ("what counts", _COUNTED[own.count or "f+g"], "firsthit report LOGS --count f"),
        ("seed of all that is random", str(own.seed), "firsthit report LOGS --seed 2"),
    )
    return [{"name": name, "here": here, "change": change} for name, here, change in rows]


def _hypervolume(context: Context) -> list[tuple[str, str, str]]:
    """The row on what hypervolumes are measured from; none without two objectives."""
    if not context.by_hypervolume:
        return []
    names = references_of(context.log, np.arange(len(context.log)))
    here = ", ".join(f"{name} ({runs} runs)" for name, runs in names.items()) or "not known"
    change = "firsthit report LOGS --hypervolume-reference archive"
    return [("reference of hypervolumes", here, change)]
