"""What stands in a file, read with plain h5py, and what the reader refuses to believe.

Private names: the byte format of the file is forged.
"""

import contextlib
import errno
import json
import os
import sys

import h5py
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.loggers.errors import LogFormatError, LogReadError
from firsthit.loggers.hdf5.encode import encode
from firsthit.loggers.hdf5.reader import read_table
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import STATUSES

from .conftest import random_run, tabulate
from .forging import edited, with_head


def records():
    return [random_run(repetition=r, evaluations=50 + 30 * r) for r in range(4)]


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "a.h5"
    with LogWriter(path, LogHeader({"random": {"parameters": {"sigma": 0.5}}})) as writer:
        for record in records():
            writer.add(record)
    return path


def test_plain_h5py_reads_back_what_was_recorded(log):
    with h5py.File(log) as file:
        assert file.attrs["format"] == b"firsthit log"
        assert file.attrs["schema_version"] == 2
        runs = file["runs"][:]
        for i, record in enumerate(records()):
            run = runs[i]
            assert run["key"].decode() == record.key
            assert run["evaluations"] == record.evaluations
            assert run["budget"] == record.budget
            assert run["seed"] == record.seed
            assert STATUSES[run["status"]] == record.status
            assert run["best_precision"] == record.best_precision
            assert file["algorithms"].asstr()[run["algorithm"]] == "random"
            function = file["functions"][run["function_row"]]
            assert (function["suite"], function["name"], function["function"]) == (
                b"user", b"sphere", 1,
            )  # fmt: skip
            for table, column in (
                ("hits", "target"),
                ("hits", "evaluation"),
                ("hits", "precision"),
                ("trajectory", "evaluation"),
                ("trajectory", "precision"),
            ):
                start, stop = file[f"{table}_offsets"][i : i + 2]
                np.testing.assert_array_equal(
                    file[table][start:stop][column], getattr(record, table)[column]
                )
            start, stop = file["best_solutions_offsets"][i : i + 2]
            np.testing.assert_array_equal(
                file["best_solutions"][start:stop]["x"], record.best_solution
            )
        suite = file["suites"][0]
        assert (suite["name"], suite["version"]) == (b"user", b"1")
        assert (suite["indicator"], suite["final_target"]) == (b"best-feasible", 1e-8)
        assert json.loads(suite["targets"])[0] == 100.0
        assert "restarts" not in file
        header = json.loads(file["headers"].asstr()[0])
    assert header["algorithms"] == {"random": {"parameters": {"sigma": 0.5}}}
    provenance = header["provenance"]
    assert {"versions", "platform", "working_directory_commit", "created_utc"} <= set(provenance)
    assert provenance["writer_version"].startswith(f"{firsthit.__version__}+")


def test_every_column_is_plain_compressed_and_checksummed(log):
    found = []

    def check(name, item):
        if isinstance(item, h5py.Dataset) and item.size:
            found.append(name)
            assert item.dtype.kind in "iufSV"
            assert (item.compression, item.compression_opts) == ("gzip", 1)
            assert item.shuffle
            assert item.fletcher32

    with h5py.File(log) as file:
        file.visititems(check)
    assert {"runs", "hits", "hits_offsets", "trajectory", "headers"} <= set(found)


def test_all_text_says_that_it_is_utf_8(log):
    with h5py.File(log) as file:
        assert h5py.check_string_dtype(file["algorithms"].dtype).encoding == "utf-8"
        for name, field in (("suites", "indicator"), ("functions", "name"), ("runs", "key")):
            assert h5py.check_string_dtype(file[name].dtype[field]).encoding == "utf-8"


def test_an_empty_table_can_be_written_and_read(tmp_path):
    (tmp_path / "a.h5").write_bytes(b"".join(encode(tabulate([]))))
    assert len(read_log(tmp_path / "a.h5")) == 0


def refusal(path, match):
    with pytest.raises(LogFormatError, match=match) as caught:
        read_log(path)
    assert path.name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "a.h5"
    for content in (b"", b"PK\x03\x04 zip", b"\x89HDF\r\n\x1a\n", b"firsthit log\n", b"x" * 999):
        path.write_bytes(content)
        refusal(path, "it is no log of firsthit")
    path.write_bytes(with_head(bytes(2000)))
    refusal(path, "it is damaged")
    path.write_bytes(with_head(bytes(2000)) + b"more")
    refusal(path, "it is damaged, or changed by another program")
    with h5py.File(path, "w") as file:
        file["runs"] = np.arange(3)
    refusal(path, "no log of firsthit")
    for content in ("firsthit log", np.bytes_("another")):
        with h5py.File(path, "w", userblock_size=512) as file:
            file.attrs["format"] = content
        path.write_bytes(with_head(path.read_bytes()))
        refusal(path, "name no version of the log format")


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        (1, "before log format 2.0 was frozen"),
        (3, "its log format 3.2 is newer than 2.2"),
        (99, "its log format 99.2 is newer than 2.2"),
        ("2", "name no version"),
        (2.0, "name no version"),
    ],
)
def test_an_unknown_version_is_refused(log, version, reason):
    with edited(log) as file:
        file.attrs["schema_version"] = version
    refusal(log, reason)


def test_damage_is_never_silent(log, tmp_path):
    """Flipped, zeroed and cut bytes are refused before HDF5 sees them."""
    whole = log.read_bytes()
    rng = np.random.default_rng(7)
    path = tmp_path / "damaged.h5"
    for trial in range(300):
        content = bytearray(whole)
        at = int(rng.integers(100 if trial % 10 == 0 else len(content)))
        if trial % 3 == 0:
            content[at] ^= 1 << int(rng.integers(8))
        elif trial % 3 == 1:
            content[at : at + 64] = bytes(min(64, len(content) - at))
        else:
            del content[at:]
        if bytes(content[:86]) == whole[:86] and content[512:] == whole[512:]:
            continue
        path.write_bytes(content)
        with pytest.raises(LogFormatError, match=r"damaged\.h5"):
            read_table(path)
    path.write_bytes(whole)
    assert len(read_table(path)) == 4


@pytest.mark.parametrize("code", [errno.EACCES, errno.EMFILE, errno.EIO, errno.ENOMEM])
@pytest.mark.parametrize("where", ["builtins.open", "h5py.File"])
def test_what_the_system_refuses_is_not_called_damage(log, monkeypatch, code, where):
    def refused(*arguments, **options):
        raise OSError(code, "whatever")

    monkeypatch.setattr(where, refused)
    with pytest.raises(LogReadError, match=f"a.h5' now: {os.strerror(code)}$"):
        read_table(log)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on open files")
def test_too_many_open_files_are_told_as_such(log):
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
        with contextlib.suppress(OSError):
            taken.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(256))
        with pytest.raises(LogReadError, match="Too many open files"):
            read_log(log)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for handle in taken:
            os.close(handle)
    assert len(read_log(log)) == 4


def test_reading_changes_nothing_and_needs_no_write_permission(log):
    before = log.read_bytes()
    os.chmod(log, 0o444)
    read_log(log)
    assert log.read_bytes() == before
    assert os.listdir(log.parent) == ["a.h5"]
