"""Make the record of a run from the memory into which the run recorded.

The run itself calls `make_record` when it ends. If its process died, or if it was interrupted while
it recorded an evaluation, the memory holds a prefix of what recording writes. Recording commits an
improvement by switching to the new best point. Therefore rows of hits that are better than the
best point are left out: their evaluation was not recorded completely.

Evaluations that overlap, because of threads, signal handlers or finalizers, may be recorded at
equal numbers, or in an order that is not that of their numbers. Here numbers are made ascending: a
row gets at least the number of the row before, and of rows with equal numbers the last one stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ..indicators.hypervolume import find_final_members
from ..indicators.registry import recorded_kind
from ..records.dtypes import OBJECTIVES, SECONDS, TARGET_UNIT, TRAJECTORY, Rows, as_rows, no_rows
from ..records.identity import RunIdentity
from ..records.run_record import ArchiveKept, ObservedRecord, RunRecord, Status, SuiteFacts
from .clock import RunTimes
from .memory import CONSTRAINTS, EVALUATIONS, RunMemory


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended."""

    status: Status
    error: str  # text of the error that ended the run; empty: there was none
    times: RunTimes
    second: float | None = None
    """Second of the end by the clock of the hits; None: the second of the last recorded row."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The facts of a run that are fixed when it begins; fields as in `RunRecord`."""

    problem: Problem
    identity: RunIdentity
    suite: SuiteFacts
    seed: int
    budget: int | None
    record: ObservedRecord
    archive: ArchiveKept = "all"


def make_record(memory: RunMemory, facts: RunFacts, ending: Ending) -> RunRecord:
    """Make the record of a run that has ended; the memory stays as it is.

    Args:
        memory: The memory of the run, with its numbers of evaluations.
        facts: Data of the run that were fixed when it began.
        ending: Status, error and times of the end of the run.

    Raises:
        ObservationError: The memory is damaged: it holds impossible numbers.
        ValueError: The memory is damaged: rows are missing.
    """
    problem = facts.problem
    memory.reserve_slots(problem.dimension)
    best = memory.copy_best()
    evaluations, constraints = memory.counts[EVALUATIONS], memory.counts[CONSTRAINTS]
    hits = memory.copy_rows("hits")
    hit_seconds = memory.copy_rows("hit_seconds")[: len(hits)]
    hit_points = memory.copy_rows("hit_solutions")["x"].reshape(-1, problem.dimension)[: len(hits)]
    if len(hits) and hits["precision"][-1] < best.precision:
        is_committed = hits["precision"] >= best.precision
        hits = hits[is_committed]
        hit_seconds = hit_seconds[is_committed[: len(hit_seconds)]]
        hit_points = hit_points[is_committed[: len(hit_points)]]
    hits, hit_seconds, hit_points = _make_ascending(evaluations, hits, hit_seconds, hit_points)
    trajectory = memory.copy_rows("trajectory")
    trajectory_seconds = memory.copy_rows("trajectory_seconds")[: len(trajectory)]
    trajectory, trajectory_seconds = _make_ascending(evaluations, trajectory, trajectory_seconds)
    n_rows = len(trajectory)
    if evaluations and not (n_rows and trajectory["evaluation"][-1] == evaluations):
        recorded = trajectory
        trajectory = np.empty(n_rows + 1, TRAJECTORY)
        trajectory[:n_rows] = recorded
        trajectory[n_rows] = evaluations, best.precision, constraints
    archive = memory.copy_rows("archive")
    if len(archive):
        archive = archive.copy()
        archive["evaluation"] = _make_numbers_ascending(archive["evaluation"], evaluations)
    evaluated, evaluated_points = memory.copy_points(problem.dimension)
    notes = memory.copy_rows("notes")
    if len(evaluated):
        evaluated["evaluation"] = _make_numbers_ascending(evaluated["evaluation"], evaluations)
    if len(evaluated) or len(hit_points):
        # The note of the maximum size may have been written after notes of later evaluations.
        notes = notes[np.argsort(notes["evaluation"], kind="stable")]
    recommendations = memory.copy_rows("recommendations")
    # The last solution has no recommendation if recording it was interrupted.
    numbers = memory.copy_rows("recommended_solutions")["x"][
        : len(recommendations) * problem.dimension
    ]
    wall, cpu, in_problem = ending.times
    return RunRecord(
        identity=facts.identity,
        suite=facts.suite,
        function_name=problem.name,
        group=problem.group,
        reference_value=problem.reference_value,
        reference_name=problem.reference_name,
        status=ending.status,
        error=ending.error,
        seed=facts.seed,
        budget=facts.budget,
        record=facts.record,
        evaluations=evaluations,
        evaluations_constraints=constraints,
        best_precision=best.precision,
        wall_seconds=wall,
        cpu_seconds=cpu,
        problem_seconds=in_problem,
        hits=hits,
        trajectory=trajectory,
        restarts=memory.copy_rows("restarts"),
        recommendations=recommendations,
        recommended_solutions=numbers.reshape(-1, problem.dimension),
        notes=notes,
        archive=find_final_members(archive, problem) if facts.archive == "final" else archive,
        archive_kept=facts.archive,
        hit_seconds=hit_seconds,
        trajectory_seconds=_complete_seconds(
            trajectory_seconds, len(trajectory), hit_seconds, ending.second
        ),
        dropped=memory.copy_rows("dropped"),
        origin=memory.copy_rows("origin"),
        objectives=_make_objectives(problem),
        target_unit=_make_target_unit(problem),
        best_solution=best.x,
        hit_solutions=hit_points,
        evaluated=evaluated,
        evaluated_solutions=evaluated_points,
    )


