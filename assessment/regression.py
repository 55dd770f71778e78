"""Two versions of an optimizer: what became slower or less reliable, at a stated error rate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from .data.grouping import grouped
from .data.notes import basis, broken_notes, notes_on_tests, notes_on_versions
from .data.run_sets import RunSet, paired_rows
from .errors import AssessmentError
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
from .targets.target_sets import TargetSet

REGRESSION_COLUMNS = (
    "suite", "dimension", "scope", "what", "base", "new", "ratio", "low", "high", "target",
    "base_successes", "base_runs", "new_successes", "new_runs", "p", "p_holm", "regression",
)  # fmt: skip


@dataclass(frozen=True)
class RegressionOptions:
    """When a change is a regression.

    Attributes:
        factor: How much slower the new version may be, at least 1.
        alpha: Probability of any false alarm among all rows, at most.
        level: Of the intervals.
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
    """Rows of all tests: as text, the regressions only, and how many tests there were.

    Columns: ``suite, dimension``; ``scope``, ``"f003"`` or ``"all"`` functions of the dimension;
    ``what``, ``"runtime"`` or ``"reliability"``; ``base``, ``new``, the algorithms' names;
    ``ratio`` in ``low`` … ``high`` (one by one, not for all rows together, but drawn out to the
    factor, or to 1 of reliability, where the row is no regression): of the clocks (new by base;
    above 1: slower), or of the success probabilities (below 1: less reliable); ``target``,
    the hardest that half of all runs hit (NaN: none), with ``*_successes`` of ``*_runs`` there;
    ``p``, one-sided, and ``p_holm``, corrected over all rows; ``regression``.
    """

    @property
    def regressions(self) -> int:
        """How many rows are regressions."""
        return int(self["regression"].sum())

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """The regressions, and what became of all functions together."""
        rows = list(self._records())
        found = [row for row in rows if row["regression"]]
        changed = [row for row in rows if row["scope"] == "all" and not row["regression"]]
        heads = [
            "algorithm", "suite", "dimension", "functions", "what", "new/base", "interval",
            "p (Holm)", "",
        ]  # fmt: skip
        lines = [
            [
                _names(row),
                *(text(row[name]) for name in REGRESSION_COLUMNS[:4]),
                text(row["ratio"]),
                f"{text(row['low'])} … {text(row['high'])}",
                text(row["p_holm"]),
                _sentence(row),
            ]
            for row in [*found, *changed]
        ]
        return heads, lines

    def __str__(self) -> str:
        heads, lines = self.text_cells()
        count = f"{self.regressions} regressions in {len(self)} tests"
        return f"{aligned(heads, lines)}\n{count}" if lines else count

    def to_junit(self, path: str | Path | None = None) -> str:
        """The rows as test cases in JUnit's XML, which build servers show; a regression fails.

        Args:
            path: Also write it there.
        """
        suite = ElementTree.Element(
            "testsuite",
            name="firsthit compare",
            tests=str(len(self)),
            failures=str(self.regressions),
            errors="0",
            skipped="0",
        )
        for row in self._records():
            place = f"{_names(row)}.{row['suite']}.d{row['dimension']:02d}"
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=text(place),
                name=f"{row['scope']} {row['what']}",
                time="0",
            )
            if row["regression"]:
                numbers = (
                    f"new/base {text(row['ratio'])} ({text(row['low'])} … {text(row['high'])}), "
                    f"p {text(row['p_holm'])}"
                )
                failure = ElementTree.SubElement(
                    case, "failure", message=f"{_sentence(row)}: {numbers}"
                )
                failure.text = numbers
        ElementTree.indent(suite)
        body = ElementTree.tostring(suite, encoding="unicode")
        return written(f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n', path)


def _names(row: dict[str, Value]) -> str:
    """The algorithm of a row, or both its names where base and new call it differently."""
    base, new = text(row["base"]), text(row["new"])
    return base if base == new else f"{base} -> {new}"


def _sentence(row: dict[str, Value]) -> str:
    """What a row of a `RegressionTable` says, in words."""
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
    base: Iterable[RunSet],
    new: Iterable[RunSet],
    targets: TargetSet,
    options: RegressionOptions | None = None,
) -> RegressionTable:
    """Compare two versions on every function and dimension that both were run on.

    For each function and dimension: the runtime (`slowdown.standing`: ranks over all targets) and
    the reliability (`slowdown.reliability`); for each dimension with several functions: the runtime
    over all of them. Holm's correction over all these tests.

    Args:
        base: RunSet of the base, each algorithm, function and dimension once.
        new: Likewise. With one algorithm on either side, they are compared whatever their names;
            else those of equal name.
        targets: Their precisions.
        options: None: the defaults.

    Raises:
        AssessmentError: No function and dimension was run with both.
    """
    old, now = list(base), list(new)
    options = options or RegressionOptions()
    rows: list[list[Value]] = []
    matched = list(_matched(old, now))
    pair_of = {id(run_set): (run_set, other) for run_set, other in matched}
    for group in grouped([run_set for run_set, _ in matched], "all"):
        pairs = [pair_of[id(run_set)] for run_set in group]
        versions = [_versions(a, b) for a, b in pairs]
        if len(pairs) > 1:
            rows.append(_overall_row(pairs, versions, options))
        for pair, run_set in zip(pairs, versions, strict=True):
            rows += _function_rows(pair, run_set, targets, options)
    if not rows:
        raise AssessmentError(
            "nothing to compare: base and new have no algorithm, function and dimension in common"
        )
    p = np.array([row[-1] for row in rows], dtype=np.float64)
    low, high = (REGRESSION_COLUMNS.index(name) for name in ("low", "high"))
    for row, corrected in zip(rows, holm(p).tolist(), strict=True):
        found = bool(corrected <= options.alpha)
        if row[3] == "runtime":
            row[low] = (max if found else min)(float(row[low]), options.factor)
        else:
            row[high] = (min if found else max)(float(row[high]), 1.0)
        row += [corrected, found]
    notes = (
        *broken_notes([*old, *now]),
        *(f"base: {note}" for note in basis(old)),
        *(f"new: {note}" for note in basis(now)),
        *_unmatched(old, now, matched),
        *notes_on_versions(matched),
        *notes_on_tests([*old, *now]),
        _note(options),
    )
    return RegressionTable(table_of(REGRESSION_COLUMNS, rows), notes)


