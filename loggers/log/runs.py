"""Columns of runs: one array for each fact, computed when it is first used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.texts import natural_order
from ..hdf5.deduplicate import FILE
from ..hdf5.table import LogTable
from ..records.run_record import ARCHIVES_KEPT, READ_STATUSES, RECORDS

if TYPE_CHECKING:
    from pandas import DataFrame


class RunColumns:
    """Columns with one value for each run, as attributes and by name: ``runs["status"]``.

    A column is computed when it is first used. ``codes`` returns columns of text in a shorter form.
    ``dict(runs)`` has all columns by name, ``to_pandas()`` returns them as a data frame, and
    ``len(runs)`` is the number of runs.

    Args:
        table: The runs.

    Attributes:
        key: Identifier of the run: 32 hexadecimal characters, computed from the names of the run.
        algorithm: Name of the algorithm.
        suite: Name of the suite.
        suite_version: Version of the suite.
        function: Number of the function.
        function_name: Name of the function.
        group: Name of the function's group in the suite; may be empty.
        dimension: Number of variables.
        instance: Number of the instance.
        repetition: Number of the repetition, from 0.
        stage: Number of the budget stage, from 0.
        campaign_seed: Seed from which the seeds of the runs are derived.
        seed: Seed of the run.
        budget: Evaluations that the run may use; -1: no limit.
        evaluations: Evaluations of the objective.
        evaluations_constraints: Evaluations of the constraints.
        best_precision: Best indicator value minus the reference value; inf: no finite value.
        reference_value: Value that precisions are relative to. NaN: none; then precisions are
            indicator values.
        reference_name: Source of the reference value; usually empty.
        status: One of ``STATUSES``, or ``"unknown"`` for a status that a newer version added.
        error: Text of the error that ended the run, as Python objects; empty if there was none.
        wall_seconds: Duration by the wall clock.
        cpu_seconds: Processor time of the process during the run.
        problem_seconds: Seconds spent in evaluations of the problem.
        record: ``"targets"`` or ``"improvements"``; imported data have further values.
        archive_kept: Recorded part of the archive of two objectives: ``"all"``, ``"final"`` or
            ``"none"``.
        code: SHA-256 of the file that contains the optimizer; empty if there is no such file.
    """

    key: NDArray[np.str_]
    algorithm: NDArray[np.str_]
    suite: NDArray[np.str_]
    suite_version: NDArray[np.str_]
    function: NDArray[np.int64]
    function_name: NDArray[np.str_]
    group: NDArray[np.str_]
    dimension: NDArray[np.int64]
    instance: NDArray[np.int64]
    repetition: NDArray[np.int64]
    stage: NDArray[np.int64]
    campaign_seed: NDArray[np.uint64]
    seed: NDArray[np.uint64]
    budget: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    evaluations_constraints: NDArray[np.int64]
    best_precision: NDArray[np.float64]
    reference_value: NDArray[np.float64]
    reference_name: NDArray[np.str_]
    status: NDArray[np.str_]
    error: NDArray[np.object_]
    wall_seconds: NDArray[np.float64]
    cpu_seconds: NDArray[np.float64]
    problem_seconds: NDArray[np.float64]
    record: NDArray[np.str_]
    archive_kept: NDArray[np.str_]
    code: NDArray[np.str_]

    def __init__(self, table: LogTable) -> None:
        self._table = table
        self._codes: dict[str, tuple[tuple[str, ...], NDArray[np.int64]]] = {}

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the column with this name.

        Raises:
            UnknownNameError: No column has this name.
        """
        if name not in RunColumns.__annotations__:
            raise UnknownNameError.of("column", name, self.keys())
        column: NDArray[Any] = getattr(self, name)
        return column

    def keys(self) -> tuple[str, ...]:
        """Return the names of all columns; ``dict(runs)`` uses this method."""
        return tuple(RunColumns.__annotations__)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in RunColumns.__annotations__

    def to_pandas(self) -> DataFrame:
        """Return a ``pandas.DataFrame`` with one row for each run.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise ImportError(
                "a data frame needs pandas: pip install 'firsthit[tables]'"
            ) from error
        return DataFrame({name: self[name] for name in self})

    def __repr__(self) -> str:
        return f"<RunColumns: {len(self)} rows of {', '.join(self.keys())}>"

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name not in RunColumns.__annotations__:
            raise AttributeError(f"runs have no column {name!r}")
        column = self._make_column(name)
        setattr(self, name, column)
        return column

    def codes(self, name: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """Return a column of text as distinct texts and codes, which is smaller and faster.

        Args:
            name: ``algorithm``, ``suite``, ``suite_version``, ``function_name``, ``group``,
                ``status``, ``error``, ``record``, ``archive_kept``, ``reference_name`` or
                ``code``.

        Returns:
            The texts that occur, in `natural_order`, and the index of each run's text in them,
            shape ``(n_runs,)``, read-only.

        Raises:
            KeyError: No column of text has this name.
        """
        if name not in self._codes:
            texts, rows = self._texts_and_rows(name)
            is_used = np.bincount(rows, minlength=len(texts)) > 0
            names = natural_order(text for text, used in zip(texts, is_used, strict=True) if used)
            index = {text: i for i, text in enumerate(names)}
            codes = np.array([index.get(text, 0) for text in texts], dtype=np.int64)[rows]
            codes.flags.writeable = False
            self._codes[name] = tuple(names), codes
        return self._codes[name]

    def _make_column(self, name: str) -> NDArray[Any]:
        """Compute the column with this name."""
        if name == "key":
            return np.char.decode(self._table.runs["key"], "ascii")
        if name not in _TEXTS and name != "code":
            column = self._table.runs[name]
            # Differences of unsigned numbers would wrap around, so they become int64. Seeds stay
            # unsigned, because they do not fit in int64.
            is_small = column.dtype.kind == "u" and column.dtype.itemsize < 8
            is_converted = is_small or name == "instance"
            return column.astype(np.int64) if is_converted else np.ascontiguousarray(column)
        texts, rows = self._texts_and_rows(name)
        # An array of str gives each text the memory of the longest one, and errors may be long.
        dtype = object if name == "error" else np.str_
        text_column: NDArray[Any] = np.array([*texts, ""], dtype=dtype)[rows]
        return text_column

    def _texts_and_rows(self, name: str) -> tuple[Sequence[str], NDArray[np.integer[Any]]]:
        """Return the texts of a column, and the index of each run's text among them."""
        if name == "code":
            return _checksums_of_optimizers(self._table)
        column, list_texts = _TEXTS[name]
        return list_texts(self._table), self._table.runs[column]


