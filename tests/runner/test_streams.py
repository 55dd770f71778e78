"""Streams that are closed, full or not read any more cost no run, and no traceback is shown."""

import os
import subprocess
import sys

import pytest

from firsthit.loggers import read_log

TEXT = (
    "imports: [toy.py]\nsuite: runner-toy\ndimensions: 2\ninstances: 1\nbudget: 20 * D\n"
    "optimizers: [random-search]\n"
)
needs_dev_full = pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="the system has no /dev/full"
)


@pytest.fixture
def campaign(folder):
    file = folder / "streams.yaml"
    file.write_text(TEXT)
    return file


def shell(text, cwd, **names):
    """What a shell says of a command line in which ``$F`` is firsthit: (exit code, stdout, err).

    Paths may hold spaces.
    """
    names = {"PYTHON": sys.executable, **{k: str(v) for k, v in names.items()}}
    text = text.replace("$F", '"$PYTHON" -m firsthit').replace("$C", '"$C"')
    end = subprocess.run(
        ["sh", "-c", text], cwd=cwd, env={**os.environ, **names}, capture_output=True, text=True,
        timeout=300, check=False,
    )  # fmt: skip
    return end.returncode, end.stdout, end.stderr


needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells")


@pytest.mark.slow
@needs_sh
@pytest.mark.parametrize(
    ("streams", "workers"),
    [("2>&-", 0), ("2>&- <&-", 1), pytest.param("2>/dev/full", 1, marks=needs_dev_full)],
)
def test_a_closed_or_full_stderr_costs_nothing(campaign, tmp_path, streams, workers):
    code, out, _ = shell(f"$F run $C --workers {workers} {streams}", tmp_path, C=campaign)
    assert code == 0
    assert "pairs solved within" in out
    assert len(read_log(tmp_path / "results" / "streams.h5")) == 3


@pytest.mark.slow
@needs_sh
@needs_dev_full
@pytest.mark.parametrize(
    "command",
    ["run $C", "check $C", "status $C", "schema", "suites", "optimizers", "--help", "--version",
     "assess art results/streams.h5", "assess art results/streams.h5 --format csv",
     "merge results/streams.h5 --output x.h5"],
)  # fmt: skip
def test_results_that_cannot_be_printed_end_in_one_sentence(campaign, tmp_path, command):
    if "streams.h5" in command or "status" in command:
        assert shell("$F run $C", tmp_path, C=campaign)[0] == 0
    code, _, err = shell(f"$F {command} >/dev/full", tmp_path, C=campaign)
    assert code == 2, err
    *_, last = err.splitlines()
    assert last == "firsthit: cannot write to standard output: No space left on device"
    assert "Traceback" not in err
    assert "Exception ignored" not in err


@needs_sh
def test_a_closed_stdout_is_said_and_the_log_is_there(campaign, tmp_path):
    code, _, err = shell("$F run $C --workers 0 >&-", tmp_path, C=campaign)
    assert code == 2
    assert "firsthit: cannot write to standard output: Bad file descriptor" in err
    assert len(read_log(tmp_path / "results" / "streams.h5")) == 3


@pytest.mark.slow
@needs_sh
@pytest.mark.parametrize("command", ["check $C", "schema"])
def test_a_reader_that_has_enough_ends_a_command_quietly(campaign, tmp_path, command):
    code, out, err = shell(f"$F {command} | head -c 1", tmp_path, C=campaign)
    assert (code, len(out), err) == (0, 1, "")
    code, _, err = shell(f"{{ $F {command}; echo $? >code; }} | true", tmp_path, C=campaign)
    assert (code, err) == (0, "")
    assert (tmp_path / "code").read_text() in ("0\n", "2\n")


FEW_FILES = """
import os, resource, sys
from firsthit.cli import main
sys.argv[1:] = ["assess", "art", "results/streams.h5"]
try:
    main()
except SystemExit as end:
    assert not end.code
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
main()
"""


@pytest.mark.slow
@needs_sh
def test_too_many_open_files_is_said_as_such(campaign, tmp_path):
    """No traceback, and no word of damage: the log is well."""
    assert shell("$F run $C", tmp_path, C=campaign)[0] == 0
    (tmp_path / "few.py").write_text(FEW_FILES)
    code, _, err = shell('"$PYTHON" few.py', tmp_path)
    assert code == 2, err
    assert "Too many open files" in err
    assert "damage" not in err
    assert "Traceback" not in err


def test_characters_that_an_encoding_lacks_are_shown_and_no_error(tmp_path):
    """Such as those of an old code page of Windows."""
    environment = {**os.environ, "PYTHONIOENCODING": "cp437"}
    for words in (["assess", "loss", "--help"], ["assess", "art", "nowhere…h5"]):
        done = subprocess.run(
            [sys.executable, "-m", "firsthit", *words], env=environment, cwd=tmp_path,
            capture_output=True, timeout=300, check=False,
        )  # fmt: skip
        said = (done.stdout + done.stderr).decode("cp437")
        assert "Traceback" not in said
        assert "\\u2026" in said