def _matched(base: Sequence[RunSet], new: Sequence[RunSet]) -> Iterator[tuple[RunSet, RunSet]]:
    single = len({t.algorithm for t in base}) == len({t.algorithm for t in new}) == 1
    there = {(t.cell, "" if single else t.algorithm): t for t in new}
    for run_set in base:
        key = run_set.cell, "" if single else run_set.algorithm
        if key in there:
            yield run_set, there[key]


def _versions(base: RunSet, new: RunSet) -> Versions:
    pairs, instances = paired_rows(base, new), (base.instances, new.instances)
    return Versions(base.hits, base.spent, new.hits, new.spent, pairs, instances)


def _head(pair: tuple[RunSet, RunSet], scope: str, what: str) -> list[Value]:
    base, new = pair
    return [base.suite, base.dimension, scope, what, base.algorithm, new.algorithm]


def _overall_row(
    pairs: Sequence[tuple[RunSet, RunSet]], versions: Sequence[Versions], options: RegressionOptions
) -> list[Value]:
    ratio = clock_ratio(versions, options.level)
    runs = [sum(len(pair[side].spent) for pair in pairs) for side in (0, 1)]
    p = overall(versions, options.factor)[0]
    counts: list[Value] = [float("nan"), 0, runs[0], 0, runs[1]]
    return [*_head(pairs[0], "all", "runtime"), *ratio, *counts, p]


def _function_rows(
    pair: tuple[RunSet, RunSet],
    versions: Versions,
    targets: TargetSet,
    options: RegressionOptions,
) -> list[list[Value]]:
    scope, found = f"f{pair[0].function:03d}", reliability(versions, options.factor)
    runs = len(versions.base_spent), len(versions.new_spent)
    aims = targets.of(*pair[0].cell)
    target = aims[found.target] if found.target >= 0 else float("nan")
    counts: list[Value] = [target, found.base, runs[0], found.new, runs[1]]
    ratio = clock_ratio([versions], options.level)
    p = standing(versions, options.factor).p
    shares = _success_ratio(found, runs, options.level).tolist()
    return [
        [*_head(pair, scope, "runtime"), *ratio, *counts, p],
        [*_head(pair, scope, "reliability"), *shares, *counts, found.p],
    ]


def _success_ratio(found: Reliability, runs: tuple[int, int], level: float) -> Floats:
    """New by base success share, and the interval from Jeffreys' posteriors, shape ``(3,)``."""
    from scipy import stats

    if found.target < 0:
        return np.array([np.nan, 0.0, np.inf])
    rng = np.random.default_rng([found.base, found.new, *runs])
    draws = [
        stats.beta.rvs(k + 0.5, n - k + 0.5, size=4000, random_state=rng)
        for k, n in ((found.base, runs[0]), (found.new, runs[1]))
    ]
    low, high = np.quantile(draws[1] / draws[0], [(1 - level) / 2, (1 + level) / 2])
    ratio = np.divide(found.new * runs[0], found.base * runs[1]) if found.base else np.inf
    return np.array([ratio, low, high])


def _unmatched(
    base: Sequence[RunSet], new: Sequence[RunSet], matched: Sequence[tuple[RunSet, RunSet]]
) -> tuple[str, ...]:
    missing = len(base) + len(new) - 2 * len(matched)
    if not missing:
        return ()
    return (
        f"{missing} of {len(base) + len(new)} sets of runs (algorithm, function, dimension) have "
        "no counterpart and are not compared.",
    )


def _note(options: RegressionOptions) -> str:
    return (
        f"a regression: more than {options.factor:g} times slower, or fewer successes; the "
        f"probability of any false alarm is at most {options.alpha:g} (Holm over all rows). "
        "Intervals of runtimes are about clocks; what failures cost that no run showed is not in "
        "them: the intervals of reliability say how many there may be."
    )
