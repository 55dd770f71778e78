"""Tables of runtimes: every run's, and their average to each target (aRT)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .runtimes import average_runtime, evaluations_until
from .table import Table, Value, aligned, table_of, text
from .targets import target_text
from .trials import Trials, notes_on

ART_COLUMNS = (
    "algorithm",
    "suite",
    "function",
    "dimension",
    "target",
    "art",
    "successes",
    "runs",
    "evaluations",
)
RUNTIME_COLUMNS = (
    "algorithm",
    "suite",
    "function",
    "dimension",
    "instance",
    "repetition",
    "target",
    "runtime",
    "spent",
    "exact",
)


@dataclass(frozen=True, eq=False)
class ArtTable(Table):
    """aRT to each target; as text, one line for each algorithm, function and dimension.

    Columns: ``algorithm, suite, function, dimension, target``; ``art`` in evaluations, inf where
    nothing succeeded; ``successes`` of ``runs``; ``evaluations``, the sum over the runs until they
    hit or ended.
    """

    def __str__(self) -> str:
        targets = sorted(set(self["target"].tolist()), reverse=True)
        lines: dict[tuple[Value, ...], dict[float, str]] = {}
        for *cell, target, art, successes, runs, _ in self.rows():
            of = "" if successes == runs else f" ({successes}/{runs})"
            lines.setdefault((*cell, runs), {})[float(target)] = f"{text(art)}{of}"
        cells = [
            [*(text(v) for v in line), *(found.get(t, "") for t in targets)]
            for line, found in lines.items()
        ]
        return aligned([*ART_COLUMNS[:4], "runs", *map(target_text, targets)], cells)


def art_table(trials: Iterable[Trials], targets: Sequence[float]) -> ArtTable:
    """Average runtimes to ``targets`` (for the formula see `average_runtime`)."""
    data = list(trials)
    rows: list[list[Value]] = []
    for one in data:
        name: list[Value] = [one.algorithm, one.suite, one.function, one.dimension]
        art = average_runtime(one.hits, one.spent).tolist()
        successes = np.isfinite(one.hits).sum(axis=0).tolist()
        total = evaluations_until(one.hits, one.spent).astype(np.int64).tolist()
        for j, target in enumerate(targets):
            rows.append([*name, target, art[j], successes[j], len(one.spent), total[j]])
    return ArtTable(table_of(ART_COLUMNS, rows), notes_on(data, targets))


def runtimes_table(trials: Iterable[Trials], targets: Sequence[float]) -> Table:
    """The runtime of every run to each of ``targets``.

    Columns: ``algorithm, suite, function, dimension, instance, repetition, target``; ``runtime``,
    the evaluation of the first hit, inf where the run missed the target; ``spent``, the run's
    evaluations; ``exact``, False where ``runtime`` is an upper bound.
    """
    data = list(trials)
    rows: list[list[Value]] = []
    for one in data:
        name: list[Value] = [one.algorithm, one.suite, one.function, one.dimension]
        hits = np.where(np.isfinite(one.hits), one.hits, np.inf).tolist()
        for i, spent in enumerate(one.spent.astype(np.int64).tolist()):
            run = [*name, int(one.instances[i]), int(one.repetitions[i])]
            for j, target in enumerate(targets):
                rows.append([*run, target, hits[i][j], spent, bool(one.exact[i, j])])
    return Table(table_of(RUNTIME_COLUMNS, rows), notes_on(data, targets))
