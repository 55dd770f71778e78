"""How often intervals contain the truth, in simulated experiments with known truth.

    python benchmarks/interval_coverage.py [--experiments 400] [--seed 1] [--output FILE.csv]

Nominal 95 %. One row for each method, number of runs, success rate and law of runtimes, among
experiments with a success: "coverage"; "below" and "above", how often the truth lies there;
"width", the median of upper by lower end; "infinite", the share of infinite upper ends.
``firsthit`` is `art_interval`, ``firsthit, budget`` the same with the cost of failures that were
not seen; ``Student on the log`` and ``BCa`` are in ``textbook_intervals.py``. The last rows are for
repetitions on few instances, "3 x 5" being 3 instances with 5 runs each, of a function whose
instances differ (lognormal with the sigma named); ``firsthit, runs`` takes the runs for
independent. Rate 0.9 and laws with two modes or a heavy tail show what cannot be promised.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from simulated_optimizers import FAILURE, SUCCESSES, success_runs, true_runtime
from textbook_intervals import bca, student_on_log

from firsthit.assessment.statistics.intervals import Resampling, art_interval, ratio_interval

RUNS = (5, 10, 15, 30)
RATES = (0.1, 0.3, 0.6, 0.9, 1.0)
PROMISED = (0.1, 0.3, 0.6)
DESIGNS = ((3, 5), (5, 3), (5, 5), (15, 2))
SPREADS = (0.0, 0.3, 1.0)


class Row(NamedTuple):
    """One cell of the table."""

    method: str
    runs: str
    rate: float
    law: str
    kind: str
    coverage: float
    below: float
    above: float
    width: float
    infinite: float


def art_rows(name: str, runs: int, rate: float, experiments: int, seed: int) -> list[Row]:
    """The rows of all methods for one law of runtimes."""
    success = SUCCESSES[name]
    rng = np.random.default_rng([seed, *name.encode(), runs, int(100 * rate)])
    hits, spent = success_runs(rng, success, rate, (experiments, runs), rate < 1)
    some = np.isfinite(hits).any(axis=1)
    hits, spent = hits[some], spent[some]
    truth, resampling = true_runtime(success, rate), Resampling(seed=seed)
    mine = ours(hits, spent, resampling)
    lucky, wider = np.isfinite(hits).all(axis=1), mine.copy()
    if lucky.any():
        wider[:, lucky] = ours(hits[lucky], spent[lucky], resampling, budget=FAILURE)
    methods = {
        "firsthit": mine,
        "firsthit, budget": wider,
        "Student on the log": student_on_log(hits, spent, resampling.level),
        "BCa": bca(hits, spent, resampling.level, seed),
    }
    return [
        Row(method, str(runs), rate, name, success.kind, *measured(ends, truth))
        for method, ends in methods.items()
    ]


def ours(
    hits: np.ndarray,
    spent: np.ndarray,
    resampling: Resampling,
    instances: Sequence[int] | None = None,
    budget: float | None = None,
) -> np.ndarray:
    """`art_interval` of each experiment, shape ``(2, n_experiments)``."""
    found = [
        art_interval(mine[:, None], ends, resampling, instances, budget)[:, 0]
        for mine, ends in zip(hits, spent, strict=True)
    ]
    return np.array(found).T


def measured(ends: np.ndarray, truth: float) -> tuple[float, float, float, float, float]:
    """Coverage, how often the truth lies below and above, median width, share of infinite ends."""
    below, above = float((truth < ends[0]).mean()), float((truth > ends[1]).mean())
    finite = np.isfinite(ends[1]) & (ends[0] > 0)
    width = float(np.median(ends[1, finite] / ends[0, finite])) if finite.any() else np.inf
    return 1 - below - above, below, above, width, float(np.isinf(ends[1]).mean())


def repeated_rows(
    design: tuple[int, int], spread: float, rate: float, experiments: int, seed: int
) -> list[Row]:
    """The rows for repetitions on instances whose log-difficulties have this standard deviation."""
    numbers, repetitions = design
    rng = np.random.default_rng([seed, *design, int(100 * spread), int(100 * rate)])
    instances = np.repeat(np.arange(numbers), repetitions)
    factor = np.exp(spread * rng.normal(size=(experiments, numbers)) - spread**2 / 2)
    success = SUCCESSES["lognormal 0.5"]
    hits, spent = success_runs(rng, success, rate, (experiments, len(instances)), False)
    hits = np.maximum(hits * factor[:, instances], 1.0)
    spent = np.where(np.isfinite(hits), np.nan_to_num(hits), spent)
    some = np.isfinite(hits).any(axis=1)
    hits, spent = hits[some], spent[some]
    truth, resampling = true_runtime(success, rate), Resampling(seed=seed)
    methods = {
        "firsthit": ours(hits, spent, resampling, instances),
        "firsthit, runs": ours(hits, spent, resampling),
    }
    return [
        Row(
            method, f"{numbers} x {repetitions}", rate, f"instances {spread:g}", "repetitions",
            *measured(ends, truth),
        )
        for method, ends in methods.items()
    ]  # fmt: skip


def ratio_rows(name: str, runs: int, rate: float, experiments: int, seed: int) -> list[Row]:
    """As `art_rows`, of the aRT divided by that of an optimizer with success rate 0.6."""
    success, other = SUCCESSES[name], SUCCESSES["geometric"]
    rng = np.random.default_rng([seed, *name.encode(), runs, int(100 * rate), 7])
    truth = true_runtime(success, rate) / true_runtime(other, 0.6)
    found = []
    for _ in range(experiments):
        first = success_runs(rng, success, rate, (runs,), False)
        second = success_runs(rng, other, 0.6, (runs,), False)
        if np.isfinite(first[0]).any() and np.isfinite(second[0]).any():
            found.append(ratio_interval(first, second, Resampling(seed=seed)))
    ends = np.array(found).T
    return [Row("firsthit", str(runs), rate, name, "ratio", *measured(ends, truth))]


def _tasks(
    experiments: int, seed: int
) -> Iterator[tuple[Callable[..., list[Row]], *tuple[object, ...]]]:
    for name in SUCCESSES:
        for runs in RUNS:
            for rate in RATES:
                size = experiments * (4 if rate == 1 else 1)
                yield art_rows, name, runs, rate, size, seed
    for name in ("geometric", "lognormal 0.5", "lognormal 1.0", "uniform"):
        for runs in RUNS:
            for rate in (0.3, 0.6, 1.0):
                yield ratio_rows, name, runs, rate, experiments, seed
    for design in DESIGNS:
        for spread in SPREADS:
            for rate in (0.6, 1.0):
                yield repeated_rows, design, spread, rate, experiments, seed


def write(rows: Sequence[Row], file: TextIO) -> None:
    """The table as CSV."""
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(Row._fields)
    for row in rows:
        lines.writerow([*row[:5], *(f"{value:.4g}" for value in row[5:])])


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Mean and least coverage over the laws of a kind, and what was promised."""
    yield f"{'':<20}{'laws':<14}{'runs':>5}  mean / least coverage at rate " + " ".join(
        map(str, RATES)
    )
    for kind in ("one mode", "two modes", "heavy tail"):
        for method in dict.fromkeys(row.method for row in rows if row.kind == kind):
            for runs in RUNS:
                line = f"{method:<20}{kind:<14}{runs:>5}"
                for rate in RATES:
                    found = [
                        row.coverage
                        for row in rows
                        if row[:3] == (method, str(runs), rate) and row.kind == kind
                    ]
                    line += f"  {np.mean(found):.3f}/{min(found):.3f}"
                yield line
    yield from broken_promises(rows)


def broken_promises(rows: Sequence[Row]) -> Iterator[str]:
    """Cells that are below what the documentation promises."""
    mine = [row for row in rows if row.method == "firsthit" and row.kind == "one mode"]
    for row in rows:
        if row.method == "firsthit" and row.rate == 1 and row.infinite > 0:
            yield f"infinite: {row}"
    for row in mine:
        if row.rate == 1 and row.coverage < 0.93:
            yield f"below 0.93: {row}"
    for runs in RUNS:
        for rate in PROMISED:
            cells = [row.coverage for row in mine if row[1:3] == (str(runs), rate)]
            if np.mean(cells) < 0.93:
                yield f"below 0.93 on average: {runs} runs, rate {rate}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--experiments", type=int, default=400, help="of a cell, 20 or more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.processes) as pool:
        found = [pool.submit(*task) for task in _tasks(asked.experiments, asked.seed)]
        rows = [row for part in found for row in part.result()]
    print(f"{asked.experiments} experiments (four times as many at rate 1), seed {asked.seed}\n")
    if asked.output is None:
        write(rows, sys.stdout)
    else:
        with asked.output.open("w") as file:
            write(rows, file)
    print()
    for line in summary(rows):
        print(line)


if __name__ == "__main__":
    main()