def make_lost_record(
    memory: RunMemory | None,
    problem: Problem,
    identity: RunIdentity,
    status: Status,
    error: str,
    *,
    seed: int = 0,
    budget: int | None = None,
    record: ObservedRecord = "targets",
    archive: ArchiveKept = "all",
    indicator: str | None = None,
) -> RunRecord:
    """Make the record of a run whose process died, from the memory that it left.

    CPU seconds and seconds in the problem are lost, and 0.

    Args:
        memory: The memory of the run; None, or a memory without a run: the run never began.
        problem: The problem of the run.
        identity: Identity of the run.
        status: Status of the run.
        error: Text of the error that ended the run.
        seed: Seed of the run.
        budget: Budget of the run in evaluations; None: no limit.
        record: Recorded evaluations; see `RunRecord`.
        archive: Recorded part of the archive of two objectives; see `RunRecord`.
        indicator: Name of the run's indicator; None: that of the suite.

    Raises:
        ObservationError: The memory is damaged: it holds impossible numbers.
        ValueError: The memory is damaged: rows are missing.
    """
    suite = SuiteFacts.of(problem, indicator)
    record = recorded_kind(suite.measurement.indicator, record)
    facts = RunFacts(problem, identity, suite, seed, budget, record, archive)
    if memory is None or memory.run_number is None:
        memory = RunMemory()
    seconds = memory.elapsed_seconds
    end_second = seconds if len(memory.copy_rows("origin")) else None
    ending = Ending(status, error, RunTimes(seconds, 0.0, 0.0), end_second)
    return make_record(memory, facts, ending)


def _make_ascending(evaluations: int, rows: Rows, *aligned: NDArray[Any]) -> list[NDArray[Any]]:
    """Make the evaluation numbers of rows strictly ascending; see the top of this module.

    Args:
        evaluations: Number of all evaluations of the run; no number is higher.
        rows: Hits or rows of a trajectory; they are not changed.
        *aligned: Seconds or points of the first of these rows.

    Returns:
        The rows that are kept, and their entries of each array in ``aligned``.
    """
    if not len(rows):
        return [rows, *aligned]
    numbers = rows["evaluation"]
    # count_nonzero takes a fifth of the time of all()
    n_ascending = np.count_nonzero(numbers[1:] > numbers[:-1])
    if n_ascending == len(rows) - 1 and numbers[-1] <= evaluations:  # no evaluations overlapped
        return [rows, *aligned]
    rows = rows.copy()
    rows["evaluation"] = numbers = _make_numbers_ascending(numbers, evaluations)
    is_last = np.append(numbers[1:] > numbers[:-1], True)
    return [rows[is_last], *(values[is_last[: len(values)]] for values in aligned)]


def _make_numbers_ascending(numbers: NDArray[np.int64], evaluations: int) -> NDArray[np.int64]:
    """Raise each number to the highest one before it, and limit all to ``evaluations``."""
    ascending: NDArray[np.int64] = np.minimum(np.maximum.accumulate(numbers), evaluations)
    return ascending


def _complete_seconds(seconds: Rows, n_rows: int, hit_seconds: Rows, end: float | None) -> Rows:
    """Return the seconds of the trajectory, with a second for the row that `make_record` added.

    Args:
        seconds: Recorded seconds of the trajectory.
        n_rows: Number of rows of the trajectory, at most one more than ``seconds``.
        hit_seconds: Seconds of the hits.
        end: Second of the end of the run. None: the last recorded second.

    Returns:
        One second for each row, or no rows if the run has no seconds.
    """
    if end is None and not len(seconds) and not len(hit_seconds):
        return no_rows(SECONDS)
    candidates = [*hit_seconds["seconds"][-1:], *seconds["seconds"][-1:]]
    if end is not None:
        candidates.append(end)
    if candidates and len(seconds) < n_rows:
        return as_rows(SECONDS, np.append(seconds["seconds"], max(candidates)))
    return as_rows(SECONDS, seconds["seconds"])


def _make_objectives(problem: Problem) -> Rows:
    """Return the rows of ideal and nadir point of two objectives, if both are known."""
    ideal, nadir = problem.ideal_point, problem.nadir_point
    if ideal is None or nadir is None:
        return no_rows(OBJECTIVES)
    return as_rows(OBJECTIVES, ideal, nadir)


def _make_target_unit(problem: Problem) -> Rows:
    """Return one row with the factor of the suite's targets, or no row if it is 1."""
    unit = problem.target_unit
    return no_rows(TARGET_UNIT) if unit == 1 else as_rows(TARGET_UNIT, [unit])
