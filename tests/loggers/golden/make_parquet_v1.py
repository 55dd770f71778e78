"""Make ``parquet_v1``, the sample of version 1 of the Parquet folder. Run once, never again.

``python tests/loggers/golden/make_parquet_v1.py`` was run in a checkout of commit 94f17845, which
wrote version 1. The folder holds the runs twice, as ``log.h5`` and as ``parquet/``.
"""

from pathlib import Path

import numpy as np
from make_v2 import HEADER, RECORDS, record

from firsthit.loggers import read_log, write_parquet
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import (
    DROPPED,
    HITS,
    ORIGIN,
    SECONDS,
    TARGET_UNIT,
    TRAJECTORY,
    as_rows,
)
from firsthit.loggers.records.run_record import SuiteFacts
from firsthit.suites.measurement import Measurement

PBO = SuiteFacts("pbo", "1", Measurement("best-feasible", (1.0, 0.5, 0.0), 0.0))

RECORDS_WITH_ALL_TABLES = (
    *RECORDS,
    record(
        0,
        PBO,
        reference_value=-16.0,
        status="terminated",
        error="nothing left to try",
        record="improvements",
        archive_kept="none",
        evaluations=30,
        best_precision=2.0,
        hits=as_rows(HITS, [np.inf, np.inf], [1, 9], [8.0, 2.0]),
        hit_seconds=as_rows(SECONDS, [0.25, 1.5]),
        trajectory=as_rows(TRAJECTORY, [1, 10, 30], [8.0, 2.0, 2.0]),
        trajectory_seconds=as_rows(SECONDS, [0.25, 1.75, 4.0]),
        origin=as_rows(ORIGIN, ["größer".encode()]),
        target_unit=as_rows(TARGET_UNIT, [16.0]),
        dropped=as_rows(DROPPED, [12, 30], [2, 1]),
    ),
)
"""Runs with rows in every table of a log."""

if __name__ == "__main__":
    folder = Path(__file__).with_name("parquet_v1")
    with LogWriter(folder / "log.h5", HEADER) as writer:
        writer.add_many(RECORDS_WITH_ALL_TABLES)
    write_parquet(read_log(folder / "log.h5"), folder / "parquet")
