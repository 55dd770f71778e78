"""The short table after a campaign: how much each algorithm solved, and how fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..data.run_sets import RunSet, broken_notes, latest_stage, run_sets_of
from ..results import Results
from ..statistics.average_runtime import Floats, average_runtime
from ..statistics.ecdf import solved_pairs
from ..tables.table import Table, Value, aligned, table_of, text
from ..targets.parse import bbob_targets, target_text

TARGETS = (1e-1, 1e-8)
_COLUMNS = (
    *("algorithm", "suite", "dimension", "functions", "runs", "solved"),
    *(f"{what}_{target_text(t)}" for t in TARGETS for what in ("art", "functions")),
)


@dataclass(frozen=True, eq=False)
class SummaryTable(Table):
    """One line for each algorithm and dimension.

    Columns: ``algorithm, suite, dimension``; number of ``functions`` and ``runs``; ``solved``, the
    share of function-target pairs (51 targets 1e2 … 1e-8) that at least one run solved; for 1e-1
    and 1e-8, ``art_…``, the geometric mean over the functions that have an aRT (inf where none
    has), and ``functions_…``, how many these are.
    """

    def __str__(self) -> str:
        lines = []
        for *name, functions, runs, solved, easy, n_easy, hard, n_hard in self.rows():
            cells = [text(v) for v in (*name, functions, runs)] + [f"{100 * solved:.1f}%"]
            for art, n in ((easy, n_easy), (hard, n_hard)):
                cells.append(f"{text(art)} ({n}/{functions})" if n else "-")
            lines.append(cells)
        heads = [*_COLUMNS[:5], "pairs solved", *(f"aRT to {target_text(t)}" for t in TARGETS)]
        return "\n".join([aligned(heads, lines), *self.notes]) if lines else "\n".join(self.notes)


def summary(results: Results) -> SummaryTable:
    """Per algorithm, suite and dimension: share of pairs solved and aRT at 1e-1 and 1e-8.

    Functions whose reference value nobody knows have no targets; they are left out, with a note.
    """
    log, targets = results.log, (*bbob_targets(), *TARGETS)
    rows = np.flatnonzero(latest_stage(log))
    known = rows[~np.isnan(log.runs["reference_value"][rows])]
    groups: dict[tuple[str, str, int], list[RunSet]] = {}
    data = list(run_sets_of(log, known, targets))
    for one in data:
        groups.setdefault((one.algorithm, one.suite, one.dimension), []).append(one)
    lines: list[list[Value]] = [_line(name, groups[name]) for name in sorted(groups)]
    notes = ["aRT: geometric mean over the functions that have one, given as (n/functions)."]
    notes += broken_notes(data)
    if len(known) < len(rows):
        notes.append(f"{len(rows) - len(known)} runs without a reference value are left out.")
    return SummaryTable(table_of(_COLUMNS, lines), tuple(notes))


def _line(name: tuple[str, str, int], data: list[RunSet]) -> list[Value]:
    n_pairs = len(bbob_targets())
    solved = np.mean([solved_pairs(one.hits[:, :n_pairs]) for one in data])
    art = np.array([average_runtime(one.hits[:, n_pairs:], one.spent) for one in data])
    runs = sum(len(one.spent) for one in data)
    line: list[Value] = [*name, len(data), runs, float(solved)]
    for column in art.T:
        line += [_geometric_mean(column[np.isfinite(column)]), int(np.isfinite(column).sum())]
    return line


def _geometric_mean(values: Floats) -> float:
    return float(np.exp(np.log(values).mean())) if values.size else float("inf")
