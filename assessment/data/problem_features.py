"""Landscape features of problems from a CSV file, to stand beside what algorithms reached there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import AssessmentError
from ..tables.csv_text import read_csv

Problem = tuple[str, int, int, int]
"""Suite, dimension, function, instance."""

_KEYS = ("suite", "dimension", "function", "instance")


@dataclass(frozen=True, eq=False)
class ProblemFeatures:
    """Numbers by problem.

    Attributes:
        names: Of the features, in the order of the file.
        keys: Those of suite, dimension, function, instance that rows are told apart by.
        values: By the texts of the keys.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    values: dict[tuple[str, ...], list[float]]

    def of(self, problem: Problem) -> list[float]:
        """The features of a problem; NaN where the file does not have it."""
        texts = dict(zip(_KEYS, map(str, problem), strict=True))
        missing = [float("nan")] * len(self.names)
        return self.values.get(tuple(texts[key] for key in self.keys), missing)

    def lacks(self, problem: Problem) -> bool:
        """Whether the file does not have a problem."""
        texts = dict(zip(_KEYS, map(str, problem), strict=True))
        return tuple(texts[key] for key in self.keys) not in self.values

    def notes(self, problems: Iterable[Problem]) -> tuple[str, ...]:
        """A sentence on problems that the file does not have."""
        listed = list(problems)
        lacking = sum(map(self.lacks, listed))
        if not lacking:
            return ()
        return (f"features: {lacking} of {len(listed)} problems are not in the file; NaN there.",)


def read_features(path: str | os.PathLike[str]) -> ProblemFeatures:
    """Read a CSV file with a row for each problem.

    Args:
        path: Its columns ``dimension`` and ``function``, and where features depend on them
            ``suite`` and ``instance``, say which problem; all others are features, numbers.

    Raises:
        AssessmentError: It cannot be read, lacks a column, has a problem twice, or something that
            is no number.
    """
    where = f"features {str(path)!r}"
    try:
        names, rows = read_csv(Path(path))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise AssessmentError(f"{where}: cannot be read as CSV: {reason}") from error
    keys = tuple(key for key in _KEYS if key in names)
    features = tuple(name for name in names if name not in _KEYS)
    if lacking := {"dimension", "function"} - {*keys}:
        raise AssessmentError(f"{where}: there is no column {', '.join(sorted(lacking))}")
    if not features or len(set(names)) < len(names):
        raise AssessmentError(f"{where}: there must be columns of features, each with its own name")
    values: dict[tuple[str, ...], list[float]] = {}
    for number, row in enumerate(rows, start=2):
        key = tuple(_key_text(row[name], name, where, number) for name in keys)
        if key in values:
            raise AssessmentError(f"{where}, line {number}: the problem was there before")
        values[key] = _numbers([row[name] for name in features], features, where, number)
    return ProblemFeatures(features, keys, values)


def _key_text(value: str | None, name: str, where: str, line: int) -> str:
    if name == "suite":
        return value or ""
    try:
        number = float(value or "")
    except ValueError:
        number = 0.5
    if not number.is_integer():
        raise AssessmentError(f"{where}, line {line}: {name} is {value!r}, no whole number")
    return str(int(number))


def _numbers(
    texts: Sequence[str | None], names: Sequence[str], where: str, line: int
) -> list[float]:
    found = []
    for name, value in zip(names, texts, strict=True):
        try:
            found.append(float(value) if value else float("nan"))
        except ValueError:
            raise AssessmentError(
                f"{where}, line {line}: {name} is {str(value)[:40]!r}, no number"
            ) from None
    return found
