"""List the runtime of every run to each target."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cost import in_whole
from ..samples.at_targets import AtTargets
from ..samples.convention import SINGLE_RUNS
from ..statistics.hits import runtimes_of_runs
from ..tables.table import Table, Value, stacked
from ..targets.target_sets import decades
from ._framework.needs import at_targets
from ._framework.question import question

_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "target", "runtime",
    "spent", "exact",
)  # fmt: skip


@question(
    "Evaluations to targets",
    70,
    needs=at_targets(decades),
    convention=SINGLE_RUNS,
    examples=(
        "results/quickstart.h5 --targets 1e1 --functions 15",
        "results/quickstart.h5 --targets 1e1,1e-8 --format csv",
    ),
)
def runtimes(sample: AtTargets) -> Table:
    """List the evaluation at which each run first hit each target.

    A run hits a target when its best value so far is at most the reference value plus the target
    precision. The evaluation is inf if the run did not hit the target.

    Returns:
        One row for each run and ``target``. ``algorithm``, ``suite``, ``function``, ``dimension``,
        ``instance`` and ``repetition`` identify the run. Run-length targets also have a column
        ``budget``, in evaluations / dimension. ``runtime`` is the evaluation of the first hit; inf
        if the run missed the target. ``spent`` is the number of evaluations of the run. ``exact``
        is False if ``runtime`` is an upper bound.
    """
    blocks: list[list[Value | NDArray[Any]]] = []
    for run_set in sample:
        keys = np.array(sample.targets.keys(*run_set.problem_class)).T
        n_runs, n_targets = len(run_set.spent), keys.shape[1]
        # One row for each run and target: all targets of the first run, then of the second …
        run_keys = [
            np.repeat(column, n_targets) for column in (run_set.instances, run_set.repetitions)
        ]
        hits = runtimes_of_runs(run_set.hits).ravel()
        spent = np.repeat(in_whole(run_set.spent, run_set.count), n_targets)
        target_keys = np.tile(keys, n_runs)
        blocks.append(
            [*run_set.identity, *run_keys, *target_keys, hits, spent, run_set.exact.ravel()]
        )
    return Table(stacked(sample.targets.named(_COLUMNS), blocks))
