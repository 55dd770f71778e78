"""Checks a table against itself: positions in range, sizes that fit, evaluations ascending."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES
from .ragged import Ragged
from .table import LogTable


def check_table(table: LogTable) -> None:
    """Check the runs and what refers to them, but no rows of what runs have several of.

    Raises:
        ValueError: Something is inconsistent; the text says what.
    """
    _check_runs(table)
    _check_names(table)
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


def check_rows(name: str, found: Ragged, evaluations: NDArray[np.int64]) -> str:
    """What is wrong with recorded evaluations and targets; empty where they can be.

    Args:
        name: Of the table.
        found: Its rows of some runs.
        evaluations: That each of these runs spent, shape ``(n_runs,)``.
    """
    if name not in ("hits", "trajectory", "archive") or not len(found.rows):
        return ""
    there = np.flatnonzero(found.lengths)
    starts, ends = found.offsets[there], found.offsets[there + 1]
    counts = found.rows["evaluation"]
    if (counts[starts] < 1).any() or (counts[ends - 1] > evaluations[there]).any():
        return f"evaluations in {name} are out of range"
    rises = counts[1:] >= counts[:-1] if name == "archive" else counts[1:] > counts[:-1]
    rises[starts[1:] - 1] = True
    if not rises.all():
        return f"evaluations in {name} do not ascend"
    if name == "hits":
        targets = found.rows["target"]
        falls = targets[1:] <= targets[:-1]
        falls[starts[1:] - 1] = True
        if not falls.all() or np.isnan(targets[starts]).any():
            return "targets in hits ascend"
    return ""


def _check_runs(table: LogTable) -> None:
    runs = table.runs
    for column, bound in (
        ("header", len(table.headers)),
        ("algorithm", len(table.algorithms)),
        ("function_row", len(table.functions)),
        ("message", len(table.messages)),
        ("reference", len(table.references)),
        ("status", len(STATUSES)),
        ("record", len(RECORDS)),
        ("archive_kept", len(ARCHIVES_KEPT)),
    ):
        _require(np.all(runs[column] < bound), f"runs.{column} points beyond what there is")
    numbers = np.array([row.function for row in table.functions] or [0])
    named = numbers[runs["function_row"]] if len(runs) else runs["function"]
    _require(np.all(runs["function"] == named), "runs.function differs from its row of functions")
    _require(np.all(runs["dimension"] > 0), "runs.dimension is 0")
    _require(np.all(runs["evaluations"] >= 0), "runs.evaluations is negative")
    _require(np.all(runs["budget"] >= -1), "runs.budget is negative")


def _check_names(table: LogTable) -> None:
    suites = [suite.name for suite in table.suites]
    _require(len(set(suites)) == len(suites), "suites has one twice")
    _require({row.suite for row in table.functions} <= set(suites), "functions has unknown suites")
    facts = {text for s in table.suites for text in (s.name, s.version, s.measurement.indicator)}
    for what, names in (("algorithm", table.algorithms), ("suite", sorted(facts))):
        for name in names:
            _require(name.isprintable(), f"the name {name[:40]!r} of a {what} is not printable")


def _check_dimensions(table: LogTable) -> None:
    """Solutions have as many numbers as there are variables."""
    dimension = table.runs["dimension"].astype(np.int64)
    best = table.ragged["best_solutions"].lengths
    fits = (best == 0) | (best == dimension)
    _require(np.all(fits), "best_solutions does not fit the dimension")
    objectives = table.ragged["objectives"].lengths
    _require(np.isin(objectives, (0, 2)).all(), "objectives has no row an objective")
    solutions = table.ragged["recommended_solutions"].lengths
    recommendations = table.ragged["recommendations"].lengths
    # compared by division: a product of two numbers of a stranger may overflow
    fits = (solutions // dimension == recommendations) & (solutions % dimension == 0)
    _require(np.all(fits), "recommended_solutions does not fit the dimension")


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)
