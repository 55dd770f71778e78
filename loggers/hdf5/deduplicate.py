"""Joins tables of runs into one, in canonical order, every run once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogConflictError
from ..records.dtypes import TABLES
from ..records.run_record import STATUSES, Status, SuiteFacts
from .ragged import chained
from .schema import RUNS
from .table import TEXTS, LogTable

UNFINISHED: tuple[Status, ...] = ("interrupted",)
"""How runs end that are to be made again in any case."""
FAILED: tuple[Status, ...] = ("failed", "timeout")
"""How runs end that are to be made again when asked for."""
_RUNS_AT_ONCE = 5000
MAX_VALUE_LENGTH = 100
"""Longest text of a value in a message, in characters."""
_OUTCOME = (
    "algorithm", "function_row", "function", "dimension", "instance", "repetition", "stage",
    "campaign_seed", "seed", "budget", "evaluations", "evaluations_constraints", "reference_value",
    "best_precision", "status", "record", "archive_kept",
)  # fmt: skip
"""Facts that two copies of a run agree on; times and texts of errors may differ."""
_CIRCUMSTANCES = ("hit_seconds", "trajectory_seconds", "origin")
"""Tables that two copies of a run need not agree on."""
FILE, REPLACED = CODE = ("file_sha256", "replaced_sha256")
"""What a header says of an algorithm's file: its hash, and those that it was accepted for."""
_RANK = np.array([(s in FAILED) + 2 * (s in UNFINISHED) for s in STATUSES])


def join(tables: Sequence[LogTable], sources: Sequence[object]) -> LogTable:
    """One table of all runs, by suite, dimension, function, instance, algorithm and repetition.

    A run that stands in several tables with the same outcome is kept once. An interrupted run gives
    way to the same run failed or timed out, and that to the same run completed; of two that failed,
    the later stays: tables of one log come from old to new. So it does of two completed ones made
    by two versions of an optimizer's file, where the header of the later accepted its version in
    place of the other. Other contradictions are a LogConflictError.
    """
    check_parameters(tables, sources)
    check_suites(tables, sources)
    pooled = stacked(tables)
    source = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    kept = _once(pooled, source, sources)
    return only_used(pooled.take(kept[_order(pooled, kept)]))


def stacked(tables: Sequence[LogTable]) -> LogTable:
    """All runs of all tables, one table after the other, also those that stand in several."""
    texts: list[tuple[Any, ...]] = [
        tuple(sorted({text for table in tables for text in getattr(table, kind)}))
        for kind in TEXTS.values()
    ]
    headers, algorithms, functions, messages, references = texts
    suites = {suite.name: suite for table in tables for suite in table.suites}
    counts = [len(table) for table in tables]
    runs = [_remapped(table, texts) for table in tables]
    return LogTable(
        headers,
        algorithms,
        tuple(suites[name] for name in sorted(suites)),
        functions,
        messages,
        references,
        runs[0] if len(runs) == 1 else np.concatenate([np.empty(0, RUNS), *runs]),
        tables[0].ragged
        if len(tables) == 1
        else {
            name: chained(name, [table.ragged[name] for table in tables], counts) for name in TABLES
        },
        tuple(dict.fromkeys(note for table in tables for note in table.notes)),
    )


def _remapped(table: LogTable, texts: Sequence[tuple[Any, ...]]) -> NDArray[np.void]:
    old: list[tuple[Any, ...]] = [getattr(table, kind) for kind in TEXTS.values()]
    if all(list(before) == list(after) for before, after in zip(old, texts, strict=True)):
        return table.runs
    runs = table.runs.copy()
    for column, before, after in zip(TEXTS, old, texts, strict=True):
        position = {text: i for i, text in enumerate(after)}
        moved = np.array([position[text] for text in before], dtype=np.uint32)
        runs[column] = moved[runs[column]] if len(runs) else 0
    return runs


def _once(
    table: LogTable, source: NDArray[np.int64], sources: Sequence[object]
) -> NDArray[np.int64]:
    """Rows to keep, one of each key: see ``join``."""
    kept = np.ones(len(table), dtype=bool)
    rows = _maybe_repeated(table.runs["key"])
    ranks = _RANK[table.runs["status"][rows]].tolist()
    best: dict[bytes, tuple[int, int]] = {}  # rank and row of the run that stays
    copies: list[tuple[int, int]] = []
    described = [json.loads(text).get("algorithms") or {} for text in table.headers if len(rows)]
    replacing = partial(_replaces, table, described)
    for row, rank, key in zip(rows.tolist(), ranks, table.runs["key"][rows].tolist(), strict=True):
        best_rank, leader = best.setdefault(key, (rank, row))
        if leader == row:
            continue
        is_accepted = rank == best_rank == 0 and replacing(row, leader)
        if rank == best_rank == 0 and not is_accepted and not replacing(leader, row):
            copies.append((leader, row))
        if rank < best_rank or rank == best_rank > 0 or is_accepted:
            best[key], leader, row = (rank, row), row, leader
        kept[row] = False
    if copies:
        same = _same_outcome(table, *np.array(copies).T)
        if not same.all():
            _refuse(table, copies[int(np.argmin(same))], source, sources)
    return np.flatnonzero(kept)


