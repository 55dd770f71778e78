"""Figures of runtimes: profiles, aRT against dimension and function, losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....suites.selection import ranges
from ...data.choice import choose, common_runs, measurement_of
from ...data.fixed_budget_data import fixed_budget_data
from ...data.function_pairs import SINGLE_RUNTIMES, Simulation
from ...data.target_choice import joined_run_sets, reference_at, reference_entries
from ...tables.table import Table
from ...targets.defaults import all_targets, allows_restarts, loss_targets, pair_targets
from ...targets.parse import target_text
from ...views.art import art_table
from ...views.comparison.loss import loss_table
from ...views.ecdf import ProfileOptions, ecdf_tables, joined
from ...views.profiles.joint import joint_table
from ...views.scaling import scaling_table
from ..ecdf import draw_ecdf
from ..files import Drawing
from ..heatmap import draw_heatmap
from ..loss import draw_loss
from ..profiles.by_function import draw_by_function
from ..profiles.joint import draw_joint
from ..scaling import draw_scaling
from .wanted import AXIS, Cell, Wanted, cells_of, drawing, drawn, place, runs_asked

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
    asked = joined_run_sets(log, None, all_targets, unequal=False, **wanted.selectors)
    for table in ecdf_tables(*asked, ways):
        curves = {(p.suite, p.dimension, p.group): p for p in table.profiles if p.group}
        for (suite, dimension, group), one in curves.items():
            caption = (
                f"Runtime profiles on {suite} f{ranges(one.functions)} in {dimension}-D: share of "
                "function-target pairs solved within a budget of evaluations / dimension; "
                f"{one.targets_text}. {_runtimes(log, suite)} Marker: median over functions "
                "of the longest unsuccessful runs. Dot: all pairs solved at all."
            )
            cell: Cell = {"suite": suite, "dimension": dimension, "group": group}
            figure = draw_ecdf(table, **cell, algorithms=log.algorithms, width=wanted.width)
            yield drawn(log, wanted, cell, figure, caption, functions=one.functions)


def ecdf_functions(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtime profiles of the functions of each group, in panels of one figure."""
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
            f"function-target pairs solved within a budget; {one.targets_text}. "
            f"{_runtimes(log, suite)} Cross: median over functions of the "
            "longest unsuccessful runs. Dot: all pairs solved at all."
        )
        cell: Cell = {"suite": suite, "dimension": dimension, "group": group}
        figure = draw_by_function(table, **cell, algorithms=log.algorithms)
        yield drawn(log, wanted, cell, figure, caption, functions=one.functions)


def joint(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtimes to some targets beside precisions within some budgets."""
    run_sets, targets = joined_run_sets(log, None, pair_targets, unequal=False, **wanted.selectors)
    rows = common_runs(log, choose(log, **wanted.selectors))[0]
    data = fixed_budget_data(log, rows, wanted.budgets, AXIS)
    known = reference_at(log, rows, wanted.reference, targets)
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
        yield drawing(log, wanted, cell, caption, draw_joint, table)


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
    entries, _ = reference_entries(log, choose(log, **wanted.selectors), wanted.reference)
    table = loss_table(*runs_asked(log, wanted, loss_targets), entries)
    for cell in cells_of(table, "suite", "dimension"):
        caption = (
            f"Runtime loss on {place(cell)} against {wanted.reference}, by budget: aRT to the "
            "hardest target reached within the budget (the budget itself where the reference "
            "reaches a harder one), divided by the reference's aRT. Line: geometric mean over "
            "functions; dots: functions."
        )
        yield drawing(log, wanted, cell, caption, draw_loss, table)
