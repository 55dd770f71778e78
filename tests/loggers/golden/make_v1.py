"""Makes ``schema_v1.h5``, the sample of schema version 1. Run once, never again.

``python tests/loggers/golden/make_v1.py`` from a checkout whose schema version is 1.
"""

from pathlib import Path

import numpy as np

from firsthit.loggers import (
    Hits,
    LogHeader,
    LogWriter,
    Recommendations,
    Restarts,
    RunIdentity,
    RunRecord,
    Trajectory,
)
from firsthit.suites import ProblemId


def record(repetition: int, **facts: object) -> RunRecord:
    return RunRecord(
        identity=RunIdentity("golden", ProblemId("bbob", 8, 2, 71), repetition, 5),
        suite_version="1",
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
        hits=Hits([41, 20, -160], [1, 7, 40], [100.5, 10.0, 5e-9]),
        trajectory=Trajectory([1, 2, 40], [100.5, 100.5, 5e-9]),
        restarts=Restarts([7], [9], [b"0123456789abcdef"], ["größer".encode()]),
        recommendations=Recommendations([8, 9], [10.0, np.inf], [1.0, 2.0, 3.0, 4.0]),
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
        hits=Hits([32767, 32767], [1, 2], [4.0, -3.0]),
        trajectory=Trajectory([1, 2], [4.0, -3.0]),
        best_solution=np.array([0.0, 1.0]),
    ),
    record(2, reference_value=-32.5, status="timeout", error="no answer"),
)

HEADER = LogHeader({"golden": {"parameters": {"x": 1.5}}}, campaign={"seed": 5}, tuning="none")

if __name__ == "__main__":
    with LogWriter(Path(__file__).with_name("schema_v1.h5"), HEADER) as writer:
        for each in RECORDS:
            writer.add(each)
