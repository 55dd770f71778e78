"""The runs of a log sorted into run sets: one for each algorithm, function and dimension."""

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
from ..errors import AssessmentError
from ..statistics.quantiles import Floats
from ..targets.target_sets import TargetSet, allows_restarts
from .counting import check_count, is_seconds, spent_of
from .grouping import CellRuns, by_cell
from .selection import (
    cells,
    measurement_of,
    refuse_mixed,
    sorted_cells,
    suite_of,
    with_reference,
)

if TYPE_CHECKING:
    from ...loggers import Log

BROKEN = ("failed", "timeout", "interrupted")
_CUT = ("budget", "timeout", "interrupted")
_ROWS_AT_ONCE = 20_000


@dataclass(frozen=True, eq=False, kw_only=True)
class RunSet(CellRuns):
    """All runs of one algorithm on one function in one dimension.

    Every run counts once, whatever its instance and repetition; failed and interrupted ones count
    with the evaluations they spent.

    Attributes (besides those of `CellRuns`):
        repetitions: Repetition of each run, shape ``(n_runs,)``.
        hits: Evaluations at the first hit, shape ``(n_runs, n_targets)``; NaN where not reached.
        spent: Evaluations of each run, shape ``(n_runs,)``; of a run that reached the suite's final
            target, where there is one, the evaluations at that hit (as in cocopp).
        total: Evaluations of each run in all, shape ``(n_runs,)``; empty where they are not known.
        broken: How many runs failed, timed out or were interrupted.
        cut: Which runs a limit ended, not the algorithm, shape ``(n_runs,)``; empty where it is not
            known.
        restarts: Whether its runs stand for repetitions of one experiment, from which restarts can
            be simulated; not with two objectives (`allows_restarts`).
        rows: Rows of the log that the runs are, shape ``(n_runs,)``; empty where it is not known.
        exact: False where the log's grid is too coarse and the hit is an upper bound, in the shape
            of ``hits``.
    """

    repetitions: NDArray[np.int64]
    hits: Floats
    spent: Floats
    exact: NDArray[np.bool_]
    broken: int = 0
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    total: Floats = field(default_factory=lambda: np.empty(0))
    cut: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    restarts: bool = True

    def rng(self, seed: int) -> np.random.Generator:
        """A generator seeded by ``seed`` and names alone: no other data change its draws."""
        name = f"{self.algorithm}\0{self.suite}\0{self.function}\0{self.dimension}"
        words = struct.unpack("<8I", hashlib.sha256(name.encode()).digest())
        return np.random.default_rng([seed, *words])


def run_sets_of(
    log: Log, rows: NDArray[np.intp], targets: TargetSet, count: str = "f+g"
) -> list[RunSet]:
    """Sort ``rows`` of the log into run sets, by algorithm, suite, function and dimension.

    Raises:
        UnknownNameError: ``count`` is none of the three.
        AssessmentError: Targets have no meaning for any function (reference values are unknown), or
            the runs belong to two versions of a suite.
    """
    check_count(log, rows, count)
    rows = with_reference(log, rows)
    refuse_mixed(log, rows)
    runs, found = log.runs, []
    for places in cells(
        log, rows, ("suite", "function", "dimension") if targets.own else ("suite",)
    ):
        mine = rows[places]
        suite = suite_of(log, mine[0])
        function, dimension = (int(runs[name][mine[0]]) for name in ("function", "dimension"))
        aims = np.array(targets.of(suite, function, dimension))
        found.append(list(_suite_run_sets(log, mine, aims, measurement_of(log, suite), count)))
    if len(found) == 1:
        return found[0]
    return sorted(
        (run_set for part in found for run_set in part),
        key=lambda run_set: (
            natural(run_set.algorithm),
            run_set.suite,
            run_set.function,
            run_set.dimension,
        ),
    )


