"""References of the hypervolume: by what a user says, those of the runs, and files of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...suites.biobj.pairs import PLACEHOLDER
from ...suites.facts import ProblemId
from ...suites.selection import ranges
from ..errors import AssessmentError, writing
from ..tables.csv_text import read_csv
from ..tables.table import Table, Value, table_of
from .selection import cells, values_of

if TYPE_CHECKING:
    from ...loggers import Log
    from ...loggers.log.change_reference import HypervolumeReference

ARCHIVE = "archive"
"""Says that precisions are measured from the best archive of the data."""
BEST_ARCHIVE = "best archive of the data"
"""Name of the reference that this is."""
COLUMNS = ("suite", "function", "dimension", "instance", "name", "value")
"""Of a file of references; it may have more."""

References = Mapping[ProblemId, "HypervolumeReference"]


def change_reference(
    log: Log, rows: NDArray[np.intp], reference: str | Path, others: Sequence[Log] = ()
) -> Log:
    """The log with runs on two objectives measured from the references that a user asks for.

    ``"archive"``: from the hypervolume of all archives of the data together, problem by
    problem, also those of ``others``; else a file, as ``firsthit references`` writes it.
    """
    from ...loggers.log.change_reference import measured_by_hypervolume, measured_from, problem_of

    rows = np.intersect1d(rows, measured_by_hypervolume(log))
    if not len(rows):
        raise AssessmentError(
            "a reference of the hypervolume is asked for, but none of these runs is measured by "
            f"hypervolume; the logs hold suites {', '.join(log.runs.codes('suite')[0])}"
        )
    _check_archives(log, rows)
    references = _best([log, *others]) if reference == ARCHIVE else read_references(Path(reference))
    missing = {problem_of(log, row) for row in rows.tolist()} - set(references)
    if missing:
        more = f" and {len(missing) - 1} others" if len(missing) > 1 else ""
        raise AssessmentError(
            f"{str(reference)!r} has no reference of the hypervolume for {min(missing)}{more}; "
            "leave them out, or write a file for them: firsthit references LOGS --output FILE.csv"
        )
    return measured_from(log, rows, references)


def read_references(path: Path) -> dict[ProblemId, HypervolumeReference]:
    """The references of a file: CSV with the columns of `COLUMNS`, in any order."""
    from ...loggers.log.change_reference import HypervolumeReference

    found: dict[ProblemId, HypervolumeReference] = {}
    try:
        names, lines = read_csv(path)
    except (OSError, ValueError) as error:
        raise AssessmentError(
            f"cannot read references of the hypervolume from {str(path)!r}: {error}; give "
            f"{ARCHIVE!r}, or a file that firsthit references LOGS --output FILE.csv wrote"
        ) from error
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise AssessmentError(
            f"{str(path)!r} is no file of references of the hypervolume: it has no column "
            f"{missing[0]!r}; firsthit references LOGS --output FILE.csv writes one"
        )
    for number, line in enumerate(lines, 2):
        problem, value = _reference(path, number, line)
        if problem in found:
            raise AssessmentError(f"{str(path)!r} has {problem} twice")
        found[problem] = HypervolumeReference(*value)
    return found


def _reference(
    path: Path, number: int, line: Mapping[str, str]
) -> tuple[ProblemId, tuple[str, float]]:
    try:
        function, dimension, instance = (int(line[name]) for name in COLUMNS[1:4])
        value = float(line["value"])
        if not 0 <= value <= 1 or min(function, dimension, instance) < 0:
            raise ValueError
    except (TypeError, ValueError):
        fields = ",".join(str(line[name]) for name in COLUMNS)
        raise AssessmentError(
            f"{str(path)!r}, line {number}: {fields[:80]!r} is no reference; function, dimension "
            "and instance must be integers and value from 0 to 1"
        ) from None
    return ProblemId(line["suite"], function, dimension, instance), (line["name"], value)


def _best(logs: Sequence[Log]) -> dict[ProblemId, HypervolumeReference]:
    from ...loggers.log.change_reference import HypervolumeReference, best_archives

    return {
        problem: HypervolumeReference(BEST_ARCHIVE, best.hypervolume)
        for problem, best in best_archives(logs).items()
        if not math.isnan(best.hypervolume)
    }


def _check_archives(log: Log, rows: NDArray[np.int64]) -> None:
    kept, evaluations = log.runs["archive_kept"][rows], log.runs["evaluations"][rows]
    unknown = [
        row
        for row in rows[kept == "all"].tolist()
        if len(log.archive(row)) and not len(log.objectives(row))
    ]
    for bad, reason in (
        (rows[(kept == "none") & (evaluations > 0)], "kept no archive"),
        (rows[kept == "final"], "kept of their archives what was left at the end"),
        (np.array(unknown, dtype=np.int64), "do not tell the ideal and the nadir point"),
    ):
        if len(bad):
            names = ", ".join(dict.fromkeys(log.runs["algorithm"][bad].tolist()))
            suites = ", ".join(dict.fromkeys(log.runs["suite"][bad].tolist()))
            functions = ranges(np.unique(log.runs["function"][bad]).tolist())
            raise AssessmentError(
                f"{len(bad)} runs of {names} on {suites}, functions {functions}, {reason}, so "
                "their hits cannot be measured from another reference; leave them out, or run "
                "them with archive: all"
            )


def references_table(log: Log, rows: NDArray[np.intp]) -> Table:
    """References of the hypervolume, and the best of the data.

    Columns: ``suite, function, dimension, instance``; ``name`` and ``value`` of the reference; of
    all archives of the problem together the hypervolume, ``best``, NaN where there is none, and how
    many ``archives`` these are; number of ``runs`` measured from this reference. A problem whose
    runs are measured from several references has a line for each.
    """
    from ...loggers.log.change_reference import best_archives, measured_by_hypervolume, problem_of

    rows = np.intersect1d(rows, measured_by_hypervolume(log))
    if not len(rows):
        raise AssessmentError("none of these runs is measured by hypervolume")
    best = best_archives([log], rows)
    lines: list[list[Value]] = []
    for places in cells(log, rows, COLUMNS[:4]):
        there = rows[places]
        own = best[problem_of(log, int(there[0]))]
        columns = (log.runs[name][there].tolist() for name in ("reference_name", "reference_value"))
        found = list(zip(*columns, strict=True))
        for name, value in sorted(set(found)):
            cell = values_of(log, there[0], COLUMNS[:4])
            runs = found.count((name, value))
            lines.append([*cell, name, value, own.hypervolume, own.archives, runs])
    return Table(table_of((*COLUMNS, "best", "archives", "runs"), lines), _notes_on(lines))


def updated(table: Table, name: str) -> Table:
    """The columns of a file of references, with the best of the data where it is better.

    It is better where its hypervolume is larger, or where there is only COCO's placeholder.
    """
    lines: dict[tuple[Value, ...], list[Value]] = {}
    for row in table.rows():
        problem, known, value, best = row[:4], row[4], float(row[5]), float(row[6])
        is_new = best > value or known == PLACEHOLDER or math.isnan(value)
        if is_new and not math.isnan(best):
            known, value = name, best
        line = [*problem, known, value]
        if lines.setdefault(problem, line) != line:
            raise AssessmentError(
                f"f{problem[1]} of {problem[0]} in {problem[2]}-D, instance {problem[3]} has "
                "several references; choose among the runs, or give --hypervolume-reference FILE"
            )
    return replace(table, columns=table_of(COLUMNS, list(lines.values())), notes=())


def write_references(table: Table, path: Path) -> None:
    """Write what `updated` gave into a new file, as CSV."""
    with writing(path), open(path, "x", encoding="utf-8", newline="") as file:
        file.write(table.to_csv())


def _notes_on(lines: list[list[Value]]) -> tuple[str, ...]:
    better = sum(float(line[6]) > float(line[5]) for line in lines)
    placeholders = sum(line[4] == PLACEHOLDER for line in lines)
    notes = [
        "best: hypervolume of all archives of the problem together; between the ideal point (0, 0) "
        "and the nadir point (1, 1) it is at most 1."
    ]
    if better:
        notes.append(f"{better} of {len(lines)} references are exceeded by the data.")
    if placeholders:
        notes.append(f"{placeholders} of {len(lines)} are {PLACEHOLDER}, 1: none is known.")
    return tuple(notes)
