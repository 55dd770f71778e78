"""Parameters that algorithms noted while they ran, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....suites.errors import UnknownNameError
from ...data.notes import basis, runs_of_log
from ...errors import AssessmentError
from ...tables.table import Table, Value, stacked

if TYPE_CHECKING:
    from ....loggers import Log

NOTE_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "name", "evaluation",
    "value",
)  # fmt: skip


def notes_table(log: Log, rows: NDArray[np.intp], names: Sequence[str] | None = None) -> Table:
    """Every value that was noted (``problem.note``), run by run and parameter by parameter.

    Columns: ``algorithm, suite, function, dimension, instance, repetition``; ``name`` of the
    parameter; ``evaluation`` and the ``value`` that the parameter had then.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.
        names: Of parameters; None for all.

    Raises:
        AssessmentError: Nothing was noted in these runs.
        UnknownNameError: A parameter was not.
    """
    runs = log.runs
    blocks: list[list[Value | NDArray[Any]]] = []
    known: set[str] = set()
    silent = 0
    for row in rows.tolist():
        notes = log.notes_of(row)
        there = np.unique(notes["name"]).tolist()
        silent += not there
        for encoded in there:
            name = encoded.decode(errors="replace")
            known.add(name)
            if names is None or name in names:
                mine = notes[notes["name"] == encoded]
                head: list[Value] = [runs[what][row].item() for what in NOTE_COLUMNS[:6]]
                blocks.append([*head, name, mine["evaluation"], mine["value"]])
    if not known:
        raise AssessmentError(
            "no parameter was noted in these runs; algorithms note theirs by problem.note(NAME=…)"
        )
    for name in names or ():
        if name not in known:
            raise UnknownNameError.of("parameter", name, sorted(known))
    said: tuple[str, ...] = (
        "values are those at improvements that hit targets and at scheduled counts "
        "(1, 2, 5, 10, … evaluations / dimension and 20 per decade); in imported data, where they "
        "were logged.",
    )
    if silent:
        said += (f"{silent} of {len(rows)} runs noted nothing.",)
    said += basis(runs_of_log(log, rows), "every value noted is a row")
    return Table(stacked(NOTE_COLUMNS, blocks), said)
