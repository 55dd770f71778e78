"""Add confidence intervals of average runtimes to the table of `art`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...hits.run_sets import RunSet
from ...statistics.hits import successes
from ...statistics.intervals import Resampling, art_intervals
from ...statistics.mean_intervals import FEWEST_WITH_SPREAD, tail_is_heavy
from ...statistics.quantiles import Floats
from ...tables.table import Table

T = TypeVar("T", bound=Table)


def with_intervals(table: T, run_sets: Sequence[RunSet], resampling: Resampling) -> T:
    """Add the columns ``low``, ``high`` and ``at_least`` to a table of average runtimes.

    Args:
        table: Average runtimes, one row for each run set and target, in the order of ``run_sets``.
        run_sets: Runs of one algorithm on one function each.
        resampling: Level, seed and number of resamples.

    Returns:
        The table with the limits of each interval (`art_interval`) in evaluations. ``at_least`` is
        True if the runs do not determine the upper limit (`upper_end_is_unknown`); text then shows
        the lower limit only.
    """
    runs = [(run_set.hits, run_set.spent, run_set.instances) for run_set in run_sets]
    low, high = np.hstack([np.empty((2, 0)), *art_intervals(runs, resampling)])
    is_unknown = np.concatenate(
        [np.empty(0, dtype=np.bool_), *(upper_end_is_unknown(r.hits) for r in run_sets)]
    )
    interval_columns = {"low": low, "high": high, "at_least": is_unknown & ~np.isnan(low)}
    return replace(table, columns={**table.columns, **interval_columns})


def upper_end_is_unknown(hits: Floats) -> NDArray[np.bool_]:
    """Return for each target whether the runs do not determine the upper limit of its interval.

    This is so if fewer than three runs succeeded, or if their runtimes are very skew
    (`tail_is_heavy`). ``hits`` has the shape ``(n_runs, n_targets)``.
    """
    return np.asarray((successes(hits) < FEWEST_WITH_SPREAD) | tail_is_heavy(hits))
