"""Joins tables of runs into one, in canonical order, every run once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import LogConflictError
from .record import STATUSES
from .schema import OFFSET, RAGGED, RUNS
from .table import LogTable, Ragged

_INTERRUPTED = STATUSES.index("interrupted")


def join(tables: Sequence[LogTable], sources: Sequence[object]) -> LogTable:
    """One table of all runs, by suite, dimension, function, instance, algorithm and repetition.

    A run that stands in several tables with the same outcome is kept once. An interrupted run gives
    way to the same run completed.

    Args:
        tables: Any number.
        sources: Where each comes from, for messages.

    Raises:
        LogConflictError: Two outcomes of one run, or two sets of parameters of one algorithm.
    """
    _check_parameters(tables, sources)
    texts: list[tuple[Any, ...]] = [
        tuple(sorted({text for table in tables for text in getattr(table, kind)}))
        for kind in ("headers", "algorithms", "functions", "messages")
    ]
    headers, algorithms, functions, messages = texts
    joined = LogTable(
        headers,
        algorithms,
        functions,
        messages,
        _stack([_remapped(table, texts) for table in tables]),
        {name: _chain([table.ragged[name] for table in tables], name) for name in RAGGED},
    )
    source = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    kept = _once(joined, source, sources)
    return _only_used(joined.take(kept[_order(joined, kept)]))


def _remapped(table: LogTable, texts: Sequence[tuple[Any, ...]]) -> NDArray[np.void]:
    runs = table.runs.copy()
    old = (table.headers, table.algorithms, table.functions, table.messages)
    columns = ("header", "algorithm", "function_row", "message")
    for column, before, after in zip(columns, old, texts, strict=True):
        position = {text: i for i, text in enumerate(after)}
        moved = np.array([position[text] for text in before], dtype=np.uint32)
        runs[column] = moved[runs[column]] if len(runs) else 0
    return runs


def _stack(parts: Sequence[NDArray[np.void]]) -> NDArray[np.void]:
    return np.concatenate([np.empty(0, RUNS), *parts])


def _chain(parts: Sequence[Ragged], name: str) -> Ragged:
    lengths = [part.lengths for part in parts]
    offset = np.concatenate(([0], np.cumsum(np.concatenate([np.empty(0, np.int64), *lengths]))))
    columns = {
        column: np.concatenate([np.empty(0, dtype), *(part.columns[column] for part in parts)])
        for column, dtype in RAGGED[name].items()
    }
    return Ragged(offset.astype(OFFSET), columns)


def _once(
    table: LogTable, source: NDArray[np.int64], sources: Sequence[object]
) -> NDArray[np.int64]:
    """Rows to keep: the first of each key, a complete run before an interrupted one."""
    runs = table.runs
    interrupted = runs["status"] == _INTERRUPTED
    order = np.lexsort((np.arange(len(runs)), interrupted, runs["key"]))
    keys = runs["key"][order]
    first = np.ones(len(runs), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    leader = order[np.maximum.accumulate(np.where(first, np.arange(len(runs)), 0))]
    contrary = (runs["crc32"][order] != runs["crc32"][leader]) & ~interrupted[order]
    if contrary.any():
        at = int(np.flatnonzero(contrary)[0])
        _refuse(table, (int(leader[at]), int(order[at])), source, sources)
    return np.sort(order[first])


def _refuse(
    table: LogTable, rows: tuple[int, int], source: NDArray[np.int64], sources: Sequence[object]
) -> None:
    run = table.runs[rows[0]]
    function = table.functions[run["function_row"]]
    name = (
        f"{table.algorithms[run['algorithm']]} on {function.suite} f{run['function']} "
        f"i{run['instance']} d{run['dimension']}, repetition {run['repetition']}"
    )
    files = " and ".join(repr(str(sources[source[row]])) for row in rows)
    raise LogConflictError(
        f"two different outcomes of the same run ({name}) in {files}; "
        "give one of the experiments another algorithm name or seed, or leave one log out"
    )


def _order(table: LogTable, kept: NDArray[np.int64]) -> NDArray[np.int64]:
    """Canonical order of the runs kept; positions of text sort as the text does."""
    runs = table.runs[kept]
    suites = np.array([row.suite for row in table.functions] or [""])
    suite = suites[runs["function_row"]] if len(runs) else np.empty(0, "U1")
    names = ("key", "stage", "repetition", "algorithm", "instance", "function", "dimension")
    return np.lexsort((*(runs[name] for name in names), suite))


def _only_used(table: LogTable) -> LogTable:
    """Drop text that no run refers to."""
    runs = table.runs.copy()
    kept: dict[str, tuple[Any, ...]] = {}
    for column, kind in (
        ("header", "headers"), ("algorithm", "algorithms"),
        ("function_row", "functions"), ("message", "messages"),
    ):  # fmt: skip
        used, position = np.unique(runs[column], return_inverse=True)
        runs[column] = position
        kept[kind] = tuple(getattr(table, kind)[i] for i in used)
    return replace(table, runs=runs, **kept)  # type: ignore[arg-type]


def _check_parameters(tables: Sequence[LogTable], sources: Sequence[object]) -> None:
    seen: dict[str, tuple[str, object]] = {}
    texts = {text: source for t, source in zip(tables, sources, strict=True) for text in t.headers}
    for text, source in texts.items():
        algorithms = json.loads(text).get("algorithms") or {}
        for name, described in algorithms.items():
            now = json.dumps(described, sort_keys=True)
            before, where = seen.setdefault(name, (now, source))
            if before != now:
                raise LogConflictError(
                    f"algorithm {name!r} has parameters {before} in {str(where)!r} "
                    f"but {now} in {str(source)!r}; give one of them another name"
                )
