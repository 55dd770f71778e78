"""Runs read from logs, ready to be assessed: columns, first hits, trajectories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .files import Paths, read_tables
from .first_hits import FirstHitTimes, first_hits
from .join import join
from .record import RECORDS, STATUSES, Hits, Recommendations, Restarts, Trajectory
from .table import LogTable


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """One array for each fact, each of shape ``(n_runs,)``; also found by name, ``runs["status"]``.

    Attributes:
        key: Text, 32 hexadecimal characters, from the names that make the run.
        algorithm: Text.
        suite: Text.
        suite_version: Text.
        function: The function's number.
        function_name: Text.
        group: Text, the function's group within the suite; may be empty.
        dimension: Number of variables.
        instance: The instance's number.
        repetition: From 0.
        stage: Budget stage, from 0.
        campaign_seed: What seeds derive from.
        seed: The run's own.
        budget: Evaluations allowed; -1 without a limit.
        evaluations: Evaluations spent.
        evaluations_constraints: Evaluations of the constraints spent.
        best_precision: Best indicator minus reference; inf where no finite value was seen.
        reference_value: NaN where there is none; then precisions are indicator values.
        status: Text, one of ``STATUSES``.
        error: Text (as objects); empty where nothing went wrong.
        wall_seconds: From the start to the end.
        cpu_seconds: Of the process, likewise.
        problem_seconds: In the problem.
        record: Text, ``"targets"`` or ``"improvements"``.
    """

    key: NDArray[np.str_]
    algorithm: NDArray[np.str_]
    suite: NDArray[np.str_]
    suite_version: NDArray[np.str_]
    function: NDArray[np.int64]
    function_name: NDArray[np.str_]
    group: NDArray[np.str_]
    dimension: NDArray[np.int64]
    instance: NDArray[np.int64]
    repetition: NDArray[np.int64]
    stage: NDArray[np.int64]
    campaign_seed: NDArray[np.uint64]
    seed: NDArray[np.uint64]
    budget: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    evaluations_constraints: NDArray[np.int64]
    best_precision: NDArray[np.float64]
    reference_value: NDArray[np.float64]
    status: NDArray[np.str_]
    error: NDArray[np.object_]
    wall_seconds: NDArray[np.float64]
    cpu_seconds: NDArray[np.float64]
    problem_seconds: NDArray[np.float64]
    record: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.key)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The column of that name."""
        column: NDArray[Any] = getattr(self, name)
        return column


