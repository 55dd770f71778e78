"""Make ``schema_v2.h5``, the sample of schema version 2. Run once, never again.

``python tests/loggers/golden/make_v2.py`` from a checkout whose schema version is 2.
"""

from pathlib import Path

import numpy as np

from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import (
    ARCHIVE,
    HITS,
    NOTES,
    OBJECTIVES,
    RECOMMENDATIONS,
    RESTARTS,
    TRAJECTORY,
    as_rows,
)
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.suites.facts import ProblemId
from firsthit.suites.measurement import Measurement

BBOB = SuiteFacts("bbob", "1")
TWO = SuiteFacts("two", "3", Measurement("hypervolume", (1.0, 0.0, -1e-5), None))


def record(repetition: int, suite: SuiteFacts = BBOB, **facts: object) -> RunRecord:
    return RunRecord(
        identity=RunIdentity("golden", ProblemId(suite.name, 8, 2, 71), repetition, 5),
        suite=suite,
        function_name="Rosenbrock",
        group="moderate",
        **facts,
    )


RECORDS = (
    record(
        0,
        reference_value=-32.5,
        status="target",
        seed=2**64 - 1,
        budget=1000,
        evaluations=40,
        evaluations_constraints=3,
        best_precision=5e-9,
        wall_seconds=1.5,
        cpu_seconds=1.25,
        problem_seconds=0.5,
        hits=as_rows(
            HITS, [112.2018454301963, 10.0, 1e-8], [1, 7, 40], [100.5, 10.0, 5e-9], [0, 1, 3]
        ),
        trajectory=as_rows(TRAJECTORY, [1, 2, 40], [100.5, 100.5, 5e-9], [0, 0, 3]),
        restarts=as_rows(RESTARTS, [7], [9], [b"0123456789abcdef"], ["größer".encode()]),
        recommendations=as_rows(RECOMMENDATIONS, [8, 9], [10.0, np.inf]),
        recommended_solutions=np.array([[1.0, 2.0], [3.0, 4.0]]),
        notes=as_rows(NOTES, [7, 40], [b"sigma", "größe".encode()], [0.5, 1e-3]),
        best_solution=np.array([0.5, -0.5]),
    ),
    record(
        1,
        reference_value=np.nan,
        status="failed",
        error="ValueError: naïve\nsecond line",
        record="improvements",
        evaluations=2,
        best_precision=-3.0,
        hits=as_rows(HITS, [np.inf, np.inf], [1, 2], [4.0, -3.0]),
        trajectory=as_rows(TRAJECTORY, [1, 2], [4.0, -3.0]),
        best_solution=np.array([0.0, 1.0]),
    ),
    record(2, reference_value=-32.5, status="timeout", error="no answer"),
    record(
        0,
        TWO,
        reference_value=-0.9,
        reference_name="a file of references",
        status="budget",
        budget=10,
        evaluations=10,
        best_precision=-2e-5,
        hits=as_rows(HITS, [1.0, 0.0, -1e-5], [1, 2, 5], [0.9, 0.0, -2e-5]),
        trajectory=as_rows(TRAJECTORY, [1, 10], [0.9, -2e-5]),
        archive=as_rows(ARCHIVE, [1, 2, 5], [0.5, 0.25, 0.1], [0.1, 0.25, 0.5]),
        archive_kept="final",
        objectives=as_rows(OBJECTIVES, [-3.0, 7.5], [1.0, 1e3]),
    ),
)

HEADER = LogHeader({"golden": {"parameters": {"x": 1.5}}}, campaign={"seed": 5}, tuning="none")

if __name__ == "__main__":
    with LogWriter(Path(__file__).with_name("schema_v2.h5"), HEADER) as writer:
        for run_record in RECORDS:
            writer.add(run_record)
