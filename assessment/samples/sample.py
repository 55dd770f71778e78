"""`Sample`, the base class of what questions receive, and `Answer`, which caveats receive.

A `Sample` holds the selected runs in cells. A cell is the runs of one algorithm on one function in
one dimension. `open_runs` makes a plain `Sample`, whose cells describe the runs only. The other
modules of this package define subclasses of `Sample`. Their cells also hold the data of their kind:
hits, precisions, curves, areas or archives.

An `Answer` holds the table of a question and the samples that it was computed from. Caveats compute
notes from it. It is discarded after the last caveat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..grouping import CellRuns, by_cell, by_dimension, grouped
from ..selection import Selection
from ..targets.budgets import AXIS
from .convention import Convention

if TYPE_CHECKING:
    from ...loggers import Log
    from ..cost import Count
    from ..tables.table import Table

CellT = TypeVar("CellT", bound=CellRuns)
Kind = Literal["runs", "targets", "budgets", "curves", "areas", "archives"]
"""Kind of data that the cells of a sample hold."""
_CELL_COLUMNS = ("algorithm", "suite", "function", "dimension")
"""Columns of ``log.runs`` that identify a cell, in the order by which cells are sorted."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample(Generic[CellT]):
    """The selected runs of a log, in cells.

    A *cell* is the runs of one algorithm on one function in one dimension. An iteration over the
    sample yields the cells. A cell has these attributes:

    - ``algorithm``, ``suite``, ``function`` and ``dimension``; ``identity`` is a list of the four,
      and ``problem_class`` is a tuple of the last three
    - ``group``, the name of the function's group in its suite
    - ``instances``, the instance of each run, shape ``(n_runs,)``

    Attributes:
        selection: The selected runs, and notes on runs that were left out.
        cells: The cells.
        axis: Unit of the budgets, such as ``"evaluations/dimension"`` or ``"seconds"``.
        kind: Kind of data that the cells hold. The notes of a table depend on it.
        remark: A clause that the note on the number of runs ends with. Empty: no remark.

    Example:
        >>> import firsthit
        >>> from firsthit.assessment import Sample, Table, question, table_of
        >>> @question("My own")
        ... def instance_counts(sample: Sample) -> Table:
        ...     '''Count the instances.'''
        ...     rows = [[*cell.identity, len(set(cell.instances))] for cell in sample]
        ...     names = ("algorithm", "suite", "function", "dimension", "instances")
        ...     return Table(table_of(names, rows))
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> print(results.instance_counts())
        algorithm      suite  function  dimension  instances
        random-search  bbob          1          2         15
    """

    kind: ClassVar[Kind] = "runs"
    remark: ClassVar[str] = ""
    selection: Selection
    cells: tuple[CellT, ...]
    axis: str = AXIS

    @property
    def log(self) -> Log:
        """The log that holds the runs."""
        return self.selection.log

    @property
    def rows(self) -> NDArray[np.intp]:
        """Row numbers of the selected runs in ``log.runs``, ascending, shape ``(n_runs,)``."""
        return self.selection.rows

    @property
    def count(self) -> Count:
        """What counts as an evaluation, such as ``"f+g"`` or ``"seconds"``."""
        return self.selection.count

    def __iter__(self) -> Iterator[CellT]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    def grouped(self, group_by: str) -> list[list[CellT]]:
        """Group the cells by algorithm, suite, dimension and group of functions.

        Args:
            group_by: What a group of functions is: ``"function"``, ``"group"`` or ``"all"``.

        Returns:
            Lists of cells. Each list belongs to one algorithm in one suite and dimension.
        """
        return grouped(self.cells, group_by)

    def by_dimension(self) -> dict[tuple[str, int], Self]:
        """Return one sample for each suite and dimension; the samples share their arrays.

        The keys are pairs of the name of a suite and a dimension.
        """
        return {key: self.of(cells) for key, cells in by_dimension(self.cells).items()}

    def of(self, cells: Iterable[CellT]) -> Self:
        """Return a copy of the sample that holds these cells instead of its own.

        ``selection`` stays: ``rows`` still contains the runs of all selected cells.
        """
        return replace(self, cells=tuple(cells))


def open_runs(selection: Selection, rows: NDArray[np.intp] | None = None) -> Sample[CellRuns]:
    """Open a sample of runs without hits, precisions, curves, areas or archives.

    Args:
        selection: The selected runs.
        rows: Row numbers in ``log.runs`` of the runs that the table is computed from. None: all
            selected runs.

    Returns:
        A sample of these runs. It counts evaluations of the objective.
    """
    chosen = selection.rows if rows is None else rows
    return Sample(selection=selection, cells=tuple(runs_by_cell(selection.log, chosen, "f")))


def runs_by_cell(log: Log, rows: NDArray[np.intp], count: Count) -> list[CellRuns]:
    """Divide runs of a log into cells.

    Args:
        log: The log that holds the runs.
        rows: Row numbers of the runs in ``log.runs``.
        count: What counts as an evaluation.

    Returns:
        Cells, ordered by algorithm, suite, function and dimension.
    """
    return [CellRuns(**attributes) for _, attributes in by_cell(log, rows, count, _CELL_COLUMNS)]


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer to a question, from which caveats compute their notes.

    Attributes:
        table: The table that the question's function returned.
        samples: The samples that the question's function received.
        conventions: The convention of each sample, in the order of ``samples``. None instead of a
            convention: the table has no note on the runs of this sample.
        options: Values of all options of the question, including defaults.
        said: Notes that earlier caveats returned, by the name of the caveat's function.

    Example:
        >>> import firsthit
        >>> from firsthit.assessment import Answer, Sample, Table, question, table_of
        >>> @question("My own")
        ... def run_counts(sample: Sample) -> Table:
        ...     '''Count the runs of each algorithm.'''
        ...     return Table(table_of(["runs"], [[len(cell.instances)] for cell in sample]))
        >>> @run_counts.caveat()
        ... def few_runs(sample: Sample, answer: Answer):
        ...     if answer.table["runs"].min() < 30:
        ...         yield "fewer than 30 runs; the table is a demonstration"
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, budget=20
        ... )
        >>> results.run_counts().notes[-1]
        'fewer than 30 runs; the table is a demonstration'
    """

    table: Table
    samples: tuple[Sample[Any], ...]
    conventions: tuple[Convention | None, ...]
    options: Mapping[str, Any]
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes in ``said``, in their order and without repetition."""
        return tuple(dict.fromkeys(note for notes in self.said.values() for note in notes))

    def convention_of(self, sample: Sample[Any]) -> Convention | None:
        """Return the convention of a sample; None if it has none or is not among ``samples``."""
        # Samples are compared by identity, because two samples may hold equal runs.
        for candidate, convention in zip(self.samples, self.conventions, strict=True):
            if candidate is sample:
                return convention
        return None
