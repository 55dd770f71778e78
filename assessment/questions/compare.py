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
from ..asking.declaration import question
from ..asking.options import Alpha, Level, Option, Reference, Seed, Targets
from ..data.notes import notes_on_targets, notes_on_tests
from ..data.ranked_runs import RankedRuns, ranked_runs, run_tests
from ..data.run_sets import RunSet
from ..data.runs import Runs
from ..errors import AssessmentError
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

Against = Annotated[str, Option("NAME")]
Correction = Literal["holm", "bonferroni", "none"]
COMPARE_COLUMNS = (
    "suite", "dimension", "function", "target", "first", "second", "ratio", "low", "high",
    "art_first", "art_second", "successes_first", "runs_first", "successes_second", "runs_second",
    "superiority", "p", "p_corrected", "better", "more_runs",
)  # fmt: skip
_MOST_COLUMNS = 12
_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "none": np.copy,
}


@dataclass(frozen=True)
class Decision:
    """When a difference counts, and how sure its size is; without ``resampling`` no intervals."""

    correction: str = "holm"
    alpha: float = 0.05
    resampling: Resampling | None = None

    def __post_init__(self) -> None:
        if self.correction not in get_args(Correction):
            raise UnknownNameError.of("correction", self.correction, get_args(Correction))
        if not 0 < self.alpha < 1:
            raise AssessmentError(f"alpha is {self.alpha}, must lie between 0 and 1")


@dataclass(frozen=True, eq=False, repr=False)
class CompareTable(Table):
    """Pairs of algorithms; one row for each pair, function, dimension and target.

    Columns: ``suite, dimension, function``; of run-length targets ``budget`` (evaluations /
    dimension); ``target, first, second``; ``ratio``, aRT of the first by that of the second, above
    1 where the second is faster (NaN where neither succeeded), in ``low`` … ``high``, its
    confidence interval, where it was asked for (`ratio_interval`, drawn out to 1 where the test
    does not say that this one is faster); ``art_*``, ``successes_*``, ``runs_*`` of each;
    ``superiority``, the probability that a run of the first beats one of the second; ``p`` of the
    two-sided rank-sum test and ``p_corrected`` for all rows of the pair; ``better``, the name of
    the one that is faster, or of the one with the better precisions where neither hit the target,
    empty where the runs do not decide; ``more_runs`` that each would need to decide, if the
    superiority seen is the true one: 0 where decided, inf where there is none.

    Attributes:
        within: Of each row, whether ``more_runs`` are runs on the same instances, within which runs
            were exchanged; else they are instances.
    """

    within: tuple[bool, ...] = ()

    def to_latex(self, path: str | Path | None = None) -> str:
        r"""Pairs and functions as rows, targets as columns: the ratio with its interval.

        Bold with ``\ast`` where the test decides; see `Table.to_latex`. With more than twelve
        targets, such as different ones for each function, rows are those of the text.
        """
        by = key_of(self.names)
        targets = sorted(set(self[by].tolist()), reverse=by == "target")
        if len(targets) > _MOST_COLUMNS:
            return super().to_latex(path)
        blocks: dict[tuple[Value, ...], dict[Value, dict[float, str]]] = {}
        for row in self._records():
            block = tuple(row[name] for name in ("suite", "dimension", "first", "second"))
            found = blocks.setdefault(block, {}).setdefault(row["function"], {})
            found[row[by]] = _ratio(row)
        pieces = []
        for (suite, dimension, first, second), functions in blocks.items():
            lines = [
                [f"f{function}", *(found.get(target, "") for target in targets)]
                for function, found in functions.items()
            ]
            title = f"{suite}, {dimension}-D: aRT of {first} / aRT of {second}"
            heads = ["", *(cell(key_text(by, target)) for target in targets)]
            pieces.append(pages(heads, lines, "l" + "r" * len(targets), 1, escaped(title)))
        return written("\\medskip\n".join(pieces), path)

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        interval = ["interval"] if "low" in self.names else []
        keys = ["budget"] if key_of(self.names) == "budget" else []
        names = [*COMPARE_COLUMNS[:3], *keys, *COMPARE_COLUMNS[3:6]]
        heads = [*names, "ratio", *interval, "successes", "p corrected", "conclusion"]
        lines = []
        for row, within in zip(self._records(), self.within, strict=True):
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
                    conclusion(row["better"], row["more_runs"], within, solved=_solved(row)),
                ]
            )
        return heads, lines


