"""Add the ratios of average runtimes to those of a reference to the table of `art`."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...hits.run_sets import RunSet
from ...references import BestOf, Entries, ReferenceRuntimes
from ...samples.at_targets import AtTargets
from ...statistics.intervals import Resampling, art_interval, ratio_interval
from ...statistics.quantiles import Floats
from ...statistics.ratios import ratio_of
from ...tables.table import Table
from ...targets.runlength import runtimes_at
from .intervals import upper_end_is_unknown

T = TypeVar("T", bound=Table)
RATIO_COLUMNS = ("reference", "ratio", "ratio_low", "ratio_high")
UNKNOWN_COLUMNS = ("ratio_at_least", "ratio_at_most")


def with_ratios(
    table: T,
    sample: AtTargets,
    entries: Entries,
    resampling: Resampling,
) -> T:
    """Add the average runtimes of a reference, and the ratios to them, to a table.

    Args:
        table: Average runtimes of ``sample``, one row for each run set and target.
        sample: Runs and targets.
        entries: Average runtimes or runs of the reference, by suite, function and dimension.
        resampling: Level, seed and number of resamples of the intervals.

    Returns:
        The table with six more columns:

        - ``reference``: aRT of the reference in evaluations, inf if it never reached the target,
          NaN if it has no data.
        - ``ratio``: ``art / reference``, NaN if neither reached the target.
        - ``ratio_low`` and ``ratio_high``: Confidence interval of the ratio. It is `ratio_interval`
          if the reference has runs. Else it is `art_interval` divided by the average of the
          reference, which then counts as free of error.
        - ``ratio_at_least``: True if the runs do not determine the upper limit
          (`upper_end_is_unknown`); text leaves this limit out.
        - ``ratio_at_most``: True if the runs of the reference do not determine the lower limit;
          text leaves this limit out.
    """
    number_blocks, flag_blocks = [], []
    boundaries = np.cumsum([run_set.hits.shape[1] for run_set in sample])
    # The last part, after the last boundary, is empty.
    for run_set, averages in zip(sample, np.split(table["art"], boundaries), strict=False):
        targets = sample.targets.of(*run_set.problem_class)
        entry = entries.get(run_set.problem_class)
        if entry is None:
            number_blocks.append(np.full((4, len(targets)), np.nan))
            flag_blocks.append(np.zeros((2, len(targets)), dtype=np.bool_))
            continue
        references = runtimes_at(entry.targets, entry.average_runtimes, targets)
        pairs = zip(averages.tolist(), references, strict=True)
        ratios = np.array([ratio_of(average, reference) for average, reference in pairs])
        limits = _ratio_limits(run_set, entry, references, resampling)
        number_blocks.append(np.vstack([references, ratios, limits]))
        flag_blocks.append(_unknown_limits(run_set, entry, len(targets)))
    numbers = np.hstack(number_blocks) if number_blocks else np.empty((4, 0))
    flags = np.hstack(flag_blocks) if flag_blocks else np.empty((2, 0), dtype=np.bool_)
    return replace(
        table,
        columns={
            **table.columns,
            **dict(zip(RATIO_COLUMNS, numbers, strict=True)),
            **dict(zip(UNKNOWN_COLUMNS, flags, strict=True)),
        },
    )


def _ratio_limits(
    run_set: RunSet, entry: ReferenceRuntimes, references: Floats, resampling: Resampling
) -> Floats:
    """Return the limits of the interval of each ratio, shape ``(2, n_targets)``.

    They are NaN if the reference never reached the target or has no data.
    """
    limits = np.full((2, len(references)), np.nan)
    if not isinstance(entry, BestOf):
        art_limits = art_interval(run_set.hits, run_set.spent, resampling)
        ratios: Floats = np.divide(
            art_limits, references, out=limits, where=np.isfinite(references)
        )
        return ratios
    for j in np.flatnonzero(np.isfinite(references)).tolist():
        if _is_winner(run_set, entry, j):
            limits[:, j] = 1.0  # the runs are compared with themselves
        else:
            runs = run_set.hits[:, j], run_set.spent
            limits[:, j] = ratio_interval(runs, entry.runs_of(j), resampling)
    return limits


def _unknown_limits(run_set: RunSet, entry: ReferenceRuntimes, n_targets: int) -> NDArray[np.bool_]:
    """Return whether the upper and the lower limit are unknown, shape ``(2, n_targets)``."""
    flags = np.array([upper_end_is_unknown(run_set.hits), np.zeros(n_targets)], dtype=np.bool_)
    if isinstance(entry, BestOf):
        for j in range(n_targets):
            hits, _ = entry.runs_of(j)
            flags[1, j] = upper_end_is_unknown(hits[:, np.newaxis])[0]
            if _is_winner(run_set, entry, j):
                flags[:, j] = False
    return flags


def _is_winner(run_set: RunSet, entry: BestOf, target_index: int) -> bool:
    winner = entry.run_sets[entry.winners[target_index]]
    return bool(winner.algorithm == run_set.algorithm)
