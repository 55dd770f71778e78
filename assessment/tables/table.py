"""Tables: what an assessment hands out, as columns, text, CSV, JSON or a pandas data frame."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.texts import visible
from ..errors import AssessmentError, MissingPackageError, writing
from .csv_text import csv_text
from .latex import cell, escaped, pages

Value = str | int | float | bool


_MOST_LINES = 200
"""Of a table in a notebook; a page with more is slow, and nobody reads them."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns of equal length.

    Attributes:
        columns: Arrays by name, in order: text (object or str), int64, float64 or bool. A runtime
            that does not exist is inf.
        notes: Sentences that a reader of the numbers has to know, such as that values are bounds.
        axis: Unit of budgets: ``"evaluations/dimension"``, ``"evaluations"``, ``"batches:P"`` or
            ``"seconds"``; a question sets it.
    """

    columns: Mapping[str, NDArray[Any]]
    notes: tuple[str, ...] = ()
    axis: str = field(default="evaluations/dimension", kw_only=True)

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise AssessmentError(f"table: columns of different lengths: {lengths}")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns in order."""
        return tuple(self.columns)

    @property
    def runtime_unit(self) -> str:
        """Unit of runtimes that nothing divides: ``"evaluations"`` or ``"seconds"``."""
        return "seconds" if self.axis == "seconds" else "evaluations"

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The column ``name``.

        Raises:
            UnknownNameError: There is no such column.
        """
        if name not in self.columns:
            raise UnknownNameError.of("column", name, self.names)
        return self.columns[name]

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """The rows as plain Python values."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def _records(self) -> Iterator[dict[str, Any]]:
        """The rows as plain Python values by the name of the column."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows())

    def to_csv(self, path: str | Path | None = None) -> str:
        """The table as CSV with a header line; inf is ``inf``, floats have all their digits.

        Text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a return, which a spreadsheet
        may run as a formula, has an apostrophe before it; where firsthit reads CSV it goes again.

        Args:
            path: Also write it there.
        """
        return written(csv_text(self.names, self.rows()), path)

    def to_json(self, path: str | Path | None = None) -> str:
        """The table as JSON: a list with one object for each row.

        JSON has no infinity: a value that is not finite (nothing succeeded) is ``null``, so that a
        column of numbers holds nothing but numbers and ``null``.

        Args:
            path: Also write it there.
        """
        rows = [
            {name: _json_value(value) for name, value in record.items()}
            for record in self._records()
        ]
        lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
        return written(f"[\n{lines}\n]\n" if rows else "[]\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """The table as LaTeX, laid out as text is, with booktabs' rules; any text is escaped.

        Suite, dimension and so on that are the same in all rows stand above it. It fits a page: a
        table that is too wide goes on in a second ``tabular``, one that is too long is a
        ``longtable`` (`latex.pages`).

        Args:
            path: Also write it there.

        Raises:
            AssessmentError: It is too long for a paper, or a name too wide for a page.
        """
        heads, lines = self.text_cells()
        title, heads, lines = _common_apart(heads, lines)
        keys = sum(1 for _ in takewhile(_KEYS.__contains__, heads))
        is_number = [all_numeric([line[i] for line in lines]) for i in range(len(heads))]
        rows = [
            [cell(value) if numeric else escaped(value)
             for value, numeric in zip(line, is_number, strict=True)]
            for line in lines
        ]  # fmt: skip
        kinds = "".join("r" if numeric else "l" for numeric in is_number)
        return written(pages([cell(head) for head in heads], rows, kinds, keys, title), path)

    def to_pandas(self) -> Any:
        """The table as a ``pandas.DataFrame``.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingPackageError.of("pandas", "tables", "a data frame") from error
        return pandas.DataFrame(dict(self.columns))

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Heads and lines of the table for the eye: as text, LaTeX and HTML lay it out."""
        return list(map(text, self.names)), [[text(value) for value in row] for row in self.rows()]

    def __str__(self) -> str:
        return aligned(*self.text_cells())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """What notebooks show: the first 200 lines of what ``print`` shows, then the notes."""
        heads, lines = self.text_cells()
        left_out = len(lines) - _MOST_LINES
        more = (f"and {left_out} lines more; to_pandas() has all.",) if left_out > 0 else ()
        return html_table(heads, lines[:_MOST_LINES], (*more, *self.notes))


def table_of(names: Sequence[str], rows: Sequence[Sequence[Value]]) -> dict[str, NDArray[Any]]:
    """Columns from rows; the type of a column is that of its first value (text: object).

    >>> table_of(["name", "runs"], [["a", 1], ["b", 2]])["runs"]
    array([1, 2])
    """
    transposed = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return {name: _column(values) for name, values in zip(names, transposed, strict=True)}


def stacked(
    names: Sequence[str], blocks: Sequence[Sequence[Value | NDArray[Any]]]
) -> dict[str, NDArray[Any]]:
    """Columns from blocks of rows, for tables of many rows.

    Args:
        names: Of the columns.
        blocks: For each column an array, one entry a row, or a value that all rows of the block
            share; a column is arrays in all blocks or values in all.

    >>> stacked(["name", "hit"], [["a", np.array([1.0, 2.0])], ["b", np.array([3.0])]])["name"]
    array(['a', 'a', 'b'], dtype=object)
    """
    lengths = [next(len(v) for v in block if isinstance(v, np.ndarray)) for block in blocks]
    columns: dict[str, NDArray[Any]] = {}
    by_column: Sequence[Any] = list(zip(*blocks, strict=True)) or [()] * len(names)
    for name, values in zip(names, by_column, strict=True):
        if values and isinstance(values[0], np.ndarray):
            columns[name] = np.concatenate(values)
        else:
            columns[name] = np.repeat(_column(values), np.array(lengths, dtype=np.int64))
    return columns


def aligned(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Text in columns under a header; columns of numbers are aligned to the right.

    >>> print(aligned(["name", "runs"], [["a", "5"], ["bb", "15"]]))
    name  runs
    a        5
    bb      15
    """
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    right = [all_numeric([row[i] for row in rows]) for i in range(len(names))]
    lines = []
    for row in [names, *rows]:
        cells = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def text(value: Value) -> str:
    """A value for the eye: four digits for numbers, no control characters in names.

    >>> [text(v) for v in (1234567.0, 120.0, 0.25, float("inf"), "cma")]
    ['1.235e+06', '120', '0.25', 'inf', 'cma']
    """
    if isinstance(value, float):
        return f"{value:.0f}" if 1000 <= value < 1e5 else f"{value:.4g}"
    if isinstance(value, str):
        return visible(value, kept="")
    return str(value)


