"""The journal: finished runs one after the other in a file that only grows, beside the log.

A journal is a row of records, each ``magic, CRC-32 of the payload, length of the payload, payload``
(see ``_HEAD``). The first payload is JSON: format, schema version, the log's header, the types of a
row of ``runs`` and of the rows of each table. Every other payload is one run::

    how many rows it has of each table, uint32 each
    its row of ``runs``, as in the log
    its rows of each table, as in the log
    JSON: texts that no earlier run of this journal had; mostly nothing

Positions of texts count from the first text of the journal. Where a record is torn, the journal
ends: nothing after it is read.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import Any, BinaryIO

import numpy as np

from ...suites.measurement import Measurement
from ..errors import LogFormatError
from ..records.dtypes import NUMBERS, TABLES, Rows
from ..records.log_header import version_of
from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES, RunRecord, SuiteFacts, clean_text
from .check_content import check_header, check_rows, check_table
from .ragged import Entries, Ragged, nothing
from .schema import OFFSET, RUNS, SCHEMA_VERSION, TEXT_LIMITS
from .table import FunctionRow, LogTable, empty_table

JOURNAL_FORMAT = "firsthit journal"
MAGIC = b"fhj\n"
_HEAD = Struct("<4sIQ")
_COUNTS = Struct(f"<{len(TABLES)}I")
_KINDS = ("algorithms", "messages", "references", "functions", "suites")
"""Texts that runs refer to, all but the header: a journal has one."""


def _plain(dtype: np.dtype[Any]) -> list[list[str]]:
    """A type as it stands in JSON: names and types of the fields."""
    return [[name, dtype[name].str] for name in dtype.names or ()]


_TABLES = {name: _plain(dtype) for name, dtype in TABLES.items()}


def record_bytes(payload: bytes) -> bytes:
    """A record with this payload."""
    return _HEAD.pack(MAGIC, zlib.crc32(payload), len(payload)) + payload


def whole_records(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """Where each record ends, and its payload, up to the first torn one, or to ``size`` bytes."""
    at = 0
    while size - at > _HEAD.size:
        magic, checksum, length = _HEAD.unpack(file.read(_HEAD.size))
        at += _HEAD.size
        # a length is compared first: one that is damaged may be larger than memory
        if magic != MAGIC or not 0 < length <= size - at:
            return
        payload = file.read(length)
        if zlib.crc32(payload) != checksum:
            return
        at += length
        yield at, payload


class JournalEncoder:
    """Turns runs into the form of one journal; a text is written with the first run that has it."""

    def __init__(self, header: str) -> None:
        facts = {
            "format": JOURNAL_FORMAT,
            "schema_version": SCHEMA_VERSION,
            "runs": _plain(RUNS),
            "tables": _TABLES,
            "writer": f"firsthit {version_of('firsthit')}",
            "header": header,
        }
        self.head = record_bytes(json.dumps(facts).encode())
        self._positions: dict[str, dict[Any, int]] = {kind: {} for kind in _KINDS}

    def record(self, run: RunRecord) -> bytes:
        """The record of a run, to be written after those of all runs encoded before."""
        new: dict[str, list[Any]] = {}
        error = clean_text(run.error, TEXT_LIMITS["messages"])
        reference = clean_text(run.reference_name, TEXT_LIMITS["references"])
        row = _run_row(
            run,
            self._position("algorithms", run.identity.algorithm, new),
            self._position("functions", _function_of(run), new),
            self._position("messages", error, new),
            self._position("references", reference, new),
        )
        self._position("suites", _suite_texts(run.suite), new)
        tables = [_rows_of(run, name) for name in TABLES]
        texts = json.dumps(new).encode() if new else b""
        return record_bytes(
            b"".join(
                (
                    _COUNTS.pack(*map(len, tables)),
                    np.array([row], RUNS).tobytes(),
                    *(rows.tobytes() for rows in tables if len(rows)),
                    texts,
                )
            )
        )

    def _position(self, kind: str, text: Any, new: dict[str, list[Any]]) -> int:
        """Where a text stands among those of its kind."""
        known = self._positions[kind]
        if text not in known:
            known[text] = len(known)
            new.setdefault(kind, []).append(text)
        return known[text]


def _function_of(run: RunRecord) -> tuple[str, int, str, str]:
    """The fields of `FunctionRow`."""
    limit = TEXT_LIMITS["functions"]
    name, group = clean_text(run.function_name, limit), clean_text(run.group, limit)
    return run.suite.name, run.identity.problem.function, name, group


def _suite_texts(suite: SuiteFacts) -> tuple[Any, ...]:
    measured = suite.measurement
    return suite.name, suite.version, measured.indicator, measured.targets, measured.final_target


def _run_row(run: RunRecord, *positions: int) -> tuple[Any, ...]:
    """A row of ``runs`` under the journal's header, with the positions of its other texts."""
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