def _checksums_of_optimizers(table: LogTable) -> tuple[list[str], NDArray[np.int64]]:
    """Return the SHA-256 of the optimizers' files, and the index of each run's checksum in them.

    There is one checksum for each pair of a header and an algorithm that a run has. The text is
    empty if the header has no checksum of the algorithm.
    """
    n_algorithms = len(table.algorithms)
    pairs, rows = np.unique(
        table.runs["header"].astype(np.int64) * n_algorithms + table.runs["algorithm"],
        return_inverse=True,
    )
    descriptions = [json.loads(text).get("algorithms") or {} for text in table.headers]
    checksums = []
    for pair in pairs.tolist():
        header, algorithm = divmod(pair, n_algorithms)
        description = descriptions[header].get(table.algorithms[algorithm], {})
        checksums.append(str(description.get(FILE, "")))
    return checksums, rows


def _versions_of_functions(table: LogTable) -> list[str]:
    """Return the version of the suite of each of the table's functions."""
    versions = {suite.name: suite.version for suite in table.suites}
    return [versions[row.suite] for row in table.functions]


_TEXTS: dict[str, tuple[str, Callable[[LogTable], Sequence[str]]]] = {
    "algorithm": ("algorithm", lambda table: table.algorithms),
    "suite": ("function_row", lambda table: [row.suite for row in table.functions]),
    "suite_version": ("function_row", _versions_of_functions),
    "function_name": ("function_row", lambda table: [row.name for row in table.functions]),
    "group": ("function_row", lambda table: [row.group for row in table.functions]),
    "status": ("status", lambda _: READ_STATUSES),
    "error": ("message", lambda table: table.messages),
    "record": ("record", lambda _: RECORDS),
    "archive_kept": ("archive_kept", lambda _: ARCHIVES_KEPT),
    "reference_name": ("reference", lambda table: table.references),
}
"""Columns of text: the column of ``runs`` with their indices, and a function that lists the texts
to which the indices refer."""
