"""Figures of runtimes: profiles, aRT against dimension and function, losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....suites.selection import ranges
from ...data.choice import choose, measurement_of
from ...data.fixed_budget_data import fixed_budget_data
from ...data.function_pairs import SINGLE_RUNTIMES, Simulation
from ...data.target_choice import BEST, reference_at, reference_entries
from ...tables.table import Table
from ...targets.defaults import all_targets, allows_restarts, loss_targets, pair_targets
from ...targets.parse import target_text
from ...views.art import art_table
from ...views.comparison.loss import loss_table
from ...views.ecdf import EcdfTable, Profile, ProfileOptions, ecdf_tables, joined
from ...views.profiles.joint import joint_table
from ...views.reference import with_reference
from ...views.scaling import scaling_table
from ..ecdf import draw_ecdf
from ..files import Drawing
from ..heatmap import draw_heatmap
from ..loss import draw_loss
from ..profiles.by_function import draw_by_function
from ..profiles.joint import draw_joint
from ..scaling import draw_scaling
from .wanted import (
    AXIS,
    Cell,
    Wanted,
    cells_of,
    drawing,
    drawn,
    place,
    rows_joined,
    runs_asked,
    runs_joined,
)

if TYPE_CHECKING:
    from ....loggers import Log

_GROUPINGS = ("all", "group", "function")


def _runtimes(log: Log, suite: str) -> str:
    if allows_restarts(measurement_of(log, suite)):
        return "Runtimes are those of the algorithm restarted until it succeeds."
    return "Runtimes are those of single runs: no restarts are simulated with two objectives."


def _single_runtimes(log: Log, suite: str) -> str:
    return SINGLE_RUNTIMES["expected" if allows_restarts(measurement_of(log, suite)) else "runs"]


def ecdf(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtime profiles: all functions, each group, each function."""
    ways = [ProfileOptions(by, simulation=Simulation(wanted.seed)) for by in _GROUPINGS]
    for table in _with_reference(log, wanted, ways):
        curves = {(p.suite, p.dimension, p.group): p for p in table.profiles if p.group}
        for (suite, dimension, group), one in curves.items():
            functions = _functions(table, one)
            caption = (
                f"Runtime profiles on {suite} f{ranges(functions)} in {dimension}-D: share of "
                "function-target pairs solved within a budget of evaluations / dimension; "
                f"{one.targets_text}. {_runtimes(log, suite)} Marker: median over functions "
                "of the longest unsuccessful runs. Dot: all pairs solved at all."
                f"{_thick(table)}"
            )
            cell: Cell = {"suite": suite, "dimension": dimension, "group": group}
            figure = draw_ecdf(table, **cell, algorithms=log.algorithms, width=wanted.width)
            yield drawn(log, wanted, cell, figure, caption, functions=functions, joins=True)


