"""What stands in a file, read with plain h5py, and what the reader refuses to believe."""

import json
import os
import shutil
from contextlib import contextmanager

import h5py
import numpy as np
import pytest

from firsthit.loggers import LogFormatError, LogHeader, LogWriter, read_log
from firsthit.loggers.hdf5.image import encode, with_head
from firsthit.loggers.hdf5.reader import read_table
from firsthit.loggers.hdf5.table import tabulate
from firsthit.loggers.records.run_record import STATUSES

from .conftest import random_run


@contextmanager
def edited(path):
    """The open file, to be changed by somebody who knows how to make its checksum fit."""
    with h5py.File(path, "a") as file:
        yield file
    path.write_bytes(with_head(path.read_bytes()))


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
        assert file.attrs["schema_version"] == 1
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
            assert file["functions/name"].asstr()[run["function_row"]] == "sphere"
            for table, column in (
                ("hits", "target"),
                ("hits", "evaluation"),
                ("hits", "precision"),
                ("trajectory", "evaluation"),
                ("trajectory", "precision"),
            ):
                start, stop = file[f"{table}/offset"][i : i + 2]
                np.testing.assert_array_equal(
                    file[f"{table}/{column}"][start:stop],
                    getattr(getattr(record, table), column),
                )
            start, stop = file["best_solution/offset"][i : i + 2]
            np.testing.assert_array_equal(file["best_solution/x"][start:stop], record.best_solution)
        header = json.loads(file["headers"].asstr()[0])
    assert header["algorithms"] == {"random": {"parameters": {"sigma": 0.5}}}
    assert {"versions", "platform", "git_commit", "created_utc"} <= set(header["provenance"])


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
    assert {"runs", "hits/target", "trajectory/precision", "headers"} <= set(found)


def test_an_empty_table_can_be_written_and_read(tmp_path):
    (tmp_path / "a.h5").write_bytes(b"".join(encode(tabulate([], LogHeader().to_json()))))
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
    with h5py.File(path, "w") as file:
        file["runs"] = np.arange(3)
    refusal(path, "no log of firsthit")
    for content in ("firsthit log", np.bytes_("another")):
        with h5py.File(path, "w", userblock_size=512) as file:
            file.attrs["format"] = content
        path.write_bytes(with_head(path.read_bytes()))
        refusal(path, "it is an HDF5 file, but no log")


@pytest.mark.parametrize("version", [0, 2, 99, "1", 1.0])
def test_an_unknown_version_is_refused(log, version):
    with edited(log) as file:
        file.attrs["schema_version"] = version
    refusal(log, "schema version is")


def replace(file, name, **arguments):
    del file[name]
    return file.create_dataset(name, **arguments)


def as_link(link):
    def change(file, name):
        file.copy(name, "elsewhere")
        del file[name]
        file[name] = link

    return change


def as_virtual(file, name):
    layout = h5py.VirtualLayout(shape=file[name].shape, dtype=file[name].dtype)
    layout[:] = h5py.VirtualSource("other.h5", "x", shape=file[name].shape)
    del file[name]
    file.create_virtual_dataset(name, layout)


def as_external(file, name):
    arguments = {"shape": file[name].shape, "dtype": file[name].dtype}
    replace(file, name, **arguments, external=[("/etc/hostname", 0, h5py.h5f.UNLIMITED)])


def as_bomb(file, name):
    replace(file, name, shape=(10**12,), dtype=file[name].dtype, chunks=(65536,), compression=1)


def with_other_values(change):
    def edit(file, name):
        values = change(file[name][:])
        del file[name]
        file[name] = values

    return edit


