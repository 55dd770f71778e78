"""Read the first hits of targets of runs, by algorithm, function and dimension.

`run_sets_of` returns a `RunSet` for each algorithm, function and dimension. `matched` and
`paired_rows` combine the run sets of two algorithms.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...suites.measurement import Measurement
from ...suites.texts import natural
from ..cost import Count, check_count, is_seconds, spent_of
from ..errors import AssessmentError
from ..grouping import CellRuns, by_cell
from ..selection import (
    cells,
    measurement_of,
    refuse_mixed,
    sorted_cells,
    suite_of,
    with_reference,
)
from ..statistics.quantiles import Floats
from ..targets.target_sets import TargetSet, allows_restarts

if TYPE_CHECKING:
    from ...loggers import Log

_CUT = ("budget", "timeout", "interrupted")
"""Statuses of runs that a limit ended."""
_ROWS_AT_ONCE = 20_000
"""Number of runs whose hits are read at once, which bounds the memory."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RunSet(CellRuns):
    """All runs of one algorithm on one function in one dimension.

    Every run counts once, whatever its instance and repetition. Failed and interrupted runs count
    with the evaluations that they spent.

    Attributes (besides those of `CellRuns`):
        repetitions: Repetition of each run, shape ``(n_runs,)``.
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN if not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``. For a run that reached the suite's
            final target, the evaluations at that hit (as in cocopp).
        total: All evaluations of each run, shape ``(n_runs,)``; empty if unknown.
        cut: Mask of the runs that a limit ended, not the algorithm, shape ``(n_runs,)``; empty if
            unknown.
        restarts: Whether the runs are repetitions of one experiment, from which restarts can be
            simulated; False with two objectives (`allows_restarts`).
        rows: Rows of ``log.runs``, shape ``(n_runs,)``; empty if unknown.
        exact: False if the log's grid is too coarse and the hit is an upper bound, in the shape of
            ``hits``.
    """

    repetitions: NDArray[np.int64]
    hits: Floats
    spent: Floats
    exact: NDArray[np.bool_]
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    total: Floats = field(default_factory=lambda: np.empty(0))
    cut: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    restarts: bool = True

    def rng(self, seed: int) -> np.random.Generator:
        """Return a random generator that depends on ``seed`` and the cell's names only.

        The draws of a cell therefore do not change when other data are added.
        """
        name = f"{self.algorithm}\0{self.suite}\0{self.function}\0{self.dimension}"
        words = struct.unpack("<8I", hashlib.sha256(name.encode()).digest())
        return np.random.default_rng([seed, *words])


def run_sets_of(
    log: Log, rows: NDArray[np.intp], targets: TargetSet, count: Count = "f+g"
) -> list[RunSet]:
    """Read the run sets of runs, ordered by algorithm, suite, function and dimension.

    Args:
        log: The log.
        rows: Rows of ``log.runs``; runs without a reference value are left out.
        targets: The targets of each function.
        count: What counts as an evaluation.

    Raises:
        UnknownNameError: ``count`` is no `Count`.
        AssessmentError: Targets have no meaning for any function (reference values are unknown), or
            the runs belong to two versions of a suite.
    """
    check_count(log, rows, count)
    rows = with_reference(log, rows)
    refuse_mixed(log, rows)
    runs, parts = log.runs, []
    columns = ("suite", "function", "dimension") if targets.own else ("suite",)
    for positions in cells(log, rows, columns):
        part_rows = rows[positions]
        first = part_rows[0]
        suite = suite_of(log, first)
        function, dimension = (int(runs[name][first]) for name in ("function", "dimension"))
        precisions = np.array(targets.of(suite, function, dimension))
        measurement = measurement_of(log, suite)
        parts.append(list(_read_run_sets(log, part_rows, precisions, measurement, count)))
    if len(parts) == 1:
        return parts[0]
    return sorted(
        (run_set for part in parts for run_set in part),
        key=lambda run_set: (
            natural(run_set.algorithm),
            run_set.suite,
            run_set.function,
            run_set.dimension,
        ),
    )


def in_batches(run_sets: Sequence[RunSet], size: int | None) -> list[RunSet]:
    """Convert hits and lengths from evaluations to batches, rounded up.

    Args:
        run_sets: Run sets in evaluations.
        size: Evaluations of a batch. None: return the run sets unchanged.
    """
    if size is None:
        return list(run_sets)
    return [
        replace(
            run_set,
            hits=np.ceil(run_set.hits / size),
            spent=np.ceil(run_set.spent / size),
            total=np.ceil(run_set.total / size),
        )
        for run_set in run_sets
    ]


