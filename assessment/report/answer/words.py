"""A standing in words: who is first, by how much and what factor, and where it is not certain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .shares import Shares
from .standings import ALL, Place, Standing

_MOST_NAMED = 5


@dataclass(frozen=True)
class Wording:
    """What the runs of a suite do, with what.

    Attributes:
        does: Such as ``"solves"``.
        done: Such as ``"solved"``.
        pair: What is counted.
    """

    does: str = "solves"
    done: str = "solved"
    pair: str = "pair"

    @classmethod
    def of(cls, open_ended: bool, by_hypervolume: bool) -> Wording:
        """The wording for a suite.

        Args:
            open_ended: Whether it has no final target: what is reached is not solved.
            by_hypervolume: Whether its targets are precisions of the hypervolume.
        """
        verb = ("reaches", "reached") if open_ended else ("solves", "solved")
        return cls(*verb, "hypervolume target" if by_hypervolume else "pair")


def sentence(standing: Standing, wording: Wording) -> str:
    """A standing in one sentence or two.

    Args:
        standing: Of at least one algorithm.
        wording: Of its suite.
    """
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
