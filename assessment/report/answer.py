"""The answer: who solves most within a budget, by how much, how sure; as a map and in words.

`standings` counts and compares. ``scripts/answer.js`` draws the map with the evidence of the chosen
cell; the sentences are in the page's text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..asking.context import Positions
from ..data.counting import axis_of
from ..data.grouping import by_dimension
from ..data.run_sets import RunSet
from .standings import ALL, DRAWS, Place, Shares, Standing, standings_of

_MOST_NAMED = 5


@dataclass(frozen=True)
class Wording:
    """What the runs of a suite do, with what."""

    does: str = "solves"
    done: str = "solved"
    pair: str = "pair"

    @classmethod
    def of(cls, open_ended: bool, by_hypervolume: bool) -> Wording:
        """The wording for a suite."""
        verb = ("reaches", "reached") if open_ended else ("solves", "solved")
        return cls(*verb, "hypervolume target" if by_hypervolume else "pair")


def sentence(standing: Standing, wording: Wording) -> str:
    """A standing in one sentence or two."""
    budget, shares = standing.budget, standing.shares
    best = shares[0]
    budget_text = f"{budget:.4g}" if budget < 1e4 else f"{budget:.0f}"
    unit = standing.axis.replace("/", " per ")
    within = f"Within {budget_text} {unit}"
    if standing.group != ALL:
        functions = standing.functions
        where = f"f{functions[0]}" if len(functions) == 1 else f"the group {standing.group}"
        within += f", on {where}"
    if len(shares) == 1:
        return f"{within}, {_alone(standing, wording)}"
    share = best.at(budget)[0]
    if share == 0:
        return f"{within}, no algorithm {wording.does} any {wording.pair}."
    second = standing.places[1]
    if np.isnan(second.behind_low):
        return f"{within}, there are too few runs to say which is first: {_names(standing.places)}."
    if standing.near:
        return f"{within}, {_undecided(standing)}"
    ends = f"{100 * second.behind_low:.1f} to {100 * second.behind_high:.1f}"
    lead = f"{100 * second.behind:.1f} points ({ends}) ahead of {second.algorithm}"
    factor = f", which {_factor(standing, wording)}" if standing.group == ALL else "."
    most = f"{best.algorithm} is first with {share:.1%} of the {wording.pair}s"
    return f"{within}, {most}, {lead}{factor}"


def _alone(standing: Standing, wording: Wording) -> str:
    place = standing.places[0]
    ends = f" ({place.low:.1%} to {place.high:.1%})"
    if np.isnan(place.low):
        ends = " (too few runs for an interval)"
    return f"{place.algorithm} {wording.does} {place.share:.1%} of the {wording.pair}s{ends}."


def _undecided(standing: Standing) -> str:
    near_places = [place for place in standing.places if place.algorithm in standing.near]
    names = _names([standing.places[0], *near_places])
    behind = "" if len(standing.near) == len(standing.places) - 1 else "; the others are worse"
    near = next(place for place in standing.shares if place.algorithm == standing.near[0])
    sentence_on_instances = _more_instances(standing.shares[0], near, standing.budget)
    return f"it is not certain which is first: {names}{behind}. {sentence_on_instances}"


def _names(places: Sequence[Place]) -> str:
    """Algorithms with their shares; of many the first."""
    named = [f"{place.algorithm} ({place.share:.1%})" for place in places[:_MOST_NAMED]]
    more = len(places) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _more_instances(best: Shares, other: Shares, budget: float) -> str:
    """How many instances should decide if the difference is the one seen (error falls as 1/√n)."""
    difference = best.at(budget)[0] - other.at(budget)[0]
    error = float(np.std(best.at(budget)[1] - other.at(budget)[1]))
    pair = f"{best.algorithm} from {other.algorithm}"
    if difference <= 0 or error == 0:
        return f"These runs show no difference between {best.algorithm} and {other.algorithm}."
    more = math.ceil(best.runs * ((2.8 * error / difference) ** 2 - 1))
    if more > 1000:
        return f"It would take more than 1000 further instances to separate {pair}."
    several = f"{more} more instances" if more > 1 else "one more instance"
    return f"About {several} should separate {pair}."


def _factor(standing: Standing, wording: Wording) -> str:
    """How many times the budget the second needs for as much, with an interval."""
    best, other = standing.shares[:2]
    share, drawn = best.at(standing.budget)
    needed = other.budget_of(np.array([share]), other.share[np.newaxis])[0] / standing.budget
    draws = other.budget_of(drawn, other.drawn) / standing.budget
    ends = [standing.tail, 1 - standing.tail]
    low, high = np.quantile(draws, ends, method="inverted_cdf")
    if not np.isfinite(needed):
        return f"never {wording.done} as many."
    unit = standing.axis.partition("/")[0]
    upper = f"{high:.2g}" if np.isfinite(high) else "unknown"
    return f"needs {needed:.2g} times as many {unit} for as much ({low:.2g} to {upper})."


HOW = (
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
_MOST_ROWS = 40
_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer in one suite and dimension.

    The sentences are of all functions, at the smallest and the largest budget. Each standing has
    its sentence, and no ``shares``.
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


def how(wordings: Iterable[Wording]) -> str:
    """How the answer was found, on suites with these wordings."""
    there = set(wordings)
    solved = "reached" if any(standing.done == "reached" for standing in there) else "solved"
    return HOW.format(draws=DRAWS, solved=solved) + _HYPERVOLUME * any(
        standing.pair != "pair" for standing in there
    )


def answers(
    run_sets: Sequence[RunSet],
    groups: Mapping[str, Mapping[str, Sequence[int]]],
    seed: int = 1,
    wordings: Mapping[str, Wording] | None = None,
) -> list[Answer]:
    """The answer for every suite and dimension, in order.

    Where a suite has no ``groups``, and not too many functions, each is compared by itself.
    """
    known = wordings or {}
    return [
        _answer(
            suite, dimension, own, dict(groups.get(suite, {})), known.get(suite, Wording()), seed
        )
        for (suite, dimension), own in sorted(by_dimension(run_sets).items())
    ]


def _answer(
    suite: str,
    dimension: int,
    run_sets: Sequence[RunSet],
    groups: dict[str, Sequence[int]],
    wording: Wording,
    seed: int,
) -> Answer:
    functions = sorted({run_set.function for run_set in run_sets})
    if len(groups) < 2:
        few = 1 < len(functions) <= _MOST_ROWS
        groups = {f"f{number:03d}": (number,) for number in functions} if few else {}
    axis = axis_of("evaluations/dimension", run_sets[0].count)
    standings = standings_of(run_sets, groups, seed)
    # what the standings were made of takes much, and is needed for the sentences alone
    worded = tuple(
        (replace(run_set, shares=()), sentence(run_set, wording)) for run_set in standings
    )
    whole = [(run_set, text) for run_set, text in worded if run_set.group == ALL]
    if not whole:
        lacking = "The algorithms were run on different functions; nothing can be compared."
        return Answer(suite, dimension, (lacking,), (), axis)
    sentences = [text for _, text in (whole[0], *whole[1:][-1:])]
    compared = len(whole[0][0].functions)
    if compared < len(functions):
        sentences.insert(0, f"Compared on the {compared} functions that all were run on.")
    return Answer(suite, dimension, tuple(sentences), worded, axis)


def standings(found: Sequence[Answer], positions: Positions) -> list[dict[str, Any]]:
    """All standings as the page's data has them; ends of intervals are None with too few runs."""
    return [
        {
            **positions.of(standing.places[0].algorithm, standing.suite),
            "dimension": standing.dimension,
            "group": standing.group,
            "functions": len(standing.functions),
            "budget": standing.budget,
            "near": [positions.of(name, standing.suite)["algorithm"] for name in standing.near],
            "sentence": text,
            "places": [
                [
                    positions.of(p.algorithm, standing.suite)["algorithm"],
                    *map(_short, (p.share, p.low, p.high, p.behind, p.behind_low, p.behind_high)),
                ]
                for p in standing.places
            ],
        }
        for answer in found
        for standing, text in answer.standings
    ]


def _short(number: float) -> float | None:
    return round(number, _DIGITS) if number == number else None
