"""Journals of every version are read; damage ends reading; later versions are refused.

Private names: the byte format of journals is written and damaged.
"""

import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from firsthit.loggers import merge_logs, read_log
from firsthit.loggers.errors import LogFormatError
from firsthit.loggers.hdf5 import journal_writer
from firsthit.loggers.hdf5.follower import LogFollower
from firsthit.loggers.hdf5.journal import JournalReader, complete_records, encode_record
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import TABLES
from firsthit.loggers.records.log_header import LogHeader

from .conftest import random_run
from .problems import equal

HEADER = LogHeader({"random": {}})
GOLDEN = Path(__file__).parent / "golden"
KILLED = "killed-94f17845.h5"
N_KILLED = 147  # runs that had ended, of 180


@pytest.fixture
def log(tmp_path):
    """An unfinished log of five runs."""
    path = tmp_path / "a.h5"
    writer = LogWriter(path, HEADER)
    writer.add_many([random_run(repetition=repetition) for repetition in range(5)])
    writer.abandon()
    return path


def journal_of(log):
    [journal] = log.with_name(log.name + ".parts").glob("*.journal")
    return journal


def payloads(journal):
    content = journal.read_bytes()
    return [payload for _, payload in complete_records(io.BytesIO(content), len(content))]


def rewrite(journal, payloads):
    journal.write_bytes(b"".join(map(encode_record, payloads)))


def with_head(journal, change):
    """Change the head of a journal."""
    head, *runs = payloads(journal)
    facts = json.loads(head)
    change(facts)
    rewrite(journal, [json.dumps(facts).encode(), *runs])


def test_the_head_has_the_version_of_the_journal_and_runs_are_numbered(log):
    head, *runs = payloads(journal_of(log))
    facts = json.loads(head)
    assert facts["journal_version"] == 2
    assert "schema_version" not in facts
    assert [int.from_bytes(run[:8], "little") for run in runs] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "order", [[1, 2, 4, 5], [1, 2, 4, 3, 5], [1, 2, 2, 3, 4, 5], [1, 2, 5]], ids=str
)
def test_a_record_that_was_removed_moved_or_copied_ends_what_is_read(log, order, capfd):
    head, *runs = payloads(journal_of(log))
    rewrite(journal_of(log), [head, *(runs[number - 1] for number in order)])
    found = read_log(log)
    assert found.runs.repetition.tolist() == [0, 1]
    assert "a record is damaged or missing: 3 runs are left out" in found.notes[0]
    with LogWriter(log, HEADER, resume=True) as writer:
        assert "3 runs are lost" in capfd.readouterr().err
        writer.add_many([random_run(repetition=repetition) for repetition in (2, 3, 4)])
    assert read_log(log).runs.repetition.tolist() == [0, 1, 2, 3, 4]


def test_journals_are_ordered_by_name_though_the_clock_was_set_back(log, monkeypatch):
    first = journal_of(log)
    old = first.with_name("000001.journal")  # as earlier versions named them
    old.write_bytes(first.read_bytes())
    monkeypatch.setattr(journal_writer.time, "time_ns", lambda: 0)
    names = [old.name, first.name]
    for repetition in (5, 6):
        with LogWriter(log, HEADER, resume=True) as writer:
            writer.add(random_run(repetition=repetition))
            [new] = {path.name for path in first.parent.glob("*.journal")} - set(names)
            names.append(new)
            writer.abandon()
    assert names == sorted(names)
    assert read_log(log).runs.repetition.tolist() == list(range(7))


@pytest.mark.parametrize("version", [3, "2b", None, [2]])
def test_a_later_version_is_refused_in_one_sentence(log, version):
    with_head(journal_of(log), lambda facts: facts.update(journal_version=version, writer="x 9"))
    message = (
        f"cannot read the log {str(journal_of(log))!r}: its journal version is {version!r}, and "
        "this firsthit reads versions 1 to 2; continue or merge the log with x 9 or a later version"
    )
    for use in (read_log, lambda path: merge_logs(path, path)):
        with pytest.raises(LogFormatError) as caught:
            use(log)
        assert str(caught.value) == message


def version_1(journal):
    """Rewrite a journal as version 1: without numbers."""
    head, *runs = payloads(journal)
    facts = json.loads(head)
    del facts["journal_version"]
    facts["schema_version"] = 2
    rewrite(journal, [json.dumps(facts).encode(), *(run[8:] for run in runs)])


def test_version_1_is_read_like_version_2(log):
    before = read_log(log)
    version_1(journal_of(log))
    assert equal(read_log(log), before)
    with LogWriter(log, HEADER, resume=True) as writer:
        assert len(writer.finished_keys) == 5
    assert equal(read_log(log), before)


