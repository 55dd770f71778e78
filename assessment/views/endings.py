"""How runs ended, what they spent, and how often they were restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..tables.table import Table, Value, table_of

if TYPE_CHECKING:
    from ...loggers import Log

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
    runs = log.runs
    names = ENDINGS_COLUMNS[:3]
    cells: dict[tuple[Value, ...], list[int]] = {}
    keys = zip(*(runs[name][rows].tolist() for name in names), strict=True)
    for key, row in zip(keys, rows.tolist(), strict=True):
        cells.setdefault(key, []).append(row)
    lines: list[list[Value]] = []
    for key, there in sorted(cells.items()):
        status = runs["status"][there]
        counts = [int((status == name).sum()) for name in STATUSES]
        restarts = float(np.mean([len(log.restarts(row)) for row in there]))
        evaluations = int(runs["evaluations"][there].sum())
        lines.append([*key, len(there), *counts, evaluations, restarts])
    return Table(table_of(ENDINGS_COLUMNS, lines))
