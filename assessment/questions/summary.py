"""The short table after a campaign: how much each algorithm reached, and how fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...suites.measurement import Measurement
from ..asking.declaration import question
from ..data.grouping import grouped
from ..data.notes import basis, broken_notes
from ..data.run_sets import RunSet, run_sets_of
from ..data.runs import Runs
from ..data.selection import measurement_of
from ..data.target_choice import resolve_targets
from ..statistics.average_runtime import average_runtime
from ..statistics.ecdf import solved_pairs
from ..statistics.runtime_statistics import geometric_mean
from ..tables.table import Table, Value, table_of, text
from ..targets.parse import target_text
from ..targets.target_sets import all_targets, summary_targets

_NAMES = ("algorithm", "suite", "dimension", "functions", "runs", "solved")


@dataclass(frozen=True, eq=False, repr=False)
class SummaryTable(Table):
    """One line for each algorithm and dimension.

    Columns: ``algorithm, suite, dimension``; number of ``functions`` and ``runs``; ``solved``, the
    share of function-target pairs, with the suite's own targets, that at least one run reached; for
    an easy and the hardest target, 1e-1 and 1e-8 where the suite has them, ``functions_…``, on how
    many functions at least one run reached it; ``art_…``, the geometric mean of aRT over those that
    every algorithm reached it on, so that means compare (inf where there is none, NaN where the
    target is another suite's), and ``common_…``, how many these are.

    Attributes:
        targets: Those of the columns ``art_…``, easiest first.
        word: What is said of pairs: ``"solved"``, or ``"reached"`` where no target ends a run.
        shares: Those that are shares of each function's range, not precisions.
    """

    targets: tuple[float, ...] = ()
    word: str = "solved"
    shares: frozenset[float] = frozenset()

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        lines: list[list[str]] = []
        for row in self.rows():
            functions, solved, means = row[3], row[5], row[6:]
            cells = [*map(text, row[:5]), f"{100 * float(solved):.1f}%"]
            for own, art, common in zip(means[::3], means[1::3], means[2::3], strict=True):
                if np.isnan(float(art)):
                    cells += ["", ""]
                else:
                    mean = f"{text(art)} over {common}" if common else "-"
                    cells += [f"{own}/{functions}", mean]
            lines.append(cells)
        names = [
            f"{t:.2g} of the range" if t and t in self.shares else target_text(t)
            for t in self.targets
        ]
        aims = (head for name in names for head in (f"functions to {name}", f"aRT to {name}"))
        heads = [*_NAMES[:5], f"pairs {self.word}", *aims]
        return heads, lines


@question("To begin with", 10)
def summary(runs: Runs) -> SummaryTable:
    """How much each algorithm reached, and how fast: what 'run' prints.

    pairs solved: share of function-target pairs that at least one run hit. functions to 1e-8: on
    how many functions at least one run hit it. aRT to 1e-8: geometric mean of average runtimes over
    the functions on which every algorithm hit it ("over 3"), so that means compare; none where
    there is no such function. Functions whose reference value nobody knows have no targets; they
    are left out, with a note.

    Returns:
        A `SummaryTable`; its columns are there.
    """
    log, rows = runs.log, runs.rows
    known = rows[~np.isnan(log.runs["reference_value"][rows])]
    aims = resolve_targets(log, known, None, _both) if len(known) else None
    data = run_sets_of(log, known, aims, runs.count) if aims else []
    measured = {run_set.suite: measurement_of(log, run_set.suite) for run_set in data}
    own = {suite: summary_targets(run_set) for suite, run_set in measured.items()}
    column_targets = tuple(sorted({t for targets in own.values() for t in targets}, reverse=True))
    groups = grouped(data, "all")
    reached = [_reached(group, own[group[0].suite]) for group in groups]
    common: dict[tuple[str, int, float], set[int]] = {}
    for group, by_target in zip(groups, reached, strict=True):
        for target, art in by_target.items():
            key = group[0].suite, group[0].dimension, target
            common[key] = common.get(key, set(art)) & set(art)
    lines = [
        _line(group, by_target, column_targets, common)
        for group, by_target in zip(groups, reached, strict=True)
    ]
    notes = [
        "aRT: geometric mean over the functions on which every algorithm reached the target, so "
        "that means compare; none where there is no such function. functions: on which the "
        "algorithm did."
    ]
    notes += broken_notes(data)
    notes += basis(data)
    if len(known) < len(rows):
        notes.append(f"{len(rows) - len(known)} runs without a reference value are left out.")
    columns = ("functions", "art", "common")
    names = [*_NAMES, *(f"{what}_{target_text(t)}" for t in column_targets for what in columns)]
    final = all(run_set.final_target is not None for run_set in measured.values())
    word = "solved" if final else "reached"
    scaled = set(log.runs["suite"][known[log.target_units(known) != 1]].tolist())
    shares = frozenset(target for suite in scaled for target in own.get(suite, ()))
    return SummaryTable(table_of(names, lines), tuple(notes), column_targets, word, shares)


def _both(measurement: Measurement) -> tuple[float, ...]:
    return (*all_targets(measurement), *summary_targets(measurement))


def _reached(group: Sequence[RunSet], targets: Sequence[float]) -> dict[float, dict[int, float]]:
    """For each target, which come last, aRT on the functions that some run reached it on."""
    found: dict[float, dict[int, float]] = {target: {} for target in targets}
    for run_set in group:
        art = average_runtime(run_set.hits[:, -len(targets) :], run_set.spent)
        for target, value in zip(targets, art.tolist(), strict=True):
            if np.isfinite(value):
                found[target][run_set.function] = value
    return found


def _line(
    group: Sequence[RunSet],
    reached: Mapping[float, Mapping[int, float]],
    column_targets: Sequence[float],
    common: Mapping[tuple[str, int, float], set[int]],
) -> list[Value]:
    """The line of one algorithm."""
    first = group[0]
    solved = np.mean([solved_pairs(own.hits[:, : -len(reached)]) for own in group])
    runs = sum(len(own.spent) for own in group)
    name = (first.algorithm, first.suite, first.dimension)
    line: list[Value] = [*name, len(group), runs, float(solved)]
    for target in column_targets:
        if target not in reached:
            line += [0, float("nan"), 0]
            continue
        art, everyone = reached[target], sorted(common[first.suite, first.dimension, target])
        mean = float(geometric_mean([art[f] for f in everyone])) if everyone else float("inf")
        line += [len(art), mean, len(everyone)]
    return line
