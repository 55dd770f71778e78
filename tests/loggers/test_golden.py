"""Logs of every released schema version stay readable."""

from pathlib import Path

import h5py

from firsthit.loggers import read_log
from firsthit.loggers.hdf5.schema import SCHEMA_VERSION
from firsthit.loggers.hdf5.writer import LogWriter

from .conftest import equal
from .golden.make_v2 import BBOB, HEADER, RECORDS, TWO

GOLDEN = Path(__file__).parent / "golden"


def test_there_is_a_sample_of_every_version():
    versions = []
    for path in sorted(GOLDEN.glob("*.h5")):
        with h5py.File(path) as file:
            versions.append(file.attrs["schema_version"])
    assert versions == [2] == [SCHEMA_VERSION]


def test_version_2_reads_as_it_was_written(tmp_path):
    """As what is written now does, which other tests compare with the records."""
    with LogWriter(tmp_path / "a.h5", HEADER) as writer:
        writer.add_many(RECORDS)
    log = read_log(GOLDEN / "schema_v2.h5")
    assert equal(log, read_log(tmp_path / "a.h5"))
    assert log.suites == {"bbob": BBOB, "two": TWO}
    assert log.runs.suite_version.tolist() == ["1", "1", "1", "3"]
    assert log.headers[0]["algorithms"] == {"golden": {"parameters": {"x": 1.5}}}
    assert log.headers[0]["campaign"] == {"seed": 5}
    assert log.headers[0]["tuning"] == "none"
