"""Comparison of two versions of an optimizer: tests for slower and less reliable runs.

`regression_table` pairs the runs of base and new by function and dimension, and tests each pair for
a longer runtime and for fewer successes. Holm's correction over all tests bounds the probability of
any false alarm. The tests themselves are in `statistics.slowdown`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import numpy as np

from .errors import AssessmentError
from .grouping import grouped
from .hits.run_sets import RunSet, paired_rows
from .notes import basis, broken_notes, notes_on_tests, notes_on_versions
from .samples.at_targets import AtTargets
from .statistics.quantiles import Floats
from .statistics.significance import holm
from .statistics.slowdown import (
    Reliability,
    Versions,
    clock_ratio,
    overall,
    reliability,
    standing,
)
from .tables.table import Table, Value, aligned, table_of, text, written
from .targets.target_sets import Cell, TargetSet

REGRESSION_COLUMNS = (
    "suite", "dimension", "scope", "what", "base", "new", "ratio", "low", "high", "target",
    "base_successes", "base_runs", "new_successes", "new_runs", "p", "p_holm", "regression",
)  # fmt: skip
_POSTERIOR_DRAWS = 4000
"""Draws from each posterior; the ends of a 95 % interval then rest on 100 draws each."""


@dataclass(frozen=True)
class RegressionOptions:
    """Thresholds that decide whether a change is a regression.

    Attributes:
        factor: Tolerated slowdown: a ratio of runtimes, from 1 to 1000.
        alpha: Upper bound of the probability of any false alarm among all rows.
        level: Confidence level of the intervals, between 0 and 1.

    Raises:
        AssessmentError: A value is out of range.

    Example:
        >>> import firsthit
        >>> from firsthit.assessment import RegressionOptions
        >>> def run(optimizer):
        ...     return firsthit.benchmark(optimizer, "bbob", functions=1, dimensions=2, budget=300)
        >>> old, new = run("scipy:Nelder-Mead"), run("random-search")
        >>> options = RegressionOptions(factor=1.5, alpha=0.01)
        >>> bool(new.regressions(old, targets=1e-2, options=options)["regression"].any())
        True
    """

    factor: float = 1.0
    alpha: float = 0.05
    level: float = 0.95

    def __post_init__(self) -> None:
        if not 1 <= self.factor < 1000:
            raise AssessmentError(f"factor is {self.factor}, must lie from 1 to 1000")
        for name in ("alpha", "level"):
            if not 0 < getattr(self, name) < 1:
                raise AssessmentError(f"{name} is {getattr(self, name)}, must lie between 0 and 1")


@dataclass(frozen=True, eq=False, repr=False)
class RegressionTable(Table):
    """Table with one row for each test of two versions.

    Its text shows only the regressions, the tests over all functions, and the number of tests.

    Columns:

    - ``suite``, ``dimension``; ``scope``: a function such as ``"f003"``, or ``"all"`` functions;
    - ``what``: ``"runtime"`` or ``"reliability"``; ``base``, ``new``: names of the algorithms;
    - ``ratio``: new by base, of the runtimes (above 1: slower) or of the success probabilities
      (below 1: less reliable);
    - ``low``, ``high``: pointwise confidence interval of the ratio; in rows that are no regression
      it is widened to include the tolerated factor (runtime) or 1 (reliability);
    - ``target``: the hardest target that half of all runs hit (NaN: none), with
      ``base_successes`` of ``base_runs`` and ``new_successes`` of ``new_runs``;
    - ``p``: one-sided; ``p_holm``: corrected over all rows; ``regression``: whether the row is one.
    """

    @property
    def regressions(self) -> int:
        """Number of rows that are regressions."""
        return int(self["regression"].sum())

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return column titles and rows: the regressions first, then the other overall tests."""
        rows = list(self._records())
        regressions = [row for row in rows if row["regression"]]
        unchanged = [row for row in rows if row["scope"] == "all" and not row["regression"]]
        titles = [
            "algorithm", "suite", "dimension", "functions", "what", "new/base", "interval",
            "p (Holm)", "",
        ]  # fmt: skip
        lines = [
            [
                _algorithm_names(row),
                *(text(row[name]) for name in REGRESSION_COLUMNS[:4]),
                text(row["ratio"]),
                f"{text(row['low'])} … {text(row['high'])}",
                text(row["p_holm"]),
                _describe_result(row),
            ]
            for row in [*regressions, *unchanged]
        ]
        return titles, lines

    def __str__(self) -> str:
        titles, lines = self.text_cells()
        count = f"{self.regressions} regressions in {len(self)} tests"
        return f"{aligned(titles, lines)}\n{count}" if lines else count

    def to_junit(self, path: str | Path | None = None) -> str:
        """Return the rows as test cases in JUnit's XML, which build servers show.

        A regression is a failed test case.

        Args:
            path: File that the XML is written to, too. None: no file.

        Raises:
            AssessmentError: The file cannot be written.
        """
        suite = ElementTree.Element(
            "testsuite",
            name="firsthit regressions",
            tests=str(len(self)),
            failures=str(self.regressions),
            errors="0",
            skipped="0",
        )
        for row in self._records():
            class_name = f"{_algorithm_names(row)}.{row['suite']}.d{row['dimension']:02d}"
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=text(class_name),
                name=f"{row['scope']} {row['what']}",
                time="0",
            )
            if row["regression"]:
                numbers = (
                    f"new/base {text(row['ratio'])} ({text(row['low'])} … {text(row['high'])}), "
                    f"p {text(row['p_holm'])}"
                )
                failure = ElementTree.SubElement(
                    case, "failure", message=f"{_describe_result(row)}: {numbers}"
                )
                failure.text = numbers
        ElementTree.indent(suite)
        body = ElementTree.tostring(suite, encoding="unicode")
        return written(f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n', path)


def _algorithm_names(row: dict[str, Value]) -> str:
    """Return the name of the algorithm; both names if base and new name it differently."""
    base, new = text(row["base"]), text(row["new"])
    return base if base == new else f"{base} -> {new}"


def _describe_result(row: dict[str, Value]) -> str:
    if not row["regression"]:
        return "no regression seen"
    if row["what"] == "reliability":
        return (
            "less reliable: {new_successes}/{new_runs} after {base_successes}/{base_runs}".format(
                **row
            )
        )
    return "slower"


def regression_table(
    base: AtTargets, new: AtTargets, options: RegressionOptions | None = None
) -> RegressionTable:
    """Test each function and dimension that both versions were run on for regressions.

    Each function and dimension has a test of the runtime (`slowdown.standing`: ranks over all
    targets) and one of the reliability (`slowdown.reliability`). Each dimension with several
    functions has a test of the runtime over all of them (`slowdown.overall`). The p-values of all
    tests are corrected by Holm's method.

    Args:
        base: Runs of the base.
        new: Runs of the new version, at the same targets. If base and new have one algorithm each,
            these two are compared whatever their names; otherwise algorithms of equal name.
        options: Thresholds. None: the defaults.

    Returns:
        The table, with notes on the runs of both versions, on runs without a counterpart, and on
        the error rate.

    Raises:
        AssessmentError: No function and dimension was run with both.
    """
    base_sets, new_sets = base.cells, new.cells
    options = options or RegressionOptions()
    pairs = list(_match_run_sets(base_sets, new_sets))
    rows = _rows_of_tests(pairs, new.targets, options)
    if not rows:
        raise AssessmentError(
            "nothing to compare: base and new have no algorithm, function and dimension in common"
        )
    _add_decisions(rows, options)
    notes = (
        *broken_notes([*base_sets, *new_sets]),
        *(f"base, {note}" for note in basis(base_sets)),
        *(f"new, {note}" for note in basis(new_sets)),
        *_note_on_unmatched(base_sets, new_sets, pairs),
        *notes_on_versions(pairs),
        *notes_on_tests([*base_sets, *new_sets]),
        *_notes_on_tests_and_intervals(options),
    )
    return RegressionTable(table_of(REGRESSION_COLUMNS, rows), notes)


def _match_run_sets(
    base_sets: Sequence[RunSet], new_sets: Sequence[RunSet]
) -> Iterator[tuple[RunSet, RunSet]]:
    """Yield the run sets of base and new on equal functions and dimensions.

    The algorithms must have equal names, unless base and new have one algorithm each.
    """
    counts = [len({run_set.algorithm for run_set in side}) for side in (base_sets, new_sets)]
    ignores_names = counts == [1, 1]

    def key(run_set: RunSet) -> tuple[Cell, str]:
        return run_set.problem_class, "" if ignores_names else run_set.algorithm

    new_set_of_key = {key(run_set): run_set for run_set in new_sets}
    for base_set in base_sets:
        if key(base_set) in new_set_of_key:
            yield base_set, new_set_of_key[key(base_set)]


def _rows_of_tests(
    pairs: Sequence[tuple[RunSet, RunSet]], targets: TargetSet, options: RegressionOptions
) -> list[list[Value]]:
    """Return the rows of `RegressionTable` without the last two columns."""
    rows: list[list[Value]] = []
    pair_of = {id(base_set): (base_set, new_set) for base_set, new_set in pairs}
    for group in grouped([base_set for base_set, _ in pairs], "all"):
        pairs_of_group = [pair_of[id(base_set)] for base_set in group]
        versions = [_versions_of(base_set, new_set) for base_set, new_set in pairs_of_group]
        if len(pairs_of_group) > 1:
            rows.append(_overall_row(pairs_of_group, versions, options))
        for pair, versions_of_pair in zip(pairs_of_group, versions, strict=True):
            rows += _function_rows(pair, versions_of_pair, targets, options)
    return rows


def _versions_of(base: RunSet, new: RunSet) -> Versions:
    pairs, instances = paired_rows(base, new), (base.instances, new.instances)
    return Versions(base.hits, base.spent, new.hits, new.spent, pairs, instances)


def _overall_row(
    pairs: Sequence[tuple[RunSet, RunSet]], versions: Sequence[Versions], options: RegressionOptions
) -> list[Value]:
    ratio = clock_ratio(versions, options.level)
    n_base, n_new = (sum(len(pair[side].spent) for pair in pairs) for side in (0, 1))
    p = overall(versions, options.factor)[0]
    # The test is over all targets: there is no single target, and no successes at it.
    counts: list[Value] = [float("nan"), 0, n_base, 0, n_new]
    return [*_key_columns(pairs[0], "all", "runtime"), *ratio, *counts, p]


def _function_rows(
    pair: tuple[RunSet, RunSet],
    versions: Versions,
    targets: TargetSet,
    options: RegressionOptions,
) -> list[list[Value]]:
    """Return the row of the runtime and that of the reliability for one function."""
    scope = f"f{pair[0].function:03d}"
    successes = reliability(versions, options.factor)
    n_base, n_new = len(versions.base_spent), len(versions.new_spent)
    target_values = targets.of(*pair[0].problem_class)
    target = target_values[successes.target] if successes.target >= 0 else float("nan")
    counts: list[Value] = [target, successes.base, n_base, successes.new, n_new]
    ratio = clock_ratio([versions], options.level)
    p = standing(versions, options.factor).p
    success_ratio = _success_ratio(successes, (n_base, n_new), options.level).tolist()
    return [
        [*_key_columns(pair, scope, "runtime"), *ratio, *counts, p],
        [*_key_columns(pair, scope, "reliability"), *success_ratio, *counts, successes.p],
    ]


def _key_columns(
    pair: tuple[RunSet, RunSet], scope: str, test: Literal["runtime", "reliability"]
) -> list[Value]:
    base, new = pair
    return [base.suite, base.dimension, scope, test, base.algorithm, new.algorithm]


def _success_ratio(successes: Reliability, n_runs: tuple[int, int], level: float) -> Floats:
    """Return the ratio of the success shares, new by base, with its interval, shape ``(3,)``.

    The interval holds the central quantiles of the ratio under Jeffreys' posteriors. ``n_runs`` are
    the numbers of runs of base and new. Without a target, the ratio is NaN, in 0 … inf.
    """
    from scipy import stats

    if successes.target < 0:
        return np.array([np.nan, 0.0, np.inf])
    # The seed depends on the counts only, so that equal counts give equal intervals.
    rng = np.random.default_rng([successes.base, successes.new, *n_runs])
    base_shares, new_shares = (
        stats.beta.rvs(k + 0.5, n - k + 0.5, size=_POSTERIOR_DRAWS, random_state=rng)
        for k, n in ((successes.base, n_runs[0]), (successes.new, n_runs[1]))
    )
    low, high = np.quantile(new_shares / base_shares, [(1 - level) / 2, (1 + level) / 2])
    if not successes.base:
        return np.array([np.inf, low, high])
    ratio = np.divide(successes.new * n_runs[0], successes.base * n_runs[1])
    return np.array([ratio, low, high])


def _add_decisions(rows: Sequence[list[Value]], options: RegressionOptions) -> None:
    """Append ``p_holm`` and ``regression`` to each row, and make its interval agree with them."""
    p = np.array([row[-1] for row in rows], dtype=np.float64)
    test, low, high = (REGRESSION_COLUMNS.index(name) for name in ("what", "low", "high"))
    for row, p_holm in zip(rows, holm(p).tolist(), strict=True):
        is_regression = bool(p_holm <= options.alpha)
        # The interval is pointwise, but the decision is not. It must exclude the tolerated ratio
        # exactly if the row is a regression.
        if row[test] == "runtime":
            row[low] = (max if is_regression else min)(float(row[low]), options.factor)
        else:
            row[high] = (min if is_regression else max)(float(row[high]), 1.0)
        row += [p_holm, is_regression]


def _note_on_unmatched(
    base_sets: Sequence[RunSet],
    new_sets: Sequence[RunSet],
    pairs: Sequence[tuple[RunSet, RunSet]],
) -> tuple[str, ...]:
    n_run_sets = len(base_sets) + len(new_sets)
    n_unmatched = n_run_sets - 2 * len(pairs)
    if not n_unmatched:
        return ()
    return (
        f"combinations of algorithm, function and dimension: {n_unmatched} of {n_run_sets} left "
        "out; the other version has no runs on them.",
    )


def _notes_on_tests_and_intervals(options: RegressionOptions) -> tuple[str, ...]:
    slower = "a slower runtime"
    if options.factor != 1:
        slower = f"a runtime more than {options.factor:g} times as long"
    return (
        f"a regression: {slower} or fewer successes; the probability of any false alarm is at most "
        f"{options.alpha:g} (Holm's correction over all rows).",
        "unobserved failures: not in the intervals of runtimes; the intervals of reliability show "
        "how frequent failures may be.",
    )
