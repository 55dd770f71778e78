"""Tables with their uncertainty: intervals of average runtimes, bands of runtime profiles."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..statistics.bands import Resampled, band, resampled
from ..statistics.hits import FEWEST_INSTANCES, for_the_function, repeats, successes
from ..statistics.intervals import Resampling, art_intervals, unseen_failures
from ..statistics.mean_intervals import FEWEST_WITH_SPREAD, tail_is_heavy
from ..statistics.quantiles import Floats
from ..tables.table import Table
from .function_pairs import runtimes_meant
from .grouping import grouped
from .profiles import EcdfTable, Profile, ProfileOptions
from .run_sets import RunSet

T = TypeVar("T", bound=Table)


def with_intervals(table: T, run_sets: Sequence[RunSet], resampling: Resampling) -> T:
    """The averages of ``table`` with three more columns; see `art_interval`.

    ``low`` and ``high``; ``at_least``, True where the runs do not tell the upper end and text shows
    the lower one only: fewer than three succeeded, or their runtimes are very skew
    (`tail_is_heavy`).
    """
    cells = [(run_set.hits, run_set.spent, run_set.instances) for run_set in run_sets]
    low, high = np.hstack([np.empty((2, 0)), *art_intervals(cells, resampling)])
    unknown, heavy = (
        np.concatenate([np.empty(0, dtype=np.bool_), *(flag(run_set.hits) for run_set in run_sets)])
        for flag in (upper_end_is_unknown, tail_is_heavy)
    )
    return replace(
        table,
        columns={
            **table.columns, "low": low, "high": high, "at_least": unknown & ~np.isnan(low)
        },
        notes=(*table.notes, *_interval_notes(run_sets, heavy, resampling)),
    )  # fmt: skip


def upper_end_is_unknown(hits: Floats) -> NDArray[np.bool_]:
    """Whether the runs do not tell how long they take at most, for each target.

    Fewer than three succeeded, or their runtimes are very skew (`tail_is_heavy`).
    """
    return np.asarray((successes(hits) < FEWEST_WITH_SPREAD) | tail_is_heavy(hits))


def banded(
    tables: Sequence[EcdfTable],
    run_sets: Sequence[RunSet],
    options: ProfileOptions,
    resampling: Resampling,
) -> list[EcdfTable]:
    """The profiles of tables with two more columns, ``low`` and ``high``; see `ecdf_band`.

    The band is drawn around the curve where it would leave it out, which happens where the runs
    allow a better estimate than the curve (its bias is taken off). Run sets are resampled once,
    whatever the tables group by.
    """

    def resample(run_set: RunSet, grid: Floats) -> Resampled:
        unit = run_set.unit(options.axis)
        restarts = runtimes_meant(run_set, options.runtimes) != "runs"
        hits, spent = run_set.hits / unit, run_set.spent / unit
        return resampled(hits, spent, grid, resampling, restarts, run_set.instances)

    curves: dict[tuple[str, str, int], list[Profile]] = {}
    for profile in (p for table in tables for p in table.profiles):
        key = profile.algorithm, profile.suite, profile.dimension
        curves.setdefault(key, []).append(profile)
    bands: dict[int, Floats] = {}
    with ThreadPoolExecutor() as threads:
        # the functions of one algorithm at a time: the resamples of all would take much memory
        for functions in grouped(run_sets, "all"):
            first = functions[0]
            own = curves[first.algorithm, first.suite, first.dimension]
            grid = np.unique(np.concatenate([p.budgets for p in own]))
            parts = threads.map(resample, functions, repeat(grid))
            known = {run_set.function: part for run_set, part in zip(functions, parts, strict=True)}
            targets = {run_set.function: run_set.hits.shape[1] for run_set in functions}
            for p in own:
                start = int(np.searchsorted(grid, p.budgets[0]))
                places = slice(start, start + len(p.budgets))
                weights = [targets[f] for f in p.functions] if options.weights == "pairs" else None
                low, high = band([known[f].at(places) for f in p.functions], resampling, weights)
                bands[id(p)] = np.array([np.fmin(low, p.fraction), np.fmax(high, p.fraction)])
    return [
        _with_bands(table, [bands[id(p)] for p in table.profiles], run_sets, resampling)
        for table in tables
    ]


def _with_bands(
    table: EcdfTable, bands: Sequence[Floats], used: Sequence[RunSet], resampling: Resampling
) -> EcdfTable:
    low, high = np.hstack(bands) if bands else np.empty((2, 0))
    note = (
        f"low, high: {100 * resampling.level:g} % band of the profile of endless runs, at each "
        f"budget by itself (bootstrap over runs within functions, seed {resampling.seed})."
    )
    return replace(
        table,
        columns={**table.columns, "low": low, "high": high},
        notes=(*table.notes, note, *notes_on_repetitions("low, high", used)),
    )


def _interval_notes(
    run_sets: Sequence[RunSet], heavy: NDArray[np.bool_], resampling: Resampling
) -> tuple[str, ...]:
    """What a reader of the intervals has to know; ``heavy``: which have a heavy tail."""
    notes = [f"intervals: {100 * resampling.level:g} %, each by itself (seed {resampling.seed})."]
    notes += notes_on_repetitions("intervals", run_sets)
    notes += notes_on_unseen_failures(run_sets, resampling, "their upper ends are")
    if heavy.any():
        notes.append(
            f"intervals: {int(heavy.sum())} of {len(heavy)} rest on very skew "
            "runtimes (the longest more than 11 times the median), and are shown as at least; the "
            "others may do so, too, if long runs are rare."
        )
    return tuple(notes)


def notes_on_unseen_failures(
    run_sets: Sequence[RunSet], resampling: Resampling, higher: str
) -> list[str]:
    """What failures could cost that no run showed, where all runs of a run set hit a target."""
    several = (run_set for run_set in run_sets if len(run_set.spent) > 1)
    certain = [run_set for run_set in several if np.isfinite(run_set.hits).all(axis=0).any()]
    if not certain:
        return []
    few = min(len(run_set.spent) for run_set in certain)
    many = max(len(run_set.spent) for run_set in certain)
    cost = f"{unseen_failures(few, resampling.level):.2g} with {few} runs"
    if many > few:
        cost += f", {unseen_failures(many, resampling.level):.2g} with {many}"
    return [
        "intervals: where every run succeeded they are those of an algorithm that never fails. "
        f"If it may fail, {higher} higher by what a failed run spends, times up to "
        f"{cost} (failures that the runs cannot exclude)."
    ]


def notes_on_repetitions(what: str, run_sets: Sequence[RunSet]) -> list[str]:
    """Whether the numbers are about functions or instances, where instances have several runs."""
    repeated = [run_set for run_set in run_sets if repeats(run_set.instances)]
    alone = [run_set for run_set in repeated if not for_the_function(run_set.instances)]
    notes = []
    if len(repeated) > len(alone):
        notes.append(
            f"{what}: for the function, its instances being drawn at random; where instances have "
            "several runs, whole instances count as one (their number decides, not that of runs)."
        )
    if alone:
        notes.append(
            f"{what}: where fewer than {FEWEST_INSTANCES} instances were run several times, for "
            f"these instances alone ({len(alone)} of {len(run_sets)} functions and dimensions)."
        )
    return notes
