"""Average ranks of algorithms over functions, their pairs, and Glicko-2 ratings beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Annotated, Literal, get_args

import numpy as np

from ....suites.errors import UnknownNameError
from ....suites.texts import natural_order
from ...asking.declaration import question
from ...asking.options import Alpha, Level, Option, Reference, Seed, Targets
from ...data.counting import axis_of, is_seconds, unit_of_count
from ...data.notes import notes_on_targets
from ...data.ranked_runs import RankedRuns, orders_of_pairs, ranked_runs
from ...data.runs import AXIS, Runs
from ...data.uncertainty import notes_on_repetitions
from ...errors import AssessmentError
from ...statistics.friedman import RankTests
from ...statistics.intervals import Resampling
from ...statistics.quantiles import Floats
from ...statistics.ranking import Superiority, ratings_of_runs, rounded, superiority, wins
from ...tables.table import Table, Value, table_of
from ...targets.budgets import axis_text
from ...targets.target_sets import TargetSet, hardest

RankCorrection = Literal["holm", "nemenyi"]
Over = Literal["target", "budgets"]
Rounds = Annotated[int, Option("INTEGER")]
_RANK_COLUMNS = (
    "suite", "dimension", "algorithm", "functions", "runs", "rank", "low", "high",
    "critical_difference", "p", "rating", "deviation",
)  # fmt: skip
_PAIR_COLUMNS = (
    "suite", "dimension", "first", "second", "superiority", "low", "high", "rank_first",
    "rank_second", "p", "better",
)  # fmt: skip
_RESAMPLES = 1000
_BUDGETS_NOTE = (
    "budget: {axis}; within it, runs that hit the target are ordered by their {unit}, all others "
    "by precision; a run that ended keeps its last value."
)
Rivals = Mapping[str, Mapping[int, RankedRuns]]
"""The runs of each algorithm on each function."""


@dataclass(frozen=True)
class RankOptions:
    """When ranks count as different, and how they are resampled.

    Attributes:
        correction: Of the p-values of pairs: ``"holm"``, or ``"nemenyi"``, whose pairs differ where
            their ranks differ by the critical difference.
        alpha: A corrected p-value up to this is a difference.
        resampling: Of the intervals; its seed also draws the games of Glicko-2.
        rounds: Of games.
    """

    correction: str = "holm"
    alpha: float = 0.05
    resampling: Resampling = field(default_factory=lambda: Resampling(samples=_RESAMPLES))
    rounds: int = 100

    def __post_init__(self) -> None:
        known = get_args(RankCorrection)
        if self.correction not in known:
            raise UnknownNameError.of("correction of ranks", self.correction, known)
        if not 0 < self.alpha < 1:
            raise AssessmentError(f"alpha is {self.alpha}, must lie between 0 and 1")
        if self.rounds < 1:
            raise AssessmentError(f"rounds is {self.rounds}, must be at least 1")


@dataclass(frozen=True, eq=False, repr=False)
class RanksTable(Table):
    """Average ranks, a row for each suite, dimension and algorithm; or pairs of algorithms.

    Attributes:
        ranks: ``suite, dimension, algorithm``, the best first; numbers of ``functions`` and
            ``runs``; ``rank``, the average over functions, 1 is best, in its interval ``low`` …
            ``high``, NaN where a function has a single run of an algorithm; Nemenyi's
            ``critical_difference``, inf where there are too few functions for any; ``p`` of
            Friedman's test, the same for all rows of a dimension; Glicko-2 ``rating`` and its
            ``deviation``. Tests are by permutation (`RankTests`).
        pairs: ``suite, dimension, first, second``; ``superiority``, the mean over functions of the
            probability that a run of ``first`` beats one of ``second``, in its interval ``low`` …
            ``high``; their ranks; ``p``, corrected; and ``better``, the name of the better one,
            empty where ranks do not differ.
        targets: The one to which runs are ordered, of each suite.
        options: When ranks count as different.
    """

    ranks: Table = field(default_factory=lambda: Table(table_of(_RANK_COLUMNS, [])))
    pairs: Table = field(default_factory=lambda: Table(table_of(_PAIR_COLUMNS, [])))
    targets: TargetSet = field(default_factory=lambda: TargetSet("none"))
    options: RankOptions = field(default_factory=RankOptions)


@question("Algorithms over all functions of a dimension", 10, joins=True)
def ranks(
    runs: Runs,
    targets: Targets | None = None,
    *,
    over: Over = "target",
    superiority: bool = False,
    correction: RankCorrection = "holm",
    alpha: Alpha = 0.05,
    interval: Level = 0.95,
    seed: Seed = 1,
    rounds: Rounds = 100,
    reference: Reference | None = None,
) -> RanksTable:
    """Average ranks with intervals and a test, Glicko-2 ratings; who beats whom.

    In each dimension, over the functions that all algorithms were run on; one target. Runs are
    ordered by their evaluations to it, those that missed it by precision. p: Friedman's test;
    critical_difference: Nemenyi's (Demšar 2006); both by permutation within functions, inf where
    there are too few functions for any difference. rating: Glicko-2 by IOHanalyzer's convention.

    With ``superiority``, all pairs: the probability that a run of the first beats one of the
    second, mean over functions (rliable's probability of improvement). p is of their average ranks,
    by permutation within functions, with ``correction``. Two algorithms need 6 functions to differ
    at 0.05, three need 7.

    With ``over`` budgets, ranks within each of 1, 2, 5, 10, 20, … evaluations / dimension, and the
    longest run: runs that hit the target by then are ordered by their evaluations to it, all others
    by their best precision by then; a run that ended keeps its last value.

    Args:
        targets: One. None: the final one, or the suite's hardest.
        over: The target, or budgets: a row for each budget and algorithm.
        superiority: Who beats whom how probably instead, a row for each pair of algorithms.
        correction: Of the p-values of all pairs of a dimension; with nemenyi, pairs differ where
            their ranks differ by the critical difference.
        alpha: Of the critical difference; a corrected p-value up to this is a difference.
        interval: Of intervals.
        seed: Of resamples and games.
        rounds: Of games for ratings.
        reference: None: none; run-length targets need one.

    Returns:
        A `RanksTable` with the columns of its ``ranks``, with ``superiority`` those of its
        ``pairs``; they are there. Over budgets, ``budget`` follows ``dimension``.

    Raises:
        AssessmentError: There are several targets, or nowhere two algorithms on one function.
    """
    if over not in get_args(Over):
        raise UnknownNameError.of("what ranks are over", over, get_args(Over))
    options = RankOptions(correction, alpha, Resampling(interval, seed, _RESAMPLES), rounds)
    run_sets, aims = runs.common().at_targets(targets, hardest, reference)
    rows: list[list[Value]] = []
    pairs: list[list[Value]] = []
    more: list[str] = []
    left_out = 0
    for cell, there in _by_dimension(ranked_runs(runs.log, run_sets)):
        names = natural_order(there)
        common = sorted(set.intersection(*(set(there[name]) for name in names)))
        left_out += len(set.union(*(set(there[name]) for name in names))) - len(common)
        if len(names) > 1 and common:
            by_function = [[there[name][f] for name in names] for f in common]
            for budget in _budgets(by_function) if over == "budgets" else [None]:
                stage: list[Value] = [*cell] if budget is None else [*cell, budget]
                ended = [_within(own, budget) for own in by_function]
                own_rows, own_pairs, own_notes = _compared(ended, names, options)
                more += [f"{cell[0]} in {cell[1]}-D: {note}" for note in own_notes]
                rows += [[*stage, *row] for row in own_rows]
                pairs += [[*stage, *row] for row in own_pairs]
    if not rows:
        raise AssessmentError("ranks need two algorithms that were run on the same function")
    axis, unit = axis_of(AXIS, runs.count), unit_of_count(runs.count)
    note = _BUDGETS_NOTE.format(axis=axis_text(axis), unit=unit)
    notes = (
        *notes_on_targets(run_sets, aims),
        *_notes(options, left_out),
        *(note,) * (over == "budgets"),
        *dict.fromkeys(more),
        *notes_on_repetitions("low, high", run_sets),
    )
    rank_table, pair_table = (
        Table(table_of((*names[:2], *("budget",) * (over == "budgets"), *names[2:]), found), notes)
        for names, found in ((_RANK_COLUMNS, rows), (_PAIR_COLUMNS, pairs))
    )
    columns = (pair_table if superiority else rank_table).columns
    return RanksTable(columns, notes, rank_table, pair_table, aims, options)


def _by_dimension(data: Sequence[RankedRuns]) -> Iterator[tuple[tuple[str, int], Rivals]]:
    """The runs of each suite and dimension."""
    cells: dict[tuple[str, int], dict[str, dict[int, RankedRuns]]] = {}
    for ranked in data:
        run_set = ranked.run_set
        if run_set.hits.shape[1] != 1:
            raise AssessmentError(f"ranks need one target, {run_set.hits.shape[1]} are given")
        cell = cells.setdefault((run_set.suite, run_set.dimension), {})
        cell.setdefault(run_set.algorithm, {})[run_set.function] = ranked
    yield from sorted(cells.items())


def _budgets(data: Sequence[Sequence[RankedRuns]]) -> list[float]:
    """1, 2, 5, 10, … evaluations / dimension, and the longest run.

    A log tells precisions at these budgets exactly. In seconds, they begin three powers of ten
    below the longest run.
    """
    first = data[0][0].run_set
    longest = max(float(ranked.run_set.total.max()) for own in data for ranked in own)
    longest /= first.unit()
    last = math.ceil(math.log10(longest))
    usual = (float(f"{k}e{n}") for n in range(last - 3 if is_seconds(first.count) else 0, last + 1)
             for k in (1, 2, 5))  # fmt: skip
    return [*(budget for budget in usual if budget < longest), longest]


def _within(data: Sequence[RankedRuns], budget: float | None) -> list[RankedRuns]:
    """Runs as if each had gone on to a budget and ended there."""
    if budget is None:
        return list(data)
    found = []
    for ranked in data:
        run_set = ranked.run_set
        end = budget * run_set.unit() * (1 + 1e-12)
        hits = np.where(run_set.hits <= end, run_set.hits, np.nan)
        spent = np.where(np.isnan(hits[:, 0]), end, hits[:, 0])
        found.append(replace(ranked, run_set=replace(run_set, hits=hits, spent=spent)))
    return found


def _compared(
    data: Sequence[Sequence[RankedRuns]], names: Sequence[str], options: RankOptions
) -> tuple[list[list[Value]], list[list[Value]], list[str]]:
    """Rows of the algorithms of a suite and dimension, the best first, of pairs, and notes."""
    pairs = list(combinations(range(len(names)), 2))
    orders = iter(orders_of_pairs([(there[i], there[j], 0) for there in data for i, j in pairs]))
    won = [{pair: wins(*next(orders)) for pair in pairs} for _ in data]
    instances = [[ranked.run_set.instances for ranked in there] for there in data]
    found = superiority(won, instances, options.resampling)
    tests = RankTests.of(-rounded(found.shares.sum(axis=2)), seed=options.resampling.seed)
    ranks, functions = tests.ranks, len(data)
    ratings = ratings_of_runs(
        [[ranked.run_set.hits[:, 0] for ranked in there] for there in data],
        options.rounds,
        np.random.default_rng([options.resampling.seed, 1]),
    )
    runs = [sum(len(there[i].run_set.spent) for there in data) for i in range(len(names))]
    single = min(len(ranked) for there in instances for ranked in there) < 2
    (low, high), pair_ends = (
        np.full((2, *draws.shape[1:]), np.nan)
        if single
        else np.quantile(draws, options.resampling.tails, axis=0)
        for draws in (found.rank_draws, found.draws)
    )
    apart = tests.critical_difference(options.alpha)
    rows: list[list[Value]] = [
        [
            names[i], functions, runs[i], float(ranks[i]), float(low[i]), float(high[i]), apart,
            tests.p,
            float(ratings.rating[i]), float(ratings.deviation[i]),
        ]
        for i in np.argsort(ranks, kind="stable").tolist()
    ]  # fmt: skip
    own = _pairs(names, found, pair_ends, ranks, tests.pairs(options.correction), options)
    return rows, own, [*_too_few(tests, options), *_against_ranks(ranks, ratings.rating)]


def _too_few(tests: RankTests, options: RankOptions) -> list[str]:
    """That no pair can differ with so few functions, where none can."""
    least = tests.least_p(options.correction)
    if least <= options.alpha:
        return []
    n, k = tests.placed.shape
    functions = "1 function is" if n == 1 else f"{n} functions are"
    return [
        f"{functions} too few to tell whether one of {k} algorithms is better than another: the "
        f"least possible p of a pair is {least:.2g}."
    ]


def _against_ranks(ranks: Floats, ratings: Floats) -> list[str]:
    """Why ratings order algorithms otherwise than ranks, where they do."""
    order = np.lexsort((-ratings, ranks))
    if (np.diff(ratings[order])[np.diff(ranks[order]) > 0] <= 0).all():
        return []
    return [
        "ratings order the algorithms otherwise than ranks. A rating is of single games, in which "
        "two runs that missed the target draw; a rank is of all runs on a function, those that "
        "missed it ordered by precision, and by how much one is ahead does not count."
    ]


def _pairs(
    names: Sequence[str],
    found: Superiority,
    ends: Floats,
    ranks: Floats,
    corrected: Floats,
    options: RankOptions,
) -> list[list[Value]]:
    """A row for each pair, the first having the better rank.

    ``ends`` are those of the intervals, shape ``(2, k, k)``, ``corrected`` the p-values.
    """
    mean, (low, high) = found.shares.mean(axis=0), ends
    rows: list[list[Value]] = []
    for i, j in combinations(np.argsort(ranks, kind="stable").tolist(), 2):
        p = float(corrected[i, j])
        better = names[i] if p <= options.alpha else ""
        share: list[Value] = [float(mean[i, j]), float(low[i, j]), float(high[i, j])]
        rows.append([names[i], names[j], *share, float(ranks[i]), float(ranks[j]), p, better])
    return rows


def _notes(options: RankOptions, left_out: int) -> tuple[str, ...]:
    level = f"{100 * options.resampling.level:g} %"
    notes = [
        "rank: mean over functions; on each, by the share of runs of the others that an "
        "algorithm's runs beat, runs that missed the target ordered by precision.",
        f"{level} intervals are about these functions: {options.resampling.samples} resamples of "
        "their instances, none where a function has a single run; p is about other functions like "
        "these.",
        "p: Friedman's test; of pairs: of their differences of ranks, "
        f"{options.correction.capitalize()} over all pairs of a dimension, a difference at "
        f"{options.alpha:g}; critical_difference: Nemenyi's. All by permutation within functions.",
        f"Glicko-2: {options.rounds} rounds of one run each by IOHanalyzer's convention; ratings "
        "depend on all algorithms here.",
    ]
    if left_out:
        notes.append(f"{left_out} functions that not all algorithms were run on are left out.")
    return tuple(notes)
