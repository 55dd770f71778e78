"""Runtime profiles of algorithms from their run sets, as a table.

`ecdf_tables` computes an `EcdfTable` for each way of grouping functions. A `Profile` is one curve
of the table: the share of function-target pairs solved within a budget. It has markers, and a dot
at the share of pairs that some run solved. `ProfileOptions` says which runtimes a profile shows,
and how it weights them. `curve_of` averages the runtimes of several functions; `with_profiles` adds
curves of a reference or of background algorithms to a table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..cost import SECONDS, axis_of
from ..grouping import check_grouping, group_name, grouped
from ..hits.run_sets import RunSet
from ..samples.convention import RESTARTED, SINGLE_RUNS, Convention
from ..samples.sample import Sample
from ..statistics.ecdf import (
    MARKERS,
    Marker,
    budget_grid,
    failure_budgets,
    marker_budget,
    solved_pairs,
)
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked, text
from ..targets.budgets import batch_size, budget_text, check_axis
from ..targets.target_sets import TargetSet
from .function_pairs import (
    FunctionPairs,
    Runtimes,
    Simulation,
    function_pairs,
    runtimes_meant,
    runtimes_note,
)

Weights = Literal["pairs", "functions"]
"""What has the same weight in a profile: each function-target pair, or each function."""
Point = tuple[float, float]
"""A point of a profile: budget and fraction."""

_RUNTIMES = {
    "expected": "runtimes with restarts until success (exact distribution)",
    "restarts": "runtimes with restarts until success (simulated)",
    "runs": SINGLE_RUNS.sentence,
}
"""Descriptions of the kinds of runtimes, for `runtimes_note`."""
_EXPONENT_TOLERANCE = 1e-9
"""Maximum rounding error of the logarithm of a budget that is a power of ten."""


@dataclass(frozen=True)
class ProfileOptions:
    """Options of a runtime profile.

    Attributes:
        group_by: Functions of a curve: ``"function"`` (one), ``"group"`` (a group of the suite) or
            ``"all"``. A curve never spans several dimensions.
        runtimes: Kind of runtimes. ``"runs"``: runtimes of single runs, infinite for a run that
            missed the target. ``"expected"``: runtimes of the algorithm restarted until it
            succeeds, as the exact distribution (`restart_distribution`). ``"restarts"``: these
            runtimes, simulated (as in COCO). ``"suite"``: ``"expected"``, but ``"runs"`` with two
            objectives (`allows_restarts`).
        axis: Unit of budgets: ``"evaluations/dimension"``, ``"evaluations"``, ``"batches:P"`` for
            batches of P evaluations, or ``"seconds"``.
        weights: ``"pairs"``: each function-target pair has the same weight. ``"functions"``: each
            function has the same weight. The two differ only if the numbers of targets differ.
        simulation: Seed and number of samples, for ``"restarts"``.

    Raises:
        AssessmentError: There is no such way of grouping.
        UnknownNameError: There is no such unit, or no such kind of weights.
    """

    group_by: str = "all"
    runtimes: Runtimes = "suite"
    axis: str = "evaluations/dimension"
    weights: Weights = "pairs"
    simulation: Simulation = field(default_factory=Simulation)

    def __post_init__(self) -> None:
        check_grouping(self.group_by)
        if self.axis != SECONDS and batch_size(self.axis) is None:
            check_axis(self.axis)
        if self.weights not in get_args(Weights):
            raise UnknownNameError.of("weights", self.weights, get_args(Weights))

    @property
    def column(self) -> str:
        """Name of the column of budgets."""
        return self.axis.partition(":")[0].replace("/", "_per_")

    def convention(self, run_sets: Sample[RunSet]) -> Convention:
        """Return the sentences that say how the runs and function-target pairs count."""
        weighted = "function-target pair" if self.weights == "pairs" else "function"
        sentence = runtimes_note(run_sets, self.runtimes, _RUNTIMES)
        if (size := batch_size(self.axis)) is not None:
            sentence += (
                f"; budgets are batches of {size} evaluations, a hit counts with its whole batch, "
                "and each run begins a new batch"
            )
        are_restarted = {self.is_restarted(run_set) for run_set in run_sets}
        failed = "they count"
        if len(are_restarted) == 1:
            failed = RESTARTED.failed if True in are_restarted else SINGLE_RUNS.failed
        return Convention(
            f"{sentence}; each {weighted} has the same weight",
            failed,
            self.is_restarted,
        )

    def is_restarted(self, run_set: RunSet) -> bool:
        """Return whether the profile shows runtimes of the restarted algorithm for these runs."""
        return runtimes_meant(run_set, self.runtimes) != "runs"


@dataclass(frozen=True, eq=False)
class Profile:
    """One curve: the function-target pairs that an algorithm solves within each budget.

    A profile spans the functions of one group in one dimension.

    Attributes:
        algorithm: Name of the algorithm.
        suite: Name of the suite.
        dimension: Dimension of the functions.
        group: Name of the group of functions: ``"all"``, a group of the suite, or a function such
            as ``"f003"``.
        functions: Numbers of the functions, ascending.
        targets: Precisions, easiest first; empty if targets differ between functions.
        targets_text: Description of the targets in words.
        instances: Numbers of the instances that were run, ascending.
        budgets: Budgets in the unit ``axis``, shape ``(n_budgets,)``, ascending.
        fraction: Share of the runtimes that are at most each budget, shape ``(n_budgets,)``.
        markers: Point of each marker, by convention (`statistics.ecdf`). A marker is missing if all
            runs on all functions hit the hardest target.
        dot: Point at the largest runtime; its fraction is the share of pairs that some run solved.
            None if no run solved any pair.
        solved: Number of pairs that at least one run solved.
        pairs: Number of function-target pairs.
        axis: Unit of the budgets, such as ``"evaluations/dimension"``.
        problems: (function, instance) of all runs.
        partial: Whether another algorithm has a curve of this group over more functions or
            instances.
        reference: Whether the profile is that of the reference.
        background: Whether the profile is drawn in the background, thin and grey.
    """

    algorithm: str
    suite: str
    dimension: int
    group: str
    functions: tuple[int, ...]
    targets: tuple[float, ...]
    targets_text: str
    instances: tuple[int, ...]
    budgets: Floats
    fraction: Floats
    markers: Mapping[str, Point]
    dot: Point | None
    solved: int
    pairs: int
    axis: str
    problems: frozenset[tuple[int, int]]
    partial: bool = False
    reference: bool = False
    background: bool = False

    @property
    def place(self) -> tuple[str, int, str]:
        """Suite, dimension and group; curves for which they are equal share a figure."""
        return self.suite, self.dimension, self.group

    @property
    def label(self) -> str:
        """The algorithm's name, with an asterisk if the curve is ``partial``."""
        return f"{self.algorithm} *" if self.partial else self.algorithm

    @property
    def marker(self) -> Point | None:
        """Point at the median over functions of the longest unsuccessful run; None if none."""
        return self.markers.get("longest")

    def at(self, budget: float) -> float:
        """Return the fraction at the largest tabulated budget up to ``budget``, or else 0."""
        n_budgets = int(np.searchsorted(self.budgets, budget, side="right"))
        return float(self.fraction[n_budgets - 1]) if n_budgets else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class EcdfTable(Table):
    """Runtime profiles; as text, one line for each curve with its fractions at decades of budget.

    The columns ``algorithm``, ``suite``, ``dimension`` and ``group`` identify a curve.
    ``evaluations_per_dimension`` (or ``evaluations``) is a budget, and ``fraction`` is the share of
    pairs solved within it. Budgets are ``10**(k/50)``, the same for all curves. A curve begins
    below its first step and ends at or above its last step, after which the fraction stays.

    Attributes:
        profiles: The curves with their markers, dots, functions and instances.
        background: Algorithms of the background, with and without a curve.
        left_out: Algorithms left out of the background, as in `background.Background`.
        run_sets: The runs of the compared algorithms, from which figures draw single runs; empty if
            unknown.
        target_budgets: Budgets of run-length targets in evaluations / dimension, ascending; empty
            for other targets.
    """

    profiles: tuple[Profile, ...] = ()
    background: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    run_sets: tuple[RunSet, ...] = ()
    target_budgets: tuple[float, ...] = ()

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Lay out the profiles for text and LaTeX, one line for each curve.

        Returns:
            Column titles, and the cells of each line: the fractions at powers of ten, the number of
            solved pairs, and the budget of the marker, ``"-"`` if there is none.
        """
        last_budget = max((p.budgets[-1] for p in self.profiles), default=1.0)
        first_exponent = 0
        if self.axis == SECONDS:  # unlike evaluations, seconds may be below 1
            first_exponent = math.floor(np.log10(min(p.budgets[0] for p in self.profiles)))
        last_exponent = math.ceil(np.log10(last_budget) - _EXPONENT_TOLERANCE)
        exponents = range(first_exponent, max(last_exponent, first_exponent) + 1)
        budget_titles = [f"<={budget_text(10.0**n, self.axis)}" for n in exponents]
        titles = [*self.names[:4], *budget_titles, "solved pairs", "cross at"]
        lines = []
        for p in self.profiles:
            name = [text(p.label), text(p.suite), str(p.dimension), text(p.group)]
            fractions = [f"{p.at(10.0**n):.3f}" for n in exponents]
            marker = text(p.marker[0]) if p.marker else "-"
            lines.append([*name, *fractions, f"{p.solved}/{p.pairs}", marker])
        return titles, lines


def ecdf_tables(
    run_sets: Iterable[RunSet], targets: TargetSet, options: Sequence[ProfileOptions]
) -> list[EcdfTable]:
    """Compute runtime profiles for each algorithm, suite, dimension and group of functions.

    Args:
        run_sets: The runs.
        targets: The targets of the run sets.
        options: The options of each table. They may differ in ``group_by`` only, because the
            runtimes of a function are computed once for all tables.

    Returns:
        A table for each of ``options``.
    """
    data = list(run_sets)
    if data:
        options = [replace(option, axis=axis_of(option.axis, data[0].count)) for option in options]
    profiles: list[list[Profile]] = [[] for _ in options]
    for functions in grouped(data, "all"):
        shared_options, unit = options[0], functions[0].unit(options[0].axis)
        pairs_of_function = {
            run_set.function: function_pairs(
                run_set, shared_options.runtimes, shared_options.simulation, unit
            )
            for run_set in functions
        }
        markers_of_function = {
            run_set.function: failure_budgets(run_set.hits[:, -1], run_set.spent, run_set.instances)
            for run_set in functions
        }
        for table_options, table_profiles in zip(options, profiles, strict=True):
            for group in grouped(functions, table_options.group_by):
                pairs = [pairs_of_function[run_set.function] for run_set in group]
                markers = _markers([markers_of_function[r.function] for r in group], unit)
                table_profiles.append(_profile(group, pairs, markers, targets, table_options))
    tables = []
    for table_options, table_profiles in zip(options, profiles, strict=True):
        names = ("algorithm", "suite", "dimension", "group", table_options.column, "fraction")
        columns = stacked(names, _blocks(table_profiles))
        tables.append(EcdfTable(columns, profiles=tuple(_mark_partial(table_profiles))))
    return tables


def concatenate(tables: Sequence[EcdfTable]) -> EcdfTable:
    """Concatenate the curves of at least one table; all tables have the same columns."""
    first = tables[0]
    if len(tables) == 1:
        return first
    columns = {name: np.concatenate([table[name] for table in tables]) for name in first.names}
    return EcdfTable(columns, profiles=tuple(p for table in tables for p in table.profiles))


def with_profiles(table: EcdfTable, more: Sequence[Profile]) -> EcdfTable:
    """Return a table with further curves, which have no confidence bands.

    Args:
        table: A table of profiles.
        more: The further curves. In the columns ``low`` and ``high``, if the table has them, their
            values are NaN.
    """
    columns = table.columns
    if more:
        rows = stacked(table.names, _blocks(more, 2 * ("low" in table.names)))
        columns = {name: np.concatenate([table[name], rows[name]]) for name in table.names}
    profiles = (*table.profiles, *more)
    return replace(table, columns=columns, profiles=profiles)


class _CurveAttributes(TypedDict):
    """Attributes of `Profile` that describe the curve."""

    budgets: Floats
    fraction: Floats
    markers: dict[str, Point]
    dot: Point | None
    pairs: int


def curve_of(
    pairs: Sequence[FunctionPairs], markers: Mapping[str, float], options: ProfileOptions
) -> _CurveAttributes:
    """Compute the curve over several functions, and the points of its markers and of its dot.

    Args:
        pairs: Runtimes of each function, in the same unit of budgets.
        markers: Budget of each marker.
        options: Weights of the functions.

    Returns:
        The attributes of `Profile` that describe the curve, by name.
    """
    lows, highs = zip(*(p.ends() for p in pairs), strict=True)
    last = max(highs)  # 0 if no target was reached
    limits = np.array([min(lows), last]) if last > 0 else np.array([np.inf])
    budgets = budget_grid([limits])
    mark_budgets = [*markers.values(), last]
    sizes = [function.n_targets for function in pairs]
    weights = sizes if options.weights == "pairs" and len(set(sizes)) > 1 else None
    shares = [function.fraction(np.concatenate([mark_budgets, budgets])) for function in pairs]
    fraction: Floats = np.average(shares, axis=0, weights=weights)
    n_marks = len(mark_budgets)
    points = list(zip(mark_budgets, fraction[:n_marks].tolist(), strict=True))
    return {
        "budgets": budgets,
        "fraction": fraction[n_marks:],
        "markers": dict(zip(markers, points[:-1], strict=True)),
        "dot": points[-1] if last > 0 else None,
        "pairs": sum(sizes),
    }


def _markers(budgets: Sequence[Mapping[Marker, float]], unit: float) -> dict[str, float]:
    """Return the budget of each marker over several functions; omit markers without a budget."""
    medians = {marker: marker_budget([b[marker] for b in budgets]) for marker in MARKERS}
    return {marker: median / unit for marker, median in medians.items() if np.isfinite(median)}


def _profile(
    group: list[RunSet],
    pairs: list[FunctionPairs],
    markers: Mapping[str, float],
    targets: TargetSet,
    options: ProfileOptions,
) -> Profile:
    first = group[0]
    problems = {(r.function, instance) for r in group for instance in r.instances.tolist()}
    return Profile(
        algorithm=first.algorithm,
        suite=first.suite,
        dimension=first.dimension,
        group=group_name(first, options.group_by),
        functions=tuple(run_set.function for run_set in group),
        targets=targets.shared(first.suite),
        targets_text=targets.text(first.suite),
        instances=tuple(sorted({instance for _, instance in problems})),
        **curve_of(pairs, markers, options),
        solved=sum(int(solved_pairs(run_set.hits).sum()) for run_set in group),
        axis=options.axis,
        problems=frozenset(problems),
    )


def _blocks(profiles: Iterable[Profile], n_bands: int = 0) -> list[list[Value | Floats]]:
    """Return the rows of curves, with NaN in ``n_bands`` further columns."""
    return [
        [p.algorithm, p.suite, p.dimension, p.group, p.budgets, p.fraction, *[np.nan] * n_bands]
        for p in profiles
    ]


def _mark_partial(profiles: list[Profile]) -> list[Profile]:
    """Mark profiles as ``partial`` if another algorithm has more functions or instances."""
    problems: dict[tuple[str, int, str], frozenset[tuple[int, int]]] = {}
    for p in profiles:
        problems[p.place] = problems.get(p.place, frozenset()) | p.problems
    return [replace(p, partial=p.problems < problems[p.place]) for p in profiles]
