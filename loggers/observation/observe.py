"""The factory of observed problems: makes the parts of an `ObservedProblem` and connects them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...suites import Problem
from ..indicators.registry import make_indicator, recorded_kind
from ..records.identity import RunIdentity
from ..records.points import MAX_POINT_BYTES, PointChoice
from ..records.run_record import (
    ARCHIVES_KEPT,
    CLOCKS,
    OBSERVED_RECORDS,
    ArchiveKept,
    Clock,
    ObservedRecord,
    SuiteFacts,
    check_one_of,
)
from .clock import RunClock
from .forks import watch
from .measured_problem import MeasuredProblem
from .memory import RunMemory
from .observed_problem import Monitor, ObservedProblem
from .point_recorder import PointRecorder
from .recorder import Recorder, RecordingRules
from .run_result import RunFacts, make_record
from .stops import StopConditions


def observe_problem(
    problem: Problem,
    identity: RunIdentity,
    stop: StopConditions | None = None,
    record: ObservedRecord = "targets",
    rng: np.random.Generator | Callable[[], np.random.Generator] | None = None,
    *,
    seed: int = 0,
    indicator: str | None = None,
    archive: ArchiveKept = "all",
    clock: Clock | Callable[[], float] = "none",
    record_points: PointChoice | None = None,
    max_point_bytes: int = MAX_POINT_BYTES,
    memory: RunMemory | None = None,
    monitor: Monitor | None = None,
) -> ObservedProblem:
    """Begin a run on a problem, and return the observed problem for the algorithm.

    Args:
        problem: The problem. The algorithm does not get it, because it knows its optimum.
        identity: Identity of the run.
        stop: Conditions under which the run ends by itself. Default: the hit of the final target.
        record: ``"targets"`` records first hits of targets, ``"improvements"`` all improvements.
        rng: Generator of random start points, or a function that makes it when it is first needed.
            Default: a generator whose seed is the key of the run.
        seed: Seed of the run, for the log.
        indicator: Name of the indicator to which targets apply. Default: that of the suite.
        archive: Recorded points of the archive of two objectives: ``"all"`` points that entered
            it, the ``"final"`` members, or ``"none"``.
        clock: ``"measured"`` records the wall-clock time of each hit in seconds since the start of
            the run. A function returns these seconds in simulated time. ``"none"``: no seconds.
        record_points: Points that are recorded. Default: none.
        max_point_bytes: Maximum size of these points in bytes.
        memory: Memory into which the run records. In shared memory, the caller must have begun the
            run. Default: new memory on the heap.
        monitor: Monitor of refusals and announcements. Default: no monitor.

    Returns:
        The observed problem; its clock is running.

    Raises:
        ObservationError: An argument is not allowed, or the indicator does not take the problem.
        UnknownNameError: There is no such indicator.

    Example:
        >>> from firsthit import Suite
        >>> from firsthit.loggers import RunIdentity, StopConditions, observe_problem
        >>> problem = Suite("bbob", functions=1, dimensions=2, instances=1)[0]
        >>> identity = RunIdentity("my-algorithm", problem.problem_id)
        >>> observed = observe_problem(problem, identity, StopConditions(budget_evaluations=100))
        >>> value = observed(observed.initial_solution)
        >>> observed.evaluations, observed.evaluations_left
        (1, 99)
    """
    check_one_of(record, OBSERVED_RECORDS, "record")
    check_one_of(archive, ARCHIVES_KEPT, "archive")
    if not callable(clock):
        check_one_of(clock, CLOCKS, "clock")
    stop = StopConditions() if stop is None else stop
    key = int(identity.key, 16)
    suite = SuiteFacts.of(problem, indicator)
    measurement = suite.measurement
    record = recorded_kind(measurement.indicator, record)
    facts = RunFacts(problem, identity, suite, seed, stop.budget_evaluations, record, archive)
    memory = memory or RunMemory()
    if not memory.is_shared:
        memory.begin_run()
    run_indicator = make_indicator(measurement.indicator, problem)
    measured = MeasuredProblem(problem, run_indicator, key if problem.is_noisy else 0)
    rules = RecordingRules(
        dimension=problem.dimension,
        reference=getattr(run_indicator, "reference", problem.reference_value),
        grid=run_indicator.grid,
        final_target=measurement.final_target,
        every_improvement=record == "improvements",
        keeps_archive=measured.has_archive and archive != "none",
        max_hit_point_bytes=(
            max_point_bytes if record_points is not None and record_points.kind == "hits" else 0
        ),
    )
    points = None
    if record_points is not None and record_points.kind != "hits":
        points = PointRecorder(problem, record_points, max_point_bytes, memory)
    run_clock = RunClock()
    read_seconds = clock if callable(clock) else None
    if clock == "measured":
        read_seconds = run_clock.read_seconds
    recorder = Recorder(rules, memory, read_seconds)
    if clock == "measured":
        recorder.add_host()
    observed = ObservedProblem(
        problem,
        identity,
        record,
        stop,
        measured,
        recorder,
        points,
        memory,
        run_clock,
        partial(make_record, memory, facts),
        monitor,
        rng or (lambda: np.random.default_rng(key)),
    )
    watch(observed)
    run_clock.start()  # last, so that the run does not include the time of making these objects
    return observed
