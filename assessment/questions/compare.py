"""Algorithms against each other, function by function: ratio of runtimes, test, and conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated, Literal, get_args

import numpy as np

from ...suites.errors import UnknownNameError
from ...suites.texts import natural_order
from ..caveats import TESTS, UNOBSERVED, Explanation
from ..errors import AssessmentError
from ..hits.ranked_runs import RankedRuns, ranked_runs, run_tests
from ..notes import notes_on_tests, notes_on_unseen_failures
from ..samples.at_targets import AtTargets
from ..samples.convention import EACH_RUN
from ..samples.sample import Answer
from ..statistics.average_runtime import average_runtime
from ..statistics.hits import mostly_shared, repeats, successes
from ..statistics.intervals import Resampling, ratio_interval
from ..statistics.quantiles import Floats
from ..statistics.ratios import ratio_of
from ..statistics.significance import bonferroni, holm, runs_needed
from ..tables.latex import cell, escaped, pages
from ..tables.table import Table, Value, table_of, text, written
from ..targets.parse import target_text
from ..targets.target_sets import TargetSet, hardest, key_of, key_text
from ._framework.needs import at_targets
from ._framework.options import Alpha, Level, Option, Seed
from ._framework.question import question

Against = Annotated[str, Option("NAME")]
Correction = Literal["holm", "bonferroni", "none"]
COMPARE_COLUMNS = (
    "suite", "dimension", "function", "target", "first", "second", "ratio", "low", "high",
    "art_first", "art_second", "successes_first", "runs_first", "successes_second", "runs_second",
    "superiority", "p", "p_corrected", "better", "more_runs",
)  # fmt: skip
_MAX_COLUMNS = 12
"""Number of targets that fit as columns on a page."""
_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "none": np.copy,
}


@dataclass(frozen=True)
class Decision:
    """Rule by which a test decides, and the intervals of ratios.

    Attributes:
        correction: Correction of the p-values of a pair of algorithms.
        alpha: Largest corrected p-value that decides.
        resampling: Level and seed of the intervals. None: no intervals.
    """

    correction: str = "holm"
    alpha: float = 0.05
    resampling: Resampling | None = None

    def __post_init__(self) -> None:
        if self.correction not in get_args(Correction):
            raise UnknownNameError.of("correction", self.correction, get_args(Correction))
        if not 0 < self.alpha < 1:
            raise AssessmentError(f"alpha is {self.alpha}, must lie between 0 and 1")


_LEGEND = (
    r"{\footnotesize Cells: ratio of the two $\mathrm{aRT}$ with its confidence interval. Bold "
    r"with $\ast$: a corrected rank-sum test decides. --: no run of either algorithm hit the "
    r"target; then $\ast<$: the first algorithm is more precise, $\ast>$: the second.\par}"
    "\n"
)
"""Explanation of the marks, below the LaTeX form."""


@dataclass(frozen=True, eq=False, repr=False)
class CompareTable(Table):
    """Pairs of algorithms; one row for each pair, function, dimension and target.

    Each row belongs to a ``suite``, ``dimension``, ``function`` and ``target``, and to the
    algorithms ``first`` and ``second``. Run-length targets also have a column ``budget``, in
    evaluations / dimension. ``ratio`` is aRT of the first divided by aRT of the second: above 1 if
    the second is faster, NaN if neither succeeded. ``low`` and ``high`` are the limits of its
    confidence interval (`ratio_interval`), widened to include 1 unless the test says that this
    algorithm is faster; they are there only if an interval was requested. ``art_*``,
    ``successes_*`` and ``runs_*`` are those of each algorithm.

    ``superiority`` is the probability that a run of the first beats a run of the second. ``p`` is
    the p-value of the two-sided rank-sum test, and ``p_corrected`` is corrected for all rows of the
    pair. ``better`` is the name of the faster algorithm; if neither hit the target, of the
    algorithm with the better precisions. It is empty if the runs do not decide. ``more_runs`` is
    the number of further runs that each algorithm would need to decide, if the observed superiority
    is the true one: 0 if the runs decide, inf if there is no superiority.

    Attributes:
        within: For each row, whether ``more_runs`` are further runs on the same instances, because
            runs were exchanged within instances. Otherwise they are runs on further instances.
    """

    within: tuple[bool, ...] = ()

    def to_latex(self, path: str | Path | None = None) -> str:
        r"""Return tables of ratios with intervals: pairs and functions as rows, targets as columns.

        Bold with ``\ast`` where the test decides; see `Table.to_latex`. With more than twelve
        targets, such as different ones for each function, rows are those of the text.
        """
        key_column = key_of(self.names)
        targets = sorted(set(self[key_column].tolist()), reverse=key_column == "target")
        if len(targets) > _MAX_COLUMNS:
            return super().to_latex(path)
        blocks: dict[tuple[Value, ...], dict[Value, dict[float, str]]] = {}
        for row in self._records():
            block = tuple(row[name] for name in ("suite", "dimension", "first", "second"))
            ratio_of_target = blocks.setdefault(block, {}).setdefault(row["function"], {})
            ratio_of_target[row[key_column]] = _format_ratio(row)
        pieces = []
        for (suite, dimension, first, second), functions in blocks.items():
            lines = [
                [f"f{function}", *(ratio_of_target.get(target, "") for target in targets)]
                for function, ratio_of_target in functions.items()
            ]
            title = f"{suite}, {dimension}-D: aRT of {first} / aRT of {second}"
            column_titles = ["", *(cell(key_text(key_column, target)) for target in targets)]
            pieces.append(pages(column_titles, lines, "l" + "r" * len(targets), 1, escaped(title)))
        return written("\\medskip\n".join(pieces) + _LEGEND, path)

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the column titles and rows of text and LaTeX; see the class."""
        interval = ["interval"] if "low" in self.names else []
        keys = ["budget"] if key_of(self.names) == "budget" else []
        names = [*COMPARE_COLUMNS[:3], *keys, *COMPARE_COLUMNS[3:6]]
        column_titles = [*names, "ratio", *interval, "successes", "p corrected", "conclusion"]
        lines = []
        for row, within in zip(self._records(), self.within, strict=True):
            solved = row["successes_first"] != 0 or row["successes_second"] != 0
            lines.append(
                [
                    *(text(row[name]) for name in COMPARE_COLUMNS[:3]),
                    *(text(row[name]) for name in keys),
                    target_text(row["target"]),
                    text(row["first"]),
                    text(row["second"]),
                    text(row["ratio"]),
                    *(f"{text(row['low'])} … {text(row['high'])}" for _ in interval),
                    "{successes_first}/{runs_first} {successes_second}/{runs_second}".format(**row),
                    text(row["p_corrected"]),
                    conclusion(row["better"], row["more_runs"], within, solved=solved),
                ]
            )
        return column_titles, lines


