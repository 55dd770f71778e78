"""The runs of a log as if they had evaluated the solutions that they recommended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..hdf5.ragged import Ragged, nothing
from ..hdf5.table import LogTable
from ..records.dtypes import HITS, Rows, as_rows
from ..records.run_record import RECORDS
from ..targets.grid import SIGNED


def of_recommendations(table: LogTable) -> LogTable:
    """The same runs; hits, best precisions and trajectories are those of recommended solutions.

    A solution counts from the evaluation after which it was recommended, at least the first; the
    best so far counts. A run that recommended nothing has no hit, and inf as its best precision.
    """
    recommended = table.ragged["recommendations"].load()
    hits = [_hits(recommended.of(run)) for run in range(len(table))]
    runs = table.runs.copy()
    runs["record"] = RECORDS.index("improvements")
    runs["best_precision"] = [own["precision"].min(initial=np.inf) for own in hits]
    ragged = {
        **table.ragged,
        "hits": Ragged.concatenate(hits, HITS),
        **{
            name: nothing(name, len(table))
            for name in ("trajectory", "hit_seconds", "trajectory_seconds")
        },
    }
    return replace(table, runs=runs, ragged=ragged)


def _hits(recommended: Rows) -> Rows:
    known = recommended[np.isfinite(recommended["precision"])]
    return improvements(np.maximum(known["evaluation"], 1), known["precision"])


def improvements(evaluations: NDArray[np.int64], precisions: NDArray[np.float64]) -> Rows:
    """Rows of hits: where a run got better, the best of equal evaluations, which ascend."""
    before = np.minimum.accumulate(np.append(np.inf, precisions))[:-1]
    better = precisions < before
    evaluation, precision = evaluations[better], precisions[better]
    last = np.append(evaluation[1:] > evaluation[:-1], True)[: len(evaluation)]
    evaluation, precision = evaluation[last], precision[last]
    return as_rows(HITS, SIGNED.hardest_hit(precision), evaluation, precision)
