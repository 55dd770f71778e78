"""Runs on problems with known values, for all tests of the loggers."""

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from firsthit.loggers import observe_problem
from firsthit.loggers.hdf5.journal import JournalEncoder, read_journal_table
from firsthit.loggers.hdf5.table import LogTable
from firsthit.loggers.observation.stops import RunStop, StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.suites import Problem

from .problems import scripted, sphere

FREE = StopConditions(final_target=False)


def observe(problem: Problem, stop: StopConditions = FREE, repetition: int = 0, **options):
    """Begin a run of the algorithm ``a`` on a problem, by default without an end."""
    identity = RunIdentity("a", problem.problem_id, repetition)
    return observe_problem(problem, identity, stop, **options)


def record_of(values, record="targets", reference: float | None = 0.0, repetition=0) -> RunRecord:
    """Make a run with these values, one after the other, and return its record."""
    run = observe(scripted(values, reference), repetition=repetition, record=record)
    for i in range(len(values)):
        run([i, 0])
    return run.finish("terminated")


def random_run(
    *,
    algorithm: str = "random",
    instance: int = 1,
    repetition: int = 0,
    evaluations: int = 200,
    dimension: int = 3,
    shrink: float = 0.98,
) -> RunRecord:
    """Make a reproducible run on the sphere that approaches the optimum; return its record."""
    identity = RunIdentity(algorithm, sphere(dimension, instance).problem_id, repetition)
    rng = np.random.default_rng([instance, repetition, dimension])
    observed = observe_problem(
        sphere(dimension, instance), identity, StopConditions(evaluations), rng=rng, seed=repetition
    )
    status = "budget"
    try:
        for t in range(evaluations + 1):
            observed(rng.standard_normal(dimension) * shrink**t)
    except RunStop:
        pass
    observed_status = "target" if observed.final_target_hit else status
    return observed.finish(observed_status)


def lost_record(problem, identity, status, error="", **fields) -> RunRecord:
    """Return the record of a run without evaluations; ``fields`` are further fields of it."""
    return RunRecord(
        identity=identity,
        suite=SuiteFacts.of(problem),
        function_name=problem.name,
        group=problem.group,
        reference_value=problem.reference_value,
        status=status,
        error=error,
        **fields,
    )


def tabulate(records: Sequence[RunRecord], header: str | None = None) -> LogTable:
    """Return the table that a log has of these records."""
    encoder = JournalEncoder(LogHeader().to_json() if header is None else header)
    image = b"".join((encoder.head, *map(encoder.encode_run, records)))
    return read_journal_table(Path("runs"), io.BytesIO(image), len(image))[0]
