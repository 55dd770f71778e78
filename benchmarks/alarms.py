"""Measure how often comparisons raise an alarm: without a difference, and with a slowdown.

    python benchmarks/alarms.py [--part compare,versions,ranks] [--pairs 4000] [--trials 100]
        [--seed 1] [--processes 2]

Simulated experiments of 24 functions (`simulated_optimizers`), nominal 5 %. Part ``compare`` is for
`firsthit assess compare` (`compare_table` at 1e-8), a row for each design of the runs of both
algorithms, "5 x 3" being 5 instances with 3 runs each; where instances have several runs, they
differ as much as runs do. Columns: the share of pairs of equal algorithms with any alarm (Holm over
the functions); the share of functions with p <= 0.05 without a difference; the same where the
second is 1.3 times slower, and found to be so (a quarter of the pairs). The same three columns
again, of the test that takes all runs for independent, where instances have several.

Part ``versions`` is for `firsthit regressions` (`slowdown`; Holm over 24 runtimes, 24 reliabilities
and the runtime over all functions): without a difference, and with five functions slowed
(``--trials``).

Part ``ranks`` is for `firsthit assess ranks` (`RankTests`), with 2 to 10
algorithms on 3 to 24 functions: how often Friedman's test says that equal algorithms differ, and
how often any pair does by Holm and by Nemenyi. "ties": only four different results; "two of them":
two equal algorithms, each best or worst by chance with the others between, of which Holm says that
they differ.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from simulated_optimizers import simulated_suite, two_versions

from firsthit.assessment.hits.ranked_runs import RankedRuns
from firsthit.assessment.hits.run_sets import RunSet
from firsthit.assessment.questions.compare import Decision, compare_table
from firsthit.assessment.statistics.friedman import RankTests
from firsthit.assessment.statistics.significance import holm
from firsthit.assessment.statistics.slowdown import Versions, overall, reliability, standing
from firsthit.assessment.targets.target_sets import common_set

FUNCTIONS, SLOWED = 24, 5
BUDGET = 5000.0


class Design(NamedTuple):
    """The numbers of runs of both algorithms on each function.

    Attributes:
        first: Number of instances of the first algorithm, and of its runs on each instance.
        second: Number of instances of the second algorithm, and of its runs on each instance.
        same: Whether both algorithms have the same instances, as far as their numbers agree.
        budget: Evaluations of an unsuccessful run of the second algorithm.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    same: bool
    budget: float = BUDGET

    @property
    def repeats(self) -> bool:
        """Whether instances have several runs."""
        return max(self.first[1], self.second[1]) > 1


DESIGNS: dict[str, Design] = {
    "5 x 1, same instances": Design((5, 1), (5, 1), True),
    "15 x 1, same instances": Design((15, 1), (15, 1), True),
    "30 x 1, same instances": Design((30, 1), (30, 1), True),
    "15 x 1, other instances": Design((15, 1), (15, 1), False),
    "15 x 1, budgets 5000 and 1500": Design((15, 1), (15, 1), True, 1500.0),
    "3 x 5, same instances": Design((3, 5), (3, 5), True),
    "5 x 3, same instances": Design((5, 3), (5, 3), True),
    "10 x 3 and 15 x 1, 10 shared": Design((10, 3), (15, 1), True),
    "3 x 5, other instances": Design((3, 5), (3, 5), False),
    "5 x 3, other instances": Design((5, 3), (5, 3), False),
    "5 x 3 and 15 x 1, other instances": Design((5, 3), (15, 1), False),
}


def ranked(
    name: str, function: int, hits: np.ndarray, spent: np.ndarray, instances: np.ndarray
) -> RankedRuns:
    """Return runs to the last target, ranked by the other targets if they fail.

    Args:
        name: Name of the algorithm.
        function: The function.
        hits: Evaluations at hits, shape ``(n_runs, n_targets)``; NaN for targets not hit.
        spent: Evaluations of each run.
        instances: Instance of each run.
    """
    n = len(spent)
    runs = RunSet(
        algorithm=name, suite="simulated", function=function, dimension=5, group="",
        instances=instances, repetitions=np.arange(n), hits=hits[:, -1:],
        spent=spent, exact=np.ones((n, 1), dtype=bool),
    )  # fmt: skip
    return RankedRuns(
        runs, lambda asked: [10.0 ** -(hits <= until).sum(axis=1) for _, until in asked]
    )


