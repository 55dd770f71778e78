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
    """One run as the data hold it."""

    problem: ProblemId
    record: Record
    reference: float  # what precisions are measured from; 0: unknown, NaN: values are no precisions
    evaluations: int
    constraints: int = 0  # evaluations of the constraints spent
    finished: bool = True  # whether the data hold the end of the run
    entries: Array = _NO_ROWS  # (n, 3): evaluation, evaluations of the constraints, best precision
    path: Array = _NO_ROWS  # likewise, at counts of evaluations that were chosen beforehand
    restarts: Array = _NO_NUMBERS  # (n,): evaluations before each restart
    recommendations: Array = _NO_PAIRS  # (n, 2): evaluations before, and precision
    best_solution: Array = _NO_NUMBERS  # (dimension,), or (0,)
    notes: Mapping[str, Array] = MappingProxyType({})  # parameters, at each of ``entries``
    number_of_objectives: int = 1  # with 2, precisions may be 0 and below
    reference_name: str = ""  # where the reference comes from
    archive: Array = _NO_ROWS  # (n, 3): evaluation and both values of points that entered
    archive_kept: ArchiveKept = "all"
    objectives: Array = _NO_PAIRS  # ideal and nadir of each objective, (2, 2), or (0, 2)
    target_unit: float = 1.0  # what the targets of the suite are multiplied by
    seconds: Array = _NO_NUMBERS  # at each of ``entries``, (n,); empty where nobody knows
    seconds_in_all: float = math.nan
    host: str = ""  # whose clock gave them; empty: simulated time


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """What was read from one folder or archive."""

    runs: Mapping[str, Sequence[ImportedRun]]  # by algorithm
    origin: Mapping[str, Any]  # plain facts of the data, for the log's header
    notes: tuple[str, ...] = ()  # sentences on what was guessed, or left out
    names: Mapping[tuple[str, int], str] = field(default_factory=dict)  # of functions
