"""Encode finished runs as records of a journal, and decode the records of a journal.

A journal is a file beside the log to which runs are appended while the log is written. It consists
of records. Each record has four parts: `MAGIC`, the CRC-32 of the payload, the length of the
payload in bytes, and the payload. The first record is the *head* of the journal. Its payload is
JSON with the format, ``journal_version``, the log's header, and the declared types of a row of
``runs`` and of the rows of each table. The payload of each other record is one run::

    number of the run in this journal, uint64, from 1 (not in version 1)
    number of rows of each declared table, uint32 each
    row of ``runs``, as in the log
    rows of each table, as in the log
    JSON with the texts that no earlier run of this journal had; nothing if there are none

A row of ``runs`` refers to a text by its position among all texts of its kind in the journal.
Reading ends before the first record that is incomplete, damaged, or does not have the next number.
`read_tail` describes the bytes from this record on.

There are two versions. Version 1 was written beside logs of version 2.0: its head has no
``journal_version``, and its records are not numbered. It is read for ever. Version 2 has numbered
records. New tables and columns need no new version, because a reader skips those that it does not
know. It adds a note to the table, and the runs are not merged. Later versions are refused.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from struct import Struct
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...suites.measurement import Measurement
from ...suites.texts import visible
from ..errors import LogFormatError
from ..records.dtypes import NUMBERS, TABLES, Rows
from ..records.run_record import (
    ARCHIVES_KEPT,
    FIELDS,
    RECORDS,
    STATUSES,
    RunRecord,
    SuiteFacts,
    clean_text,
)
from ..records.writer_version import writer_version
from .check_content import check_header, check_rows, check_table
from .ragged import Entries, Ragged, nothing
from .schema import OFFSET, RUNS, SCHEMA_MINOR, SCHEMA_VERSION, TEXT_LIMITS
from .table import FunctionRow, LogTable, empty_table

JOURNAL_FORMAT = "firsthit journal"
JOURNAL_VERSION = 2
MAGIC = b"fhj\n"
"""The first bytes of each record."""
_RECORD_START = Struct("<4sIQ")  # magic, CRC-32 and length of the payload
_NUMBER = Struct("<Q")  # number of a run in the journal
_ROW_COUNTS = Struct(f"<{len(TABLES)}I")  # number of rows of each table
_SHOWN_NAMES = 5
"""Maximum number of names of unused tables and columns in a note."""
_SEARCH_FACTOR = 8
"""Maximum number of bytes whose checksum is computed in search of records, as a multiple of the
bytes that are searched. Without it, a file with many false beginnings of records takes too long."""
_VERSION_1_SCHEMA = 2
"""The ``schema_version`` that the head of each journal of version 1 has."""
_KINDS = ("algorithms", "messages", "references", "functions", "suites")
"""Kinds of texts to which runs refer. The header is not one of them, because a journal has one."""


def encode_record(payload: bytes) -> bytes:
    """Return the record with a payload."""
    return _RECORD_START.pack(MAGIC, zlib.crc32(payload), len(payload)) + payload


def complete_records(
    file: BinaryIO, size_bytes: int, position: int = 0, number: int = 0, is_numbered: bool = False
) -> Iterator[tuple[int, bytes]]:
    """Yield the head and the runs of a journal, up to the first record that cannot be read.

    Args:
        file: A journal, open at ``position``.
        size_bytes: Size of the journal; bytes after it are not read.
        position: End of the records that were read before, in bytes. Default: the beginning.
        number: Number of the records that were read before, the head included.
        is_numbered: Whether runs have numbers. Ignored if ``number`` is 0: the head tells it.

    Yields:
        End of the record in bytes from the beginning of the file, and its payload.
    """
    while size_bytes - position > _RECORD_START.size:
        magic, checksum, length = _RECORD_START.unpack(file.read(_RECORD_START.size))
        position += _RECORD_START.size
        # the length is compared before reading because a damaged length may exceed the memory
        if magic != MAGIC or not 0 < length <= size_bytes - position:
            return
        payload = file.read(length)
        if zlib.crc32(payload) != checksum:
            return
        position += length
        if number == 0:
            is_numbered = _has_numbered_records(payload)
        elif is_numbered and payload[: _NUMBER.size] != _NUMBER.pack(number):
            return  # a record before this one was removed, or this one is a copy
        yield position, payload
        number += 1


class JournalTail(NamedTuple):
    """Bytes of a journal from the first record on that cannot be read.

    Attributes:
        start: Number of bytes before the tail.
        n_bytes: Number of bytes of the tail; 0 if all records can be read.
        n_runs: Number of runs of the tail, missing and incomplete ones included.
        is_damaged: Whether complete records are in the tail, so that a record before them is
            damaged or missing. If not, a crash may have left the last record incomplete.
    """

    start: int
    n_bytes: int
    n_runs: int
    is_damaged: bool


def read_tail(file: BinaryIO, size_bytes: int) -> JournalTail:
    """Find the first record of a journal that cannot be read, and count the runs from it on.

    Args:
        file: A journal, open for reading.
        size_bytes: Size of the journal; bytes after it are not read.
    """
    file.seek(0)
    start, n_records, head = 0, 0, b""
    for start, payload in complete_records(file, size_bytes):  # noqa: B007  # the last one is used
        head = head or payload
        n_records += 1
    file.seek(start)
    tail = file.read(size_bytes - start)
    if not tail:
        return JournalTail(start, 0, 0, is_damaged=False)
    complete, n_bytes_after = _find_records(tail)
    if not complete:
        return JournalTail(start, len(tail), max(1, tail.count(MAGIC)), is_damaged=False)
    n_runs = len(complete) + bool(head)  # the first record of the tail is damaged, and may be a run
    if head and _has_numbered_records(head) and len(complete[-1]) >= _NUMBER.size:
        (last_number,) = _NUMBER.unpack_from(complete[-1])
        n_runs = max(1, last_number - (n_records - 1))
    return JournalTail(start, len(tail), n_runs + bool(n_bytes_after), is_damaged=True)


def _find_records(data: bytes) -> tuple[list[bytes], int]:
    """Return the payloads of complete records in data, and the number of bytes after the last."""
    payloads: list[bytes] = []
    end, start = 0, data.find(MAGIC)
    bytes_left = _SEARCH_FACTOR * len(data)
    while 0 <= start <= len(data) - _RECORD_START.size and bytes_left > 0:
        _, checksum, length = _RECORD_START.unpack_from(data, start)
        stop = start + _RECORD_START.size + length
        next_search = start + 1
        if length and stop <= len(data):
            payload = data[start + _RECORD_START.size : stop]
            bytes_left -= length
            if zlib.crc32(payload) == checksum:
                payloads.append(payload)
                next_search = end = stop
        start = data.find(MAGIC, next_search)
    return payloads, len(data) - end


def _has_numbered_records(head: bytes) -> bool:
    """Return whether the head of a journal, a payload, is of version 2 or later."""
    try:
        return "journal_version" in json.loads(head)
    except (ValueError, TypeError, RecursionError):  # not a head: `_decode_head` refuses it
        return False


class JournalEncoder:
    """Encoder of the records of one journal; a text is written with the first run that has it.

    Args:
        header: Header of the log as JSON text.

    Attributes:
        head: The first record of the journal.
    """

    def __init__(self, header: str) -> None:
        facts = {
            "format": JOURNAL_FORMAT,
            "journal_version": JOURNAL_VERSION,
            "runs": _declare_type(RUNS),
            "tables": {name: _declare_type(dtype) for name, dtype in TABLES.items()},
            "writer": f"firsthit {writer_version()}",
            "header": header,
        }
        self.head = encode_record(json.dumps(facts).encode())
        self._n_runs = 0
        self._positions: dict[str, dict[Any, int]] = {kind: {} for kind in _KINDS}

    def encode_run(self, run: RunRecord) -> bytes:
        """Return the record of a run; write it after the records of all runs encoded before."""
        new_texts: dict[str, list[Any]] = {}
        error = clean_text(run.error, TEXT_LIMITS["messages"])
        reference = clean_text(run.reference_name, TEXT_LIMITS["references"])
        row = _make_run_row(
            run,
            self._position("algorithms", run.identity.algorithm, new_texts),
            self._position("functions", _get_function_fields(run), new_texts),
            self._position("messages", error, new_texts),
            self._position("references", reference, new_texts),
        )
        self._position("suites", _get_suite_fields(run.suite), new_texts)
        tables = [_get_rows(run, name) for name in TABLES]
        texts = json.dumps(new_texts).encode() if new_texts else b""
        self._n_runs += 1
        return encode_record(
            b"".join(
                (
                    _NUMBER.pack(self._n_runs),
                    _ROW_COUNTS.pack(*map(len, tables)),
                    np.array([row], RUNS).tobytes(),
                    *(rows.tobytes() for rows in tables if len(rows)),
                    texts,
                )
            )
        )

    def _position(self, kind: str, text: Any, new_texts: dict[str, list[Any]]) -> int:
        """Return the position of a text among the texts of its kind.

        Args:
            kind: One of `_KINDS`.
            text: The text, or the fields of a function or a suite.
            new_texts: Texts of each kind that no earlier run had. A new text is added.
        """
        positions = self._positions[kind]
        if text not in positions:
            positions[text] = len(positions)
            new_texts.setdefault(kind, []).append(text)
        return positions[text]


def _declare_type(dtype: np.dtype[Any]) -> list[list[str]]:
    """Return the name and the type of each field of a structured type, for JSON."""
    return [[name, dtype[name].str] for name in dtype.names or ()]


def _get_function_fields(run: RunRecord) -> tuple[str, int, str, str]:
    """Return the fields of the run's `FunctionRow`, in their order."""
    limit = TEXT_LIMITS["functions"]
    name, group = clean_text(run.function_name, limit), clean_text(run.group, limit)
    return run.suite.name, run.identity.problem.function, name, group