def experiment(
    rng: np.random.Generator, design: Design, slower: float, by_instance: bool
) -> list[RankedRuns]:
    """Simulate runs of two algorithms on 24 functions; the second one is ``slower`` times as slow.

    Args:
        rng: Source of randomness.
        design: The numbers of instances and runs.
        slower: Factor of the second algorithm's runtimes; 1 without a difference.
        by_instance: Whether the runs have their true instances. False: each run has another one.
    """
    (numbers, repetitions), (others, other_repetitions), same, budget = design
    first = np.repeat(np.arange(numbers), repetitions)
    second = np.repeat(np.arange(others) + (0 if same else numbers), other_repetitions)
    spread = 1 / 0.3 if design.repeats else 1.0
    ranked_runs = []
    for function, simulated in enumerate(simulated_suite(rng), 1):
        difficulty = spread * rng.normal(size=numbers + others)
        sides = ("a", first, BUDGET, 1.0), ("b", second, budget, slower)
        for name, instances, evaluations, factor in sides:
            runs = simulated.runs(rng, difficulty[instances], evaluations, factor)
            stated_instances = instances if by_instance else np.arange(len(instances))
            ranked_runs.append(ranked(name, function, *runs, stated_instances))
    return ranked_runs


def compared(runs: Sequence[RankedRuns]) -> tuple[bool, float, float]:
    """Compare two algorithms.

    Returns:
        Whether any function is decided; the share of functions with p <= 0.05; the share of
        functions with p <= 0.05 on which the second algorithm is slower.
    """
    table = compare_table(runs, common_set((1e-8,)), Decision())
    small = table["p"] <= 0.05
    return (
        bool((table["better"] != "").any()),
        float(small.mean()),
        float((small & (table["superiority"] > 0.5)).mean()),
    )


