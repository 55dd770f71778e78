"""Compute the artificial best of several algorithms: the smallest aRT to each target.

The question `best` shows the best algorithm on each target, or counts the targets that each
algorithm is best on. With ``output``, it also writes the best as a reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...suites.texts import natural
from ..caveats import Explanation
from ..errors import AssessmentError
from ..references import NUMBER_OF_TARGETS, TABLE_SUFFIX, BestOf, best_of_algorithms
from ..samples.at_targets import AtTargets
from ..samples.convention import EACH_RUN
from ..statistics.hits import successes
from ..tables.table import Table, Value, table_of, text
from ..targets.target_sets import TargetSet, decades, key_of, key_text
from ..targets_from_runs import log_reference
from ._framework.needs import at_targets
from ._framework.options import OutputFile, Targets
from ._framework.question import question

BEST_COLUMNS = (
    "suite", "function", "dimension", "target", "art", "algorithm", "successes", "runs",
)  # fmt: skip
_SHARE_COLUMNS = ("suite", "dimension", "algorithm", "targets", "share")


@dataclass(frozen=True, eq=False, repr=False)
class BestTable(Table):
    """The best algorithm on each target; as text, one line for each function and dimension.

    Each row belongs to a ``suite``, ``function``, ``dimension`` and ``target``. Run-length targets
    also have a column ``budget``, in evaluations / dimension. ``art`` is the smallest average
    runtime in evaluations; inf if no algorithm reached the target. ``algorithm`` is the algorithm
    that has it, and ``successes`` is how many of its ``runs`` hit the target.

    Attributes:
        entries: The reference by function and dimension, with the runs.
    """

    entries: tuple[BestOf, ...] = ()

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return column titles and cells for text and LaTeX, with a column for each target."""
        by = key_of(self.names)
        keys = sorted(set(self[by].tolist()), reverse=by == "target")
        lines: dict[tuple[Value, ...], dict[float, str]] = {}
        for row in self._records():
            line = lines.setdefault(tuple(row[name] for name in BEST_COLUMNS[:3]), {})
            line[row[by]] = f"{text(row['art'])} {text(row['algorithm'])}".rstrip()
        cells = [
            [*map(text, line), *(text_of_key.get(key, "") for key in keys)]
            for line, text_of_key in lines.items()
        ]
        return [*BEST_COLUMNS[:3], *(key_text(by, key) for key in keys)], cells


@question(
    "Algorithms against each other, function by function",
    40,
    needs=at_targets(decades),
    convention=EACH_RUN,
    joins="shares",
    examples=(
        "results/quickstart.h5 --targets 1e-1",
        "results/quickstart.h5 --shares",
        "results/quickstart.h5 --output best.csv",
    ),
    explains=[
        Explanation(
            "reference file",
            "reference file: best.csv, with 24 pairs of function and dimension.",
            "The file contains the smallest average runtimes of this table. Later results can be "
            "compared with them.",
            "Pass the file with --reference in another table, so that all tables have the same "
            "reference.",
            is_definition=True,
        )
    ],
)
def best(
    sample: AtTargets,
    targets: Targets | None = None,
    *,
    shares: bool = False,
    output: OutputFile | None = None,
) -> Table:
    """Find the algorithm with the smallest average runtime to each target.

    If several algorithms have the same average, the table names the first one in alphabetical
    order. With ``shares``, the table shows on how many function-target pairs of a dimension each
    algorithm is the best. It then counts only the functions, dimensions and instances that all
    algorithms were run on, unless ``unequal`` is set.

    Args:
        shares: Count the function-target pairs that each algorithm is best on.
        output: CSV file for the averages, which ``reference`` of other tables accepts. The targets
            are COCO's (five per decade), or ``targets``. None: no file.

    Returns:
        One row for each function, dimension and target: the ``algorithm`` with the smallest aRT,
        and ``art``. With ``shares``, one row for each dimension and algorithm: ``targets`` is the
        number of pairs that the algorithm is best on, and ``share`` is their share of all pairs
        that any algorithm reached.
        An existing file ``output`` is replaced.

    Raises:
        AssessmentError: ``unequal`` is set without ``shares``, ``output`` does not end in .csv, or
            something other than f+g is counted.
    """
    entries = best_of_algorithms(sample, sample.targets)
    notes: tuple[str, ...] = ()
    if output is not None:
        entries_to_write = None if targets is None else entries
        notes = (_write_reference(sample, entries_to_write, output),)
    return shares_table(entries, notes) if shares else best_table(entries, sample.targets, notes)


def _write_reference(
    sample: AtTargets, entries: Sequence[BestOf] | None, output: str | Path
) -> str:
    """Write the best algorithms to a CSV file as a reference, and return a note on it.

    If ``entries`` is None, the reference has COCO's targets.

    Raises:
        AssessmentError: ``output`` does not end in .csv, or something else than f+g is counted.
    """
    if Path(output).suffix != TABLE_SUFFIX:
        raise AssessmentError(f"output: {str(output)!r} must end in {TABLE_SUFFIX}")
    if sample.count != "f+g":
        raise AssessmentError("output: a reference counts all evaluations; leave count out")
    written = tuple(log_reference(sample.log, sample.rows) if entries is None else entries)
    targets_by_class = {
        (entry.suite, entry.function, entry.dimension): tuple(entry.targets.tolist())
        for entry in written
    }
    table = best_table(written, TargetSet("of the reference", own=targets_by_class))
    columns = {name: table[name] for name in table.names}
    columns[NUMBER_OF_TARGETS] = np.full(len(table), len(table))
    Table(columns).to_csv(output)
    return f"reference file: {output}, with {len(written)} pairs of function and dimension."


def best_table(
    entries: Sequence[BestOf], targets: TargetSet, notes: tuple[str, ...] = ()
) -> BestTable:
    """Return the table of the best algorithm on each target.

    Args:
        entries: The best algorithms, one entry for each suite, function and dimension.
        targets: Targets of the entries.
        notes: Notes below the table.
    """
    rows: list[list[Value]] = []
    for entry in entries:
        problem_class = entry.suite, entry.function, entry.dimension
        for j, key in enumerate(targets.keys(*problem_class)):
            hits, _ = entry.runs_of(j)
            counts: list[Value] = [int(successes(hits)), len(hits)]
            art = float(entry.average_runtimes[j])
            rows.append([*problem_class, *key, art, entry.algorithms[j], *counts])
    return BestTable(table_of(targets.named(BEST_COLUMNS), rows), notes, tuple(entries))


def shares_table(entries: Sequence[BestOf], notes: tuple[str, ...] = ()) -> Table:
    """Count the targets that each algorithm is best on, in each suite and dimension.

    Args:
        entries: The best algorithms, one entry for each suite, function and dimension.
        notes: Notes below the table.

    Returns:
        The table of `best` with ``shares``, the largest share of a dimension first.
    """
    counts: dict[tuple[str, int], Counter[str]] = {}
    for entry in entries:
        counter = counts.setdefault((entry.suite, entry.dimension), Counter())
        counter.update(name for name in entry.algorithms if name)  # "": no algorithm reached it
    rows: list[list[Value]] = [
        [*key, name, n, n / counter.total()]
        for key, counter in sorted(counts.items())
        for name, n in sorted(counter.items(), key=lambda item: (-item[1], natural(item[0])))
    ]
    return Table(table_of(_SHARE_COLUMNS, rows), notes)
