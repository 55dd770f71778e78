"""Compute the short table after a campaign: what each algorithm reached, and how fast.

The question `summary` computes one row for each algorithm, suite and dimension. Shares of pairs are
those of the question `ecdf`, average runtimes those of `art`; both are computed from all runs of
the algorithm, also on problems that other algorithms were not run on. Only comparisons with other
algorithms use their runs. `layout` prints the rows in a form that fits into a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....suites.selection import ranges
from ....suites.texts import natural_order
from ...caveats import (
    NO_FINITE_VALUE,
    OUTSIDE,
    WRONG_REFERENCE,
    Explanation,
    different_functions,
    different_instances,
    without_reference_value,
)
from ...cost import SECONDS
from ...grouping import by_dimension, grouped
from ...hits.run_sets import RunSet
from ...notes import notes_on_unusable_points, notes_on_wrong_references
from ...profiles.function_pairs import Simulation, function_pairs
from ...samples.at_targets import AtTargets, open_at_targets
from ...samples.convention import EACH_RUN, SINGLE_RUNS, Convention
from ...samples.sample import Answer
from ...selection import Selection, measurement_of
from ...statistics.average_runtime import average_runtime
from ...statistics.ecdf import solved_pairs
from ...statistics.quantiles import Floats
from ...statistics.runtime_statistics import geometric_mean
from ...tables.table import Table, Value, aligned, table_of, text
from ...targets.budgets import budget_text
from ...targets.parse import target_text
from ...targets.target_sets import TargetSet, all_targets, summary_targets
from .._framework.needs import Need
from .._framework.question import question
from .description import choose_budgets, describe_suite
from .layout import SuiteDescription, SummaryRow, format_summary

if TYPE_CHECKING:
    from ....loggers import Log

_FAILED = ("failed", "timeout")
_MAX_MISSING_PARTS = 5
"""Maximum number of groups of missing problems that the note names for an algorithm."""


@dataclass(frozen=True, eq=False, repr=False)
class SummaryTable(Table):
    """One row for each algorithm and dimension; as text, a block for each dimension.

    As text, the table has a block for each dimension.

    Each row belongs to an ``algorithm``, ``suite`` and ``dimension``. ``functions`` and ``runs``
    are numbers of these, and ``failed`` is the number of runs that failed or timed out. ``solved``
    is the share of function-target pairs, with the suite's own targets, that at least one run hit.
    ``pairs_10D``, ``pairs_100D``, … are the shares of pairs solved within powers of ten of
    evaluations / dimension; NaN above the budget. ``budget`` is the number of evaluations /
    dimension that all runs of a dimension were allowed, or else of their longest run.
    ``pairs_budget`` is the share solved within it. If seconds are counted, budgets are seconds
    (``pairs_1s``).

    Three columns exist for an easy target and for the hardest one, 1e-1 and 1e-8 if the suite has
    them. ``functions_…`` is the number of functions on which at least one run hit the target.
    ``art_…`` is the geometric mean of aRT over the functions on which every algorithm hit it, so
    that means can be compared; inf if there is none, NaN if the target belongs to another suite.
    ``common_…`` is the number of these functions.

    The other columns are about the hardest target. ``median_art`` is the median of aRT / dimension
    (in seconds: of aRT) over the functions on which the algorithm hit it. ``median_art_ratio`` is
    the median of aRT divided by the least aRT of all algorithms. Both are NaN if there is no such
    function. ``median_precision`` is the median over all runs of their best precision.

    Attributes:
        summary_rows: The rows that the text form shows.
        suites: What the text form says of each suite.
    """

    summary_rows: tuple[SummaryRow, ...] = ()
    suites: Mapping[str, SuiteDescription] = field(default_factory=dict)

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return column titles and cells of all columns, empty instead of NaN, for LaTeX."""
        titles, lines = super().text_cells()
        return titles, [["" if content == "nan" else content for content in line] for line in lines]

    def __str__(self) -> str:
        """Return the short form, at most 80 columns wide (`format_summary`)."""
        if not len(self):
            return aligned(*self.text_cells())
        return format_summary(self.summary_rows, self.suites, self.axis)

    def _repr_html_(self) -> str:
        """Return the short form and the notes as HTML, for a notebook."""
        notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in self.notes)
        return f"<pre>{escape(str(self))}</pre>{notes}"