def ecdf_functions(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtime profiles of the functions of each group, in panels of one figure."""
    ways = [ProfileOptions(by, simulation=Simulation(wanted.seed)) for by in _GROUPINGS]
    everything, groups, single = _with_reference(log, wanted, ways)
    named = all(p.group for p in groups.profiles)
    table = joined([single, groups if named else everything])
    cells = {(p.suite, p.dimension, p.group): p for p in table.profiles}
    for (suite, dimension, group), one in cells.items():
        if group == f"f{one.functions[0]:03d}":
            continue
        functions = _functions(table, one)
        caption = (
            f"Runtime profiles of the functions f{ranges(functions)} of {suite} in "
            f"{dimension}-D, and at last of all of them together ({group}): share of "
            f"function-target pairs solved within a budget; {one.targets_text}. "
            f"{_runtimes(log, suite)} Cross: median over functions of the "
            f"longest unsuccessful runs. Dot: all pairs solved at all.{_thick(table)}"
        )
        cell: Cell = {"suite": suite, "dimension": dimension, "group": group}
        figure = draw_by_function(table, **cell, algorithms=log.algorithms)
        yield drawn(log, wanted, cell, figure, caption, functions=functions, joins=True)


def _functions(table: EcdfTable, like: Profile) -> list[int]:
    """Of all curves in the figure of one."""
    here = (like.suite, like.dimension, like.group)
    curves = (p for p in table.profiles if (p.suite, p.dimension, p.group) == here)
    return sorted({function for p in curves for function in p.functions})


def _with_reference(log: Log, wanted: Wanted, ways: Sequence[ProfileOptions]) -> list[EcdfTable]:
    """Profiles by each way of grouping, with those of the reference where one is wanted."""
    run_sets, targets = runs_joined(log, wanted, all_targets)
    tables = ecdf_tables(run_sets, targets, ways)
    if wanted.reference is None:
        return tables
    rows, _ = rows_joined(log, wanted)
    known = reference_at(log, rows, wanted.reference, targets, wanted.count)
    return [with_reference(one, targets, known, way) for one, way in zip(tables, ways, strict=True)]


def _thick(table: EcdfTable) -> str:
    """Whose the thick line is."""
    names = {p.algorithm for p in table.profiles if p.reference}
    return "".join(f" Thick: {name}." for name in names)


def joint(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtimes to some targets beside precisions within some budgets."""
    run_sets, targets = runs_joined(log, wanted, pair_targets)
    rows, _ = rows_joined(log, wanted)
    data = fixed_budget_data(log, rows, wanted.budgets, AXIS, wanted.count)
    known = reference_at(log, rows, wanted.reference or BEST, targets, wanted.count)
    table = joint_table(run_sets, targets, data, "all", known)
    own = Table(
        {name: column[table["of"] != "reference"] for name, column in table.columns.items()}
    )
    for cell in cells_of(own, "suite", "dimension", "group", "algorithm"):
        caption = (
            f"Left: share of the runs of {cell['algorithm']} on {place(cell)} that reached a "
            "target within a budget. Right: share within a precision after "
            f"{'1, 10, 100, …' if wanted.budgets is None else 'some'} evaluations / dimension. "
            "Every function weighs the same; no restarts are simulated. "
            f"Behind: average runtimes of {known[1]} to the same targets."
        )
        yield drawing(log, wanted, cell, caption, draw_joint, table, joins=True)


def scaling(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """ART against the dimension."""
    table = scaling_table(*runs_asked(log, wanted, pair_targets))
    for cell in cells_of(table, "suite", "function", "target"):
        caption = (
            f"aRT / dimension to precision {target_text(cell['target'])} on {place(cell)} against "
            f"the dimension. Bars: 25 and 75 % {_single_runtimes(log, cell['suite'])}. "
            "Numbers: successes where not all runs succeeded. Crosses: median "
            "length of unsuccessful runs / dimension."
        )
        yield drawing(log, wanted, cell, caption, draw_scaling, table)


def heatmap(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """ART of all algorithms on all functions, relative to the best."""
    table = art_table(*runs_asked(log, wanted, pair_targets))
    for cell in cells_of(table, "suite", "dimension"):
        targets = ", ".join(map(target_text, pair_targets(measurement_of(log, cell["suite"]))))
        caption = (
            f"aRT to precisions {targets} on {place(cell)}, divided by the least of the "
            "algorithms shown, which has a dot or the number 1. Hatched: never reached. Blank: not "
            "run."
        )
        yield drawing(log, wanted, cell, caption, draw_heatmap, table)


def loss(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtime losses against the reference."""
    asked = wanted.reference or BEST
    rows = choose(log, **wanted.selectors)
    entries, name = reference_entries(log, rows, asked, wanted.count)
    table = loss_table(*runs_asked(log, wanted, loss_targets), entries)
    for cell in cells_of(table, "suite", "dimension"):
        caption = (
            f"Runtime loss on {place(cell)} against {name}, by budget: aRT to the "
            "hardest target that the algorithm reaches within the budget (the budget itself where "
            "the reference reaches a harder one), divided by the reference's aRT. Line: geometric "
            "mean over functions; dots: functions."
        )
        yield drawing(log, wanted, cell, caption, draw_loss, table)