def _format_ratio(row: dict[str, Value]) -> str:
    """Format ratio and interval in LaTeX; bold with an asterisk if the test decides."""
    if row["better"] and np.isnan(row["ratio"]):
        sign = "<" if row["better"] == row["first"] else ">"
        return rf"\textbf{{--}}$^{{\ast{sign}}}$"
    latex = cell(text(row["ratio"]))
    if row["better"]:
        latex = rf"\textbf{{{latex}}}$^{{\ast}}$"
    return latex + (cell(f" [{text(row['low'])}, {text(row['high'])}]") if "low" in row else "")


def conclusion(better: str, more_runs: float, within: bool = False, solved: bool = True) -> str:
    """Return the conclusion of a comparison as a phrase.

    Args:
        better: Name of the better algorithm; empty if the runs do not decide.
        more_runs: Number of runs that each algorithm needs in addition; inf if no difference was
            seen.
        within: Whether these are runs on the same instances; else they are instances.
        solved: Whether any run hit the target; else runs are ordered by their precision.

    >>> conclusion("cma", 0.0), conclusion("", 12.0)
    ('cma is faster', 'not decidable with these runs; about 12 more instances')
    >>> conclusion("cma", 0.0, solved=False)
    'cma ranks better (by precision)'
    """
    if better and not solved:
        return f"{text(better)} ranks better (by precision)"
    if better:
        return f"{text(better)} is faster"
    if not np.isfinite(more_runs):
        return "no difference seen"
    about = float(f"{more_runs:.2g}")
    more = "runs on these instances" if within else "instances"
    return f"not decidable with these runs; about {about:.0f} more {more}"


