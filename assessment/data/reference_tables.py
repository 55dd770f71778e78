"""A reference beside algorithms: ratios of average runtimes to its own, and its profiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..statistics.hits import runtimes_of_runs
from ..statistics.intervals import Resampling, art_interval, ratio_interval
from ..statistics.quantiles import Floats
from ..statistics.ratios import ratio_of
from ..statistics.restart_distribution import RestartDistributions, restart_distribution
from ..tables.table import Table
from ..targets.budgets import unit_of
from ..targets.runlength import runtimes_at
from ..targets.target_sets import TargetSet
from .function_pairs import FunctionPairs, runtimes_meant
from .notes import basis
from .profiles import EcdfTable, Profile, ProfileOptions, curve_of, with_profiles
from .references import BestOf, Entries, ReferenceRuntimes, by_cell
from .run_sets import RunSet
from .uncertainty import upper_end_is_unknown

T = TypeVar("T", bound=Table)
RATIO_COLUMNS = ("reference", "ratio", "ratio_low", "ratio_high")
RESTS_ON = " rests on: "
UNKNOWN_COLUMNS = ("ratio_at_least", "ratio_at_most")


def with_ratios(
    table: T,
    run_sets: Sequence[RunSet],
    targets: TargetSet,
    reference: tuple[Entries, str],
    resampling: Resampling,
) -> T:
    """The averages of ``table`` with those of a reference, and their ratios.

    Columns added: ``reference``, the aRT of the reference, evaluations, inf where it never reached
    the target and NaN where it has no data; ``ratio = art / reference``, NaN where neither reached
    the target; ``ratio_low`` and ``ratio_high``, its confidence interval: `ratio_interval` where
    the reference's runs are known, else `art_interval` over the reference's number, which then
    counts as known without error; ``ratio_at_least``, True where the runs do not tell its upper end
    (`upper_end_is_unknown`), and ``ratio_at_most``, where those of the reference do not tell its
    lower one: text leaves these ends out.
    """
    entries, name = reference
    blocks, unknown = [], []
    missing = 0
    own_averages = np.split(
        table["art"], np.cumsum([run_set.hits.shape[1] for run_set in run_sets])
    )
    for run_set, own in zip(run_sets, own_averages, strict=False):
        aims, entry = targets.of(*run_set.cell), entries.get(run_set.cell)
        missing += entry is None
        if entry is None:
            blocks.append(np.full((4, len(aims)), np.nan))
            unknown.append(np.zeros((2, len(aims)), dtype=np.bool_))
            continue
        known = runtimes_at(entry.targets, entry.average_runtimes, aims)
        ratios = np.array([ratio_of(a, b) for a, b in zip(own.tolist(), known, strict=True)])
        ends = _ratio_ends(run_set, entry, known, resampling)
        blocks.append(np.vstack([known, ratios, ends]))
        unknown.append(_unknown_ends(run_set, entry, len(aims)))
    columns = np.hstack(blocks) if blocks else np.empty((4, 0))
    flags = np.hstack(unknown) if unknown else np.empty((2, 0), dtype=np.bool_)
    notes = [
        f"ratio: aRT by that of {name}; ratio_low, ratio_high: its {100 * resampling.level:g} % "
        f"interval (seed {resampling.seed})."
    ]
    if not all(isinstance(entry, BestOf) for entry in entries.values()):
        notes[0] += f" The averages of {name} count as known."
    notes += rests_on(entries, name, table.notes)
    if any(isinstance(entry, BestOf) and len(entry.run_sets) > 1 for entry in entries.values()):
        notes.append(
            "the best is chosen by its aRT on these runs, so ratios to it are too large in "
            "expectation, the more so the fewer the runs."
        )
    if missing:
        notes.append(f"{missing} of {len(run_sets)} sets of runs have no reference.")
    return replace(
        table,
        columns={
            **table.columns,
            **dict(zip(RATIO_COLUMNS, columns, strict=True)),
            **dict(zip(UNKNOWN_COLUMNS, flags, strict=True)),
        },
        notes=(*table.notes, *notes),
    )


def rests_on(entries: Entries, name: str, known_notes: Sequence[str]) -> tuple[str, ...]:
    """Which runs a reference rests on; nothing where it brings none, or ``known_notes`` tell it."""
    runs = [run_set for e in entries.values() if isinstance(e, BestOf) for run_set in e.run_sets]
    return tuple(f"{name}{RESTS_ON}{note}" for note in basis(runs) if note not in known_notes)


def naming_reference(table: T, entries: Sequence[ReferenceRuntimes], name: str) -> T:
    """The table with notes on which reference it was made with."""
    notes = (f"the reference: {name}.", *rests_on(by_cell(entries), name, table.notes))
    return replace(table, notes=(*table.notes, *notes))


def _ratio_ends(
    run_set: RunSet, entry: ReferenceRuntimes, known: Floats, resampling: Resampling
) -> Floats:
    """Ends of the interval of each ratio, shape ``(2, n_targets)``; NaN without a reference."""
    if not isinstance(entry, BestOf):
        ends = art_interval(run_set.hits, run_set.spent, resampling)
        nothing = np.full(ends.shape, np.nan)
        ratios: Floats = np.divide(ends, known, out=nothing, where=np.isfinite(known))
        return ratios
    found = np.full((2, len(known)), np.nan)
    for j in np.flatnonzero(np.isfinite(known)).tolist():
        if entry.run_sets[entry.winners[j]].algorithm == run_set.algorithm:
            found[:, j] = 1.0
        else:
            runs = run_set.hits[:, j], run_set.spent
            found[:, j] = ratio_interval(runs, entry.runs_of(j), resampling)
    return found


def _unknown_ends(run_set: RunSet, entry: ReferenceRuntimes, targets: int) -> NDArray[np.bool_]:
    """Which upper and lower ends of ratios are not told, shape ``(2, n_targets)``."""
    found = np.array([upper_end_is_unknown(run_set.hits), np.zeros(targets)], dtype=np.bool_)
    if isinstance(entry, BestOf):
        for j in range(targets):
            hits, _ = entry.runs_of(j)
            found[1, j] = upper_end_is_unknown(hits[:, np.newaxis])[0]
            if entry.run_sets[entry.winners[j]].algorithm == run_set.algorithm:
                found[:, j] = False
    return found


def with_reference(
    table: EcdfTable,
    targets: TargetSet,
    reference: tuple[Entries, str],
    options: ProfileOptions,
) -> EcdfTable:
    """The profiles of ``table`` and those of a reference, as `Profile.reference`.

    Of an algorithm that is there already, its own profiles are the reference. Where the runs of the
    best algorithms are known, their runtimes stand in the profile, target by target, with restarts
    or of single runs as those of the others (`runtimes_meant`); of a file with average runtimes
    alone, these, as in cocopp.
    """
    entries, name = reference
    if name in {p.algorithm for p in table.profiles}:
        own = tuple(replace(p, reference=p.algorithm == name) for p in table.profiles)
        return replace(table, profiles=own)
    if table.profiles:  # of seconds, whatever was asked for
        options = replace(options, axis=table.profiles[0].axis)
    spans = {p.place: p for p in table.profiles}
    found, missing = [], 0
    for profile in spans.values():
        cells = [(profile.suite, function, profile.dimension) for function in profile.functions]
        if all(cell in entries for cell in cells):
            known = [(entries[cell], targets.of(*cell)) for cell in cells]
            unit = unit_of(options.axis, profile.dimension)
            pairs = [_pairs(*pair, options.runtimes, unit) for pair in known]
            found.append(_profile(profile, name, pairs, options))
        missing += any(cell not in entries for cell in cells)
    notes = [f"{name}: a reference; of a file its average runtimes, no distribution, are shown."]
    notes += rests_on(entries, name, table.notes)
    if missing:
        notes.append(f"{name} lacks functions of {missing} of {len(spans)} curves: none is drawn.")
    return with_profiles(table, found, notes)


def _pairs(
    entry: ReferenceRuntimes, aims: Sequence[float], runtimes: str, unit: float
) -> FunctionPairs:
    if isinstance(entry, BestOf):
        runs = [entry.runs_of(j) for j in range(len(aims))]
        if runtimes_meant(entry.run_sets[0], runtimes) == "runs":
            rows = math.lcm(*(len(hits) for hits, _ in runs))
            single = [np.repeat(runtimes_of_runs(hits), rows // len(hits)) for hits, _ in runs]
            return FunctionPairs(np.column_stack(single), unit=unit)
        known = RestartDistributions.concatenate([restart_distribution(*run) for run in runs])
        return FunctionPairs(np.empty((0, 0)), known, unit)
    return FunctionPairs(
        runtimes_at(entry.targets, entry.average_runtimes, aims)[np.newaxis], unit=unit
    )


def _profile(
    like: Profile, name: str, pairs: Sequence[FunctionPairs], options: ProfileOptions
) -> Profile:
    """The reference's curve over the functions of another curve."""
    return replace(
        like,
        algorithm=name,
        instances=(),
        **curve_of(pairs, {}, options),
        solved=sum(p.solved for p in pairs),
        problems=frozenset(),
        partial=False,
        reference=True,
    )
