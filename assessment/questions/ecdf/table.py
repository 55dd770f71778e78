"""Compute runtime profiles: the share of function-target pairs solved within budgets.

The question `ecdf` computes one profile for each algorithm, suite, dimension and group of
functions. On request it adds confidence bands, and profiles of a reference or of other algorithms.
With ``fractions``, `fractions_table` reads the budgets of given shares from the profiles instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...caveats import BACKGROUND, REFERENCE_RUNS, Explanation
from ...cost import axis_of
from ...errors import AssessmentError
from ...grouping import check_groupings, grouped
from ...hits.run_sets import RunSet
from ...notes import notes_on_reference, notes_on_repetitions
from ...profiles.function_pairs import Simulation, function_pairs
from ...profiles.profiles import (
    EcdfTable,
    Profile,
    ProfileOptions,
    concatenate,
    ecdf_tables,
    with_profiles,
)
from ...references import cocopp_references
from ...samples.at_targets import AtTargets
from ...samples.convention import Convention
from ...samples.sample import Answer
from ...statistics.ecdf import budgets_of_shares, geometric_means_of_easiest
from ...statistics.quantiles import Floats
from ...statistics.ratios import ratio_of, ratio_of_ends
from ...tables.table import Table, Value, table_of
from ...targets.budgets import AXES, axis_text, batch_size
from ...targets.parse import numbers_of
from ...targets.runlength import PROFILE_BUDGETS
from ...targets.target_sets import all_targets
from .._framework.needs import at_targets
from .._framework.options import (
    Background,
    Groupings,
    Level,
    Percents,
    Resamples,
    Runtimes,
    Seed,
)
from .._framework.question import question


def _profile_options(sample: AtTargets, options: Mapping[str, Any]) -> list[ProfileOptions]:
    """Return the options of profiles for each way of grouping, from the options of the question."""
    simulation = Simulation(options["seed"], options["samples"])
    return [
        ProfileOptions(group_by, options["runtimes"], sample.axis, simulation=simulation)
        for group_by in check_groupings(options["group_by"])
    ]


def _convention(sample: AtTargets, options: Mapping[str, Any]) -> Convention:
    return _profile_options(sample, options)[0].convention(sample)


@question(
    "To begin with",
    30,
    needs=at_targets(all_targets, takes_axis=True, shows_reference=True, budgets=PROFILE_BUDGETS),
    convention=_convention,
    joins=True,
    examples=(
        "results/quickstart.h5 --plot ecdf.pdf",
        "results/quickstart.h5 --group-by group --interval 0.95",
        "results/quickstart.h5 --fractions 25,50,75",
    ),
    explains=[BACKGROUND],
)
def ecdf(
    sample: AtTargets,
    *,
    group_by: Groupings = "all",
    runtimes: Runtimes = "suite",
    seed: Seed = 1,
    samples: Resamples = 200_000,
    interval: Level | None = None,
    fractions: Percents | None = None,
    background: Background | None = None,
) -> EcdfTable:
    """Compute runtime profiles: share of function-target pairs solved in a budget.

    Every function-target pair has the same weight, and a curve never spans several dimensions.
    Runtimes are those of the algorithm restarted until it succeeds, computed from its runs
    (`restart_distribution`). The cross marks the longest unsuccessful run, median over functions.
    If all unsuccessful runs had the same budget, everything right of the cross comes from simulated
    restarts. If runs ended by themselves, simulated restarts contribute from the length of the
    shortest unsuccessful run onwards, and a note says so.

    ``interval`` adds a pointwise band by a bootstrap over runs. A band is valid at a budget that is
    chosen in advance, within the longest run. In simulated experiments with 5 to 30 runs, 95 %
    bands over one and over eight functions contained the true share in 93 to 100 %. With one
    function whose runs must find a basin that one start in ten finds, they contained it in 84 % (5
    runs), 88 % (15) and 91 % (30). Beyond the longest run, bands use only targets that some run
    reached.

    In batches of P evaluations, a hit counts with its whole batch, and every run begins a new
    batch. The curve is then that of an algorithm that evaluates P points at a time.

    With ``fractions``, the table has the budgets at which shares of the pairs are solved, instead
    of curves. It also has the factors between the algorithms, and the geometric mean runtime of the
    easiest pairs that make up each share. ``interval`` then adds confidence intervals of the
    budgets. They begin where the upper end of the band reaches the share and end where its lower
    end does.

    Args:
        group_by: Functions of one dimension that a curve aggregates.
        runtimes: Definition of runtimes. expected: runtimes of the algorithm restarted until it
            succeeds, as an exact distribution; restarts: by simulation; runs: runtimes of single
            runs, inf for a run that missed the target; suite: runs with two objectives, else
            expected.
        seed: Random seed of simulated restarts and of bands.
        samples: Minimum number of simulated runtimes of each function.
        interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of each
            fraction. None: no interval.
        reference: Its curves are added; they are thick in figures. Run-length targets are computed
            from it. With ``fractions``, factors are relative to it. None: no reference.
        fractions: Percentages of the function-target pairs, e.g. 25,50,75: show the budgets at
            which they are solved. None: show the curves.
        background: Their curves are added, thin and grey in figures. An algorithm without all
            functions of a curve is left out. None: no other algorithms.

    Returns:
        One row for each algorithm, group of functions, dimension and budget, with the ``fraction``
        of pairs solved. With ``fractions``, one row for each of these percentages, with the budget
        that solves it, ``factor`` and ``geometric_mean``. If ``group_by`` names several ways, the
        table has the rows of each.

    Raises:
        AssessmentError: The curve of a reference is requested in batches.
    """
    targets, reference = sample.targets, sample.reference
    options = _profile_options(
        sample, {"group_by": group_by, "runtimes": runtimes, "seed": seed, "samples": samples}
    )
    size = batch_size(sample.axis)
    if size is not None and reference is not None and fractions is None:
        raise AssessmentError("axis: a reference has no curve in batches; leave one of both out")
    tables = ecdf_tables(sample, targets, options)
    if interval is not None:
        from ...statistics.intervals import Resampling
        from .bands import banded

        tables = banded(tables, sample.cells, options[0], Resampling(interval, seed, samples=200))
    if fractions is not None:
        base = None if reference is None else str(reference.requested)
        return fractions_table(tables, sample.cells, options, parse_percents(fractions), base)
    table = concatenate(tables)
    if reference is not None:
        from .reference import with_reference

        table = with_reference(table, targets, reference, options[0])
    if background is not None:
        from ...profiles.background import (
            background_of,
            background_profiles,
            notes_on_background,
        )

        others = background_of(background, sample.cells, targets, sample.count, size)
        profiles_by_table = background_profiles(others, tables, targets, options)
        table = with_profiles(table, [p for profiles in profiles_by_table for p in profiles])
        table = replace(
            table,
            notes=notes_on_background(others, table.profiles),
            background=others.algorithms,
            left_out=others.left_out,
        )
    return replace(table, run_sets=sample.cells, target_budgets=targets.budgets)


@ecdf.caveat(
    explains=[
        Explanation(
            "unequal lengths",
            "unequal lengths: unsuccessful runs of A 20 to 200 (evaluations / dimension); "
            "simulated restarts contribute from the shortest on, also left of the cross.",
            "Simulated restarts continue an unsuccessful run with another one. If lengths differ, "
            "the curve contains restarts before the longest run ended.",
            "Give all runs the same budget, if the curve left of the cross must show single runs "
            "only.",
        )
    ]
)
def lengths_of_unsuccessful_runs(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name algorithms whose unsuccessful runs ended after different numbers of evaluations.

    If all unsuccessful runs had the same budget, everything right of the cross comes from simulated
    restarts. Otherwise restarts contribute from the length of the shortest of these runs onwards.
    """
    extremes_by_dimension: dict[tuple[str, str, int], list[float]] = {}
    convention = answer.convention_of(sample)
    for run_set in sample:
        if convention is not None and convention.restarted(run_set):
            is_unsuccessful = ~np.isfinite(run_set.hits).all(axis=1)
            lengths = run_set.spent[is_unsuccessful] / run_set.unit()
            if lengths.size:
                key = run_set.algorithm, run_set.suite, run_set.dimension
                extremes = extremes_by_dimension.setdefault(key, [])
                extremes += [float(lengths.min()), float(lengths.max())]
    varying: dict[str, list[float]] = {}
    for (algorithm, _, _), extremes in extremes_by_dimension.items():
        if min(extremes) < max(extremes):
            varying.setdefault(algorithm, []).extend(extremes)
    if varying:
        axis = axis_of(AXES[0], sample.count)
        ranges = ", ".join(f"{name} {min(v):.4g} to {max(v):.4g}" for name, v in varying.items())
        yield (
            f"unequal lengths: unsuccessful runs of {ranges} ({axis_text(axis)}); simulated "
            "restarts contribute from the shortest on, also left of the cross."
        )


