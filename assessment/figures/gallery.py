"""All figures of a set of results, kind by kind: what is drawn, and its caption."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...suites.errors import UnknownNameError
from ...suites.selection import ranges
from ..data.choice import Selectors, choose, common_runs, measurement_of
from ..data.fixed_budget_data import FixedBudgetData, fixed_budget_data
from ..data.fronts.archives import Archives, archives_of
from ..data.function_pairs import Simulation
from ..data.ranked_runs import ranked_runs
from ..data.run_curves import run_curves
from ..data.run_sets import RunSet
from ..data.target_choice import asked_run_sets, joined_run_sets, reference_at, reference_entries
from ..errors import AssessmentError
from ..statistics.intervals import Resampling
from ..tables.table import Table
from ..targets.budgets import own_budgets
from ..targets.defaults import Default, all_targets, hardest, loss_targets, pair_targets
from ..targets.parse import target_text
from ..targets.target_sets import TargetSet
from ..views.anytime.attainment import attainment_difference_table, attainment_table
from ..views.anytime.notes import notes_table
from ..views.art import art_table
from ..views.comparison.loss import loss_table
from ..views.comparison.pairwise import ratio_table, scatter_table
from ..views.ecdf import ProfileOptions, ecdf_tables, joined
from ..views.fixed_budget import fixed_budget_table
from ..views.fronts.fronts import fronts_table
from ..views.fronts.surfaces import surface_difference_table, surfaces_table
from ..views.merit.ranks import RankOptions, ranks_table
from ..views.precision_ecdf import precision_profile_table
from ..views.profiles.cuts import cuts_table
from ..views.profiles.joint import joint_table
from ..views.runs.restarts import restarts_table
from ..views.scaling import scaling_table
from .anytime.attainment import draw_attainment, draw_attainment_difference
from .anytime.notes import draw_notes
from .convergence import draw_convergence
from .ecdf import draw_ecdf
from .files import Drawing, file_part
from .fixed_budget import STATISTICS, draw_fixed_budget
from .fronts.fronts import draw_fronts
from .fronts.surfaces import draw_surface_difference, draw_surfaces
from .heatmap import draw_heatmap
from .loss import draw_loss
from .merit.critical_difference import draw_critical_difference
from .precision_ecdf import draw_precision_ecdf
from .profiles.by_function import draw_by_function
from .profiles.cuts import draw_cuts
from .profiles.joint import draw_joint
from .ratios import draw_ratios
from .restarts import draw_restarts
from .scaling import draw_scaling
from .scatter import draw_scatter

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...loggers import Log

_AXIS = "evaluations/dimension"
_PER_DECADE = 10
_SCALED = (
    "Objectives are scaled: the ideal point is 0, the nadir point 1; dotted: the region between."
)
_GROUPINGS = ("all", "group", "function")

Cell = dict[str, Any]
"""What a figure is about: some of ``suite``, ``function``, ``dimension``, ``group``, ``target``."""


@dataclass(frozen=True)
class Wanted:
    """Which figures, of what.

    Attributes:
        selectors: Which runs.
        reference: For losses, as in `Results.loss`.
        seed: Of all that is simulated.
        width: Of figures: that of a ``"column"`` of a paper or of a ``"page"``.
    """

    selectors: Selectors = field(default_factory=Selectors)
    reference: str = "best"
    seed: int = 1
    width: str = "column"


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
        for drawing in KINDS[kind](log, wanted):
            yield replace(drawing, name=f"{kind}_{drawing.name}")


def _ecdf(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    ways = [ProfileOptions(by, simulation=Simulation(wanted.seed)) for by in _GROUPINGS]
    asked = joined_run_sets(log, None, all_targets, unequal=False, **wanted.selectors)
    for table in ecdf_tables(*asked, ways):
        curves = {(p.suite, p.dimension, p.group): p for p in table.profiles if p.group}
        for (suite, dimension, group), one in curves.items():
            caption = (
                f"Runtime profiles on {suite} f{ranges(one.functions)} in {dimension}-D: share of "
                "function-target pairs solved within a budget of evaluations / dimension; "
                f"{one.targets_text}. Runtimes are those of the algorithm restarted until it "
                "succeeds. Marker: median over functions of the longest unsuccessful "
                "runs. Dot: all pairs solved at all."
            )
            cell: Cell = {"suite": suite, "dimension": dimension, "group": group}
            figure = draw_ecdf(table, **cell, algorithms=log.algorithms, width=wanted.width)
            yield _drawing(log, wanted, cell, figure, caption, functions=one.functions)


def _ecdf_functions(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    ways = [ProfileOptions(by, simulation=Simulation(wanted.seed)) for by in _GROUPINGS]
    asked = joined_run_sets(log, None, all_targets, unequal=False, **wanted.selectors)
    everything, groups, functions = ecdf_tables(*asked, ways)
    named = all(p.group for p in groups.profiles)
    table = joined([functions, groups if named else everything])
    cells = {(p.suite, p.dimension, p.group): p for p in table.profiles}
    for (suite, dimension, group), one in cells.items():
        if group == f"f{one.functions[0]:03d}":
            continue
        caption = (
            f"Runtime profiles of the functions f{ranges(one.functions)} of {suite} in "
            f"{dimension}-D, and at last of all of them together ({group}): share of "
            f"function-target pairs solved within a budget; {one.targets_text}. Runtimes are those "
            "of the algorithm restarted until it succeeds. Cross: median over functions of the "
            "longest unsuccessful runs. Dot: all pairs solved at all."
        )
        cell: Cell = {"suite": suite, "dimension": dimension, "group": group}
        figure = draw_by_function(table, **cell, algorithms=log.algorithms)
        yield _drawing(log, wanted, cell, figure, caption, functions=one.functions)


def _joint(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    run_sets, targets = joined_run_sets(log, None, pair_targets, unequal=False, **wanted.selectors)
    rows = common_runs(log, choose(log, **wanted.selectors))[0]
    data = fixed_budget_data(log, rows, None, _AXIS)
    known = reference_at(log, rows, wanted.reference, targets)
    table = joint_table(run_sets, targets, data, "all", known)
    own = Table(
        {name: column[table["of"] != "reference"] for name, column in table.columns.items()}
    )
    for cell in _cells(own, "suite", "dimension", "group", "algorithm"):
        caption = (
            f"Left: share of the runs of {cell['algorithm']} on {_place(cell)} that reached a "
            "target within a budget. Right: share within a precision after 1, 10, 100, … "
            "evaluations / dimension. Every function weighs the same; no restarts are simulated. "
            f"Behind: average runtimes of {known[1]} to the same targets."
        )
        yield _drawing(
            log, wanted, cell, draw_joint(table, **cell, **_look(log, wanted, cell)), caption
        )


def _cuts(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    curves = list(run_curves(log, choose(log, **wanted.selectors), _AXIS))
    for suite, function, dimension in sorted({(c.suite, c.function, c.dimension) for c in curves}):
        cell: Cell = {"suite": suite, "function": function, "dimension": dimension}
        own = [c for c in curves if (c.suite, c.function, c.dimension) == tuple(cell.values())]
        longest = max(float(b.max(initial=1.0)) for one in own for b, _ in one.curves)
        budget, target = (
            own_budgets(longest, 1.0)[-2:][0],
            pair_targets(measurement_of(log, suite))[1],
        )
        caption = (
            f"Best precision so far of each run on {_place(cell)}. Vertical line: budget "
            f"{budget:g} evaluations / dimension; at the right the distribution of the precisions "
            f"there (fixed budget). Horizontal line: target {target_text(target)}; above, the "
            "distribution of the runtimes to it (fixed target)."
        )
        table = cuts_table(own, budget, target)
        figure = draw_cuts(table, **cell, algorithms=log.algorithms)
        yield _drawing(log, wanted, cell, figure, caption)


def _scaling(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = scaling_table(*_asked(log, wanted, pair_targets))
    for cell in _cells(table, "suite", "function", "target"):
        caption = (
            f"aRT / dimension to precision {target_text(cell['target'])} on {_place(cell)} against "
            "the dimension. Bars: 25 and 75 % of single runtimes with restarts. "
            "Numbers: successes where not all runs succeeded. Crosses: median "
            "length of unsuccessful runs / dimension."
        )
        yield _drawing(
            log, wanted, cell, draw_scaling(table, **cell, **_look(log, wanted, cell)), caption
        )


def _convergence(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = fixed_budget_table(_at_budgets(log, wanted, curve_budgets(log)))
    for cell in _cells(table, "suite", "function", "dimension"):
        caption = (
            f"Best precision so far on {_place(cell)}: median of the runs, with a band from 25 to "
            "75 % where at most four algorithms are shown; a run that ended keeps its last value; "
            "precisions below 1e-12 are drawn there."
        )
        yield _drawing(
            log, wanted, cell, draw_convergence(table, **cell, **_look(log, wanted, cell)), caption
        )


def _attainment(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = attainment_table(run_curves(log, choose(log, **wanted.selectors), _AXIS), "all")
    for cell in _cells(table, "suite", "dimension", "algorithm"):
        caption = (
            f"Empirical attainment function of {cell['algorithm']} on {_place(cell)}: the "
            "precision that 10, 25, 50, 75 and 90 % of the runs had within a budget, all functions "
            "and instances taken together."
        )
        yield _drawing(
            log, wanted, cell, draw_attainment(table, **cell, **_look(log, wanted, cell)), caption
        )


def _attainment_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        rows = choose(log, **_only(wanted, first, second).selectors)
        table = attainment_difference_table(run_curves(log, rows, _AXIS), "all", first, second)
        for cell in _cells(table, "suite", "dimension"):
            caption = (
                f"Share of the runs of {first} that have a precision within a budget, minus that "
                f"of {second}, on {_place(cell)}, all functions and instances taken together: blue "
                f"where {first} attains more."
            )
            figure = draw_attainment_difference(table, **cell, **_look(log, wanted, cell))
            yield _drawing(log, wanted, cell, figure, caption, first, second)


def _fixed_budget(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = fixed_budget_table(_at_budgets(log, wanted, curve_budgets(log)))
    for cell in _cells(table, "suite", "function", "dimension"):
        signed = measurement_of(log, cell["suite"]).targets[-1] <= 0
        statistic = "median" if signed else "geometric_mean"
        caption = (
            f"{STATISTICS.get(statistic, statistic).capitalize()} over the runs of the best "
            f"precision within a budget on {_place(cell)}; a run that ended keeps its last value."
        )
        yield _drawing(
            log,
            wanted,
            cell,
            draw_fixed_budget(table, statistic, **cell, **_look(log, wanted, cell)),
            caption,
        )


def _precision(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = precision_profile_table(_at_budgets(log, wanted, None), "all")
    for cell in _cells(table, "suite", "dimension", "group"):
        caption = (
            f"Share of runs on {_place(cell)} that are within a precision after the budget above "
            "each panel (evaluations; D is the dimension), each function weighing the same. "
            "No restarts are simulated."
        )
        yield _drawing(
            log,
            wanted,
            cell,
            draw_precision_ecdf(table, **cell, **_look(log, wanted, cell)),
            caption,
        )


def _scatter(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        asked = _asked(log, _only(wanted, first, second), all_targets)
        table = scatter_table(*asked, first, second)
        for cell in _cells(table, "suite", "function"):
            caption = (
                f"aRT of {first} against aRT of {second} on {_place(cell)}: a mark for each of "
                f"{asked[1].text(cell['suite'])}, in each dimension; at an edge: not reached."
            )
            figure = draw_scatter(table, **cell, **_look(log, wanted, cell))
            yield _drawing(log, wanted, cell, figure, caption, first, second)


def _ratios(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        asked = _asked(log, _only(wanted, first, second), pair_targets)
        table = ratio_table(*asked, first, second)
        for cell in _cells(table, "suite", "dimension"):
            targets = ", ".join(map(target_text, asked[1].shared(cell["suite"])))
            caption = (
                f"Distribution of the runtime of {first} divided by that of {second} on "
                f"{_place(cell)}, over all pairs of runs, each function weighing the same; targets "
                f"{targets}."
            )
            figure = draw_ratios(table, **cell, **_look(log, wanted, cell))
            yield _drawing(log, wanted, cell, figure, caption, first, second)


def _loss(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    entries, _ = reference_entries(log, choose(log, **wanted.selectors), wanted.reference)
    table = loss_table(*_asked(log, wanted, loss_targets), entries)
    for cell in _cells(table, "suite", "dimension"):
        caption = (
            f"Runtime loss on {_place(cell)} against {wanted.reference}, by budget: aRT to the "
            "hardest target reached within the budget (the budget itself where the reference "
            "reaches a harder one), divided by the reference's aRT. Line: geometric mean over "
            "functions; dots: functions."
        )
        yield _drawing(
            log, wanted, cell, draw_loss(table, **cell, **_look(log, wanted, cell)), caption
        )


def _heatmap(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = art_table(*_asked(log, wanted, pair_targets))
    for cell in _cells(table, "suite", "dimension"):
        targets = ", ".join(map(target_text, pair_targets(measurement_of(log, cell["suite"]))))
        caption = (
            f"aRT to precisions {targets} on {_place(cell)}, divided by the least of the "
            "algorithms shown, which has a dot or the number 1. Hatched: never reached. Blank: not "
            "run."
        )
        yield _drawing(
            log, wanted, cell, draw_heatmap(table, **cell, **_look(log, wanted, cell)), caption
        )


def _critical_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    run_sets, targets = _asked(log, wanted, hardest)
    options = RankOptions(resampling=Resampling(seed=wanted.seed, samples=1000))
    table = ranks_table(ranked_runs(log, run_sets), targets, options)
    for cell in _cells(table, "suite", "dimension"):
        caption = (
            f"Average ranks over functions on {_place(cell)}, 1 is best, with 95 % intervals over "
            f"instances; target {targets.text(cell['suite'])}, runs that missed it ordered by "
            "precision. Bars join algorithms whose ranks do not differ at 0.05 (Friedman, Holm)."
        )
        yield _drawing(
            log,
            wanted,
            cell,
            draw_critical_difference(table, **cell, **_look(log, wanted, cell)),
            caption,
        )


def _notes(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = notes_table(log, choose(log, **wanted.selectors))
    for cell in _cells(table, "suite", "function", "dimension", "name"):
        caption = (
            f"Parameter {cell['name']} against evaluations on {_place(cell)}: a thin line for each "
            "run, a thick one for the median of those that still run."
        )
        yield _drawing(
            log, wanted, cell, draw_notes(table, **cell, **_look(log, wanted, cell)), caption
        )


def _restarts(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = restarts_table(log, choose(log, **wanted.selectors))
    for cell in _cells(table, "suite", "function", "dimension"):
        caption = (
            f"Runs on {_place(cell)}: a line to the last evaluation, a tick for each restart, a "
            "dot where the final target was hit."
        )
        yield _drawing(
            log, wanted, cell, draw_restarts(table, **cell, **_look(log, wanted, cell)), caption
        )


def _fronts(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = fronts_table(_archives(log, wanted))
    for cell in _cells(table, "suite", "function", "dimension", "instance"):
        caption = (
            f"The best points of all runs on {_place(cell)}, instance {cell['instance']}, and the "
            f"boundary of what they dominate. {_SCALED}"
        )
        yield _drawing(
            log, wanted, cell, draw_fronts(table, **cell, **_look(log, wanted, cell)), caption
        )


def _surfaces(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    table = surfaces_table(_archives(log, wanted))
    for cell in _cells(table, "suite", "function", "dimension"):
        caption = (
            f"Attainment surfaces on {_place(cell)} at the end of the runs: what half of the runs "
            "attain (thick), what one and what all of them attain (thin), instances taken "
            f"together. {_SCALED}"
        )
        yield _drawing(
            log, wanted, cell, draw_surfaces(table, **cell, **_look(log, wanted, cell)), caption
        )


def _surface_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    for first, second in _pairs(log, wanted):
        archives = _archives(log, _only(wanted, first, second))
        table = surface_difference_table(archives, first, second)
        for cell in _cells(table, "suite", "function", "dimension"):
            caption = (
                f"Share of the runs of {first} that attain a point at their end, minus that of "
                f"{second}, on {_place(cell)}, instances taken together: blue where {first} "
                f"attains more often. {_SCALED}"
            )
            figure = draw_surface_difference(table, **cell, **_look(log, wanted, cell))
            yield _drawing(log, wanted, cell, figure, caption, first, second)


KINDS: dict[str, Callable[[Log, Wanted], Iterator[Drawing]]] = {
    "ecdf": _ecdf,
    "ecdf-functions": _ecdf_functions,
    "joint": _joint,
    "scaling": _scaling,
    "convergence": _convergence,
    "cuts": _cuts,
    "precision": _precision,
    "fixed-budget": _fixed_budget,
    "attainment": _attainment,
    "attainment-difference": _attainment_difference,
    "fronts": _fronts,
    "surfaces": _surfaces,
    "surface-difference": _surface_difference,
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
    spent = runs["evaluations"] + runs["evaluations_constraints"]
    longest = float((spent / runs["dimension"]).max())
    return f"1e{first}..1e{max(math.ceil(math.log10(max(longest, 1.0))), 1)}/{_PER_DECADE}"


def _cells(table: Table, *names: str) -> list[Cell]:
    """The combinations of values in some columns, in order."""
    values = sorted(set(zip(*(table[name].tolist() for name in names), strict=True)))
    return [dict(zip(names, one, strict=True)) for one in values]


def _drawing(
    log: Log,
    wanted: Wanted,
    cell: Cell,
    figure: Figure,
    caption: str,
    *algorithms: str,
    functions: Sequence[int] | None = None,
) -> Drawing:
    """Names the figure, and adds to its caption how many runs of each algorithm stand behind it.

    Args:
        log: All runs.
        wanted: Which figures.
        cell: What the figure is about; the figure's name tells it.
        figure: The figure.
        caption: What it shows.
        *algorithms: The only ones that it shows, for figures of two.
        functions: Those that it shows, where ``cell`` names none.
    """
    shown = _only(wanted, *algorithms) if algorithms else wanted
    runs, rows = log.runs, choose(log, **shown.selectors)
    for name in ("algorithm", "suite", "function", "dimension", "instance"):
        if name in cell:
            rows = rows[runs[name][rows] == cell[name]]
    if functions is not None:
        rows = rows[np.isin(runs["function"][rows], functions)]
    counts = zip(*np.unique(runs["algorithm"][rows], return_counts=True), strict=True)
    counted = ", ".join(f"{name} {count}" for name, count in counts)
    forms = {
        "function": "f{:03d}".format,
        "dimension": "d{:02d}".format,
        "instance": "i{:02d}".format,
        "target": target_text,
    }
    parts = [forms.get(name, file_part)(value) for name, value in cell.items()]
    file = "_".join([*parts, *map(file_part, algorithms)])
    return Drawing(file, figure, f"{caption} Runs: {counted}.")


def _look(log: Log, wanted: Wanted, cell: Cell) -> dict[str, Any]:
    """How a figure is drawn: its width, colours of all algorithms of the log, functions."""
    rows = choose(log, **wanted.selectors)
    for name in ("suite", "dimension"):
        if name in cell:
            rows = rows[log.runs[name][rows] == cell[name]]
    functions = np.unique(log.runs["function"][rows]).tolist()
    own = {} if "function" in cell else {"functions": functions}
    return {"algorithms": log.algorithms, "width": wanted.width, **own}


def _place(cell: Cell) -> str:
    """What a figure is about, for its caption, such as ``bbob f3 in 5-D``."""
    function = f" f{cell['function']}" if "function" in cell else ""
    dimension = f" in {cell['dimension']}-D" if "dimension" in cell else ""
    return f"{cell['suite']}{function}{dimension}"


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
    return replace(wanted, selectors={**wanted.selectors, "algorithms": algorithms})


def _asked(log: Log, wanted: Wanted, default: Default) -> tuple[list[RunSet], TargetSet]:
    """The runs and targets of a figure."""
    return asked_run_sets(log, None, default, **wanted.selectors)


def _archives(log: Log, wanted: Wanted) -> list[Archives]:
    return list(archives_of(log, choose(log, **wanted.selectors)))


def _at_budgets(log: Log, wanted: Wanted, budgets: str | None) -> Iterator[FixedBudgetData]:
    return fixed_budget_data(log, choose(log, **wanted.selectors), budgets, _AXIS)