def _get_suite_fields(suite: SuiteFacts) -> tuple[Any, ...]:
    """Return the facts of a suite as a tuple, from which `_decode_suite` makes them again."""
    measured = suite.measurement
    return suite.name, suite.version, measured.indicator, measured.targets, measured.final_target


def _make_run_row(run: RunRecord, *positions: int) -> tuple[Any, ...]:
    """Return the row of a run in ``runs``, in the order of the columns of `RUNS`.

    The position of the header is 0, because a journal has one header.

    Args:
        run: The run.
        *positions: Positions of the algorithm, the function, the message and the reference.
    """
    identity, problem = run.identity, run.identity.problem
    return (
        identity.key.encode(), 0, *positions,
        problem.function, problem.dimension, problem.instance,
        identity.repetition, identity.stage, identity.campaign_seed,
        run.seed, -1 if run.budget is None else run.budget,
        run.evaluations, run.evaluations_constraints,
        run.reference_value, run.best_precision,
        STATUSES.index(run.status), RECORDS.index(run.record),
        ARCHIVES_KEPT.index(run.archive_kept),
        run.wall_seconds, run.cpu_seconds, run.problem_seconds,
    )  # fmt: skip


def _get_rows(run: RunRecord, name: str) -> Rows:
    """Return the rows of a run in one of ``dtypes.TABLES``."""
    rows: Rows = getattr(run, FIELDS.get(name, name))
    # Points are arrays of numbers in a run, and rows with one number each in the file.
    if TABLES[name] is not NUMBERS or not rows.size:
        return rows
    return np.ascontiguousarray(rows, "<f8").reshape(-1).view(NUMBERS)