HOSTILE = {
    "missing": ("hits/target", lambda file, name: file.pop(name), "hits/target is missing"),
    "missing group": ("hits", lambda file, name: file.pop(name), "hits/offset is missing"),
    "soft link": ("hits/target", as_link(h5py.SoftLink("/elsewhere")), "link to elsewhere"),
    "loop": ("hits", as_link(h5py.SoftLink("/hits")), "is missing|link to elsewhere|damaged"),
    "external link": (
        "hits/target",
        as_link(h5py.ExternalLink("a.h5", "/elsewhere")),
        "link to elsewhere",
    ),
    "external storage": ("hits/target", as_external, "outside of this file"),
    "virtual": ("hits/target", as_virtual, "outside of this file"),
    "bomb": ("hits/precision", as_bomb, "far more data"),
    "group for dataset": (
        "hits/target",
        lambda file, name: (file.pop(name), file.create_group(name)),
        "is no dataset",
    ),
    "other type": ("hits/target", with_other_values(lambda v: v.astype("<i4")), "has type int32"),
    "big endian": ("hits/target", with_other_values(lambda v: v.astype(">i2")), "has type"),
    "other rank": ("hits/target", with_other_values(lambda v: v[:, None]), "has type"),
    "objects": (
        "algorithms",
        lambda file, name: replace(file, name, data=["a"], dtype=h5py.string_dtype()),
        "has type object",
    ),
    "long text": (
        "algorithms",
        lambda file, name: replace(file, name, data=np.array([b"a" * 999])),
        "has type",
    ),
    "text that is none": (
        "algorithms",
        lambda file, name: replace(file, name, data=np.array([b"\xff\xfe"])),
        "damaged",
    ),
    "other filter": (
        "hits/target",
        lambda file, name: replace(file, name, data=file[name][:], compression="lzf", chunks=True),
        "filters",
    ),
    "header": ("headers", lambda file, name: replace(file, name, data=np.array([b"[]"])), "JSON"),
    "broken header": (
        "headers",
        lambda file, name: replace(file, name, data=np.array([b"{"])),
        "damaged",
    ),
    "deep header": (
        "headers",
        lambda file, name: replace(file, name, data=np.array([b"[" * 100_000])),
        "damaged",
    ),
    "descending offset": (
        "hits/offset",
        with_other_values(lambda v: np.concatenate([v[:1], v[1:-1][::-1], v[-1:]])),
        "hits/offset descends",
    ),
    "offset too long": ("hits/offset", with_other_values(lambda v: v[[0, *range(len(v))]]), "fit"),
    "offset beyond": ("hits/offset", with_other_values(lambda v: v * 2), "wrong lengths"),
    "evaluation beyond": (
        "hits/evaluation",
        with_other_values(lambda v: v + 10**6),
        "hits/evaluation is out of range",
    ),
    "evaluation falls": (
        "trajectory/evaluation",
        with_other_values(lambda v: np.ones_like(v)),
        "does not ascend",
    ),
    "target rises": ("hits/target", with_other_values(lambda v: -v), "hits/target ascends"),
    "precision": ("hits/precision", with_other_values(lambda v: v / 2), "checksum of run 0"),
    "solution": ("best_solution/x", with_other_values(lambda v: v / 2), "checksum of run 0"),
    "name": (
        "algorithms",
        lambda file, name: replace(file, name, data=np.array([b"best"])),
        "checksum of run 0",
    ),
}
for field, value, reason in (
    ("status", 77, "runs.status points beyond"),
    ("algorithm", 77, "runs.algorithm points beyond"),
    ("dimension", 0, "runs.dimension is 0"),
    ("dimension", 7, "does not fit the dimension"),
    ("evaluations", -1, "runs.evaluations is negative"),
    ("evaluations", 10**9, "checksum of run 0"),
    ("budget", -5, "runs.budget is negative"),
    ("seed", 12345, "checksum of run 0"),
    ("crc32", 1, "checksum of run 0"),
):

    def change(runs, field=field, value=value):
        runs[field][0] = value
        return runs

    HOSTILE[f"runs.{field}={value}"] = ("runs", with_other_values(change), reason)


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_with_its_reason(log, case):
    name, change, reason = HOSTILE[case]
    with edited(log) as file:
        change(file, name)
    refusal(log, reason)


def test_additions_of_later_minor_versions_are_ignored(log):
    with edited(log) as file:
        file["later"] = np.arange(3)
        file["hits/later"] = h5py.ExternalLink("nowhere.h5", "x")
    assert len(read_log(log)) == 4


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


def test_a_file_that_may_not_be_read_says_so(log, monkeypatch):
    def denied(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(LogFormatError, match="permission denied"):
        read_table(log)


def test_reading_changes_nothing_and_needs_no_write_permission(log):
    before = log.read_bytes()
    os.chmod(log, 0o444)
    read_log(log)
    assert log.read_bytes() == before
    assert os.listdir(log.parent) == ["a.h5"]


def test_a_damaged_file_costs_no_other(log, tmp_path):
    shutil.copy(log, tmp_path / "b.h5")
    log.write_bytes(log.read_bytes()[:1000])
    with pytest.raises(LogFormatError, match=r"a\.h5"):
        read_log(tmp_path)
    assert len(read_log(tmp_path / "b.h5")) == 4
