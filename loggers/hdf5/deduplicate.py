"""Join tables of runs into one table in canonical order, in which each run occurs once.

A run may be in several tables, for example in a log and in a journal, or in two logs that are
merged. `join` keeps the copy that is most complete or newest, and refuses tables that contradict
each other. This module also compares descriptions of algorithms and suites.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..errors import LogConflictError
from ..records.dtypes import TABLES
from ..records.points import POINT_LIMIT_NOTE
from ..records.run_record import READ_STATUSES, Status, SuiteFacts
from .files import log_of_file
from .ragged import Indices, chain
from .schema import RUNS
from .table import TEXTS, LogTable

UNFINISHED: tuple[Status, ...] = ("interrupted",)
"""Statuses of runs that are always made again."""
FAILED: tuple[Status, ...] = ("failed", "timeout")
"""Statuses of runs that are made again if the user asks for it."""
_RUNS_AT_ONCE = 5000
"""Number of copies whose rows are compared at a time, to limit the memory."""
_MAX_SHOWN_CHARACTERS = 100
"""Maximum length of a value in a message; longer values are cut off."""
_OUTCOME_COLUMNS = (
    "algorithm", "function_row", "function", "dimension", "instance", "repetition", "stage",
    "campaign_seed", "seed", "budget", "evaluations", "evaluations_constraints", "reference_value",
    "best_precision", "status", "record", "archive_kept",
)  # fmt: skip
"""Columns that are equal in two copies of a run; durations and texts of errors may differ."""
_TIMING_TABLES = ("hit_seconds", "trajectory_seconds", "origin")
"""Variable-length tables that may differ between two copies of a run."""
_SOLUTIONS = ("hit_solutions", "evaluated_solutions")
_POINT_TABLES = (*_SOLUTIONS, "evaluations")
"""Variable-length tables of recorded points. One of two copies of a run may lack them."""
_POINT_LIMIT = POINT_LIMIT_NOTE.encode()
FILE, REPLACED = CODE = ("file_sha256", "replaced_sha256")
"""Keys of an algorithm's description in a header. `FILE` is the SHA-256 of the algorithm's file.
`REPLACED` are the SHA-256 of older files; the user has accepted the file as their replacement."""
_RANK = np.array([(status in FAILED) + 2 * (status in UNFINISHED) for status in READ_STATUSES])
"""Rank of each status: 0 completed, 1 failed, 2 unfinished. Of two copies of a run, the copy with
the lower rank is kept."""


def join(tables: Sequence[LogTable], sources: Sequence[object]) -> LogTable:
    """Join tables into one in canonical order, and keep one copy of each run.

    The order is by suite, dimension, function, instance, algorithm, repetition and stage. Of
    several copies of a run, these are kept:

    - A completed run rather than a failed or timed-out one, and that rather than an interrupted
      one.
    - Of two runs that were both failed or both interrupted: the later one.
    - Of two completed runs with the same outcome: the one with more recorded points, else the
      first one.
    - Of two completed runs that two versions of an optimizer's file made: the run of the version
      that the user accepted as a replacement for the other.
    - Of two completed runs in different files of one log (its file and its journals): the run whose
      header is newer. The other one was in a journal that somebody moved away and put back after
      the run had been made again.

    Args:
        tables: The tables. Tables of files of one log are in the order from old to new.
        sources: Source of each table: the `Path` of its file, or text for messages. Paths also
            tell which files belong to one log.

    Returns:
        One table with each run once.

    Raises:
        LogConflictError: Two completed copies of a run differ, and no rule above applies. Or tables
            contradict each other about the parameters of an algorithm or about a suite.
    """
    check_parameters(tables, sources)
    check_suites(tables, sources)
    stacked = _stack_tables(tables)
    source_of_run = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    kept_rows = _select_copies(stacked, source_of_run, sources)
    return drop_unused_texts(stacked.take(kept_rows[_sort_canonically(stacked, kept_rows)]))


def _stack_tables(tables: Sequence[LogTable]) -> LogTable:
    """Return all runs of all tables, one table after the other, with all copies of each run."""
    texts: list[tuple[Any, ...]] = [
        tuple(sorted({text for table in tables for text in getattr(table, field_name)}))
        for field_name in TEXTS.values()
    ]
    headers, algorithms, functions, messages, references = texts
    suites = {suite.name: suite for table in tables for suite in table.suites}
    n_runs = [len(table) for table in tables]
    runs = [_convert_indices(table, texts) for table in tables]
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
            name: chain(name, [table.ragged[name] for table in tables], n_runs) for name in TABLES
        },
        tuple(dict.fromkeys(note for table in tables for note in table.notes)),
        newer_version=max((table.newer_version for table in tables), default=""),
    )


def _convert_indices(table: LogTable, texts: Sequence[tuple[Any, ...]]) -> NDArray[np.void]:
    """Return ``table.runs`` with the indices of the table's texts converted to those of others.

    Args:
        table: The table; it is not changed.
        texts: The other texts, one tuple for each column in `TEXTS`; they contain the table's.
    """
    old_texts: list[tuple[Any, ...]] = [getattr(table, name) for name in TEXTS.values()]
    if all(list(old) == list(new) for old, new in zip(old_texts, texts, strict=True)):
        return table.runs
    runs = table.runs.copy()
    for column, old, new in zip(TEXTS, old_texts, texts, strict=True):
        index = {text: i for i, text in enumerate(new)}
        new_indices = np.array([index[text] for text in old], dtype=np.uint32)
        runs[column] = new_indices[runs[column]] if len(runs) else 0
    return runs


class _Copy(NamedTuple):
    """A copy of a run."""

    rank: int  # rank of its status, see `_RANK`
    row: int  # position in the table of all copies


def _select_copies(table: LogTable, source_of_run: Indices, sources: Sequence[object]) -> Indices:
    """Return the rows of the runs that are kept, one for each key; see `join`.

    Of several copies of a run, a completed one is preferred to one that failed or was interrupted.

    Args:
        table: All runs.
        source_of_run: Index of each run's source, shape ``(n_runs,)``.
        sources: The sources.
    """
    is_kept = np.ones(len(table), dtype=bool)
    rows = _find_similar_keys(table.runs["key"])
    ranks = _RANK[table.runs["status"][rows]].tolist()
    best: dict[bytes, _Copy] = {}  # the copy of each run that is kept
    completed_copies: list[tuple[int, int]] = []  # pairs of rows whose outcomes must be equal
    descriptions = [json.loads(text).get("algorithms") or {} for text in table.headers if len(rows)]
    is_replacement = partial(_is_replacement, table, descriptions)
    for row, rank, key in zip(rows.tolist(), ranks, table.runs["key"][rows].tolist(), strict=True):
        best_rank, best_row = best.setdefault(key, _Copy(rank, row))
        if best_row == row:
            continue
        are_completed = rank == best_rank == 0
        is_accepted = are_completed and is_replacement(row, best_row)
        if are_completed and not is_accepted and not is_replacement(best_row, row):
            completed_copies.append((best_row, row))
        if rank < best_rank or rank == best_rank > 0 or is_accepted:
            best[key] = _Copy(rank, row)
            is_kept[best_row] = False
        else:
            is_kept[row] = False
    if completed_copies:
        is_same = _compare_outcomes(table, *np.array(completed_copies).T)
        n_numbers = np.zeros(len(table), dtype=np.int64)  # of recorded points
        for name in _SOLUTIONS:
            if name in table.ragged:  # a follower of a campaign keeps few tables
                n_numbers += table.ragged[name].lengths
        for i in np.flatnonzero(is_same).tolist():
            first_row, row = completed_copies[i]
            key = table.runs["key"][row]
            if best[key].row == first_row and n_numbers[row] > n_numbers[first_row]:
                best[key] = _Copy(0, row)
                is_kept[[first_row, row]] = False, True
        for i in np.flatnonzero(~is_same).tolist():
            first_row, row = completed_copies[i]
            if not _are_of_one_log(first_row, row, source_of_run, sources):
                _raise_conflict(table, completed_copies[i], source_of_run, sources)
            key = table.runs["key"][row]
            kept_row = best[key].row
            if _is_made_later(table, row, kept_row, source_of_run, sources):
                best[key] = _Copy(0, row)
                is_kept[[kept_row, row]] = False, True
    return np.flatnonzero(is_kept)


def _find_similar_keys(keys: NDArray[np.bytes_]) -> Indices:
    """Return the rows of all runs that may have copies.

    These are the rows whose keys have the first eight characters in common with another key. Nearly
    all runs have no copies, so comparing eight characters first is much faster.
    """
    numbers = keys.astype("S8").view("<u8")  # numbers, since sorting a million texts takes seconds
    _, index, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return np.flatnonzero(counts[index] > 1)


def _is_replacement(
    table: LogTable, descriptions: Sequence[Mapping[str, Any]], row: int, other: int
) -> bool:
    """Return whether a run was made by an accepted replacement for the other run's optimizer file.

    Args:
        table: All runs.
        descriptions: Descriptions of the algorithms by name, for each header.
        row: Position of the run.
        other: Position of the other run.
    """
    new, old = (
        descriptions[run["header"]].get(table.algorithms[run["algorithm"]], {})
        for run in table.runs[[row, other]]
    )
    return old.get(FILE) != new.get(FILE) and old.get(FILE) in new.get(REPLACED, ())


def _compare_outcomes(table: LogTable, rows: Indices, others: Indices) -> NDArray[np.bool_]:
    """Return for each pair of runs ``rows[i]`` and ``others[i]`` whether their records are equal.

    Durations, texts of errors and recorded points are not compared.
    """
    is_same = np.ones(len(rows), dtype=bool)
    for name in _OUTCOME_COLUMNS:
        left, right = table.runs[name][rows], table.runs[name][others]
        is_same &= (left == right) | ((left != left) & (right != right))  # NaN equals NaN
    for start in range(0, len(rows), _RUNS_AT_ONCE):
        block = slice(start, start + _RUNS_AT_ONCE)
        for name, entries in table.ragged.items():
            if name in (*_TIMING_TABLES, *_POINT_TABLES):
                continue
            left_rows, right_rows = entries.pick(rows[block]), entries.pick(others[block])
            for i in range(len(left_rows.lengths)):
                left, right = left_rows.of(i), right_rows.of(i)
                if name == "notes":
                    left, right = (part[part["name"] != _POINT_LIMIT] for part in (left, right))
                is_same[start + i] &= left.tobytes() == right.tobytes()
    return is_same


def _are_of_one_log(
    row: int, other: int, source_of_run: Indices, sources: Sequence[object]
) -> bool:
    """Return whether two runs are in different files of one log: its file and its journals."""
    files = {sources[source_of_run[row]], sources[source_of_run[other]]}
    logs = {log_of_file(path) if isinstance(path, Path) else path for path in files}
    return len(files) == 2 and len(logs) == 1


def _is_made_later(
    table: LogTable, row: int, other: int, source_of_run: Indices, sources: Sequence[object]
) -> bool:
    """Return whether a run was made in a later session than the other, by their headers.

    Headers have the time in whole seconds. If the times are equal, a run in the log's file counts
    as later than a run in a journal, and a run in a newer journal as later than a run in an older
    journal.
    """

    def get_session_order(run: int) -> tuple[str, bool, int]:
        header = json.loads(table.headers[table.runs["header"][run]])
        path = sources[source_of_run[run]]
        is_in_file = isinstance(path, Path) and log_of_file(path) == path
        return header["provenance"].get("created_utc") or "", is_in_file, int(source_of_run[run])

    return get_session_order(row) > get_session_order(other)


def _raise_conflict(
    table: LogTable, rows: tuple[int, int], source_of_run: Indices, sources: Sequence[object]
) -> NoReturn:
    """Raise the error that two completed copies of a run, at these two rows, differ."""
    run = table.runs[rows[0]]
    function = table.functions[run["function_row"]]
    name = (
        f"{table.algorithms[run['algorithm']]} on {function.suite} f{run['function']} "
        f"i{run['instance']} d{run['dimension']}, repetition {run['repetition']}"
    )
    files = " and ".join(repr(str(sources[source_of_run[row]])) for row in rows)
    raise LogConflictError(
        f"two different outcomes of the same run ({name}) in {files}; "
        "give one of the experiments another algorithm name or seed, or leave one log out"
    )


def _sort_canonically(table: LogTable, rows: Indices) -> Indices:
    """Return the indices that sort ``rows`` canonically, see `join`.

    Texts are compared by their indices, because `_stack_tables` sorts the texts.
    """
    runs, n_rows = table.runs, len(rows)
    suites = np.unique([row.suite for row in table.functions] or [""], return_inverse=True)[1]
    suite = suites[runs["function_row"][rows]] if n_rows else np.empty(0, np.int64)
    names = ("dimension", "function", "instance", "algorithm", "repetition", "stage")
    columns = [suite, *(runs[name][rows] for name in names)]
    # The key makes the order unique: runs of two campaigns may agree in all columns. It is sorted
    # as two numbers, which is far faster than sorting texts.
    keys = runs["key"][rows].astype("S16").view(">u8").reshape(n_rows, 2)
    return np.lexsort([*keys.astype(np.uint64).T[::-1], *columns[::-1]])


def drop_unused_texts(table: LogTable) -> LogTable:
    """Return the table without the texts and suites that belong to none of its runs."""
    runs = table.runs
    used_texts: dict[str, tuple[Any, ...]] = {}
    for column, field_name in TEXTS.items():
        texts = getattr(table, field_name)
        is_used = np.bincount(runs[column], minlength=len(texts)) > 0
        if is_used.all():
            continue
        runs = runs if runs is not table.runs else runs.copy()
        runs[column] = (np.cumsum(is_used) - 1)[runs[column]] if len(runs) else 0
        used_texts[field_name] = tuple(
            text for text, used in zip(texts, is_used, strict=True) if used
        )
    suites = {row.suite for row in used_texts.get("functions", table.functions)}
    used_texts["suites"] = tuple(suite for suite in table.suites if suite.name in suites)
    return replace(table, runs=runs, **used_texts)  # type: ignore[arg-type]


def check_parameters(tables: Sequence[LogTable], sources: Sequence[object]) -> None:
    """Check that tables agree on the parameters and the file of each algorithm.

    Args:
        tables: The tables.
        sources: Source of each table, for the message.

    Raises:
        LogConflictError: An algorithm has two sets of parameters, or two files of which neither was
            accepted as a replacement for the other.
    """
    first_seen: dict[str, tuple[dict[str, Any], object]] = {}
    source_of_header = {
        text: source
        for table, source in zip(tables, sources, strict=True)
        for text in table.headers
    }
    for text, source in source_of_header.items():
        algorithms = json.loads(text).get("algorithms") or {}
        for name, description in algorithms.items():
            first, first_source = first_seen.setdefault(name, (description, source))
            differences = "; ".join(different_algorithms(first, description))
            if differences:
                raise LogConflictError(
                    f"algorithm {name!r} differs between {str(first_source)!r} and "
                    f"{str(source)!r}: {differences}. Give one of the algorithms another name "
                    "before its runs are made, or load the logs separately"
                )


def different_algorithms(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences between two descriptions of an algorithm.

    A changed file is no difference if the user accepted it.

    Args:
        old: Description of the algorithm in one header.
        new: Description in another header.

    Yields:
        Clauses such as ``parameters.sigma was 1, is 2``.
    """
    yield from _describe_differences(
        *({k: v for k, v in facts.items() if k not in CODE} for facts in (old, new))
    )
    if old.get("use") != new.get("use"):
        return  # yielded above; the two files are not versions of one
    old_file, new_file = old.get(FILE), new.get(FILE)
    is_accepted = old_file in new.get(REPLACED, ()) or new_file in old.get(REPLACED, ())
    if old_file != new_file and not is_accepted:
        yield f"the code of {new.get('use')!r} has changed"


