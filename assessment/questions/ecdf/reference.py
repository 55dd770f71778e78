"""Add the runtime profiles of a reference to those of algorithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...profiles.function_pairs import FunctionPairs, Runtimes, runtimes_meant
from ...profiles.profiles import EcdfTable, Profile, ProfileOptions, curve_of, with_profiles
from ...references import BestOf, ReferenceRuntimes
from ...samples.at_targets import ReferenceAt
from ...statistics.hits import runtimes_of_runs
from ...statistics.restart_distribution import RestartDistributions, restart_distribution
from ...targets.budgets import unit_of
from ...targets.runlength import runtimes_at
from ...targets.target_sets import TargetSet


def with_reference(
    table: EcdfTable,
    targets: TargetSet,
    reference: ReferenceAt,
    options: ProfileOptions,
) -> EcdfTable:
    """Add the profiles of a reference to a table, or mark those that it has already.

    If the reference is an algorithm of the table, its profiles are marked as the reference.
    Otherwise each group of functions for which the reference has data gets a new profile. If the
    reference has runs, the profile shows the runtimes of the best algorithm on each target, with
    restarts or of single runs (`runtimes_meant`). If it has average runtimes only, the profile
    shows these, as in cocopp.

    Args:
        table: Profiles of algorithms.
        targets: Targets of each function.
        reference: The reference and its data.
        options: Kind of runtimes and weights; the unit of budgets is that of the table's profiles.

    Returns:
        The table with profiles whose attribute ``reference`` is True.
    """
    entries, name = reference.read()
    if name in {p.algorithm for p in table.profiles}:
        marked = tuple(replace(p, reference=p.algorithm == name) for p in table.profiles)
        return replace(table, profiles=marked)
    if table.profiles:  # profiles of seconds are in seconds, whatever the options say
        options = replace(options, axis=table.profiles[0].axis)
    profile_of_figure = {p.place: p for p in table.profiles}
    reference_profiles = []
    for profile in profile_of_figure.values():
        classes = [(profile.suite, function, profile.dimension) for function in profile.functions]
        if all(problem_class in entries for problem_class in classes):
            unit = unit_of(options.axis, profile.dimension)
            pairs = [
                _reference_pairs(entries[c], targets.of(*c), options.runtimes, unit)
                for c in classes
            ]
            reference_profiles.append(_reference_profile(profile, name, pairs, options))
    return with_profiles(table, reference_profiles)


def _reference_pairs(
    entry: ReferenceRuntimes, targets: Sequence[float], runtimes: Runtimes, unit: float
) -> FunctionPairs:
    """Return the runtimes of the reference to the targets of one function."""
    if isinstance(entry, BestOf):
        runs = [entry.runs_of(j) for j in range(len(targets))]
        if runtimes_meant(entry.run_sets[0], runtimes) == "runs":
            # Algorithms may have unequal numbers of runs: repeat them to one number of rows.
            n_rows = math.lcm(*(len(hits) for hits, _ in runs))
            columns = [np.repeat(runtimes_of_runs(hits), n_rows // len(hits)) for hits, _ in runs]
            return FunctionPairs(np.column_stack(columns), unit=unit)
        distributions = [restart_distribution(hits, spent) for hits, spent in runs]
        exact = RestartDistributions.concatenate(distributions)
        return FunctionPairs(np.empty((0, 0)), exact, unit)
    return FunctionPairs(
        runtimes_at(entry.targets, entry.average_runtimes, targets)[np.newaxis], unit=unit
    )


def _reference_profile(
    profile: Profile, name: str, pairs: Sequence[FunctionPairs], options: ProfileOptions
) -> Profile:
    """Return the curve of the reference over the functions of another curve.

    Args:
        profile: The other curve; its suite, dimension and group are taken.
        name: Name of the reference.
        pairs: Runtimes of the reference on the function-target pairs of the other curve.
        options: Options of both curves.
    """
    return replace(
        profile,
        algorithm=name,
        instances=(),
        **curve_of(pairs, {}, options),
        solved=sum(p.solved for p in pairs),
        problems=frozenset(),
        partial=False,
        reference=True,
    )
