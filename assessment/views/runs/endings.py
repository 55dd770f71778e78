"""How runs ended, what they spent, and how often they were restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...data.choice import cells, values_of
from ...data.notes import basis, runs_of_log
from ...tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from ....loggers import Log

STATUSES = ("target", "budget", "terminated", "failed", "timeout", "interrupted")
ENDINGS_COLUMNS = ("algorithm", "suite", "dimension", "runs", *STATUSES, "evaluations", "restarts")


def endings_table(log: Log, rows: NDArray[np.intp]) -> Table:
    """Endings of runs by algorithm, suite and dimension.

    Columns: ``algorithm, suite, dimension``; number of ``runs``; how many of them ended by each
    status; their ``evaluations`` in all; ``restarts``, the mean number of restarts of a run.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.
    """
    runs, restarts = log.runs, log.entries("restarts")
    lines: list[list[Value]] = []
    for places in cells(log, rows, ENDINGS_COLUMNS[:3]):
        there = rows[places]
        status = runs["status"][there]
        counts = [int((status == name).sum()) for name in STATUSES]
        evaluations = int(runs["evaluations"][there].sum())
        cell = values_of(log, there[0], ENDINGS_COLUMNS[:3])
        lines.append([*cell, len(there), *counts, evaluations, float(restarts[there].mean())])
    return Table(
        table_of(ENDINGS_COLUMNS, lines), basis(runs_of_log(log, rows), "every run counts once")
    )
