"""Average runtimes (aRT) to targets, their intervals, and ratios to a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...asking.declaration import question
from ...asking.options import Level, Reference, Seed, Targets
from ...data.counting import in_whole
from ...data.notes import dominance_notes, notes_on_targets, restart_notes
from ...data.run_sets import RunSet
from ...data.runs import Runs
from ...statistics.average_runtime import evaluations_until, per_success
from ...statistics.hits import successes
from ...tables.table import Table, Value, stacked, text
from ...targets.parse import target_text
from ...targets.target_sets import TargetSet, decades

COLUMNS = (
    "algorithm", "suite", "function", "dimension", "target", "art", "successes", "runs",
    "evaluations",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class ArtTable(Table):
    """aRT to each target; as text, one line for each algorithm, function and dimension.

    Columns: ``algorithm, suite, function, dimension``; of run-length targets ``budget``
    (evaluations / dimension); ``target``; ``art`` in evaluations, inf where nothing succeeded;
    ``successes`` of ``runs``; ``evaluations``, the sum over the runs until they hit or ended; if
    asked for, ``low`` and ``high``, the confidence interval of ``art``, and ``at_least``, whether
    the runs do not tell its upper end (`with_intervals`); ``reference, ratio, ratio_low,
    ratio_high, ratio_at_least, ratio_at_most`` (`with_ratios`), in text after an ``x``.

    Attributes:
        in_columns: Whether text has a column for each target; else a line.
    """

    in_columns: bool = True

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        if not self.in_columns:
            return super().text_cells()
        targets = sorted(set(self["target"].tolist()), reverse=True)
        lines: dict[tuple[Value, ...], dict[float, str]] = {}
        for found in self._records():
            line = tuple(found[name] for name in (*COLUMNS[:4], "runs"))
            hit, runs = found["successes"], found["runs"]
            details = "" if hit == runs else f" ({hit}/{runs})"
            if found.get("at_least"):
                details += f" [>= {text(found['low'])}]"
            elif "low" in found:
                details += f" [{text(found['low'])}, {text(found['high'])}]"
            if "ratio" in found and not np.isnan(found["ratio"]):
                details += f" x{text(found['ratio'])}{_ends_of_ratio(found)}"
            lines.setdefault(line, {})[found["target"]] = f"{text(found['art'])}{details}"
        cells = [
            [*(text(v) for v in line), *(found.get(t, "") for t in targets)]
            for line, found in lines.items()
        ]
        return [*COLUMNS[:4], "runs", *map(target_text, targets)], cells


def _ends_of_ratio(row: Mapping[str, Any]) -> str:
    """Those ends of the ratio's interval that the runs tell."""
    if np.isnan(row["ratio_high"]):
        return ""
    low, high = text(row["ratio_low"]), text(row["ratio_high"])
    texts = {
        (False, False): f" [{low}, {high}]",
        (True, False): f" [>= {low}]",
        (False, True): f" [<= {high}]",
        (True, True): "",
    }
    return texts[bool(row["ratio_at_least"]), bool(row["ratio_at_most"])]


def averages(run_sets: Sequence[RunSet], targets: TargetSet) -> ArtTable:
    """Average runtimes to ``targets`` (for the formula see `average_runtime`)."""
    blocks: list[list[Value | NDArray[Any]]] = []
    for run_set in run_sets:
        keys = np.array(targets.keys(*run_set.cell)).T
        total, reached = evaluations_until(run_set.hits, run_set.spent), successes(run_set.hits)
        statistics = (
            per_success(total, reached),
            reached,
            len(run_set.spent),
            in_whole(total, run_set.count),
        )
        blocks.append([*run_set.head, *keys, *statistics])
    notes = notes_on_targets(run_sets, targets) + restart_notes(run_sets)
    notes += dominance_notes(run_sets, targets)
    return ArtTable(stacked(targets.named(COLUMNS), blocks), notes, in_columns=not targets.own)


@question("To begin with", 20)
def art(
    runs: Runs,
    targets: Targets | None = None,
    *,
    interval: Level | None = None,
    seed: Seed = 1,
    reference: Reference | None = None,
) -> ArtTable:
    """Average runtime to each target.

    aRT = evaluations of all runs until they hit the target or else ended / runs that hit it: an
    estimate of the expected evaluations of the algorithm restarted until it hits (COCO's aRT, also
    called ERT). A run that missed counts with the evaluations it spent itself. (3/15) says that 3
    of 15 runs hit; inf, that none did. Instances are taken to be equally hard; a note names one
    that took most of the evaluations (`dominant_instances`). With ``reference``, x1.5 [1.2, 1.9] is
    the ratio to the aRT of the reference and its interval, 95 % unless said.

    Intervals at 95 %, in simulated experiments with 5 to 30 runs and 19 laws of runtimes that have
    one mode and no heavy tail (benchmarks/interval_coverage.py): they held in 93 to 100 % for each
    law where all runs succeed, in 90 to 100 % at success rates 0.1, 0.3 and 0.6. At rates 0.8 and
    0.9 in 37 to 98 %: few runs often all hit by luck, and then intervals are too short; a note says
    by how much, for each evaluation that a failed run costs. With two modes or a heavy tail they
    held in 27 % at worst. [>= 123] stands where the runs do not determine the upper end: fewer than
    three succeeded, or runtimes are very skew. Several runs of an instance count as one instance.

    Args:
        targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
        interval: Add the confidence interval of each average, such as 0.95.
        seed: Of the intervals.
        reference: Ratios to its aRT are added; run-length targets are made from it. None: none.

    Returns:
        An `ArtTable`; its columns are there.
    """
    targets = runs.load_targets(targets, reference)
    run_sets, aims = runs.at_targets(targets, decades)
    table = averages(run_sets, aims)
    if interval is None and reference is None:
        return table
    from ...data.uncertainty import with_intervals
    from ...statistics.intervals import Resampling

    resampling = Resampling(seed=seed) if interval is None else Resampling(interval, seed)
    if interval is not None:
        table = with_intervals(table, run_sets, resampling)
    if reference is None:
        return table
    from ...data.reference_tables import with_ratios

    return with_ratios(table, run_sets, aims, runs.reference_at(reference, aims), resampling)
