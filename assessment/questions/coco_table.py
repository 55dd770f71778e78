"""The comparison table of COCO: aRT ratios to a reference, dispersion, successes, significance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...suites.texts import natural, natural_order
from ..caveats import DOMINANT_INSTANCE, REFERENCE_RUNS, TESTS, Explanation
from ..hits.ranked_runs import RankedRuns, ranked_runs, run_tests
from ..notes import dominance_notes, notes_on_reference, notes_on_tests
from ..profiles.function_pairs import SINGLE_RUNTIMES, runtimes_note, usual_quantiles
from ..references import Entries
from ..samples.at_targets import AtTargets
from ..samples.convention import RESTARTED
from ..samples.sample import Answer
from ..statistics.average_runtime import average_runtime
from ..statistics.hits import successes
from ..statistics.quantiles import Floats
from ..statistics.ratios import ratio_of
from ..statistics.significance import Difference
from ..tables.latex import cell as latex_cell
from ..tables.latex import escaped, number, pages
from ..tables.table import Table, Value, table_of, written
from ..targets.parse import target_text
from ..targets.runlength import runtimes_at
from ..targets.target_sets import TargetSet, coco_table_targets, key_of, key_text
from ._framework.needs import at_targets
from ._framework.question import question

COCO_COLUMNS = (
    "suite", "dimension", "function", "target", "algorithm", "art", "reference", "ratio", "q10",
    "q90", "successes", "runs", "best", "p",
)  # fmt: skip
_ALPHA = 0.05
_LEGEND = (
    r"{\footnotesize Cells: $\mathrm{aRT}$ divided by that of the reference; bold: best algorithm. "
    r"Subscript and superscript: 10 and 90\,\% quantiles of single runtimes, relative to "
    r"$\mathrm{aRT}$ ($+20\%$; $\times3.0$: 3 times; $/4.0$: a quarter). $\ast k$: better than "
    r"each other algorithm, rank-sum test, $p < 0.05$ after multiplication by the number of "
    r"functions (Bonferroni), $k = \lfloor -\log_{10} p \rfloor$. "
    r"\#succ: successful runs at the last target of the row.\par}"
)
"""Explanation of the marks, below the LaTeX form."""


@dataclass(frozen=True, eq=False, repr=False)
class CocoTable(Table):
    """aRT of all algorithms by function and target, in COCO's layout.

    Each row belongs to a ``suite``, ``dimension``, ``function``, ``target`` and ``algorithm``.
    Run-length targets also have a column ``budget``, in evaluations / dimension. ``art`` and
    ``reference`` are the average runtimes of the algorithm and of the reference, in evaluations;
    NaN without a reference. ``ratio`` is the first divided by the second; it is ``art`` if there is
    no finite reference. ``q10`` and ``q90`` are percentiles of single runtimes (`usual_quantiles`),
    divided by ``art``. ``successes`` is how many of the ``runs`` hit the target.

    ``best`` is whether no other algorithm has a smaller aRT; it is False if no algorithm hit the
    target. ``p`` is the largest p-value of the best algorithm against each other algorithm, times
    the number of functions in the dimension, at most 1; NaN for all other algorithms, if there is
    one algorithm, and if no algorithm hit the target. ``best`` and ``p`` depend on all algorithms,
    the other columns on one.
    """

    def to_latex(self, path: str | Path | None = None) -> str:
        r"""Return one table per dimension, with a block per function and algorithms as rows.

        A cell is the ratio with its dispersion (10 and 90 % relative to the average); ``\ast``
        marks an algorithm that is better than each other, with ``-log10 p``; the last column has
        the successes at the hardest target. Run-length targets stand in columns by their budgets,
        their precisions beside each function.
        """
        cells: dict[tuple[str, int], dict[int, list[dict[str, Any]]]] = {}
        for row in self._records():
            block = cells.setdefault((row["suite"], row["dimension"]), {})
            block.setdefault(row["function"], []).append(row)
        by = key_of(self.names)
        tables = [_format_dimension(*key, cells[key], by) for key in cells]
        return written("\n".join([*tables, _LEGEND, ""]), path)


@question(
    "Algorithms against each other, function by function",
    20,
    needs=at_targets(coco_table_targets, shows_reference=True, own_targets=True),
    convention=RESTARTED,
    examples=(
        "results/quickstart.h5 --reference DE --targets 1e1",
        "results/quickstart.h5 --reference best2009-bbob",
        "results/quickstart.h5 --reference DE --format latex",
    ),
)
def coco_table(sample: AtTargets) -> CocoTable:
    """Divide average runtimes by those of a reference, in COCO's layout.

    The average runtime (aRT, see `art`) of each algorithm is divided by that of the reference: a
    ratio of 5 means that the algorithm needs five times as many evaluations. Beside the ratio are
    the 10 % and 90 % quantiles of single runtimes, divided by aRT, and the number of successful
    runs. If there is one objective, these runtimes include simulated restarts. The p-value is from
    a test of the best algorithm against each other one.

    The LaTeX form has a tabular for each dimension, with targets as columns, and explains its marks
    below the tables.

    Args:
        reference: Average runtimes are divided by its average runtimes, and run-length targets are
            computed from it. None: no reference; the ratio is then the average runtime itself.

    Returns:
        One row for each function, dimension, target and algorithm: ``art``, ``reference``,
        ``ratio``, the quantiles ``q10`` and ``q90``, ``successes``, ``best`` and ``p``.
    """
    entries = {} if sample.reference is None else sample.reference.entries
    return art_ratios_table(ranked_runs(sample.log, sample.cells), sample.targets, entries)


@coco_table.caveat(explains=[DOMINANT_INSTANCE])
def dominant_instances(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name averages that one instance dominates."""
    return dominance_notes(sample)


