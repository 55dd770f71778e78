"""The answer of a report: which algorithm solves most within a budget, by how much, how surely.

`compare_algorithms` makes the answer of each suite and dimension from `standings_of`: rankings of
the algorithms by budget and group of functions, each with a sentence. `standings_data` gives the
rankings to the page's script ``scripts/answer.js``, which draws them as a map. The page's text
holds the sentences about all functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..cost import axis_of
from ..grouping import by_dimension
from ..hits.run_sets import RunSet
from ..questions._framework.context import Positions
from .standings import ALL, DRAWS, RankedAlgorithm, Shares, Standing, standings_of

_MOST_NAMED = 5
"""Maximum number of algorithms that a sentence names."""
_MOST_FUNCTIONS = 40
"""Maximum number of functions that are compared one by one if a suite has no groups."""
_MOST_INSTANCES = 1000
"""Number of further instances above which a sentence gives no number."""
_DIGITS = 6
"""Decimal places of shares in the page's data."""
_METHOD = (
    "The table compares the share of function-target pairs that the runs {solved} within a "
    "budget: the value of their ECDF at that budget, without simulated restarts. The lead is the "
    "difference of two shares in percentage points. Its interval holds with 95 % and is corrected "
    "for the number of algorithms (Bonferroni); it comes from {draws} resamples of the runs, with "
    "the same instances for all algorithms. A lead is certain where the interval of every "
    "difference is above 0. Otherwise these runs do not show which algorithm is first. Intervals "
    "need at least five runs more than there are functions."
)
_HYPERVOLUME = (
    " With two objectives, a run reaches a target when the hypervolume of its archive falls short "
    "of the reference by no more than the target; below 0 it exceeds the reference."
)