def matched(run_sets: Sequence[RunSet], first: str, second: str) -> list[tuple[RunSet, RunSet]]:
    """Pair the run sets of two algorithms on the same suite, function and dimension.

    Args:
        run_sets: Run sets of these and possibly other algorithms.
        first: Name of the first algorithm.
        second: Name of the second algorithm.

    Returns:
        Pairs (of the first, of the second algorithm), in the order of ``run_sets``.

    Raises:
        AssessmentError: The algorithms have no function in a dimension in common.
    """
    second_run_sets = {t.problem_class: t for t in run_sets if t.algorithm == second}
    pairs = [
        (run_set, second_run_sets[key])
        for run_set in run_sets
        if run_set.algorithm == first and (key := run_set.problem_class) in second_run_sets
    ]
    if not pairs:
        raise AssessmentError(f"{first!r} and {second!r} share no function and dimension")
    return pairs


def _read_run_sets(
    log: Log, rows: NDArray[np.intp], targets: Floats, measurement: Measurement, count: Count
) -> Iterator[RunSet]:
    """Yield the run sets of rows of one suite that all have the same targets."""
    final_target, restarts = measurement.final_target, allows_restarts(measurement)
    runs = log.runs
    names = ("algorithm", "suite", "function", "dimension")
    order, _ = sorted_cells(log, rows, (*names, "instance", "repetition"))
    # the hit of the final target, which `spent` needs, is read with the others as the last column
    ends = targets if final_target is None else np.append(targets, final_target)
    hits, exact = _read_sorted_hits(log, rows, order, ends, count)
    rows = rows[order]
    spent = total = spent_of(log, rows, count)
    if final_target is not None:
        spent = np.where(np.isfinite(hits[:, -1]), hits[:, -1], total)
    hits, exact = hits[:, : len(targets)], exact[:, : len(targets)]
    statuses, status = runs.codes("status")
    cut = np.array([name in _CUT for name in statuses])[status[rows]]
    repetitions = runs["repetition"][rows].astype(np.int64)
    for positions, attributes in by_cell(log, rows, count, names):
        # rows are sorted, so that a slice suffices, which copies no hits
        part = slice(int(positions[0]), int(positions[-1]) + 1)
        yield RunSet(
            **attributes,
            repetitions=repetitions[part],
            hits=hits[part],
            spent=spent[part],
            exact=exact[part],
            rows=rows[part],
            total=total[part],
            cut=cut[part],
            restarts=restarts,
        )


def _read_hits(
    log: Log, rows: NDArray[np.intp], targets: Floats, count: Count
) -> tuple[Floats, NDArray[np.bool_]]:
    """Read first hits in the requested count, and whether they are exact."""
    if is_seconds(count):
        return log.first_hits(rows, targets, in_seconds=True)
    if count == "f" or not log.runs["evaluations_constraints"][rows].any():
        return log.first_hits(rows, targets)
    both, exact = log.first_hits(rows, targets, 1.0)
    return (both if count == "f+g" else both - log.first_hits(rows, targets)[0]), exact


def _read_sorted_hits(
    log: Log, rows: NDArray[np.intp], order: NDArray[np.intp], targets: Floats, count: Count
) -> tuple[Floats, NDArray[np.bool_]]:
    """Read first hits of ``rows[order]``; the log is read in the order of ``rows``, its own."""
    sorted_positions = np.empty(len(rows), dtype=np.intp)
    sorted_positions[order] = np.arange(len(rows))
    hits = np.empty((len(rows), len(targets)))
    exact = np.empty(hits.shape, dtype=np.bool_)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        positions = sorted_positions[part]
        hits[positions], exact[positions] = _read_hits(log, rows[part], targets, count)
    return hits, np.broadcast_to(np.True_, exact.shape) if exact.all() else exact


def paired_rows(base: RunSet, new: RunSet) -> NDArray[np.int64]:
    """Pair the runs of two run sets with the same instance and repetition.

    Args:
        base: The first run set.
        new: The second run set.

    Returns:
        Indices of runs in ``base`` and ``new``, shape ``(n_pairs, 2)``; each run at most once.
    """
    base_keys, new_keys = (
        zip(run_set.instances.tolist(), run_set.repetitions.tolist(), strict=True)
        for run_set in (base, new)
    )
    unpaired = {key: row for row, key in enumerate(new_keys)}
    pairs = [(row, unpaired.pop(key)) for row, key in enumerate(base_keys) if key in unpaired]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
