"""Files that came with somebody's folder: no link is followed, nothing is waited for.

Private names: links and special files are placed where the writer stores journals and locks.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from firsthit.loggers import merge_logs, read_log
from firsthit.loggers.errors import LogFormatError, LogWriteError
from firsthit.loggers.hdf5.journal import encode_record
from firsthit.loggers.hdf5.locks import FolderLock
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.log_header import LogHeader
from firsthit.runner import load_campaign
from firsthit.runner.campaign.status import campaign_status

from .conftest import random_run

PRECIOUS = "all that I have\n" * 50
WAYS = {
    "merge": lambda log: merge_logs(log, log), "status": campaign_status, "read": read_log,
    "write": lambda log: LogWriter(log, LogHeader({"random": {}}), resume=True),
}  # fmt: skip


@pytest.fixture
def log(tmp_path):
    """A log whose writer died: two runs in its parts."""
    path = tmp_path / "given" / "a.h5"
    writer = LogWriter(path, LogHeader({"random": {}}))
    writer.add(random_run())
    writer.add(random_run(repetition=1))
    writer.abandon()
    return path


@pytest.fixture
def precious(tmp_path):
    path = tmp_path / "precious.txt"
    path.write_text(PRECIOUS)
    yield path
    assert path.read_text() == PRECIOUS


def parts(log):
    return log.with_name("a.h5.parts")


def refused(way, log, name):
    """It ends in one sentence that names the file."""
    with pytest.raises(LogFormatError, match=rf"^'[^\n]*{name}' is not opened: it is [^\n]*$"):
        WAYS[way](log)


@pytest.mark.parametrize("name", ["writer", "lock"])
@pytest.mark.parametrize("kind", [os.symlink, os.link])
@pytest.mark.parametrize("way", ["merge", "status", "write"])
def test_what_the_lock_leads_to_stays_as_it_is(log, precious, name, kind, way):
    kind(precious, parts(log) / name)
    refused(way, log, name)


@pytest.mark.parametrize("way", WAYS)
def test_a_folder_of_parts_that_is_a_link_is_refused(log, tmp_path, way):
    elsewhere = tmp_path / "elsewhere"
    parts(log).rename(elsewhere)
    (elsewhere / ".left.tmp").write_text("mine")
    parts(log).symlink_to(elsewhere)
    before = sorted(os.listdir(elsewhere))
    refused(way, log, "a.h5.parts")
    assert sorted(os.listdir(elsewhere)) == before


@pytest.mark.parametrize("name", ["000002.journal", "writer", "lock"])
@pytest.mark.parametrize("way", WAYS)
def test_nobody_waits_for_a_pipe(log, name, way):
    os.mkfifo(parts(log) / name)
    if way == "read" and name != "000002.journal":
        assert len(read_log(log)) == 2  # who reads asks for no lock
    else:
        refused(way, log, name)


def test_links_to_logs_are_followed_where_the_user_names_them_alone(log, tmp_path):
    LogWriter(log, LogHeader({"random": {}}), resume=True).close()
    link = tmp_path / "links" / "b.h5"
    link.parent.mkdir()
    link.symlink_to(log)
    assert len(read_log(link)) == 2
    with pytest.raises(LogFormatError, match=r"b\.h5' is not opened: it is a link"):
        read_log(link.parent)
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(LogFormatError, match="no regular file"):
        read_log(link.parent)


def test_a_file_of_the_writer_without_end_is_refused(log):
    with open(parts(log) / "writer", "wb") as file:
        file.truncate(2**33)
    (parts(log) / "lock").touch()
    with pytest.raises(LogFormatError, match=r"writer' is not opened: it has .* and at most"):
        campaign_status(log)


PAINT = "\x1b[2J\x1b]0;mine\x07\x9b31m\u202eevil\r"


def printed(*arguments):
    command = [sys.executable, "-X", "utf8", "-m", "firsthit", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, timeout=60)
    return done.stdout.decode() + done.stderr.decode()


def is_harmless(text):
    """No control characters, and letters as they were written."""
    return all(c.isprintable() or c == "\n" for c in text)


def test_what_the_lock_says_of_its_writer_does_not_reach_the_terminal(log):
    (parts(log) / "lock").touch()
    (parts(log) / "writer").write_text(f"123\nžółć{PAINT}\n{{}}\n", encoding="utf-8")
    text = printed("status", log)
    assert is_harmless(text)
    assert "process 123 on žółć\\u001b]0;mine" in text


def test_errors_quote_a_strangers_file_without_its_escape_codes(log):
    (parts(log) / f"{PAINT}.journal").write_bytes(encode_record(b"{}"))
    assert is_harmless(printed("assess", "termination", log))
    with pytest.raises(LogFormatError) as caught:
        read_log(log)
    assert is_harmless(str(caught.value))
    lock = FolderLock(parts(log))
    (parts(log) / "writer").write_text(f"123\n{PAINT}\n", encoding="utf-8")
    with pytest.raises(LogWriteError, match="123 on") as refusal:
        FolderLock(parts(log))
    lock.release()
    assert is_harmless(str(refusal.value))


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("repetitions", 10**30, "repetitions must be a whole number >= 1"),
        ("repetitions", 10**9, "runs; a campaign can plan at most 10000000"),
        ("suites", [{"name": "bbob", "version": "1"}], "suite 'bbob' were given one by one"),
        (
            "suites",
            [{"name": "bbob", "version": "1", "functions": None}],
            "functions of suite 'bbob' must be",
        ),
        ("budget", {"a": 1}, "of type dict is no number"),
        ("batch", "5/3", "batch '5/3' is none"),
        ("seed", -1, "seed must be a whole number"),
    ],
)
def test_status_names_what_is_wrong_with_a_campaign_and_prints_the_rest(
    tmp_path, cli, key, value, sentence
):
    header = load_campaign("quickstart").header()
    algorithms = {"random": {"use": "random-search", "parameters": {}}}
    header = replace(header, algorithms=algorithms, campaign={**header.campaign, key: value})
    writer = LogWriter(tmp_path / "a.h5", header)
    writer.add(random_run())
    writer.close()
    code, out, err = cli("status", tmp_path / "a.h5")
    assert code == 0, err
    [note] = [line for line in out.splitlines() if line.startswith("note: ")]
    assert note.startswith("note: the campaign in the header of the log cannot be read: ")
    assert sentence in note
    facts = json.loads(cli("status", tmp_path / "a.h5", "--format", "json")[1])
    assert facts["plan"] == "unknown"
    assert (facts["total"]["planned"], facts["total"]["done"]) == (None, 1)


COUNTS = '"running": [["random", 2, 1]], "planned": [["random", 2, 3]]'
NOTES = [
    "[" * 100_000,
    f'{{"workers": 1e999, {COUNTS}}}',
    f'{{"workers": {10**400}, {COUNTS}}}',
    f'{{"workers": -1, {COUNTS}}}',
    f'{{"workers": 1, {COUNTS.replace("3", str(10**30))}}}',
    f'{{"workers": 1, {COUNTS.replace("3", "NaN")}}}',
]


@pytest.mark.parametrize("note", NOTES, ids=range(len(NOTES)))
def test_status_ignores_a_writers_note_that_cannot_be_read(log, cli, note):
    lock = FolderLock(parts(log))
    lock.announce(note)
    code, out, err = cli("status", log)
    lock.release()
    assert code == 0, err
    assert f"coordinator: process {os.getpid()}" in out
    assert "the plan is unknown" in out
