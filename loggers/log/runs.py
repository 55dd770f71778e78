"""The facts of runs as columns, one array for each fact, made when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.texts import natural_order
from ..hdf5.deduplicate import FILE
from ..hdf5.table import LogTable
from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES


class Runs:
    """One array for each fact, each of shape ``(n_runs,)``; also found by name, ``runs["status"]``.

    ``dict(runs)`` has all columns by name, and ``to_pandas()`` makes a data frame of them; ``len``
    is the number of runs.

    An array is made when it is first asked for. Of text, ``codes`` gives the short form.

    Args:
        table: The runs.

    Attributes:
        key: Text, 32 hexadecimal characters, from the names that make the run.
        algorithm: Text.
        suite: Text.
        suite_version: Text.
        function: The function's number.
        function_name: Text.
        group: Text, the function's group within the suite; may be empty.
        dimension: Number of variables.
        instance: The instance's number.
        repetition: From 0.
        stage: Budget stage, from 0.
        campaign_seed: What seeds derive from.
        seed: The run's own.
        budget: Evaluations allowed; -1 without a limit.
        evaluations: Evaluations spent.
        evaluations_constraints: Evaluations of the constraints spent.
        best_precision: Best indicator minus reference; inf where no finite value was seen.
        reference_value: NaN where there is none; then precisions are indicator values.
        reference_name: Text, where that value comes from; mostly empty.
        status: Text, one of ``STATUSES``.
        error: Text (as objects); empty where nothing went wrong.
        wall_seconds: From the start to the end.
        cpu_seconds: Of the process, likewise.
        problem_seconds: In the problem.
        record: Text, ``"targets"`` or ``"improvements"``.
        archive_kept: Text, ``"all"``, ``"final"`` or ``"none"`` of the archive of two objectives.
        code: Text, the SHA-256 of the file of its optimizer; empty where that is no file.
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
        """The column of that name.

        Raises:
            UnknownNameError: There is no such column.
        """
        if name not in Runs.__annotations__:
            raise UnknownNameError.of("column", name, self.keys())
        column: NDArray[Any] = getattr(self, name)
        return column

    def keys(self) -> tuple[str, ...]:
        """Names of the columns, so that ``dict(runs)`` has them all."""
        return tuple(Runs.__annotations__)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in Runs.__annotations__

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each run; ImportError without pandas."""
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise ImportError(
                "a data frame needs pandas: pip install 'firsthit[tables]'"
            ) from error
        return DataFrame({name: self[name] for name in self})

    def __repr__(self) -> str:
        return f"<Runs: {len(self)} rows of {', '.join(self.keys())}>"

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name not in Runs.__annotations__:
            raise AttributeError(f"runs have no column {name!r}")
        column = self._make_column(name)
        setattr(self, name, column)
        return column

    def codes(self, name: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """A column of text as names and positions: far smaller and faster than the text itself.

        Args:
            name: ``algorithm``, ``suite``, ``suite_version``, ``function_name``, ``group``,
                ``status``, ``error``, ``record``, ``archive_kept``, ``reference_name`` or
                ``code``.

        Returns:
            The names that occur, in `natural_order`, and each run's position in them, shape
            ``(n_runs,)``, read-only.

        Raises:
            KeyError: There is no such column of text.
        """
        if name not in self._codes:
            texts, rows = self._texts(name)
            used = np.bincount(rows, minlength=len(texts)) > 0
            names = natural_order(text for text, there in zip(texts, used, strict=True) if there)
            position = {text: i for i, text in enumerate(names)}
            codes = np.array([position.get(text, 0) for text in texts], dtype=np.int64)[rows]
            codes.flags.writeable = False
            self._codes[name] = tuple(names), codes
        return self._codes[name]

    def _make_column(self, name: str) -> NDArray[Any]:
        if name == "key":
            return np.char.decode(self._table.runs["key"], "ascii")
        if name not in _TEXTS and name != "code":
            column = self._table.runs[name]
            small = column.dtype.kind == "u" and column.dtype.itemsize < 8
            wide = small or name == "instance"
            return column.astype(np.int64) if wide else np.ascontiguousarray(column)
        texts, rows = self._texts(name)
        kind = object if name == "error" else np.str_
        named: NDArray[Any] = np.array([*texts, ""], dtype=kind)[rows]
        return named

    def _texts(self, name: str) -> tuple[Sequence[str], NDArray[np.integer[Any]]]:
        """Texts and the position of each run's among them."""
        if name == "code":
            return _files(self._table)
        column, texts = _TEXTS[name]
        return texts(self._table), self._table.runs[column]


def _files(table: LogTable) -> tuple[list[str], NDArray[np.int64]]:
    """Hashes of the files of optimizers, by header and algorithm, and each run's position there."""
    known = len(table.algorithms)
    pairs, rows = np.unique(
        table.runs["header"].astype(np.int64) * known + table.runs["algorithm"], return_inverse=True
    )
    described = [json.loads(text).get("algorithms") or {} for text in table.headers]
    return [
        str(described[pair // known].get(table.algorithms[pair % known], {}).get(FILE, ""))
        for pair in pairs.tolist()
    ], rows


def _versions(table: LogTable) -> list[str]:
    """The version of each function's suite."""
    versions = {suite.name: suite.version for suite in table.suites}
    return [versions[row.suite] for row in table.functions]


_TEXTS: dict[str, tuple[str, Callable[[LogTable], Sequence[str]]]] = {
    "algorithm": ("algorithm", lambda table: table.algorithms),
    "suite": ("function_row", lambda table: [row.suite for row in table.functions]),
    "suite_version": ("function_row", _versions),
    "function_name": ("function_row", lambda table: [row.name for row in table.functions]),
    "group": ("function_row", lambda table: [row.group for row in table.functions]),
    "status": ("status", lambda _: STATUSES),
    "error": ("message", lambda table: table.messages),
    "record": ("record", lambda _: RECORDS),
    "archive_kept": ("archive_kept", lambda _: ARCHIVES_KEPT),
    "reference_name": ("reference", lambda table: table.references),
}
"""Columns of text: the column of the table that refers to the texts, and these."""
