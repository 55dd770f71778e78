"""Make the interactive report: read the logs, answer, collect the sections, and write the page.

`report` reads logs and writes the page. `page_of` makes the page of a log: it reads everything that
several sections share into a `Context`, compares the algorithms (`answer`), and collects the data
that the page's scripts draw. Where all runs have seconds of one clock, the page holds the same data
in seconds too. `page` turns the result into HTML.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...loggers.hdf5.schema import JOURNAL_SUFFIX
from ...suites.selection import ranges
from ..caveats import collect_notes
from ..cost import SECONDS, Count, check_count, clocks_of
from ..errors import AssessmentError
from ..figures.style import N_STYLES, distinct_labels, style_numbers
from ..hypervolume_references import change_reference
from ..questions._framework.context import Choices, Context, read_context
from ..questions._framework.registry import sections
from ..references import cocopp_references
from ..selection import measurement_of, references_of, select_runs, split_names
from ..target_choice import Reference, RequestedTargets
from .answer import Answer, Wording, compare_algorithms, explain_method, standings_data
from .page import Page, PageData, caption_of, check_report_path, packed_plotly, write_report
from .source import Fingerprint, fingerprints

if TYPE_CHECKING:
    from ...loggers import Log


_COUNTED = {
    "f+g": "evaluations of the objective and of the constraints, as COCO counts (f+g)",
    "f": "evaluations of the objective alone (f)",
    "g": "evaluations of the constraints alone (g)",
    "seconds": "seconds of each run (seconds)",
    "mixed-seconds": "seconds of each run, of several clocks (mixed-seconds)",
}
"""What counts, in words, by the option ``count``."""
_MOST_NAMED = 8
"""Maximum number of algorithms that the page's summary names."""


def report(
    paths: str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    title: str = "Benchmark report",
    seed: int = 1,
    targets: RequestedTargets = None,
    unequal: bool = False,
    count: Count | None = None,
    reference: Reference | None = None,
    hypervolume_reference: str | Path | None = None,
    algorithms: str | Sequence[str] | None = None,
    background: str | None = None,
) -> Path:
    """Write an interactive report on logs, one HTML file that needs no network.

    Args:
        paths: Logs, as for `load`.
        output: The file, ``NAME.html``; an existing file is replaced.
        title: The heading of the page.
        seed: Seed of simulated restarts and of bootstraps.
        targets: Targets, as for `Results.ecdf`. None: the targets of each suite.
        unequal: Whether profiles and the answer use all runs, and mark by ``*`` the algorithms that
            lack problems. Default: they use only the problems that all algorithms were run on.
        count: What counts as an evaluation, as for `Results.ecdf`.
        reference: What algorithms are compared with, as for `Results.art`. The page shows it as a
            thick line in profiles, and as ratios in the table of average runtimes. Run-length
            targets are made from it.
        hypervolume_reference: The reference of runs with two objectives, as for
            `Results.measured_from`. None: the references in the logs.
        algorithms: The algorithms of the report, as for every question. None: all in the logs.
        background: Logs or published data of other algorithms, separated by commas. Their profiles
            are thin grey lines. None: no background.

    Returns:
        The path of the file.

    Raises:
        FirsthitError: A log cannot be read, the file cannot be written, or there is no such
            reference.
        MissingPackageError: jinja2 or plotly is not installed.
    """
    from ...loggers import read_log

    check_report_path(output)
    with ThreadPoolExecutor(1) as thread:
        # Compress the plotting library while the logs are read, because it takes a moment.
        thread.submit(packed_plotly)
        log = read_log(paths)
        order = sorted(log.algorithms)
        if algorithms is not None:
            requested = [algorithms] if isinstance(algorithms, str) else algorithms
            names = split_names(requested, log.algorithms)
            log = log.take(select_runs(log, algorithms=names))
        if hypervolume_reference is not None:
            log = change_reference(log, np.arange(len(log)), hypervolume_reference)
        choices = Choices(seed, targets, unequal, count, reference, background, order)
        page = page_of(log, title, choices)
        del log  # The log and the text of the page take much memory.
        return write_report(page, output)


