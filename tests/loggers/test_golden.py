"""Logs of every released schema version stay readable."""

import math
from pathlib import Path

import h5py

from firsthit.loggers import read_log
from firsthit.loggers.hdf5.schema import SCHEMA_VERSION

from .golden.make_v1 import RECORDS

GOLDEN = Path(__file__).parent / "golden"


def test_there_is_a_sample_of_every_version():
    versions = []
    for path in sorted(GOLDEN.glob("*.h5")):
        with h5py.File(path) as file:
            versions.append(file.attrs["schema_version"])
    assert versions == list(range(1, SCHEMA_VERSION + 1))


def test_version_1_reads_as_it_was_written():
    log = read_log(GOLDEN / "schema_v1.h5")
    assert len(log) == len(RECORDS)
    for i, record in enumerate(RECORDS):
        assert log.runs.key[i] == record.key
        assert log.runs.status[i] == record.status
        assert log.runs.error[i] == record.error
        assert log.runs.seed[i] == record.seed
        assert log.runs.campaign_seed[i] == 5
        assert log.runs.budget[i] == (-1 if record.budget is None else record.budget)
        assert log.runs.evaluations[i] == record.evaluations
        assert log.runs.evaluations_constraints[i] == record.evaluations_constraints
        assert log.runs.best_precision[i] == record.best_precision
        assert log.runs.record[i] == record.record
        assert log.runs.wall_seconds[i] == record.wall_seconds
        assert log.hits(i).same(record.hits)
        assert log.trajectory(i).same(record.trajectory)
        assert log.restarts(i).same(record.restarts)
        assert log.recommendations(i).same(record.recommendations)
        assert log.best_solution(i).tolist() == record.best_solution.tolist()
    assert (log.runs.suite[0], log.runs.function[0], log.runs.instance[0]) == ("bbob", 8, 71)
    assert (log.runs.function_name[0], log.runs.group[0]) == ("Rosenbrock", "moderate")
    assert log.runs.reference_value[0] == -32.5
    assert math.isnan(log.runs.reference_value[1])
    assert log.headers[0]["algorithms"] == {"golden": {"parameters": {"x": 1.5}}}
    assert log.headers[0]["campaign"] == {"seed": 5}
    assert log.headers[0]["tuning"] == "none"
