"""The short table after a campaign: how much each algorithm reached, and how fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...suites.measurement import Measurement
from ..data.choice import latest_stage, measurement_of
from ..data.grouping import grouped
from ..data.notes import basis, broken_notes
from ..data.run_sets import RunSet, run_sets_of
from ..data.target_choice import wanted_targets
from ..statistics.average_runtime import average_runtime
from ..statistics.ecdf import solved_pairs
from ..statistics.quantiles import Floats
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, aligned, table_of, text
from ..targets.defaults import all_targets, summary_targets
from ..targets.parse import target_text

if TYPE_CHECKING:
    from ...loggers import Log

_NAMES = ("algorithm", "suite", "dimension", "functions", "runs", "solved")


@dataclass(frozen=True, eq=False, repr=False)
class SummaryTable(Table):
    """One line for each algorithm and dimension.

    Columns: ``algorithm, suite, dimension``; number of ``functions`` and ``runs``; ``solved``, the
    share of function-target pairs, with the suite's own targets, that at least one run reached; for
    an easy and the hardest target, 1e-1 and 1e-8 where the suite has them, ``art_…``, the geometric
    mean over the functions that have an aRT (inf where none has, NaN where the target is another
    suite's), and ``functions_…``, how many these are.

    Attributes:
        targets: Those of the columns ``art_…``, easiest first.
        word: What is said of pairs: ``"solved"``, or ``"reached"`` where no target ends a run.
    """

    targets: tuple[float, ...] = ()
    word: str = "solved"

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        lines: list[list[str]] = []
        for row in self.rows():
            functions, solved, means = row[3], row[5], row[6:]
            cells = [*map(text, row[:5]), f"{100 * float(solved):.1f}%"]
            for art, n in zip(means[::2], means[1::2], strict=True):
                missing = "" if np.isnan(float(art)) else "-"
                cells.append(f"{text(art)} ({n}/{functions})" if n else missing)
            lines.append(cells)
        aims = (f"aRT to {target_text(t)}" for t in self.targets)
        heads = [*_NAMES[:5], f"pairs {self.word}", *aims]
        return heads, lines

    def __str__(self) -> str:
        heads, lines = self.shown()
        return "\n".join([aligned(heads, lines), *self.notes]) if lines else "\n".join(self.notes)


def summary(log: Log) -> SummaryTable:
    """Per algorithm, suite and dimension: share of pairs reached, and aRT at two targets.

    Functions whose reference value nobody knows have no targets; they are left out, with a note.
    """
    rows = np.flatnonzero(latest_stage(log))
    known = rows[~np.isnan(log.runs["reference_value"][rows])]
    data = run_sets_of(log, known, wanted_targets(log, known, None, _both)) if len(known) else []
    measured = {one.suite: measurement_of(log, one.suite) for one in data}
    own = {suite: summary_targets(one) for suite, one in measured.items()}
    shown = tuple(sorted({t for targets in own.values() for t in targets}, reverse=True))
    lines = [_line(group, own[group[0].suite], shown) for group in grouped(data, "all")]
    notes = ["aRT: geometric mean over the functions that have one, given as (n/functions)."]
    notes += broken_notes(data)
    notes += basis(data)
    if len(known) < len(rows):
        notes.append(f"{len(rows) - len(known)} runs without a reference value are left out.")
    names = [*_NAMES, *(f"{what}_{target_text(t)}" for t in shown for what in ("art", "functions"))]
    final = all(one.final_target is not None for one in measured.values())
    word = "solved" if final else "reached"
    return SummaryTable(table_of(names, lines), tuple(notes), shown, word)


def _both(measurement: Measurement) -> tuple[float, ...]:
    return (*all_targets(measurement), *summary_targets(measurement))


def _line(data: Sequence[RunSet], targets: Sequence[float], shown: Sequence[float]) -> list[Value]:
    n, one = len(targets), data[0]
    solved = np.mean([solved_pairs(one.hits[:, :-n]) for one in data])
    art = np.array([average_runtime(one.hits[:, -n:], one.spent) for one in data])
    means = {target: _mean(column) for target, column in zip(targets, art.T, strict=True)}
    runs = sum(len(one.spent) for one in data)
    found = [value for target in shown for value in means.get(target, (float("nan"), 0))]
    head: list[Value] = [one.algorithm, one.suite, one.dimension, len(data), runs]
    return [*head, float(solved), *found]


def _mean(art: Floats) -> tuple[float, int]:
    """Geometric mean of the finite averages, inf where there are none; and how many these are."""
    finite = art[np.isfinite(art)]
    return float(geometric_mean(finite)) if finite.size else float("inf"), finite.size
