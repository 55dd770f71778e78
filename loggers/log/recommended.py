"""Measure runs by the solutions that the algorithms recommended, instead of all evaluations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..hdf5.ragged import Ragged, nothing
from ..hdf5.table import LogTable
from ..records.dtypes import HITS, Rows, as_rows
from ..records.run_record import RECORDS
from ..targets.grid import SIGNED


def replace_hits_by_recommendations(table: LogTable) -> LogTable:
    """Return the same runs with the hits and best precisions of their recommended solutions.

    A solution counts at the evaluation after which it was recommended, and at evaluation 1 if it
    was recommended before. Hits are the improvements among the solutions. A run without
    recommendations has no hits, and its best precision is inf. Trajectories, seconds and points of
    hits are empty.
    """
    recommendations = table.ragged["recommendations"].load()
    hits = [_hits_of_run(recommendations.of(run)) for run in range(len(table))]
    runs = table.runs.copy()
    runs["record"] = RECORDS.index("improvements")
    runs["best_precision"] = [rows["precision"].min(initial=np.inf) for rows in hits]
    ragged = {
        **table.ragged,
        "hits": Ragged.concatenate(hits, HITS),
        **{
            name: nothing(name, len(table))
            for name in ("trajectory", "hit_seconds", "trajectory_seconds", "hit_solutions")
        },
    }
    return replace(table, runs=runs, ragged=ragged)


def _hits_of_run(recommendations: Rows) -> Rows:
    measured = recommendations[np.isfinite(recommendations["precision"])]
    return find_improvements(np.maximum(measured["evaluation"], 1), measured["precision"])


def find_improvements(evaluations: NDArray[np.int64], precisions: NDArray[np.float64]) -> Rows:
    """Return a row of hits for each evaluation at which the best-so-far precision decreases.

    Args:
        evaluations: Numbers of evaluations, ascending, shape ``(n,)``. Of several equal numbers,
            the best precision counts.
        precisions: Precisions at these evaluations, shape ``(n,)``.

    Returns:
        Rows of the type `dtypes.HITS`, with the hardest target that each improvement hits.
    """
    best_before = np.minimum.accumulate(np.append(np.inf, precisions))[:-1]
    is_better = precisions < best_before
    evaluation, precision = evaluations[is_better], precisions[is_better]
    is_last_of_equal = np.append(evaluation[1:] > evaluation[:-1], True)[: len(evaluation)]
    evaluation, precision = evaluation[is_last_of_equal], precision[is_last_of_equal]
    return as_rows(HITS, SIGNED.hardest_hit(precision), evaluation, precision)