def read_journal_table(path: Path, file: BinaryIO, size_bytes: int) -> tuple[LogTable, int]:
    """Read the runs of a journal up to the first record that cannot be read.

    Args:
        path: Path of the journal, for messages.
        file: The journal, open at its beginning.
        size_bytes: Size of the journal; bytes after it are not read.

    Returns:
        The runs, and the size of the head and the runs in bytes.

    Raises:
        LogFormatError: The file is not a journal, its version is newer than this firsthit, or a
            column has another type.
        Exception: Decoding may raise any other exception; it also means that the file is damaged
            or is not a journal.
    """
    reader = JournalReader(path)
    return reader.read_new_runs(file, size_bytes), reader.position_bytes


class JournalReader:
    """Reader of a journal that is being written: each call returns the runs added since the last.

    Args:
        path: Path of the journal, for messages.

    Attributes:
        position_bytes: End of the records that were read; reading continues there.
    """

    def __init__(self, path: Path) -> None:
        self.position_bytes = 0
        self._path = path
        self._head = b""
        self._header = ""
        self._run_type = RUNS
        self._table_types: dict[str, np.dtype[Any]] = {}
        self._n_runs = 0
        self._texts: dict[str, list[Any]] = {kind: [] for kind in _KINDS}

    def read_new_runs(self, file: BinaryIO, size_bytes: int) -> LogTable:
        """Read the runs after `position_bytes`, up to the first record that cannot be read.

        After an exception, use a new reader.

        Args:
            file: The journal, open at `position_bytes`.
            size_bytes: Size of the journal; bytes after it are not read.

        Returns:
            The new runs, with the texts of all runs of the journal so far.

        Raises:
            LogFormatError: The file is not a journal, its version is newer than this firsthit, or a
                column has another type.
            Exception: Decoding may raise any other exception; it also means that the file is
                damaged or is not a journal.
        """
        if not self._head:
            self.position_bytes, self._head = next(complete_records(file, size_bytes), (0, b""))
            if not self._head:
                return empty_table()
            head = _decode_head(self._path, self._head)
            self._header, self._run_type, self._table_types = head
        is_numbered = _has_numbered_records(self._head)
        number = f"{_NUMBER.size}x" if is_numbered else ""
        counts = Struct(f"<{number}{len(self._table_types)}I")
        lengths: list[tuple[int, ...]] = []
        runs: list[bytes] = []
        rows: dict[str, list[bytes]] = {name: [] for name in self._table_types}
        records = complete_records(
            file, size_bytes, self.position_bytes, 1 + self._n_runs, is_numbered
        )
        for end, payload in records:
            self.position_bytes = end
            lengths.append(counts.unpack_from(payload))
            offset = counts.size + self._run_type.itemsize
            runs.append(payload[counts.size : offset])
            for (name, dtype), count in zip(self._table_types.items(), lengths[-1], strict=True):
                if count:
                    rows[name].append(payload[offset : offset + count * dtype.itemsize])
                    offset += count * dtype.itemsize
            if offset < len(payload):
                for kind, added in json.loads(payload[offset:]).items():
                    self._texts[kind] += added
        self._n_runs += len(runs)
        return self._make_table(lengths, runs, rows)

    def _make_table(
        self, lengths: list[tuple[int, ...]], runs: list[bytes], rows: dict[str, list[bytes]]
    ) -> LogTable:
        """Return a checked table of runs.

        Args:
            lengths: Number of rows of each declared table, for each run.
            runs: The row of ``runs`` of each run.
            rows: Rows of the runs, by the name of their table.
        """
        row_counts = np.array(lengths, OFFSET).reshape(-1, len(self._table_types))
        ragged: dict[str, Entries] = {name: nothing(name, len(runs)) for name in TABLES}
        for i, (name, dtype) in enumerate(self._table_types.items()):
            if name in TABLES:
                selected_rows = _select_columns(rows[name], dtype, TABLES[name])
                ragged[name] = Ragged.of_lengths(row_counts[:, i], selected_rows)
        table = LogTable(
            (self._header,),
            tuple(map(_check_text, self._texts["algorithms"])),
            tuple(_decode_suite(*row) for row in self._texts["suites"]),
            tuple(FunctionRow(*row) for row in self._texts["functions"]),
            tuple(map(_check_text, self._texts["messages"])),
            tuple(map(_check_text, self._texts["references"])),
            _select_columns(runs, self._run_type, RUNS),
            ragged,
            **_describe_unused(self._path, self._head, self._run_type, self._table_types),
        )
        check_table(table)
        for name, entries in table.ragged.items():
            check_rows(self._path, name, table.runs["evaluations"], slice(None), entries.load())
        return table


