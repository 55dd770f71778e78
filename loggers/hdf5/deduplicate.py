"""Joins tables of runs into one, in canonical order, every run once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogConflictError
from ..records.run_record import STATUSES, Status
from ..records.table import LogTable
from .ragged_columns import chained
from .schema import RAGGED, RUNS

UNFINISHED: tuple[Status, ...] = ("interrupted",)
"""How runs end that are to be made again in any case."""
FAILED: tuple[Status, ...] = ("failed", "timeout")
"""How runs end that are to be made again when asked for."""
MOST_TOLD = 100
"""Longest text of a value in a message, in characters."""
_RANK = np.array([(s in FAILED) + 2 * (s in UNFINISHED) for s in STATUSES])


def join(tables: Sequence[LogTable], sources: Sequence[object]) -> LogTable:
    """One table of all runs, by suite, dimension, function, instance, algorithm and repetition.

    A run that stands in several tables with the same outcome is kept once. An interrupted run gives
    way to the same run failed or timed out, and that to the same run completed; of two that failed,
    the later in order stays.

    Args:
        tables: Any number, those of one log from old to new.
        sources: Where each comes from, for messages.

    Raises:
        LogConflictError: Two outcomes of one run, or two sets of parameters of one algorithm.
    """
    _check_parameters(tables, sources)
    joined = stacked(tables)
    source = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    kept = _once(joined, source, sources)
    return _only_used(joined.take(kept[_order(joined, kept)]))


def stacked(tables: Sequence[LogTable]) -> LogTable:
    """All runs of all tables, one table after the other, also those that stand in several."""
    texts: list[tuple[Any, ...]] = [
        tuple(sorted({text for table in tables for text in getattr(table, kind)}))
        for kind in ("headers", "algorithms", "functions", "messages")
    ]
    headers, algorithms, functions, messages = texts
    return LogTable(
        headers,
        algorithms,
        functions,
        messages,
        _stack([_remapped(table, texts) for table in tables]),
        {name: chained(name, [table.ragged[name] for table in tables]) for name in RAGGED},
    )


def _remapped(table: LogTable, texts: Sequence[tuple[Any, ...]]) -> NDArray[np.void]:
    old = (table.headers, table.algorithms, table.functions, table.messages)
    if all(list(before) == list(after) for before, after in zip(old, texts, strict=True)):
        return table.runs
    runs = table.runs.copy()
    columns = ("header", "algorithm", "function_row", "message")
    for column, before, after in zip(columns, old, texts, strict=True):
        position = {text: i for i, text in enumerate(after)}
        moved = np.array([position[text] for text in before], dtype=np.uint32)
        runs[column] = moved[runs[column]] if len(runs) else 0
    return runs


def _stack(parts: Sequence[NDArray[np.void]]) -> NDArray[np.void]:
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, RUNS), *parts])


def _once(
    table: LogTable, source: NDArray[np.int64], sources: Sequence[object]
) -> NDArray[np.int64]:
    """Rows to keep, one of each key: see ``join``."""
    rows = _maybe_repeated(table.runs["key"])
    runs = table.runs[rows]
    rank = _RANK[runs["status"]]
    order = np.lexsort((np.where(rank == 0, rows, -rows), rank, runs["key"]))
    keys = runs["key"][order]
    first = np.ones(len(runs), dtype=bool)
    first[1:] = keys[1:] != keys[:-1]
    leader = order[np.maximum.accumulate(np.where(first, np.arange(len(runs)), 0))]
    contrary = (runs["crc32"][order] != runs["crc32"][leader]) & (rank[order] == 0)
    if contrary.any():
        at = int(np.flatnonzero(contrary)[0])
        _refuse(table, (int(rows[leader[at]]), int(rows[order[at]])), source, sources)
    kept = np.ones(len(table), dtype=bool)
    kept[rows] = False
    kept[rows[order[first]]] = True
    return np.flatnonzero(kept)


def _maybe_repeated(keys: NDArray[np.bytes_]) -> NDArray[np.int64]:
    """Rows whose key may stand in another row too; few others are among them.

    Numbers are compared, since sorting a million texts takes seconds.
    """
    words = np.frombuffer(keys.tobytes(), "<u8").reshape(len(keys), 4)
    number = words @ np.array([1, 3**20, 5**20, 7**20], dtype=np.uint64)
    order = np.argsort(number)
    same = number[order[1:]] == number[order[:-1]]
    repeated = np.zeros(len(keys), dtype=bool)
    repeated[order[1:][same]] = True
    repeated[order[:-1][same]] = True
    return np.flatnonzero(repeated)


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
    runs, n_runs = table.runs, len(kept)
    suites = np.unique([row.suite for row in table.functions] or [""], return_inverse=True)[1]
    suite = suites[runs["function_row"][kept]] if n_runs else np.empty(0, np.int64)
    names = ("dimension", "function", "instance", "algorithm", "repetition", "stage")
    columns = [suite, *(runs[name][kept] for name in names)]
    order = np.arange(n_runs)
    if not _ascend(columns):
        order = np.lexsort(columns[::-1])
        if not _ascend([column[order] for column in columns]):
            order = np.lexsort([runs["key"][kept], *columns[::-1]])
    return order


def _ascend(columns: Sequence[NDArray[Any]]) -> bool:
    """Whether rows ascend by the first column, equal ones by the second, …; no two are alike."""
    equal = np.ones(max(len(columns[0]) - 1, 0), dtype=bool)
    for column in columns:
        if np.any(equal & (column[1:] < column[:-1])):
            return False
        equal &= column[1:] == column[:-1]
    return not equal.any()


def _only_used(table: LogTable) -> LogTable:
    """Drop text that no run refers to."""
    runs = table.runs
    kept: dict[str, tuple[Any, ...]] = {}
    for column, kind in (
        ("header", "headers"), ("algorithm", "algorithms"),
        ("function_row", "functions"), ("message", "messages"),
    ):  # fmt: skip
        texts = getattr(table, kind)
        used = np.bincount(runs[column], minlength=len(texts)) > 0
        if used.all():
            continue
        runs = runs if runs is not table.runs else runs.copy()
        runs[column] = (np.cumsum(used) - 1)[runs[column]] if len(runs) else 0
        kept[kind] = tuple(text for text, there in zip(texts, used, strict=True) if there)
    return replace(table, runs=runs, **kept)  # type: ignore[arg-type]


def _check_parameters(tables: Sequence[LogTable], sources: Sequence[object]) -> None:
    seen: dict[str, tuple[dict[str, Any], object]] = {}
    texts = {text: source for t, source in zip(tables, sources, strict=True) for text in t.headers}
    for text, source in texts.items():
        algorithms = json.loads(text).get("algorithms") or {}
        for name, now in algorithms.items():
            before, where = seen.setdefault(name, (now, source))
            differences = "; ".join(different(before, now))
            if differences:
                raise LogConflictError(
                    f"algorithm {name!r} differs between {str(where)!r} and {str(source)!r}: "
                    f"{differences}. Give one of them another name"
                )


def different(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What differs between two descriptions, such as ``parameters.sigma was 1, is 2``."""
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from (f"{key}.{text}" for text in different(old, new))
        elif old != new:
            yield f"{key} {_told(before, key)}, {_told(now, key, 'is')}"


def _told(facts: Mapping[str, Any], key: str, verb: str = "was") -> str:
    if key not in facts:
        return f"{verb} not there"
    text = json.dumps(facts[key])
    return f"{verb} {text if len(text) <= MOST_TOLD else text[:MOST_TOLD] + '…'}"
