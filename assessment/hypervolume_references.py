"""Change, list and write the references of the hypervolume, for runs with two objectives.

Precisions of these runs are differences to a reference hypervolume of each problem.
`change_reference` measures runs from other references: the best archives of the data, or a file.
`references_table` lists the references of runs, and `write_references` writes a file of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..suites.biobj.pairs import PLACEHOLDER
from ..suites.facts import ProblemId
from ..suites.selection import ranges
from .errors import AssessmentError, writing
from .selection import cells, values_of
from .tables.csv_text import parse_count, parse_number, read_csv
from .tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from ..loggers import Log
    from ..loggers.log.change_reference import HypervolumeReference

ARCHIVE = "archive"
"""Request for references that are computed from all archives of the data."""
BEST_ARCHIVE = "best archive of the data"
"""Name of such a reference."""
COLUMNS = ("suite", "function", "dimension", "instance", "name", "value")
"""Required columns of a file of references; further columns are ignored."""

References = Mapping[ProblemId, "HypervolumeReference"]


def change_reference(
    log: Log, rows: NDArray[np.intp], reference: str | Path, others: Sequence[Log] = ()
) -> Log:
    """Return a log whose runs with two objectives are measured from other references.

    Args:
        log: The log.
        rows: Rows of ``log.runs``; runs that are not measured by hypervolume are ignored.
        reference: ``"archive"``: for each problem, the hypervolume of all its archives together;
            else the path of a file that ``firsthit references`` wrote.
        others: Further logs whose archives ``"archive"`` takes.

    Raises:
        AssessmentError: No run is measured by hypervolume, a problem has no reference, or the
            archive of a run is incomplete.
    """
    from ..loggers.log.change_reference import measured_by_hypervolume, measured_from, problem_of

    rows = np.intersect1d(rows, measured_by_hypervolume(log))
    if not len(rows):
        raise AssessmentError(
            "a reference of the hypervolume is asked for, but none of these runs is measured by "
            f"hypervolume; the logs hold suites {', '.join(log.runs.codes('suite')[0])}"
        )
    _check_archives(log, rows)
    references = (
        _best_references([log, *others])
        if reference == ARCHIVE
        else read_references(Path(reference))
    )
    missing = {problem_of(log, row) for row in rows.tolist()} - set(references)
    if missing:
        more = f" and {len(missing) - 1} others" if len(missing) > 1 else ""
        raise AssessmentError(
            f"{str(reference)!r} has no reference of the hypervolume for {min(missing)}{more}; "
            "leave them out, or write a file for them: firsthit references LOGS --output FILE.csv"
        )
    return measured_from(log, rows, references)


def read_references(path: Path) -> dict[ProblemId, HypervolumeReference]:
    """Read the references of a CSV file with the columns of `COLUMNS`, in any order.

    Raises:
        AssessmentError: The file cannot be read, lacks a column, has a bad line, or has a problem
            twice.
    """
    from ..loggers.log.change_reference import HypervolumeReference

    references: dict[ProblemId, HypervolumeReference] = {}
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
        problem, name_and_value = _parse_line(path, number, line)
        if problem in references:
            raise AssessmentError(f"{str(path)!r} has {problem} twice")
        references[problem] = HypervolumeReference(*name_and_value)
    return references


def _parse_line(
    path: Path, number: int, line: Mapping[str, str]
) -> tuple[ProblemId, tuple[str, float]]:
    try:
        function, dimension, instance = (parse_count(line[name]) for name in COLUMNS[1:4])
        value = parse_number(line["value"])
        if not 0 <= value <= 1:
            raise ValueError
    except ValueError:
        fields = ",".join(str(line[name]) for name in COLUMNS)
        raise AssessmentError(
            f"{str(path)!r}, line {number}: {fields[:80]!r} is no reference; function, dimension "
            "and instance must be integers and value from 0 to 1"
        ) from None
    return ProblemId(line["suite"], function, dimension, instance), (line["name"], value)


def _best_references(logs: Sequence[Log]) -> dict[ProblemId, HypervolumeReference]:
    from ..loggers.log.change_reference import HypervolumeReference, best_archives

    return {
        problem: HypervolumeReference(BEST_ARCHIVE, best.hypervolume)
        for problem, best in best_archives(logs).items()
        if not math.isnan(best.hypervolume)
    }


def _check_archives(log: Log, rows: NDArray[np.int64]) -> None:
    """Raise an AssessmentError unless hits can be computed again from the runs' archives."""
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
    """Return a table of the references of the hypervolume, and the best of the data.

    Columns: ``suite, function, dimension, instance``; ``name`` and ``value`` of the reference;
    ``best``, the hypervolume of all archives of the problem together, NaN without archives;
    ``archives``, their number; ``runs``, the number of runs that are measured from this reference.
    A problem whose runs are measured from several references has a row for each.

    Args:
        log: The log.
        rows: Rows of ``log.runs``; runs that are not measured by hypervolume are ignored.

    Raises:
        AssessmentError: No run is measured by hypervolume.
    """
    from ..loggers.log.change_reference import best_archives, measured_by_hypervolume, problem_of

    rows = np.intersect1d(rows, measured_by_hypervolume(log))
    if not len(rows):
        raise AssessmentError("none of these runs is measured by hypervolume")
    best = best_archives([log], rows)
    lines: list[list[Value]] = []
    for positions in cells(log, rows, COLUMNS[:4]):
        problem_rows = rows[positions]
        problem_best = best[problem_of(log, int(problem_rows[0]))]
        names = log.runs["reference_name"][problem_rows].tolist()
        values = log.runs["reference_value"][problem_rows].tolist()
        references = list(zip(names, values, strict=True))
        problem = values_of(log, problem_rows[0], COLUMNS[:4])
        for name, value in sorted(set(references)):
            runs = references.count((name, value))
            lines.append(
                [*problem, name, value, problem_best.hypervolume, problem_best.archives, runs]
            )
    return Table(table_of((*COLUMNS, "best", "archives", "runs"), lines), _summarize(lines))