class _Head(NamedTuple):
    """Content of the head of a journal that the reader needs."""

    header: str  # header of the log as JSON text
    run_type: np.dtype[Any]  # declared type of a row of ``runs``
    table_types: dict[str, np.dtype[Any]]  # declared type of the rows of each table, by name


def _decode_head(path: Path, payload: bytes) -> _Head:
    """Decode the head of a journal.

    Raises:
        LogFormatError: The file is not a journal, its version cannot be read, or a column has
            another type.
        Exception: The payload is not JSON, or a part is missing.
    """
    facts = json.loads(payload)
    if facts.get("format") != JOURNAL_FORMAT:
        raise LogFormatError.of(path, "it is not a journal of firsthit")
    version = facts.get("journal_version", 1)
    if version == 1 and facts["schema_version"] != _VERSION_1_SCHEMA:
        raise LogFormatError.of(
            path,
            f"its schema version is {facts['schema_version']!r}, which no journal read here has",
        )
    if version not in range(1, JOURNAL_VERSION + 1):
        writer = facts.get("writer", "its writer")
        raise LogFormatError.of(
            path,
            f"its journal version is {version!r}, and this firsthit reads versions 1 to "
            f"{JOURNAL_VERSION}; continue or merge the log with {writer} or a later version",
        )
    declared_run = _declared_type(path, "runs", facts["runs"], RUNS)
    declared_tables = {
        name: _declared_type(path, name, fields, TABLES.get(name))
        for name, fields in facts["tables"].items()
    }
    check_header(facts["header"])
    return _Head(facts["header"], declared_run, declared_tables)