@question(
    "To begin with",
    40,
    needs=at_targets(hardest),
    convention=EACH_RUN,
    examples=(
        "results/quickstart.h5 --algorithms DE,L-BFGS-B",
        "results/quickstart.h5 --against DE --targets 1e1",
    ),
)
def compare(
    sample: AtTargets,
    *,
    against: Against | None = None,
    correction: Correction = "holm",
    alpha: Alpha = 0.05,
    interval: Level | None = 0.95,
    seed: Seed = 1,
) -> CompareTable:
    """Compare pairs of algorithms: ratio, interval, test, conclusion.

    Each row compares two algorithms on one function in one dimension. It has the ratio of their
    average runtimes with its confidence interval, a rank-sum test, and a conclusion in words: which
    algorithm is faster, or how many more instances are needed to separate the two.

    The test orders runs by their evaluations to the target. Runs that missed the target follow,
    ordered by the precision that they had when the shortest of them ended. If neither algorithm hit
    the target, the conclusion is "ranks better (by precision)". The test is exact up to 60 runs.
    P-values are corrected over all rows of a pair. If two algorithms do not differ at all, the
    probability that any row calls one of them faster is at most ``alpha``. "more instances" is the
    number for significance with probability 0.8, if the observed difference is the true one
    (Noether 1987).

    If instances have several runs, runs are exchanged within the instances that both algorithms
    have ("more runs on these instances"). If the algorithms share fewer than half of their
    instances, whole instances are exchanged.

    Intervals of ratios are computed like those of average runtimes (see `art`). If an algorithm
    can fail but no run failed, they are too short; a note states by how much. An interval is
    widened to include 1 if the test is not significant or favours the other algorithm. So a ratio
    never contradicts the conclusion.

    Args:
        against: Algorithm that every other algorithm is compared with. None: all pairs are
            compared.
        correction: Correction of the p-values of a pair of algorithms, over its functions,
            dimensions and targets.
        alpha: Significance level: a row is significant if its corrected p-value is at most alpha.
        interval: Confidence level of the intervals of ratios (in Python, None leaves them out).
        seed: Random seed of the intervals.

    Returns:
        One row for each pair of algorithms, function, dimension and target. It has aRT and
        successes of both, ``ratio`` with ``low`` and ``high``, ``p``, ``p_corrected`` and
        ``more_runs``. ``better`` is the name of the better algorithm, empty if the runs do not
        decide.
    """
    resampling = None if interval is None else Resampling(interval, seed)
    decision = Decision(correction, alpha, resampling)
    return compare_table(ranked_runs(sample.log, sample.cells), sample.targets, decision, against)