def _column(values: Sequence[Value]) -> NDArray[Any]:
    if values and isinstance(values[0], str):
        return np.array(values, dtype=object)
    if values and isinstance(values[0], int) and not isinstance(values[0], bool):
        return np.array(values, dtype=np.int64)
    return np.array(values)


def _json_value(value: Value) -> Value | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


_KEYS = (
    "algorithm", "suite", "function", "dimension", "group", "instance", "repetition", "first",
    "second", "runs", "target", "budget", "functions", "what",
)  # fmt: skip
"""Heads of columns that say what a row is about."""


def _common_apart(
    heads: Sequence[str], lines: Sequence[Sequence[str]]
) -> tuple[str, list[str], list[list[str]]]:
    """What the key columns say that have one value in all of several lines; and the rest."""
    common = [
        i for i, head in enumerate(heads)
        if head in _KEYS and len(lines) > 1 and len({line[i] for line in lines}) == 1
    ]  # fmt: skip
    if len(common) == len(heads):
        common = []
    title = ", ".join(f"{escaped(heads[i])} {escaped(lines[0][i])}" for i in common)
    rest = [i for i in range(len(heads)) if i not in common]
    return title, [heads[i] for i in rest], [[line[i] for i in rest] for line in lines]


def written(content: str, path: str | Path | None) -> str:
    """``content``, after it was written to ``path`` if there is one."""
    if path is not None:
        with writing(path):
            Path(path).write_text(content, encoding="utf-8", newline="")
    return content


def html_table(
    heads: Sequence[str], lines: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """A table with its notes under it; numbers are aligned to the right, any text is escaped."""
    right = [all_numeric([line[i] for line in lines]) for i in range(len(heads))]
    styles = [f"text-align: {'right' if number else 'left'}" for number in right]

    def row(cells: Sequence[str], tag: str) -> str:
        marked = (
            f'<{tag} style="{style}">{escape(cell)}</{tag}>'
            for cell, style in zip(cells, styles, strict=True)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "\n".join(row(cells, "td") for cells in lines)
    under = "".join(f"<p><small>{escape(note)}</small></p>" for note in notes)
    return f"<table><thead>{row(heads, 'th')}</thead>\n<tbody>\n{body}\n</tbody></table>{under}"


def all_numeric(cells: Sequence[str]) -> bool:
    """Whether a column has numbers alone; empty cells and ``-`` are let off."""
    return bool(cells) and all(map(_numeric, cells))


def _numeric(text: str) -> bool:
    head = text.split(" ")[0].rstrip("%").removesuffix("*D")
    try:
        float(head)
    except ValueError:
        return text in ("", "-")
    return True
