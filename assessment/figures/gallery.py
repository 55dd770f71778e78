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
from ..data.run_sets import Choice, choose
from ..errors import AssessmentError
from ..targets.parse import target_text
from .budgets import draw_convergence, draw_fixed_budget, draw_precision_ecdf
from .files import Drawing, file_part
from .losses import draw_heatmap, draw_loss
from .pairs import draw_ratios, draw_scatter
from .profiles import draw_ecdf
from .rug import draw_restarts
from .scaling import draw_scaling

if TYPE_CHECKING:
    from ..results import Results

_PER_DECADE = 10
PAIR_TARGETS = (1e1, 1e-1, 1e-4, 1e-8)
RATIO_TARGET = 1e-8


@dataclass(frozen=True)
class Wanted:
    """Which figures, of what.

    Attributes:
        filters: ``algorithm``, ``suite``, ``function``, ``dimension``, as `Results` takes them.
        reference: For losses, as in `Results.loss`.
        seed: Of all that is simulated.
    """

    filters: dict[str, Any] = field(default_factory=dict)
    reference: str = "best"
    seed: int = 1


def drawings(results: Results, kinds: Sequence[str], wanted: Wanted) -> Iterator[Drawing]:
    """Draw the figures of some kinds, one after the other.

    Args:
        results: Of which logs.
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
        yield from KINDS[kind](results, wanted)


def _ecdf(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    for group_by in ("all", "group", "function"):
        table = results.ecdf(group_by=group_by, seed=wanted.seed, **wanted.filters)
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
                f"{one.targets_text}. Runtimes are simulated by independent restarts of the runs, "
                f"seed {wanted.seed}. Marker: median over functions of the longest unsuccessful "
                "runs. Dot: all pairs solved at all. "
                + _runs(results, suite, dimension, wanted, one.functions),
            )


def _scaling(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.scaling(targets=PAIR_TARGETS, seed=wanted.seed, **wanted.filters)
    for suite, function, target in _cells(table, "suite", "function", "target"):
        yield Drawing(
            f"scaling_{file_part(suite)}_f{function:03d}_{target_text(target)}",
            draw_scaling(table, function, target, suite),
            f"aRT / dimension to precision {target_text(target)} on {suite} f{function} against "
            "the dimension. Bars: 25 and 75 % of single runtimes with simulated restarts, seed "
            f"{wanted.seed}. Numbers: successes where not all runs succeeded. Crosses: median "
            "length of unsuccessful runs / dimension. "
            + _runs(results, suite, None, wanted, [function]),
        )


def _convergence(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.fixed_budget(curve_budgets(results), **wanted.filters)
    for suite, function, dimension in _cells(table, "suite", "function", "dimension"):
        yield Drawing(
            f"convergence_{file_part(suite)}_f{function:03d}_d{dimension:02d}",
            draw_convergence(table, function, dimension, suite),
            f"Best precision so far on {suite} f{function} in {dimension}-D: median of the runs, "
            "band from 25 to 75 %; a run that ended keeps its last value; precisions below 1e-12 "
            "are drawn there. " + _runs(results, suite, dimension, wanted, [function]),
        )


def _fixed_budget(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.fixed_budget(curve_budgets(results), **wanted.filters)
    for suite, function, dimension in _cells(table, "suite", "function", "dimension"):
        yield Drawing(
            f"fixed-budget_{file_part(suite)}_f{function:03d}_d{dimension:02d}",
            draw_fixed_budget(table, "geometric_mean", function, dimension, suite),
            f"Geometric mean over the runs of the best precision within a budget on {suite} "
            f"f{function} in {dimension}-D; a run that ended keeps its last value. "
            + _runs(results, suite, dimension, wanted, [function]),
        )


def _precision(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.precision_ecdf(**wanted.filters)
    for suite, dimension, group in _cells(table, "suite", "dimension", "group"):
        yield Drawing(
            f"precision_{file_part(suite)}_d{dimension:02d}_{file_part(group)}",
            draw_precision_ecdf(table, dimension, group, suite),
            f"Share of runs on {suite} in {dimension}-D that are within a precision after 1, 10, "
            "100, … evaluations / dimension, each function weighing the same; larger budgets are "
            "darker. No restarts are simulated. " + _runs(results, suite, dimension, wanted),
        )


def _scatter(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(results, wanted):
        table = results.scatter(first, second, **_others(wanted))
        for suite, function in _cells(table, "suite", "function"):
            yield Drawing(
                f"scatter_{file_part(suite)}_f{function:03d}_{file_part(first)}_{file_part(second)}",
                draw_scatter(table, function, suite),
                f"aRT of {first} against aRT of {second} on {suite} f{function}: a mark for each "
                "of 51 targets, 1e2 … 1e-8, in each dimension; at an edge: not reached. "
                + _runs(results, suite, None, wanted, [function]),
            )


def _ratios(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(results, wanted):
        table = results.ratios(first, second, targets=PAIR_TARGETS, **_others(wanted))
        for suite, dimension in _cells(table, "suite", "dimension"):
            yield Drawing(
                f"ratios_{file_part(suite)}_d{dimension:02d}_{file_part(first)}_{file_part(second)}",
                draw_ratios(table, dimension, suite),
                f"Distribution of the runtime of {first} divided by that of {second} on {suite} in "
                f"{dimension}-D, over all pairs of runs, each function weighing the same; targets "
                f"{', '.join(map(target_text, PAIR_TARGETS))}. "
                + _runs(results, suite, dimension, wanted),
            )


def _loss(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.loss(wanted.reference, **wanted.filters)
    for suite, dimension in _cells(table, "suite", "dimension"):
        yield Drawing(
            f"loss_{file_part(suite)}_d{dimension:02d}",
            draw_loss(table, dimension, suite),
            f"Runtime loss on {suite} in {dimension}-D against {wanted.reference}, by budget: aRT "
            "to the hardest target reached within the budget (the budget itself where the "
            "reference reaches a harder one), divided by the reference's aRT. Line: geometric "
            "mean over functions; dots: functions. " + _runs(results, suite, dimension, wanted),
        )


def _heatmap(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.art(targets=RATIO_TARGET, **wanted.filters)
    for suite, dimension in _cells(table, "suite", "dimension"):
        yield Drawing(
            f"heatmap_{file_part(suite)}_d{dimension:02d}",
            draw_heatmap(table, dimension, None, suite),
            f"aRT to precision {target_text(RATIO_TARGET)} on {suite} in {dimension}-D, divided by "
            "the least of the algorithms shown. Hatched: never reached. White: not run. "
            + _runs(results, suite, dimension, wanted),
        )


def _restarts(results: Results, wanted: Wanted) -> Iterator[Drawing]:
    table = results.restarts(**wanted.filters)
    for suite, function, dimension in _cells(table, "suite", "function", "dimension"):
        yield Drawing(
            f"restarts_{file_part(suite)}_f{function:03d}_d{dimension:02d}",
            draw_restarts(table, function, dimension, suite),
            f"Runs on {suite} f{function} in {dimension}-D: a line to the last evaluation, a tick "
            "for each restart, a dot where the final target was hit. "
            + _runs(results, suite, dimension, wanted, [function]),
        )


KINDS: dict[str, Callable[[Results, Wanted], Iterator[Drawing]]] = {
    "ecdf": _ecdf,
    "scaling": _scaling,
    "convergence": _convergence,
    "precision": _precision,
    "fixed-budget": _fixed_budget,
    "heatmap": _heatmap,
    "loss": _loss,
    "scatter": _scatter,
    "ratios": _ratios,
    "restarts": _restarts,
}
"""Kinds of figures, by name."""


def curve_budgets(results: Results) -> str:
    """Budgets for curves, 10 per decade: from one evaluation to the end of the longest run."""
    runs = results.log.runs
    if not len(runs):
        return "1"
    first = -math.ceil(math.log10(float(runs["dimension"].max())))
    longest = float((runs["evaluations"] / runs["dimension"]).max())
    return f"1e{first}..1e{max(math.ceil(math.log10(max(longest, 1.0))), 1)}/{_PER_DECADE}"


def _cells(table: Any, *names: str) -> list[tuple[Any, ...]]:
    """The combinations of values in some columns, in order."""
    return sorted(set(zip(*(table[name].tolist() for name in names), strict=True)))


def _pairs(results: Results, wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Pairs of algorithms, as far as figures for each make sense.

    Raises:
        AssessmentError: There is one algorithm only.
    """
    asked = wanted.filters.get("algorithm") or results.algorithms
    names = [asked] if isinstance(asked, str) else list(asked)
    if len(names) < 2:
        raise AssessmentError("figures of two algorithms need two; the logs hold one")
    return itertools.combinations(names, 2)


def _others(wanted: Wanted) -> dict[str, Any]:
    return {name: value for name, value in wanted.filters.items() if name != "algorithm"}


def _runs(
    results: Results,
    suite: str,
    dimension: int | None,
    wanted: Wanted,
    functions: Sequence[int] | None = None,
) -> str:
    """How many runs of each algorithm stand behind a figure, in a sentence."""
    runs, rows = results.log.runs, choose(results.log, Choice(**wanted.filters))
    kept = runs["suite"][rows] == suite
    if dimension is not None:
        kept &= runs["dimension"][rows] == dimension
    if functions is not None:
        kept &= np.isin(runs["function"][rows], functions)
    names, counts = np.unique(runs["algorithm"][rows][kept], return_counts=True)
    told = [f"{name} {count}" for name, count in zip(names, counts, strict=True)]
    return f"Runs: {', '.join(told)}."
