"""How runs ended, what they spent, and how often they were restarted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..asking.context import Context, columns_of
from ..asking.declaration import question
from ..data.notes import basis, runs_of_log
from ..data.runs import Runs
from ..data.selection import cells, values_of
from ..tables.table import Table, Value, table_of

STATUSES = ("target", "budget", "terminated", "failed", "timeout", "interrupted")
_CELL = ("algorithm", "suite", "dimension")
_COLUMNS = (*_CELL, "runs", *STATUSES, "evaluations", "restarts")
_MOST_REASONS = 12


@question("Runs", 10, counts=False)
def termination(runs: Runs) -> Table:
    """How runs ended, and how often they were restarted.

    target: the run hit the final target; budget: it spent the budget; terminated: the optimizer
    ended by itself; failed, timeout, interrupted: it broke off. "restarts" is the mean number of
    restarts of a run.

    Returns:
        Columns: ``algorithm, suite, dimension``; number of ``runs``; how many of them ended by each
        status; their ``evaluations`` in all; ``restarts``, the mean number of restarts of a run.
    """
    log, rows = runs.log, runs.rows
    restarts = log.entries("restarts")
    lines: list[list[Value]] = []
    for places in cells(log, rows, _CELL):
        there = rows[places]
        status = log.runs["status"][there]
        counts = [int((status == name).sum()) for name in STATUSES]
        evaluations = int(log.runs["evaluations"][there].sum())
        cell = values_of(log, there[0], _CELL)
        lines.append([*cell, len(there), *counts, evaluations, float(restarts[there].mean())])
    return Table(table_of(_COLUMNS, lines), basis(runs_of_log(log, rows), "every run counts once"))


@termination.report(
    "outcomes",
    "Restarts and failures",
    "How runs ended, what they spent, how often they restarted and why.",
    place=70,
    is_table=True,
)
def section(context: Context) -> Mapping[str, Any]:
    """The table, and the commonest reasons of restarts and errors of runs."""
    table = termination(context.runs)
    return {"outcomes": context.positions.columns(table), "reasons": _reasons(context)}


def _reasons(context: Context) -> dict[str, list[Any]]:
    """The commonest reasons of restarts and the errors of runs, with their counts."""
    log = context.log
    restarted = log.entries("restarts") > 0
    rows = []
    for chosen in cells(log, np.arange(len(log)), _CELL):
        algorithm, suite, dimension = values_of(log, chosen[0], _CELL)
        reasons = Counter(
            ("restart", reason.decode(errors="replace"))
            for run in chosen[restarted[chosen]]
            for reason in log.restarts(int(run))["reason"].tolist()
        )
        reasons.update(
            ("run", str(text).partition("\n")[0]) for text in log.runs["error"][chosen] if text
        )
        for (kind, text), count in reasons.most_common(_MOST_REASONS):
            named = {**context.positions.of(algorithm, suite), "dimension": dimension}
            rows.append({**named, "kind": kind, "text": text or "(none given)", "count": count})
    return columns_of(rows)