def page_of(
    log: Log, title: str, choices: Choices, *, base: Path | None = None, created: str = ""
) -> Page:
    """Make the report on a log.

    Args:
        log: The runs.
        title: The heading of the page.
        choices: The options of the report.
        base: The folder to which names of files are relative. None: the working folder.
        created: The date of the page, ISO 8601. Empty: the time at which the page is rendered.

    Raises:
        FirsthitError: An option does not apply to the runs, or a reference or background cannot be
            read.
    """
    inputs = _read_inputs(log, choices, base)
    context = inputs.context
    wordings = {suite: _wording(log, suite) for suite in context.positions.suites}
    answers = _answers(context, wordings)
    answers_in_seconds = []
    if inputs.in_seconds is not None:
        answers_in_seconds = _answers(inputs.in_seconds, wordings)
    data = _page_data(inputs, answers, answers_in_seconds)
    return Page(
        title=title,
        what=_summary(context),
        answer=[*answers, *answers_in_seconds],
        warnings=_warnings(inputs),
        how=explain_method(wordings.values()),
        choices=_choice_rows(context),
        targets=context.targets_text,
        axis=context.axis,
        sections=[
            section for section in sections() if not section.needs or section.needs in data.names
        ],
        data=data.packed(),
        logs=inputs.logs,
        headers=inputs.headers,
        first_hits=inputs.first_hits,
        created=created,
    )


@dataclass(frozen=True, eq=False)
class _Inputs:
    """Data of the log for a page, except data that single sections read.

    Attributes:
        context: The data that sections share.
        in_seconds: The same data with runtimes in seconds. None: the page does not offer seconds.
        clock_notes: Why the page does not offer seconds although all runs have them.
        logs: Name and SHA-256 of each file; of a published log also licence, authors and DOI.
        headers: What each file says of its runs, see `Log.headers`.
        first_hits: Checksums of the first hits.
    """

    context: Context
    in_seconds: Context | None
    clock_notes: tuple[str, ...]
    logs: Sequence[Mapping[str, str]]
    headers: Sequence[Mapping[str, Any]]
    first_hits: Sequence[Fingerprint]


def _read_inputs(log: Log, choices: Choices, base: Path | None) -> _Inputs:
    """Read the inputs of a page, and free the memory of the hits that the log has read."""
    files = [_short_path(file) if base is None else _path_in(file, base) for file in log.files]
    context = read_context(log, files, choices)
    in_seconds, clock_notes = _read_in_seconds(context)
    inputs = _Inputs(
        context=context,
        in_seconds=in_seconds,
        clock_notes=clock_notes,
        logs=[
            {"file": name, "sha256": _checksum(log, file), **log.publications.get(file, {})}
            for name, file in zip(files, log.files, strict=True)
        ],
        headers=log.headers,
        first_hits=fingerprints(log),
    )
    # Samples and fingerprints hold all that is needed of the hits. Sections read other data of the
    # log, one dimension at a time, because all of it would take too much memory.
    log.forget()
    return inputs


def _read_in_seconds(context: Context) -> tuple[Context | None, tuple[str, ...]]:
    """Read the data of the page in seconds, if the user asked for no count and all runs have them.

    Returns:
        The context in seconds, or None; and a note if the runs have seconds that the page cannot
        show, for example of several clocks.
    """
    log, rows = context.log, context.runs.rows
    if context.choices.count is not None or np.isnan(log.seconds(rows)).any():
        return None, ()
    try:
        check_count(log, rows, SECONDS)
        choices = replace(context.choices, count=SECONDS)
        return read_context(log, context.files, choices), ()
    except AssessmentError as error:
        return None, (f"No choice of seconds: {error}.",)


def _warnings(inputs: _Inputs) -> tuple[str, ...]:
    """Select the caveats that the page shows at its head."""
    all_runs = collect_notes(inputs.context.all_runs)
    common_runs = collect_notes(inputs.context.common_runs)
    algorithms = inputs.context.choices.order or inputs.context.positions.algorithms
    styles_repeat = []
    if len(algorithms) > N_STYLES:
        styles_repeat.append(
            f"Styles repeat: there are {len(algorithms)} algorithms, and {N_STYLES} styles."
        )
    return (
        *all_runs["broken_runs"],
        *all_runs["references_of_hypervolumes"],
        *common_runs["where_targets_come_from"],
        *common_runs["what_targets_rest_on"],
        *common_runs["without_reference_value"],
        *common_runs["left_out"],
        *inputs.clock_notes,
        *common_runs["different_functions"],
        *common_runs["different_instances"],
        *styles_repeat,
    )


