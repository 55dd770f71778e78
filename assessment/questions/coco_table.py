"""The comparison table of COCO: aRT ratios to a reference, dispersion, successes, significance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...suites.texts import natural, natural_order
from ..asking.declaration import question
from ..asking.options import Reference, Targets
from ..data.function_pairs import SINGLE_RUNTIMES, runtimes_note, usual_quantiles
from ..data.notes import notes_on_targets, notes_on_tests
from ..data.ranked_runs import RankedRuns, ranked_runs, run_tests
from ..data.references import ReferenceRuntimes, by_cell
from ..data.runs import Runs
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

COCO_COLUMNS = (
    "suite", "dimension", "function", "target", "algorithm", "art", "reference", "ratio", "q10",
    "q90", "successes", "runs", "best", "p",
)  # fmt: skip
_ALPHA = 0.05


@dataclass(frozen=True, eq=False, repr=False)
class CocoTable(Table):
    """aRT of all algorithms by function and target, in COCO's layout.

    Columns: ``suite, dimension, function``; of run-length targets ``budget`` (evaluations /
    dimension); ``target, algorithm``; ``art``, in evaluations;
    ``reference``, the reference's aRT (NaN without); ``ratio`` of the two (the ``art`` where there
    is no finite reference); ``q10, q90``, percentiles of single runtimes
    (`usual_quantiles`), divided by ``art``; ``successes`` of ``runs``; ``best``, whether no other
    has a smaller aRT; ``p``, of the best against each other algorithm: the largest, times the
    number of functions in the dimension, at most 1 (NaN for the others, or with one algorithm).
    ``best`` and ``p`` are about the set of algorithms, all else about one.
    """

    def to_latex(self, path: str | Path | None = None) -> str:
        r"""A table for each dimension, a block for each function, algorithms as rows.

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
        return written("\n".join(_dimension(*key, cells[key], by) for key in cells), path)


@question("Algorithms against each other, function by function", 20)
def coco_table(
    runs: Runs, targets: Targets | None = None, *, reference: Reference | None = None
) -> CocoTable:
    """Average runtimes divided by those of a reference, in COCO's layout.

    The average runtime of each algorithm, divided by that of the reference; beside it the 10 and 90
    % points of single runtimes (with restarts on one objective), successes, and the significance of
    the best against each other. Made for LaTeX: a tabular for each dimension with targets as
    columns.

    Args:
        targets: None: 1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's powers of ten.
        reference: Run-length targets are made from it, too. None: none, averages are not divided;
            run-length targets need one.

    Returns:
        A `CocoTable`; its columns are there.
    """
    targets = runs.load_targets(targets, reference)
    run_sets, aims = runs.at_targets(targets, coco_table_targets)
    data = ranked_runs(runs.log, run_sets)
    if reference is None:
        return art_ratios_table(data, aims)
    from ..data.reference_tables import naming_reference

    entries, name = runs.reference(reference)
    return naming_reference(art_ratios_table(data, aims, entries), entries, name)


def art_ratios_table(
    data: Iterable[RankedRuns],
    targets: TargetSet,
    reference: Iterable[ReferenceRuntimes] = (),
) -> CocoTable:
    """Compare all algorithms in COCO's table."""
    ranked, entries = list(data), by_cell(reference)
    cells: dict[tuple[str, int, int], list[RankedRuns]] = {}
    for own in ranked:
        suite, function, dimension = own.cell
        cells.setdefault((suite, dimension, function), []).append(own)
    tests = Counter((suite, dimension) for suite, dimension, _ in cells)
    rows: list[list[Value]] = []
    for suite, dimension, function in sorted(cells):
        here = sorted(
            cells[suite, dimension, function], key=lambda own: natural(own.run_set.algorithm)
        )
        aims = targets.of(suite, function, dimension)
        keys = targets.keys(suite, function, dimension)
        entry = entries.get((suite, function, dimension))
        known = np.full(len(aims), np.nan)
        if entry:
            known = runtimes_at(entry.targets, entry.average_runtimes, aims)
        lines = _rows(here, keys, known, tests[suite, dimension])
        rows += [[suite, dimension, function, *line] for line in lines]
    data_sets = [own.run_set for own in ranked]
    notes = (
        *notes_on_targets(data_sets, targets),
        *notes_on_tests(data_sets),
        "ratio: aRT by that of the reference; q10, q90, divided by aRT: "
        f"{runtimes_note(data_sets, 'suite', SINGLE_RUNTIMES)}.",
        "p: the best algorithm against each other, rank-sum test, the largest p-value times the "
        "number of functions.",
    )
    return CocoTable(table_of(targets.named(COCO_COLUMNS), rows), notes)


