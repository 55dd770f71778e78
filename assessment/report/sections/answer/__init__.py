"""The answer in words: who solves most within a budget, by what factor, and where nobody can tell.

The page has it as text; no script draws it.

Compared is the share of pairs of a function and a target that the runs solved within a budget, as
they were run (no simulated restarts). Its uncertainty comes from the runs: they are drawn anew,
with replacement, function by function, the same draw for all algorithms with equally many runs
(bootstrap; Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ....data.run_sets import RunSet
from ....statistics.bands import resampled_shares
from ....statistics.hits import runtimes_of_runs
from ....statistics.quantiles import Floats

HOW = (
    "Compared is the share of function-target pairs that the runs {solved} within a budget, as "
    "they were run. Intervals hold with 95 %, corrected for the number of algorithms (Bonferroni); "
    "they come from drawing the runs anew, {draws} times. Algorithms whose difference from the "
    "first may be zero cannot be told apart with these runs."
)
DRAWS = 400
_PER_DECADE = 20
_MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Shares:
    """What one algorithm solved in one dimension, and what it might have.

    Attributes:
        algorithm: Its name.
        budgets: Evaluations / dimension, shape ``(n_budgets,)``, ascending.
        share: Share of pairs solved within each budget, shape ``(n_budgets,)``.
        drawn: The same for each draw of the runs, shape ``(DRAWS, n_budgets)``.
        runs: Fewest runs on a function.
    """

    algorithm: str
    budgets: Floats
    share: Floats
    drawn: Floats
    runs: int

    def budget_of(self, share: Floats, curves: Floats) -> Floats:
        """The least budget at which each curve reaches ``share``; inf where none does."""
        reached = curves >= share[:, np.newaxis] - 1e-12
        first = reached.argmax(axis=1)
        return np.where(reached.any(axis=1), self.budgets[first], np.inf)


def answers(
    run_sets: Iterable[RunSet], seed: int = 1, open_ended: Collection[str] = ()
) -> list[dict[str, object]]:
    """Sentences for every suite and dimension.

    Args:
        run_sets: Of all algorithms, with the targets whose pairs are counted.
        seed: Of the draws.
        open_ended: Suites without a final target; of them it is said what is reached, not solved.

    Returns:
        ``{suite, dimension, title, sentences}`` for each, in order.
    """
    cells: dict[tuple[str, int], dict[str, list[RunSet]]] = {}
    for one in run_sets:
        by_algorithm = cells.setdefault((one.suite, one.dimension), {})
        by_algorithm.setdefault(one.algorithm, []).append(one)
    return [
        {
            "suite": suite,
            "dimension": dimension,
            "title": f"{suite}, {dimension}-D",
            "sentences": _sentences(found, seed, "reach" if suite in open_ended else "solve"),
        }
        for (suite, dimension), found in sorted(cells.items())
    ]


def _sentences(found: dict[str, list[RunSet]], seed: int, verb: str) -> list[str]:
    common = set.intersection(*({t.function for t in run_sets} for run_sets in found.values()))
    if not common:
        return ["The algorithms were run on different functions; nothing can be compared."]
    last = max(float(t.spent.max()) / t.dimension for ts in found.values() for t in ts)
    budgets = 10.0 ** (
        np.arange(math.ceil(math.log10(max(last, 1.0)) * _PER_DECADE) + 1) / _PER_DECADE
    )
    shares = [
        shares_of([t for t in run_sets if t.function in common], budgets, seed)
        for run_sets in found.values()
    ]
    sentences = [f"Compared on the {len(common)} functions that all were run on."]
    if all(len(run_sets) == len(common) for run_sets in found.values()):
        sentences = []
    if len(shares) == 1:
        return sentences + [_alone(shares[0], budget, verb) for budget in _decades(last)]
    return sentences + [_compared(shares, budget, verb) for budget in _decades(last)]


def _decades(last: float) -> list[float]:
    return [10.0**k for k in range(1, max(1, math.floor(math.log10(max(last, 10.0)) + 1e-9)) + 1)]


def shares_of(run_sets: Sequence[RunSet], budgets: Floats, seed: int) -> Shares:
    """Shares of pairs solved by one algorithm in one dimension; see `Shares`."""
    share = np.zeros(len(budgets))
    drawn = np.zeros((DRAWS, len(budgets)))
    for one in run_sets:
        order = np.lexsort((one.repetitions, one.instances))
        runtimes = runtimes_of_runs(one.hits)[order] / one.dimension
        rng = np.random.default_rng([seed, one.function, one.dimension, len(order)])
        own, others = resampled_shares(runtimes, budgets, DRAWS, rng)
        share += own
        drawn += others
    n = len(run_sets)
    runs = min(len(one.spent) for one in run_sets)
    return Shares(run_sets[0].algorithm, budgets, share / n, drawn / n, runs)


def _alone(one: Shares, budget: float, verb: str) -> str:
    low, high = np.quantile(_at(one, budget)[1], [0.025, 0.975])
    return (
        f"Within {budget:.0f} evaluations per dimension, {one.algorithm} {_third(verb)} "
        f"{_at(one, budget)[0]:.1%} of the pairs ({low:.1%} to {high:.1%})."
    )


def _compared(shares: Sequence[Shares], budget: float, verb: str) -> str:
    ranked = sorted(shares, key=lambda one: (-_at(one, budget)[0], one.algorithm))
    best, others = ranked[0], ranked[1:]
    share, drawn = _at(best, budget)
    within = f"Within {budget:.0f} evaluations per dimension"
    if share == 0:
        return f"{within}, none {_third(verb)} any pair."
    tail = 0.025 / len(others)
    near = []
    for other in others:
        low = np.quantile(drawn - _at(other, budget)[1], tail)
        if low <= 0:
            near.append(other)
    if near:
        return f"{within}, {_undecided(best, near, len(others), budget)}"
    factor = _factor(best, others[0], budget, tail, verb)
    return f"{within}, {best.algorithm} is first with {share:.1%} of the pairs; {factor}"


def _undecided(best: Shares, near: Sequence[Shares], others: int, budget: float) -> str:
    group = [best, *near]
    named = [f"{one.algorithm} ({_at(one, budget)[0]:.1%})" for one in group[:_MOST_NAMED]]
    more = len(group) - len(named)
    names = ", ".join(named) + (f" and {more} more" if more else "")
    behind = "" if len(near) == others else "; the others are behind"
    return f"the first cannot be told: {names}{behind}. {_more_instances(best, near[0], budget)}"


def _more_instances(best: Shares, other: Shares, budget: float) -> str:
    """How many instances would decide, were the difference what it seems (error falls as 1/√n)."""
    difference = _at(best, budget)[0] - _at(other, budget)[0]
    error = float(np.std(_at(best, budget)[1] - _at(other, budget)[1]))
    pair = f"{best.algorithm} from {other.algorithm}"
    if difference <= 0 or error == 0:
        return f"These runs show no difference of {pair}."
    more = math.ceil(best.runs * ((2.8 * error / difference) ** 2 - 1))
    if more > 1000:
        return f"More than 1000 further instances would be needed to tell {pair}."
    return (
        f"About {max(more, 1)} more instances would tell {pair}, were the difference what it seems."
    )


def _factor(best: Shares, other: Shares, budget: float, tail: float, verb: str) -> str:
    share, drawn = _at(best, budget)
    needed = other.budget_of(np.array([share]), other.share[np.newaxis])[0] / budget
    draws = other.budget_of(drawn, other.drawn) / budget
    low, high = np.quantile(draws, [tail, 1 - tail], method="inverted_cdf")
    if not np.isfinite(needed):
        return f"{other.algorithm}, the next, never {_past(verb)} as many."
    upper = f"{high:.2g}" if np.isfinite(high) else "unknown"
    return (
        f"{other.algorithm}, the next, needs {needed:.2g} times as many evaluations for as much "
        f"({low:.2g} to {upper})."
    )


def _third(verb: str) -> str:
    return {"solve": "solves", "reach": "reaches"}[verb]


def _past(verb: str) -> str:
    return {"solve": "solved", "reach": "reached"}[verb]


def _at(one: Shares, budget: float) -> tuple[float, Floats]:
    i = int(np.searchsorted(one.budgets, budget * (1 + 1e-9), side="right")) - 1
    return float(one.share[i]), one.drawn[:, i]
