"""The runtime of every run to each target."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..asking.declaration import question
from ..asking.options import Reference, Targets
from ..data.counting import in_whole
from ..data.notes import SINGLE_RUNS, notes_on_targets
from ..data.runs import Runs
from ..statistics.hits import runtimes_of_runs
from ..tables.table import Table, Value, stacked
from ..targets.target_sets import decades

_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "target", "runtime",
    "spent", "exact",
)  # fmt: skip


@question("Evaluations to targets", 70)
def runtimes(
    runs: Runs, targets: Targets | None = None, *, reference: Reference | None = None
) -> Table:
    """The evaluation at which each run first hit each target.

    It is inf where the run did not hit it.

    Args:
        targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
        reference: None: none; run-length targets need one.

    Returns:
        Columns: ``algorithm, suite, function, dimension, instance, repetition``; of
        run-length targets ``budget`` (evaluations / dimension); ``target``;
        ``runtime``, the evaluation of the first hit, inf where the run missed the target;
        ``spent``, the run's evaluations; ``exact``, False where ``runtime`` is an upper bound.
    """
    run_sets, aims = runs.at_targets(targets, decades, reference)
    blocks: list[list[Value | NDArray[Any]]] = []
    for run_set in run_sets:
        keys = np.array(aims.keys(*run_set.cell)).T
        which = [
            np.repeat(column, keys.shape[1]) for column in (run_set.instances, run_set.repetitions)
        ]
        hits = runtimes_of_runs(run_set.hits).ravel()
        spent = np.repeat(in_whole(run_set.spent, run_set.count), keys.shape[1])
        every = np.tile(keys, len(run_set.spent))
        blocks.append([*run_set.head, *which, *every, hits, spent, run_set.exact.ravel()])
    return Table(
        stacked(aims.named(_COLUMNS), blocks), notes_on_targets(run_sets, aims, SINGLE_RUNS)
    )