def _has_reference_value(selection: Selection) -> NDArray[np.bool_]:
    """Return for each selected run whether its problem has a reference value."""
    values = selection.log.runs["reference_value"][selection.rows]
    return np.asarray(~np.isnan(values))


def _open(selection: Selection) -> AtTargets:
    """Read the first hits of all targets and of the columns' targets, of runs with reference value.

    The sample has no cells if no run has a reference value.
    """
    with_value = replace(selection, rows=selection.rows[_has_reference_value(selection)])
    if not len(with_value.rows):
        return AtTargets(selection=selection, cells=(), targets=TargetSet("none"))
    return replace(
        open_at_targets(
            with_value, None, lambda suite: (*all_targets(suite), *summary_targets(suite))
        ),
        selection=selection,
    )


def _convention(sample: AtTargets, options: Mapping[str, Any]) -> Convention:
    """Return the convention of pairs: with two objectives, no restarts are simulated."""
    is_restarted = [run_set.restarts for run_set in sample]
    return SINGLE_RUNS if is_restarted and not any(is_restarted) else EACH_RUN


@question(
    "To begin with",
    10,
    needs=Need(_open),
    convention=_convention,
    examples=(
        "results/quickstart.h5",
        "results/quickstart.h5 --dimensions 5 --format csv",
    ),
)
def summary(sample: AtTargets) -> SummaryTable:
    """Show how much each algorithm reached, and how fast: the table of 'firsthit run'.

    As text, the table has a block for each dimension, or is a matrix if the blocks have more than
    40 rows. The column 'pairs solved within' is the share of function-target pairs that are solved
    within a budget; a pair is one target on one function. The column 'functions' is the number of
    functions on which at least one run hit the target. The average runtime (aRT) is the evaluations
    of all runs until they hit the target or ended, divided by the number of runs that hit it.
    aRT/best is the aRT divided by the least aRT of all algorithms, median over the functions that
    the algorithm solved. With one algorithm, the column is aRT/D, the aRT divided by the dimension.
    Suites without a final target, such as those with two objectives, show the functions on which a
    target of medium difficulty was hit, and the median over runs of the best precision.

    CSV, JSON and LaTeX have all columns. The columns art_… are geometric means of aRT over the
    functions on which every algorithm hit the target, and common_… is the number of these
    functions. Functions whose reference value is unknown have no targets. They are left out, with a
    note.

    Returns:
        One row for each algorithm and dimension: runs, failed runs, shares of solved pairs, solved
        functions, and medians of aRT. The text shows the most important columns.
    """
    log = sample.log
    measurements = {run_set.suite: measurement_of(log, run_set.suite) for run_set in sample}
    targets_of = {suite: summary_targets(m) for suite, m in measurements.items()}
    column_targets = sorted({t for targets in targets_of.values() for t in targets}, reverse=True)
    groups = [
        _FunctionGroup(group, _average_runtimes(group, targets_of[group[0].suite]))
        for group in grouped(sample.cells, "all")
    ]
    budgets = {
        key: choose_budgets(log, cells, sample.axis)
        for key, cells in by_dimension(sample.cells).items()
    }
    common: dict[tuple[str, int, float], set[int]] = {}
    least: dict[tuple[str, int, int], float] = {}
    for group in groups:
        for target, art in group.average_runtimes.items():
            key = *group.key, target
            common[key] = common.get(key, set(art)) & set(art)
        for function, value in group.hardest.items():
            problem_class = *group.key, function
            least[problem_class] = min(value, least.get(problem_class, np.inf))
    rows = [
        _compute_row(log, group, budgets[group.key].values, least, sample.axis) for group in groups
    ]
    columns = _flatten(rows, groups, common, column_targets, sample.axis)
    descriptions = {
        suite: describe_suite(
            [run_set for run_set in sample if run_set.suite == suite],
            {dimension: b for (name, dimension), b in budgets.items() if name == suite},
            measurement,
            has_shares=_has_scaled_targets(sample, suite),
            axis=sample.axis,
        )
        for suite, measurement in sorted(measurements.items())
    }
    return SummaryTable(columns, summary_rows=tuple(rows), suites=descriptions)


