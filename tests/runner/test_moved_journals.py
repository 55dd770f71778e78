"""A campaign whose journals go: all runs are in the log, or the command names them and exits 1."""

import json
import sys

import pytest

from firsthit.loggers import read_log

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved")

OPTIMIZER = '''
import os, pathlib


def solve(problem, rng):
    """Does what the file ``at N`` says, once, when instance N begins."""
    here = pathlib.Path(__file__).parent
    for _ in range(5):
        problem(rng.uniform(-5, 5, problem.dimension))
    order = here / f"at {problem.id_instance}"
    if order.exists():
        what = order.read_text()
        order.unlink()
        if what == "interrupt":
            raise KeyboardInterrupt
        if what == "move":
            (here / "out.h5.parts").rename(here / "moved")
        if what == "move earlier":
            for journal in sorted((here / "out.h5.parts").glob("*.journal"))[:1]:
                journal.rename(here / "earlier.journal")
'''
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


@pytest.fixture
def place(tmp_path):
    """A folder with a campaign of ten runs."""
    (tmp_path / "mine.py").write_text(OPTIMIZER)
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    return tmp_path


def instances(place):
    return read_log(place / "out.h5").runs.instance.tolist()


def test_a_campaign_whose_folder_is_moved_has_all_runs(place, cli):
    (place / "at 4").write_text("move")
    code, out, err = cli("run", "c.yaml")
    assert (code, "runs: 10 on each function" in out) == (0, True), err
    assert instances(place) == list(range(1, 11))
    assert "complete" in cli("status", "out.h5")[1]
    (place / "moved").rename(place / "out.h5.parts")
    status = cli("status", "out.h5")[1]
    assert "complete" in status
    assert "killed" not in status
    code, _, err = cli("merge", "out.h5")
    assert (code, err) == (
        0,
        "firsthit: 3 copies of runs were left out: 'out.h5' has every run once\n",
    )
    assert instances(place) == list(range(1, 11))
    assert not (place / "out.h5.parts").exists()


def test_missing_runs_are_named_and_the_same_command_makes_them(place, cli):
    (place / "at 8").write_text("interrupt")
    assert cli("run", "c.yaml")[0] == 130
    (place / "at 9").write_text("move earlier")
    code, _, err = cli("run", "c.yaml")
    assert code == 1
    assert "firsthit: 7 of 10 runs are missing in 'out.h5' (mine.py:solve on bbob_f001_i01" in err
    assert "; and 2 more) because files of the log were moved" in err
    assert "Traceback" not in err
    assert instances(place) == [8, 9, 10]
    status = cli("status", "c.yaml")[1]
    assert "killed" not in status
    assert "missing runs, which firsthit run makes: mine.py:solve on bbob_f001_i01_d02" in status
    assert "; and 2 more" in status
    told = json.loads(cli("status", "c.yaml", "--format", "json")[1])
    assert (told["total"]["done"], told["total"]["missing"]) == (3, 7)
    assert len(told["missing_runs"]) == 5
    code, _, err = cli("run", "c.yaml")
    assert (code, "7 runs made in" in err) == (0, True)
    assert instances(place) == list(range(1, 11))
    (place / "out.h5.parts").mkdir()
    (place / "earlier.journal").rename(place / "out.h5.parts" / "earlier.journal")
    code, _, err = cli("merge", "out.h5")
    assert (code, "7 copies of runs were left out" in err) == (0, True)
    assert instances(place) == list(range(1, 11))