class Log:
    """Runs of one or several logs, in canonical order, every run once.

    Order: suite, dimension, function, instance, algorithm, repetition, stage.

    Args:
        table: The runs.
        files: Where they come from.

    Attributes:
        runs: The facts of the runs, as columns.
        files: Where they come from.
    """

    def __init__(self, table: LogTable, files: Sequence[Path] = ()) -> None:
        self.files = tuple(files)
        self.runs = _columns(table)
        self._table = table

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return f"<Log: {len(self)} runs of {', '.join(self.algorithms) or 'no algorithm'}>"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Names of the algorithms, sorted."""
        return self._table.algorithms

    @property
    def headers(self) -> tuple[dict[str, Any], ...]:
        """What the logs say of all their runs: algorithms, campaign, tuning, provenance.

        One for each session of writing whose runs are here.
        """
        return tuple(json.loads(text) for text in self._table.headers)

    def header_of(self, run: int) -> dict[str, Any]:
        """The header under which a run was written."""
        header: dict[str, Any] = json.loads(self._table.headers[self._table.runs["header"][run]])
        return header

    def groups(self, suite: str | None = None) -> dict[str, tuple[int, ...]]:
        """Name of each group of functions to the functions that have runs here.

        Args:
            suite: Of this suite; by default of all.
        """
        rows = [row for row in self._table.functions if suite in (None, row.suite)]
        rows.sort(key=lambda row: row.function)
        names = dict.fromkeys(row.group for row in rows)
        return {
            name: tuple(dict.fromkeys(row.function for row in rows if row.group == name))
            for name in names
        }

    def hits(self, run: int) -> Hits:
        """First hits of a run; with ``record="improvements"`` all its improvements."""
        return Hits(**self._table.ragged["hits"].of(self._row(run)))

    def trajectory(self, run: int) -> Trajectory:
        """Best precision of a run at the scheduled counts and its last evaluation."""
        return Trajectory(**self._table.ragged["trajectory"].of(self._row(run)))

    def restarts(self, run: int) -> Restarts:
        """Restarts of a run."""
        return Restarts(**self._table.ragged["restarts"].of(self._row(run)))

    def recommendations(self, run: int) -> Recommendations:
        """Recommended solutions of a run."""
        row = self._row(run)
        solutions = self._table.ragged["recommended_solutions"].of(row)
        return Recommendations(**self._table.ragged["recommendations"].of(row), **solutions)

    def best_solution(self, run: int) -> NDArray[np.float64]:
        """The best point a run evaluated, shape ``(dimension,)``; ``(0,)`` where there is none."""
        return self._table.ragged["best_solution"].of(self._row(run))["x"]

    def first_hits(self, rows: ArrayLike, targets: ArrayLike) -> FirstHitTimes:
        """Evaluations at the first hit of target precisions.

        Args:
            rows: Positions of runs, shape ``(n_rows,)``, or a mask of all runs.
            targets: Precisions, shape ``(n_targets,)``. Within a relative 1e-9 of a value of the
                grid they mean that value.

        Returns:
            ``(evaluations, exact)``, both of shape ``(n_rows, n_targets)``. ``evaluations`` is
            float64, NaN where a target was not reached, or where the run has no reference value.
            Where ``exact`` is False, the target lies between two of the grid and was reached at
            this evaluation or at an earlier one that the log does not tell.

        Raises:
            IndexError: There is no such run.
        """
        index = np.asarray(rows)
        if index.dtype == bool:
            index = np.flatnonzero(index)
        return first_hits(self._table, index.astype(np.int64), np.atleast_1d(targets))

    def _row(self, run: int) -> int:
        return range(len(self))[run]


def read_log(paths: Paths) -> Log:
    """Read logs: finished, being written, or left by a crash.

    Args:
        paths: A log ``NAME.h5``, whose parts belong to it, a folder, searched to the bottom, a
            pattern such as ``"results/*.h5"``, or several of these.

    Returns:
        All runs in canonical order. A run that stands in several files is there once.

    Raises:
        LogNotFoundError: A path stands for no file.
        LogFormatError: A file is damaged or foreign; the text names file and reason.
        LogConflictError: Two files tell different things of one run or one algorithm.
    """
    files, tables = read_tables(paths)
    return Log(join(tables, files), files)


def _columns(table: LogTable) -> Runs:
    runs = table.runs

    def texts(values: Sequence[str], column: str) -> NDArray[np.str_]:
        named: NDArray[np.str_] = np.array([*values, ""])[runs[column]]
        return named

    rows = table.functions
    small = ("function", "dimension", "instance", "repetition", "stage")
    numbers: dict[str, Any] = {name: runs[name].astype(np.int64) for name in small}
    kept = (
        "campaign_seed", "seed", "budget", "evaluations", "evaluations_constraints",
        "best_precision", "reference_value", "wall_seconds", "cpu_seconds", "problem_seconds",
    )  # fmt: skip
    numbers |= {name: np.ascontiguousarray(runs[name]) for name in kept}
    return Runs(
        key=np.char.decode(runs["key"], "ascii"),
        algorithm=texts(table.algorithms, "algorithm"),
        suite=texts([row.suite for row in rows], "function_row"),
        suite_version=texts([row.suite_version for row in rows], "function_row"),
        function_name=texts([row.name for row in rows], "function_row"),
        group=texts([row.group for row in rows], "function_row"),
        status=texts(STATUSES, "status"),
        error=np.array([*table.messages, ""], dtype=object)[runs["message"]],
        record=texts(RECORDS, "record"),
        **numbers,
    )
