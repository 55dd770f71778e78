"""Features of problems, read from a CSV file for the question `matrix`.

The file has one row for each problem. The columns `KEY_COLUMNS` identify the problem, and every
other column is a feature. `read_features` reads the file, and `ProblemFeatures` returns the
features of a problem.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..errors import AssessmentError
from ..tables.csv_text import parse_number, read_csv


class Problem(NamedTuple):
    """The numbers and the suite that identify a problem."""

    suite: str
    dimension: int
    function: int
    instance: int


KEY_COLUMNS = Problem._fields
"""Columns that identify a problem: ``suite``, ``dimension``, ``function``, ``instance``."""
_REQUIRED_COLUMNS = {"dimension", "function"}
"""Columns that a file must have. Without ``instance``, a row applies to all instances."""
_FIRST_ROW_LINE = 2
"""Line number of the first row in the file. Line 1 is the header."""
_MAX_QUOTED_CHARACTERS = 40
"""Maximum number of characters of a cell that an error message quotes."""


@dataclass(frozen=True, eq=False)
class ProblemFeatures:
    """Features of problems, as read from a file.

    Attributes:
        names: Names of the features.
        key_columns: The columns of the file that identify a problem, some or all of `KEY_COLUMNS`.
        values: The features of each row, in the order of ``names``. The key of a row is the texts
            of its cells in ``key_columns``. NaN: the cell is empty.
    """

    names: tuple[str, ...]
    key_columns: tuple[str, ...]
    values: dict[tuple[str, ...], list[float]]

    def get_features(self, problem: Problem) -> list[float]:
        """Return the features of a problem; NaN if the file does not have the problem."""
        missing = [math.nan] * len(self.names)
        return self.values.get(self._get_key(problem), missing)

    def make_notes(self, problems: Sequence[Problem]) -> tuple[str, ...]:
        """Return a note on the number of problems that the file does not have; none without any."""
        n_missing = sum(self._get_key(problem) not in self.values for problem in problems)
        if not n_missing:
            return ()
        return (
            f"features: {n_missing} of {len(problems)} problems are not in the file; their "
            "features are NaN.",
        )

    def _get_key(self, problem: Problem) -> tuple[str, ...]:
        return tuple(str(getattr(problem, column)) for column in self.key_columns)


def read_features(path: str | os.PathLike[str]) -> ProblemFeatures:
    """Read features of problems from a CSV file with one row for each problem.

    The columns ``dimension`` and ``function`` are required, ``suite`` and ``instance`` are
    optional. All other columns are features.

    Args:
        path: The file, encoded in UTF-8, with a header line.

    Raises:
        AssessmentError: The file cannot be read, a column is missing or occurs twice, a problem
            occurs twice, or a cell is not a number.
    """
    location = f"features {str(path)!r}"
    try:
        names, rows = read_csv(Path(path))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AssessmentError(f"{location}: cannot be read as CSV: {reason}") from error
    key_columns = tuple(column for column in KEY_COLUMNS if column in names)
    feature_columns = tuple(name for name in names if name not in KEY_COLUMNS)
    if missing := _REQUIRED_COLUMNS - {*key_columns}:
        raise AssessmentError(f"{location}: there is no column {', '.join(sorted(missing))}")
    if not feature_columns or len(set(names)) < len(names):
        raise AssessmentError(
            f"{location}: there must be columns of features, each with its own name"
        )
    values: dict[tuple[str, ...], list[float]] = {}
    for line_number, row in enumerate(rows, start=_FIRST_ROW_LINE):
        line = f"{location}, line {line_number}"
        key = tuple(_normalize_key(row[column], column, line) for column in key_columns)
        if key in values:
            raise AssessmentError(f"{line}: the problem has a row already")
        values[key] = [_parse_feature(row[column], column, line) for column in feature_columns]
    return ProblemFeatures(feature_columns, key_columns, values)


def _normalize_key(cell: str | None, column: str, line: str) -> str:
    """Return a key cell in its normal form, such as ``"5"`` for ``"05"`` or ``"5.0"``.

    Args:
        cell: The text of the cell. None: the row is too short.
        column: One of `KEY_COLUMNS`.
        line: The file and the line, for the error message.

    Raises:
        AssessmentError: The cell of a column other than ``suite`` is not a whole number.
    """
    if column == "suite":
        return cell or ""
    try:
        number = parse_number(cell)
    except ValueError:
        number = math.nan
    if not number.is_integer():  # also NaN
        raise AssessmentError(f"{line}: {column} is {cell!r}, no whole number")
    return str(int(number))


def _parse_feature(cell: str | None, column: str, line: str) -> float:
    """Return the number in a cell; NaN if it is empty or the row is too short (None).

    Args:
        cell: The text of the cell, or None.
        column: Name of the feature.
        line: The file and the line, for the error message.

    Raises:
        AssessmentError: The cell is not a number.
    """
    if not cell:
        return math.nan
    try:
        return parse_number(cell)
    except ValueError:
        quoted = repr(cell[:_MAX_QUOTED_CHARACTERS])
        raise AssessmentError(f"{line}: {column} is {quoted}, no number") from None