@ecdf.caveat(
    explains=[
        Explanation(
            "*",
            "*: functions or instances are missing; this curve covers other problems, so do not "
            "compare it with the other curves.",
            "With --unequal, an algorithm may lack problems that another one was run on. Its "
            "curve may then be higher only because its problems are easier.",
            "Leave --unequal out, or run the missing problems, so that all curves cover the same "
            "problems.",
        )
    ]
)
def curves_of_other_problems(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say that some curves stand for other functions or instances."""
    assert isinstance(answer.table, EcdfTable)
    if any(profile.partial for profile in answer.table.profiles):
        yield (
            "*: functions or instances are missing; this curve covers other problems, so do not "
            "compare it with the other curves."
        )


@ecdf.caveat(
    explains=[
        Explanation(
            "low, high",
            "low, high: pointwise 95 % band for the curve of infinitely many runs (bootstrap "
            "within functions, seed 1); not for all budgets at once.",
            "The band shows how far the curve may be from that of infinitely many runs. At many "
            "budgets together, it misses more often than at one.",
            "Base a conclusion on one budget chosen before the experiment, because only there the "
            "level holds.",
            is_definition=True,
        )
    ]
)
def bands_of_profiles(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what the bands of profiles are about."""
    if answer.options["interval"] is None:
        return
    yield (
        f"low, high: pointwise {100 * answer.options['interval']:g} % band for the curve of "
        f"infinitely many runs (bootstrap within functions, seed {answer.options['seed']}); not "
        "for all budgets at once."
    )
    yield from notes_on_repetitions("low, high", sample.cells)


@ecdf.caveat(
    explains=[
        Explanation(
            "factor",
            "factor: budget divided by the smallest budget of all algorithms shown.",
            "Factors compare runtimes without a unit. They change if a faster algorithm is added.",
            "Give --reference for factors that do not depend on the other algorithms.",
            is_definition=True,
        )
    ]
)
def factors_of_budgets(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """State the denominator of factors, if budgets of shares are shown."""
    if answer.options["fractions"] is not None:
        base = "the smallest budget of all algorithms shown"
        if sample.reference is not None:
            base = f"the budget of {sample.reference.requested}"
        yield f"factor: budget divided by {base}."


@ecdf.caveat(
    explains=[
        Explanation(
            "reference",
            "reference: best2009-bbob; if it has average runtimes only, its curve shows these.",
            "The reference has no single runs, or lacks functions of a curve. A curve of averages "
            "lacks the variation of single runs.",
            "Choose a reference with runs, because only then both curves show the same quantity.",
        )
    ]
)
def curves_of_reference(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what is shown of the reference, and how many curves it lacks functions of."""
    reference = sample.reference
    if reference is None or answer.options["fractions"] is not None:
        return
    if reference.name in {run_set.algorithm for run_set in sample}:
        return
    assert isinstance(answer.table, EcdfTable)
    yield (f"reference: {reference.name}; if it has average runtimes only, its curve shows these.")
    profiles = [p for p in answer.table.profiles if not (p.reference or p.background)]
    functions_of_curve = {p.place: p.functions for p in profiles}
    n_missing = sum(
        any((suite, function, dimension) not in reference.entries for function in functions)
        for (suite, dimension, _), functions in functions_of_curve.items()
    )
    if n_missing:
        yield (
            f"reference: {reference.name} lacks functions of {n_missing} of "
            f"{len(functions_of_curve)} curves; these are left out."
        )


@ecdf.caveat(explains=[REFERENCE_RUNS])
def runs_of_reference(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say which runs the reference rests on."""
    reference = sample.reference
    if reference is None or answer.options["fractions"] is not None:
        return ()
    if reference.name in {run_set.algorithm for run_set in sample}:
        return ()
    return notes_on_reference(*reference.read(), answer.notes)


@ecdf.caveat(
    explains=[
        Explanation(
            "suggestion",
            "suggestion: --reference best2009-bbob adds the best of 2009 (data of cocopp).",
            "The best results of a workshop show how far your algorithms are from published ones. "
            "The installed cocopp has their data.",
            "Give this reference, because a comparison only among your own algorithms shows no "
            "absolute quality.",
            is_definition=True,
        )
    ]
)
def suggested_reference(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Suggest the best algorithm of 2009 as the reference if the installed cocopp has its data."""
    # The data count evaluations, as the default does.
    if sample.reference is not None or sample.count != "f+g":
        return
    suites = dict.fromkeys(run_set.suite for run_set in sample)
    for name in (f"best2009-{suite}" for suite in suites):
        if name in cocopp_references():
            yield (f"suggestion: --reference {name} adds the best of 2009 (data of cocopp).")


_KEYS = ("algorithm", "suite", "dimension", "group", "percent")
"""Leading columns of a `FractionsTable`."""


@dataclass(frozen=True, eq=False, repr=False)
class FractionsTable(EcdfTable):
    """Budgets within which shares of the pairs are solved; one row for each curve and share.

    The columns ``algorithm``, ``suite``, ``dimension`` and ``group`` identify a curve, and
    ``percent`` is a share of the function-target pairs. ``evaluations_per_dimension`` (or
    ``evaluations``) is the budget within which the share is solved; inf if it never is. ``factor``
    is this budget divided by the least budget of all algorithms, or by that of the reference. It is
    NaN if neither budget is finite, or the reference has no curve. ``geometric_mean`` is that of
    the runtimes to the easiest pairs that make up the share.

    With an interval, ``budget_low`` and ``budget_high`` are the budgets at which the band of the
    curve reaches the share, and ``factor_low`` and ``factor_high`` are the limits of the factor.
    ``profiles`` can be drawn.
    """

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the rows as they are, not the profiles, for text and LaTeX."""
        return Table.text_cells(self)


def parse_percents(value: str | float | Iterable[float]) -> tuple[float, ...]:
    """Return percentages in ascending order, each once.

    Args:
        value: Numbers above 0, up to 100; as text, they are separated by commas.

    Raises:
        AssessmentError: There is no percentage, or one of them is out of range.

    >>> parse_percents("50, 25")
    (25.0, 50.0)
    """
    refusal = "fractions: {!r} is no percentage above 0, up to 100; give such as 25,50,75"
    percents = numbers_of(value, lambda number: 0 < number <= 100, refusal)
    if not percents:
        raise AssessmentError("fractions: none given; give percentages such as 25,50,75")
    return percents


def fractions_table(
    tables: Sequence[EcdfTable],
    run_sets: Sequence[RunSet],
    options: Sequence[ProfileOptions],
    percents: Sequence[float],
    reference: str | None,
) -> FractionsTable:
    """Compute the budgets at which the profiles reach shares of the function-target pairs.

    Args:
        tables: Profiles of ``run_sets``, one table for each of ``options``; all have bands or none.
        run_sets: Runs of one algorithm on one function each.
        options: Options with which the tables were made.
        percents: Percentages of the pairs, ascending.
        reference: Algorithm whose budgets are the denominators of the factors. None: for each
            percentage, the algorithm with the smallest budget.

    Returns:
        One row for each profile and percentage.

    Raises:
        AssessmentError: No algorithm has the name ``reference``.
    """
    names = sorted({run_set.algorithm for run_set in run_sets})
    if reference is not None and reference not in names:
        raise AssessmentError(
            f"fractions: a factor needs a reference with runs: {', '.join(names)}; {reference} has "
            "average runtimes only"
        )
    shares = np.array(percents) / 100
    curves: list[_CurveBudgets] = []
    for table, table_options in zip(tables, options, strict=True):
        # These groups are in the order of the profiles.
        groups = [
            group
            for functions in grouped(run_sets, "all")
            for group in grouped(functions, table_options.group_by)
        ]
        curves += [
            _compute_budgets(profile, group, band, table_options, shares)
            for profile, group, band in zip(table.profiles, groups, _bands(table), strict=True)
        ]
    has_bands = "low" in tables[0].names
    rows: list[list[Value]] = []
    for curve in curves:
        profile = curve.profile
        rivals = [rival for rival in curves if rival.profile.place == profile.place]
        budgets_of = {rival.profile.algorithm: rival.budgets for rival in rivals}
        for j, percent in enumerate(percents):
            base = reference
            if base is None:
                base = min(budgets_of, key=lambda name: budgets_of[name][0, j])
            denominator = budgets_of[base][:, j] if base in budgets_of else np.full(3, np.nan)
            budget = curve.budgets[:, j]
            factor = ratio_of(budget[0], denominator[0])
            limits = (factor, factor)
            if base in budgets_of and base != profile.algorithm:
                limits = ratio_of_ends(budget, denominator)
            numbers = [float(budget[0]), factor]
            if has_bands:
                numbers = [*budget.tolist(), factor, *limits]
            key: list[Value] = [
                profile.algorithm, profile.suite, profile.dimension, profile.group, percent,
            ]  # fmt: skip
            rows.append([*key, *numbers, float(curve.geometric_means[j])])
    budget_column = options[0].column
    columns = [budget_column, "factor"]
    if has_bands:
        columns = [
            budget_column, "budget_low", "budget_high", "factor", "factor_low", "factor_high",
        ]  # fmt: skip
    profiles = tuple(curve.profile for curve in curves)
    return FractionsTable(table_of((*_KEYS, *columns, "geometric_mean"), rows), profiles=profiles)


class _CurveBudgets(NamedTuple):
    """Budgets at which a profile reaches each of some shares of its function-target pairs.

    Attributes:
        profile: The profile.
        budgets: Budget of each share, then the limits of its interval, NaN without a band; inf if
            the share is never reached. Shape ``(3, n_shares)``.
        geometric_means: Geometric mean of the runtimes to the easiest pairs of each share, shape
            ``(n_shares,)``.
    """

    profile: Profile
    budgets: Floats
    geometric_means: Floats


def _bands(table: EcdfTable) -> list[tuple[Floats, Floats] | None]:
    """Return lower and upper limits of the band of each profile, None if there are no bands."""
    if "low" not in table.names:
        return [None] * len(table.profiles)
    boundaries = np.cumsum([len(p.budgets) for p in table.profiles])[:-1]
    return list(zip(*(np.split(table[name], boundaries) for name in ("low", "high")), strict=True))


def _compute_budgets(
    profile: Profile,
    group: Sequence[RunSet],
    band: tuple[Floats, Floats] | None,
    options: ProfileOptions,
    shares: Floats,
) -> _CurveBudgets:
    unit = group[0].unit(options.axis)
    pairs = [function_pairs(r, options.runtimes, options.simulation, unit) for r in group]
    n_pairs = sum(p.n_targets for p in pairs)
    atoms = [(x, w * p.n_targets / n_pairs) for p in pairs for x, w in [p.atoms()]]
    runtimes, weights = (np.concatenate(column) for column in zip(*atoms, strict=True))
    budgets = budgets_of_shares(runtimes, weights, shares)
    limits = np.full((2, len(shares)), np.nan)
    if band is not None:
        low, high = (np.maximum.accumulate(limit) for limit in band)
        grid = profile.budgets
        # The upper limit may be reached just after the previous budget; nothing is solved before
        # the first evaluation. The lower limit is reached only at the budget itself.
        previous, current = np.append(1 / unit, grid), np.append(grid, np.inf)
        limits[0] = np.fmin(previous[np.searchsorted(high, shares)], budgets)
        limits[1] = np.fmax(current[np.searchsorted(low, shares)], budgets)
    means = geometric_means_of_easiest(runtimes, weights, shares)
    return _CurveBudgets(profile, np.vstack([budgets, limits]), means)
