"""Logs of every released schema version stay readable."""

import math
from pathlib import Path

import h5py

from firsthit.loggers import read_log
from firsthit.loggers.hdf5.schema import SCHEMA_VERSION

from .golden.make_v2 import BBOB, RECORDS, TWO

GOLDEN = Path(__file__).parent / "golden"


def test_there_is_a_sample_of_every_version():
    versions = []
    for path in sorted(GOLDEN.glob("*.h5")):
        with h5py.File(path) as file:
            versions.append(file.attrs["schema_version"])
    assert versions == [2] == [SCHEMA_VERSION]


def test_version_2_reads_as_it_was_written():
    log = read_log(GOLDEN / "schema_v2.h5")
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
        assert log.hits(i).tolist() == record.hits.tolist()
        assert log.trajectory(i).tolist() == record.trajectory.tolist()
        assert log.restarts(i).tolist() == record.restarts.tolist()
        assert log.recommendations(i).tolist() == record.recommendations.tolist()
        assert log.recommended_solutions(i).tolist() == record.recommended_solutions.tolist()
        assert log.notes_of(i).tolist() == record.notes.tolist()
        assert log.archive(i).tolist() == record.archive.tolist()
        assert log.objectives(i).tolist() == record.objectives.tolist()
        assert log.runs.reference_name[i] == record.reference_name
        assert log.runs.archive_kept[i] == record.archive_kept
        assert log.best_solution(i).tolist() == record.best_solution.tolist()
    assert (log.runs.suite[0], log.runs.function[0], log.runs.instance[0]) == ("bbob", 8, 71)
    assert (log.runs.function_name[0], log.runs.group[0]) == ("Rosenbrock", "moderate")
    assert log.runs.reference_value[0] == -32.5
    assert math.isnan(log.runs.reference_value[1])
    assert log.suites == {"bbob": BBOB, "two": TWO}
    assert log.headers[0]["algorithms"] == {"golden": {"parameters": {"x": 1.5}}}
    assert log.headers[0]["campaign"] == {"seed": 5}
    assert log.headers[0]["tuning"] == "none"