def compare_line(name: str, pairs: int, seed: int) -> str:
    """Compute one row of the table of part ``compare``."""
    design, line = DESIGNS[name], f"{name:<36}"
    for by_instance in (True, False) if design.repeats else (True,):
        rng = np.random.default_rng([seed, *name.encode()])
        equal = [compared(experiment(rng, design, 1.0, by_instance)) for _ in range(pairs)]
        slower = [
            compared(experiment(rng, design, 1.3, by_instance)) for _ in range(max(1, pairs // 4))
        ]
        alarm, small, _ = np.mean(equal, axis=0)
        line += f"{alarm:>9.4f}{small:>11.4f}{np.mean(slower, axis=0)[2]:>14.3f}"
    return line


def alarms(versions: list[Versions], factor: float) -> np.ndarray:
    """Return which tests find a regression.

    Returns:
        Booleans: the tests of the runtime on each function, of the reliability on each function,
        and of the runtime over all functions.
    """
    runtime = [standing(one, factor).p for one in versions]
    reliable = [reliability(one, factor).p for one in versions]
    return holm([*runtime, *reliable, overall(versions, factor)[0]]) <= 0.05


def _shorter(rng: np.random.Generator) -> list[Versions]:
    """Simulate two versions without a difference, of which the new one had half the budget."""
    cut = []
    for one in two_versions(rng):
        hits = np.where(one.new_hits <= BUDGET / 2, one.new_hits, np.nan)
        spent = np.minimum(one.new_spent, BUDGET / 2)
        cut.append(Versions(one.base_hits, one.base_spent, hits, spent, one.pairs))
    return cut


def _repeated(rng: np.random.Generator, same: bool) -> list[Versions]:
    """Simulate two versions without a difference, with three runs on each of five instances."""
    base = np.repeat(np.arange(5), 3)
    new, none = base if same else base + 5, np.empty((0, 2), dtype=np.int64)
    versions = []
    for function in simulated_suite(rng):
        difficulty = rng.normal(size=10) / 0.3
        sides = [function.runs(rng, difficulty[instances], BUDGET) for instances in (base, new)]
        pairs = np.column_stack([np.arange(15)] * 2) if same else none
        versions.append(Versions(*sides[0], *sides[1], pairs, (base, new)))
    return versions


EQUAL_VERSIONS: dict[str, Callable[[np.random.Generator], list[Versions]]] = {
    "independent runs": two_versions,
    "half as many evaluations in new": _shorter,
    "5 x 3, same instances": lambda rng: _repeated(rng, True),
    "5 x 3, other instances": lambda rng: _repeated(rng, False),
}


def version_line(name: str, pairs: int, seed: int) -> str:
    """Compute the share of pairs of equal versions with an alarm of `firsthit regressions`."""
    rng = np.random.default_rng([seed, *name.encode()])
    has_alarm = [alarms(EQUAL_VERSIONS[name](rng), 1.0).any() for _ in range(pairs)]
    return f"compare, no difference, {name}: {np.mean(has_alarm):.4f}"


def detection_line(factor: float, same_seeds: bool, trials: int, seed: int) -> str:
    """Compute how often `firsthit regressions` finds slowed functions.

    Args:
        factor: Slowdown that the comparison tolerates.
        same_seeds: Whether runs of a pair are equal except for the slowdown.
        trials: Number of simulated comparisons.
        seed: Random seed.

    Returns:
        A line with the share of trials with an alarm, the share of slowed functions that are
        named, and the share of trials that name another function.
    """
    rng = np.random.default_rng([seed, same_seeds])
    n_alarms = n_named = n_wrong = 0.0
    for _ in range(trials):
        slowed = frozenset(rng.choice(FUNCTIONS, SLOWED, replace=False).tolist())
        is_alarm = alarms(two_versions(rng, slowed, 2.0, same_seeds), factor)
        by_function = is_alarm[:FUNCTIONS] | is_alarm[FUNCTIONS : 2 * FUNCTIONS]
        n_alarms += is_alarm.any()
        n_named += by_function[list(slowed)].mean()
        n_wrong += by_function[[f for f in range(FUNCTIONS) if f not in slowed]].any()
    return (
        f"compare --factor {factor}, {SLOWED} functions 2 x slower, "
        f"{'same seeds' if same_seeds else 'independent runs'}: alarm {n_alarms / trials:.2f}, "
        f"functions named {n_named / trials:.2f}, others named {n_wrong / trials:.2f}"
    )


ALGORITHMS, PROBLEMS = (2, 3, 5, 10), (3, 4, 5, 6, 8, 12, 16, 24)


def equal(rng: np.random.Generator, problems: int, algorithms: int) -> np.ndarray:
    return rng.random((problems, algorithms))


def tied(rng: np.random.Generator, problems: int, algorithms: int) -> np.ndarray:
    return rng.integers(0, 4, (problems, algorithms)).astype(float)


def extreme(rng: np.random.Generator, problems: int, algorithms: int) -> np.ndarray:
    values = equal(rng, problems, algorithms)
    values[:, :2] = rng.permuted(np.tile([-1.0, 2.0], (problems, 1)), axis=1)
    return values


def rank_line(algorithms: int, problems: int, tables: int, seed: int) -> str:
    """Compute the shares of tables of equal algorithms with an alarm, for each test."""
    line = f"{algorithms:>3} algorithms {problems:>3} functions"
    for draw in (equal, tied):
        rng, n_alarms = np.random.default_rng([seed, algorithms, problems]), np.zeros(3)
        for table in range(tables):
            tests = RankTests.of(draw(rng, problems, algorithms), samples=199, seed=table)
            pairs = [tests.pairs(correction).min() for correction in ("holm", "nemenyi")]
            n_alarms += np.array([tests.p, *pairs]) <= 0.05
        line += "".join(f"{share:>10.4f}" for share in n_alarms / tables)
    rng, alarms_of_two = np.random.default_rng([seed, algorithms, problems]), 0
    for _ in range(tables):
        values = extreme(rng, problems, algorithms)
        alarms_of_two += RankTests.of(values, samples=1).pairs("holm")[0, 1] <= 0.05
    return f"{line}{alarms_of_two / tables:>10.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--part", default="compare,versions,ranks")
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes) as pool:
        if "compare" in asked.part:
            print(
                f"{'':<36}{'any alarm  p <= 0.05  1.3 x slower':>34}  (runs taken for independent)"
            )
            lines = [pool.submit(compare_line, name, asked.pairs, asked.seed) for name in DESIGNS]
            for line in lines:
                print(line.result(), flush=True)
        if "versions" in asked.part:
            lines = [
                pool.submit(version_line, name, asked.pairs, asked.seed) for name in EQUAL_VERSIONS
            ]
            lines += [
                pool.submit(detection_line, factor, same_seeds, asked.trials, asked.seed)
                for factor in (1.0, 1.2)
                for same_seeds in (False, True)
            ]
            for line in lines:
                print(line.result(), flush=True)
        if "ranks" in asked.part:
            print(f"{'':<28}{'Friedman, Holm, Nemenyi':>30}{'with ties':>30}{'two of them':>12}")
            lines = [
                pool.submit(rank_line, algorithms, problems, asked.pairs, asked.seed)
                for algorithms in ALGORITHMS
                for problems in PROBLEMS
            ]
            for line in lines:
                print(line.result(), flush=True)


if __name__ == "__main__":
    main()
