"""Collect the runtime profiles that the report shows.

Profiles of all functions and of groups of functions have confidence bands; profiles of single
functions have none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from ...grouping import GroupBy
from ...profiles.background import background_profiles, notes_on_background
from ...profiles.function_pairs import Simulation
from ...profiles.profiles import EcdfTable, Profile, ProfileOptions, ecdf_tables
from ...samples.at_targets import AtTargets
from ...statistics.ecdf import POINTS_PER_DECADE
from ...statistics.intervals import Resampling
from .._framework.context import LEVEL, Context, Positions
from .bands import banded
from .reference import with_reference
from .table import ecdf

RESAMPLES = 100
"""Bootstrap resamples of each band: enough for a picture, and half of those of the table."""
_GROUPINGS = sorted(get_args(GroupBy), key="function".__eq__)
"""Ways of grouping; single functions, whose profiles have no bands, are the last."""
_BAND_DECIMALS = 4
"""Decimals of bands in the page: errors of 0.00005 are invisible."""


@ecdf.report(
    "ecdf",
    "Runtime profiles",
    "Share of function-target pairs reached within a budget: {targets}. Runtimes are those of the "
    "algorithm restarted until it succeeds; with two objectives, of single runs. Cross: the "
    "longest unsuccessful run, median over functions. If all unsuccessful runs had the same "
    "budget, everything right of the cross comes from simulated restarts. Band (of up to four "
    "algorithms): 95 % pointwise band for the curve that infinitely many runs would give. Higher "
    "and further left is better. The legend is ordered by the curves' final height. Click a name "
    "to hide the algorithm everywhere, double-click it to show it alone.",
    place=10,
)
def section(context: Context) -> dict[str, Any]:
    """Return all curves of the section, those of reference and background, and notes."""
    sample = context.common_runs
    if sample.reference is not None and sample.reference.name in context.positions.algorithms:
        sample = replace(sample, reference=None)  # the table has its curves
    curves: list[dict[str, Any]] = []
    reference: list[dict[str, Any]] = []
    notes: dict[str, None] = {}
    basis: dict[str, None] = {}
    background: list[dict[str, Any]] = []
    profiles: list[Profile] = []
    simulation = Simulation(context.seed)
    options = [ProfileOptions(group_by=by, simulation=simulation) for by in _GROUPINGS]
    bands = Resampling(LEVEL, context.seed, RESAMPLES)
    # One dimension at a time, because all tables would take much memory.
    for dimension_sample in sample.by_dimension().values():
        *groups, functions = ecdf_tables(dimension_sample, dimension_sample.targets, options)
        tables = [*banded(groups, dimension_sample.cells, options[0], bands), functions]
        background_curves = _background_curves(context, dimension_sample, tables, options)
        for table in tables:
            profiles += table.profiles
        profiles += background_curves
        background += [
            _background_values(profile, context.positions) for profile in background_curves
        ]
        for table in tables:
            curves += _curves(table, context.positions)
            level = LEVEL if "low" in table.names else None
            answer = ecdf.collect_caveats(
                table, dimension_sample, seed=context.seed, interval=level
            )
            reference_notes = answer.said["curves_of_reference"]
            notes |= dict.fromkeys(reference_notes)
            basis |= {note: None for note in answer.notes if note not in reference_notes}
            reference += _reference_curves(dimension_sample, table, context.positions)
    if context.background is not None:
        basis = dict.fromkeys(notes_on_background(context.background, profiles)) | basis
    return {
        "ecdf": {
            "points_per_decade": POINTS_PER_DECADE,
            "curves": curves,
            "reference": reference,
            "notes": list(notes),
            "basis": list(basis),
            "background": background,
        }
    }


def _reference_curves(
    sample: AtTargets, table: EcdfTable, positions: Positions
) -> list[dict[str, Any]]:
    """Return the curves of the reference, or none if the sample has no reference."""
    if sample.reference is None:
        return []
    extended = with_reference(table, sample.targets, sample.reference, ProfileOptions())
    return [
        {
            "algorithm": None,
            "suite": positions.suites.index(profile.suite),
            **_curve_values(profile),
        }
        for profile in extended.profiles[len(table.profiles) :]
    ]


def _background_curves(
    context: Context,
    sample: AtTargets,
    tables: Sequence[EcdfTable],
    options: Sequence[ProfileOptions],
) -> list[Profile]:
    """Return the curves of background algorithms in the one dimension of a sample."""
    if context.background is None:
        return []
    key = sample.cells[0].suite, sample.cells[0].dimension
    run_sets = tuple(r for r in context.background.run_sets if (r.suite, r.dimension) == key)
    if not run_sets:
        return []
    background = replace(context.background, run_sets=run_sets)
    curves = background_profiles(background, tables, sample.targets, options)
    return [profile for profiles in curves for profile in profiles]


def _background_values(profile: Profile, positions: Positions) -> dict[str, Any]:
    """Return the values of a background curve that the page shows."""
    values = _curve_values(profile)
    return {
        "name": profile.algorithm,
        "suite": positions.suites.index(profile.suite),
        **{name: values[name] for name in ("dimension", "group", "first", "fraction")},
    }


def _curves(table: EcdfTable, positions: Positions) -> Iterable[dict[str, Any]]:
    """Yield the values of each profile that has a group, with its band if the table has bands."""
    start = 0
    for profile in table.profiles:
        # The columns of the table hold the profiles one after the other.
        rows = slice(start, start + len(profile.budgets))
        start = rows.stop
        if profile.group:
            band = {
                name: np.round(table[name][rows], _BAND_DECIMALS)
                for name in ("low", "high")
                if name in table.names
            }
            yield positions.of(profile.algorithm, profile.suite) | _curve_values(profile) | band


def _curve_values(profile: Profile) -> dict[str, Any]:
    """Return what the page needs of a curve.

    ``first`` is the position of the first budget on a grid with ``POINTS_PER_DECADE`` points.
    """
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
    "The runtime profiles of each of the chosen functions, all with the same range of budgets and "
    "with the target and axes of the section 'Runtime profiles'. Cross: longest unsuccessful runs "
    "(median). Click a name to hide the algorithm everywhere.",
    place=20,
)
def functions(context: Context) -> dict[str, Any]:
    """Return nothing: the page draws these profiles from the data of the section ``ecdf``."""
    return {}


@ecdf.report(
    "forest",
    "All algorithms with intervals",
    "Share of function-target pairs that the runs of each algorithm solved within one budget, with "
    "its 95 % interval and without simulated restarts. The map 'Best algorithm by budget' compares "
    "these shares. The dotted line is the share of the best algorithm.",
    place=15,
)
def forest(context: Context) -> dict[str, Any]:
    """Return nothing: the page draws this section from its rankings."""
    return {}


@ecdf.report(
    "dimensions",
    "Profiles of all dimensions",
    "The profiles of one algorithm in all dimensions, on all functions and on each group of "
    "functions.",
    place=17,
)
def dimensions(context: Context) -> dict[str, Any]:
    """Return nothing: the page draws these profiles from the data of the section ``ecdf``."""
    return {}