def _wording(log: Log, suite: str) -> Wording:
    """Return the words of the answer for a suite."""
    open_ended = measurement_of(log, suite).final_target is None
    return Wording.of(open_ended=open_ended, by_hypervolume=_uses_hypervolume(log, suite))


def _answers(context: Context, wordings: Mapping[str, Wording]) -> list[Answer]:
    """Compare the algorithms in each suite and dimension."""
    groups = {suite: _groups(context.log, suite) for suite in context.positions.suites}
    cells, budgets = context.common_runs.cells, context.averaged.targets.budgets
    return compare_algorithms(cells, groups, context.seed, wordings, budgets)


def _page_data(
    inputs: _Inputs, answers: Sequence[Answer], answers_in_seconds: Sequence[Answer]
) -> PageData:
    """Collect the data that the page's scripts draw."""
    context, in_seconds = inputs.context, inputs.in_seconds
    data = PageData()
    data.add(_shared_data(context))
    data.add(_counted_data(context))
    for section in sections():
        if not section.counts:
            data.add(section.data(context))
    data.add({"standings": standings_data(answers, context.positions)})
    data.add({"reference": _reference_data(context)})
    if in_seconds is not None:
        counted = _counted_data(in_seconds)
        standings_in_seconds = standings_data(answers_in_seconds, in_seconds.positions)
        data.add({"in_seconds": {**counted, "standings": standings_in_seconds}})
    return data


def _shared_data(context: Context) -> dict[str, Any]:
    """Return the data that all scripts of the page use, whatever is counted."""
    requested, positions = context.choices.targets, context.positions
    order = context.choices.order or positions.algorithms
    labels = distinct_labels(order)
    return {
        "algorithms": list(positions.algorithms),
        "labels": [labels[name] for name in positions.algorithms],
        "all_styles": [style_numbers(index) for index in range(N_STYLES)],
        "styles": [style_numbers(order.index(name)) for name in positions.algorithms],
        "suites": [_suite(context.log, name) for name in positions.suites],
        "logs": list(context.files),
        "partial": _partial_algorithms(context),
        "asked_targets": requested if isinstance(requested, str) else None,
    }


def _partial_algorithms(context: Context) -> list[dict[str, int]]:
    """Return the algorithms that lack problems another was run on, by suite and dimension."""
    rows = []
    for (suite, dimension), sample in context.all_runs.by_dimension().items():
        problems: dict[str, set[tuple[int, int]]] = {}
        for run_set in sample:
            instances = run_set.instances.tolist()
            problems.setdefault(run_set.algorithm, set()).update(
                (run_set.function, instance) for instance in instances
            )
        all_problems = set().union(*problems.values())
        rows += [
            {**context.positions.of(algorithm, suite), "dimension": dimension}
            for algorithm, problems_of_algorithm in problems.items()
            if problems_of_algorithm < all_problems
        ]
    return rows


def _counted_data(context: Context) -> dict[str, Any]:
    """Return the data of the page that depend on what is counted: evaluations or seconds."""
    counted_sections = [section for section in sections() if section.counts]
    data: dict[str, Any] = {
        "count": context.choices.count,
        "axis": context.axis,
        "clock": " and ".join(clocks_of(context.log, context.runs.rows)),
        "captions": {
            section.id: caption_of(section, context.targets_text, context.axis)
            for section in counted_sections
        },
    }
    for section in counted_sections:
        data |= section.data(context)
    return data


def _reference_data(context: Context) -> dict[str, Any] | None:
    """Return the reference as data of the page; None if the report has no reference.

    Returns:
        ``name``: its name in texts; ``asked``: the value of ``--reference``, None if it was not
        text; ``algorithm``: its position among the algorithms, None if it is none of them.
    """
    if context.reference is None:
        return None
    requested, name = context.reference.requested, context.reference.name
    names = context.positions.algorithms
    return {
        "name": name,
        "asked": str(requested) if isinstance(requested, str | Path) else None,
        "algorithm": names.index(name) if name in names else None,
    }


def _suite(log: Log, name: str) -> dict[str, Any]:
    """Return name, dimensions, functions and groups of a suite, as far as the log has runs."""
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
    """Return the functions of each named group of a suite."""
    return {name: list(functions) for name, functions in log.groups(suite).items() if name}


