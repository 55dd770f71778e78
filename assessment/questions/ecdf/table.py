"""Runtime profiles: the share of function-target pairs solved within budgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ....suites.errors import UnknownNameError
from ...asking.declaration import question
from ...asking.options import (
    Background,
    Groupings,
    Level,
    Percents,
    Reference,
    RuntimeAxis,
    Runtimes,
    Samples,
    Seed,
    Targets,
)
from ...data.function_pairs import Simulation, function_pairs
from ...data.grouping import check_groupings, grouped
from ...data.profiles import (
    EcdfTable,
    Profile,
    ProfileOptions,
    concatenate,
    ecdf_tables,
    with_profiles,
)
from ...data.run_sets import RunSet, in_batches
from ...data.runs import Runs
from ...errors import AssessmentError
from ...statistics.ecdf import budgets_of_shares, geometric_means_of_easiest
from ...statistics.quantiles import Floats
from ...statistics.ratios import ratio_of, ratio_of_ends
from ...tables.table import Table, Value, table_of
from ...targets.budgets import batch_size
from ...targets.parse import numbers_of
from ...targets.runlength import PROFILE_BUDGETS
from ...targets.target_sets import all_targets


@question("To begin with", 30, joins=True)
def ecdf(
    runs: Runs,
    targets: Targets | None = None,
    *,
    group_by: Groupings = "all",
    runtimes: Runtimes = "suite",
    axis: RuntimeAxis = "evaluations/dimension",
    seed: Seed = 1,
    samples: Samples = 200_000,
    interval: Level | None = None,
    reference: Reference | None = None,
    fractions: Percents | None = None,
    background: Background | None = None,
) -> EcdfTable:
    """Runtime profiles: share of function-target pairs solved in a budget.

    Every function-target pair weighs the same; dimensions are never joined. Runtimes are those of
    the algorithm restarted until it succeeds, computed from its runs (`restart_distribution`). The
    cross is at the median over functions of the longest run that missed the hardest target. Where
    all these runs spent one budget, the curve rises by simulated restarts alone right of the cross.
    Where runs ended by themselves, restarts count from the shortest of them on; a note says so.

    ``interval`` adds a band by a bootstrap over runs, pointwise: at a budget named beforehand,
    within the longest run. 95 % bands of one and of eight simulated functions held in 93 to 100 %
    of experiments with 5 to 30 runs (benchmarks/band_coverage.py), but with one function whose runs
    must find a basin that one start in ten finds, in 84 % (5 runs), 88 % (15), 91 % (30). Beyond
    the longest run they know only targets that some run reached.

    In batches of P evaluations, a hit counts with its whole batch, and every run begins a new one:
    what an algorithm takes that evaluates P points at a time.

    ``fractions`` gives the budgets at which shares of the pairs are solved instead, the factors
    between the algorithms, and the geometric mean over the easiest share; with ``interval``, their
    intervals: from where the upper end of the band reaches the share to where the lower one does.

    Args:
        targets: None: the suite's, such as 51, 1e2 … 1e-8.
        group_by: What a curve spans; never several dimensions.
        runtimes: expected: of the algorithm restarted until it succeeds, as an exact distribution;
            restarts: the same by simulation; runs: of single runs, failures counting as never;
            suite: expected, but runs with two objectives.
        axis: Unit of budgets.
        seed: Of simulated restarts, and of bands.
        samples: At least so many simulated runtimes of each function.
        interval: Add the confidence interval of each fraction, such as 0.95.
        reference: Its curves are added, thick in figures; run-length targets are made from it. With
            ``fractions``, an algorithm that factors are to. None: none.
        fractions: Percentages of the function-target pairs, such as 25,50,75. None: the curves.
        background: None: none. Who lacks functions of a curve has none there.

    Returns:
        An `EcdfTable`, with ``fractions`` a `FractionsTable`; its columns are there. Several of
        ``group_by`` give the curves of each, for less than one by one.

    Raises:
        AssessmentError: A reference's curve is asked for in batches.
    """
    simulation = Simulation(seed, samples)
    spans = check_groupings(group_by)
    options = [ProfileOptions(span, runtimes, axis, simulation=simulation) for span in spans]
    targets = runs.load_targets(targets, reference, PROFILE_BUDGETS)
    compared = runs.common()
    size = batch_size(axis)
    if size is not None and reference is not None and fractions is None:
        raise AssessmentError("axis: a reference has no curve in batches; leave one of both out")
    run_sets, aims = compared.at_targets(targets, all_targets)
    run_sets = in_batches(run_sets, size)
    tables = ecdf_tables(run_sets, aims, options)
    if interval is not None:
        from ...data.uncertainty import banded
        from ...statistics.intervals import Resampling

        tables = banded(tables, run_sets, options[0], Resampling(interval, seed, samples=200))
    if fractions is not None:
        base = None if reference is None else str(reference)
        return fractions_table(tables, run_sets, options, parse_percents(fractions), base)
    table = concatenate(tables)
    if reference is not None:
        from ...data.reference_tables import with_reference

        known = compared.reference_at(reference, aims)
        table = with_reference(table, aims, known, options[0])
    if background is not None:
        from ...data.background import background_of, background_profiles

        behind = background_of(background, run_sets, aims, runs.count, size)
        profiles = background_profiles(behind, tables, aims, options)
        table = with_profiles(table, [p for own in profiles for p in own], behind.notes)
    return table


_CELL = ("algorithm", "suite", "dimension", "group", "percent")


@dataclass(frozen=True, eq=False, repr=False)
class FractionsTable(EcdfTable):
    """Budgets of shares; a row for each curve and share. Its ``profiles`` can be drawn.

    Columns: ``algorithm, suite, dimension, group``; ``percent`` of the function-target pairs;
    ``evaluations_per_dimension`` (or ``evaluations``), the budget within which so many are solved,
    inf where they never are; with an interval ``budget_low`` and ``budget_high``, where the band of
    the curve reaches the share; ``factor``, the budget divided by the least of all algorithms, or
    by that of the reference, NaN where neither reaches the share or the reference has no curve;
    with an interval ``factor_low`` and ``factor_high``; ``geometric_mean`` of the runtimes to the
    easiest pairs that make up the share.
    """

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out: the rows."""
        return Table.text_cells(self)


