"""All figures of a set of results, kind by kind: what is drawn, and its caption."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...suites.errors import UnknownNameError
from ...suites.selection import ranges
from ..data.choice import Selectors, choose, measurement_of
from ..data.fixed_budget_data import FixedBudgetData, fixed_budget_data
from ..data.function_pairs import Simulation
from ..data.ranked_runs import ranked_runs
from ..data.run_curves import run_curves
from ..data.run_sets import RunSet
from ..data.target_choice import asked_run_sets, joined_run_sets, reference_entries
from ..errors import AssessmentError
from ..statistics.intervals import Resampling
from ..targets.defaults import Default, all_targets, hardest, loss_targets, pair_targets
from ..targets.parse import target_text
from ..targets.target_sets import TargetSet
from ..views.anytime.attainment import attainment_difference_table, attainment_table
from ..views.anytime.notes import notes_table
from ..views.art import art_table
from ..views.comparison.loss import loss_table
from ..views.comparison.pairwise import ratio_table, scatter_table
from ..views.ecdf import ProfileOptions, ecdf_tables
from ..views.fixed_budget import fixed_budget_table
from ..views.merit.ranks import RankOptions, ranks_table
from ..views.precision_ecdf import precision_profile_table
from ..views.restarts import restarts_table
from ..views.scaling import scaling_table
from .anytime.attainment import draw_attainment, draw_attainment_difference
from .anytime.notes import draw_notes
from .convergence import draw_convergence
from .ecdf import draw_ecdf
from .files import Drawing, file_part
from .fixed_budget import STATISTICS, draw_fixed_budget
from .heatmap import draw_heatmap
from .loss import draw_loss
from .merit.critical_difference import draw_critical_difference
from .precision_ecdf import draw_precision_ecdf
from .ratios import draw_ratios
from .restarts import draw_restarts
from .scaling import draw_scaling
from .scatter import draw_scatter

if TYPE_CHECKING:
    from ...loggers import Log

_AXIS = "evaluations/dimension"
_PER_DECADE = 10
_GROUPINGS = ("all", "group", "function")


@dataclass(frozen=True)
class Wanted:
    """Which figures, of what.

    Attributes:
        selectors: Which runs.
        reference: For losses, as in `Results.loss`.
        seed: Of all that is simulated.
    """

    selectors: Selectors = field(default_factory=Selectors)
    reference: str = "best"
    seed: int = 1

    @property
    def simulation(self) -> Simulation:
        """Of runtimes with restarts."""
        return Simulation(self.seed)


def drawings(log: Log, kinds: Sequence[str], wanted: Wanted) -> Iterator[Drawing]:
    """Draw the figures of some kinds, one after the other.

    Args:
        log: Of which runs.
        kinds: Names of `KINDS`.
        wanted: Of what.

    Raises:
        UnknownNameError: There is no such kind.
        AssessmentError: Nothing can be drawn.
        MissingPackageError: matplotlib is not installed.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownNameError.of("kind of figure", kind, KINDS)
    for kind in kinds:
        yield from KINDS[kind](log, wanted)


