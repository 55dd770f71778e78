"""What hypervolumes are measured from, problem by problem, and the best that the data know."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....suites.biobj.references import PLACEHOLDER
from ...data.choice import cells, values_of
from ...data.fronts.hypervolume import COLUMNS
from ...errors import AssessmentError, writing
from ...tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from ....loggers import Log

_PROBLEM = COLUMNS[:4]
REFERENCE_COLUMNS = (*COLUMNS, "best", "archives", "runs")


def references_table(log: Log, rows: NDArray[np.intp]) -> Table:
    """References of the hypervolume, and the best of the data.

    Columns: ``suite, function, dimension, instance``; ``name`` and ``value`` of the reference; of
    all archives of the problem together the hypervolume, ``best``, NaN where there is none, and how
    many ``archives`` these are; number of ``runs`` measured from this reference. A problem whose
    runs are measured from several references has a line for each.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.

    Raises:
        AssessmentError: None of these runs is measured by hypervolume.
    """
    from ....loggers.log.change_reference import best_archives, measured_by_hypervolume, problem_of

    rows = np.intersect1d(rows, measured_by_hypervolume(log))
    if not len(rows):
        raise AssessmentError("none of these runs is measured by hypervolume")
    best = best_archives([log], rows)
    lines: list[list[Value]] = []
    for places in cells(log, rows, _PROBLEM):
        there = rows[places]
        own = best[problem_of(log, int(there[0]))]
        pairs = zip(
            log.runs["reference_name"][there].tolist(),
            log.runs["reference_value"][there].tolist(),
            strict=True,
        )
        found = list(pairs)
        for name, value in sorted(set(found)):
            cell = values_of(log, there[0], _PROBLEM)
            runs = found.count((name, value))
            lines.append([*cell, name, value, own.hypervolume, own.archives, runs])
    return Table(table_of(REFERENCE_COLUMNS, lines), _notes(lines))


def updated(table: Table, name: str) -> Table:
    """The columns of a file of references, with the best of the data where it is better.

    It is better where its hypervolume is larger, or where there is only COCO's placeholder.

    Args:
        table: What `references_table` gave.
        name: Of the references that are new.

    Raises:
        AssessmentError: A problem has neither a reference nor an archive, or several references.
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
    """Write what `updated` gave into a new file, as CSV.

    Raises:
        AssessmentError: There is something of this name, or it cannot be written.
    """
    with writing(path), open(path, "x", encoding="utf-8", newline="") as file:
        file.write(table.to_csv())


def _notes(lines: list[list[Value]]) -> tuple[str, ...]:
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
