"""Read COCO's index files (``.info``), which list the runs and their data files.

An entry has the runs on one function in one dimension. Suites with one objective write a head of
names and values for each entry, then a comment and a line of files and runs. Suites with two
objectives write one head for all entries, and one line for each entry.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..blocks import MAX_COUNT, TextError
from ..data_files import DataFiles

_PAIR = re.compile(
    r"\s*([A-Za-z_]\w*)\s*=\s*(?:'(.*?)'(?=\s*(?:,\s*[A-Za-z_]\w*\s*=|$))|([^,']*))\s*(?:,|$)"
)
_BIOBJ_ENTRY = re.compile(r"\s*function\s*=\s*(\d+)\s*,\s*dim\s*=\s*(\d+)\s*,\s*(.*)$")
_RUN = re.compile(r"(\d+)(?:\s*:\s*(\d+)\s*\|\s*(\S+))?")
_Label = Literal["function", "dimension", "instance", "evaluations"]
_LIMITS: dict[_Label, int] = {"function": 2**32, "dimension": 2**20, "instance": 2**63}
"""Numbers in an index file must be below these limits, which the types of a log determine."""


class IndexedRun(NamedTuple):
    """One run in an index file."""

    instance: int
    evaluations: int | None  # None: the run was not finished
    best: float = math.nan  # best precision with two digits, in old data minus 1e-8; NaN: unknown


@dataclass(slots=True)
class Entry:
    """One entry of an index file: runs on one function in one dimension."""

    line: int  # number of its line, from 1
    function: int
    dimension: int
    facts: dict[str, str]  # values of its head by name
    comment: str  # the line below the head
    files: dict[str, list[IndexedRun]] = field(default_factory=dict)  # runs by data file


def read_info(files: DataFiles, index: str) -> list[Entry]:
    """Read an index file of a data set.

    Args:
        files: The data set.
        index: Name of the index file.

    Returns:
        Its entries in order.

    Raises:
        LogFormatError: A line is malformed.
    """
    with files.parsing(index):
        return _parse_entries(files.text(index))


def _parse_entries(text: str) -> list[Entry]:
    entries: list[Entry] = []
    facts: dict[str, str] = {}
    comment = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        pair = _BIOBJ_ENTRY.match(line)
        if pair:
            function = _parse_number(pair[1], "function", number)
            dimension = _parse_number(pair[2], "dimension", number)
            entries.append(Entry(number, function, dimension, facts, comment))
            _add_runs(entries[-1], pair[3], number)
        elif line.lstrip().startswith("%"):
            comment = line.lstrip()[1:].strip()
            if entries and entries[-1].facts is facts and not entries[-1].files:
                entries[-1].comment = comment
        elif _PAIR.match(line):
            facts, comment = _parse_head(line, number), ""
            if "funcId" in facts:
                entries.append(_make_entry(facts, number))
        elif entries and entries[-1].facts is facts:
            _add_runs(entries[-1], line, number)
        else:
            raise TextError(f"{line[:60]!r} is no line of an index file of COCO", number)
    return entries


def _parse_head(line: str, number: int) -> dict[str, str]:
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


def _make_entry(facts: dict[str, str], number: int) -> Entry:
    """Make the entry of a head with one function."""
    if "DIM" not in facts:
        raise TextError("the head of an entry names no DIM", number)
    function = _parse_number(facts["funcId"], "function", number)
    dimension = _parse_number(facts["DIM"], "dimension", number)
    return Entry(number, function, dimension, facts, "")


def _add_runs(entry: Entry, line: str, number: int) -> None:
    """Add the data files and runs of a line to an entry; a run belongs to the file before it."""
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
        evaluations = None if run[2] is None else _parse_number(run[2], "evaluations", number)
        instance = _parse_number(run[1], "instance", number)
        try:
            best = float(run[3] or "nan")
        except ValueError:
            best = math.nan
        entry.files[next(reversed(entry.files))].append(IndexedRun(instance, evaluations, best))


def _parse_number(text: str, label: _Label, line: int) -> int:
    limit = _LIMITS.get(label, MAX_COUNT)
    if not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= limit:
        raise TextError(f"{label} is {text[:40]!r}; it must be an integer below {limit}", line)
    number = int(text)
    if label == "dimension" and number == 0:
        raise TextError("dimension is 0", line)
    return number
