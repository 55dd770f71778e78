"""Logs of newer versions: a newer minor version is read with a note, a newer major one refused."""

import h5py
import numpy as np
import pytest

from firsthit.loggers import Observer, merge_logs, read_log, write_parquet
from firsthit.loggers.errors import LogFormatError

from .forging import edited, put
from .problems import equal, sphere


def make_log(path):
    """Write a log of four runs, and return its path."""
    rng = np.random.default_rng(1)
    with Observer(path, "random") as observer:
        for _ in range(4):
            for problem in observer([sphere()]):
                for evaluation in range(60):
                    problem(rng.standard_normal(3) * 0.98**evaluation)
    return path


@pytest.fixture
def log(tmp_path):
    return make_log(tmp_path / "a.h5")


def add_column(file, name, column, values, enums=None):
    """Append a column to a dataset, and give columns of codes other enum types."""
    rows = file[name][:]
    kinds = [(n, (enums or {}).get(n, rows.dtype[n])) for n in rows.dtype.names]
    wide = np.zeros(len(rows), np.dtype([*kinds, (column, np.asarray(values).dtype)]))
    for known in rows.dtype.names:
        wide[known] = rows[known]
    wide[column] = values
    attributes = dict(file[name].attrs)
    dataset = put(file, name, data=wide, chunks=(len(rows),), compression=1)
    dataset.attrs.update(attributes)
    return dataset


def make_version_2_9(path):
    """Add a dataset, columns, an attribute and codes, as a later minor version may."""
    with edited(path) as file:
        file.attrs["schema_minor"] = np.uint32(9)
        file.attrs["writer_version"] = np.bytes_("0.9.0+gabcdef0")
        file.attrs["moods"] = np.arange(3)
        file["weather"] = np.zeros(5, [("rain", "<f8")])
        old = h5py.check_enum_dtype(file["runs"].dtype["status"])
        paused = h5py.enum_dtype({**old, "paused": 6}, "u1")
        add_column(file, "runs", "effort", np.arange(4.0), {"status": paused})
        rows = file["runs"][:]
        rows["status"][1], rows["record"][2], rows["archive_kept"][3] = 6, 5, 3
        file["runs"][:] = rows
        add_column(file, "hits", "mood", np.arange(len(file["hits"])))
        add_column(file, "suites", "author", np.array([b"somebody"]))


def test_a_newer_minor_version_is_read_with_a_note(log):
    before = read_log(log)
    make_version_2_9(log)
    after = read_log(log)
    first, *others = after.notes
    assert "written by a newer firsthit (log format 2.9)" in first
    assert "1 dataset (weather) and 3 columns (suites.author, runs.effort, hits.mood)" in first
    assert [note.partition("runs in ")[0] for note in others] == ["1 ", "1 ", "1 "]
    assert "status that this firsthit does not know (paused); it is read as 'unknown'" in others[0]
    assert "record that this firsthit does not know (5); it is read as 'sampled'" in others[1]
    assert "archive_kept that this firsthit does not know (3); it is read as 'none'" in others[2]
    assert after.runs.status.tolist() == [before.runs.status[0], "unknown", *before.runs.status[2:]]
    assert after.runs.codes("status")[0] == tuple(sorted({*before.runs.status.tolist(), "unknown"}))
    assert after.runs.record[2] == "sampled"
    for run in range(4):
        assert after.hits(run).tobytes() == before.hits(run).tobytes()
    targets = [1e2, 1.0, 1e-2]
    rows = [0, 1, 3]
    np.testing.assert_array_equal(
        after.first_hits(rows, targets).evaluations, before.first_hits(rows, targets).evaluations
    )


