"""Logs as Parquet files: nothing is lost, questions have the same answers, DuckDB reads them."""

import json
import re
import shutil
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import firsthit
from firsthit.cli import group
from firsthit.loggers import read_log, write_parquet
from firsthit.loggers.errors import LogExistsError, LogFormatError
from firsthit.loggers.formats import parquet
from firsthit.loggers.hdf5 import ragged

from ..conftest import equal

GOLDEN = Path(__file__).parents[1] / "golden" / "schema_v2.h5"


def run(*arguments):
    done = CliRunner().invoke(group, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_many_rows_are_read_when_they_are_asked_for(tmp_path, monkeypatch):
    log = read_log(GOLDEN)
    monkeypatch.setattr(parquet, "ROW_GROUP", 7)
    write_parquet(log, tmp_path / "parquet")
    monkeypatch.setattr(parquet, "WHOLE_BYTES", 0)
    monkeypatch.setattr(ragged, "_WINDOW_ROWS", 20)
    monkeypatch.setattr(ragged, "_GAP_ROWS", 3)
    again = read_log(tmp_path / "parquet")
    assert all(again.hits(run).tolist() == log.hits(run).tolist() for run in range(len(log)))
    assert equal(again, log)
    assert again.headers == log.headers
    rows = np.arange(len(log))[::-2]
    found, known = (of.first_hits(rows, [10.0, 1e-3]) for of in (again, log))
    np.testing.assert_array_equal(found.evaluations, known.evaluations)
    shutil.rmtree(tmp_path / "parquet" / "hits")
    with pytest.raises(LogFormatError, match=r"cannot read the log '.*parquet': it is damaged"):
        again.forget() or again.hits(0)


@pytest.fixture
def log(tmp_path):
    """Random search on three suites: constraints, and two objectives with archives, too."""

    def search(problem, rng):
        for _ in range(60):
            problem(rng.uniform(-5, 5, problem.dimension))

    for suite in ("bbob", "bbob-constrained", "bbob-biobj"):
        firsthit.benchmark(
            {"A": search, "B": search}, suite, functions="1,2", dimensions=[2, 3], instances="1-3",
            budget=50, output=tmp_path / f"{suite}.h5",
        )  # fmt: skip
    return tmp_path


def test_nothing_is_lost(tmp_path):
    log = read_log(GOLDEN)
    run("export", GOLDEN, "--format", "parquet", "-o", tmp_path / "parquet")
    again = read_log(tmp_path / "parquet")
    assert equal(again, log)
    assert again.headers == log.headers
    with pytest.raises(LogExistsError, match="is never overwritten"):
        write_parquet(log, tmp_path / "parquet")


@pytest.mark.slow
def test_questions_on_three_suites_have_equal_answers(log):
    logs = [log / f"{suite}.h5" for suite in ("bbob", "bbob-constrained", "bbob-biobj")]
    run("export", *logs, "--format", "parquet", "-o", log / "parquet")
    for question in ("art", "ecdf", "fixed-budget"):
        ours = run("assess", question, *logs, "--format", "csv")
        assert run("assess", question, log / "parquet", "--format", "csv") == ours != ""


@pytest.mark.slow
def test_duckdb_computes_our_average_runtimes(log):
    write_parquet(read_log([log / "bbob.h5", log / "bbob-biobj.h5"]), log / "parquet")
    docs = (Path(__file__).parents[3] / "docs" / "data.md").read_text(encoding="utf-8")
    query = docs.split("```sql\n")[1].split("```")[0].replace("1e-8", "10.0")
    with duckdb.connect() as database:
        rows = database.execute(query.replace("'parquet/", f"'{log}/parquet/")).fetchall()
    theirs = {tuple(row[:4]): row[4] for row in rows}
    hits, spent = {}, {}
    ours = read_log([log / "bbob.h5", log / "bbob-biobj.h5"])
    first, _ = ours.first_hits(range(len(ours)), [10.0])
    for row, hit in enumerate(first[:, 0]):
        key = tuple(
            ours.runs[name][row] for name in ("algorithm", "suite", "dimension", "function")
        )
        hits[key] = hits.get(key, 0) + (not np.isnan(hit))
        spent[key] = spent.get(key, 0) + (ours.runs["evaluations"][row] if np.isnan(hit) else hit)
    assert theirs == {key: spent[key] / n if n else None for key, n in hits.items()}
    assert any(theirs.values())


def test_files_are_zstd_and_parted_as_they_say(tmp_path):
    write_parquet(read_log(GOLDEN), tmp_path / "parquet")
    files = list((tmp_path / "parquet").rglob("*.parquet"))
    for path in files:
        column = pq.ParquetFile(path).metadata.row_group(0).column(0)
        assert column.compression == "ZSTD"
        keys = [part.split("=")[0] for part in path.relative_to(tmp_path / "parquet").parts[1:-1]]
        assert keys == ["suite", "dimension", "function"]
    assert files


@pytest.mark.parametrize("harm", ["cut", "gone", "index"])
def test_what_is_damaged_is_one_sentence(tmp_path, harm):
    write_parquet(read_log(GOLDEN), tmp_path / "parquet")
    path = next((tmp_path / "parquet" / "runs").rglob("*.parquet"))
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif harm == "gone":
        shutil.rmtree(path.parents[2])
    else:
        (tmp_path / "parquet" / "firsthit.json").write_text(json.dumps({"format": "other"}))
    harmed = path if harm == "cut" else tmp_path / "parquet"
    with pytest.raises(LogFormatError, match=rf"cannot read the log '{re.escape(str(harmed))}'"):
        read_log(tmp_path / "parquet")
