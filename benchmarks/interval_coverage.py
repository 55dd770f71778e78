"""How often intervals and bands contain the truth, in simulated experiments with known truth.

    python benchmarks/interval_coverage.py [--experiments 2000] [--runs 15] [--seed 1]

Nominal 95 %. The first table is for the average runtime (`art_interval`), the second for ratios of
two of them (`ratio_interval`), the third for profiles (`ecdf_band`). "below" and "above": how often
the truth lies there; "width": median of upper by lower end. Success rate 0.9 shows what cannot be
had: when all 15 runs succeed by luck, nothing tells what a failure costs; rate 0.03 of profiles
likewise: most experiments have no success, and beyond the runs' 1000 evaluations nothing is known.
"""

from __future__ import annotations

import argparse

import numpy as np
from simulated_optimizers import SUCCESSES, stalling_runs, success_runs, true_runtime

from firsthit.assessment.statistics.average_runtime import simulated_runtimes
from firsthit.assessment.statistics.bands import ecdf_band
from firsthit.assessment.statistics.intervals import Resampling, art_interval, ratio_interval

RATES = (0.3, 0.6, 0.9, 1.0)
BUDGETS = np.array([50.0, 100, 200, 400, 800, 1600, 3200, 6400])


def art_coverage(
    name: str, rate: float, varied: bool, experiments: int, runs: int, seed: int
) -> tuple[float, float, float, float]:
    """Share of intervals that contain the true aRT, lie above it and below it; median width."""
    success = SUCCESSES[name]
    rng = np.random.default_rng([seed, *name.encode(), int(100 * rate), varied])
    truth, resampling = true_runtime(success, rate), Resampling(seed=seed)
    ends = np.empty((experiments, 2))
    for i in range(experiments):
        hits, spent = success_runs(rng, success, rate, (runs,), varied)
        ends[i] = art_interval(hits[:, None], spent, resampling)[:, 0]
    return (*_shares(ends, truth), _width(ends))


def ratio_coverage(
    name: str, rate: float, experiments: int, runs: int, seed: int
) -> tuple[float, float, float, float]:
    """As `art_coverage`, of the aRT divided by that of an optimizer with success rate 0.6."""
    success, other = SUCCESSES[name], SUCCESSES["geometric"]
    rng = np.random.default_rng([seed, *name.encode(), int(100 * rate), 7])
    truth, resampling = (
        true_runtime(success, rate) / true_runtime(other, 0.6),
        Resampling(seed=seed),
    )
    ends = np.empty((experiments, 2))
    for i in range(experiments):
        first = success_runs(rng, success, rate, (runs,), False)
        second = success_runs(rng, other, 0.6, (runs,), False)
        ends[i] = ratio_interval(first, second, resampling)
    return (*_shares(ends, truth), _width(ends))


def band_coverage(
    rate: float, functions: int, experiments: int, runs: int, seed: int
) -> list[tuple[float, float, float]]:
    """(true fraction, coverage, mean width) at each of ``BUDGETS``, of a profile over functions.

    Args:
        rate: Success rate of a run, for the hardest target.
        functions: How many.
        experiments: How many.
        runs: Of each function.
        seed: Of everything.
    """
    rng = np.random.default_rng([seed, functions, int(100 * rate)])
    steps = [30.0 * (1 + i % 5) for i in range(functions)]
    drawn = []
    for step in steps:
        drawn.append(simulated_runtimes(*stalling_runs(rng, rate, 20000, step), 40000, rng))
    truth = np.array([np.mean([(d <= b).mean() for d in drawn]) for b in BUDGETS])
    bands = np.empty((experiments, 2, len(BUDGETS)))
    for i in range(experiments):
        cells = [stalling_runs(rng, rate, runs, step) for step in steps]
        bands[i] = ecdf_band(cells, BUDGETS, Resampling(seed=i, samples=200))
    inside = ((bands[:, 0] <= truth) & (truth <= bands[:, 1])).mean(axis=0)
    width = (bands[:, 1] - bands[:, 0]).mean(axis=0)
    return list(zip(truth.tolist(), inside.tolist(), width.tolist(), strict=True))


def _shares(ends: np.ndarray, truth: float) -> tuple[float, float, float]:
    below, above = float((truth < ends[:, 0]).mean()), float((truth > ends[:, 1]).mean())
    return 1 - below - above, below, above


def _width(ends: np.ndarray) -> float:
    finite = np.isfinite(ends[:, 1]) & (ends[:, 0] > 0)
    return float(np.median(ends[finite, 1] / ends[finite, 0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--experiments", type=int, default=2000)
    parser.add_argument("--band-experiments", type=int, default=None)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    size = asked.experiments, asked.runs, asked.seed
    print(f"{asked.experiments} experiments of {asked.runs} runs, seed {asked.seed}")
    print("average runtime; failures: 1000 evaluations, or varied\n")
    print(
        f"{'runtimes':<14}{'failures':<9}{'rate':>5}{'coverage':>10}{'below':>7}{'above':>7}  width"
    )
    for name in SUCCESSES:
        for rate in RATES:
            for varied in (False, True) if rate < 1 else (False,):
                row = art_coverage(name, rate, varied, *size)
                kind = "varied" if varied else "equal"
                print(f"{name:<14}{kind:<9}{rate:>5}{_line(row)}", flush=True)
    print("\nratio to an optimizer with geometric runtimes and rate 0.6\n")
    for name in SUCCESSES:
        for rate in (0.3, 0.6, 1.0):
            print(f"{name:<23}{rate:>5}{_line(ratio_coverage(name, rate, *size))}", flush=True)
    bands = asked.band_experiments or min(asked.experiments, 1000)
    for functions in (1, 8):
        for rate in (0.03, *RATES):
            print(f"\nprofile of {functions} functions, rate {rate}: fraction  coverage  width")
            rows = band_coverage(rate, functions, bands, asked.runs, asked.seed)
            for budget, (truth, inside, width) in zip(BUDGETS, rows, strict=True):
                print(f"{budget:>30.0f}{truth:>10.3f}{inside:>10.3f}{width:>7.3f}", flush=True)


def _line(row: tuple[float, float, float, float]) -> str:
    return f"{row[0]:>10.3f}{row[1]:>7.3f}{row[2]:>7.3f}{row[3]:>7.2f}"


if __name__ == "__main__":
    main()
