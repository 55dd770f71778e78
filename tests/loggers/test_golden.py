"""Every log since format 2.0 stays readable, and golden logs never change.

Private names: golden files are compared with the schema that declares their format.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError
from firsthit.loggers.hdf5.descriptions import CODES
from firsthit.loggers.hdf5.schema import (
    OFFSET,
    OFFSETS,
    RUNS,
    SCHEMA_MINOR,
    SCHEMA_VERSION,
    TEXT_TABLES,
    text_rows,
)
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import TABLES

from .golden.make_v2 import BBOB, HEADER, RECORDS, TWO
from .problems import equal

GOLDEN = Path(__file__).parent / "golden"
REFUSED = ("3c1de608-single.h5", "30cda2f7-single.h5")
READABLE = sorted(path.name for path in GOLDEN.glob("*.h5") if path.name not in REFUSED)
TIMES = ("hit_seconds", "trajectory_seconds", "origin")


def test_golden_logs_are_those_of_the_list():
    """A golden log that is missing, changed or not listed fails."""
    listed = dict(
        reversed(line.split()) for line in (GOLDEN / "checksums.txt").read_text().splitlines()
    )
    patterns = ("*.h5", "types-*.txt", "*.h5.parts/*.journal")
    paths = [path for pattern in patterns for path in GOLDEN.glob(pattern)]
    digests = {
        path.relative_to(GOLDEN).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }
    assert digests == listed


def test_every_suite_has_a_golden_log_of_this_version():
    # In a process of its own, because other tests register suites.
    command = [sys.executable, "-c", "import firsthit; print(*firsthit.suites.suite_names())"]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    version = f"{SCHEMA_VERSION}.{SCHEMA_MINOR}"
    assert [name for name in names if not (GOLDEN / f"{version}-{name}.h5").exists()] == []
    assert "bbob" in names


def test_types_of_columns_change_only_with_the_version():
    """Types of all datasets and columns, and all codes, are those of the frozen text.

    After an intended change: raise SCHEMA_MINOR (or SCHEMA_VERSION, if earlier readers would fail),
    write the text of the new version to a new file, and add golden logs.
    """
    frozen = GOLDEN / f"types-{SCHEMA_VERSION}.{SCHEMA_MINOR}.txt"
    assert "".join(f"{line}\n" for line in describe_types()) == frozen.read_text()


def describe_types():
    """One line for each dataset of texts, and for each column of another dataset."""
    for name in ("headers", "algorithms", "messages", "references"):
        yield f"{name} text"
    for name, texts in TEXT_TABLES.items():
        dtype = text_rows(name, [1] * len(texts))
        for column in dtype.names:
            yield f"{name}.{column} {'text' if column in texts else dtype[column].str}"
    for name, dtype in {"runs": RUNS, **TABLES}.items():
        for column in dtype.names:
            codes = CODES[column] if name == "runs" and column in CODES else ()
            yield " ".join([f"{name}.{column}", dtype[column].str, *codes])
    for name in TABLES:
        yield f"{name}{OFFSETS} {OFFSET.str}"


@pytest.mark.parametrize("name", READABLE)
def test_a_golden_log_reads_as_h5py_shows_it(name):
    """Every run, and all rows of every table that this version knows."""
    log = read_log(GOLDEN / name)
    assert log.notes == ()
    with h5py.File(GOLDEN / name) as file:
        runs = file["runs"][:]
        assert log.runs.key.tolist() == [key.decode() for key in runs["key"]]
        for column in set(RUNS.names) - {"key", "header", "algorithm", "function_row", "message",
                                         "reference", *CODES}:  # fmt: skip
            np.testing.assert_array_equal(log.runs[column], runs[column])
        for column, names in CODES.items():
            assert log.runs[column].tolist() == [names[code] for code in runs[column]]
        for table, dtype in TABLES.items():
            entries = log._table.ragged[table].load()
            if table not in file:
                assert not len(entries.rows)
                continue
            assert entries.offsets.tolist() == file[table + OFFSETS][:].tolist()
            for column in dtype.names:
                np.testing.assert_array_equal(entries.rows[column], file[table][:][column])


@pytest.mark.parametrize("name", REFUSED)
def test_logs_from_before_the_freeze_are_refused_in_one_sentence(name):
    with pytest.raises(
        LogFormatError, match=r"before log format 2\.0 was frozen at .*f7b2b1f4"
    ) as caught:
        read_log(GOLDEN / name)
    assert "damaged" not in str(caught.value)
    assert "\n" not in str(caught.value)


def walk(sigma, steps):
    """The algorithm "walk" of the golden logs of format 2.0."""

    def walk(problem, rng):
        x = problem.initial_solution
        best = problem(x)
        for step in range(1, steps + 1):
            candidate = x + sigma * rng.standard_normal(len(x))
            value = problem(candidate)
            if step % 50 == 0:
                problem.recommend(x)
                problem.note(sigma=0.1 / step)
            if np.all(value < best):
                x, best = candidate, value

    return walk


def bad(problem):
    """The algorithm "bad" of the golden logs of format 2.0."""
    problem(np.zeros(problem.dimension))
    raise ValueError("boom")


OLD = {"rs": "random-search", "walk": walk(0.3, 120)}
CAMPAIGNS = {
    "f7b2b1f4-bbob.h5": (OLD, "bbob", dict(functions=[1, 8], dimensions=[2, 5], instances="1-3")),
    "3280f39-biobj.h5": (OLD, "bbob-biobj", dict(functions=1, dimensions=2, instances="1-2")),
    "35994825-clock.h5": (
        OLD, "bbob", dict(functions=[1, 8], dimensions=2, instances="1-3", clock="measured"),
    ),
    "35994825-pbo.h5": (OLD, "pbo", dict(functions=1, dimensions=16, instances="1-2")),
    "94f17845-bbob.h5": (
        {"rs": "random-search", "walk": walk(0.1, 200), "bad": bad}, "bbob",
        dict(
            functions=[1, 8], dimensions=[2, 5], instances="1-3", budget="100*D", clock="measured",
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CAMPAIGNS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_old_runs_equal_those_made_today(name):
    """All but times and texts of headers and errors."""
    algorithms, suite, options = CAMPAIGNS[name]
    old = read_log(GOLDEN / name)._table
    new = firsthit.benchmark(algorithms, suite, **{"budget": 300, "seed": 1, **options}).log._table
    assert (old.algorithms, old.suites, old.functions, old.references) == (
        new.algorithms, new.suites, new.functions, new.references,
    )  # fmt: skip
    for column in RUNS.names:
        if "seconds" not in column:
            assert old.runs[column].tobytes() == new.runs[column].tobytes(), column
    for table in TABLES:
        if table not in TIMES:
            before, now = old.ragged[table].load(), new.ragged[table].load()
            assert before.offsets.tolist() == now.offsets.tolist(), table
            assert before.rows.tobytes() == now.rows.tobytes(), table


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


def test_the_clock_of_a_log_with_an_additional_column_is_read():
    """The dataset ``origin`` had a second column at commit 35994825."""
    log = read_log(GOLDEN / "35994825-clock.h5")
    assert set(log.hosts(np.arange(len(log)))) != {""}
    assert np.isfinite(log.seconds(np.arange(len(log)))).all()
