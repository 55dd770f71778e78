"""Checks what files say against itself: kinds of values, positions in range, sizes that fit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LogFormatError
from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES
from .ragged import Ragged
from .table import TEXTS, LogTable

_NONE = type(None)
_HEADER = {
    "": (dict,),
    "algorithms": (dict,),
    "algorithms.*": (dict,),
    "provenance": (dict,),
    "provenance.created_utc": (str, _NONE),
    "provenance.versions": (dict, _NONE),
    "provenance.versions.*": (str,),
    "provenance.imported": (dict, _NONE),
    "provenance.imported.notes": (list, _NONE),
    "campaign": (dict, _NONE),
    "campaign.repetitions": (int, _NONE),
    "campaign.seed": (int, _NONE),
    "campaign.timeout": (int, float, _NONE),
    "campaign.suites": (list, _NONE),
    "campaign.suites.*": (dict,),
    "campaign.suites.*.name": (str,),
    "campaign.suites.*.version": (str,),
}
"""Types of the parts of `LogHeader` that readers rely on; ``*`` stands for every entry."""


def check_header(text: str) -> None:
    """Check that a header has the parts of `LogHeader` that are relied on; else a ValueError."""
    header = json.loads(text)
    for place, kinds in _HEADER.items():
        for value in _values(header, place.split(".") if place else ()):
            _require(type(value) in kinds, f"{f'header.{place}'.strip('.')} is impossible")


def _values(value: Any, place: Sequence[str]) -> Iterator[Any]:
    """What stands there, None where nothing does; nothing where it has no place to stand."""
    if not place:
        yield value
    elif place[0] != "*":
        yield from () if value is None else _values(value.get(place[0]), place[1:])
    else:
        for entry in value if isinstance(value, list) else (value or {}).values():
            yield from _values(entry, place[1:])


def check_table(table: LogTable) -> None:
    """Check the runs and what refers to them, not the rows of ``ragged``; else a ValueError."""
    runs, lengths = table.runs, {name: part.lengths for name, part in table.ragged.items()}
    known = {column: getattr(table, kind) for column, kind in TEXTS.items()}
    known |= {"status": STATUSES, "record": RECORDS, "archive_kept": ARCHIVES_KEPT}
    for column, there in known.items():
        _require(np.all(runs[column] < len(there)), f"runs.{column} points beyond what there is")
    for column, least in (("dimension", 1), ("evaluations", 0), ("budget", -1)):
        _require(np.all(runs[column] >= least), f"runs.{column} is less than {least}")
    characters = np.frombuffer(runs["key"].tobytes(), np.uint8)
    _require(np.all(characters < 128), "runs.key is no ASCII")
    suites = [suite.name for suite in table.suites]
    _require({row.suite for row in table.functions} <= set(suites), "functions has unknown suites")
    facts = [text for suite in table.suites for text in (suite.name, suite.version)]
    for name in (*table.algorithms, *facts):
        _require(name.isprintable(), f"the name {name[:40]!r} is not printable")
    dimension = runs["dimension"].astype(np.int64)
    # compared by division: a product of two numbers of a stranger may overflow
    hits, rows = lengths["hit_seconds"], lengths["trajectory_seconds"]
    recommended, rest = np.divmod(lengths["recommended_solutions"], dimension)
    for name, fits in (
        ("best_solutions", np.isin(lengths["best_solutions"] / dimension, (0, 1))),
        ("objectives", np.isin(lengths["objectives"], (0, 2))),
        ("hit_seconds", (hits == 0) | (hits == lengths["hits"])),
        ("trajectory_seconds", (rows == 0) | (rows == lengths["trajectory"])),
        ("origin", lengths["origin"] <= 1),
        ("target_unit", lengths["target_unit"] <= 1),
        ("recommended_solutions", (recommended == lengths["recommendations"]) & (rest == 0)),
    ):
        _require(np.all(fits), f"{name} does not fit the dimension")


def check_rows(
    path: Path, name: str, evaluations: NDArray[np.int64], runs: slice, found: Ragged
) -> None:
    """Refuse rows of some runs, just read from a file, that cannot be; of all, the evaluations."""
    if name in ("hit_seconds", "trajectory_seconds"):
        seconds = found.rows["seconds"]
        steps = np.diff(seconds, prepend=0.0)
        first = found.offsets[:-1][found.lengths > 0]
        steps[first] = seconds[first]
        if not (np.isfinite(seconds).all() and (steps >= 0).all()):
            raise LogFormatError.of(path, f"it is damaged: {name} are no times, or fall")
    if name not in ("hits", "trajectory", "archive"):
        return
    owner = np.repeat(np.arange(len(found.lengths)), found.lengths)
    counts = found.rows["evaluation"]
    wrong = (counts < 1) | (counts > evaluations[runs][owner])
    within = owner[1:] == owner[:-1]
    wrong[1:] |= within & (counts[1:] < counts[:-1])
    if name == "hits":
        targets = found.rows["target"]
        wrong |= np.isnan(targets)
        wrong[1:] |= within & (targets[1:] > targets[:-1])
    if wrong.any():
        raise LogFormatError.of(path, f"it is damaged: {name} are out of range or order")


def _require(condition: object, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)
