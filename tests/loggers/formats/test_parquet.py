"""Logs as Parquet files: nothing is lost, questions have the same answers, DuckDB reads them.

Private names: the number of rows of a piece is lowered, and tables are compared with the declared
types.
"""

import csv
import hashlib
import io
import json
import shutil
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import firsthit
from firsthit.loggers import read_log, write_parquet
from firsthit.loggers.errors import LogExistsError, LogFormatError
from firsthit.loggers.formats import parquet
from firsthit.loggers.hdf5 import ragged
from firsthit.loggers.records.dtypes import TABLES
from firsthit.loggers.records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES
from firsthit.loggers.records.writer_version import writer_version

from ...command_line import succeed
from ..problems import equal

SAMPLE_FOLDER = Path(__file__).parents[1] / "golden"
GOLDEN = SAMPLE_FOLDER / "schema_v2.h5"
EVERY_TABLE = SAMPLE_FOLDER / "parquet_v1" / "log.h5"
"""A log with rows in every table, and with every kind of text."""


def run(*arguments):
    return succeed(*arguments).stdout


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


def search_randomly(problem, rng):
    for _ in range(60):
        x = rng.uniform(-5, 5, problem.dimension)
        if problem.number_of_constraints:
            problem.constraint(x)
        problem(x)


@pytest.fixture
def log(tmp_path):
    """Random search on three suites: constraints, and two objectives with archives, too."""

    for suite in ("bbob", "bbob-constrained", "bbob-biobj"):
        firsthit.benchmark(
            {"A": search_randomly, "B": search_randomly}, suite, functions="1,2",
            dimensions=[2, 3], instances="1-3", budget=50, output=tmp_path / f"{suite}.h5",
        )  # fmt: skip
    return tmp_path


def test_nothing_is_lost(tmp_path):
    log = read_log(GOLDEN)
    run("export", GOLDEN, "--format", "parquet", "-o", tmp_path / "parquet")
    again = read_log(tmp_path / "parquet")
    assert equal(again, log)
    assert again.headers == log.headers
    with pytest.raises(LogExistsError, match="exists; overwrite=True replaces it"):
        write_parquet(log, tmp_path / "parquet")


@pytest.mark.slow
def test_questions_on_three_suites_have_equal_answers(log):
    logs = [log / f"{suite}.h5" for suite in ("bbob", "bbob-constrained", "bbob-biobj")]
    run("export", *logs, "--format", "parquet", "-o", log / "parquet")
    for question in ("art", "ecdf", "fixed-budget"):
        ours = run("assess", question, *logs, "--format", "csv")
        assert run("assess", question, log / "parquet", "--format", "csv") == ours != ""


@pytest.fixture(scope="module")
def folder_of_three_suites(tmp_path_factory):
    """A folder with the Parquet folder of runs with two budget stages on three suites."""
    folder = tmp_path_factory.mktemp("queries")
    for suite in ("bbob", "bbob-constrained", "bbob-biobj"):
        firsthit.benchmark(
            {"A": search_randomly, "B": search_randomly}, suite, functions="1,2",
            dimensions=[2, 3], instances="1-3", budget=[20, 50], output=folder / f"{suite}.h5",
        )  # fmt: skip
    write_parquet(read_log(folder), folder / "parquet")
    return folder


CELL = ("algorithm", "suite", "function", "dimension")


def compute_with_duckdb(query):
    with duckdb.connect() as database:
        return database.execute(query).fetchall()


def compute_with_pandas(query):
    art = run_block(query).reset_index()
    return list(art.itertuples(index=False, name=None))


def compute_with_polars(query):
    return run_block(query).rows()


def run_block(block):
    """Run a block of Python and return its variable ``art``."""
    variables = {}
    exec(block, variables)
    return variables["art"]


