"""Generate logs of synthetic runs, to measure how fast large logs are assessed.

A run approaches the optimum at a random speed, which depends on its algorithm and function. It hits
40 to 80 targets of the grid, and succeeds or stops at its budget. The code is vectorised: a million
runs take minutes, mostly to compress the file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firsthit.loggers.hdf5.ragged import Ragged, nothing
from firsthit.loggers.hdf5.schema import RUNS
from firsthit.loggers.hdf5.table import FunctionRow, LogTable
from firsthit.loggers.records.dtypes import HITS, TABLES, TRAJECTORY, as_rows
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import STATUSES, SuiteFacts
from firsthit.loggers.targets.grid import FINAL_TARGET, grid

SCHEDULE = np.unique(np.round(10 ** (np.arange(140) / 20)).astype(np.int64))
"""Evaluations at which trajectories have rows: 20 per decade."""


@dataclass(frozen=True)
class Size:
    """Size of a log; there is a run for each combination.

    Attributes:
        functions: Number of functions.
        dimensions: The dimensions.
        instances: Number of instances.
        algorithms: Number of algorithms.
        repetitions: Number of runs of an algorithm on a problem.
        hits: Minimum and maximum number of hits of a run.
    """

    functions: int = 24
    dimensions: tuple[int, ...] = (2, 3, 5, 10, 20, 40)
    instances: int = 15
    algorithms: int = 10
    repetitions: int = 1
    hits: tuple[int, int] = (40, 80)

    @property
    def runs(self) -> int:
        """Number of runs."""
        cells = self.functions * len(self.dimensions) * self.algorithms
        return cells * self.instances * self.repetitions


def synthetic_table(size: Size, seed: int = 1) -> LogTable:
    """Generate the table of a log; its runs are in the order in which a log stores them."""
    rng = np.random.default_rng(seed)
    runs = _runs(size, rng)
    successful = runs["status"] == STATUSES.index("target")
    hits = _hits(runs, successful, size.hits, rng)
    last = hits.offsets[1:] - 1
    runs["evaluations"] = np.where(successful, hits.rows["evaluation"][last], runs["budget"])
    runs["best_precision"] = hits.rows["precision"][last]
    ragged = {name: nothing(name, len(runs)) for name in TABLES}
    ragged |= {"hits": hits, "trajectory": _trajectory(runs, hits)}
    algorithms = tuple(f"algorithm-{i:02d}" for i in range(size.algorithms))
    functions = tuple(
        FunctionRow("bbob", f, f"function {f}", f"group {(f - 1) // 5 + 1}")
        for f in range(1, size.functions + 1)
    )
    header = LogHeader({name: {} for name in algorithms}).to_json()
    suites = (SuiteFacts("bbob"),)
    return LogTable((header,), algorithms, suites, functions, ("",), ("",), runs, ragged)


def _runs(size: Size, rng: np.random.Generator) -> NDArray[np.void]:
    axes = (
        np.array(size.dimensions),
        np.arange(1, size.functions + 1),
        np.arange(1, size.instances + 1),
        np.arange(size.algorithms),
        np.arange(size.repetitions),
    )
    dimension, function, instance, algorithm, repetition = (
        axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")
    )
    runs = np.zeros(size.runs, RUNS)
    runs["key"] = np.frombuffer(rng.bytes(16 * size.runs).hex().encode(), dtype="S32")
    runs["dimension"], runs["function"], runs["instance"] = dimension, function, instance
    runs["algorithm"], runs["repetition"] = algorithm, repetition
    runs["function_row"] = function - 1
    runs["budget"] = 10_000 * dimension
    runs["seed"] = rng.integers(2**63, size=size.runs)
    rate = rng.uniform(0, 1, (size.algorithms, size.functions, len(size.dimensions)))
    dimension_index = np.searchsorted(size.dimensions, dimension)
    successful = rng.uniform(size=size.runs) < rate[algorithm, function - 1, dimension_index]
    ends = (STATUSES.index("target"), STATUSES.index("budget"))
    runs["status"] = np.where(successful, *ends)
    for name in ("wall_seconds", "cpu_seconds", "problem_seconds"):
        runs[name] = rng.exponential(0.1, size.runs)
    return runs


def _hits(
    runs: NDArray[np.void],
    successful: NDArray[np.bool_],
    ends: tuple[int, int],
    rng: np.random.Generator,
) -> Ragged:
    """Generate hits from a target near 1e2 down to the final target, or to the last one hit.

    Args:
        runs: The rows of ``runs``.
        successful: Whether each run hits the final target.
        ends: Minimum and maximum number of hits of a run.
        rng: Source of randomness.
    """
    lengths = rng.integers(ends[0], ends[1] + 1, len(runs))
    offset = np.concatenate(([0], np.cumsum(lengths)))
    run = np.repeat(np.arange(len(runs)), lengths)
    share = (np.arange(offset[-1]) - offset[run]) / (lengths[run] - 1)
    first = rng.integers(20, 60, len(runs))
    stuck = rng.integers(-150, 10, len(runs))
    last = np.where(successful, FINAL_TARGET, stuck)
    target = np.round(first[run] + (last - first)[run] * share).astype(np.int64)
    effort = rng.uniform(0.2, 0.9, len(runs))[run] * np.log(runs["budget"][run] / 100)
    steps = np.ceil(np.exp(effort * share) * rng.exponential(1, len(run)))
    total = np.cumsum(steps)
    before = np.concatenate(([0.0], total))[offset[:-1]]
    evaluation = (total - before[run]).astype(np.int64)
    evaluation = np.minimum(evaluation, runs["budget"][run] - (lengths[run] - 1) * (1 - share))
    evaluation = np.round(evaluation).astype(np.int64)
    values = grid()[target - FINAL_TARGET]
    factor = rng.uniform(0.9, 1, len(runs))[run]
    precision = values * factor * (1 - 1e-3 * share)  # decreases, also if a target is repeated
    return Ragged(offset, as_rows(HITS, values, evaluation, precision))


def _trajectory(runs: NDArray[np.void], hits: Ragged) -> Ragged:
    """Return the best precision at each count of ``SCHEDULE``, from the last hit before it."""
    lengths = np.searchsorted(SCHEDULE, runs["evaluations"], side="right")
    offset = np.concatenate(([0], np.cumsum(lengths)))
    run = np.repeat(np.arange(len(runs)), lengths)
    evaluation = SCHEDULE[np.arange(offset[-1]) - offset[run]]
    span = 10**7  # larger than any number of evaluations, so that keys of runs do not overlap
    run_of_hit = np.repeat(np.arange(len(runs)), hits.lengths)
    keys = run_of_hit * span + hits.rows["evaluation"]
    hit = np.searchsorted(keys, run * span + evaluation, side="right") - 1
    has_hit = (hit >= 0) & (run_of_hit[np.maximum(hit, 0)] == run)
    precision = np.where(has_hit, hits.rows["precision"][hit], 1e3)
    return Ragged(offset, as_rows(TRAJECTORY, evaluation, precision))
