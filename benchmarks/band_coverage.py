"""Measure how often bands of profiles contain the truth, in simulated experiments.

    python benchmarks/band_coverage.py [--kinds "alike;basin"] [--experiments 2500] [--seed 1]
        [--processes 2] [--output FILE.csv]

Nominal 95 %, `ecdf_band` with simulated restarts, at five budgets within the longest run (1000
evaluations) of a curve with 20 budgets a decade. Kinds of functions: ``stalling``, ten targets one
after the other, of which runs miss the last ones with the probability that its name leaves;
``alike``, runs that differ by 5 %; ``plateau``, runs that all stay at half of the targets but one
in ten, or in two; ``one target``; ``basin``, runs that need so many restarts of their own until
they are in the right basin, with the share of right ones that its name tells; ``rare``, one target
that one run in ten hits, or one in five. Truth 0 or 1 is left out: there a band cannot miss on both
sides. With an output file that exists, rows are added to it.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import numpy as np
from simulated_optimizers import FAILURE, SimulatedFunction, stalling_runs

from firsthit.assessment.statistics.average_runtime import simulated_runtimes
from firsthit.assessment.statistics.bands import ecdf_band
from firsthit.assessment.statistics.intervals import Resampling

BUDGETS = np.array([50.0, 100, 200, 400, 800])
CURVE = np.union1d(BUDGETS, np.geomspace(1, 1000, 61))
RUNS = (5, 15, 30)
FUNCTIONS = (1, 8)

Runs = tuple[np.ndarray, np.ndarray]
Draw = Callable[[np.random.Generator, int, int], Runs]
"""Function of a generator, a number of runs and the index of a function; returns the runs."""


class Row(NamedTuple):
    """One cell of the table."""

    kind: str
    functions: int
    runs: int
    budget: float
    truth: float
    coverage: float
    width: float


def _stalling(rate: float) -> Draw:
    return lambda rng, n, i: stalling_runs(rng, rate, n, 30.0 * (1 + i % 5))


def _plateau(rate: float) -> Draw:
    def draw(rng: np.random.Generator, n: int, i: int) -> Runs:
        hits = np.tile(np.arange(1.0, 11.0) * (6 + i), (n, 1))
        hits[rng.random(n) >= rate, 5:] = np.nan
        return hits, np.where(np.isnan(hits[:, -1]), FAILURE, hits[:, -1])

    return draw


def _alike(rng: np.random.Generator, n: int, i: int) -> Runs:
    function = SimulatedFunction(20.0, 40.0 * (1 + i % 3), 0.05, 1.0, 9)
    return function.runs(rng, rng.normal(size=n), FAILURE)


def _one_target(rng: np.random.Generator, n: int, i: int) -> Runs:
    hits = np.ceil(rng.exponential(150.0 * (1 + i % 3), (n, 1)))
    hits[(rng.random(n) >= 0.6) | (hits[:, 0] > FAILURE)] = np.nan
    return hits, np.where(np.isnan(hits[:, 0]), FAILURE, hits[:, 0])


def _basin(right: float) -> Draw:
    """Return runs to ten targets, of which the last seven need the right basin.

    A restart takes 60 to 120 evaluations.
    """

    def draw(rng: np.random.Generator, n: int, i: int) -> Runs:
        function = SimulatedFunction(20.0, 6.0 * (1 + i % 2), 0.2, right, 3)
        return function.runs(rng, rng.normal(size=n), FAILURE)

    return draw


def _rare(rate: float) -> Draw:
    def draw(rng: np.random.Generator, n: int, i: int) -> Runs:
        hits = np.ceil(rng.uniform(20.0, 600.0, (n, 1)))
        hits[rng.random(n) >= rate] = np.nan
        return hits, np.where(np.isnan(hits[:, 0]), FAILURE, hits[:, 0])

    return draw


KINDS: dict[str, Draw] = {
    "stalling 0.1": _stalling(0.1),
    "stalling 0.6": _stalling(0.6),
    "stalling 1.0": _stalling(1.0),
    "alike": _alike,
    "plateau 0.1": _plateau(0.1),
    "plateau 0.5": _plateau(0.5),
    "one target": _one_target,
    "basin 0.1": _basin(0.1),
    "basin 0.3": _basin(0.3),
    "rare 0.1": _rare(0.1),
    "rare 0.2": _rare(0.2),
}


def band_coverage(kind: str, functions: int, runs: int, experiments: int, seed: int) -> list[Row]:
    """Compute coverage and mean width of the band of a profile, at each of ``BUDGETS``.

    Args:
        kind: One of ``KINDS``.
        functions: Number of functions.
        runs: Number of runs on each function.
        experiments: Number of experiments.
        seed: Random seed.
    """
    rng, draw = np.random.default_rng([seed, *kind.encode(), functions, runs]), KINDS[kind]
    shares = []
    for i in range(functions):
        runtimes = simulated_runtimes(*draw(rng, 20_000, i), 40_000, rng)
        shares.append([(runtimes <= budget).mean() for budget in BUDGETS])
    truth = np.mean(shares, axis=0)
    bands, columns = np.empty((experiments, 2, len(BUDGETS))), np.searchsorted(CURVE, BUDGETS)
    for i in range(experiments):
        cells = [draw(rng, runs, f) for f in range(functions)]
        bands[i] = ecdf_band(cells, CURVE, Resampling(seed=i, samples=100))[:, columns]
    # The simulated truth has an error of about 0.002.
    inside = (bands[:, 0] <= truth + 1e-9) & (truth - 1e-9 <= bands[:, 1])
    width = (bands[:, 1] - bands[:, 0]).mean(axis=0)
    return [
        Row(kind, functions, runs, *map(float, numbers))
        for numbers in zip(BUDGETS, truth, inside.mean(axis=0), width, strict=True)
        if 0.01 < numbers[1] < 0.99
    ]


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines with the minimum, mean and maximum coverage over the budgets."""
    for kind in KINDS:
        for functions in FUNCTIONS:
            line = f"{kind:<14}{functions:>3} functions"
            for runs in RUNS:
                coverages = [row.coverage for row in rows if row[:3] == (kind, functions, runs)]
                if not coverages:
                    continue
                line += f"  {runs:>3} runs {min(coverages):.3f} {np.mean(coverages):.3f} "
                line += f"{max(coverages):.3f}"
            yield line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--kinds", default=";".join(KINDS), help="separated by semicolons")
    parser.add_argument("--experiments", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    tasks = [
        (kind, functions, runs, asked.experiments, asked.seed)
        for kind in asked.kinds.split(";")
        for functions in FUNCTIONS
        for runs in RUNS
    ]
    is_new = asked.output is None or not asked.output.exists()
    rows: list[Row] = []
    with (
        ProcessPoolExecutor(asked.processes) as pool,
        asked.output.open("a") if asked.output else nullcontext(sys.stdout) as file,
    ):
        lines = csv.writer(file, lineterminator="\n")
        if is_new:
            lines.writerow(Row._fields)
        for part in [pool.submit(band_coverage, *task) for task in tasks]:
            for row in part.result():
                lines.writerow([*row[:4], *(f"{value:.4g}" for value in row[4:])])
            rows += part.result()
            file.flush()
    if asked.output:
        print(f"{asked.experiments} experiments, seed {asked.seed}")
        print("least, mean and largest coverage over budgets within the longest run\n")
        print("\n".join(summary(rows)))


if __name__ == "__main__":
    main()
