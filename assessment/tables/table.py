"""Tables: the results of an assessment as named columns, with functions that lay them out.

A `Table` holds columns and notes. It converts itself to text, CSV, JSON, LaTeX, HTML (in a
notebook) and a pandas data frame. `table_of` and `stacked` make columns from rows; `aligned` and
`html_table` lay out any cells of text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...suites.errors import UnknownNameError
from ...suites.texts import visible
from ..errors import AssessmentError, MissingPackageError, replacing
from .csv_text import csv_text
from .latex import cell, escaped, pages

Value = str | int | float | bool
"""The value of a cell as a plain Python object."""

_MAX_NOTEBOOK_LINES = 200
"""Maximum number of lines that a notebook shows, because a page with more lines is slow."""
_KEY_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "group", "instance", "repetition", "first",
    "second", "runs", "target", "budget", "functions", "what",
)  # fmt: skip
"""Columns that identify a row, as opposed to columns of results."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns of equal length, with notes on their numbers.

    Attributes:
        columns: Arrays by name, in order: text (object or str), int64, float64 or bool. A runtime
            that does not exist is inf.
        notes: Sentences that a reader of the numbers has to know, for example that values are
            upper bounds.
        axis: Unit of budgets: ``"evaluations/dimension"``, ``"evaluations"``, ``"batches:P"`` or
            ``"seconds"``; a question sets it.

    Raises:
        AssessmentError: The columns have different lengths.

    Example:
        >>> import firsthit
        >>> results = firsthit.benchmark(
        ...     "random-search", "bbob", functions=1, dimensions=2, instances="1-5", budget=50
        ... )
        >>> table = results.art(targets=[1e1])
        >>> table["art"], table["successes"]
        (array([2.4]), array([5]))
        >>> print(table.to_csv(), end="")
        algorithm,suite,function,dimension,target,art,successes,runs,evaluations
        random-search,bbob,1,2,10.0,2.4,5,5,12
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
        """Names of the columns, in order."""
        return tuple(self.columns)

    @property
    def runtime_unit(self) -> str:
        """Unit of runtimes that are not divided: ``"evaluations"`` or ``"seconds"``."""
        return "seconds" if self.axis == "seconds" else "evaluations"

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the column ``name``.

        Raises:
            UnknownNameError: There is no such column.
        """
        if name not in self.columns:
            raise UnknownNameError.of("column", name, self.names)
        return self.columns[name]

    def rows(self) -> Iterator[tuple[Value, ...]]:
        """Iterate over the rows as tuples of plain Python values."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def _records(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows as dictionaries from column names to plain Python values."""
        return (dict(zip(self.names, row, strict=True)) for row in self.rows())

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the table as CSV with a header line; inf is ``inf``, floats have all their digits.

        A spreadsheet may run text as a formula if it begins with ``=``, ``+``, ``-``, ``@``, a tab
        or a carriage return. An apostrophe precedes such text. firsthit removes it when it reads
        CSV.

        Args:
            path: File that the CSV is written to, too. None: no file.

        Raises:
            AssessmentError: The file cannot be written.
        """
        return written(csv_text(self.names, self.rows()), path)

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the table as JSON: a list with one object for each row.

        A value that is not finite is ``null``, because JSON has no infinity. A column of numbers
        thus holds only numbers and ``null``.

        Args:
            path: File that the JSON is written to, too. None: no file.

        Raises:
            AssessmentError: The file cannot be written.
        """
        rows = [
            {name: _json_value(value) for name, value in record.items()}
            for record in self._records()
        ]
        lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
        return written(f"[\n{lines}\n]\n" if rows else "[]\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """Return the table as LaTeX with booktabs' rules, in the layout of the text.

        All text is escaped. Key columns with one value in all rows, such as suite and
        dimension, become a title. The table fits a page: one that is too wide continues in a second
        ``tabular``, and one that is too long is a ``longtable`` (`latex.pages`).

        Args:
            path: File that the LaTeX code is written to, too. None: no file.

        Raises:
            AssessmentError: The table is too long for a paper, a name is too wide for a page, or
                the file cannot be written.
        """
        title, titles, lines = _separate_common_keys(*self.text_cells())
        n_keys = sum(1 for _ in takewhile(_KEY_COLUMNS.__contains__, titles))
        is_numeric = [all_numeric([line[i] for line in lines]) for i in range(len(titles))]
        rows = [
            [
                cell(content) if is_number else escaped(content)
                for content, is_number in zip(line, is_numeric, strict=True)
            ]
            for line in lines
        ]
        alignments = "".join("r" if is_number else "l" for is_number in is_numeric)
        latex_titles = [cell(column_title) for column_title in titles]
        return written(pages(latex_titles, rows, alignments, n_keys, title), path)

    def to_pandas(self) -> Any:
        """Return the columns as a ``pandas.DataFrame``.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingPackageError.of("pandas", "tables", "a data frame") from error
        return pandas.DataFrame(dict(self.columns))

    def text_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return column titles and lines of cells as the text, LaTeX and HTML forms show them."""
        return list(map(text, self.names)), [[text(value) for value in row] for row in self.rows()]

    def __str__(self) -> str:
        return aligned(*self.text_cells())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return the first 200 lines of the text and the notes as HTML, for a notebook."""
        titles, lines = self.text_cells()
        n_left_out = len(lines) - _MAX_NOTEBOOK_LINES
        more = (f"and {n_left_out} lines more; to_pandas() has all.",) if n_left_out > 0 else ()
        return html_table(titles, lines[:_MAX_NOTEBOOK_LINES], (*more, *self.notes))


def table_of(names: Sequence[str], rows: Sequence[Sequence[Value]]) -> dict[str, NDArray[Any]]:
    """Make columns from rows.

    Args:
        names: Names of the columns.
        rows: Rows with a value for each column.

    Returns:
        Arrays by column name. The type of a column is that of its first value (text: object).

    Raises:
        ValueError: The rows have different lengths, or not one value for each name.

    Example:
        >>> from firsthit.assessment import Table, table_of
        >>> print(Table(table_of(["name", "runs"], [["a", 1], ["b", 2]])))
        name  runs
        a        1
        b        2
    """
    transposed = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return {name: _column(values) for name, values in zip(names, transposed, strict=True)}


def stacked(
    names: Sequence[str], blocks: Sequence[Sequence[Value | NDArray[Any]]]
) -> dict[str, NDArray[Any]]:
    """Make columns from blocks of rows; faster than `table_of` for tables of many rows.

    Args:
        names: Names of the columns.
        blocks: Blocks of rows. Each has, for each column, an array with one entry for each row, or
            one value that all rows of the block share. A column consists of arrays in all blocks or
            of shared values in all blocks, and each block has at least one array.

    Returns:
        Arrays by column name.

    >>> stacked(["name", "hit"], [["a", np.array([1.0, 2.0])], ["b", np.array([3.0])]])["name"]
    array(['a', 'a', 'b'], dtype=object)
    """
    lengths = [
        next(len(part) for part in block if isinstance(part, np.ndarray)) for block in blocks
    ]
    columns: dict[str, NDArray[Any]] = {}
    parts_by_column: Sequence[Any] = list(zip(*blocks, strict=True)) or [()] * len(names)
    for name, parts in zip(names, parts_by_column, strict=True):
        if parts and isinstance(parts[0], np.ndarray):
            columns[name] = np.concatenate(parts)
        else:
            columns[name] = np.repeat(_column(parts), np.array(lengths, dtype=np.int64))
    return columns


def aligned(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return text in columns under a header line; columns of numbers are aligned to the right.

    Args:
        names: Column titles.
        rows: Rows of cells, one for each title.

    Returns:
        Lines without trailing spaces, without a line feed at the end.

    >>> print(aligned(["name", "runs"], [["a", "5"], ["bb", "15"]]))
    name  runs
    a        5
    bb      15
    """
    widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
    is_numeric = [all_numeric([row[i] for row in rows]) for i in range(len(names))]
    lines = []
    for row in [names, *rows]:
        cells = [
            content.rjust(width) if is_number else content.ljust(width)
            for content, width, is_number in zip(row, widths, is_numeric, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def text(value: Value) -> str:
    """Return a value as readers see it: floats with four digits, text without control characters.

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


def _separate_common_keys(
    titles: Sequence[str], lines: Sequence[Sequence[str]]
) -> tuple[str, list[str], list[list[str]]]:
    """Move key columns with one value in all of several lines to a title in LaTeX.

    Return the title, the titles of the remaining columns, and the lines of their cells. The title
    is empty if there is no such column, or if no other column would remain.
    """
    common = [
        i
        for i, column_title in enumerate(titles)
        if column_title in _KEY_COLUMNS and len(lines) > 1 and len({line[i] for line in lines}) == 1
    ]
    if len(common) == len(titles):
        common = []
    title = ", ".join(f"{escaped(titles[i])} {escaped(lines[0][i])}" for i in common)
    remaining = [i for i in range(len(titles)) if i not in common]
    return (
        title,
        [titles[i] for i in remaining],
        [[line[i] for i in remaining] for line in lines],
    )


def written(content: str, path: str | Path | None) -> str:
    """Write text to a file in UTF-8, if there is a path, and return the text.

    Args:
        content: The text; its line ends are kept.
        path: File that is replaced. None: nothing is written.

    Returns:
        ``content``.

    Raises:
        AssessmentError: The file cannot be written.
    """
    if path is not None:
        with replacing(path) as file:
            file.write_text(content, encoding="utf-8", newline="")
    return content


def html_table(
    titles: Sequence[str], lines: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> str:
    """Return an HTML table with notes below it; numbers are aligned to the right.

    Args:
        titles: Column titles as plain text.
        lines: Lines of cells as plain text, one cell for each title.
        notes: Sentences as plain text; each becomes a paragraph in small print.

    Returns:
        HTML in which all texts are escaped.
    """
    is_numeric = [all_numeric([line[i] for line in lines]) for i in range(len(titles))]
    styles = [f"text-align: {'right' if is_number else 'left'}" for is_number in is_numeric]

    def html_row(cells: Sequence[str], tag: Literal["td", "th"]) -> str:
        elements = (
            f'<{tag} style="{style}">{escape(content)}</{tag}>'
            for content, style in zip(cells, styles, strict=True)
        )
        return f"<tr>{''.join(elements)}</tr>"

    header = html_row(titles, "th")
    body = "\n".join(html_row(cells, "td") for cells in lines)
    paragraphs = "".join(f"<p><small>{escape(note)}</small></p>" for note in notes)
    return f"<table><thead>{header}</thead>\n<tbody>\n{body}\n</tbody></table>{paragraphs}"


def all_numeric(cells: Sequence[str]) -> bool:
    """Return whether all cells of a column begin with a number, are empty or are ``-``.

    False for a column without cells.
    """
    return bool(cells) and all(map(_is_numeric, cells))


def _is_numeric(content: str) -> bool:
    """Return whether text begins with a number, as ``12 (3/5)``, ``40%`` and ``100*D`` do."""
    number = content.split(" ")[0].rstrip("%").removesuffix("*D")
    try:
        float(number)
    except ValueError:
        return content in ("", "-")
    return True
