"""COCO's index files (``.info``): which runs there are, and in which files their data stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ..blocks import MAX_COUNT, TextError
from ..data_files import DataFiles

_PAIR = re.compile(
    r"\s*([A-Za-z_]\w*)\s*=\s*(?:'(.*?)'(?=\s*(?:,\s*[A-Za-z_]\w*\s*=|$))|([^,']*))\s*(?:,|$)"
)
_BIOBJ_ENTRY = re.compile(r"\s*function\s*=\s*(\d+)\s*,\s*dim\s*=\s*(\d+)\s*,\s*(.*)$")
_RUN = re.compile(r"(\d+)(?:\s*:\s*(\d+)\s*\|\s*\S+)?")
_LARGEST = {"function": 2**32, "dimension": 2**20, "instance": 2**63}


class IndexedRun(NamedTuple):
    """One run as an index file names it; ``evaluations`` None where the run was not finished."""

    instance: int
    evaluations: int | None


@dataclass(slots=True)
class Entry:
    """One entry of an index file: runs on one function in one dimension."""

    line: int  # where it stands, from 1
    function: int
    dimension: int
    facts: dict[str, str]  # of its head, name to text
    comment: str  # the line under the head
    files: dict[str, list[IndexedRun]] = field(default_factory=dict)


def read_info(files: DataFiles, index: str) -> list[Entry]:
    """Read an index file of a data set; LogFormatError where it is none, or a line is malformed."""
    with files.parsing(index):
        return _parsed(files.text(index))


def _parsed(text: str) -> list[Entry]:
    entries: list[Entry] = []
    facts: dict[str, str] = {}
    comment = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        pair = _BIOBJ_ENTRY.match(line)
        if pair:
            place = (_number(pair[1], "function", number), _number(pair[2], "dimension", number))
            entries.append(Entry(number, *place, facts, comment))
            _add_runs(entries[-1], pair[3], number)
        elif line.lstrip().startswith("%"):
            comment = line.lstrip()[1:].strip()
            if entries and entries[-1].facts is facts and not entries[-1].files:
                entries[-1].comment = comment
        elif _PAIR.match(line):
            facts, comment = _facts(line, number), ""
            if "funcId" in facts:
                entries.append(_single_entry(facts, number))
        elif entries and entries[-1].facts is facts:
            _add_runs(entries[-1], line, number)
        else:
            raise TextError(f"{line[:60]!r} is no line of an index file of COCO", number)
    return entries


def _facts(line: str, number: int) -> dict[str, str]:
    facts: dict[str, str] = {}
    position = 0
    while position < len(line.rstrip()):
        pair = _PAIR.match(line, position)
        if pair is None or pair.end() == position:
            raise TextError(f"{line[position : position + 60]!r} is no 'name = value'", number)
        quoted, bare = pair[2], pair[3]
        facts[pair[1]] = quoted if quoted is not None else bare.strip()
        position = pair.end()
    return facts


def _single_entry(facts: dict[str, str], number: int) -> Entry:
    if "DIM" not in facts:
        raise TextError("the head of an entry names no DIM", number)
    function = _number(facts["funcId"], "function", number)
    return Entry(number, function, _number(facts["DIM"], "dimension", number), facts, "")


def _add_runs(entry: Entry, line: str, number: int) -> None:
    for part in filter(None, map(str.strip, line.split(","))):
        if part.endswith(".dat"):
            entry.files.setdefault(part, [])
            continue
        run = _RUN.fullmatch(part)
        if run is None or not entry.files:
            raise TextError(
                f"{part[:60]!r} is neither a data file nor a run 'instance:evaluations|precision'",
                number,
            )
        spent = None if run[2] is None else _number(run[2], "evaluations", number)
        instance = _number(run[1], "instance", number)
        entry.files[next(reversed(entry.files))].append(IndexedRun(instance, spent))


def _number(text: str, what: str, line: int) -> int:
    limit = _LARGEST.get(what, MAX_COUNT)
    if not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= limit:
        raise TextError(f"{what} is {text[:40]!r}; it must be an integer below {limit}", line)
    number = int(text)
    if what == "dimension" and number == 0:
        raise TextError("dimension is 0", line)
    return number
