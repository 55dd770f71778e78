"""IOHprofiler's index files, JSON and the older .info: which runs there are, in which files."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...records.dtypes import ORIGIN
from ...records.run_record import RECORDS, Record, clean_text
from ..blocks import MAX_COUNT, TextError

NO_VALUE = 1e308
"""A number this large stands for no value."""
CONSTRAINTS = "evaluations_constraints"
"""The column, and the number of a run, that firsthit writes of evaluations of the constraints."""
SECONDS = "seconds"
"""The column, and the number of a run, that firsthit writes of the seconds of runs."""

_TEXT_PAIR = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|([^",]*))\s*(?:,|$)')
_OLD_RUN = re.compile(r"(\d+):(\d+)\|([^;\s]+)")


@dataclass(frozen=True, slots=True)
class IndexedRun:
    """One run as an index file names it."""

    instance: int
    evaluations: int | None  # None: unknown
    best_at: int | None  # evaluation of the best value; None: unknown
    best: float
    best_x: tuple[float, ...] = ()  # where it was; empty: unknown
    digits: int = 15  # that ``best`` was printed with
    constraints: int = 0  # evaluations of the constraints
    record: Record = "sampled"
    reference: float | None = None  # what precisions were measured from; None: unknown
    seconds: float = math.nan  # in all; NaN: unknown
    host: str = ""  # whose clock gave seconds; empty: simulated time


@dataclass(frozen=True, slots=True)
class Scenario:
    """One function in one dimension: its runs and the file with their data."""

    path: str  # as written
    suite: str  # as written
    function: int
    name: str  # of the function
    dimension: int
    maximization: bool  # whether larger values are better
    algorithm: str
    is_ours: bool  # whether firsthit wrote it
    is_precision: bool  # whether it says that values are precisions
    runs: tuple[IndexedRun, ...]


def parse_json(text: str) -> list[Scenario]:
    """Read an index file in JSON; TextError where something in it has a wrong type or value."""
    try:
        index = json.loads(text)
    except json.JSONDecodeError as error:
        raise TextError(f"it is no JSON ({error.msg})", error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise TextError(f"it is no JSON that can be read ({error})", 1) from error
    return [_scenario(index, scenario) for scenario in _get(index, "scenarios", list)]


def _scenario(index: Any, scenario: Any) -> Scenario:
    algorithm = _get(index, "algorithm", dict)
    ours = index.get("firsthit")
    is_ours = isinstance(ours, dict)
    return Scenario(
        path=_get(scenario, "path", str),
        suite=_text(index, "suite"),
        function=_count(index, "function_id", 2**32),
        name=_text(index, "function_name"),
        dimension=max(_count(scenario, "dimension", 2**20), 1),
        maximization=_get(index, "maximization", bool),
        algorithm=_text(algorithm, "name"),
        is_ours=is_ours,
        is_precision=is_ours and ours.get("raw_y") == "precision",
        runs=tuple(_run(run, is_ours) for run in _get(scenario, "runs", list) if run != {}),
    )


def _run(run: Any, is_ours: bool) -> IndexedRun:
    best = _get(run, "best", dict)
    value, x = best.get("y"), best.get("x")
    number = value if _is_number(value) else math.nan
    point = x if isinstance(x, list) and all(map(_is_number, x)) else []
    own: dict[str, Any] = run if is_ours else {}
    record, reference, host = (own.get(name) for name in ("record", "reference_value", "host"))
    return IndexedRun(
        instance=_count(run, "instance", 2**63),
        evaluations=_count(run, "evals", MAX_COUNT),
        best_at=_count(best, "evals", MAX_COUNT),
        best=float(number),
        best_x=tuple(map(float, point)),
        constraints=_count({CONSTRAINTS: 0, **own}, CONSTRAINTS, MAX_COUNT),
        record=record if record in RECORDS else "sampled",
        reference=float(reference) if reference is not None and _is_number(reference) else None,
        seconds=float(own[SECONDS]) if _is_number(own.get(SECONDS)) else math.nan,
        host=clean_text(host, ORIGIN["host"].itemsize) if isinstance(host, str) else "",
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < NO_VALUE


def _get(where: Any, name: str, kind: type) -> Any:
    if not isinstance(where, dict) or not isinstance(where.get(name), kind):
        value = repr(where.get(name) if isinstance(where, dict) else where)[:40]
        raise TextError(f"{name!r} is {value}; it must be a {kind.__name__}", 1)
    return where[name]


def _text(where: Any, name: str) -> str:
    text: str = _get(where, name, str)
    if not text.strip() or not text.isprintable() or len(text) > 200:
        raise TextError(f"{name!r} is {text[:40]!r}; it must be a printable name", 1)
    return text


def _count(where: Any, name: str, limit: int) -> int:
    number = _get(where, name, int)
    if isinstance(number, bool) or not 0 <= number < limit:
        raise TextError(f"{name!r} is {str(number)[:40]}; it must be a count below {limit}", 1)
    return int(number)


def parse_old_info(text: str) -> list[Scenario]:
    """Read an index file of the older format: three lines for each function and dimension."""
    scenarios = []
    facts: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("%"):
            continue
        if "funcId" in line and "=" in line:
            pairs = _TEXT_PAIR.findall(line)
            facts = {name: quoted or bare.strip() for name, quoted, bare in pairs}
        else:
            scenarios.append(_old_scenario(facts, line, number))
            facts = {}
    return scenarios


def _old_scenario(facts: Mapping[str, str], line: str, number: int) -> Scenario:
    path, *items = (part.strip() for part in line.split(","))
    runs = [_OLD_RUN.match(item) for item in items]
    numbers = {name: facts.get(name, "") for name in ("funcId", "DIM")}
    if not path.endswith(".dat") or not all(runs):
        raise TextError(
            f"{line[:60]!r} is no list of a data file and runs 'instance:evaluations|best'", number
        )
    if not all(text.isascii() and text.isdigit() and len(text) < 7 for text in numbers.values()):
        raise TextError("the head of this entry names no funcId and DIM", number - 1)
    name = facts.get("algId", "")
    if not name.strip() or not name.isprintable() or len(name) > 200:
        raise TextError(f"the algorithm's name is {name[:40]!r}; it must be printable", number - 1)
    return Scenario(
        path=path,
        suite=facts.get("suite") or "unknown_suite",
        function=int(numbers["funcId"]),
        name=facts.get("funcName", ""),
        dimension=max(int(numbers["DIM"]), 1),
        maximization=facts.get("maximization", "F")[:1].upper() == "T",
        algorithm=name,
        is_ours=False,
        is_precision=False,
        runs=tuple(_old_run(match, number) for match in runs if match),
    )


def _old_run(match: re.Match[str], number: int) -> IndexedRun:
    instance, best_at, best = match.groups()
    try:
        value = float(best)
        if len(instance) > 18 or len(best_at) > 15:
            raise ValueError
    except ValueError:
        raise TextError(f"{match[0][:60]!r} is no run", number) from None
    return IndexedRun(int(instance), None, int(best_at), value, (), 5)
