"""Restarts of runs as a table: when each happened, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...data.notes import basis, runs_of_log
from ...tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from ....loggers import Log

RESTART_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "start", "evaluation",
    "evaluations", "status", "reason",
)  # fmt: skip


def restarts_table(log: Log, rows: NDArray[np.intp]) -> Table:
    """Every start of every run, the first included.

    Columns: ``algorithm, suite, function, dimension, instance, repetition``; number of the
    ``start``, 0 for the first; ``evaluation``, how many the run had made before it; ``evaluations``
    of the run in all; ``status`` of the run; ``reason`` of the restart, empty for the first start.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.
    """
    runs = log.runs
    names = RESTART_COLUMNS[:6]
    columns = {name: runs[name][rows].tolist() for name in (*names, "evaluations", "status")}
    found: list[list[Value]] = []
    for i, row in enumerate(rows.tolist()):
        head = [columns[name][i] for name in names]
        end = [columns["evaluations"][i], columns["status"][i]]
        found.append([*head, 0, 0, *end, ""])
        restarts = log.restarts(row)
        for start, (evaluation, reason) in enumerate(
            zip(restarts["evaluation"].tolist(), restarts["reason"].tolist(), strict=True), start=1
        ):
            found.append([*head, start, evaluation, *end, reason.decode(errors="replace")])
    return Table(
        table_of(RESTART_COLUMNS, found), basis(runs_of_log(log, rows), "every start is a row")
    )
