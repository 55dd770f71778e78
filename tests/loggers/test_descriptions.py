"""A log describes itself: texts on all datasets and columns, names of codes, versions.

Private names: the texts in a file are compared with the schema that declares them.
"""

import json

import h5py
import numpy as np
import pytest

from firsthit.loggers import read_log
from firsthit.loggers.hdf5.descriptions import CODES, DATASETS, DESCRIPTION
from firsthit.loggers.hdf5.merge import merge_logs
from firsthit.loggers.hdf5.schema import OFFSETS, RUNS, TEXT_TABLES, text_rows
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import TABLES
from firsthit.loggers.records.writer_version import writer_version

from .forging import edited, put
from .golden.make_v2 import HEADER, RECORDS

TYPES = {
    "runs": RUNS,
    **TABLES,
    **{name: text_rows(name, [1] * len(texts)) for name, texts in TEXT_TABLES.items()},
}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """A log with nearly every table."""
    path = tmp_path_factory.mktemp("log") / "a.h5"
    with LogWriter(path, HEADER) as writer:
        writer.add_many(RECORDS)
    return path


@pytest.mark.parametrize("name", TYPES)
def test_every_column_has_a_text_and_a_unit(name):
    columns = DATASETS[name].columns
    assert tuple(columns) == TYPES[name].names
    for text in columns.values():
        assert text.meaning
        assert text.unit
        assert str(text).isascii()
    assert DATASETS[name].description.endswith(".")
    assert DATASETS[name].description.isascii()


def test_every_dataset_of_a_file_is_described(log):
    with h5py.File(log) as file:
        assert file.attrs["description"].decode() == DESCRIPTION
        for name, dataset in file.items():
            assert dataset.attrs["description"].decode().endswith(".")
            if name.endswith(OFFSETS):
                table = name.removesuffix(OFFSETS)
                assert dataset.attrs["rows_of"].decode().startswith(f"{table}; ")
                assert table in file
                continue
            columns = {
                key.removeprefix("column_"): value.decode()
                for key, value in dataset.attrs.items()
                if key.startswith("column_")
            }
            assert set(columns) == set(dataset.dtype.names or ())
            for column, text in columns.items():
                assert text == str(DATASETS[name].columns[column])
                assert "; unit: " in text


def test_codes_are_enum_types(log):
    with h5py.File(log) as file:
        runs = file["runs"]
        for column, names in CODES.items():
            enum = h5py.check_enum_dtype(runs.dtype[column])
            assert enum == {name: code for code, name in enumerate(names)}
        names = {code: name for name, code in h5py.check_enum_dtype(runs.dtype["status"]).items()}
        statuses = [names[code] for code in runs["status"]]
    assert statuses == read_log(log).runs.status.tolist()


def test_attributes_are_numbers_and_texts_of_fixed_length(log):
    with h5py.File(log) as file:
        for item in (file, *file.values()):
            for name in item.attrs:
                assert item.attrs.get_id(name).dtype.kind in "uS", name
                assert item.attrs.get_id(name).shape == ()


def test_the_root_names_versions_and_date(log):
    with h5py.File(log) as file:
        attributes = {name: file.attrs[name] for name in file.attrs}
    assert (attributes["schema_version"], attributes["schema_minor"]) == (2, 2)
    assert attributes["writer_version"].decode() == writer_version()
    assert attributes["writer"].decode() == f"firsthit {writer_version().partition('+')[0]}"
    created = read_log(log).headers[0]["provenance"]["created_utc"]
    assert attributes["created_utc"].decode() == created
    assert attributes["title"]
    assert attributes["hdf5_tools"]


def test_a_date_of_a_stranger_that_is_none_is_left_out(log, tmp_path):
    path = tmp_path / "a.h5"
    path.write_bytes(log.read_bytes())
    with edited(path) as file:
        header = json.loads(file["headers"].asstr()[0])
        header["provenance"]["created_utc"] = "größer"
        put(file, "headers", data=np.array([json.dumps(header).encode()]))
    with h5py.File(read_log(path).save(tmp_path / "b.h5")) as file:
        assert "created_utc" not in file.attrs


def test_merging_the_same_runs_again_gives_the_same_bytes(log, tmp_path):
    """So no attribute depends on the time of the merge."""
    with LogWriter(tmp_path / "b.h5", HEADER) as writer:
        writer.add(RECORDS[0])
    contents = [
        merge_logs([log, tmp_path / "b.h5"], tmp_path / name).read_bytes()
        for name in ("c.h5", "d.h5")
    ]
    assert contents[0] == contents[1]
