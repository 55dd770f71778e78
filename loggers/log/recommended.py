"""The runs of a log as if they had evaluated the solutions that they recommended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..hdf5.ragged import Ragged, nothing
from ..hdf5.table import LogTable
from ..records.rows import HITS, Rows, as_rows
from ..records.run_record import RECORDS
from ..targets.grid import NO_TARGET, SIGNED


def of_recommendations(table: LogTable) -> LogTable:
    """The same runs; hits, best precisions and trajectories are those of recommended solutions.

    A solution counts from the evaluation after which it was recommended (the first, where it was
    recommended before any); the best recommended so far counts. A run that recommended nothing has
    no hit, and inf as its best precision.
    """
    recommended = table.ragged["recommendations"].load()
    hits = [_improvements(recommended.of(run)) for run in range(len(table))]
    runs = table.runs.copy()
    runs["record"] = RECORDS.index("improvements")
    runs["best_precision"] = [own["precision"].min(initial=np.inf) for own in hits]
    ragged = {
        **table.ragged,
        "hits": Ragged.joined(hits, HITS),
        "trajectory": nothing("trajectory", len(table)),
    }
    return replace(table, runs=runs, ragged=ragged)


def _improvements(recommended: Rows) -> Rows:
    """Rows of hits: the recommendations of one run that are better than all before."""
    known = recommended[np.isfinite(recommended["precision"])]
    best = np.minimum.accumulate(known["precision"])
    better = np.append(True, best[1:] < best[:-1])[: len(best)]
    evaluation = np.maximum(known["evaluation"][better], 1)
    last = np.append(evaluation[1:] > evaluation[:-1], True)[: len(evaluation)]
    precision = best[better][last]
    values = np.append(SIGNED.values, NO_TARGET)
    targets = values[np.searchsorted(SIGNED.values, precision)]
    return as_rows(HITS, targets, evaluation[last], precision)
