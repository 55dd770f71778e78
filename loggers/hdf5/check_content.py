"""Check the content of logs and journals that were read from files.

A file may be damaged, or another program may have written it. The checks compare the types of the
header, the positions of texts, the numbers of rows, and the order of rows with each other.
`RunRecord` applies the same rules to each run before it is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogFormatError
from ..records.dtypes import EVALUATIONS_LIMIT, check_sizes
from ..records.run_record import ARCHIVES_KEPT, READ_STATUSES, RECORDS, STATUSES
from .ragged import Ragged
from .table import TEXTS, LogTable

_NONE = type(None)
_HEADER_TYPES = {
    "": (dict,),
    "algorithms": (dict,),
    "algorithms.*": (dict,),
    "provenance": (dict,),
    "provenance.created_utc": (str, _NONE),
    "provenance.versions": (dict, _NONE),
    "provenance.versions.*": (str,),
    "provenance.imported": (dict, _NONE),
    "provenance.imported.notes": (list, _NONE),
    "campaign": (dict, _NONE),
    "campaign.repetitions": (int, _NONE),
    "campaign.seed": (int, _NONE),
    "campaign.timeout": (int, float, _NONE),
    "campaign.suites": (list, _NONE),
    "campaign.suites.*": (dict,),
    "campaign.suites.*.name": (str,),
    "campaign.suites.*.version": (str,),
}
"""Types of the parts of `LogHeader` that readers use, by their nested keys.

``*`` stands for each entry of a list or of a mapping. A part with the type `_NONE` may be missing.
"""


def check_header(text: str) -> None:
    """Check that a header has the parts of `LogHeader` that readers use.

    Args:
        text: The header as JSON text.

    Raises:
        ValueError: The text is not JSON, or a part is missing or has another type.
    """
    header = json.loads(text)
    for key_path, types in _HEADER_TYPES.items():
        for value in _find_values(header, key_path.split(".") if key_path else ()):
            name = f"header.{key_path}" if key_path else "header"
            _require(type(value) in types, f"{name} is impossible")


def _find_values(value: Any, keys: Sequence[str]) -> Iterator[Any]:
    """Yield the values at nested keys of a header.

    Args:
        value: The header, or a part of it.
        keys: The nested keys; ``"*"`` stands for each entry.

    Yields:
        The values. A missing last key gives None. If an earlier key is missing or its value is
        None, there is no value.
    """
    if not keys:
        yield value
    elif keys[0] != "*":
        yield from () if value is None else _find_values(value.get(keys[0]), keys[1:])
    else:
        for entry in value if isinstance(value, list) else (value or {}).values():
            yield from _find_values(entry, keys[1:])


def check_table(table: LogTable) -> None:
    """Check the runs of a table, their texts, and the numbers of their rows.

    The rows of the variable-length tables are not read; `check_rows` checks them.

    Args:
        table: The table to check.

    Raises:
        ValueError: A column, a text or a number of rows is impossible.
    """
    runs, lengths = table.runs, {name: part.lengths for name, part in table.ragged.items()}
    entries_of_column = {column: getattr(table, kind) for column, kind in TEXTS.items()}
    statuses = READ_STATUSES if table.newer_version else STATUSES
    entries_of_column |= {"status": statuses, "record": RECORDS, "archive_kept": ARCHIVES_KEPT}
    for column, entries in entries_of_column.items():
        _require(np.all(runs[column] < len(entries)), f"runs.{column} points beyond what there is")
    minima = {"dimension": 1, "evaluations": 0, "evaluations_constraints": 0, "budget": -1}
    for column, minimum in minima.items():
        _require(np.all(runs[column] >= minimum), f"runs.{column} is less than {minimum}")
    for column in ("evaluations", "evaluations_constraints"):
        is_valid = runs[column] < EVALUATIONS_LIMIT
        _require(np.all(is_valid), f"runs.{column} is not below {EVALUATIONS_LIMIT}")
    is_valid = runs["evaluations"] + runs["evaluations_constraints"] < EVALUATIONS_LIMIT
    _require(np.all(is_valid), f"evaluations of f and g are not below {EVALUATIONS_LIMIT}")
    characters = np.frombuffer(runs["key"].tobytes(), np.uint8)
    _require(np.all(characters < 128), "runs.key is no ASCII")
    suites = [suite.name for suite in table.suites]
    _require({row.suite for row in table.functions} <= set(suites), "functions has unknown suites")
    suite_texts = [text for suite in table.suites for text in (suite.name, suite.version)]
    for name in (*table.algorithms, *suite_texts):
        _require(name.isprintable(), f"the name {name[:40]!r} is not printable")
    for rule, is_valid in check_sizes(lengths, runs["dimension"].astype(np.int64)):
        _require(np.all(is_valid), rule)


def check_rows(
    path: Path, name: str, evaluations: NDArray[np.int64], runs: slice, entries: Ragged
) -> None:
    """Check rows that were read from a file.

    Args:
        path: Path of the file, for messages.
        name: Name of the variable-length table, a key of `dtypes.TABLES`.
        evaluations: Number of evaluations of every run of the log, shape ``(n_runs,)``.
        runs: Slice of the runs to which the rows belong.
        entries: The rows of these runs.

    Raises:
        LogFormatError: Seconds are not finite or fall, evaluations are out of range or fall, or
            targets are NaN or rise.
    """
    if name in ("hit_seconds", "trajectory_seconds"):
        seconds = entries.rows["seconds"]
        steps = np.diff(seconds, prepend=0.0)
        first_rows = entries.offsets[:-1][entries.lengths > 0]
        steps[first_rows] = seconds[first_rows]
        if not (np.isfinite(seconds).all() and (steps >= 0).all()):
            raise LogFormatError.of(path, f"it is damaged: {name} are no times, or fall")
    if name not in ("hits", "trajectory", "archive", "evaluations"):
        return
    counts = entries.rows["evaluation"]
    has_rows = entries.lengths > 0
    first_rows, last_rows = entries.offsets[:-1][has_rows], entries.offsets[1:][has_rows] - 1
    is_valid = np.all(counts[first_rows] >= 1)
    is_valid &= np.all(counts[last_rows] <= evaluations[runs][has_rows])
    is_ordered = counts[1:] >= counts[:-1]
    if name == "hits":
        targets = entries.rows["target"]
        is_valid &= not np.isnan(targets[first_rows]).any()
        is_ordered &= targets[1:] <= targets[:-1]  # False if one of them is NaN
    is_ordered[first_rows[1:] - 1] = True  # neighbours that belong to two runs
    if not (is_valid and is_ordered.all()):
        raise LogFormatError.of(path, f"it is damaged: {name} are out of range or order")


def _require(condition: object, message: str) -> None:
    """Raise ValueError with a message if a condition is false."""
    if not condition:
        raise ValueError(message)