def _replaces(
    table: LogTable, described: Sequence[Mapping[str, Any]], row: int, other: int
) -> bool:
    """Whether a run was made by a file that its header accepted in place of that of the other."""
    now, before = (
        described[run["header"]].get(table.algorithms[run["algorithm"]], {})
        for run in table.runs[[row, other]]
    )
    return before.get(FILE) != now.get(FILE) and before.get(FILE) in now.get(REPLACED, ())


def _same_outcome(
    table: LogTable, some: NDArray[np.int64], others: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether runs agree with others, one by one: in what they spent and in what they recorded."""
    same = np.ones(len(some), dtype=bool)
    for name in _OUTCOME:
        left, right = table.runs[name][some], table.runs[name][others]
        same &= (left == right) | ((left != left) & (right != right))
    for start in range(0, len(some), _RUNS_AT_ONCE):
        part = slice(start, start + _RUNS_AT_ONCE)
        for name, entries in table.ragged.items():
            if name in _CIRCUMSTANCES:
                continue
            ours, theirs = entries.pick(some[part]), entries.pick(others[part])
            for i in range(len(ours.lengths)):
                same[start + i] &= ours.of(i).tobytes() == theirs.of(i).tobytes()
    return same


def _maybe_repeated(keys: NDArray[np.bytes_]) -> NDArray[np.int64]:
    """Rows whose key may stand in another row too: those whose first eight characters do."""
    numbers = keys.astype("S8").view("<u8")  # sorting a million texts takes seconds
    _, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[place] > 1)


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
    # runs of two campaigns may have all of these in common; numbers sort far faster than texts
    keys = runs["key"][kept].astype("S16").view(">u8").reshape(n_runs, 2)
    return np.lexsort([*keys.astype(np.uint64).T[::-1], *columns[::-1]])


def only_used(table: LogTable) -> LogTable:
    """Drop text that no run refers to."""
    runs = table.runs
    kept: dict[str, tuple[Any, ...]] = {}
    for column, kind in TEXTS.items():
        texts = getattr(table, kind)
        used = np.bincount(runs[column], minlength=len(texts)) > 0
        if used.all():
            continue
        runs = runs if runs is not table.runs else runs.copy()
        runs[column] = (np.cumsum(used) - 1)[runs[column]] if len(runs) else 0
        kept[kind] = tuple(text for text, there in zip(texts, used, strict=True) if there)
    named = {row.suite for row in kept.get("functions", table.functions)}
    kept["suites"] = tuple(suite for suite in table.suites if suite.name in named)
    return replace(table, runs=runs, **kept)  # type: ignore[arg-type]


def check_parameters(tables: Sequence[LogTable], sources: Sequence[object]) -> None:
    """Refuse two sets of parameters of an algorithm, or two of its files, if none was accepted."""
    seen: dict[str, tuple[dict[str, Any], object]] = {}
    texts = {text: source for t, source in zip(tables, sources, strict=True) for text in t.headers}
    for text, source in texts.items():
        algorithms = json.loads(text).get("algorithms") or {}
        for name, now in algorithms.items():
            before, where = seen.setdefault(name, (now, source))
            differences = "; ".join(different_algorithms(before, now))
            if differences:
                raise LogConflictError(
                    f"algorithm {name!r} differs between {str(where)!r} and {str(source)!r}: "
                    f"{differences}. Give one of them another name"
                )


def different_algorithms(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What differs between two descriptions of an algorithm, but for changes that were accepted."""
    yield from different(
        *({k: v for k, v in facts.items() if k not in CODE} for facts in (before, now))
    )
    old, new = (facts.get(FILE) for facts in (before, now))
    if old != new and old not in now.get(REPLACED, ()) and new not in before.get(REPLACED, ()):
        yield f"the file {now.get('use')!r} has changed"


def check_suites(tables: Sequence[LogTable], sources: Sequence[object]) -> None:
    """Raise LogConflictError where a suite has two versions, or was measured in two ways."""
    seen: dict[str, tuple[SuiteFacts, object]] = {}
    for table, source in zip(tables, sources, strict=True):
        for suite in table.suites:
            before, where = seen.setdefault(suite.name, (suite, source))
            for what, old, new in suite_differences(before, suite):
                raise LogConflictError(
                    f"suite {suite.name!r} has {what} {old} in {str(where)!r} but {new} in "
                    f"{str(source)!r}: their runs cannot be compared; keep them in separate logs"
                )


def suite_differences(before: SuiteFacts, now: SuiteFacts) -> Iterator[tuple[str, object, object]]:
    """What differs between two facts of one suite, each as its name and both values."""
    if before.version != now.version:
        yield "version", before.version, now.version
    for item in fields(before.measurement):
        old, new = getattr(before.measurement, item.name), getattr(now.measurement, item.name)
        if old != new:
            yield item.name.replace("_", " "), shortened(old), shortened(new)


def different(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What differs between two descriptions, such as ``parameters.sigma was 1, is 2``."""
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from (f"{key}.{text}" for text in different(old, new))
        elif old != new:
            yield f"{key} {_value_text(before, key)}, {_value_text(now, key, 'is')}"


def _value_text(facts: Mapping[str, Any], key: str, verb: str = "was") -> str:
    return f"{verb} {shortened(facts[key])}" if key in facts else f"{verb} not there"


def shortened(value: object) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= MAX_VALUE_LENGTH else text[:MAX_VALUE_LENGTH] + "…"