def _ecdf(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    ways = [ProfileOptions(by, simulation=wanted.simulation) for by in _GROUPINGS]
    asked = joined_run_sets(log, None, all_targets, unequal=False, **wanted.selectors)
    for table in ecdf_tables(*asked, ways):
        cells = dict.fromkeys((p.suite, p.dimension, p.group) for p in table.profiles if p.group)
        for suite, dimension, group in cells:
            one = next(
                p
                for p in table.profiles
                if (p.suite, p.dimension, p.group) == (suite, dimension, group)
            )
            yield Drawing(
                f"ecdf_{file_part(suite)}_d{dimension:02d}_{file_part(group)}",
                draw_ecdf(table, dimension, group, suite),
                f"Runtime profiles on {suite} f{ranges(one.functions)} in {dimension}-D: share "
                "of function-target pairs solved within a budget of evaluations / dimension; "
                f"{one.targets_text}. Runtimes are those of the algorithm restarted until it "
                "succeeds. Marker: median over functions of the longest unsuccessful "
                "runs. Dot: all pairs solved at all. "
                + _runs(log, suite, dimension, wanted, one.functions),
            )


def _scaling(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = scaling_table(*_asked(log, wanted, pair_targets))
    for suite, function, target in _cells(table, "suite", "function", "target"):
        yield Drawing(
            f"scaling_{file_part(suite)}_f{function:03d}_{target_text(target)}",
            draw_scaling(table, function, target, suite),
            f"aRT / dimension to precision {target_text(target)} on {suite} f{function} against "
            "the dimension. Bars: 25 and 75 % of single runtimes with restarts. Numbers: "
            "successes where not all runs succeeded. Crosses: median "
            "length of unsuccessful runs / dimension. "
            + _runs(log, suite, None, wanted, [function]),
        )


def _convergence(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = fixed_budget_table(_at_budgets(log, wanted, curve_budgets(log)))
    for suite, function, dimension in _cells(table, "suite", "function", "dimension"):
        yield Drawing(
            f"convergence_{file_part(suite)}_f{function:03d}_d{dimension:02d}",
            draw_convergence(table, function, dimension, suite),
            f"Best precision so far on {suite} f{function} in {dimension}-D: median of the runs, "
            "band from 25 to 75 %; a run that ended keeps its last value; precisions below 1e-12 "
            "are drawn there. " + _runs(log, suite, dimension, wanted, [function]),
        )


def _attainment(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = attainment_table(run_curves(log, choose(log, **wanted.selectors), _AXIS), "all")
    for suite, dimension, name in _cells(table, "suite", "dimension", "algorithm"):
        yield Drawing(
            f"attainment_{file_part(suite)}_d{dimension:02d}_{file_part(name)}",
            draw_attainment(table, name, dimension, None, suite),
            f"Empirical attainment function of {name} on {suite} in {dimension}-D: the precision "
            "that 10, 25, 50, 75 and 90 % of the runs had within a budget, all functions and "
            "instances taken together. " + _runs(log, suite, dimension, _only(wanted, name)),
        )


def _attainment_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        both = _only(wanted, first, second)
        curves = run_curves(log, choose(log, **both.selectors), _AXIS)
        table = attainment_difference_table(curves, "all", first, second)
        for suite, dimension in _cells(table, "suite", "dimension"):
            yield Drawing(
                f"attainment-difference_{file_part(suite)}_d{dimension:02d}_{file_part(first)}_"
                f"{file_part(second)}",
                draw_attainment_difference(table, dimension, None, suite),
                f"Share of the runs of {first} that have a precision within a budget, minus that "
                f"of {second}, on {suite} in {dimension}-D, all functions and instances taken "
                f"together: blue where {first} attains more. " + _runs(log, suite, dimension, both),
            )


def _fixed_budget(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = fixed_budget_table(_at_budgets(log, wanted, curve_budgets(log)))
    for suite, function, dimension in _cells(table, "suite", "function", "dimension"):
        signed = measurement_of(log, suite).targets[-1] <= 0
        statistic = "median" if signed else "geometric_mean"
        name = STATISTICS.get(statistic, statistic).capitalize()
        yield Drawing(
            f"fixed-budget_{file_part(suite)}_f{function:03d}_d{dimension:02d}",
            draw_fixed_budget(table, statistic, function, dimension, suite),
            f"{name} over the runs of the best precision within a budget on {suite} "
            f"f{function} in {dimension}-D; a run that ended keeps its last value. "
            + _runs(log, suite, dimension, wanted, [function]),
        )


def _precision(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = precision_profile_table(_at_budgets(log, wanted, None), "all")
    for suite, dimension, group in _cells(table, "suite", "dimension", "group"):
        yield Drawing(
            f"precision_{file_part(suite)}_d{dimension:02d}_{file_part(group)}",
            draw_precision_ecdf(table, dimension, group, suite),
            f"Share of runs on {suite} in {dimension}-D that are within a precision after 1, 10, "
            "100, … evaluations / dimension, each function weighing the same; larger budgets are "
            "darker. No restarts are simulated. " + _runs(log, suite, dimension, wanted),
        )


def _scatter(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        asked = _asked(log, wanted, all_targets, (first, second))
        table = scatter_table(*asked, first, second)
        for suite, function in _cells(table, "suite", "function"):
            yield Drawing(
                f"scatter_{file_part(suite)}_f{function:03d}_{file_part(first)}_{file_part(second)}",
                draw_scatter(table, function, suite),
                f"aRT of {first} against aRT of {second} on {suite} f{function}: a mark for each "
                f"of {asked[1].text(suite)}, in each dimension; at an edge: not reached. "
                + _runs(log, suite, None, wanted, [function]),
            )


def _ratios(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        asked = _asked(log, wanted, pair_targets, (first, second))
        table = ratio_table(*asked, first, second)
        for suite, dimension in _cells(table, "suite", "dimension"):
            yield Drawing(
                f"ratios_{file_part(suite)}_d{dimension:02d}_{file_part(first)}_{file_part(second)}",
                draw_ratios(table, dimension, suite),
                f"Distribution of the runtime of {first} divided by that of {second} on {suite} in "
                f"{dimension}-D, over all pairs of runs, each function weighing the same; targets "
                f"{', '.join(map(target_text, asked[1].shared(suite)))}. "
                + _runs(log, suite, dimension, wanted),
            )


def _loss(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    entries, _ = reference_entries(log, choose(log, **wanted.selectors), wanted.reference)
    table = loss_table(*_asked(log, wanted, loss_targets), entries)
    for suite, dimension in _cells(table, "suite", "dimension"):
        yield Drawing(
            f"loss_{file_part(suite)}_d{dimension:02d}",
            draw_loss(table, dimension, suite),
            f"Runtime loss on {suite} in {dimension}-D against {wanted.reference}, by budget: aRT "
            "to the hardest target reached within the budget (the budget itself where the "
            "reference reaches a harder one), divided by the reference's aRT. Line: geometric "
            "mean over functions; dots: functions. " + _runs(log, suite, dimension, wanted),
        )


def _heatmap(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = art_table(*_asked(log, wanted, hardest))
    for suite, dimension, target in _cells(table, "suite", "dimension", "target"):
        yield Drawing(
            f"heatmap_{file_part(suite)}_d{dimension:02d}",
            draw_heatmap(table, dimension, target, suite),
            f"aRT to precision {target_text(target)} on {suite} in {dimension}-D, divided by "
            "the least of the algorithms shown. Hatched: never reached. White: not run. "
            + _runs(log, suite, dimension, wanted),
        )


def _critical_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    run_sets, targets = _asked(log, wanted, hardest)
    options = RankOptions(resampling=Resampling(seed=wanted.seed, samples=1000))
    table = ranks_table(ranked_runs(log, run_sets), targets, options)
    for suite, dimension in _cells(table, "suite", "dimension"):
        yield Drawing(
            f"critical-difference_{file_part(suite)}_d{dimension:02d}",
            draw_critical_difference(table, dimension, suite),
            f"Average ranks over functions on {suite} in {dimension}-D, 1 is best, with 95 % "
            f"intervals over instances; target {targets.text(suite)}, runs that missed it ordered "
            "by precision. Bars join algorithms whose ranks do not differ at 0.05 (Friedman, "
            "Holm). " + _runs(log, suite, dimension, wanted),
        )


def _notes(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = notes_table(log, choose(log, **wanted.selectors))
    for suite, function, dimension, name in _cells(table, "suite", "function", "dimension", "name"):
        yield Drawing(
            f"notes_{file_part(suite)}_f{function:03d}_d{dimension:02d}_{file_part(name)}",
            draw_notes(table, name, function, dimension, suite),
            f"Parameter {name} against evaluations on {suite} f{function} in {dimension}-D: a thin "
            "line for each run, a thick one for the median of those that still run. "
            + _runs(log, suite, dimension, wanted, [function]),
        )


def _restarts(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = restarts_table(log, choose(log, **wanted.selectors))
    for suite, function, dimension in _cells(table, "suite", "function", "dimension"):
        yield Drawing(
            f"restarts_{file_part(suite)}_f{function:03d}_d{dimension:02d}",
            draw_restarts(table, function, dimension, suite),
            f"Runs on {suite} f{function} in {dimension}-D: a line to the last evaluation, a tick "
            "for each restart, a dot where the final target was hit. "
            + _runs(log, suite, dimension, wanted, [function]),
        )


KINDS: dict[str, Callable[[Log, Wanted], Iterator[Drawing]]] = {
    "ecdf": _ecdf,
    "scaling": _scaling,
    "convergence": _convergence,
    "precision": _precision,
    "fixed-budget": _fixed_budget,
    "attainment": _attainment,
    "attainment-difference": _attainment_difference,
    "heatmap": _heatmap,
    "loss": _loss,
    "scatter": _scatter,
    "ratios": _ratios,
    "restarts": _restarts,
    "notes": _notes,
    "critical-difference": _critical_difference,
}
"""Kinds of figures, by name."""


def curve_budgets(log: Log) -> str:
    """Budgets for curves, 10 per decade: from one evaluation to the end of the longest run."""
    runs = log.runs
    if not len(runs):
        return "1"
    first = -math.ceil(math.log10(float(runs["dimension"].max())))
    longest = float((runs["evaluations"] / runs["dimension"]).max())
    return f"1e{first}..1e{max(math.ceil(math.log10(max(longest, 1.0))), 1)}/{_PER_DECADE}"


def _cells(table: Any, *names: str) -> list[tuple[Any, ...]]:
    """The combinations of values in some columns, in order."""
    return sorted(set(zip(*(table[name].tolist() for name in names), strict=True)))


def _pairs(log: Log, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Pairs of algorithms, as far as figures for each make sense.

    Raises:
        AssessmentError: There is one algorithm only.
    """
    asked = wanted.selectors.get("algorithms") or log.algorithms
    names = [asked] if isinstance(asked, str) else list(asked)
    if len(names) < 2:
        raise AssessmentError("figures of two algorithms need two; the logs hold one")
    return itertools.combinations(names, 2)


def _only(wanted: Wanted, *algorithms: str) -> Wanted:
    """The same of some algorithms alone."""
    selectors = wanted.selectors.copy()
    selectors["algorithms"] = algorithms
    return Wanted(selectors, wanted.reference, wanted.seed)


def _asked(
    log: Log, wanted: Wanted, default: Default, algorithms: tuple[str, ...] | None = None
) -> tuple[list[RunSet], TargetSet]:
    """The runs and targets of a figure, of all algorithms wanted or of those named."""
    chosen = _only(wanted, *algorithms) if algorithms else wanted
    return asked_run_sets(log, None, default, **chosen.selectors)


def _at_budgets(log: Log, wanted: Wanted, budgets: str | None) -> Iterator[FixedBudgetData]:
    return fixed_budget_data(log, choose(log, **wanted.selectors), budgets, _AXIS)


def _runs(
    log: Log,
    suite: str,
    dimension: int | None,
    wanted: Wanted,
    functions: Sequence[int] | None = None,
) -> str:
    """How many runs of each algorithm stand behind a figure, in a sentence."""
    runs, rows = log.runs, choose(log, **wanted.selectors)
    kept = runs["suite"][rows] == suite
    if dimension is not None:
        kept &= runs["dimension"][rows] == dimension
    if functions is not None:
        kept &= np.isin(runs["function"][rows], functions)
    names, counts = np.unique(runs["algorithm"][rows][kept], return_counts=True)
    counted = [f"{name} {count}" for name, count in zip(names, counts, strict=True)]
    return f"Runs: {', '.join(counted)}."
