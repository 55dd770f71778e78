"""Tables with their uncertainty: intervals of average runtimes, bands of runtime profiles."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from ..data.grouping import grouped
from ..data.run_sets import RunSet
from ..statistics.bands import Resampled, band, resampled
from ..statistics.intervals import Resampling, art_interval
from ..statistics.quantiles import Floats
from .art import ArtTable
from .ecdf import EcdfTable, Profile, ProfileOptions


def with_intervals(table: ArtTable, run_sets: Sequence[RunSet], resampling: Resampling) -> ArtTable:
    """The averages of ``table`` with two more columns, ``low`` and ``high``; see `art_interval`.

    Args:
        table: Average runtimes.
        run_sets: The run sets they were made of.
        resampling: Level, seed and number of resamples.
    """
    ends = [art_interval(one.hits, one.spent, resampling) for one in run_sets]
    low, high = np.hstack(ends) if ends else np.empty((2, 0))
    return replace(
        table,
        columns={**table.columns, "low": low, "high": high},
        notes=(*table.notes, *_interval_notes(run_sets, resampling)),
    )


def banded(
    table: EcdfTable, run_sets: Sequence[RunSet], options: ProfileOptions, resampling: Resampling
) -> EcdfTable:
    """The profiles of ``table`` with two more columns, ``low`` and ``high``; see `ecdf_band`.

    The band is drawn around the curve where it would leave it out, which happens where the runs
    allow a better estimate than the curve (its bias is taken off).

    Args:
        table: Profiles.
        run_sets: The run sets they were made of.
        options: Theirs.
        resampling: Level, seed and number of resamples.
    """
    return all_banded([table], run_sets, [options], resampling)[0]


def all_banded(
    tables: Sequence[EcdfTable],
    run_sets: Sequence[RunSet],
    options: Sequence[ProfileOptions],
    resampling: Resampling,
) -> list[EcdfTable]:
    """As `banded`, for several tables of the same run sets, which are resampled once.

    Args:
        tables: Profiles.
        run_sets: The run sets they were made of.
        options: Of each table; they differ by ``group_by`` alone.
        resampling: Level, seed and number of resamples.
    """
    grids = _common_budgets(tables)

    def resample(one: RunSet) -> Resampled:
        unit = options[0].unit(one)
        restarts = options[0].runtimes != "runs"
        hits, spent = one.hits / unit, one.spent / unit
        return resampled(hits, spent, grids[_curve_of(one)], resampling, restarts)

    with ThreadPoolExecutor() as threads:
        parts = dict(zip(map(id, run_sets), threads.map(resample, run_sets), strict=True))
    return [
        _with_bands(table, grouped(run_sets, option.group_by), option, parts, grids, resampling)
        for table, option in zip(tables, options, strict=True)
    ]


def _with_bands(
    table: EcdfTable,
    groups: Sequence[Sequence[RunSet]],
    options: ProfileOptions,
    parts: dict[int, Resampled],
    grids: dict[tuple[str, str, int], Floats],
    resampling: Resampling,
) -> EcdfTable:
    bands: list[Floats] = []
    for group, profile in zip(groups, table.profiles, strict=True):
        places = np.searchsorted(grids[_curve_of(group[0])], profile.budgets)
        weights = [one.hits.shape[1] for one in group] if options.weights == "pairs" else None
        ends = band([parts[id(one)].at(places) for one in group], resampling, weights)
        bands.append(
            np.array([np.fmin(ends[0], profile.fraction), np.fmax(ends[1], profile.fraction)])
        )
    low, high = np.hstack(bands) if bands else np.empty((2, 0))
    note = (
        f"low, high: {100 * resampling.level:g} % band of the profile of endless runs, at each "
        f"budget by itself (bootstrap over runs within functions, seed {resampling.seed})."
    )
    return replace(
        table, columns={**table.columns, "low": low, "high": high}, notes=(*table.notes, note)
    )


def _interval_notes(run_sets: Sequence[RunSet], resampling: Resampling) -> tuple[str, ...]:
    """What a reader of the intervals has to know."""
    certain = any(np.isfinite(one.hits).all(axis=0).any() for one in run_sets)
    note = f"intervals: {100 * resampling.level:g} %, each by itself (seed {resampling.seed})."
    if not certain:
        return (note,)
    runs = max(len(one.spent) for one in run_sets)
    return (
        note,
        "intervals: where every run succeeded they are those of an algorithm that never fails; "
        f"{runs} runs cannot exclude failures rarer than about 3 in {runs}, whose cost is unknown.",
    )


def _curve_of(one: RunSet | Profile) -> tuple[str, str, int]:
    return one.algorithm, one.suite, one.dimension


def _common_budgets(tables: Sequence[EcdfTable]) -> dict[tuple[str, str, int], Floats]:
    """All budgets of an algorithm's profiles in a dimension, ascending."""
    budgets: dict[tuple[str, str, int], list[Floats]] = {}
    for table in tables:
        for profile in table.profiles:
            budgets.setdefault(_curve_of(profile), []).append(profile.budgets)
    return {key: np.unique(np.concatenate(own)) for key, own in budgets.items()}