@coco_table.caveat(explains=[TESTS])
def tests_of_repeated_instances(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say how tests treat runs that repeat an instance, if there are any."""
    return notes_on_tests(sample)


@coco_table.caveat(
    explains=[
        Explanation(
            "ratio",
            "ratio: aRT divided by the reference's aRT; q10, q90: quantiles of single runtimes "
            "with restarts, divided by aRT.",
            "The ratio compares an algorithm with the reference. The quantiles show how much "
            "single runtimes vary around the average.",
            "Report the quantiles with the ratio, because a wide range means that one run may "
            "take much longer.",
            is_definition=True,
        )
    ]
)
def ratios_and_percentiles(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what the ratios and the percentiles are."""
    ratio = "aRT itself, because there is no reference"
    if sample.reference is not None:
        ratio = "aRT divided by the reference's aRT"
    quantiles = runtimes_note(sample, "suite", SINGLE_RUNTIMES)
    yield f"ratio: {ratio}; q10, q90: quantiles of {quantiles}, divided by aRT."


@coco_table.caveat(
    explains=[
        Explanation(
            "p",
            "p: rank-sum test of the best algorithm against each other one, largest p-value times "
            "24 functions.",
            "It shows whether the best algorithm is best by chance. It grows with the number of "
            "functions, because more tests give more false positives.",
            "Report the number of functions, because p depends on it.",
            is_definition=True,
        )
    ]
)
def test_of_the_best(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say which test the p-values come from."""
    n_functions = Counter(
        (suite, dimension) for suite, _, dimension in {run_set.problem_class for run_set in sample}
    )
    factors = " or ".join(str(number) for number in sorted(set(n_functions.values())))
    yield (
        "p: rank-sum test of the best algorithm against each other one, largest p-value times "
        f"{factors} functions."
    )


@coco_table.caveat(explains=[REFERENCE_RUNS])
def name_of_reference(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name the reference, and say which runs it rests on."""
    if sample.reference is None:
        return
    entries, name = sample.reference.read()
    yield f"reference: {name}."
    yield from notes_on_reference(entries, name, answer.notes)


def art_ratios_table(
    all_runs: Iterable[RankedRuns],
    targets: TargetSet,
    entries: Entries,
) -> CocoTable:
    """Compare all algorithms in COCO's table.

    Args:
        all_runs: The runs of each algorithm on each function and dimension.
        targets: The targets of the columns.
        entries: Entries of the reference algorithm; empty if there is none.

    Returns:
        The table, ordered by suite, dimension, function, target and algorithm.
    """
    ranked = list(all_runs)
    cells: dict[tuple[str, int, int], list[RankedRuns]] = {}
    for runs in ranked:
        suite, function, dimension = runs.problem_class
        cells.setdefault((suite, dimension, function), []).append(runs)
    n_functions = Counter((suite, dimension) for suite, dimension, _ in cells)
    rows: list[list[Value]] = []
    for suite, dimension, function in sorted(cells):
        runs_of_function = sorted(
            cells[suite, dimension, function], key=lambda runs: natural(runs.run_set.algorithm)
        )
        target_values = targets.of(suite, function, dimension)
        keys = targets.keys(suite, function, dimension)
        entry = entries.get((suite, function, dimension))
        reference_runtimes = np.full(len(target_values), np.nan)
        if entry:
            reference_runtimes = runtimes_at(entry.targets, entry.average_runtimes, target_values)
        function_rows = _tabulate_function(
            runs_of_function, keys, reference_runtimes, n_functions[suite, dimension]
        )
        rows += [[suite, dimension, function, *line] for line in function_rows]
    return CocoTable(table_of(targets.named(COCO_COLUMNS), rows))


def _tabulate_function(
    ranked: Sequence[RankedRuns],
    targets: Sequence[tuple[float, ...]],
    reference: Floats,
    n_functions: int,
) -> list[list[Value]]:
    """Return the rows of one function in one dimension, by target and algorithm.

    Args:
        ranked: The runs of each algorithm.
        targets: The first columns of the rows for each target, such as its budget and precision.
        reference: Average runtime of the reference to each target; NaN if it has none.
        n_functions: Number of functions in the dimension, by which p-values are multiplied.

    Returns:
        Rows with the columns of `CocoTable` from the target on.
    """
    run_sets = [runs.run_set for runs in ranked]
    art = np.array([average_runtime(run_set.hits, run_set.spent) for run_set in run_sets])
    winners = art.argmin(axis=0).tolist()
    matches = [
        (ranked[best], runs, j)
        for j, best in enumerate(winners)
        for i, runs in enumerate(ranked)
        if i != best
    ]
    tests, n_others = run_tests(matches), len(run_sets) - 1
    spread = [usual_quantiles(run_set, [0.1, 0.9]) for run_set in run_sets]
    rows: list[list[Value]] = []
    for j, (target, best) in enumerate(zip(targets, winners, strict=True)):
        p = float("nan")
        if np.isfinite(art[best, j]):
            p = _combine_p_values(tests[j * n_others : (j + 1) * n_others], n_functions)
        for i, run_set in enumerate(run_sets):
            is_best = bool(np.isfinite(art[i, j]) and art[i, j] == art[best, j])
            is_reached = np.isfinite(art[i, j])
            relative = spread[i][:, j] / art[i, j] if is_reached else np.full(2, np.nan)
            reference_runtime = float(reference[j])
            ratio = (
                ratio_of(float(art[i, j]), reference_runtime)
                if np.isfinite(reference_runtime)
                else art[i, j]
            )
            head: list[Value] = [
                *target,
                run_set.algorithm,
                float(art[i, j]),
                reference_runtime,
                float(ratio),
            ]
            counts: list[Value] = [int(successes(run_set.hits[:, j])), len(run_set.spent)]
            percentiles = [float(end) for end in relative]
            rows.append([*head, *percentiles, *counts, is_best, p if i == best else float("nan")])
    return rows


def _combine_p_values(tests: Sequence[Difference], n_functions: int) -> float:
    """Return the largest p-value of the best against each other, corrected for all functions."""
    if not tests:
        return float("nan")
    largest = max(1.0 if test.superiority <= 0.5 else test.p for test in tests)
    return min(largest * n_functions, 1.0)


def _format_dimension(
    suite: str, dimension: int, functions: dict[int, list[dict[str, Any]]], key_column: str
) -> str:
    """Return the LaTeX table of one suite and dimension.

    Args:
        suite: Name of the suite.
        dimension: The dimension.
        functions: Rows of the table by function.
        key_column: Column whose values identify a target: "target" or "budget".
    """
    keys = {
        f: list(dict.fromkeys(row[key_column] for row in rows)) for f, rows in functions.items()
    }
    is_common = len(set(map(tuple, keys.values()))) == 1
    max_targets = max(map(len, keys.values()))
    lines: list[list[str]] = []
    column_titles = [""] * (max_targets + 2)
    for i, (function, rows) in enumerate(functions.items()):
        targets = keys[function]
        blank_cells = [""] * (max_targets - len(targets))
        precisions = {row[key_column]: latex_cell(target_text(row["target"])) for row in rows}
        names = [precisions[target] for target in targets]
        title = rf"\textbf{{f{function}}}"
        lines += [[""]] if i else []
        if is_common:
            column_titles = [
                "",
                *(latex_cell(key_text(key_column, target)) for target in targets),
                r"\#succ",
            ]
            lines.append([title] if key_column == "target" else [title, *names, ""])
        else:
            lines.append([title, *names, *blank_cells, r"\#succ"])
        reference_runtimes = {row[key_column]: row["reference"] for row in rows}
        if not all(np.isnan(value) for value in reference_runtimes.values()):
            reference_cells = [number(reference_runtimes[target]) for target in targets]
            lines.append(["reference", *reference_cells, *blank_cells, ""])
        for name in natural_order(row["algorithm"] for row in rows):
            row_of_target = {row[key_column]: row for row in rows if row["algorithm"] == name}
            last = row_of_target[targets[-1]]
            cells = [_format_cell(row_of_target[target]) for target in targets]
            count = f"{last['successes']}/{last['runs']}"
            lines.append([escaped(name), *cells, *blank_cells, count])
    title = f"{escaped(suite)}, {dimension}{{-}}D"
    return pages(column_titles, lines, "l" + "r" * (max_targets + 1), 1, title)


def _format_cell(row: dict[str, Any]) -> str:
    """Format ratio, dispersion and significance of one algorithm at one target."""
    ratio = number(row["ratio"])
    latex = rf"\textbf{{{ratio}}}" if row["best"] else ratio
    if np.isfinite(row["q10"]):
        latex += rf"$_{{{_format_relative(row['q10'])}}}^{{{_format_relative(row['q90'])}}}$"
    if row["p"] < _ALPHA:
        latex += rf"$^{{\ast{min(int(-np.log10(max(row['p'], 1e-9))), 9)}}}$"
    return latex


def _format_relative(value: float) -> str:
    r"""Format a percentile relative to the average: ``+20\%``, or a factor if it exceeds 2.

    >>> print(_format_relative(1.2), _format_relative(0.25), _format_relative(3.0))
    +20\% /4.0 \times3.0
    """
    if np.isinf(value):
        return r"\times\infty"
    if value >= 1.995:
        return rf"\times{value:.2g}" if value >= 10 else rf"\times{value:.1f}"
    if value < 0.5:
        return f"/{1 / value:.1f}" if value > 0 else r"/\infty"
    return rf"{100 * (value - 1):+.0f}\%"
