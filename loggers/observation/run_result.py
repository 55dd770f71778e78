"""The record of a run, made of the memory that it recorded into, by itself or after its death."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...suites import Problem
from ..indicators.hypervolume import final_members
from ..indicators.registry import recorded_kind
from ..records.dtypes import OBJECTIVES, SECONDS, TARGET_UNIT, Rows, as_rows, no_rows
from ..records.identity import RunIdentity
from ..records.run_record import ArchiveKept, Record, RunRecord, Status, SuiteFacts
from .memory import CONSTRAINTS, EVALUATIONS, RunMemory


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended; attributes as of ``RunRecord``."""

    status: Status
    error: str
    seconds: tuple[float, float, float]
    """Wall, CPU, and in the problem."""
    second: float | None = None
    """When, by the clock that gives hits their seconds; None: at the last one recorded."""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run before it begins; attributes as of ``RunRecord``."""

    problem: Problem
    identity: RunIdentity
    suite: SuiteFacts
    seed: int
    budget: int | None
    record: Record
    archive: ArchiveKept = "all"


def record_of(memory: RunMemory, facts: RunFacts, ending: Ending) -> RunRecord:
    """The record of a run that is over, with the counts of evaluations in its memory."""
    problem = facts.problem
    memory.reserve_best(problem.dimension)
    best, best_x = memory.best()
    constraints = memory.counts[CONSTRAINTS]
    hits, trajectory = memory.rows("hits"), memory.rows("trajectory")
    archive = memory.rows("archive")
    hit, last, entered = (
        int(rows["evaluation"][-1]) if len(rows) else 0 for rows in (hits, trajectory, archive)
    )
    # it may have ended in between
    evaluations = max(memory.counts[EVALUATIONS], hit, last, entered)
    if evaluations > last:
        table = memory.table("trajectory")
        table.reserve(1)
        table.append(evaluations, best, constraints)
        trajectory = table.rows()
    hit_seconds = memory.rows("hit_seconds")[: len(hits)]
    recommendations = memory.rows("recommendations")
    known = len(recommendations) * problem.dimension  # the last one may have been interrupted
    solutions = memory.rows("recommended_solutions")["x"][:known]
    wall, cpu, in_problem = ending.seconds
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
        best_precision=best,
        wall_seconds=wall,
        cpu_seconds=cpu,
        problem_seconds=in_problem,
        hits=hits,
        trajectory=trajectory,
        restarts=memory.rows("restarts"),
        recommendations=recommendations,
        recommended_solutions=solutions.reshape(-1, problem.dimension),
        notes=memory.rows("notes"),
        archive=final_members(archive, problem) if facts.archive == "final" else archive,
        archive_kept=facts.archive,
        hit_seconds=hit_seconds,
        trajectory_seconds=_trajectory_seconds(memory, len(trajectory), hit_seconds, ending.second),
        dropped=memory.rows("dropped"),
        origin=memory.rows("origin"),
        objectives=_objectives(problem),
        target_unit=_target_unit(problem),
        best_solution=best_x,
    )


def _trajectory_seconds(memory: RunMemory, rows: int, hit_seconds: Rows, end: float | None) -> Rows:
    """When each row of the trajectory was; the last one may be that of the end of the run."""
    seconds = memory.rows("trajectory_seconds")["seconds"][:rows]
    if end is None and not len(seconds) and not len(hit_seconds):
        return no_rows(SECONDS)
    known = np.concatenate(
        [hit_seconds["seconds"][-1:], seconds[-1:], [] if end is None else [end]]
    )
    if len(known) and len(seconds) < rows:
        seconds = np.append(seconds, known.max())
    return as_rows(SECONDS, seconds)


def _objectives(problem: Problem) -> Rows:
    """Ideal and nadir of two objectives, where both are known."""
    ideal, nadir = problem.ideal_point, problem.nadir_point
    if ideal is None or nadir is None:
        return no_rows(OBJECTIVES)
    return as_rows(OBJECTIVES, ideal, nadir)


def _target_unit(problem: Problem) -> Rows:
    """A row where the suite's targets are multiplied by something."""
    unit = problem.target_unit
    return no_rows(TARGET_UNIT) if unit == 1 else as_rows(TARGET_UNIT, [unit])


def lost_run_record(
    memory: RunMemory | None,
    problem: Problem,
    identity: RunIdentity,
    status: Status,
    error: str,
    *,
    seed: int = 0,
    budget: int | None = None,
    record: Record = "targets",
    archive: ArchiveKept = "all",
    indicator: str | None = None,
) -> RunRecord:
    """The record of a run that could not make its own, with what it had reached.

    CPU seconds and seconds in the problem are lost, and 0. One that never began has no memory.
    """
    suite = SuiteFacts.of(problem, indicator)
    record = recorded_kind(suite.measurement.indicator, record)
    facts = RunFacts(problem, identity, suite, seed, budget, record, archive)
    if memory is None or memory.run_number is None:
        memory = RunMemory()
    seconds = memory.seconds
    second = seconds if len(memory.rows("origin")) else None
    return record_of(memory, facts, Ending(status, error, (seconds, 0.0, 0.0), second))
