"""Runtime profiles of algorithms from their run sets: curves, markers and dots, as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..statistics.ecdf import (
    MARKERS,
    Marker,
    budget_grid,
    failure_budget,
    marker_budget,
    solved_pairs,
)
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked, text
from ..targets.budgets import batch_size, budget_text, check_axis
from ..targets.target_sets import TargetSet
from .counting import SECONDS, axis_of
from .function_pairs import (
    FunctionPairs,
    Simulation,
    function_pairs,
    runtimes_meant,
    runtimes_note,
)
from .grouping import check_grouping, group_name, grouped
from .notes import SINGLE_RUNS, length_notes, notes_on_targets, restart_notes
from .run_sets import RunSet

Weights = Literal["pairs", "functions"]
Point = tuple[float, float]


_RUNTIMES = {
    "expected": "of the algorithm restarted until it succeeds (exact distribution), a failed run "
    "costing all it spent",
    "restarts": "of the algorithm restarted until it succeeds (simulated), a failed run costing "
    "all it spent",
    "runs": SINGLE_RUNS,
}


@dataclass(frozen=True)
class ProfileOptions:
    """What a runtime profile shows.

    Attributes:
        group_by: What a curve spans: one ``"function"``, a ``"group"`` of the suite, or ``"all"``
            functions; never several dimensions.
        runtimes: ``"expected"``: of the algorithm restarted until it succeeds, as the exact
            distribution that its runs stand for (`restart_distribution`); ``"restarts"``: the same
            by simulation (COCO's); ``"runs"``: of the single runs, failures counting as never;
            ``"suite"``: as is usual, expected, but runs with two objectives (`allows_restarts`).
        axis: Budgets are evaluations divided by the dimension, evaluations, or ``batches:P``.
        weights: ``"pairs"``: each function-target pair weighs the same; ``"functions"``: each
            function does, whatever its number of targets. They differ only where targets do.
        simulation: Seed and samples.
    """

    group_by: str = "all"
    runtimes: str = "suite"
    axis: str = "evaluations/dimension"
    weights: str = "pairs"
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

    def convention(self, run_sets: Iterable[RunSet]) -> str:
        """How runs and pairs count, in words."""
        weighs = "function-target pair" if self.weights == "pairs" else "function"
        sentence = runtimes_note(run_sets, self.runtimes, _RUNTIMES)
        if (size := batch_size(self.axis)) is not None:
            sentence += (
                f"; a budget is a number of batches of {size} evaluations, a hit counts with its "
                "whole batch, and every run begins a new one"
            )
        return f"{sentence}; every {weighs} weighs the same"

    def with_restarts(self, run_sets: Iterable[RunSet]) -> list[RunSet]:
        """Those whose runtimes are of the algorithm restarted."""
        return [run_set for run_set in run_sets if runtimes_meant(run_set, self.runtimes) != "runs"]


@dataclass(frozen=True, eq=False)
class Profile:
    """One curve: an algorithm in one dimension, over the function-target pairs of one group.

    Attributes:
        group: ``"all"``, a group's name, or a function such as ``"f003"``.
        functions: Numbers of the functions, ascending.
        targets: Precisions, easiest first; empty where functions have targets of their own.
        targets_text: What the targets are, for people.
        instances: Numbers of the instances that were run, ascending.
        budgets: In the unit of ``axis``, shape ``(n_budgets,)``, ascending.
        fraction: Share of the runtimes that are at most the budget, ``(n_budgets,)``.
        markers: (budget, fraction) for each convention of `markers`; without those for which no
            function has a number, because every run reached the hardest target.
        dot: (budget, fraction) at the last runtime: the share of pairs that were solved at all;
            None where there are none.
        solved: Number of pairs that at least one run solved.
        pairs: Number of function-target pairs.
        axis: Unit of the budgets, such as ``"evaluations/dimension"``.
        problems: Functions and instances that were run, as pairs.
        partial: Whether another algorithm's curve of the same group stands for functions or
            instances that this one does not.
        reference: Whether it is what the others are measured against.
        background: Whether it stands behind the others, thin and grey.
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
        """Suite, dimension, group: curves of one place stand in one figure."""
        return self.suite, self.dimension, self.group

    @property
    def label(self) -> str:
        """The algorithm's name, with a mark where the curve is ``partial``."""
        return f"{self.algorithm} *" if self.partial else self.algorithm

    @property
    def marker(self) -> Point | None:
        """(budget, fraction) at the median over functions of the longest unsuccessful runs."""
        return self.markers.get("longest")

    def at(self, budget: float) -> float:
        """Fraction at the largest tabulated budget up to ``budget``; 0 before the first."""
        i = int(np.searchsorted(self.budgets, budget, side="right"))
        return float(self.fraction[i - 1]) if i else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class EcdfTable(Table):
    """Runtime profiles; as text, one line for each curve with its fractions at decades of budget.

    Columns: ``algorithm, suite, dimension, group, evaluations_per_dimension`` (or ``evaluations``),
    ``fraction``. Budgets are ``10**(k/50)``, the same for all curves; each begins below its first
    step and ends at or above its last, after which the fraction stays.

    Attributes:
        profiles: The curves with their markers, dots, functions and instances.
    """

    profiles: tuple[Profile, ...] = ()

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        last = max((p.budgets[-1] for p in self.profiles), default=1.0)
        first = 0
        if self.axis == SECONDS:
            first = math.floor(np.log10(min(p.budgets[0] for p in self.profiles)))
        decades = range(first, max(math.ceil(np.log10(last) - 1e-9), first) + 1)
        budget_heads = [f"<={budget_text(10.0**n, self.axis)}" for n in decades]
        heads = [*self.names[:4], *budget_heads, "solved pairs", "cross at"]
        lines = []
        for p in self.profiles:
            name = [text(p.label), text(p.suite), str(p.dimension), text(p.group)]
            fractions = [f"{p.at(10.0**n):.3f}" for n in decades]
            marker = text(p.marker[0]) if p.marker else "-"
            lines.append([*name, *fractions, f"{p.solved}/{p.pairs}", marker])
        return heads, lines


def ecdf_tables(
    run_sets: Iterable[RunSet], targets: TargetSet, options: Sequence[ProfileOptions]
) -> list[EcdfTable]:
    """Profiles of all run sets, one for each algorithm, suite, dimension and group of functions.

    Options are of a table each; they differ by ``group_by`` alone, and runtimes are made once.
    """
    data = list(run_sets)
    if data:
        options = [
            replace(run_set, axis=axis_of(run_set.axis, data[0].count)) for run_set in options
        ]
    profiles: list[list[Profile]] = [[] for _ in options]
    for functions in grouped(data, "all"):
        way, unit = options[0], functions[0].unit(options[0].axis)
        pairs = {
            id(run_set): function_pairs(run_set, way.runtimes, way.simulation, unit)
            for run_set in functions
        }
        ends = {id(run_set): _failure_budgets(run_set) for run_set in functions}
        for way, found in zip(options, profiles, strict=True):
            for group in grouped(functions, way.group_by):
                parts = [pairs[id(run_set)] for run_set in group]
                markers = _markers([ends[id(run_set)] for run_set in group], unit)
                found.append(_profile(group, parts, markers, targets, way))
    notes = notes_on_targets(data, targets, options[0].convention(data))
    restarted = options[0].with_restarts(data)
    notes += restart_notes(restarted) + length_notes(restarted)
    return [_table(found, way, notes) for way, found in zip(options, profiles, strict=True)]


def concatenate(tables: Sequence[EcdfTable]) -> EcdfTable:
    """The curves of tables with the same columns, at least one, as one table."""
    first = tables[0]
    if len(tables) == 1:
        return first
    columns = {name: np.concatenate([table[name] for table in tables]) for name in first.names}
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return EcdfTable(columns, notes, tuple(p for table in tables for p in table.profiles))


def with_profiles(table: EcdfTable, more: Sequence[Profile], notes: Iterable[str]) -> EcdfTable:
    """A table with more curves, which have no bands."""
    columns = table.columns
    if more:
        rows = stacked(table.names, _blocks(more, 2 * ("low" in table.names)))
        columns = {name: np.concatenate([table[name], rows[name]]) for name in table.names}
    profiles = (*table.profiles, *more)
    return replace(table, columns=columns, notes=(*table.notes, *notes), profiles=profiles)


def _blocks(profiles: Iterable[Profile], bands: int = 0) -> list[list[Value | Floats]]:
    """The rows of curves, with NaN in so many columns of bands."""
    return [
        [p.algorithm, p.suite, p.dimension, p.group, p.budgets, p.fraction, *[np.nan] * bands]
        for p in profiles
    ]


def _table(profiles: list[Profile], options: ProfileOptions, notes: tuple[str, ...]) -> EcdfTable:
    names = ("algorithm", "suite", "dimension", "group", options.column, "fraction")
    marked = tuple(_marked(profiles))
    if any(p.partial for p in marked):
        notes += (
            "* lacks functions or instances that another algorithm was run on: its curve stands "
            "for other problems, and must not be compared with theirs.",
        )
    return EcdfTable(stacked(names, _blocks(profiles)), notes, marked)


def curve_of(
    pairs: Sequence[FunctionPairs], markers: Mapping[str, float], options: ProfileOptions
) -> dict[str, Any]:
    """The attributes of `Profile` that say how a curve runs, by name."""
    lows, highs = zip(*(p.ends() for p in pairs), strict=True)
    last = max(highs)
    budgets = budget_grid([np.array([min(lows), last]) if last > 0 else np.array([np.inf])])
    marks = [*markers.values(), last]
    sizes = [own.n_targets for own in pairs]
    by_function = sizes if options.weights == "pairs" and len(set(sizes)) > 1 else None
    shares = [own.fraction(np.concatenate([marks, budgets])) for own in pairs]
    fraction: Floats = np.average(shares, axis=0, weights=by_function)
    points = list(zip(marks, fraction.tolist(), strict=False))
    return {
        "budgets": budgets,
        "fraction": fraction[len(marks) :],
        "markers": dict(zip(markers, points, strict=False)),
        "dot": points[-1] if last > 0 else None,
        "pairs": sum(sizes),
    }


def _profile(
    data: list[RunSet],
    pairs: list[FunctionPairs],
    markers: Mapping[str, float],
    targets: TargetSet,
    options: ProfileOptions,
) -> Profile:
    first = data[0]
    return Profile(
        algorithm=first.algorithm,
        suite=first.suite,
        dimension=first.dimension,
        group=group_name(first, options.group_by),
        functions=tuple(t.function for t in data),
        targets=targets.shared(first.suite),
        targets_text=targets.text(first.suite),
        instances=tuple(sorted({i for t in data for i in t.instances.tolist()})),
        **curve_of(pairs, markers, options),
        solved=sum(int(solved_pairs(t.hits).sum()) for t in data),
        axis=options.axis,
        problems=frozenset((t.function, i) for t in data for i in set(t.instances.tolist())),
    )


def _marked(profiles: list[Profile]) -> list[Profile]:
    """The profiles, ``partial`` where another algorithm has more functions or instances."""
    problems: dict[tuple[str, int, str], frozenset[tuple[int, int]]] = {}
    for p in profiles:
        problems[p.place] = problems.get(p.place, frozenset()) | p.problems
    return [replace(p, partial=p.problems < problems[p.place]) for p in profiles]


def _failure_budgets(run_set: RunSet) -> dict[Marker, float]:
    """A function's evaluations for each convention of `markers`."""
    hits = run_set.hits[:, -1]
    return {name: failure_budget(hits, run_set.spent, run_set.instances, name) for name in MARKERS}


def _markers(budgets: Sequence[Mapping[Marker, float]], unit: float) -> dict[str, float]:
    """Budgets of the markers over several functions, without those that no function has."""
    markers = {name: marker_budget([ends[name] for ends in budgets]) for name in MARKERS}
    return {name: marker / unit for name, marker in markers.items() if np.isfinite(marker)}
