"""The answer: who solves most within a budget, by how much, how sure; as a map and in words.

`shares` counts, `standings` compares, `words` says it. ``scripts/answer.js`` draws the map with the
evidence of the chosen cell; the sentences are in the page's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...asking.context import Positions
from ...data.counting import axis_of
from ...data.run_sets import RunSet
from .shares import DRAWS
from .standings import ALL, Standing, in_dimensions, standings_of
from .words import Wording, sentence

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

    Attributes:
        suite: Name of the suite.
        dimension: Number of variables.
        sentences: Of all functions, at the smallest and the largest budget.
        standings: All that were made, each with its sentence, without ``shares``.
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

    Args:
        run_sets: Of all algorithms, with the targets whose pairs are counted.
        groups: Of each suite, groups of functions and their numbers. Where there are none, and not
            too many functions, each function is compared by itself.
        seed: Of the draws.
        wordings: Of suites; where there is none, the usual.
    """
    known = wordings or {}
    return [
        _answer(
            suite, dimension, own, dict(groups.get(suite, {})), known.get(suite, Wording()), seed
        )
        for (suite, dimension), own in in_dimensions(run_sets).items()
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
