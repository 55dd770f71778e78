"""Writes a log as Parquet files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ...errors import LogWriteError
from ...hdf5.ragged import Indices
from ...hdf5.schema import SCHEMA_VERSION
from ...hdf5.table import LogTable
from ...log.log import Log
from ...records.run_record import STATUSES
from ..export import new_folder
from .layout import FORMAT, INDEX, PART

ROW_GROUP = 2**17
"""Rows that are compressed together, and can be fetched alone over a network."""


def write_parquet(log: Log, folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write all that a log holds into a new folder of Parquet files; it needs ``pyarrow``.

    Args:
        log: Any log; nothing of it is left out.
        folder: A new folder; ``layout.py`` says what stands where.

    Returns:
        Sentences on what was left out: none.

    Raises:
        LogExistsError: There is something of this name.
        LogWriteError: It cannot be written, or ``pyarrow`` is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise LogWriteError("Parquet needs pyarrow: pip install 'firsthit[parquet]'") from error
    table = log._table
    with new_folder(Path(folder)) as temporary:
        (temporary / INDEX).write_text(json.dumps(_index(table)), encoding="utf-8")
        for place, runs in _parts(table):
            for name, columns in _columns(table, runs):
                path = temporary / name / place / PART
                path.parent.mkdir(parents=True)
                arrow = pa.table({key: _arrow(pa, column) for key, column in columns.items()})
                pq.write_table(arrow, path, ROW_GROUP, compression="zstd")
    return ()


def _index(table: LogTable) -> dict[str, Any]:
    """What stands once, see ``layout.INDEX``."""
    return {
        "format": FORMAT,
        "schema": SCHEMA_VERSION,
        "headers": table.headers,
        "algorithms": table.algorithms,
        "suites": [asdict(suite) for suite in table.suites],
        "functions": [asdict(row) for row in table.functions],
        "messages": table.messages,
        "references": table.references,
    }


def _parts(table: LogTable) -> Iterator[tuple[str, Indices]]:
    """The place of each suite, dimension and function, and its runs."""
    rows = zip(table.runs["function_row"].tolist(), table.runs["dimension"].tolist(), strict=True)
    parts: dict[tuple[str, int, int], list[int]] = {}
    for run, (row, dimension) in enumerate(rows):
        function = table.functions[row]
        parts.setdefault((function.suite, dimension, function.function), []).append(run)
    for (suite, dimension, function_number), runs in sorted(parts.items()):
        place = f"suite={quote(suite, '')}/dimension={dimension}/function={function_number}"
        yield place, np.array(runs, np.int64)


def _columns(table: LogTable, runs: Indices) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
    """Each table that has rows of these runs, as columns."""
    picked = table.runs[runs]
    columns = {name: picked[name] for name in table.runs.dtype.names or ()}
    del columns["dimension"], columns["function"]
    columns["algorithm_row"], columns["status_row"] = columns["algorithm"], columns["status"]
    columns["algorithm"] = np.array(table.algorithms, object)[picked["algorithm"]]
    columns["status"] = np.array(STATUSES, object)[picked["status"]]
    yield "runs", {"run": runs, **columns}
    for name, entries in table.ragged.items():
        found = entries.pick(runs)
        if len(found.rows):
            fields = {field: found.rows[field] for field in found.rows.dtype.names or ()}
            yield name, {"run": np.repeat(runs, found.lengths), **fields}


def _arrow(pa: ModuleType, column: NDArray[Any]) -> Any:
    """A column of numbers, or of texts."""
    if column.dtype.kind == "S":
        return pa.array(np.char.decode(column, "utf-8").tolist(), pa.string())
    return pa.array(np.ascontiguousarray(column))