def _rows_of(run: RunRecord, name: str) -> Rows:
    """What a run has of one of ``dtypes.TABLES``."""
    rows: Rows = run.best_solution if name == "best_solutions" else getattr(run, name)
    if TABLES[name] is not NUMBERS or not rows.size:
        return rows
    return np.ascontiguousarray(rows, "<f8").reshape(-1).view(NUMBERS)


def journal_table(path: Path, file: BinaryIO, size: int) -> tuple[LogTable, int]:
    """The runs of a journal, open at its beginning, and how many bytes its whole records take.

    What is appended beyond ``size`` bytes is not read. Any error means that it is no journal.
    """
    records = whole_records(file, size)
    whole, head = next(records, (0, b""))
    if not head:
        return empty_table(), 0
    header, types = _checked_head(path, head)
    counts = Struct(f"<{len(types)}I")
    lengths: list[tuple[int, ...]] = []
    runs: list[bytes] = []
    rows: dict[str, list[bytes]] = {name: [] for name in types}
    texts: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    for end, payload in records:
        whole = end
        lengths.append(counts.unpack_from(payload))
        at = counts.size + RUNS.itemsize
        runs.append(payload[counts.size : at])
        for (name, dtype), count in zip(types.items(), lengths[-1], strict=True):
            if count:
                rows[name].append(payload[at : at + count * dtype.itemsize])
                at += count * dtype.itemsize
        if at < len(payload):
            for kind, added in json.loads(payload[at:]).items():
                texts[kind] += added
    owned = np.array(lengths, OFFSET).reshape(-1, len(types))
    ragged: dict[str, Entries] = {name: nothing(name, len(runs)) for name in TABLES}
    for i, name in enumerate(types):
        if name in TABLES:
            found = np.frombuffer(b"".join(rows.pop(name)), TABLES[name])
            ragged[name] = Ragged.of_lengths(owned[:, i], found)
    table = LogTable(
        (header,),
        tuple(map(_text, texts["algorithms"])),
        tuple(_suite(*row) for row in texts["suites"]),
        tuple(FunctionRow(*row) for row in texts["functions"]),
        tuple(map(_text, texts["messages"])),
        tuple(map(_text, texts["references"])),
        np.frombuffer(b"".join(runs), RUNS),
        ragged,
    )
    check_table(table)
    for name, entries in table.ragged.items():
        check_rows(path, name, table.runs["evaluations"], slice(None), entries.load())
    return table, whole


def _checked_head(path: Path, payload: bytes) -> tuple[str, dict[str, np.dtype[Any]]]:
    """The header of all runs, and the types of the tables; those unknown here are passed over."""
    facts = json.loads(payload)
    if facts.get("format") != JOURNAL_FORMAT:
        raise LogFormatError.of(path, "it is no journal of firsthit")
    tables = {**_TABLES, **facts["tables"]}
    if facts["schema_version"] != SCHEMA_VERSION or facts["runs"] != _plain(RUNS):
        raise LogFormatError.of(path, f"this firsthit reads schema version {SCHEMA_VERSION} alone")
    for name, plain in _TABLES.items():
        if tables[name] != plain:
            raise LogFormatError.of(path, f"its rows of {name} have another type")
    check_header(facts["header"])
    types = {n: np.dtype([(f, kind) for f, kind in t]) for n, t in facts["tables"].items()}
    return facts["header"], types


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _suite(name: str, version: str, indicator: str, targets: list[float], final: Any) -> SuiteFacts:
    """What `_suite_texts` took apart."""
    return SuiteFacts(name, version, Measurement(indicator, tuple(targets), final))