@compare.caveat(explains=[TESTS])
def tests_of_repeated_instances(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say how tests treat runs that repeat an instance, if there are any."""
    return notes_on_tests(sample)


@compare.caveat(
    explains=[
        Explanation(
            "p_corrected",
            "p_corrected: rank-sum test (exact up to 60 runs), Holm's correction over all rows of "
            "a pair of algorithms; a row is significant at 0.05.",
            "Among many rows, some differ by chance. The correction limits the probability of any "
            "false conclusion. A large value does not show that algorithms are equal.",
            "Plan enough runs before the experiment, because few runs cannot show small "
            "differences.",
            is_definition=True,
        ),
        Explanation(
            "missed targets",
            "missed targets: these runs are ordered by the precision that they had when the "
            "shortest of them ended.",
            "Runs that missed the target have no runtime. Precisions decide which of them is "
            "better, so the test also uses them.",
            "Use a target that more runs reach, if the conclusion must be about runtimes only.",
            is_definition=True,
        ),
        Explanation(
            "more_runs",
            "more_runs: runs to add for significance with probability 0.8, if the observed "
            "superiority is the true one (Noether 1987).",
            "It estimates how many further runs would show a difference. With few runs it can be "
            "wrong by orders of magnitude.",
            "Use only its order of magnitude. Choose the number of instances before you compare, "
            "because adding runs until p is small is invalid.",
            is_definition=True,
        ),
    ]
)
def test_and_correction(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say which test decides a row, and when."""
    correction = answer.options["correction"]
    over = f"{correction.capitalize()}'s correction over all rows of a pair of algorithms"
    if correction == "none":
        over = "not corrected"
    yield (
        f"p_corrected: rank-sum test (exact up to 60 runs), {over}; a row is significant at "
        f"{answer.options['alpha']:g}."
    )
    yield (
        "missed targets: these runs are ordered by the precision that they had when the shortest "
        "of them ended."
    )
    yield (
        "more_runs: runs to add for significance with probability 0.8, if the observed "
        "superiority is the true one (Noether 1987)."
    )


@compare.caveat(
    explains=[
        Explanation(
            "intervals",
            "intervals: pointwise 95 % for ratios of aRT (seed 1), extended to include 1 if the "
            "test is not significant or favours the other algorithm.",
            "Interval and test are computed by different methods and can disagree. If the test "
            "finds no difference, the interval is widened until it contains 1.",
            "Conclude from p_corrected, because only it is corrected for the number of rows.",
            is_definition=True,
        ),
        UNOBSERVED,
    ]
)
def intervals_of_ratios(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Say what the intervals of ratios are about."""
    if answer.options["interval"] is None:
        return
    resampling = Resampling(answer.options["interval"], answer.options["seed"])
    yield (
        f"intervals: pointwise {100 * resampling.level:g} % for ratios of aRT (seed "
        f"{resampling.seed}), extended to include 1 if the test is not significant or favours the "
        "other algorithm."
    )
    yield from notes_on_unseen_failures(sample, resampling, "the aRT of the ratio")


def compare_table(
    all_runs: Iterable[RankedRuns],
    targets: TargetSet,
    decision: Decision,
    against: str | None = None,
) -> CompareTable:
    """Compare algorithms in pairs on every function and dimension that both were run on.

    P-values are corrected within a pair, over its functions, dimensions and targets. Therefore a
    pair without any difference gets a conclusion with probability at most ``alpha``, and the
    numbers of a pair do not depend on other algorithms.

    Args:
        all_runs: The runs of each algorithm on each function and dimension.
        targets: The targets.
        decision: Correction, level of significance, and confidence level of the ratios.
        against: Compare each algorithm with this one only. None: all pairs.

    Returns:
        The table, ordered by suite, dimension and function, then from the easiest target on.

    Raises:
        UnknownNameError: ``against`` is not the name of an algorithm.
        AssessmentError: No two algorithms were run on the same function and dimension.
    """
    ranked = list(all_runs)
    cells: dict[tuple[str, int, int], dict[str, RankedRuns]] = {}
    for runs in ranked:
        cells.setdefault(runs.problem_class, {})[runs.run_set.algorithm] = runs
    rows: list[list[Value]] = []
    for first, second in _list_pairs(
        natural_order(runs.run_set.algorithm for runs in ranked), against
    ):
        shared = [
            cells[key] for key in sorted(cells) if first in cells[key] and second in cells[key]
        ]
        rows += _compare_pair(
            [(cell_runs[first], cell_runs[second]) for cell_runs in shared], targets, decision
        )
    if not rows:
        raise AssessmentError(
            "nothing to compare: no two algorithms were run on the same function and dimension"
        )
    target_column = 3 + len(targets.budgets[:1])
    rows.sort(key=lambda row: (row[0], row[1], row[2], -float(row[target_column]), row[3]))
    within = tuple(bool(row.pop()) for row in rows)
    interval_columns = ("low", "high") if decision.resampling is None else ()
    names = [name for name in COMPARE_COLUMNS if name not in interval_columns]
    columns = table_of(targets.named(names), rows)
    return CompareTable(columns, within=within)


def _list_pairs(algorithms: Sequence[str], against: str | None) -> list[tuple[str, str]]:
    if against is None:
        return list(combinations(algorithms, 2))
    if against not in algorithms:
        raise UnknownNameError.of("algorithm", against, algorithms)
    return [(name, against) for name in algorithms if name != against]


def _compare_pair(
    pairs: Sequence[tuple[RankedRuns, RankedRuns]], targets: TargetSet, decision: Decision
) -> list[list[Value]]:
    """Return the rows of one pair of algorithms, with p-values corrected over all of them.

    The last value of a row is whether runs were exchanged within instances.

    Args:
        pairs: The runs of both algorithms on each function and dimension.
        targets: The targets.
        decision: Correction, level of significance, and confidence level of the ratios.
    """
    comparisons = [
        (pair, j, key)
        for pair in pairs
        for j, key in enumerate(targets.keys(*pair[0].problem_class))
    ]
    tests = run_tests([(*pair, j) for pair, j, _ in comparisons])
    p = np.array([test.p for test in tests])
    corrected = _CORRECTIONS[decision.correction](p)
    level = decision.alpha / (1 if decision.correction == "none" else max(len(tests), 1))
    rows = []
    for comparison, test, p_corrected in zip(comparisons, tests, corrected.tolist(), strict=True):
        (first, second), j, key = comparison
        is_decided = p_corrected <= decision.alpha
        names = (first.run_set.algorithm, second.run_set.algorithm)
        better = names[0 if test.superiority > 0.5 else 1] if is_decided else ""
        more_runs = (
            0.0 if is_decided else max(runs_needed(test.superiority, level) - min(test.sizes), 1.0)
        )
        values = _compare_at_target(first, second, j, decision.resampling, better)
        suite, function, dimension = first.problem_class
        leading_values = [suite, dimension, function, *key, *names]
        instances = first.run_set.instances, second.run_set.instances
        is_within_instances = any(map(repeats, instances)) and mostly_shared(*instances)
        outcome = [test.superiority, test.p, p_corrected, better, more_runs]
        rows.append([*leading_values, *values, *outcome, is_within_instances])
    return rows


def _compare_at_target(
    first: RankedRuns, second: RankedRuns, j: int, resampling: Resampling | None, better: str
) -> list[Value]:
    """Return ratio, interval (unless ``resampling`` is None), aRTs, successes and runs.

    Args:
        first: Runs of the first algorithm.
        second: Runs of the second algorithm.
        j: Index of the target.
        resampling: Level and seed of the interval.
        better: Name of the better algorithm; empty if the test does not decide. The interval is
            widened to 1 if it would contradict the test.
    """
    run_sets = first.run_set, second.run_set
    sides = [(run_set.hits[:, j], run_set.spent) for run_set in run_sets]
    art = [float(average_runtime(hits[:, None], spent)[0]) for hits, spent in sides]
    interval: list[Value] = []
    if resampling is not None:
        instances = run_sets[0].instances, run_sets[1].instances
        is_mostly_shared = mostly_shared(*instances)
        low, high = ratio_interval(
            sides[0], sides[1], resampling, None if is_mostly_shared else instances
        ).tolist()
        # min and max return the first argument, so that NaN of a single run remains
        interval = [
            low if better == run_sets[1].algorithm and low > 1 else min(low, 1.0),
            high if better == run_sets[0].algorithm and high < 1 else max(high, 1.0),
        ]
    counts: list[Value] = []
    for hits, spent in sides:
        counts += [int(successes(hits)), len(spent)]
    return [ratio_of(art[0], art[1]), *interval, *art, *counts]