def _uses_hypervolume(log: Log, suite: str) -> bool:
    """Return whether the targets of a suite are precisions of the hypervolume."""
    return measurement_of(log, suite).indicator == "hypervolume"


def _summary(context: Context) -> str:
    """Return the algorithms, suites, functions, dimensions and number of runs in one sentence."""
    runs, names = context.log.runs, context.positions.algorithms
    n = len(names)
    first_names = ", ".join(name or "(no name)" for name in names[:_MOST_NAMED])
    more = f" and {n - _MOST_NAMED} more" if n > _MOST_NAMED else ""
    functions = ranges(np.unique(runs["function"]).tolist())
    dimensions = ranges(np.unique(runs["dimension"]).tolist())
    return (
        f"{n} algorithm{'s' if n > 1 else ''} ({first_names}{more}) on "
        f"{', '.join(context.positions.suites)}: functions {functions}, dimensions "
        f"{dimensions}; {len(context.log)} runs."
    )


def _choice_rows(context: Context) -> list[dict[str, str]]:
    """Return each option of the report with its value and a command that changes it."""
    choices, log = context.choices, context.log
    suites = context.positions.suites
    runtimes = "of the algorithm restarted until it succeeds (exact distribution)"
    references = []
    if any(_uses_hypervolume(log, suite) for suite in suites):
        runtimes += "; with two objectives, of runs as they are"
        counts = references_of(log, np.arange(len(log)))
        names = ", ".join(f"{name} ({runs} runs)" for name, runs in counts.items())
        command = "firsthit report LOGS --hypervolume-reference archive"
        references = [("reference of hypervolumes", names or "not known", command)]
    unequal = (
        "all runs of each algorithm; * marks algorithms without some functions or instances"
        if choices.unequal
        else "the answer and profiles use only functions, dimensions and instances that all "
        "algorithms were run on; tables and the other figures use all runs, and mark by * who "
        "lacks some"
    )
    rows = (
        ("targets", context.targets_text, "firsthit report LOGS --targets 1e1,1e-1,1e-8"),
        ("runtimes in profiles", runtimes, "firsthit assess ecdf LOGS --runtimes runs"),
        (
            "reference",
            "none" if context.reference is None else context.reference.name,
            "firsthit report LOGS --reference NAME, best, or a file of COCO's reference data; "
            "ratios to the least and to an algorithm: above the table of average runtimes"
            + _suggest_references(suites),
        ),
        *references,
        (
            "background",
            context.background.sources if context.background else "none",
            "firsthit report LOGS --background 'coco:bbob/2009/*'",
        ),
        ("unequal sets", unequal, "firsthit report LOGS --unequal"),
        ("what counts", _COUNTED[choices.count or "f+g"], "firsthit report LOGS --count f"),
        ("seed of all that is random", str(choices.seed), "firsthit report LOGS --seed 2"),
    )
    return [{"name": name, "here": value, "change": command} for name, value, command in rows]


def _suggest_references(suites: Iterable[str]) -> str:
    """Name the references of the installed cocopp for these suites; empty if there are none."""
    available = cocopp_references()
    names = [name for suite in suites if (name := f"best2009-{suite}") in available]
    options = " or ".join(f"--reference {name}" for name in names)
    return f"; the best algorithms of BBOB 2009, from cocopp: {options}" if names else ""


def _short_path(file: Path) -> str:
    """Return a path relative to the working folder if the file lies below it, else absolute."""
    absolute, folder = file.absolute(), Path.cwd()
    return str(absolute.relative_to(folder) if absolute.is_relative_to(folder) else absolute)


def _path_in(file: Path, base: Path) -> str:
    """Return the path of a file relative to a folder; for a file elsewhere its name."""
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else file.name


def _checksum(log: Log, file: Path) -> str:
    """Return the SHA-256 of a file of the log.

    For a log, it is the checksum at the time of reading, because the writer may have replaced the
    file or removed a journal since then.
    """
    if file.suffix == JOURNAL_SUFFIX:
        return "being written"
    return log.checksums.get(file) or _sha256(file)


def _sha256(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder, that of the names and checksums of its files."""
    if path.is_dir():
        digest = hashlib.sha256()
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            digest.update(f"{_sha256(file)}  {file.relative_to(path).as_posix()}\n".encode())
        return digest.hexdigest()
    with open(path, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
