"""Confidence bands of runtime profiles, as columns of their tables.

`banded` resamples the runs of each function once, on the budgets of all curves that contain it, and
combines the resampled profiles of the functions of each curve into a band (`ecdf_band`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat

import numpy as np

from ...grouping import grouped
from ...hits.run_sets import RunSet
from ...profiles.function_pairs import runtimes_meant
from ...profiles.profiles import EcdfTable, Profile, ProfileOptions
from ...statistics.bands import ResampledProfile, compute_band, resample_profile
from ...statistics.intervals import Resampling
from ...statistics.quantiles import Floats


def banded(
    tables: Sequence[EcdfTable],
    run_sets: Sequence[RunSet],
    options: ProfileOptions,
    resampling: Resampling,
) -> list[EcdfTable]:
    """Add the columns ``low`` and ``high``, the limits of a pointwise band, to tables of profiles.

    The band is widened where it would not contain the curve. This happens because the bias of the
    curve is subtracted from the band.

    Args:
        tables: Tables of profiles of ``run_sets``, which may group functions in different ways.
        run_sets: Runs of one algorithm on one function each. They are resampled once.
        options: Unit of the budgets, kind of runtimes and weights; its way of grouping is not used.
        resampling: Level, seed and number of resamples.

    Returns:
        The tables in their order, with the two columns.
    """

    def resample(run_set: RunSet, grid: Floats) -> ResampledProfile:
        unit = run_set.unit(options.axis)
        restarts = runtimes_meant(run_set, options.runtimes) != "runs"
        hits, spent = run_set.hits / unit, run_set.spent / unit
        return resample_profile(hits, spent, grid, resampling, restarts, run_set.instances)

    curves: dict[tuple[str, str, int], list[Profile]] = {}
    for profile in (p for table in tables for p in table.profiles):
        key = profile.algorithm, profile.suite, profile.dimension
        curves.setdefault(key, []).append(profile)
    bands: dict[int, Floats] = {}
    with ThreadPoolExecutor() as threads:
        # One algorithm and dimension at a time, because its curves share a grid of budgets.
        for functions in grouped(run_sets, "all"):
            first = functions[0]
            profiles = curves[first.algorithm, first.suite, first.dimension]
            grid = np.unique(np.concatenate([p.budgets for p in profiles]))
            resampled = threads.map(resample, functions, repeat(grid))
            resampled_of = dict(zip((r.function for r in functions), resampled, strict=True))
            n_targets = {run_set.function: run_set.hits.shape[1] for run_set in functions}
            for p in profiles:
                # The budgets of a profile are consecutive budgets of the grid.
                start = int(np.searchsorted(grid, p.budgets[0]))
                columns = slice(start, start + len(p.budgets))
                weights = None
                if options.weights == "pairs":
                    weights = [n_targets[f] for f in p.functions]
                parts = [resampled_of[f].at_budgets(columns) for f in p.functions]
                low, high = compute_band(parts, resampling, weights)
                bands[id(p)] = np.array([np.fmin(low, p.fraction), np.fmax(high, p.fraction)])
    with_bands = []
    for table in tables:
        # The empty array gives a table without profiles its columns, too.
        low, high = np.hstack([np.empty((2, 0)), *(bands[id(p)] for p in table.profiles)])
        with_bands.append(replace(table, columns={**table.columns, "low": low, "high": high}))
    return with_bands
