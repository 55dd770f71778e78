"""Measure how often confidence intervals contain the truth, in simulated experiments.

    python benchmarks/interval_coverage.py [--part art] [--laws "A;B"] [--runs 5,10] [--rates 0.8,1]
        [--experiments 1600] [--seed 1] [--processes 2] [--output FILE.csv]

Nominal 95 %. One row for each method, number of runs, success rate and law of runtimes, among
experiments with a success: "coverage"; "below" and "above", how often the truth lies there;
"width", the median of upper by lower end; "infinite", the share of infinite upper ends.

Part ``art``: ``firsthit`` is `art_interval`, ``firsthit, budget`` the same with the cost of
failures that were not seen. Part ``textbook``: ``Student on the log`` and ``BCa`` of
``textbook_intervals.py``, a quarter of the experiments. Part ``ratio``: `ratio_interval`, of the
aRT of an algorithm divided by that of an equal one. Part ``repetitions``: runs on few
instances, "3 x 5" being 3 instances with 5 runs each, of a function whose instances differ
(lognormal with the sigma named); ``firsthit, runs`` takes the runs for independent.

With an output file that exists, rows are added to it, so that the table can be made in parts.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from simulated_optimizers import FAILURE, SUCCESSES, success_runs, true_runtime
from textbook_intervals import bca, student_on_log

from firsthit.assessment.statistics.intervals import Resampling, art_intervals, ratio_interval

RUNS = (5, 7, 10, 15, 30)
RATES = (0.1, 0.3, 0.6, 0.8, 0.9, 0.95, 1.0)
PARTS = ("art", "textbook", "ratio", "repetitions")
KINDS = ("one mode", "leans left", "two modes", "heavy tail")
IN_RATIOS = ("geometric", "lognormal 0.25", "lognormal 1.0", "late", "few values", "beta 5, 1")
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


def _experiments(
    name: str, runs: int, rate: float, experiments: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate experiments, and return those with a successful run.

    Returns:
        Hits and spent evaluations, each of shape ``(n_experiments, n_runs)``.
    """
    rng = np.random.default_rng([seed, *name.encode(), runs, int(100 * rate)])
    hits, spent = success_runs(rng, SUCCESSES[name], rate, (experiments, runs), rate < 1)
    some = np.isfinite(hits).any(axis=1)
    return hits[some], spent[some]


def art_rows(name: str, runs: int, rate: float, experiments: int, seed: int) -> list[Row]:
    """Compute the rows of `art_interval` for one distribution of runtimes.

    Args:
        name: A key of ``SUCCESSES``.
        runs: Number of runs of an experiment.
        rate: Success probability of a run.
        experiments: Number of experiments.
        seed: Random seed.
    """
    hits, spent = _experiments(name, runs, rate, experiments, seed)
    resampling = Resampling(seed=seed)
    intervals = ours(hits, spent, resampling)
    without_failure, wider = np.isfinite(hits).all(axis=1), intervals.copy()
    if without_failure.any():
        wider[:, without_failure] = ours(
            hits[without_failure], spent[without_failure], resampling, budget=FAILURE
        )
    return _rows({"firsthit": intervals, "firsthit, budget": wider}, name, runs, rate)


