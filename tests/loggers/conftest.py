"""Problems with known values, and runs on them, for all tests of the loggers."""

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from firsthit.loggers import ObservedProblem
from firsthit.loggers.hdf5.journal import JournalEncoder, journal_table
from firsthit.loggers.hdf5.table import LogTable
from firsthit.loggers.observation.stops import RunStop, StopConditions
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.suites import Problem, problem_from


def scripted(values: Sequence[float], reference: float | None = 0.0, dimension: int = 2) -> Problem:
    """A problem whose value at ``x`` is ``values[x[0]]``."""
    table = np.array(values, dtype=float)
    return problem_from(
        lambda x: float(table[int(x[0])]),
        dimension,
        name="scripted",
        reference_value=reference,
        batch=lambda points: table[points[:, 0].astype(int)],
    )


def sphere(dimension: int = 3, instance: int = 1) -> Problem:
    return problem_from(
        lambda x: float(x @ x),
        dimension,
        name="sphere",
        instance=instance,
        optimal_value=0.0,
        batch=lambda points: np.einsum("ij,ij->i", points, points),
    )


FREE = StopConditions(final_target=False)


def observe(problem: Problem, stop: StopConditions = FREE, repetition: int = 0, **options):
    """A run on the problem, by default without end."""
    identity = RunIdentity("a", problem.problem_id, repetition)
    return ObservedProblem(problem, identity, stop, **options)


def record_of(values, record="targets", reference: float | None = 0.0, repetition=0) -> RunRecord:
    """The record of a run with these values, one after the other."""
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
    """A reproducible run on the sphere that comes closer and closer to the optimum."""
    identity = RunIdentity(algorithm, sphere(dimension, instance).problem_id, repetition)
    rng = np.random.default_rng([instance, repetition, dimension])
    observed = ObservedProblem(
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


def lost_record(problem, identity, status, error="", **known) -> RunRecord:
    """A run of which little is known."""
    return RunRecord(
        identity=identity,
        suite=SuiteFacts.of(problem),
        function_name=problem.name,
        group=problem.group,
        reference_value=problem.reference_value,
        status=status,
        error=error,
        **known,
    )


def equal(one, other):
    """Whether two logs hold the same runs, text for text and row for row, under any headers."""
    a, b = one._table, other._table
    columns = set(a.runs.dtype.names) - {"header"}
    texts = ("algorithms", "suites", "functions", "messages", "references")
    return (
        all(getattr(a, name) == getattr(b, name) for name in texts)
        and all(a.runs[name].tobytes() == b.runs[name].tobytes() for name in columns)
        and all(
            entries.lengths.tolist() == b.ragged[name].lengths.tolist()
            and entries.load().rows.tobytes() == b.ragged[name].load().rows.tobytes()
            for name, entries in a.ragged.items()
        )
    )


def tabulate(records: Sequence[RunRecord], header: str | None = None) -> LogTable:
    """Runs as a log has them."""
    encoder = JournalEncoder(LogHeader().to_json() if header is None else header)
    image = b"".join((encoder.head, *map(encoder.record, records)))
    return journal_table(Path("runs"), io.BytesIO(image), len(image))[0]
