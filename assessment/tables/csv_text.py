"""Writing and reading of CSV in which no text is a formula for a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

from ...suites.texts import shorten_words
from ..errors import AssessmentError

T = TypeVar("T")

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""Beginning of text that a spreadsheet may run as a formula.

Apostrophes before it match, too, so that text with an apostrophe of its own gets another one, and
reading removes only the one that writing added.
"""


def csv_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""Return CSV with a header line; put an apostrophe before text that looks like a formula.

    Args:
        names: Names of the columns.
        rows: Rows with a value for each column.

    Returns:
        Lines that end with a line feed.

    >>> csv_text(["name", "value"], [["=1+1", -1.5], ["cma", 2.0]])
    "name,value\n'=1+1,-1.5\ncma,2.0\n"
    """
    lines: list[str] = []
    sink: Any = SimpleNamespace(write=lines.append)
    # The writer quotes text that contains a character of its line end, by default CR LF. With LF
    # alone, a CR inside text would not be quoted and would end the row for a reader.
    csv.writer(sink).writerows([_add_apostrophe(cell) for cell in row] for row in (names, *rows))
    return "".join(f"{line[:-2]}\n" for line in lines)


def read_csv(path: str | Path) -> tuple[Sequence[str], list[dict[str, Any]]]:
    """Read a CSV file with a header line; remove the apostrophes that `csv_text` added.

    Returns:
        The names in the header, and each row as text by name. Empty lines are left out. A row that
        is too short is filled with None.

    Raises:
        OSError: The file cannot be read.
        ValueError: The file is no CSV in UTF-8, or a row has more cells than the header.
    """
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            lines = [[_remove_apostrophe(cell) for cell in row] for row in csv.reader(file) if row]
        except csv.Error as error:
            raise ValueError(str(error)) from error
    names, *rows = lines or [[]]
    for number, row in enumerate(rows, start=2):
        if len(row) > len(names):
            raise ValueError(f"line {number} has {len(row)} cells, but the header {len(names)}")
    missing = [None] * len(names)
    return names, [dict(zip(names, [*row, *missing], strict=False)) for row in rows]


def parse_number(text: str | None) -> float:
    """Convert text to a number; raise ValueError for other text, also for ``1_000``, and for None.

    >>> parse_number("-1.5e3")
    -1500.0
    """
    try:
        if text is None or "_" in text:  # `float` accepts underscores between digits
            raise ValueError
        return float(text)
    except ValueError:
        raise ValueError(f"{(text or '')[:40]!r} is no number") from None


def parse_count(text: str | None) -> int:
    """Convert text to an integer from 0 to 2**53 - 1; raise ValueError for other text and None.

    >>> parse_count("12")
    12
    """
    digits = (text or "").strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 17 and int(digits) < 2**53):
        raise ValueError(f"{digits[:40]!r} is no integer from 0 to 2**53 - 1")
    return int(digits)


def parsed_lines(
    path: str | Path, subject: str, parse: Callable[[dict[str, Any]], T], needed: str
) -> Iterator[T]:
    """Read a CSV file and yield the parsed rows.

    Args:
        path: File with a header line.
        subject: Name of the content, such as ``"targets"``; messages begin with it.
        parse: Converts a row of `read_csv`; raises KeyError, TypeError or ValueError if it cannot.
        needed: Names of the columns that a row needs, for messages.

    Yields:
        The result of ``parse`` for each row.

    Raises:
        AssessmentError: The file cannot be read, or a row cannot be parsed; the message contains
            the line number.
    """
    try:
        _, rows = read_csv(path)
    except (OSError, ValueError) as error:
        raise AssessmentError(f"{subject}: cannot read {path}: {error}") from error
    for line_number, row in enumerate(rows, 2):
        try:
            parsed = parse(row)
        except (KeyError, TypeError, ValueError) as error:
            raise AssessmentError(
                f"{subject}: {path}, line {line_number}: {shorten_words(str(error))}; needed are "
                f"{needed}"
            ) from error
        yield parsed


def _add_apostrophe(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _remove_apostrophe(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
