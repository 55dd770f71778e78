"""How runtimes grow with the dimension: aRT / D of each function and target."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

import numpy as np

from ...suites.names import natural
from ..data.function_pairs import SINGLE_RUNTIMES, runtimes_said, usual_quantiles
from ..data.notes import EACH_RUN, notes_on_targets, restart_notes
from ..data.run_sets import RunSet
from ..statistics.average_runtime import average_runtime
from ..statistics.hits import successes
from ..statistics.intervals import Resampling, art_intervals
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of
from ..targets.target_sets import TargetSet

SCALING_COLUMNS = (
    "algorithm", "suite", "function", "target", "dimension", "art", "low", "high", "q25", "median",
    "q75", "successes", "runs", "longest", "unsuccessful",
)  # fmt: skip


def scaling_table(
    run_sets: Iterable[RunSet],
    targets: TargetSet,
    resampling: Resampling | None = None,
) -> Table:
    """Runtimes divided by the dimension, to look at against the dimension.

    Columns: ``algorithm, suite, function, target, dimension``; all in evaluations / dimension:
    ``art`` in ``low`` … ``high``, its confidence interval (`art_interval`), these two only with
    ``resampling``; ``q25, median, q75`` of single runtimes, their dispersion (`usual_quantiles`);
    ``longest``, the longest run;
    ``unsuccessful``, the median length of the runs that missed the target (NaN where none did);
    ``successes`` of ``runs``. Slopes are the reader's: nothing is fitted.
    """
    data = list(run_sets)
    names = [n for n in SCALING_COLUMNS if resampling is not None or n not in ("low", "high")]
    rows: list[list[Value]] = []
    intervals: list[Floats] = [np.empty((0, one.hits.shape[1])) for one in data]
    if resampling is not None:
        cells = [(one.hits, one.spent, one.instances) for one in data]
        intervals = art_intervals(cells, resampling)
    for one, own in zip(data, intervals, strict=True):
        d = one.dimension
        art = average_runtime(one.hits, one.spent) / d
        ends = own / d
        quartiles = usual_quantiles(one, [0.25, 0.5, 0.75]) / d
        count = successes(one.hits)
        for j, target in enumerate(targets.of(*one.cell)):
            numbers = [art[j], *ends[:, j], *quartiles[:, j]]
            missed = one.spent[~np.isfinite(one.hits[:, j])] / d
            longest = float(one.spent.max()) / d
            unsuccessful = median(missed.tolist()) if missed.size else np.nan
            counts: list[Value] = [int(count[j]), len(one.spent), longest, unsuccessful]
            head: list[Value] = [one.algorithm, one.suite, one.function, target, d]
            rows.append([*head, *(float(value) for value in numbers), *counts])
    rows.sort(key=lambda row: (natural(str(row[0])), row[1], row[2], -float(row[3]), row[4]))
    convention = f"{EACH_RUN}; quartiles are those {runtimes_said(data, 'suite', SINGLE_RUNTIMES)}"
    notes = notes_on_targets(data, targets, convention)
    return Table(table_of(names, rows), notes + restart_notes(data))