def _describe_unused(
    path: Path, head: bytes, run: np.dtype[Any], tables: Mapping[str, np.dtype[Any]]
) -> dict[str, Any]:
    """Return arguments of a `LogTable` that describe unknown tables and columns of a journal.

    They are empty if there are none, or if the journal has version 1. Such a journal is older than
    this firsthit, so unknown columns are obsolete and nothing is lost.

    Args:
        path: Path of the journal.
        head: Payload of its head.
        run: Declared type of a row of ``runs``.
        tables: Declared types of the rows of the tables.
    """
    known_types = {"runs": RUNS, **TABLES}
    unused = [
        f"{name}.{column}" if name in known_types else name
        for name, dtype in {"runs": run, **tables}.items()
        for column in (dtype.names or () if name in known_types else ("",))
        if name not in known_types or column not in (known_types[name].names or ())
    ]
    if not unused or not _has_numbered_records(head):
        return {}
    shown = ", ".join(map(visible, unused[:_SHOWN_NAMES])) + ", …" * (len(unused) > _SHOWN_NAMES)
    note = f"{str(path)!r} was written by a newer firsthit: its {shown} are not used."
    return {"notes": (note,), "newer_version": f"newer than {SCHEMA_VERSION}.{SCHEMA_MINOR}"}


def _declared_type(
    path: Path, name: str, fields: list[list[str]], expected: np.dtype[Any] | None
) -> np.dtype[Any]:
    """Return the declared type of a table.

    Args:
        path: Path of the journal, for messages.
        name: Name of the table.
        fields: Name and type of each declared column.
        expected: Type of the table in this firsthit; None for a table that it does not have.

    Raises:
        LogFormatError: A column of ``expected`` is not declared, or has another type.
    """
    declared = np.dtype([(field, kind) for field, kind in fields])
    if expected is not None:
        for field in expected.names or ():
            if field not in (declared.names or ()) or declared[field] != expected[field]:
                reason = f"its rows of {name} have no {field} of type {expected[field]}"
                raise LogFormatError.of(path, reason)
    return declared


def _select_columns(
    chunks: list[bytes], declared: np.dtype[Any], selected: np.dtype[Any]
) -> NDArray[Any]:
    """Decode rows of the type ``declared``, and return their columns of the type ``selected``."""
    rows = np.frombuffer(b"".join(chunks), declared)
    if declared == selected:
        return rows
    selected_rows = np.empty(len(rows), selected)
    for field in selected.names or ():
        selected_rows[field] = rows[field]
    return selected_rows


def _check_text(value: object) -> str:
    """Return a value that is text; raise ValueError if it is something else."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _decode_suite(
    name: str, version: str, indicator: str, targets: list[float], final_target: float | None
) -> SuiteFacts:
    """Make the facts of a suite from the fields that `_get_suite_fields` returned."""
    return SuiteFacts(name, version, Measurement(indicator, tuple(targets), final_target))
