"""Runtime profiles of algorithms from their run sets: curves, markers and dots, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ..statistics.ecdf import budget_grid, solved_pairs
from ..statistics.ecdf_markers import MARKERS, Marker, failure_budget, marker_budget
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked, text
from ..targets.budgets import batch_size, budget_text, check_axis, unit_of
from ..targets.target_sets import TargetSet
from .function_pairs import (
    FunctionPairs,
    Simulation,
    function_pairs,
    runtimes_meant,
    runtimes_said,
)
from .grouping import check_grouping, group_name, grouped
from .notes import SINGLE_RUNS, notes_on_targets, restart_notes
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
        if batch_size(self.axis) is None:
            check_axis(self.axis)
        if self.weights not in get_args(Weights):
            raise UnknownNameError.of("weights", self.weights, get_args(Weights))

    @property
    def column(self) -> str:
        """Name of the column of budgets."""
        kind = self.axis.partition(":")[0]
        return "evaluations_per_dimension" if kind == "evaluations/dimension" else kind

    def convention(self, run_sets: Iterable[RunSet]) -> str:
        """How runs and pairs count, in words."""
        weighs = "function-target pair" if self.weights == "pairs" else "function"
        said = runtimes_said(run_sets, self.runtimes, _RUNTIMES)
        if (size := batch_size(self.axis)) is not None:
            said += (
                f"; a budget is a number of batches of {size} evaluations, a hit counts with its "
                "whole batch, and every run begins a new one"
            )
        return f"{said}; every {weighs} weighs the same"

    def with_restarts(self, run_sets: Iterable[RunSet]) -> list[RunSet]:
        """Those whose runtimes are of the algorithm restarted."""
        return [one for one in run_sets if runtimes_meant(one, self.runtimes) != "runs"]

    def unit(self, one: RunSet) -> float:
        """What evaluations are divided by."""
        return unit_of(self.axis, one.dimension)


@dataclass(frozen=True, eq=False)
class Profile:
    """One curve: an algorithm in one dimension, over the function-target pairs of one group.

    Attributes:
        algorithm: Name of the algorithm.
        suite: Name of the suite.
        dimension: Number of variables.
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

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        last = max((p.budgets[-1] for p in self.profiles), default=1.0)
        decades = range(max(int(np.ceil(np.log10(last) - 1e-9)), 0) + 1)
        axis = self.profiles[0].axis if self.profiles else "evaluations"
        shown = [f"<={budget_text(10.0**n, axis)}" for n in decades]
        heads = [*self.names[:4], *shown, "solved pairs", "cross at"]
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

    Args:
        run_sets: Each algorithm, function and dimension once.
        targets: Those of the run sets.
        options: Of a table each; they differ by ``group_by`` alone, and runtimes are made once.

    Raises:
        UnknownNameError: ``runtimes`` of the options is none of the four.
    """
    data = list(run_sets)
    profiles: list[list[Profile]] = [[] for _ in options]
    for functions in grouped(data, "all"):
        way = options[0]
        pairs = {
            id(one): function_pairs(one, way.runtimes, way.simulation, way.unit(one))
            for one in functions
        }
        ends = {id(one): _failure_budgets(one) for one in functions}
        for way, found in zip(options, profiles, strict=True):
            for group in grouped(functions, way.group_by):
                parts = [pairs[id(one)] for one in group]
                markers = _markers([ends[id(one)] for one in group], way.unit(group[0]))
                found.append(_profile(group, parts, markers, targets, way))
    notes = notes_on_targets(data, targets, options[0].convention(data))
    notes += restart_notes(options[0].with_restarts(data))
    return [_table(found, way, notes) for way, found in zip(options, profiles, strict=True)]


def concatenate(tables: Sequence[EcdfTable]) -> EcdfTable:
    """The curves of tables with the same columns, at least one, as one table."""
    first = tables[0]
    if len(tables) == 1:
        return first
    columns = {name: np.concatenate([one[name] for one in tables]) for name in first.names}
    notes = tuple(dict.fromkeys(note for one in tables for note in one.notes))
    return EcdfTable(columns, notes, tuple(p for one in tables for p in one.profiles))


def _table(profiles: list[Profile], options: ProfileOptions, notes: tuple[str, ...]) -> EcdfTable:
    blocks: list[list[Value | Floats]] = [
        [p.algorithm, p.suite, p.dimension, p.group, p.budgets, p.fraction] for p in profiles
    ]
    names = ("algorithm", "suite", "dimension", "group", options.column, "fraction")
    marked = tuple(_marked(profiles))
    if any(p.partial for p in marked):
        notes += (
            "* lacks functions or instances that another algorithm was run on: its curve stands "
            "for other problems, and must not be compared with theirs.",
        )
    return EcdfTable(stacked(names, blocks), notes, marked)


def curve_of(
    pairs: Sequence[FunctionPairs], markers: Mapping[str, float], options: ProfileOptions
) -> dict[str, Any]:
    """The attributes of `Profile` that say how a curve runs, by name.

    Args:
        pairs: One for each function.
        markers: Budgets of its markers by name.
        options: Their ``weights`` say how functions count.
    """
    lows, highs = zip(*(p.ends() for p in pairs), strict=True)
    last = max(highs)
    budgets = budget_grid([np.array([min(lows), last]) if last > 0 else np.array([np.inf])])
    marks = [*markers.values(), last]
    sizes = [one.n_targets for one in pairs]
    by_function = sizes if options.weights == "pairs" and len(set(sizes)) > 1 else None
    shares = [one.fraction(np.concatenate([marks, budgets])) for one in pairs]
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
    one = data[0]
    return Profile(
        algorithm=one.algorithm,
        suite=one.suite,
        dimension=one.dimension,
        group=group_name(one, options.group_by),
        functions=tuple(t.function for t in data),
        targets=targets.shared(one.suite),
        targets_text=targets.text(one.suite),
        instances=tuple(sorted({i for t in data for i in t.instances.tolist()})),
        **curve_of(pairs, markers, options),
        solved=sum(int(solved_pairs(t.hits).sum()) for t in data),
        axis=options.axis,
        problems=frozenset((t.function, i) for t in data for i in set(t.instances.tolist())),
    )


def _marked(profiles: list[Profile]) -> list[Profile]:
    """The profiles, ``partial`` where another algorithm has more functions or instances."""
    everything: dict[tuple[str, int, str], frozenset[tuple[int, int]]] = {}
    for p in profiles:
        key = p.suite, p.dimension, p.group
        everything[key] = everything.get(key, frozenset()) | p.problems
    return [
        replace(p, partial=p.problems < everything[p.suite, p.dimension, p.group]) for p in profiles
    ]


def _failure_budgets(one: RunSet) -> dict[Marker, float]:
    """A function's evaluations for each convention of `markers`."""
    hits = one.hits[:, -1]
    return {name: failure_budget(hits, one.spent, one.instances, name) for name in MARKERS}


def _markers(budgets: Sequence[Mapping[Marker, float]], unit: float) -> dict[str, float]:
    """Budgets of the markers over several functions, without those that no function has."""
    markers = {name: marker_budget([one[name] for one in budgets]) for name in MARKERS}
    return {name: marker / unit for name, marker in markers.items() if np.isfinite(marker)}