def test_columns_that_a_later_version_adds_are_skipped(log):
    """Anywhere in a row of runs and of any table; also tables that are unknown here."""
    before = read_log(log)
    head, *runs = payloads(journal_of(log))
    facts = json.loads(head)
    lengths = [np.dtype([tuple(field) for field in facts["runs"]]).itemsize]
    lengths += [TABLES[name].itemsize for name in facts["tables"]]
    facts["runs"].insert(3, ["later", "<u8"])
    facts["tables"]["hits"].append(["later", "S3"])
    facts["tables"]["later"] = [["x", "<f8"]]
    run_at = sum(np.dtype(kind).itemsize for _, kind in facts["runs"][:3])

    def extended(payload):
        counts = np.frombuffer(payload[8 : 8 + 4 * len(TABLES)], "<u4")
        at = 8 + 4 * len(TABLES)
        row = payload[at : at + lengths[0]]
        at += lengths[0]
        new = payload[:8] + counts.tobytes() + (2).to_bytes(4, "little")
        new += row[:run_at] + bytes(8) + row[run_at:]
        for name, count, size in zip(facts["tables"], counts, lengths[1:], strict=False):
            rows = [payload[at + i * size : at + (i + 1) * size] for i in range(count)]
            at += count * size
            new += b"".join(one + b"abc" * (name == "hits") for one in rows)
        return new + bytes(16) + payload[at:]

    rewrite(journal_of(log), [json.dumps(facts).encode(), *map(extended, runs)])
    assert equal(read_log(log), before)
    [note] = read_log(log).notes
    assert "by a newer firsthit: its runs.later, hits.later, later are not used." in note
    for write in (lambda: merge_logs(log, log), lambda: LogWriter(log, HEADER, resume=True)):
        with pytest.raises(
            LogFormatError, match=r"a log of format newer than 2\.2, .* use a newer"
        ):
            write()
    version_1(journal_of(log))  # in an older journal, such a column is obsolete
    assert equal(read_log(log), before)
    assert read_log(log).notes == ()
    merge_logs(log, log)
    assert equal(read_log(log), before)


@pytest.mark.parametrize("change", ["type", "absent", "table"])
def test_a_known_column_must_be_there_with_its_type(log, change):
    def forge(facts):
        if change == "type":
            facts["runs"][-1][1] = "<f4"
        elif change == "absent":
            del facts["runs"][-1]
        else:
            facts["tables"]["hits"][0][1] = "<i8"

    with_head(journal_of(log), forge)
    text = "hits have no target of type" if change == "table" else "runs have no problem_seconds"
    with pytest.raises(LogFormatError, match=f"its rows of {text}"):
        read_log(log)


@pytest.fixture
def killed(tmp_path):
    """The unfinished log of `killed.yaml`, made by commit 94f17845; its processes were killed."""
    shutil.copytree(GOLDEN / f"{KILLED}.parts", tmp_path / f"{KILLED}.parts")
    shutil.copy(GOLDEN / "killed.yaml", tmp_path)
    return tmp_path / KILLED


def test_the_journal_of_94f17845_is_read_and_merged(killed, cli):
    log = read_log(killed)
    assert (len(log), log.notes) == (N_KILLED, ())
    assert set(log.runs.algorithm) == {"random-search", "scipy:Nelder-Mead"}
    code, out, _ = cli("status", "killed.yaml", "--format", "json")
    total = json.loads(out)["total"]
    assert (code, total["planned"], total["done"]) == (0, 180, N_KILLED)
    assert total["missing"] == 180 - N_KILLED
    code, out, err = cli("merge", killed)
    assert (code, err) == (0, "")
    assert not killed.with_name(f"{KILLED}.parts").exists()
    assert equal(read_log(killed), log)


@pytest.mark.slow
def test_the_campaign_of_94f17845_is_continued(killed, cli):
    before = read_log(killed)
    code, _, err = cli("run", "killed.yaml", "--workers", 0)
    assert (code, f"{180 - N_KILLED} runs made in" in err) == (0, True), err
    after = read_log(killed)
    assert len(after) == 180
    hits = {key: after.hits(row).tobytes() for row, key in enumerate(after.runs.key.tolist())}
    assert all(
        hits[key] == before.hits(row).tobytes() for row, key in enumerate(before.runs.key.tolist())
    )


def test_a_journal_is_read_onwards_from_where_the_last_read_stopped(log):
    """Whatever its size is at each read, a journal gives each run once, with its rows."""
    path = journal_of(log)
    content = path.read_bytes()
    whole = JournalReader(path).read_new_runs(io.BytesIO(content), len(content))
    reader = JournalReader(path)
    tables = []
    for size in (*range(0, len(content), 97), len(content), len(content)):
        file = io.BytesIO(content[:size])
        file.seek(reader.position_bytes)
        tables.append(reader.read_new_runs(file, size))
    assert reader.position_bytes == len(content)
    assert sum(len(table) > 0 for table in tables) == 5
    assert [key for table in tables for key in table.keys] == whole.keys
    assert np.concatenate([table.runs for table in tables]).tobytes() == whole.runs.tobytes()
    for name in TABLES:
        rows = [table.ragged[name].load().rows.tobytes() for table in tables]
        assert b"".join(rows) == whole.ragged[name].load().rows.tobytes()


def test_a_follower_returns_each_run_once_and_all_runs_of_a_replaced_log(log):
    follower = LogFollower(log, ["hits"])
    journal = journal_of(log)
    content = journal.read_bytes()
    journal.write_bytes(content[:-3])
    first = follower.read_new_runs()
    assert first.is_everything
    assert [len(table) for table in first.tables] == [4]
    [sentence] = follower.describe_unread_bytes()
    assert "no whole run" in sentence
    journal.write_bytes(content)
    second = follower.read_new_runs()
    assert (second.is_everything, [len(table) for table in second.tables]) == (False, [1])
    assert follower.describe_unread_bytes() == []
    assert follower.read_new_runs().tables == []
    merge_logs(log, log)
    third = follower.read_new_runs()
    assert (third.is_everything, [len(table) for table in third.tables]) == (True, [5])
    assert follower.read_new_runs().tables == []


def test_a_follower_reads_everything_again_after_an_error(log):
    """The runs of the other journals, which it had read before the error, are not lost."""
    follower = LogFollower(log, [])
    damaged = journal_of(log).with_name("9999999999999999-damaged.journal")
    rewrite(damaged, [b"[]"])
    with pytest.raises(LogFormatError):
        follower.read_new_runs()
    damaged.unlink()
    new_runs = follower.read_new_runs()
    assert (new_runs.is_everything, [len(table) for table in new_runs.tables]) == (True, [5])