def in_batches(run_sets: Sequence[RunSet], size: int | None) -> list[RunSet]:
    """Run sets whose hits and lengths are numbers of batches of ``size`` evaluations.

    An evaluation counts with its whole batch, the last one of a run too. None: as they are.
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
    """Run sets of two algorithms on the same suite, function and dimension."""
    there = {t.cell: t for t in run_sets if t.algorithm == second}
    both = [
        (run_set, there[key])
        for run_set in run_sets
        if run_set.algorithm == first and (key := run_set.cell) in there
    ]
    if not both:
        raise AssessmentError(f"{first!r} and {second!r} share no function and dimension")
    return both


def _suite_run_sets(
    log: Log, rows: NDArray[np.intp], targets: Floats, measurement: Measurement, count: str
) -> Iterator[RunSet]:
    """Run sets of rows of one suite, all with the same targets."""
    final_target, restarts = measurement.final_target, allows_restarts(measurement)
    runs = log.runs
    names = ("algorithm", "suite", "function", "dimension")
    order, _ = sorted_cells(log, rows, (*names, "instance", "repetition"))
    ends = targets if final_target is None else np.append(targets, final_target)
    hits, exact = _sorted_hits(log, rows, order, ends, count)
    rows = rows[order]
    spent = total = spent_of(log, rows, count)
    if final_target is not None:
        spent = np.where(np.isfinite(hits[:, -1]), hits[:, -1], total)
    hits, exact = hits[:, : len(targets)], exact[:, : len(targets)]
    statuses, status = runs.codes("status")
    broken, cut = (
        np.array([name in some for name in statuses])[status[rows]] for some in (BROKEN, _CUT)
    )
    repetitions = runs["repetition"][rows].astype(np.int64)
    for places, facts in by_cell(log, rows, count, names):
        part = slice(int(places[0]), int(places[-1]) + 1)  # rows are sorted: no copies of hits
        yield RunSet(
            **facts,
            repetitions=repetitions[part],
            hits=hits[part],
            spent=spent[part],
            exact=exact[part],
            broken=int(broken[part].sum()),
            rows=rows[part],
            total=total[part],
            cut=cut[part],
            restarts=restarts,
        )


def _hits(
    log: Log, rows: NDArray[np.intp], targets: Floats, count: str
) -> tuple[Floats, NDArray[np.bool_]]:
    """First hits, counted as asked."""
    if is_seconds(count):
        return log.first_hits(rows, targets, in_seconds=True)
    if count == "f" or not log.runs["evaluations_constraints"][rows].any():
        return log.first_hits(rows, targets)
    both, exact = log.first_hits(rows, targets, 1.0)
    return (both if count == "f+g" else both - log.first_hits(rows, targets)[0]), exact


def _sorted_hits(
    log: Log, rows: NDArray[np.intp], order: NDArray[np.intp], targets: Floats, count: str
) -> tuple[Floats, NDArray[np.bool_]]:
    """First hits of ``rows[order]``, read in the order of ``rows``, which is that of the log."""
    place = np.empty(len(rows), dtype=np.intp)
    place[order] = np.arange(len(rows))
    hits = np.empty((len(rows), len(targets)))
    exact = np.empty(hits.shape, dtype=np.bool_)
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        hits[place[part]], exact[place[part]] = _hits(log, rows[part], targets, count)
    return hits, np.broadcast_to(np.True_, exact.shape) if exact.all() else exact


def paired_rows(base: RunSet, new: RunSet) -> NDArray[np.int64]:
    """Rows of base and new with the same instance and repetition, each once, ``(n_pairs, 2)``."""
    base_keys, new_keys = (
        zip(run_set.instances.tolist(), run_set.repetitions.tolist(), strict=True)
        for run_set in (base, new)
    )
    places = {key: row for row, key in enumerate(new_keys)}
    found = [(row, places.pop(key)) for row, key in enumerate(base_keys) if key in places]
    return np.array(found, dtype=np.int64).reshape(-1, 2)
