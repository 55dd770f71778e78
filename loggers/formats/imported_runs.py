"""Runs as the readers of other formats give them, before they become tables of a log."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...suites.facts import ProblemId
from ..records.run_record import ArchiveKept, Record
from .blocks import Array

_NO_NUMBERS, _NO_PAIRS, _NO_ROWS = np.empty(0), np.empty((0, 2)), np.empty((0, 3))


class ImportedRun(NamedTuple):
    """One run as the data hold it.

    Attributes:
        problem: What was optimized.
        record: What is recorded, one of ``RECORDS``.
        reference: What precisions are measured from; 0 where it is unknown, NaN where values are no
            precisions.
        evaluations: Evaluations spent.
        constraints: Evaluations of the constraints spent.
        finished: Whether the data hold the end of the run.
        entries: Shape ``(n, 3)``: evaluation, evaluations of the constraints, best precision so
            far; NaN and infinities are no precisions.
        path: Likewise, at counts of evaluations that were chosen beforehand.
        restarts: Shape ``(n,)``: evaluations before each restart.
        recommendations: Shape ``(n, 2)``: evaluations before, and precision.
        best_solution: Shape ``(dimension,)``, or ``(0,)``.
        notes: Name of each parameter of the algorithm that was logged to its values, one for each
            of ``entries``; NaN where there is none.
        number_of_objectives: 1 or 2; with 2, precisions may be 0 and below.
        reference_name: Where the reference comes from.
        archive: Of two objectives, shape ``(n, 3)``: evaluation and both values of points that
            entered the archive.
        archive_kept: Which of them there are, one of ``ARCHIVES_KEPT``.
        objectives: Ideal and nadir of each objective, shape ``(2, 2)``, or ``(0, 2)``.
        target_unit: What the targets of the suite are multiplied by.
        seconds: Of the run at each of ``entries``, shape ``(n,)``; empty where nobody knows.
        seconds_in_all: Of the run.
        host: Whose clock gave them; empty: simulated time.
    """

    problem: ProblemId
    record: Record
    reference: float
    evaluations: int
    constraints: int = 0
    finished: bool = True
    entries: Array = _NO_ROWS
    path: Array = _NO_ROWS
    restarts: Array = _NO_NUMBERS
    recommendations: Array = _NO_PAIRS
    best_solution: Array = _NO_NUMBERS
    notes: Mapping[str, Array] = MappingProxyType({})
    number_of_objectives: int = 1
    reference_name: str = ""
    archive: Array = _NO_ROWS
    archive_kept: ArchiveKept = "all"
    objectives: Array = _NO_PAIRS
    target_unit: float = 1.0
    seconds: Array = _NO_NUMBERS
    seconds_in_all: float = math.nan
    host: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """What was read from one folder or archive.

    Attributes:
        runs: Name of each algorithm to its runs.
        origin: Plain facts of the data, for the log's header.
        notes: Sentences on what was guessed, or left out.
        names: Suite and number of a function to its name, where the data hold it.
    """

    runs: Mapping[str, Sequence[ImportedRun]]
    origin: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)
