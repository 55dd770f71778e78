"""Tables of runtimes: every run's, and their average to each target (aRT)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.notes import SINGLE_RUNS, notes_on_targets, restart_notes
from ..data.run_sets import RunSet
from ..statistics.average_runtime import evaluations_until, per_success
from ..statistics.hits import runtimes_of_runs, successes
from ..tables.table import Table, Value, stacked, text
from ..targets.parse import target_text
from ..targets.target_sets import TargetSet

ART_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "target", "art", "successes", "runs",
    "evaluations",
)  # fmt: skip
RUNTIME_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "target", "runtime",
    "spent", "exact",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class ArtTable(Table):
    """aRT to each target; as text, one line for each algorithm, function and dimension.

    Columns: ``algorithm, suite, function, dimension, target``; ``art`` in evaluations, inf where
    nothing succeeded; ``successes`` of ``runs``; ``evaluations``, the sum over the runs until they
    hit or ended; if asked for, ``low`` and ``high``, the confidence interval of ``art``, and
    ``at_least``, whether the runs do not tell its upper end (`with_intervals`);
    ``reference, ratio, ratio_low, ratio_high, ratio_at_least, ratio_at_most`` (`with_ratios`), in
    text after an ``x``.

    Attributes:
        in_columns: Whether text has a column for each target; else a line.
    """

    in_columns: bool = True

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        if not self.in_columns:
            return super().shown()
        targets = sorted(set(self["target"].tolist()), reverse=True)
        lines: dict[tuple[Value, ...], dict[float, str]] = {}
        for found in self._records():
            line = tuple(found[name] for name in (*ART_COLUMNS[:4], "runs"))
            hit, runs = found["successes"], found["runs"]
            of = "" if hit == runs else f" ({hit}/{runs})"
            if found.get("at_least"):
                of += f" [>= {text(found['low'])}]"
            elif "low" in found:
                of += f" [{text(found['low'])}, {text(found['high'])}]"
            if "ratio" in found and not np.isnan(found["ratio"]):
                of += f" x{text(found['ratio'])}{_ends_of_ratio(found)}"
            lines.setdefault(line, {})[found["target"]] = f"{text(found['art'])}{of}"
        cells = [
            [*(text(v) for v in line), *(found.get(t, "") for t in targets)]
            for line, found in lines.items()
        ]
        return [*ART_COLUMNS[:4], "runs", *map(target_text, targets)], cells


def _ends_of_ratio(row: Mapping[str, Any]) -> str:
    """Those ends of the ratio's interval that the runs tell."""
    if np.isnan(row["ratio_high"]):
        return ""
    low, high = text(row["ratio_low"]), text(row["ratio_high"])
    shown = {
        (False, False): f" [{low}, {high}]",
        (True, False): f" [>= {low}]",
        (False, True): f" [<= {high}]",
        (True, True): "",
    }
    return shown[bool(row["ratio_at_least"]), bool(row["ratio_at_most"])]


def art_table(run_sets: Iterable[RunSet], targets: TargetSet) -> ArtTable:
    """Average runtimes to ``targets`` (for the formula see `average_runtime`)."""
    data = list(run_sets)
    blocks: list[list[Value | NDArray[Any]]] = []
    for one in data:
        aims = np.array(targets.of(*one.cell))
        total, reached = evaluations_until(one.hits, one.spent), successes(one.hits)
        name = (one.algorithm, one.suite, one.function, one.dimension)
        of_runs = (per_success(total, reached), reached, len(one.spent), total.astype(np.int64))
        blocks.append([*name, aims, *of_runs])
    notes = notes_on_targets(data, targets) + restart_notes(data)
    return ArtTable(stacked(ART_COLUMNS, blocks), notes, in_columns=not targets.own)


def runtimes_table(run_sets: Iterable[RunSet], targets: TargetSet) -> Table:
    """The runtime of every run to each of ``targets``.

    Columns: ``algorithm, suite, function, dimension, instance, repetition, target``; ``runtime``,
    the evaluation of the first hit, inf where the run missed the target; ``spent``, the run's
    evaluations; ``exact``, False where ``runtime`` is an upper bound.
    """
    data = list(run_sets)
    blocks: list[list[Value | NDArray[Any]]] = []
    for one in data:
        aims = np.array(targets.of(*one.cell))
        runs = [one.instances, one.repetitions]
        runs = [np.repeat(column, len(aims)) for column in runs]
        hits = runtimes_of_runs(one.hits).ravel()
        spent = np.repeat(one.spent.astype(np.int64), len(aims))
        name = (one.algorithm, one.suite, one.function, one.dimension)
        every = np.tile(aims, len(one.spent))
        blocks.append([*name, *runs, every, hits, spent, one.exact.ravel()])
    return Table(stacked(RUNTIME_COLUMNS, blocks), notes_on_targets(data, targets, SINGLE_RUNS))