def _rows(
    ranked: Sequence[RankedRuns],
    targets: Sequence[tuple[float, ...]],
    reference: Floats,
    functions: int,
) -> list[list[Value]]:
    """A row for each target and algorithm, of one function in one dimension."""
    data = [own.run_set for own in ranked]
    art = np.array([average_runtime(run_set.hits, run_set.spent) for run_set in data])
    winners = art.argmin(axis=0).tolist()
    matches = [
        (ranked[best], own, j)
        for j, best in enumerate(winners)
        for i, own in enumerate(ranked)
        if i != best
    ]
    tests, others = run_tests(matches), len(data) - 1
    spread = [usual_quantiles(run_set, [0.1, 0.9]) for run_set in data]
    found: list[list[Value]] = []
    for j, (target, best) in enumerate(zip(targets, winners, strict=True)):
        p = _significance(tests[j * others : (j + 1) * others], functions)
        for i, run_set in enumerate(data):
            first = bool(np.isfinite(art[i, j]) and art[i, j] == art[best, j])
            reached = np.isfinite(art[i, j])
            relative = spread[i][:, j] / art[i, j] if reached else np.full(2, np.nan)
            known = float(reference[j])
            ratio = ratio_of(float(art[i, j]), known) if np.isfinite(known) else art[i, j]
            head: list[Value] = [*target, run_set.algorithm, float(art[i, j]), known, float(ratio)]
            counts: list[Value] = [int(successes(run_set.hits[:, j])), len(run_set.spent)]
            ends = [float(end) for end in relative]
            found.append([*head, *ends, *counts, first, p if i == best else float("nan")])
    return found


def _significance(tests: Sequence[Difference], functions: int) -> float:
    """Largest p-value of the best against the others, times the number of functions."""
    if not tests:
        return float("nan")
    largest = max(1.0 if test.superiority <= 0.5 else test.p for test in tests)
    return min(largest * functions, 1.0)


def _dimension(
    suite: str, dimension: int, functions: dict[int, list[dict[str, Any]]], by: str
) -> str:
    """The table of one suite and dimension, its columns by target or by budget."""
    keys = {f: list(dict.fromkeys(row[by] for row in rows)) for f, rows in functions.items()}
    is_common = len(set(map(tuple, keys.values()))) == 1
    most = max(map(len, keys.values()))
    lines: list[list[str]] = []
    heads = [""] * (most + 2)
    for i, (function, rows) in enumerate(functions.items()):
        targets = keys[function]
        blank = [""] * (most - len(targets))
        precisions = {row[by]: latex_cell(target_text(row["target"])) for row in rows}
        names = [precisions[target] for target in targets]
        title = rf"\textbf{{f{function}}}"
        lines += [[""]] if i else []
        if is_common:
            heads = ["", *(latex_cell(key_text(by, target)) for target in targets), r"\#succ"]
            lines.append([title] if by == "target" else [title, *names, ""])
        else:
            lines.append([title, *names, *blank, r"\#succ"])
        known = {row[by]: row["reference"] for row in rows}
        if not all(np.isnan(value) for value in known.values()):
            best = [number(known[target]) for target in targets]
            lines.append(["reference", *best, *blank, ""])
        for name in natural_order(row["algorithm"] for row in rows):
            mine = {row[by]: row for row in rows if row["algorithm"] == name}
            last = mine[targets[-1]]
            cells = [_cell(mine[target]) for target in targets]
            count = f"{last['successes']}/{last['runs']}"
            lines.append([escaped(name), *cells, *blank, count])
    title = f"{escaped(suite)}, {dimension}{{-}}D"
    return pages(heads, lines, "l" + "r" * (most + 1), 1, title)


def _cell(row: dict[str, Any]) -> str:
    """Ratio, dispersion and significance of one algorithm at one target."""
    ratio = number(row["ratio"])
    latex = rf"\textbf{{{ratio}}}" if row["best"] else ratio
    if np.isfinite(row["q10"]):
        latex += rf"$_{{{_relative(row['q10'])}}}^{{{_relative(row['q90'])}}}$"
    if row["p"] < _ALPHA:
        latex += rf"$^{{\ast{min(int(-np.log10(max(row['p'], 1e-9))), 9)}}}$"
    return latex


def _relative(value: float) -> str:
    r"""A percentile relative to the average: ``+20\%``, or a factor where it is beyond 2.

    >>> print(_relative(1.2), _relative(0.25), _relative(3.0))
    +20\% /4.0 \times3.0
    """
    if np.isinf(value):
        return r"\times\infty"
    if value >= 1.995:
        return rf"\times{value:.2g}" if value >= 10 else rf"\times{value:.1f}"
    if value < 0.5:
        return f"/{1 / value:.1f}" if value > 0 else r"/\infty"
    return rf"{100 * (value - 1):+.0f}\%"