def textbook_rows(name: str, runs: int, rate: float, experiments: int, seed: int) -> list[Row]:
    """Compute the rows of the textbook methods; the arguments are those of `art_rows`."""
    hits, spent = _experiments(name, runs, rate, max(experiments // 4, 20), seed)
    methods = {
        "Student on the log": student_on_log(hits, spent, Resampling().level),
        "BCa": bca(hits, spent, Resampling().level, seed),
    }
    return _rows(methods, name, runs, rate)


def _rows(methods: dict[str, np.ndarray], name: str, runs: int, rate: float) -> list[Row]:
    success = SUCCESSES[name]
    truth = true_runtime(success, rate)
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
    """Compute firsthit's interval for each experiment.

    Args:
        hits: Hits, shape ``(n_experiments, n_runs)``.
        spent: Spent evaluations in the shape of ``hits``.
        resampling: Level, seed and number of resamples.
        instances: Instance of each run. None: runs are independent.
        budget: Cost of a failure, for experiments without a failure.

    Returns:
        Lower and upper ends, shape ``(2, n_experiments)``.
    """
    cells = [
        (run_hits[:, None], run_spent, instances)
        for run_hits, run_spent in zip(hits, spent, strict=True)
    ]
    return np.hstack(art_intervals(cells, resampling, budget))


def measured(ends: np.ndarray, truth: float) -> tuple[float, float, float, float, float]:
    """Return the last five values of a `Row` for intervals of shape ``(2, n_experiments)``."""
    below, above = float((truth < ends[0]).mean()), float((truth > ends[1]).mean())
    finite = np.isfinite(ends[1]) & (ends[0] > 0)
    width = float(np.median(ends[1, finite] / ends[0, finite])) if finite.any() else np.inf
    return 1 - below - above, below, above, width, float(np.isinf(ends[1]).mean())


def repeated_rows(
    design: tuple[int, int], spread: float, rate: float, experiments: int, seed: int
) -> list[Row]:
    """Compute the rows for several runs on each instance.

    Args:
        design: Number of instances, and of runs on each instance.
        spread: Standard deviation of the log-difficulties of the instances.
        rate: Success probability of a run.
        experiments: Number of experiments.
        seed: Random seed.
    """
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
    """Compute the rows for the ratio of the average runtimes of two equal algorithms.

    The arguments are those of `art_rows`.
    """
    rng = np.random.default_rng([seed, *name.encode(), runs, int(100 * rate), 7])
    intervals = []
    for _ in range(experiments):
        first, second = (success_runs(rng, SUCCESSES[name], rate, (runs,), False) for _ in "ab")
        if np.isfinite(first[0]).any() and np.isfinite(second[0]).any():
            intervals.append(ratio_interval(first, second, Resampling(seed=seed)))
    values = measured(np.array(intervals).T, 1.0)
    return [Row("firsthit", str(runs), rate, name, "ratio", *values)]


def _tasks(asked: argparse.Namespace) -> Iterator[tuple[Callable[..., list[Row]], ...]]:
    makers = {"art": art_rows, "textbook": textbook_rows, "ratio": ratio_rows}
    for part, maker in makers.items():
        for name in asked.laws:
            if part not in asked.part or (part == "ratio" and name not in IN_RATIOS):
                continue
            for runs in asked.runs:
                for rate in asked.rates:
                    yield maker, name, runs, rate, asked.experiments, asked.seed
    if "repetitions" in asked.part:
        for design in DESIGNS:
            for spread in SPREADS:
                for rate in (0.6, 1.0):
                    yield repeated_rows, design, spread, rate, asked.experiments, asked.seed


def write(rows: Sequence[Row], file: TextIO, with_header: bool = True) -> None:
    """Write rows as CSV, with a line of column titles if ``with_header``."""
    lines = csv.writer(file, lineterminator="\n")
    if with_header:
        lines.writerow(Row._fields)
    for row in rows:
        lines.writerow([*row[:5], *(f"{value:.4g}" for value in row[5:])])


def read(path: Path) -> list[Row]:
    """Read all rows of a CSV file, including those of other parts."""
    with path.open() as file:
        return [
            Row(*row[:2], float(row[2]), *row[3:5], *map(float, row[5:]))
            for row in list(csv.reader(file))[1:]
        ]


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines with mean and minimum coverage over the distributions of a kind."""
    yield f"{'':<20}{'laws':<14}{'runs':>5}  mean / least coverage at rate " + " ".join(
        map(str, RATES)
    )
    for kind in (*KINDS, "ratio"):
        for method in dict.fromkeys(row.method for row in rows if row.kind == kind):
            for runs in RUNS:
                line = f"{method:<20}{kind:<14}{runs:>5}"
                for rate in RATES:
                    coverages = [
                        row.coverage
                        for row in rows
                        if row[:3] == (method, str(runs), rate) and row.kind == kind
                    ]
                    if coverages:
                        line += f"  {np.mean(coverages):.3f}/{min(coverages):.3f}"
                    else:
                        line += "       -     "
                yield line
    for row in rows:
        if row.kind == "repetitions":
            yield f"{row.method:<20}{row.law:<14}{row.runs:>6} rate {row.rate}  {row.coverage:.3f}"
        if row.method == "firsthit" and row.rate == 1 and row.infinite > 0:
            yield f"infinite: {row}"


def numbers(text: str) -> list[float]:
    return [float(one) for one in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--part", default=",".join(PARTS), help="some of " + ", ".join(PARTS))
    parser.add_argument("--laws", help="separated by semicolons [default: all]")
    parser.add_argument("--runs", type=numbers, default=RUNS)
    parser.add_argument("--rates", type=numbers, default=RATES)
    parser.add_argument("--experiments", type=int, default=1600, help="of a cell, 20 or more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    asked.laws = list(SUCCESSES) if asked.laws is None else asked.laws.split(";")
    asked.runs = [int(runs) for runs in asked.runs]
    is_new = asked.output is None or not asked.output.exists()
    rows: list[Row] = []
    with (
        ProcessPoolExecutor(asked.processes) as pool,
        asked.output.open("a") if asked.output else nullcontext(sys.stdout) as file,
    ):
        for i, part in enumerate([pool.submit(*task) for task in _tasks(asked)]):
            rows += part.result()
            write(part.result(), file, is_new and i == 0)
            file.flush()
    if asked.output is not None:
        rows = read(asked.output)
    print(f"\n{asked.experiments} experiments, seed {asked.seed}")
    print()
    for line in summary(rows):
        print(line)


if __name__ == "__main__":
    main()
