"""The artificial best of several algorithms as a table: the smallest aRT to each target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....suites.names import natural
from ...data.notes import notes_on_targets
from ...data.references import BestOf, best_of_algorithms
from ...data.run_sets import RunSet
from ...statistics.hits import successes
from ...tables.table import Table, Value, table_of, text
from ...targets.parse import target_text
from ...targets.target_sets import TargetSet

BEST_COLUMNS = (
    "suite", "function", "dimension", "target", "art", "algorithm", "successes", "runs",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class BestTable(Table):
    """The best algorithm on each target; as text, one line for each function and dimension.

    Columns: ``suite, function, dimension, target``; ``art`` in evaluations, inf where nobody
    reached the target; ``algorithm``, whose it is; its ``successes`` of ``runs``.

    Attributes:
        entries: The reference by function and dimension, with the runs.
    """

    entries: tuple[BestOf, ...] = ()

    def shares(self) -> Table:
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
            for name, n in sorted(counted.items(), key=lambda item: (-item[1], natural(item[0])))
        ]
        columns = table_of(("suite", "dimension", "algorithm", "targets", "share"), rows)
        return Table(columns, self.notes)

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        targets = sorted(set(self["target"].tolist()), reverse=True)
        lines = [
            [text(one.suite), str(one.function), str(one.dimension), *_cells(one, targets)]
            for one in self.entries
        ]
        return [*BEST_COLUMNS[:3], *map(target_text, targets)], lines


def best_reference(run_sets: Iterable[RunSet], targets: TargetSet) -> BestTable:
    """The best of all algorithms for each function, dimension and target; see `BestOf`.

    Args:
        run_sets: Each algorithm, function and dimension once.
        targets: Precisions of their hits.
    """
    data = list(run_sets)
    entries = best_of_algorithms(data, targets)
    rows: list[list[Value]] = []
    for entry in entries:
        head: list[Value] = [entry.suite, entry.function, entry.dimension]
        for j, target in enumerate(entry.targets.tolist()):
            hits, _ = entry.runs_of(j)
            counts: list[Value] = [int(successes(hits)), len(hits)]
            art = float(entry.average_runtimes[j])
            rows.append([*head, target, art, entry.algorithms[j], *counts])
    return BestTable(table_of(BEST_COLUMNS, rows), notes_on_targets(data, targets), entries)


def _cells(entry: BestOf, targets: Sequence[float]) -> list[str]:
    known = {
        target: f"{text(art)} {text(name)}".rstrip()
        for target, art, name in zip(
            entry.targets.tolist(), entry.average_runtimes.tolist(), entry.algorithms, strict=True
        )
    }
    return [known.get(target, "") for target in targets]