def _ratio(row: dict[str, Value]) -> str:
    """Ratio and interval in LaTeX, marked where the test decides."""
    latex = cell(text(row["ratio"]))
    if row["better"]:
        latex = rf"\textbf{{{latex}}}$^{{\ast}}$"
    return latex + (cell(f" [{text(row['low'])}, {text(row['high'])}]") if "low" in row else "")


def _solved(row: dict[str, Value]) -> bool:
    """Whether a run of either algorithm hit the target."""
    return row["successes_first"] != 0 or row["successes_second"] != 0


def conclusion(better: str, more_runs: float, within: bool = False, solved: bool = True) -> str:
    """A conclusion in words.

    ``better`` is empty where the runs do not decide; ``within``: more runs on the same
    instances are needed; not ``solved``: no run hit, and runs are ordered by their precision
    alone.

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


@question("To begin with", 40)
def compare(
    runs: Runs,
    targets: Targets | None = None,
    *,
    against: Against | None = None,
    correction: Correction = "holm",
    alpha: Alpha = 0.05,
    interval: Level | None = 0.95,
    seed: Seed = 1,
    reference: Reference | None = None,
) -> CompareTable:
    """Pairs of algorithms: ratio, interval, test, conclusion.

    Function by function; dimensions are never joined. The ratio of the average runtimes of two
    algorithms with its interval, a rank-sum test, and in words who is faster, or how many more
    instances it takes to separate them.

    The test ranks runs by their evaluations to the target; runs that missed it come after, by the
    precision they had when the shortest of them ended. Where neither algorithm hit the target, the
    conclusion is "ranks better (by precision)". The test is exact up to 60 runs. P-values are
    corrected for all rows of a pair, so that a pair without any difference gets a conclusion with
    probability at most ``alpha``. "more instances" assumes that the difference seen is the true one
    (power 0.8, Noether 1987). Where instances have several runs, runs are exchanged within the
    instances that both algorithms have ("more runs on these instances"), or whole instances if they
    share fewer than half.

    Intervals are those of average runtimes (see `art`), of a quotient; where all runs of one
    algorithm hit by luck, they are too short, and a note says by how much, as there. They are drawn
    out to 1 where the test does not decide, so that a ratio never contradicts the conclusion beside
    it.

    Args:
        targets: None: the final one, or the suite's hardest.
        against: Compare each with this algorithm. None: all.
        correction: Of the p-values of a pair of algorithms, over its functions, dimensions,
            targets.
        alpha: A corrected p-value up to this decides.
        interval: Of the intervals of ratios (in Python, None leaves them out).
        seed: Of the intervals.
        reference: None: none; run-length targets need one.

    Returns:
        A `CompareTable`; its columns are there.
    """
    run_sets, aims = runs.at_targets(targets, hardest, reference)
    resampling = None if interval is None else Resampling(interval, seed)
    decision = Decision(correction, alpha, resampling)
    return compare_table(ranked_runs(runs.log, run_sets), aims, decision, against)


def compare_table(
    data: Iterable[RankedRuns],
    targets: TargetSet,
    decision: Decision,
    against: str | None = None,
) -> CompareTable:
    """Compare algorithms in pairs on every function and dimension that both were run on.

    P-values are corrected within a pair, over its functions, dimensions and targets: a pair
    without any difference gets a conclusion somewhere with probability at most ``alpha``, and the
    numbers of a pair do not depend on what else is compared.
    """
    ranked = list(data)
    cells: dict[tuple[str, int, int], dict[str, RankedRuns]] = {}
    for own in ranked:
        cells.setdefault(own.cell, {})[own.run_set.algorithm] = own
    rows: list[list[Value]] = []
    for first, second in _pairs(natural_order(c.run_set.algorithm for c in ranked), against):
        shared = [cells[c] for c in sorted(cells) if first in cells[c] and second in cells[c]]
        rows += _pair_rows([(c[first], c[second]) for c in shared], targets, decision)
    if not rows:
        raise AssessmentError(
            "nothing to compare: no two algorithms were run on the same function and dimension"
        )
    place = 3 + len(targets.budgets[:1])
    rows.sort(key=lambda row: (row[0], row[1], row[2], -float(row[place]), row[3]))
    within = tuple(bool(row.pop()) for row in rows)
    run_sets = [own.run_set for own in ranked]
    notes = (
        *notes_on_targets(run_sets, targets),
        *notes_on_tests(run_sets),
        *_notes(decision, run_sets),
    )
    ends = ("low", "high") if decision.resampling is None else ()
    names = [name for name in COMPARE_COLUMNS if name not in ends]
    columns = table_of(targets.named(names), rows)
    return CompareTable(columns, notes, within)


def _pairs(algorithms: Sequence[str], against: str | None) -> list[tuple[str, str]]:
    if against is None:
        return list(combinations(algorithms, 2))
    if against not in algorithms:
        raise UnknownNameError.of("algorithm", against, algorithms)
    return [(name, against) for name in algorithms if name != against]


def _pair_rows(
    pairs: Sequence[tuple[RankedRuns, RankedRuns]], targets: TargetSet, decision: Decision
) -> list[list[Value]]:
    """The rows of one pair of algorithms, p-values corrected over all of them.

    At their end, whether runs were exchanged within instances.
    """
    places = [(pair, j, key) for pair in pairs for j, key in enumerate(targets.keys(*pair[0].cell))]
    tests = run_tests([(*pair, j) for pair, j, _ in places])
    p = np.array([test.p for test in tests])
    corrected = _CORRECTIONS[decision.correction](p)
    level = decision.alpha / (1 if decision.correction == "none" else max(len(tests), 1))
    rows = []
    for place, test, p_corrected in zip(places, tests, corrected.tolist(), strict=True):
        (first, second), j, key = place
        decided = p_corrected <= decision.alpha
        names = (first.run_set.algorithm, second.run_set.algorithm)
        better = names[0 if test.superiority > 0.5 else 1] if decided else ""
        more = 0.0 if decided else max(runs_needed(test.superiority, level) - min(test.sizes), 1.0)
        values = _values(first, second, j, decision.resampling, better)
        suite, function, dimension = first.cell
        head = [suite, dimension, function, *key, *names]
        instances = first.run_set.instances, second.run_set.instances
        within = any(map(repeats, instances)) and mostly_shared(*instances)
        outcome = [test.superiority, test.p, p_corrected, better, more]
        rows.append([*head, *values, *outcome, within])
    return rows


def _values(
    first: RankedRuns, second: RankedRuns, j: int, resampling: Resampling | None, better: str
) -> list[Value]:
    """Ratio, interval (if any), aRTs, successes and runs at target ``j``."""
    data = first.run_set, second.run_set
    sides = [(run_set.hits[:, j], run_set.spent) for run_set in data]
    art = [float(average_runtime(hits[:, None], spent)[0]) for hits, spent in sides]
    ends: list[Value] = []
    if resampling is not None:
        instances = run_set, other = data[0].instances, data[1].instances
        same = mostly_shared(run_set, other)
        low, high = ratio_interval(
            sides[0], sides[1], resampling, None if same else instances
        ).tolist()
        # NaN with a single run stays
        ends = [
            low if better == data[1].algorithm and low > 1 else min(low, 1.0),
            high if better == data[0].algorithm and high < 1 else max(high, 1.0),
        ]
    counts: list[Value] = []
    for hits, spent in sides:
        counts += [int(successes(hits)), len(spent)]
    return [ratio_of(art[0], art[1]), *ends, *art, *counts]


def _notes(decision: Decision, run_sets: Sequence[RunSet]) -> tuple[str, ...]:
    over = f"corrected by {decision.correction.capitalize()} over all rows of a pair of algorithms"
    if decision.correction == "none":
        over = "not corrected"
    test = (
        "p: two-sided rank-sum test (exact up to 60 runs), runs that missed the target ordered by "
        f"the precision reached within the shortest of them; {over}; a row is decided at "
        f"{decision.alpha:g}. more_runs: for power 0.8 at alpha / rows (Noether 1987)."
    )
    if decision.resampling is None:
        return (test,)
    from ..data.uncertainty import notes_on_unseen_failures

    return (
        test,
        f"intervals: {100 * decision.resampling.level:g} % for the ratio of averages, each by "
        f"itself (seed {decision.resampling.seed}), drawn out to 1 where the test does not decide, "
        "or decides for the other.",
        *notes_on_unseen_failures(run_sets, decision.resampling, "its average in the ratio is"),
    )
