"""A damaged or removed record of a journal: every command counts the lost runs and exits with 1."""

import struct

import pytest

from firsthit.loggers import read_log

OPTIMIZER = """
import pathlib


def solve(problem, rng):
    for _ in range(5):
        problem(rng.uniform(-5, 5, problem.dimension))
    flag = pathlib.Path(__file__).with_name("interrupt")
    if problem.id_instance == 8 and flag.exists():
        flag.unlink()
        raise KeyboardInterrupt
"""
CAMPAIGN = """
suite: bbob
functions: 1
dimensions: 2
instances: 1-10
optimizers: ["mine.py:solve"]
budget: 100
restarts: 0
workers: 0
output: out.h5
"""
N_RECORDS = 8
"""The head and seven finished runs; the interrupted run follows, because it was begun."""


def find_ends(journal):
    """Return the end of each record; the byte format is described in docs/log-format.md."""
    ends = [0]
    while ends[-1] < len(journal):
        _, _, n_bytes = struct.unpack_from("<4sIQ", journal, ends[-1])
        ends.append(ends[-1] + struct.calcsize("<4sIQ") + n_bytes)
    return ends[1:]


def flip_third_run(journal, ends):
    data = bytearray(journal)
    data[(ends[2] + ends[3]) // 2] ^= 4
    return bytes(data), 5


def remove_third_run(journal, ends):
    return journal[: ends[2]] + journal[ends[3] :], 5


def flip_head(journal, ends):
    data = bytearray(journal)
    data[ends[0] // 2] ^= 4
    return bytes(data), 7


@pytest.fixture(params=[flip_third_run, remove_third_run, flip_head])
def damaged(request, tmp_path, cli):
    """The number of lost runs of an interrupted campaign whose journal was damaged."""
    (tmp_path / "mine.py").write_text(OPTIMIZER)
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    (tmp_path / "interrupt").touch()
    assert cli("run", "c.yaml")[0] == 130
    [path] = (tmp_path / "out.h5.parts").glob("*.journal")
    journal = path.read_bytes()
    ends = find_ends(journal)
    assert len(ends) == N_RECORDS
    changed, n_lost = request.param(journal, ends)
    path.write_bytes(changed)
    return n_lost


def test_readers_count_the_lost_runs_and_exit_with_1(damaged, cli, tmp_path):
    message = f"a record is damaged or missing: {damaged} runs are left out"
    for command in (
        ("status", "c.yaml"),
        ("status", "out.h5"),
        ("assess", "summary", "out.h5"),
        ("report", "out.h5", "-o", "page.html"),
        ("export", "out.h5", "--format", "ioh", "-o", "ioh"),
        ("merge", "out.h5", "-o", "merged.h5"),
    ):
        if damaged == 7 and command[0] in ("assess", "report", "export", "merge"):
            continue  # nothing is left to assess
        code, out, err = cli(*command)
        assert code == 1, (command, out, err)
        assert (out + err).count(message) == 1, (command, out, err)
    if damaged < 7:
        assert len(read_log(tmp_path / "merged.h5")) == 7 - damaged


def test_the_same_command_makes_the_lost_runs(damaged, cli, tmp_path):
    code, out, err = cli("run", "c.yaml")
    assert (code, out) == (1, "")
    assert f"{damaged} runs are missing in 'out.h5' because a record of a journal is damaged" in err
    code, _, err = cli("run", "c.yaml")
    assert code == 0, err
    assert f"{10 - (7 - damaged)} runs made" in err
    assert read_log(tmp_path / "out.h5").runs.instance.tolist() == list(range(1, 11))


def test_merging_a_damaged_log_keeps_the_runs_before_and_exits_with_1(damaged, cli, tmp_path):
    code, _, err = cli("merge", "out.h5")
    assert code == 1
    assert f"{damaged} runs are lost in" in err
    assert len(read_log(tmp_path / "out.h5")) == 7 - damaged
    assert (tmp_path / "out.h5.torn-1").stat().st_size > 0
    assert cli("merge", "out.h5")[0] == 0
