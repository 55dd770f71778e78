"""Parse IOHprofiler's index files, in JSON or in the older format ``.info``.

An index file lists scenarios, each with one function in one dimension, the path of a data file, and
the runs in this file. firsthit writes additional keys, which are read only from its own files.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ...records.dtypes import ORIGIN
from ...records.run_record import RECORDS, Record, clean_text
from ..blocks import MAX_COUNT, TextError

Word = TypeVar("Word", bound=str)
NO_VALUE = 1e308
"""Smallest number that means no value."""
CONSTRAINTS = "evaluations_constraints"
"""Column and key of a run that firsthit writes for evaluations of the constraints."""
SECONDS = "seconds"
"""Column and key of a run that firsthit writes for seconds since the start of the run."""

_TEXT_PAIR = re.compile(r"""\s*([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"',]*))\s*(?:,|$)""")
_OLD_RUN = re.compile(r"(\d+):(\d+)\|([^;\s]+)")


@dataclass(frozen=True, slots=True)
class IndexedRun:
    """One run in an index file."""

    instance: int
    evaluations: int | None  # None: unknown
    best_at: int  # evaluation of the best value; in old files perhaps of the end of the run
    best: float  # best value; NaN: none
    best_x: tuple[float, ...] = ()  # point of the best value; empty: unknown
    digits: int = 15  # number of digits with which ``best`` was printed
    constraints: int = 0  # evaluations of the constraints
    record: Record = "sampled"
    reference: float | None = None  # value that precisions are relative to; None: unknown
    seconds: float = math.nan  # total; NaN: unknown
    host: str = ""  # machine whose clock measured the seconds; empty: simulated time


@dataclass(frozen=True, slots=True)
class Scenario:
    """One function in one dimension: its runs and the file with their data."""

    path: str  # as in the index file
    suite: str  # as in the index file
    function: int | None  # None: the index file has a text instead of a number
    name: str  # of the function; empty: unknown
    dimension: int
    maximization: bool | None  # whether larger values are better; None: unknown
    algorithm: str
    is_ours: bool  # whether firsthit wrote the index file
    is_precision: bool  # whether the index file declares that values are precisions
    runs: tuple[IndexedRun, ...]
    columns: tuple[str, ...] | None = None  # in the data file, without points; None: not declared


def parse_json(text: str) -> list[Scenario]:
    """Parse an index file in JSON; raise TextError for wrong types and values."""
    try:
        index = json.loads(text)
    except json.JSONDecodeError as error:
        raise TextError(f"it is no JSON ({error.msg})", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise TextError(f"it is no JSON that can be read ({error})", 1) from error
    return [_parse_scenario(index, scenario) for scenario in _get(index, "scenarios", list)]


def _parse_scenario(index: Any, scenario: Any) -> Scenario:
    algorithm = _get(index, "algorithm", dict)
    extension = index.get("firsthit")
    is_ours = isinstance(extension, dict)
    is_precision = is_ours and _get_word(extension, "raw_y", ("precision", "value")) == "precision"
    columns = index.get("attributes")
    if is_ours or columns is not None:
        columns = tuple(map(str, _get(index, "attributes", list)))
    return Scenario(
        path=_get(scenario, "path", str),
        suite=_get_name(index, "suite"),
        function=_get_count(index, "function_id", 2**32),
        name=_get_name(index, "function_name"),
        dimension=max(_get_count(scenario, "dimension", 2**20), 1),
        maximization=_get(index, "maximization", bool),
        algorithm=_get_name(algorithm, "name"),
        is_ours=is_ours,
        is_precision=is_precision,
        runs=tuple(
            _parse_run(run, is_ours, is_precision)
            for run in _get(scenario, "runs", list)
            if run != {}
        ),
        columns=columns,
    )


def _parse_run(run: Any, is_ours: bool, is_precision: bool) -> IndexedRun:
    best = _get(run, "best", dict)
    value, x = best.get("y"), best.get("x")
    number = value if _is_number(value) else math.nan
    point = x if isinstance(x, list) and all(map(_is_number, x)) else []
    extra: dict[str, Any] = run if is_ours else {}
    reference, host = extra.get("reference_value"), extra.get("host")
    record: Record = _get_word(run, "record", RECORDS) if is_ours else "sampled"
    if is_precision and not _is_number(reference):
        raise TextError("a run has precisions, but no 'reference_value'", 1)
    return IndexedRun(
        instance=_get_count(run, "instance", 2**63),
        # Data that were not written evaluation by evaluation have 0 for an unknown number.
        evaluations=_get_count(run, "evals", MAX_COUNT) or None,
        best_at=_get_count(best, "evals", MAX_COUNT),
        best=float(number),
        best_x=tuple(map(float, point)),
        constraints=_get_count(run, CONSTRAINTS, MAX_COUNT) if is_ours else 0,
        record=record,
        reference=float(reference) if reference is not None and _is_number(reference) else None,
        seconds=float(extra[SECONDS]) if _is_number(extra.get(SECONDS)) else math.nan,
        host=clean_text(host, ORIGIN["host"].itemsize) if isinstance(host, str) else "",
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < NO_VALUE


def _get(node: Any, name: str, kind: type) -> Any:
    """Return a value of a JSON object; raise TextError if it is missing or of another type."""
    if not isinstance(node, dict) or not isinstance(node.get(name), kind):
        value = repr(node.get(name) if isinstance(node, dict) else node)[:40]
        raise TextError(f"{name!r} is {value}; it must be a {kind.__name__}", 1)
    return node[name]


def _get_word(node: Any, name: str, words: tuple[Word, ...]) -> Word:
    """Return the text of a node that is one of the words; raise TextError if it is another one."""
    text = _get(node, name, str)
    for word in words:
        if text == word:
            return word
    raise TextError(f"{name!r} is {text[:40]!r}; it must be one of {', '.join(words)}", 1)


def _get_name(node: Any, name: str) -> str:
    text: str = _get(node, name, str)
    if not text.strip() or not _is_printable_name(text):
        raise TextError(f"{name!r} is {text[:40]!r}; it must be a printable name", 1)
    return text


def _get_count(node: Any, name: str, limit: int) -> int:
    number = _get(node, name, int)
    if isinstance(number, bool) or not 0 <= number < limit:
        raise TextError(f"{name!r} is {str(number)[:40]}; it must be a count below {limit}", 1)
    return int(number)


def parse_old_info(text: str) -> list[Scenario]:
    """Parse an index file of the older format; raise TextError if a line is malformed.

    Each function and dimension has three lines: a head of names and values, a comment, and a list
    of a data file and its runs.
    """
    scenarios = []
    facts: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("%"):
            continue
        if "funcId" in line and "=" in line:
            pairs = _TEXT_PAIR.findall(line)
            facts = {name: double or single or bare.strip() for name, double, single, bare in pairs}
        else:
            scenarios.append(_parse_old_scenario(facts, line, number))
            facts = {}
    return scenarios


def _parse_old_scenario(facts: Mapping[str, str], line: str, number: int) -> Scenario:
    path, *items = (part.strip() for part in line.split(","))
    runs = [_OLD_RUN.match(item) for item in items]
    if not path.endswith(".dat") or not all(runs):
        raise TextError(
            f"{line[:60]!r} is no list of a data file and runs 'instance:evaluations|best'", number
        )
    function, dimension = facts.get("funcId", ""), facts.get("DIM", "")
    if not function or not _is_small_number(dimension):
        raise TextError("the head of this entry names no funcId and DIM", number - 1)
    names = {"algorithm's": facts.get("algId", ""), "function's": facts.get("funcName", "")}
    if not _is_small_number(function):
        names["function's"] = function
    for owner, name in names.items():
        if (owner == "algorithm's" and not name.strip()) or not _is_printable_name(name):
            raise TextError(f"the {owner} name is {name[:40]!r}; it must be printable", number - 1)
    maximization = facts.get("maximization", "")[:1].upper()
    return Scenario(
        path=path,
        suite=facts.get("suite") or "unknown_suite",
        function=int(function) if _is_small_number(function) else None,
        name=names["function's"],
        dimension=max(int(dimension), 1),
        maximization=maximization == "T" if maximization else None,
        algorithm=names["algorithm's"],
        is_ours=False,
        is_precision=False,
        runs=tuple(_parse_old_run(match, number) for match in runs if match),
    )


def _is_small_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7


def _is_printable_name(text: str) -> bool:
    return text.isprintable() and len(text) <= 200


def _parse_old_run(match: re.Match[str], number: int) -> IndexedRun:
    """Return a run of an index file of 2018; raise TextError if it is none.

    Args:
        match: Instance, evaluation of the best value, and best value.
        number: Number of the line.
    """
    instance, best_at, best = match.groups()
    try:
        value = float(best)
        if len(instance) > 18 or len(best_at) > 15:
            raise ValueError  # too large for a log
    except ValueError:
        raise TextError(f"{match[0][:60]!r} is no run", number) from None
    return IndexedRun(int(instance), None, int(best_at), value, (), 5)