def check_suites(tables: Sequence[LogTable], sources: Sequence[object]) -> None:
    """Check that tables agree on the version and the measurement of each suite.

    Args:
        tables: The tables.
        sources: Source of each table, for the message.

    Raises:
        LogConflictError: A suite has two versions, or its runs were measured in two ways.
    """
    first_seen: dict[str, tuple[SuiteFacts, object]] = {}
    for table, source in zip(tables, sources, strict=True):
        for suite in table.suites:
            first, first_source = first_seen.setdefault(suite.name, (suite, source))
            for label, old, new in suite_differences(first, suite):
                raise LogConflictError(
                    f"suite {suite.name!r} has {label} {old} in {str(first_source)!r} but {new} in "
                    f"{str(source)!r}: their runs cannot be compared; keep them in separate logs"
                )


def suite_differences(old: SuiteFacts, new: SuiteFacts) -> Iterator[tuple[str, object, object]]:
    """Yield the differences between two descriptions of a suite.

    Args:
        old: Description of the suite in one log.
        new: Description of the suite in another log.

    Yields:
        Label of the fact that differs, its old value, and its new value.
    """
    if old.version != new.version:
        yield "version", old.version, new.version
    for item in fields(old.measurement):
        old_value = getattr(old.measurement, item.name)
        new_value = getattr(new.measurement, item.name)
        if old_value != new_value:
            yield item.name.replace("_", " "), shortened(old_value), shortened(new_value)


def _describe_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield clauses such as ``parameters.sigma was 1, is 2``, also for nested mappings."""
    for key in sorted({*old, *new}):
        old_value, new_value = old.get(key), new.get(key)
        if isinstance(old_value, Mapping) and isinstance(new_value, Mapping):
            yield from (f"{key}.{text}" for text in _describe_differences(old_value, new_value))
        elif old_value != new_value:
            old_text = shortened(old_value) if key in old else "not set"
            new_text = shortened(new_value) if key in new else "not set"
            yield f"{key} was {old_text}, is {new_text}"


def shortened(value: object) -> str:
    """Return a value as JSON text, cut off after 100 characters."""
    text = json.dumps(value)
    return text if len(text) <= _MAX_SHOWN_CHARACTERS else text[:_MAX_SHOWN_CHARACTERS] + "…"