def test_runs_of_a_newer_minor_version_are_not_written_again(log, tmp_path):
    """Its additional content would be lost."""
    make_version_2_9(log)
    content = log.read_bytes()
    reason = r"a log of format 2\.9, and this firsthit, which knows format 2\.2, would lose"
    with pytest.raises(LogFormatError, match=reason):
        merge_logs(log, tmp_path / "merged.h5")
    with pytest.raises(LogFormatError, match=reason):
        read_log(log).save(tmp_path / "saved.h5")
    with pytest.raises(LogFormatError, match=reason):
        Observer(log, "random", resume=True)
    with pytest.raises(LogFormatError, match=reason):
        write_parquet(read_log(log), tmp_path / "parquet")
    assert log.read_bytes() == content
    assert not (tmp_path / "merged.h5").exists()
    assert not (tmp_path / "saved.h5").exists()
    assert not (tmp_path / "parquet").exists()


def test_a_code_beyond_the_list_of_this_version_is_damage(log):
    with edited(log) as file:
        rows = file["runs"][:]
        rows["status"][1] = 6
        file["runs"][:] = rows
    with pytest.raises(LogFormatError, match=r"runs\.status points beyond"):
        read_log(log)


def make_version_3_0(path):
    with edited(path) as file:
        file.attrs["schema_version"] = np.uint32(3)
        file.attrs["schema_minor"] = np.uint32(0)
        file.attrs["writer_version"] = np.bytes_("2.0.0+gabcdef0")
        file.attrs["format_url"] = np.bytes_("https://example.org/format")
        for name in list(file):
            del file[name]


def test_a_newer_major_version_is_refused_in_one_sentence(log):
    """Whatever its structure is, and not as damage."""
    make_version_3_0(log)
    with pytest.raises(LogFormatError) as caught:
        read_log(log)
    assert str(caught.value) == (
        f"cannot read the log {str(log)!r}: its log format 3.0 is newer than 2.2, which this "
        "firsthit reads; use the firsthit that wrote it (2.0.0+gabcdef0), or a later one; see "
        "https://example.org/format"
    )


def test_damage_comes_before_the_version(log):
    make_version_3_0(log)
    content = log.read_bytes()
    log.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(LogFormatError, match="it is damaged, or changed by another program"):
        read_log(log)


@pytest.mark.parametrize("name", ["writer_version", "format_url"])
@pytest.mark.parametrize("value", [b"\x1b[31mred\n\xff", np.zeros(3), 7, "text of any length"])
def test_attributes_of_a_newer_major_version_are_not_trusted(log, name, value):
    make_version_3_0(log)
    with edited(log) as file:
        del file.attrs[name]
        file.attrs[name] = np.bytes_(value) if isinstance(value, bytes) else value
    with pytest.raises(LogFormatError, match=r"its log format 3\.0 is newer") as caught:
        read_log(log)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("value", [[1, 2], "1", 1.5])
def test_a_minor_version_that_is_no_number_is_refused(log, value):
    with edited(log) as file:
        file.attrs["schema_minor"] = value
    with pytest.raises(LogFormatError, match="its attributes name no version of the log format"):
        read_log(log)


@pytest.mark.parametrize(
    "kind", [h5py.string_dtype(), h5py.ref_dtype, np.dtype(("<f8", (3,))), np.dtype([("a", "<f8")])]
)
def test_additional_columns_are_numbers_or_texts_of_fixed_length(log, kind):
    with edited(log) as file:
        file.attrs["schema_minor"] = np.uint32(9)
        old = file["hits"].dtype
        wide = np.dtype([*((name, old[name]) for name in old.names), ("more", kind)])
        put(file, "hits", shape=file["hits"].shape, dtype=wide)
    with pytest.raises(LogFormatError, match="hits has type"):
        read_log(log)


def test_larger_chunks_than_those_written_are_read(log):
    """A later version may write chunks of up to 2**17 rows."""
    before = read_log(log)
    with edited(log) as file:
        rows = file["hits"][:]
        put(file, "hits", data=rows, maxshape=(None,), chunks=(2**17,), compression=1)
    assert equal(read_log(log), before)


def test_a_log_without_a_minor_version_is_of_2_0(log):
    with edited(log) as file:
        del file.attrs["schema_minor"]
    assert len(read_log(log)) == 4