def parse_percents(value: str | float | Iterable[float]) -> tuple[float, ...]:
    """Percentages above 0, up to 100, ascending, each once.

    >>> parse_percents("50, 25")
    (25.0, 50.0)
    """
    refusal = "fractions: {!r} is no percentage above 0, up to 100; give such as 25,50,75"
    found = numbers_of(value, lambda number: 0 < number <= 100, refusal)
    if not found:
        raise AssessmentError("fractions: none given; give percentages such as 25,50,75")
    return found


def fractions_table(
    tables: Sequence[EcdfTable],
    run_sets: Sequence[RunSet],
    options: Sequence[ProfileOptions],
    percents: Sequence[float],
    reference: str | None,
) -> FractionsTable:
    """Budgets of shares of the curves of tables, which may have bands.

    Factors are to ``reference``; None: to the algorithm with the least budget.
    """
    names = sorted({run_set.algorithm for run_set in run_sets})
    if reference is not None and reference not in names:
        raise UnknownNameError.of("algorithm that factors are to", reference, names)
    curves: list[tuple[Profile, Floats, Floats]] = []
    for table, way in zip(tables, options, strict=True):
        # in the order of the profiles
        groups = [g for own in grouped(run_sets, "all") for g in grouped(own, way.group_by)]
        for profile, group, band in zip(table.profiles, groups, _bands(table), strict=True):
            found = _budgets_and_means(profile, group, band, way, np.array(percents) / 100)
            curves.append((profile, *found))
    banded = "low" in tables[0].names
    rows: list[list[Value]] = []
    for p, budgets, means in curves:
        rivals = {q.algorithm: theirs for q, theirs, _ in curves if q.place == p.place}
        for j, percent in enumerate(percents):
            base = reference
            if base is None:
                base = min(rivals, key=lambda name: rivals[name][0, j])
            least = rivals[base][:, j] if base in rivals else np.full(3, np.nan)
            own = budgets[:, j]
            factor = ratio_of(own[0], least[0])
            ends = (factor, factor)
            if base in rivals and base != p.algorithm:
                ends = ratio_of_ends(own, least)
            numbers = [*own.tolist(), factor, *ends] if banded else [float(own[0]), factor]
            cell: list[Value] = [p.algorithm, p.suite, p.dimension, p.group, percent]
            rows.append([*cell, *numbers, float(means[j])])
    budget = options[0].column
    columns = [budget, "factor"]
    if banded:
        columns = [budget, "budget_low", "budget_high", "factor", "factor_low", "factor_high"]
    base_text = (
        "the least budget of all algorithms here" if reference is None else f"that of {reference}"
    )
    notes = dict.fromkeys([f"factor: the budget by {base_text}."])
    notes |= dict.fromkeys(note for table in tables for note in table.notes)
    profiles = tuple(profile for profile, _, _ in curves)
    return FractionsTable(table_of((*_CELL, *columns, "geometric_mean"), rows), (*notes,), profiles)


def _budgets_and_means(
    profile: Profile,
    group: Sequence[RunSet],
    band: tuple[Floats, Floats] | None,
    way: ProfileOptions,
    shares: Floats,
) -> tuple[Floats, Floats]:
    """Budgets of shares of a curve, and geometric means of the easiest shares.

    Budgets, ``(3, n_shares)``, have the ends of the intervals, too; NaN without a band.
    """
    unit = group[0].unit(way.axis)
    pairs = [function_pairs(run_set, way.runtimes, way.simulation, unit) for run_set in group]
    total = sum(own.n_targets for own in pairs)
    atoms = [(x, w * own.n_targets / total) for own in pairs for x, w in [own.atoms()]]
    runtimes, weights = (np.concatenate(column) for column in zip(*atoms, strict=True))
    budgets = budgets_of_shares(runtimes, weights, shares)
    ends = np.full((2, len(shares)), np.nan)
    if band is not None:
        low, high = (np.maximum.accumulate(end) for end in band)
        grid = profile.budgets
        # nothing is solved before the first evaluation
        before, after = np.append(1 / unit, grid), np.append(grid, np.inf)
        ends[0] = np.fmin(before[np.searchsorted(high, shares)], budgets)
        ends[1] = np.fmax(after[np.searchsorted(low, shares)], budgets)
    return np.vstack([budgets, ends]), geometric_means_of_easiest(runtimes, weights, shares)


def _bands(table: EcdfTable) -> list[tuple[Floats, Floats] | None]:
    """Lower and upper ends of the band of each profile; None where there are none."""
    if "low" not in table.names:
        return [None] * len(table.profiles)
    ends = np.cumsum([len(p.budgets) for p in table.profiles])[:-1]
    return list(zip(*(np.split(table[name], ends) for name in ("low", "high")), strict=True))