QUERIES = {
    "DuckDB": compute_with_duckdb, "pandas": compute_with_pandas, "polars": compute_with_polars,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("program", QUERIES)
@pytest.mark.parametrize("target", ["0.1", "10.0"])
def test_the_queries_of_the_docs_compute_our_average_runtimes(
    program, target, folder_of_three_suites, monkeypatch
):
    """The runs have budget stages, constraints and two objectives; some hit no target."""
    monkeypatch.chdir(folder_of_three_suites)
    page = (Path(__file__).parents[3] / "docs" / "data.md").read_text(encoding="utf-8")
    section = page.partition("### Average runtimes with DuckDB")[2]
    query = section.partition(f"{program}:\n")[2].partition("```")[2].partition("```")[0]
    query = query.partition("\n")[2].replace("0.1", target)
    assert len(query.strip().rpartition("\n\n")[2].splitlines()) == 5
    table = run("assess", "art", "parquet", "--targets", target, "--format", "csv")
    expected = {
        tuple(row[name] for name in CELL): float(row["art"])
        for row in csv.DictReader(io.StringIO(table))
    }
    results = {tuple(map(str, row[:4])): row[4] for row in QUERIES[program](query)}
    assert results == expected
    assert len({cell[1] for cell in expected}) == 3
    assert np.inf in expected.values()


def test_files_are_zstd_and_parted_as_they_say(tmp_path):
    write_parquet(read_log(GOLDEN), tmp_path / "parquet")
    files = list((tmp_path / "parquet").rglob("*.parquet"))
    for path in files:
        column = pq.ParquetFile(path).metadata.row_group(0).column(0)
        assert column.compression == "ZSTD"
        keys = [part.split("=")[0] for part in path.relative_to(tmp_path / "parquet").parts[1:-1]]
        assert keys == ["suite", "dimension", "function"]
    assert files


def test_texts_stand_beside_their_numbers(tmp_path):
    """Read with pyarrow alone, and compared with the log."""
    log = read_log(EVERY_TABLE)
    write_parquet(log, tmp_path / "parquet")
    runs = pq.read_table(tmp_path / "parquet" / "runs").sort_by("run").to_pydict()
    for name in ("algorithm", "function_name", "status", "record", "archive_kept"):
        assert runs[name] == log.runs[name].tolist()
    index = json.loads((tmp_path / "parquet" / "firsthit.json").read_text())
    assert runs["message"] == [index["messages"][row] for row in runs["message_row"]]
    assert runs["reference"] == [index["references"][row] for row in runs["reference_row"]]
    assert {"ValueError: naïve\nsecond line", "nothing left to try"} <= set(runs["message"])
    assert "a file of references" in runs["reference"]
    assert [STATUSES[code] for code in runs["status_row"]] == runs["status"]
    assert [RECORDS[code] for code in runs["record_row"]] == runs["record"]
    assert [ARCHIVES_KEPT[code] for code in runs["archive_kept_row"]] == runs["archive_kept"]
    assert len(set(runs["record"])) == 2
    assert len(set(runs["archive_kept"])) == 3


def test_rows_have_their_position_within_the_run(tmp_path):
    log = read_log(EVERY_TABLE)
    write_parquet(log, tmp_path / "parquet")
    hits = pq.read_table(tmp_path / "parquet" / "hits").sort_by("run").to_pydict()
    expected = [(run, row) for run in range(len(log)) for row in range(len(log.hits(run)))]
    assert [*zip(hits["run"], hits["position"], strict=True)] == expected
    for name in ("points", "hit-points"):
        points = read_log(SAMPLE_FOLDER / f"2.2-bbob-{name}.h5")
        write_parquet(points, tmp_path / name)
    for table in TABLES:
        (folder, *_) = [path for path in tmp_path.glob(f"*/{table}") if path.is_dir()]
        assert pq.read_table(folder).column_names[:2] == ["run", "position"], table


def test_the_index_lists_each_part_with_its_rows_and_its_checksum(tmp_path):
    write_parquet(read_log(EVERY_TABLE), tmp_path / "parquet")
    index = json.loads((tmp_path / "parquet" / "firsthit.json").read_text())
    assert index["parquet_version"] == 2
    assert index["writer_version"] == writer_version()
    files = {path.relative_to(tmp_path / "parquet").as_posix(): path.read_bytes()
             for path in (tmp_path / "parquet").rglob("*.parquet")}  # fmt: skip
    for part in index["parts"]:
        content = files.pop(part["path"])
        assert part["sha256"] == hashlib.sha256(content).hexdigest()
        assert part["rows"] == pq.read_metadata(io.BytesIO(content)).num_rows
    assert not files


SAMPLES = {
    "parquet_v1": "e2cb7b8b93851f851003eb2807cefc17d201bafebf7ae352de2c03b3198dc81f",
    "parquet_v2": "b16332cf848d99da3e75b7b811fc880200a6742fe4eea5bab3276f8c31193419",
}
"""Folder of each sample to the SHA-256 of its files. Samples and lines are only ever added.

`firsthit export` of `parquet_v1/log.h5` made the samples from version 2 on.
"""


@pytest.mark.parametrize("name", SAMPLES)
def test_every_version_is_read_for_ever(name):
    digest = hashlib.sha256()
    for path in sorted((SAMPLE_FOLDER / name).rglob("*.*")):
        digest.update(path.read_bytes())
    assert digest.hexdigest() == SAMPLES[name]
    again, log = read_log(SAMPLE_FOLDER / name / "parquet"), read_log(EVERY_TABLE)
    assert equal(again, log)
    assert again.headers == log.headers
    assert again.notes == log.notes


def test_a_change_of_columns_needs_a_new_version(tmp_path):
    """Columns may be added; those of the sample keep their names and types."""
    write_parquet(read_log(EVERY_TABLE), tmp_path / "new")
    sample = SAMPLE_FOLDER / f"parquet_v{parquet.PARQUET_VERSION}" / "parquet"
    for path in sorted(sample.rglob("part.parquet")):
        now = pq.read_schema(tmp_path / "new" / path.relative_to(sample))
        for field in pq.read_schema(path):
            assert now.field(field.name) == field, path


def changed_index(folder, **parts):
    """Replace parts of ``firsthit.json``."""
    path = folder / "firsthit.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **parts}))


def listed_parts(folder):
    """What ``firsthit.json`` must say of the parts that are in a folder."""
    return [
        {
            "path": path.relative_to(folder).as_posix(),
            "rows": pq.read_metadata(path).num_rows,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(folder.rglob("part.parquet"))
    ]


def test_a_newer_version_is_refused_in_one_sentence(tmp_path, cli):
    folder = tmp_path / "parquet"
    write_parquet(read_log(GOLDEN), folder)
    changed_index(folder, parquet_version=3, writer_version="9.1.0+gabcdef0", parts="unknown")
    sentence = (
        "its parquet_version is 3, written by firsthit 9.1.0+gabcdef0, and this firsthit reads "
        "versions up to 2: use a newer firsthit"
    )
    code, _, err = cli("assess", "art", folder)
    assert code == 2
    assert err == f"firsthit: cannot read the log {str(folder)!r}: {sentence}\n"


@pytest.mark.parametrize("version", [0, "2", True, None, 2.0])
def test_a_version_that_is_no_number_is_refused(tmp_path, version):
    write_parquet(read_log(GOLDEN), tmp_path / "parquet")
    changed_index(tmp_path / "parquet", parquet_version=version)
    with pytest.raises(LogFormatError, match=f"it is damaged: parquet_version is '{version}'"):
        read_log(tmp_path / "parquet")


def test_additional_columns_keys_and_tables_are_accepted(tmp_path):
    folder, log = tmp_path / "parquet", read_log(EVERY_TABLE)
    write_parquet(log, folder)
    for path in (*folder.glob("runs/**/part.parquet"), *folder.glob("hits/**/part.parquet")):
        table = pq.read_table(path, partitioning=None)
        pq.write_table(table.add_column(0, "new", [["x"] * len(table)]), path)
    place = "suite=bbob/dimension=2/function=8/part.parquet"
    (folder / "new_table" / place).parent.mkdir(parents=True)
    shutil.copy(folder / "notes" / place, folder / "new_table" / place)
    index = json.loads((folder / "firsthit.json").read_text())
    for row in (*index["suites"], *index["functions"], index["suites"][0]["measurement"]):
        row["new"] = 1
    changed_index(folder, **index | {"new": [], "parts": listed_parts(folder)})
    again = read_log(folder)
    assert equal(again, log)
    assert again.notes == (
        *log.notes, f"{folder}: written by a newer firsthit; tables that are not used: new_table.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        ("cut", r"part\.parquet': its SHA-256 is wrong: it is damaged, or changed by another prog"),
        ("changed", r"part\.parquet': its SHA-256 is wrong: it is damaged, or changed by another"),
        ("gone", r"parquet': its part 'runs/suite=.*/part\.parquet' is missing"),
        ("added", r"parquet': firsthit\.json does not list its part 'runs/suite=x/part\.parquet'"),
        ("index", r"parquet': firsthit\.json is of another format"),
    ],
)
def test_what_is_damaged_is_one_sentence(tmp_path, harm, reason):
    folder = tmp_path / "parquet"
    write_parquet(read_log(GOLDEN), folder)
    path = next((folder / "runs").rglob("*.parquet"))
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif harm == "changed":
        table = pq.read_table(path, partitioning=None)
        pq.write_table(table.set_column(0, "run", [table["run"]]), path, compression="gzip")
    elif harm == "gone":
        shutil.rmtree(path.parents[2])
    elif harm == "added":
        (folder / "runs" / "suite=x").mkdir()
        shutil.copy(path, folder / "runs" / "suite=x")
    else:
        (folder / "firsthit.json").write_text(json.dumps({"format": "other"}))
    with pytest.raises(LogFormatError, match=f"^cannot read the log '.*{reason}"):
        read_log(folder)


@pytest.mark.parametrize(
    ("table", "column", "change", "reason"),
    [
        ("hits", "target", "float32", r"its column 'target' has type float; it must be double"),
        ("hits", "evaluation", "null", r"its column 'evaluation' contains 1 nulls"),
        ("runs", "evaluations", "null", r"its column 'evaluations' contains 1 nulls"),
    ],
)
def test_nulls_and_other_types_are_refused(tmp_path, table, column, change, reason):
    """Numpy would convert them to arbitrary values. The checksum is corrected."""
    folder = tmp_path / "parquet"
    write_parquet(read_log(GOLDEN), folder)
    path = next((folder / table).rglob("*.parquet"))
    content = pq.read_table(path, partitioning=None)
    values = content[column].to_pylist()
    if change == "null":
        new = pa.array([None, *values[1:]], content.schema.field(column).type)
    else:
        new = pa.array(values, pa.float32())
    position = content.schema.get_field_index(column)
    pq.write_table(content.set_column(position, column, new), path)
    index = json.loads((folder / "firsthit.json").read_text())
    for part in index["parts"]:
        if part["path"] == path.relative_to(folder).as_posix():
            part["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "firsthit.json").write_text(json.dumps(index))
    with pytest.raises(LogFormatError, match=rf"part\.parquet': {reason}"):
        read_log(folder).hits(0)