@dataclass(frozen=True)
class Wording:
    """The words for success on a suite.

    Attributes:
        does: The verb, present tense.
        done: The verb, past participle.
        pair: The noun for a pair of function and target.
    """

    does: str = "solves"
    done: str = "solved"
    pair: str = "pair"

    @classmethod
    def of(cls, open_ended: bool, by_hypervolume: bool) -> Wording:
        """Return the wording for a suite.

        Args:
            open_ended: Whether the suite has no final target, so that nothing counts as solved.
            by_hypervolume: Whether targets are precisions of the hypervolume.
        """
        verb = ("reaches", "reached") if open_ended else ("solves", "solved")
        return cls(*verb, "hypervolume target" if by_hypervolume else "pair")


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer in one suite and dimension.

    Attributes:
        sentences: Sentences about all functions, at the smallest and the largest budget.
        standings: All rankings with their sentences. They hold no ``shares``.
        axis: Unit of budgets.
    """

    suite: str
    dimension: int
    sentences: tuple[str, ...]
    standings: tuple[tuple[Standing, str], ...]
    axis: str = "evaluations/dimension"

    @property
    def title(self) -> str:
        """Suite and dimension."""
        return f"{self.suite}, {self.dimension}-D"


def compare_algorithms(
    run_sets: Sequence[RunSet],
    groups: Mapping[str, Mapping[str, Sequence[int]]],
    seed: int = 1,
    wordings: Mapping[str, Wording] | None = None,
    budgets_of_targets: Sequence[float] = (),
) -> list[Answer]:
    """Compare algorithms in each suite and dimension, in the order of suites and dimensions.

    Args:
        run_sets: The runs with their hits.
        groups: Functions of each group of functions, by suite. If a suite has fewer than two
            groups, and at most 40 functions, the algorithms are compared on each function.
        seed: Seed of the resamples.
        wordings: The words for each suite. Default: those of `Wording`.
        budgets_of_targets: Budgets of run-length targets, see `standings_of`.
    """
    return [
        _compare(
            suite,
            dimension,
            members,
            dict(groups.get(suite, {})),
            (wordings or {}).get(suite, Wording()),
            seed,
            budgets_of_targets,
        )
        for (suite, dimension), members in sorted(by_dimension(run_sets).items())
    ]


def _compare(
    suite: str,
    dimension: int,
    run_sets: Sequence[RunSet],
    groups: dict[str, Sequence[int]],
    wording: Wording,
    seed: int,
    budgets_of_targets: Sequence[float],
) -> Answer:
    functions = sorted({run_set.function for run_set in run_sets})
    if len(groups) < 2:
        one_by_one = 1 < len(functions) <= _MOST_FUNCTIONS
        groups = {f"f{number:03d}": (number,) for number in functions} if one_by_one else {}
    axis = axis_of("evaluations/dimension", run_sets[0].count)
    # Drop the shares, because they take much memory and only the sentences are made from them.
    standings = tuple(
        (replace(standing, shares=()), describe_standing(standing, wording))
        for standing in standings_of(run_sets, groups, seed, budgets_of_targets)
    )
    of_all = [(standing, text) for standing, text in standings if standing.group == ALL]
    if not of_all:
        reason = "The algorithms were run on different functions; nothing can be compared."
        return Answer(suite, dimension, (reason,), (), axis)
    sentences = [of_all[0][1]]
    if len(of_all) > 1:
        sentences.append(of_all[-1][1])
    n_compared = len(of_all[0][0].functions)
    if n_compared < len(functions):
        sentences.insert(0, f"Compared on the {n_compared} functions that all were run on.")
    return Answer(suite, dimension, tuple(sentences), standings, axis)


def describe_standing(standing: Standing, wording: Wording) -> str:
    """Return a ranking as one or two sentences.

    Args:
        standing: The ranking, with its ``shares``.
        wording: The words for success on the suite.
    """
    budget, shares = standing.budget, standing.shares
    best = shares[0]
    budget_text = f"{budget:.4g}" if budget < 1e4 else f"{budget:.0f}"
    unit = standing.axis.replace("/", " per ")
    within = f"Within {budget_text} {unit}"
    if standing.group != ALL:
        functions = standing.functions
        group = f"f{functions[0]}" if len(functions) == 1 else f"the group {standing.group}"
        within += f", on {group}"
    if len(shares) == 1:
        return f"{within}, {_describe_single(standing.places[0], wording)}"
    share = best.at(budget)[0]
    if share == 0:
        return f"{within}, no algorithm {wording.does} any {wording.pair}."
    second = standing.places[1]
    if np.isnan(second.behind_low):
        names = _join_names(standing.places)
        return f"{within}, there are too few runs to say which is first: {names}."
    if standing.near:
        return f"{within}, {_describe_undecided(standing)}"
    ends = f"{100 * second.behind_low:.1f} to {100 * second.behind_high:.1f}"
    lead = f"{100 * second.behind:.1f} points ({ends}) ahead of {second.algorithm}"
    factor = f", which {_describe_factor(standing)}" if standing.group == ALL else "."
    most = f"{best.algorithm} is first with {share:.1%} of the {wording.pair}s"
    return f"{within}, {most}, {lead}{factor}"


def _describe_single(rank: RankedAlgorithm, wording: Wording) -> str:
    interval = f" ({rank.low:.1%} to {rank.high:.1%})"
    if np.isnan(rank.low):
        interval = " (too few runs for an interval)"
    return f"{rank.algorithm} {wording.does} {rank.share:.1%} of the {wording.pair}s{interval}."


def _describe_undecided(standing: Standing) -> str:
    near_ranks = [rank for rank in standing.places if rank.algorithm in standing.near]
    names = _join_names([standing.places[0], *near_ranks])
    others = "" if len(standing.near) == len(standing.places) - 1 else "; the others are worse"
    nearest = next(shares for shares in standing.shares if shares.algorithm == standing.near[0])
    instances = _describe_needed_instances(standing.shares[0], nearest, standing.budget)
    return f"it is not certain which is first: {names}{others}. {instances}"


def _join_names(ranks: Sequence[RankedAlgorithm]) -> str:
    """Return the first algorithms with their shares, and the number of the others."""
    names = [f"{rank.algorithm} ({rank.share:.1%})" for rank in ranks[:_MOST_NAMED]]
    n_others = len(ranks) - len(names)
    return ", ".join(names) + (f" and {n_others} more" if n_others else "")


def _describe_needed_instances(best: Shares, other: Shares, budget: float) -> str:
    """Say how many further instances should make the observed difference certain.

    The standard error falls as 1/√n. The difference is detected with a probability of 80 % if it
    is 2.8 standard errors (1.96 + 0.84).
    """
    difference = best.at(budget)[0] - other.at(budget)[0]
    error = float(np.std(best.at(budget)[1] - other.at(budget)[1]))
    pair = f"{best.algorithm} from {other.algorithm}"
    if difference <= 0 or error == 0:
        return f"These runs show no difference between {best.algorithm} and {other.algorithm}."
    n_instances = math.ceil(best.runs * ((2.8 * error / difference) ** 2 - 1))
    if n_instances > _MOST_INSTANCES:
        return f"It would take more than {_MOST_INSTANCES} further instances to separate {pair}."
    instances = f"{n_instances} more instances" if n_instances > 1 else "one more instance"
    return f"About {instances} should separate {pair}."


def _describe_factor(standing: Standing) -> str:
    """Say how many times the budget the second algorithm needs for the share of the first."""
    best, other = standing.shares[:2]
    share, resampled_shares = best.at(standing.budget)
    factor = other.budget_of(np.array([share]), other.share[np.newaxis])[0] / standing.budget
    resampled_factors = other.budget_of(resampled_shares, other.resamples) / standing.budget
    levels = [standing.tail, 1 - standing.tail]
    low, high = np.quantile(resampled_factors, levels, method="inverted_cdf")
    if not np.isfinite(factor):
        return "never reached that share."
    unit = standing.axis.partition("/")[0]
    upper = f"{high:.2g}" if np.isfinite(high) else "unknown"
    return f"needs {factor:.2g} times ({low:.2g} to {upper}) as many {unit} to get there."


def explain_method(wordings: Iterable[Wording]) -> str:
    """Return how the answer is computed, on suites with these wordings."""
    distinct = set(wordings)
    solved = "reached" if any(wording.done == "reached" for wording in distinct) else "solved"
    has_hypervolumes = any(wording.pair != "pair" for wording in distinct)
    return _METHOD.format(draws=DRAWS, solved=solved) + _HYPERVOLUME * has_hypervolumes


def standings_data(answers: Sequence[Answer], positions: Positions) -> list[dict[str, Any]]:
    """Return all rankings as the page's data hold them.

    Args:
        answers: The answers.
        positions: Positions of algorithms and suites, which stand for their names.

    Returns:
        A row for each ranking. Ends of intervals are None if there are too few runs.
    """
    rows = []
    for answer in answers:
        for standing, sentence in answer.standings:
            suite = standing.suite
            ranks = [
                [
                    positions.of(rank.algorithm, suite)["algorithm"],
                    *map(
                        _rounded,
                        (
                            rank.share,
                            rank.low,
                            rank.high,
                            rank.behind,
                            rank.behind_low,
                            rank.behind_high,
                        ),
                    ),
                ]
                for rank in standing.places
            ]
            rows.append(
                {
                    **positions.of(standing.places[0].algorithm, suite),
                    "dimension": standing.dimension,
                    "group": standing.group,
                    "functions": len(standing.functions),
                    "budget": standing.budget,
                    "near": [positions.of(name, suite)["algorithm"] for name in standing.near],
                    "sentence": sentence,
                    "places": ranks,
                }
            )
    return rows


def _rounded(number: float) -> float | None:
    return None if math.isnan(number) else round(number, _DIGITS)
