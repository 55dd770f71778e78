"""How often comparisons raise an alarm: without a difference, and with a planted slowdown.

    python benchmarks/alarms.py [--pairs 1000] [--trials 100] [--seed 1]

Simulated experiments of 24 functions (`simulated_optimizers`). The first table is for
`firsthit assess compare` (`compare_table` at 1e-8): runs of both algorithms on instances, "5 x 3"
being 5 instances with 3 runs each; the share of pairs of equal algorithms with any alarm (Holm
over the functions); the share of functions with p <= 0.05 without a difference; the same where the
second is 1.3 times slower, and found to be so. Where instances have several runs, they differ as
much as runs do. The second part is for `firsthit compare` (`slowdown`, Holm over 24 runtimes, 24
reliabilities and the runtime over all functions).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from simulated_optimizers import simulated_suite, two_versions

from firsthit.assessment.data.ranked_runs import RankedRuns
from firsthit.assessment.data.run_sets import RunSet
from firsthit.assessment.statistics.significance import holm
from firsthit.assessment.statistics.slowdown import Versions, overall, reliability, standing
from firsthit.assessment.targets.target_sets import common_set
from firsthit.assessment.views.comparison.compare import CompareOptions, compare_table

FUNCTIONS, SLOWED = 24, 5


Design = tuple[tuple[int, int], tuple[int, int], bool]
"""Instances and runs of each, of both algorithms; whether their instances are the same."""

DESIGNS: dict[str, Design] = {
    "5 x 1, same instances": ((5, 1), (5, 1), True),
    "15 x 1, same instances": ((15, 1), (15, 1), True),
    "30 x 1, same instances": ((30, 1), (30, 1), True),
    "15 x 1, other instances": ((15, 1), (15, 1), False),
    "3 x 5, same instances": ((3, 5), (3, 5), True),
    "5 x 3, same instances": ((5, 3), (5, 3), True),
    "3 x 5, other instances": ((3, 5), (3, 5), False),
    "5 x 3, other instances": ((5, 3), (5, 3), False),
    "5 x 3 and 15 x 1, other instances": ((5, 3), (15, 1), False),
    "10 x 3 and 15 x 1, 10 shared": ((10, 3), (15, 1), True),
}


def ranked(
    name: str, function: int, hits: np.ndarray, spent: np.ndarray, instances: np.ndarray
) -> RankedRuns:
    """Runs to the last target; how far they came is told by the other targets."""
    n = len(spent)
    runs = RunSet(
        algorithm=name, suite="simulated", function=function, dimension=5, group="",
        instances=instances, repetitions=np.arange(n), hits=hits[:, -1:],
        spent=spent, exact=np.ones((n, 1), dtype=bool),
    )  # fmt: skip
    return RankedRuns(
        runs, lambda asked: [10.0 ** -(hits <= until).sum(axis=1) for _, until in asked]
    )


def compared(
    rng: np.random.Generator, design: Design, slower: float, budgets: Sequence[float]
) -> tuple[bool, float, float]:
    """Whether anything is decided; shares of functions with p <= 0.05, and with b slower so."""
    (numbers, repetitions), (others, other_repetitions), same = design
    first = np.repeat(np.arange(numbers), repetitions)
    second = np.repeat(np.arange(others) + (0 if same else numbers), other_repetitions)
    spread = 1.0 if repetitions == other_repetitions == 1 else 1 / 0.3
    found = []
    for function, one in enumerate(simulated_suite(rng), 1):
        difficulty = spread * rng.normal(size=numbers + others)
        for name, instances, factor, budget in (
            ("a", first, 1.0, budgets[0]),
            ("b", second, slower, budgets[1]),
        ):
            runs = one.runs(rng, difficulty[instances], budget, factor)
            found.append(ranked(name, function, *runs, instances))
    table = compare_table(found, common_set((1e-8,)), CompareOptions(resampling=None))
    small = table["p"] <= 0.05
    return (
        bool((table["better"] != "").any()),
        float(small.mean()),
        float((small & (table["superiority"] > 0.5)).mean()),
    )


def alarms(versions: list[Versions], factor: float) -> np.ndarray:
    """Which tests say "regression": runtimes, reliabilities, and the runtime over all functions."""
    runtime = [standing(one, factor).p for one in versions]
    reliable = [reliability(one, factor).p for one in versions]
    return holm([*runtime, *reliable, overall(versions, factor)[0]]) <= 0.05


def detection(
    seed: int, trials: int, same_seeds: bool, factor: float
) -> tuple[float, float, float]:
    """Shares: of trials with an alarm, of slowed functions named, of trials that name another."""
    rng = np.random.default_rng([seed, same_seeds])
    found = named = wrong = 0.0
    for _ in range(trials):
        slowed = frozenset(rng.choice(FUNCTIONS, SLOWED, replace=False).tolist())
        said = alarms(two_versions(rng, slowed, 2.0, same_seeds), factor)
        by_function = said[:FUNCTIONS] | said[FUNCTIONS : 2 * FUNCTIONS]
        found += said.any()
        named += by_function[list(slowed)].mean()
        wrong += by_function[[f for f in range(FUNCTIONS) if f not in slowed]].any()
    return found / trials, named / trials, wrong / trials


def _compare_line(
    name: str, design: Design, budgets: Sequence[float], pairs: int, seed: int
) -> None:
    rng = np.random.default_rng([seed, *name.encode()])
    equal = [compared(rng, design, 1.0, budgets) for _ in range(pairs)]
    slower = [compared(rng, design, 1.3, budgets) for _ in range(max(1, pairs // 4))]
    alarm, small, _ = np.mean(equal, axis=0)
    print(f"{name:<36}{alarm:>9.3f}{small:>11.3f}{np.mean(slower, axis=0)[2]:>14.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"{'':<36}any alarm  p <= 0.05  1.3 x slower")
    for name, design in DESIGNS.items():
        _compare_line(name, design, (5000.0, 5000.0), asked.pairs, asked.seed)
    name = "15 x 1, budgets 5000 and 1500"
    _compare_line(
        name, DESIGNS["15 x 1, same instances"], (5000.0, 1500.0), asked.pairs, asked.seed
    )
    print()
    rng = np.random.default_rng(asked.seed)
    for label, same in (("independent runs", False), ("half as many evaluations in new", None)):
        said = [
            alarms(two_versions(rng) if same is False else _shorter(rng), 1.0).any()
            for _ in range(asked.pairs)
        ]
        print(f"compare, no difference, {label}: {np.mean(said):.3f}", flush=True)
    for label, same in (("same instances", True), ("other instances", False)):
        said = [alarms(_repeated(rng, same), 1.0).any() for _ in range(asked.pairs)]
        print(f"compare, no difference, 5 x 3, {label}: {np.mean(said):.3f}", flush=True)
    for factor in (1.0, 1.2):
        for same in (False, True):
            found, named, wrong = detection(asked.seed, asked.trials, same, factor)
            kind = "same seeds" if same else "independent runs"
            print(
                f"compare --factor {factor}, 5 functions 2 x slower, {kind}: alarm {found:.2f}, "
                f"functions named {named:.2f}, others named {wrong:.2f}",
                flush=True,
            )


def _repeated(rng: np.random.Generator, same: bool) -> list[Versions]:
    """Two versions without a difference, with three runs on each of five instances."""
    base = np.repeat(np.arange(5), 3)
    new, none = base if same else base + 5, np.empty((0, 2), dtype=np.int64)
    found = []
    for function in simulated_suite(rng):
        difficulty = rng.normal(size=10) / 0.3
        sides = [function.runs(rng, difficulty[instances], 5000.0) for instances in (base, new)]
        pairs = np.column_stack([np.arange(15)] * 2) if same else none
        found.append(Versions(*sides[0], *sides[1], pairs, (base, new)))
    return found


def _shorter(rng: np.random.Generator) -> list[Versions]:
    """Two versions without a difference, of which the new one had half the budget."""
    cut = []
    for one in two_versions(rng):
        hits = np.where(one.new_hits <= 2500, one.new_hits, np.nan)
        spent = np.minimum(one.new_spent, 2500.0)
        cut.append(Versions(one.base_hits, one.base_spent, hits, spent, one.pairs))
    return cut


if __name__ == "__main__":
    main()
