"""CSV as firsthit writes and reads it: no cell of text is a formula for a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from ..errors import AssessmentError

T = TypeVar("T")

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""So a text begins that a spreadsheet may run, or that was written with an apostrophe before."""


def csv_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""A header line and rows as CSV; an apostrophe stands before text that looks like a formula.

    >>> csv_text(["name", "value"], [["=1+1", -1.5], ["cma", 2.0]])
    "name,value\n'=1+1,-1.5\ncma,2.0\n"
    """
    lines: list[str] = []
    sink: Any = SimpleNamespace(write=lines.append)
    # with its own line end, CR LF, the writer puts text in quotes that holds either; with LF alone
    # a CR would end a row
    csv.writer(sink).writerows([_guarded(cell) for cell in row] for row in (names, *rows))
    return "".join(f"{line[:-2]}\n" for line in lines)


def read_csv(path: str | Path) -> tuple[Sequence[str], list[dict[str, Any]]]:
    """The header and the rows, by the names in it; apostrophes of `csv_text` are taken off.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no CSV in UTF-8.
    """
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            lines = [[_bare(cell) for cell in row] for row in csv.reader(file) if row]
        except csv.Error as error:
            raise ValueError(str(error)) from error
    names, *rows = lines or [[]]
    missing = [None] * len(names)
    return names, [dict(zip(names, [*row, *missing], strict=False)) for row in rows]


def parsed_lines(
    path: str | Path, what: str, parse: Callable[[dict[str, Any]], T], needed: str
) -> Iterator[T]:
    """What ``parse`` makes of each line of a file; an AssessmentError says where it cannot."""
    try:
        _, lines = read_csv(path)
    except (OSError, ValueError) as error:
        raise AssessmentError(f"{what}: cannot read {path}: {error}") from error
    for number, line in enumerate(lines, 2):
        try:
            found = parse(line)
        except (KeyError, TypeError, ValueError) as error:
            raise AssessmentError(
                f"{what}: {path}, line {number}: {error}; needed are {needed}"
            ) from error
        yield found


def _guarded(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _bare(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
