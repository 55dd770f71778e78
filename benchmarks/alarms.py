"""How often comparisons raise an alarm: without a difference, and with a planted slowdown.

    python benchmarks/alarms.py [--pairs 200] [--trials 100] [--seed 1]

Simulated experiments of 24 functions and 15 instances (`simulated_optimizers`). The first lines are
for `firsthit assess compare` (`compare_table` at 1e-8, Holm), the others for `firsthit compare`
(`slowdown`, Holm over 24 runtimes, 24 reliabilities and the runtime over all functions).
"""

from __future__ import annotations

import argparse

import numpy as np
from simulated_optimizers import simulated_suite, two_versions

from firsthit.assessment.data.ranked_runs import RankedRuns
from firsthit.assessment.data.run_sets import RunSet
from firsthit.assessment.statistics.intervals import Resampling
from firsthit.assessment.statistics.significance import holm
from firsthit.assessment.statistics.slowdown import Versions, overall, reliability, standing
from firsthit.assessment.targets.target_sets import common_set
from firsthit.assessment.views.comparison.compare import CompareOptions, compare_table

FUNCTIONS, SLOWED = 24, 5


def ranked(name: str, function: int, hits: np.ndarray, spent: np.ndarray) -> RankedRuns:
    """Runs to the last target; how far they came is told by the other targets."""
    n = len(spent)
    runs = RunSet(
        algorithm=name, suite="simulated", function=function, dimension=5, group="",
        instances=np.arange(n), repetitions=np.zeros(n, dtype=np.int64), hits=hits[:, -1:],
        spent=spent, exact=np.ones((n, 1), dtype=bool),
    )  # fmt: skip
    return RankedRuns(
        runs, lambda asked: [10.0 ** -(hits <= until).sum(axis=1) for _, until in asked]
    )


def compare_alarm(rng: np.random.Generator, second_budget: float) -> bool:
    """Whether two sets of runs of one optimizer are told apart on any function."""
    ranked_runs = []
    for function, one in enumerate(simulated_suite(rng), 1):
        difficulty = rng.normal(size=15)
        ranked_runs.append(ranked("a", function, *one.runs(rng, difficulty, 5000.0)))
        ranked_runs.append(ranked("b", function, *one.runs(rng, difficulty, second_budget)))
    options = CompareOptions(resampling=Resampling(samples=40))
    table = compare_table(ranked_runs, common_set((1e-8,)), options)
    return bool((table["better"] != "").any())


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for label, budget in (("equal budgets", 5000.0), ("budgets 5000 and 1500", 1500.0)):
        rng = np.random.default_rng([asked.seed, int(budget)])
        said = np.mean([compare_alarm(rng, budget) for _ in range(asked.pairs)])
        print(
            f"assess compare, no difference, {label}: {said:.3f} of {asked.pairs} pairs", flush=True
        )
    rng = np.random.default_rng(asked.seed)
    for label, same in (("independent runs", False), ("half as many evaluations in new", None)):
        said = [
            alarms(two_versions(rng) if same is False else _shorter(rng), 1.0).any()
            for _ in range(asked.pairs)
        ]
        print(f"compare, no difference, {label}: {np.mean(said):.3f}", flush=True)
    for factor in (1.0, 1.2):
        for same in (False, True):
            found, named, wrong = detection(asked.seed, asked.trials, same, factor)
            kind = "same seeds" if same else "independent runs"
            print(
                f"compare --factor {factor}, 5 functions 2 x slower, {kind}: alarm {found:.2f}, "
                f"functions named {named:.2f}, others named {wrong:.2f}",
                flush=True,
            )


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