@summary.caveat(explains=[NO_FINITE_VALUE, OUTSIDE])
def unusable_points(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name algorithms whose runs saw no finite value, or that left the region of interest."""
    return notes_on_unusable_points(sample)


@summary.caveat(explains=[WRONG_REFERENCE])
def wrong_references(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name functions on which runs have values below the reference value."""
    return notes_on_wrong_references(sample)


@summary.caveat(
    explains=[
        Explanation(
            "different problems",
            "different problems: A lacks bbob f3 in 2-D; rows of an algorithm include only the "
            "problems that it was run on.",
            "Each row aggregates the problems of its algorithm. An algorithm may look better only "
            "because it lacks difficult problems.",
            "Select common problems (--functions, --dimensions, --instances), so that rows are "
            "comparable.",
        )
    ],
    instead_of=[different_functions, different_instances],
)
def missing_problems(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name the problems that some algorithms were run on and others were not."""
    problems: dict[str, set[_Problem]] = {}
    for run_set in sample:
        problems.setdefault(run_set.algorithm, set()).update(
            _Problem(*run_set.problem_class, instance) for instance in run_set.instances.tolist()
        )
    all_problems = set().union(*problems.values())
    parts = [
        f"{text(name)} lacks {_describe_problems(all_problems - problems[name], all_problems)}"
        for name in natural_order(problems)
        if problems[name] != all_problems
    ]
    if parts:
        yield (
            f"different problems: {'; '.join(parts)}; rows of an algorithm include only the "
            "problems that it was run on."
        )


@summary.caveat(
    explains=[
        Explanation(
            "pairs solved",
            "pairs solved: share of function-target pairs solved within the budget, as in 'assess "
            "ecdf'.",
            "It combines speed and success in one number. It depends on the targets and on the "
            "budget of its column.",
            "Use `firsthit assess ecdf` for all budgets, because the order of algorithms may "
            "change.",
            is_definition=True,
        ),
        Explanation(
            "functions to",
            "functions to 1e-1: number of functions on which at least one run reached it.",
            "It shows how many functions an algorithm can solve at all. It misleads because a "
            "single lucky run is enough.",
            "Use `firsthit assess art` for the number of successful runs on each function.",
            is_definition=True,
        ),
        Explanation(
            "aRT/best",
            "aRT/best: average runtime (aRT) divided by the smallest shown, median over the "
            "functions that the algorithm solved (their number in parentheses).",
            "It shows how many times slower than the fastest algorithm this one typically is. It "
            "misleads if an algorithm solved only the easy functions.",
            "Compare only algorithms that solved the same functions, because unsolved functions "
            "do not count.",
            is_definition=True,
        ),
        Explanation(
            "aRT/D",
            "aRT/D: average runtime (aRT) divided by the dimension, median over the functions "
            "that the algorithm solved (their number in parentheses).",
            "It makes runtimes in several dimensions comparable. It misleads if fewer functions "
            "are solved in higher dimensions.",
            "Use `firsthit assess art` for single functions, because a median hides the slow and "
            "the unsolved ones.",
            is_definition=True,
        ),
        Explanation(
            "aRT in s",
            "aRT in s: average runtime (aRT) in seconds, median over the functions that the "
            "algorithm solved (their number in parentheses).",
            "It estimates how long one successful run takes on this machine. It misleads if "
            "algorithms solved different functions or ran on different machines.",
            "Use `firsthit assess art --count seconds` for single functions, because a median "
            "hides the slow ones.",
            is_definition=True,
        ),
        Explanation(
            "median precision",
            "median precision: best precision of a run at its end, median over all runs.",
            "It compares runs without a final target. It misleads if precisions of functions "
            "differ by orders of magnitude.",
            "Use `firsthit assess fixed-budget` for single functions and other budgets, because a "
            "median over functions mixes scales.",
            is_definition=True,
        ),
        Explanation(
            "runs without reference value",
            "runs without reference value: 5; left out, because precision targets need it.",
            "A precision is the distance to a reference value, and the suite has none for these "
            "functions.",
            "Declare the optimal value in the suite and repeat the runs, because the log stores "
            "it with each run.",
        ),
    ],
    instead_of=[without_reference_value],
)
def short_form(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Explain the columns of the text form, and count the runs without targets."""
    assert isinstance(answer.table, SummaryTable)
    suites, rows = answer.table.suites.values(), answer.table.summary_rows
    names = " or ".join(dict.fromkeys(suite.target_name for suite in suites))
    notes = [
        "pairs solved: share of function-target pairs solved within the budget, as in 'assess "
        "ecdf'.",
        f"functions to {names}: number of functions on which at least one run reached it.",
    ]
    n_algorithms = Counter((row.suite, row.dimension) for row in rows)
    # A block of one algorithm has another column than blocks of several algorithms.
    is_single = {
        n_algorithms[row.suite, row.dimension] == 1
        for row in rows
        if row.has_median_art and answer.table.suites[row.suite].has_final_target
    }
    over = "median over the functions that the algorithm solved (their number in parentheses)"
    if False in is_single:
        notes.append(f"aRT/best: average runtime (aRT) divided by the smallest shown, {over}.")
    if True in is_single and sample.axis == SECONDS:
        notes.append(f"aRT in s: average runtime (aRT) in seconds, {over}.")
    elif True in is_single:
        notes.append(f"aRT/D: average runtime (aRT) divided by the dimension, {over}.")
    if any(not suite.has_final_target for suite in suites):
        notes.append("median precision: best precision of a run at its end, median over all runs.")
    if rows:
        yield from notes
    unknown = int((~_has_reference_value(sample.selection)).sum())
    if unknown:
        yield (
            f"runs without reference value: {unknown}; left out, because precision targets need it."
        )


class _Problem(NamedTuple):
    suite: str
    function: int
    dimension: int
    instance: int


class _FunctionGroup(NamedTuple):
    """Runs of one algorithm on all functions of a suite in one dimension, with their aRT.

    Attributes:
        run_sets: Runs on each function.
        average_runtimes: For each target of the columns, easiest first, the aRT on each function on
            which at least one run hit it.
    """

    run_sets: Sequence[RunSet]
    average_runtimes: Mapping[float, Mapping[int, float]]

    @property
    def key(self) -> tuple[str, int]:
        """Suite and dimension."""
        return self.run_sets[0].suite, self.run_sets[0].dimension

    @property
    def hardest(self) -> Mapping[int, float]:
        """The aRT to the hardest target on each function on which at least one run hit it."""
        return list(self.average_runtimes.values())[-1]


def _average_runtimes(
    group: Sequence[RunSet], targets: Sequence[float]
) -> dict[float, dict[int, float]]:
    """Return for each target the aRT on each function on which some run reached it.

    ``targets`` are the last columns of the hits of each run set.
    """
    averages: dict[float, dict[int, float]] = {target: {} for target in targets}
    for run_set in group:
        art = average_runtime(run_set.hits[:, -len(targets) :], run_set.spent)
        for target, value in zip(targets, art.tolist(), strict=True):
            if np.isfinite(value):
                averages[target][run_set.function] = value
    return averages


def _compute_row(
    log: Log,
    group: _FunctionGroup,
    budgets: Sequence[float],
    least: Mapping[tuple[str, int, int], float],
    axis: str,
) -> SummaryRow:
    """Compute the numbers of one algorithm in one suite and dimension.

    Args:
        log: The log.
        group: Runs and average runtimes.
        budgets: Budgets of the shares of pairs.
        least: Least aRT of all algorithms to the hardest target, by suite, dimension and function.
        axis: Unit of the budgets.
    """
    first = group.run_sets[0]
    unit, n_targets = first.unit(axis), len(group.average_runtimes)
    without_columns = [
        replace(run_set, hits=run_set.hits[:, :-n_targets], exact=run_set.exact[:, :-n_targets])
        for run_set in group.run_sets
    ]
    pairs: Floats = np.mean(
        [
            function_pairs(run_set, "suite", Simulation(), unit).fraction(budgets)
            for run_set in without_columns
        ],
        axis=0,
    )
    rows = np.concatenate([run_set.rows for run_set in group.run_sets])
    hardest = group.hardest
    ratios = [art / least[*group.key, function] for function, art in hardest.items()]
    return SummaryRow(
        algorithm=first.algorithm,
        suite=first.suite,
        dimension=first.dimension,
        functions=len(group.run_sets),
        runs=len(rows),
        failed=int(np.isin(log.runs["status"][rows].astype(str), _FAILED).sum()),
        solved=float(np.mean([solved_pairs(run_set.hits) for run_set in without_columns])),
        budgets=tuple(budgets),
        pairs=tuple(pairs.tolist()),
        functions_hit={target: len(art) for target, art in group.average_runtimes.items()},
        median_art=float(np.median(list(hardest.values()))) / unit if hardest else np.nan,
        median_art_ratio=float(np.median(ratios)) if ratios else np.nan,
        median_precision=float(np.median(log.runs["best_precision"][rows])),
    )


def _flatten(
    rows: Sequence[SummaryRow],
    groups: Sequence[_FunctionGroup],
    common: Mapping[tuple[str, int, float], set[int]],
    column_targets: Sequence[float],
    axis: str,
) -> dict[str, NDArray[Any]]:
    """Return the columns of all rows; see `SummaryTable`.

    Args:
        rows: Numbers of each algorithm, suite and dimension.
        groups: Average runtimes of the rows.
        common: Functions on which every algorithm hit a target, by suite, dimension and target.
        column_targets: Targets of all suites, easiest first.
        axis: Unit of the budgets.
    """
    decades = sorted(
        {b for row in rows for b in row.budgets if float(f"1e{round(np.log10(b))}") == b}
    )
    names = ["algorithm", "suite", "dimension", "functions", "runs", "failed", "solved"]
    names += [f"pairs_{_budget_name(budget, axis)}" for budget in decades]
    names += ["budget", "pairs_budget"]
    names += [
        f"{column}_{target_text(target)}"
        for target in column_targets
        for column in ("functions", "art", "common")
    ]
    names += ["median_art", "median_art_ratio", "median_precision"]
    lines: list[list[Value]] = []
    for row, group in zip(rows, groups, strict=True):
        share_of_budget = dict(zip(row.budgets, row.pairs, strict=True))
        line: list[Value] = [
            row.algorithm, row.suite, row.dimension, row.functions, row.runs, row.failed,
            row.solved, *(share_of_budget.get(budget, np.nan) for budget in decades),
            row.budgets[-1], row.pairs[-1],
        ]  # fmt: skip
        for target in column_targets:
            if target not in group.average_runtimes:
                line += [0, np.nan, 0]
                continue
            art = group.average_runtimes[target]
            functions = sorted(common[*group.key, target])
            mean = float(geometric_mean([art[f] for f in functions])) if functions else np.inf
            line += [len(art), mean, len(functions)]
        lines.append([*line, row.median_art, row.median_art_ratio, row.median_precision])
    return table_of(names, lines)


def _budget_name(budget: float, axis: str) -> str:
    """Return a budget as part of a column's name, such as ``100D``."""
    return budget_text(budget, axis).replace("*", "").replace(" ", "")


def _has_scaled_targets(sample: AtTargets, suite: str) -> bool:
    """Return whether the targets of a suite are shares of each function's range."""
    rows = np.concatenate([run_set.rows for run_set in sample if run_set.suite == suite])
    return bool((sample.log.target_units(rows) != 1).any())


def _describe_problems(missing: set[_Problem], all_problems: set[_Problem]) -> str:
    """Describe missing problems, such as ``f3, f7-8 in 2, 5-D and instances 4-5 of f9 in 2-D``."""
    several_suites = len({problem.suite for problem in all_problems}) > 1
    # Instances that a function lacks in a dimension; "" if it lacks all.
    instances_of: dict[tuple[str, int, int], str] = {}
    for suite, function, dimension in sorted({problem[:3] for problem in missing}):
        lacks, has = (
            {p.instance for p in problems if p[:3] == (suite, function, dimension)}
            for problems in (missing, all_problems)
        )
        instances_of[suite, function, dimension] = "" if lacks == has else ranges(sorted(lacks))
    functions_of: dict[tuple[str, int, str], list[int]] = {}
    for (suite, function, dimension), instances in instances_of.items():
        functions_of.setdefault((suite, dimension, instances), []).append(function)
    dimensions_of: dict[tuple[str, tuple[int, ...], str], list[int]] = {}
    for (suite, dimension, instances), functions in functions_of.items():
        dimensions_of.setdefault((suite, tuple(functions), instances), []).append(dimension)
    parts = []
    for (suite, numbers, instances), dimensions in dimensions_of.items():
        of_instances = f"instances {instances} of " if instances else ""
        of_suite = f" of {suite}" if several_suites else ""
        parts.append(
            f"{of_instances}f{ranges(numbers)} in {ranges(sorted(dimensions))}-D{of_suite}"
        )
    n_more = len(parts) - _MAX_MISSING_PARTS
    more = [f"{n_more} more"] if n_more > 0 else []
    return " and ".join([*parts[:_MAX_MISSING_PARTS], *more])
