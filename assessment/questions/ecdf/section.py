"""Runtime profiles of all functions and of groups, with bands; and of each function, without."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from ...asking.context import LEVEL, Context, Positions
from ...data.background import background_profiles
from ...data.function_pairs import Simulation
from ...data.grouping import GroupBy, by_dimension
from ...data.profiles import EcdfTable, Profile, ProfileOptions, ecdf_tables
from ...data.reference_tables import RESTS_ON, with_reference
from ...data.run_sets import RunSet
from ...data.uncertainty import banded
from ...statistics.ecdf import POINTS_PER_DECADE
from ...statistics.intervals import Resampling
from ...targets.target_sets import TargetSet
from .table import ecdf

RESAMPLES = 100
_GROUPINGS = sorted(get_args(GroupBy), key="function".__eq__)
"""Functions, which have no bands, at last."""
_BAND_DECIMALS = 4


@ecdf.report(
    "ecdf",
    "Runtime profiles",
    "Share of function-target pairs reached within a budget: {targets}. Runtimes are those of the "
    "algorithm restarted until it succeeds; with two objectives, of single runs. Thin cross: "
    "median over functions of the longest unsuccessful runs; if all of them spent one budget, a "
    "profile rises by simulated restarts alone right of it. Band (of up to four algorithms): where "
    "the curve of endless runs lies with 95 %, at each budget by itself. Higher and further left "
    "is better. Names stand in the order of the curves' ends. Click a name to hide the algorithm "
    "everywhere, double-click it to show it alone.",
    place=10,
)
def section(context: Context) -> dict[str, Any]:
    """Curves of all functions, of groups, both with bands, and of single functions."""
    run_sets, targets = context.common_runs
    curves: list[dict[str, Any]] = []
    reference: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    basis: dict[str, None] = {}
    background: list[dict[str, Any]] = []
    if context.background is not None:
        basis |= dict.fromkeys(context.background.notes)
    simulation = Simulation(context.seed)
    ways = [ProfileOptions(group_by=by, simulation=simulation) for by in _GROUPINGS]
    bands = Resampling(LEVEL, context.seed, RESAMPLES)
    for own in by_dimension(run_sets).values():  # the tables of all at once would take much memory
        *groups, functions = ecdf_tables(own, targets, ways)
        tables = [*banded(groups, own, ways[0], bands), functions]
        background += _background(context, own, tables, targets, ways)
        for table in tables:
            curves += _curves(table, context.positions)
            basis |= dict.fromkeys(table.notes)
            own_reference, own_notes = _reference(context, table)
            reference += own_reference
            for note in own_notes:
                (basis if RESTS_ON in note else notes)[note] = None
    found = {"curves": curves, "reference": reference, "notes": list(notes), "basis": list(basis),
             "background": background}  # fmt: skip
    return {"ecdf": {"points_per_decade": POINTS_PER_DECADE, **found}}


def _reference(context: Context, table: EcdfTable) -> tuple[list[dict[str, Any]], list[str]]:
    """Curves of the reference where it is no algorithm of the logs, and what is said of it."""
    if context.reference is None:
        return [], []
    both = with_reference(table, context.common_runs[1], context.reference, ProfileOptions())
    suites = context.positions.suites
    curves = [
        {"algorithm": None, "suite": suites.index(profile.suite), **_numbers(profile)}
        for profile in both.profiles[len(table.profiles) :]
    ]
    return curves, [note for note in both.notes if note not in table.notes]


def _background(
    context: Context,
    own: Sequence[RunSet],
    tables: Sequence[EcdfTable],
    targets: TargetSet,
    ways: Sequence[ProfileOptions],
) -> list[dict[str, Any]]:
    """Curves of others in the dimension of some runs, each with its name."""
    if context.background is None:
        return []
    place = own[0].suite, own[0].dimension
    run_sets = tuple(r for r in context.background.run_sets if (r.suite, r.dimension) == place)
    if not run_sets:
        return []
    here = replace(context.background, run_sets=run_sets)
    suite = context.positions.suites.index(place[0])
    names = ("dimension", "group", "first", "fraction")
    return [
        {"name": p.algorithm, "suite": suite, **{n: _numbers(p)[n] for n in names}}
        for profiles in background_profiles(here, tables, targets, ways)
        for p in profiles
    ]


def _curves(table: EcdfTable, positions: Positions) -> Iterable[dict[str, Any]]:
    """The profiles with their bands, which stand in the table's columns one after the other."""
    start = 0
    for profile in table.profiles:
        part = slice(start, start + len(profile.budgets))
        start = part.stop
        if profile.group:
            band = {
                end: np.round(table[end][part], _BAND_DECIMALS)
                for end in ("low", "high")
                if end in table.names
            }
            yield positions.of(profile.algorithm, profile.suite) | _numbers(profile) | band


def _numbers(profile: Profile) -> dict[str, Any]:
    return {
        "dimension": profile.dimension,
        "group": profile.group,
        "first": round(math.log10(profile.budgets[0]) * POINTS_PER_DECADE),
        "fraction": profile.fraction,
        "marker": profile.marker,
        "solved": profile.solved,
        "pairs": profile.pairs,
        "partial": profile.partial,
    }


@ecdf.report(
    "functions",
    "Profiles of each function",
    "As above, for each of the chosen functions, all with the same range of budgets; colours and "
    "dashes are those of the figure above.",
    place=20,
)
def functions(context: Context) -> dict[str, Any]:
    """Nothing: they are drawn from the data of the section ``ecdf``."""
    return {}