def updated(table: Table, name: str) -> Table:
    """Return a table of references in which the best of the data replaces smaller references.

    It also replaces COCO's placeholder and missing values.

    Args:
        table: A result of `references_table`.
        name: Name of the references that are replaced by the best of the data.

    Returns:
        A table with the columns `COLUMNS`.

    Raises:
        AssessmentError: A problem has several references that differ.
    """
    lines: dict[tuple[Value, ...], list[Value]] = {}
    for row in table.rows():
        problem, old_name, value, best = row[:4], row[4], float(row[5]), float(row[6])
        new_name: Value = old_name
        is_better = best > value or old_name == PLACEHOLDER or math.isnan(value)
        if is_better and not math.isnan(best):
            new_name, value = name, best
        line = [*problem, new_name, value]
        if lines.setdefault(problem, line) != line:
            raise AssessmentError(
                f"f{problem[1]} of {problem[0]} in {problem[2]}-D, instance {problem[3]} has "
                "several references; choose among the runs, or give --hypervolume-reference FILE"
            )
    return replace(table, columns=table_of(COLUMNS, list(lines.values())), notes=())


def write_references(table: Table, path: Path, *, overwrite: bool = False) -> None:
    """Write a table of references into a CSV file.

    Args:
        table: A result of `updated`.
        path: The file.
        overwrite: Whether an existing file is replaced. Default: False.

    Raises:
        AssessmentError: The file exists and ``overwrite`` is False, or it cannot be written.
    """
    if overwrite:
        table.to_csv(path)
        return
    with writing(path), open(path, "x", encoding="utf-8", newline="") as file:
        file.write(table.to_csv())


def _summarize(lines: list[list[Value]]) -> tuple[str, ...]:
    """Return the notes under the table of references."""
    better = sum(float(line[6]) > float(line[5]) for line in lines)
    placeholders = sum(line[4] == PLACEHOLDER for line in lines)
    notes = [
        "best: hypervolume of all archives of a problem together; at most 1, between ideal point "
        "(0, 0) and nadir point (1, 1)."
    ]
    if better:
        notes.append(
            f"exceeded references: {better} of {len(lines)}; the logs contain larger hypervolumes."
        )
    if placeholders:
        notes.append(
            f"{PLACEHOLDER}: {placeholders} of {len(lines)} references; the value 1 is used, "
            "because none is known."
        )
    return tuple(notes)
