"""Checks a table against itself: positions in range, evaluations ascending, checksums right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogFormatError
from ..records.run_record import RECORDS, STATUSES
from ..records.table import LogTable
from ..targets.grid import FINAL_TARGET
from .ragged_columns import Entries


def check_table(table: LogTable) -> None:
    """Check the runs and what refers to them, but no column of what runs have several of.

    Raises:
        ValueError: Something is inconsistent; the text says what.
    """
    _check_runs(table)
    _check_names(table)
    for name, entries in table.ragged.items():
        _check_offsets(name, entries, len(table))
    _check_dimensions(table)


def check_header(text: str) -> None:
    """Check that a header has the parts of `LogHeader`, as far as anybody relies on them.

    Raises:
        ValueError: It does not; the text says what is wrong.
    """
    header = json.loads(text)
    _require(isinstance(header, dict), "a header is no JSON object")
    algorithms, campaign = header.get("algorithms"), header.get("campaign")
    _require(_maps_to(algorithms, dict), "header.algorithms does not map names to facts")
    for name in algorithms:
        _require(name.isprintable(), f"the name {name[:40]!r} of an algorithm is not printable")
    _require(campaign is None or isinstance(campaign, dict), "header.campaign is no mapping")
    made = header.get("provenance")
    _require(isinstance(made, dict), "header.provenance is no mapping")
    _require(_maps_to(made.get("versions", {}), str), "header.provenance.versions is no mapping")
    _require(isinstance(made.get("created_utc", ""), str), "header.provenance has no time")
    for name, allowed in _OF_CAMPAIGN.items():
        value = (campaign or {}).get(name)
        _require(value is None or type(value) in allowed, f"header.campaign.{name} is impossible")
    for suite in (campaign or {}).get("suites") or ():
        is_one = isinstance(suite, dict) and all(type(suite.get(n)) is str for n in _OF_SUITE)
        _require(is_one, "header.campaign.suites has one without name or version")
        for name in _NUMBERS_OF_SUITE:
            numbers = suite.get(name, [])
            fits = isinstance(numbers, list) and all(type(n) is int and n >= 0 for n in numbers)
            _require(fits, f"header.campaign.suites.{name} are no numbers")


_OF_CAMPAIGN = {
    "suites": (list,), "repetitions": (int,), "seed": (int,), "timeout": (int, float),
}  # fmt: skip
_OF_SUITE = ("name", "version")
_NUMBERS_OF_SUITE = ("functions", "dimensions", "instances")


def _maps_to(value: object, kind: type) -> bool:
    return isinstance(value, dict) and all(isinstance(item, kind) for item in value.values())


def check_checksums(table: LogTable) -> None:
    """Compare the checksum of every run.

    Raises:
        ValueError: One is wrong; the text says which.
    """
    wrong = np.flatnonzero(table.checksums() != table.runs["crc32"])
    _require(not len(wrong), f"checksum of run {wrong[:1].sum()} is wrong, {len(wrong)} in all")


@dataclass(frozen=True, slots=True, eq=False)
class EntriesCheck:
    """Checks what is read of a run's evaluations and targets; called by `Ragged`.

    Attributes:
        path: The file, for messages.
        name: Of the table.
        offset: Of the table, uint64 (n_runs + 1,).
        evaluations: That each run spent, shape ``(n_runs,)``.
    """

    path: Path
    name: str
    offset: NDArray[np.uint64]
    evaluations: NDArray[np.int64]

    def __call__(self, column: str, first: int, stop: int, values: NDArray[Any]) -> None:
        """Check a column of the runs ``first`` to ``stop - 1``.

        Raises:
            LogFormatError: Evaluations do not ascend from 1 to those spent, or targets rise.
        """
        if (self.name, column) not in _ORDERED or not len(values):
            return
        offset = self.offset[first : stop + 1].astype(np.int64)
        offset -= offset[0]
        starts, ends = offset[:-1], offset[1:]
        there = np.flatnonzero(ends > starts)
        starts, ends = starts[there], ends[there]
        if column == "target":
            self._require(values.min() >= FINAL_TARGET, column, "is out of range")
            falls = values[1:] <= values[:-1]
            falls[starts[1:] - 1] = True
            self._require(falls.all(), column, "ascends")
            return
        spent = self.evaluations[first:stop][there]
        inside = (values[starts] >= 1).all() and (values[ends - 1] <= spent).all()
        rises = values[1:] > values[:-1]
        rises[starts[1:] - 1] = True
        self._require(rises.all(), column, "does not ascend")
        self._require(inside, column, "is out of range")

    def _require(self, condition: object, column: str, otherwise: str) -> None:
        if not condition:
            raise LogFormatError.of(self.path, f"it is damaged: {self.name}/{column} {otherwise}")


_ORDERED = {("hits", "evaluation"), ("hits", "target"), ("trajectory", "evaluation")}


def _check_runs(table: LogTable) -> None:
    runs = table.runs
    for column, bound in (
        ("header", len(table.headers)),
        ("algorithm", len(table.algorithms)),
        ("function_row", len(table.functions)),
        ("message", len(table.messages)),
        ("status", len(STATUSES)),
        ("record", len(RECORDS)),
    ):
        _require(np.all(runs[column] < bound), f"runs.{column} points beyond what there is")
    numbers = np.array([row.function for row in table.functions] or [0])
    named = numbers[runs["function_row"]] if len(runs) else runs["function"]
    _require(np.all(runs["function"] == named), "runs.function differs from its row of functions")
    _require(np.all(runs["dimension"] > 0), "runs.dimension is 0")
    _require(np.all(runs["evaluations"] >= 0), "runs.evaluations is negative")
    _require(np.all(runs["budget"] >= -1), "runs.budget is negative")


def _check_names(table: LogTable) -> None:
    suites = {text for row in table.functions for text in (row.suite, row.suite_version)}
    for what, names in (("algorithm", table.algorithms), ("suite", sorted(suites))):
        for name in names:
            _require(name.isprintable(), f"the name {name[:40]!r} of a {what} is not printable")


def _check_offsets(name: str, entries: Entries, runs: int) -> None:
    offset = entries.offset
    lengths = {len(column) for column in entries.columns.values()}
    _require(len(offset) == runs + 1 and offset[0] == 0, f"{name}/offset does not fit the runs")
    _require(np.all(offset[1:] >= offset[:-1]), f"{name}/offset descends")
    _require(lengths == {int(offset[-1])}, f"columns of {name} have wrong lengths")


def _check_dimensions(table: LogTable) -> None:
    """Solutions have as many numbers as there are variables."""
    dimension = table.runs["dimension"].astype(np.int64)
    best = table.ragged["best_solution"].lengths
    _require(
        np.all((best == 0) | (best == dimension)), "best_solution/x does not fit the dimension"
    )
    solutions = table.ragged["recommended_solutions"].lengths
    recommendations = table.ragged["recommendations"].lengths
    # compared by division: a product of two numbers of a stranger may overflow
    fits = (solutions // dimension == recommendations) & (solutions % dimension == 0)
    _require(np.all(fits), "recommended_solutions/x does not fit the dimension")


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)
