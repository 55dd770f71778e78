"""The artificial best of several algorithms: the smallest aRT to each target, and whose it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...suites.texts import natural
from ..asking.declaration import question
from ..asking.options import OutputFile, Reference, Targets
from ..data.notes import notes_on_targets
from ..data.references import TABLE_SUFFIX, BestOf, best_of_algorithms
from ..data.runs import Runs
from ..data.targets_from_runs import log_reference
from ..errors import AssessmentError
from ..statistics.hits import successes
from ..tables.table import Table, Value, table_of, text
from ..targets.target_sets import TargetSet, decades, key_of, key_text

BEST_COLUMNS = (
    "suite", "function", "dimension", "target", "art", "algorithm", "successes", "runs",
)  # fmt: skip
_SHARE_COLUMNS = ("suite", "dimension", "algorithm", "targets", "share")


@dataclass(frozen=True, eq=False, repr=False)
class BestTable(Table):
    """The best algorithm on each target; as text, one line for each function and dimension.

    Columns: ``suite, function, dimension``; of run-length targets ``budget`` (evaluations /
    dimension); ``target``; ``art`` in evaluations, inf where nobody
    reached the target; ``algorithm``, whose it is; its ``successes`` of ``runs``.

    Attributes:
        entries: The reference by function and dimension, with the runs.
    """

    entries: tuple[BestOf, ...] = ()

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """As text and LaTeX lay it out; see the class."""
        by = key_of(self.names)
        keys = sorted(set(self[by].tolist()), reverse=by == "target")
        lines: dict[tuple[Value, ...], dict[float, str]] = {}
        for row in self._records():
            line = lines.setdefault(tuple(row[name] for name in BEST_COLUMNS[:3]), {})
            line[row[by]] = f"{text(row['art'])} {text(row['algorithm'])}".rstrip()
        cells = [
            [*map(text, line), *(found.get(key, "") for key in keys)]
            for line, found in lines.items()
        ]
        return [*BEST_COLUMNS[:3], *(key_text(by, key) for key in keys)], cells


@question("Algorithms against each other, function by function", 40, joins=True)
def best(
    runs: Runs,
    targets: Targets | None = None,
    *,
    shares: bool = False,
    reference: Reference | None = None,
    output: OutputFile | None = None,
) -> Table:
    """Smallest average runtime to each target, and whose it is.

    Of algorithms that are equal, it is the first by name. With ``shares``, on how many
    function-target pairs of a dimension each algorithm has it, on the functions, dimensions and
    instances that all were run on, or on all with ``unequal``.

    Args:
        targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
        shares: Count the function-target pairs that each algorithm is best on.
        reference: None: none; run-length targets need one.
        output: Write the averages to COCO's targets (five per decade), or to ``targets``, into this
            CSV file, which ``reference`` of any question takes. None: nothing is written.

    Returns:
        A `BestTable`; its columns are there. With ``shares`` the columns ``suite, dimension,
        algorithm``; ``targets``, how many pairs the algorithm is best on; their ``share`` of all
        pairs that anybody reached.

    Raises:
        AssessmentError: There is ``unequal`` without ``shares``: no functions are joined then; or
            ``output`` does not end in .csv, or something else than f+g is counted.
    """
    if runs.unequal and not shares:
        raise AssessmentError("unequal: nothing is joined but shares; ask for both or none")
    compared = runs.common() if shares else runs
    run_sets, aims = compared.at_targets(targets, decades, reference)
    entries = best_of_algorithms(run_sets, aims)
    notes = notes_on_targets(run_sets, aims)
    if output is not None:
        notes += (_frozen(compared, entries if targets is not None else None, output),)
    return shares_table(entries, notes) if shares else best_table(entries, aims, notes)


def _frozen(runs: Runs, entries: Sequence[BestOf] | None, output: str | Path) -> str:
    """Write the best as a reference, to COCO's targets for None; a sentence on it."""
    if Path(output).suffix != TABLE_SUFFIX:
        raise AssessmentError(f"output: {str(output)!r} must end in {TABLE_SUFFIX}")
    if runs.count != "f+g":
        raise AssessmentError("output: a reference counts all evaluations; leave count out")
    every = tuple(log_reference(runs.log, runs.rows) if entries is None else entries)
    own = {
        (entry.suite, entry.function, entry.dimension): tuple(entry.targets.tolist())
        for entry in every
    }
    best_table(every, TargetSet("of the reference", own=own)).to_csv(output)
    return f"{output}: a reference of {len(every)} functions and dimensions was written."


def best_table(
    entries: Sequence[BestOf], targets: TargetSet, notes: tuple[str, ...] = ()
) -> BestTable:
    """The best algorithm on each target, of a reference by function and dimension."""
    rows: list[list[Value]] = []
    for entry in entries:
        cell = entry.suite, entry.function, entry.dimension
        for j, key in enumerate(targets.keys(*cell)):
            hits, _ = entry.runs_of(j)
            counts: list[Value] = [int(successes(hits)), len(hits)]
            art = float(entry.average_runtimes[j])
            rows.append([*cell, *key, art, entry.algorithms[j], *counts])
    return BestTable(table_of(targets.named(BEST_COLUMNS), rows), notes, tuple(entries))


def shares_table(entries: Sequence[BestOf], notes: tuple[str, ...] = ()) -> Table:
    """How many targets each algorithm is best on, in each suite and dimension; see `best`."""
    counts: dict[tuple[str, int], Counter[str]] = {}
    for entry in entries:
        found = counts.setdefault((entry.suite, entry.dimension), Counter())
        found.update(name for name in entry.algorithms if name)
    rows: list[list[Value]] = [
        [*cell, name, n, n / counted.total()]
        for cell, counted in sorted(counts.items())
        for name, n in sorted(counted.items(), key=lambda item: (-item[1], natural(item[0])))
    ]
    return Table(table_of(_SHARE_COLUMNS, rows), notes)
