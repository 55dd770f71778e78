"""The artificial best algorithm of a set of logs: on every target the one with the smallest aRT.

Hansen, Auger, Brockhoff, Tušar, "COCO: Performance Assessment" (2016), arXiv:1605.03560, section 5:
"for each function and target the algorithm with the smallest aRT is taken".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...loggers.targets.grid import GRID_TOLERANCE
from ..errors import AssessmentError
from ..statistics.average_runtime import Floats, average_runtime, simulated_runtimes
from ..tables.table import Table, Value, aligned, table_of, text
from ..targets.parse import target_text
from ..targets.runlength import ReferenceRuntimes
from ..targets.target_sets import TargetSet, notes_on_targets
from .run_sets import Trials

BEST_COLUMNS = (
    "suite", "function", "dimension", "target", "art", "algorithm", "successes", "runs",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class BestOf:
    """The best of several algorithms on one function in one dimension; a `ReferenceRuntimes`.

    Attributes:
        suite: Name of the suite.
        function: Number of the function.
        dimension: Number of variables.
        targets: Precisions, descending, shape ``(n_targets,)``.
        average_runtimes: Smallest aRT, evaluations, shape ``(n_targets,)``; inf where none reached
            the target.
        algorithms: Whose it is, for each target; of equal ones the first by name, empty where there
            is none.
        winners: The winner's position in ``trials`` for each target; -1 where there is none.
        trials: The runs of all algorithms.
    """

    suite: str
    function: int
    dimension: int
    targets: Floats
    average_runtimes: Floats
    algorithms: tuple[str, ...]
    winners: NDArray[np.int64]
    trials: tuple[Trials, ...]

    def runs_of(self, target: int) -> tuple[Floats, Floats]:
        """The winner's runs to a target: hits and spent evaluations, both ``(n_runs,)``.

        Where nobody reached it: the runs of the first algorithm.
        """
        one = self.trials[max(int(self.winners[target]), 0)]
        return one.hits[:, target], one.spent

    def simulated_runtimes(self, samples: int, rng: np.random.Generator) -> Floats:
        """Simulated runtimes of each target's winner, shape ``(samples, n_targets)``."""
        columns = []
        for j in range(len(self.targets)):
            hits, spent = self.runs_of(j)
            columns.append(simulated_runtimes(hits[:, None], spent, samples, rng))
        return np.hstack(columns)


@dataclass(frozen=True, eq=False)
class BestTable(Table):
    """The best algorithm on each target; as text, one line for each function and dimension.

    Columns: ``suite, function, dimension, target``; ``art`` in evaluations, inf where nobody
    reached the target; ``algorithm``, whose it is; its ``successes`` of ``runs``.

    Attributes:
        entries: The reference by function and dimension, with the runs.
    """

    entries: tuple[BestOf, ...] = ()

    def contributions(self) -> Table:
        """How many targets each algorithm is best on, in each suite and dimension.

        Columns: ``suite, dimension, algorithm, targets``, their ``share`` of all function-target
        pairs that anybody reached.
        """
        counts: dict[tuple[str, int], Counter[str]] = {}
        for one in self.entries:
            found = counts.setdefault((one.suite, one.dimension), Counter())
            found.update(name for name in one.algorithms if name)
        rows: list[list[Value]] = [
            [*cell, name, n, n / counted.total()]
            for cell, counted in sorted(counts.items())
            for name, n in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
        ]
        return Table(table_of(("suite", "dimension", "algorithm", "targets", "share"), rows))

    def __str__(self) -> str:
        targets = sorted(set(self["target"].tolist()), reverse=True)
        lines = [
            [text(one.suite), str(one.function), str(one.dimension), *_cells(one, targets)]
            for one in self.entries
        ]
        return aligned([*BEST_COLUMNS[:3], *map(target_text, targets)], lines)


def best_reference(trials: Iterable[Trials], targets: TargetSet) -> BestTable:
    """The best of all algorithms for each suite, function, dimension and target.

    A selection: the smallest of several averages is smaller than any of them in expectation, the
    more so the fewer the runs. It is an artificial algorithm, and what is compared with it must not
    be tested against it on the same runs.

    Args:
        trials: Each algorithm, function and dimension once.
        targets: Precisions of their hits.
    """
    data = list(trials)
    cells: dict[tuple[str, int, int], list[Trials]] = {}
    for one in sorted(data, key=lambda t: t.algorithm):
        cells.setdefault((one.suite, one.function, one.dimension), []).append(one)
    entries = tuple(_best_of(cell, tuple(cells[cell]), targets.of(*cell)) for cell in sorted(cells))
    rows: list[list[Value]] = []
    for entry in entries:
        head: list[Value] = [entry.suite, entry.function, entry.dimension]
        for j, target in enumerate(entry.targets.tolist()):
            hits, _ = entry.runs_of(j)
            counts: list[Value] = [int(np.isfinite(hits).sum()), len(hits)]
            art = float(entry.average_runtimes[j])
            rows.append([*head, target, art, entry.algorithms[j], *counts])
    return BestTable(table_of(BEST_COLUMNS, rows), notes_on_targets(data, targets), entries)


def reference_runtimes(entry: ReferenceRuntimes, targets: Sequence[float]) -> Floats:
    """The reference's aRT to ``targets``: that of its easiest target that is at most each.

    Files of COCO's reference algorithms leave out targets that cost as much as a harder one. inf
    beyond the hardest. Shape ``(len(targets),)``.
    """
    known = np.asarray(entry.targets, dtype=np.float64)
    wanted = np.asarray(targets, dtype=np.float64)
    place = np.searchsorted(-known, -wanted * (1 + GRID_TOLERANCE))
    return np.append(np.asarray(entry.average_runtimes, dtype=np.float64), np.inf)[place]


def by_cell(
    entries: Iterable[ReferenceRuntimes],
) -> dict[tuple[str, int, int], ReferenceRuntimes]:
    """Entries by suite, function and dimension.

    Raises:
        AssessmentError: One is there twice.
    """
    found: dict[tuple[str, int, int], ReferenceRuntimes] = {}
    for entry in entries:
        cell = entry.suite, entry.function, entry.dimension
        if cell in found:
            raise AssessmentError(
                f"the reference has f{cell[1]} of {cell[0]!r} in {cell[2]}-D twice"
            )
        found[cell] = entry
    return found


def _best_of(
    cell: tuple[str, int, int], trials: tuple[Trials, ...], targets: Sequence[float]
) -> BestOf:
    art = np.array([average_runtime(one.hits, one.spent) for one in trials])
    best, place = art.min(axis=0), art.argmin(axis=0)
    winners = np.where(np.isfinite(best), place, -1)
    names = tuple(trials[i].algorithm if i >= 0 else "" for i in winners.tolist())
    return BestOf(*cell, np.array(targets, dtype=np.float64), best, names, winners, trials)


def _cells(entry: BestOf, targets: Sequence[float]) -> list[str]:
    known = {
        target: f"{text(art)} {text(name)}".rstrip()
        for target, art, name in zip(
            entry.targets.tolist(), entry.average_runtimes.tolist(), entry.algorithms, strict=True
        )
    }
    return [known.get(target, "") for target in targets]
