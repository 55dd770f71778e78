"""After every kind of end the same command makes exactly what is missing; status tells what is."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from firsthit.loggers import read_log
from firsthit.runner import CampaignError, execute, load_campaign, open_log, plan

from .conftest import made as run_campaign

OPTIMIZERS = '''
import os, time


def walk(problem, rng):
    for _ in range(15):
        problem(rng.uniform(-5, 5, problem.dimension))


def gated(problem, rng):
    """Waits at instance 2 until the file ``gate`` is there; says when it waits."""
    here = os.path.dirname(__file__)
    walk(problem, rng)
    if problem.id_instance == 2:
        open(os.path.join(here, f"waiting{os.getpid()}"), "w").close()
        while not os.path.exists(os.path.join(here, "gate")):
            time.sleep(0.01)


def fussy(problem, rng):
    """Fails on function 2 until the file ``cured`` is there."""
    walk(problem, rng)
    if problem.id_function == 2 and not os.path.exists(
        os.path.join(os.path.dirname(__file__), "cured")
    ):
        raise RuntimeError("not today")


def slow(problem, pause=30.0):
    problem(problem.initial_solution)
    if problem.id_function == 3:
        time.sleep(pause)
        problem(problem.initial_solution)
'''
CAMPAIGN = """
imports: ["{toy}"]
suite: runner-toy
dimensions: [2, 3]
instances: 1-2
budget: 10 * D
restarts: 0
workers: {workers}
output: {output}
optimizers: [{optimizers}]
"""


class Place:
    """A folder with a campaign, and ``firsthit`` in processes of their own."""

    def __init__(self, path, toy):
        self.path, self.log, self.toy = path, path / "out.h5", toy
        (path / "mine.py").write_text(OPTIMIZERS)
        self.file = path / "small.yaml"

    def campaign(self, optimizers, workers=0, more=""):
        given = {"optimizers": optimizers, "workers": workers, "output": self.log, "toy": self.toy}
        text = CAMPAIGN.format(**given) + more
        self.file.write_text(text)
        return self.file

    def start(self, *arguments, **options):
        command = [sys.executable, "-m", "firsthit", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(command, cwd=self.path, text=True, **pipes)

    def until_waiting(self, workers):
        """Wait until so many runs wait at the gate."""
        for _ in range(30000):
            if len(list(self.path.glob("waiting*"))) >= workers:
                return
            time.sleep(0.01)
        raise AssertionError("the campaign did not come to the gate")

    def open_gate(self):
        (self.path / "gate").touch()


@pytest.fixture
def place(tmp_path, folder):
    return Place(tmp_path, folder / "toy.py")


def finish(process):
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


@pytest.mark.slow
@pytest.mark.parametrize(("number", "workers"), [("SIGINT", 1), ("SIGTERM", 2), ("SIGKILL", 2)])
def test_after_every_end_the_same_command_makes_what_is_missing(
    place, cli, content, number, workers
):
    file = place.campaign("'mine.py:gated'", workers)
    process = place.start("run", file)
    place.until_waiting(workers)
    process.send_signal(signal.Signals[number])
    code, _, err = finish(process)
    if number == "SIGKILL":
        assert code == -signal.SIGKILL
    else:
        assert code == 130
        assert f"interrupted; finished runs are in {place.log}; the same command continues" in err
        assert "Traceback" not in err
    status = json.loads(cli("status", file, "--format", "json")[1])
    done, missing = (status["total"][name] for name in ("done", "missing"))
    assert "no coordinator is at work" in cli("status", file)[1]
    assert 0 <= done < 12
    assert done + missing == 12
    place.open_gate()
    code, _, err = finish(place.start("run", file))
    assert code == 0, err
    assert f"{missing} runs made" in err
    calm = place.path / "calm.h5"
    made(file, output=str(calm), workers=1)
    assert content(place.log) == content(calm)


@pytest.mark.slow
def test_a_second_signal_ends_at_once(place):
    process = place.start("run", place.campaign("'mine.py:gated'", 1))
    place.until_waiting(1)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    code, _, err = finish(process)
    assert code == 130
    assert "Traceback" not in err
    place.open_gate()
    assert finish(place.start("run", place.file))[0] == 0
    assert len(read_log(place.log)) == 12


@pytest.mark.slow
def test_status_sees_a_campaign_at_work_and_a_second_coordinator_is_refused(place):
    file = place.campaign("'mine.py:gated'", 2)
    process = place.start("run", file)
    place.until_waiting(2)
    code, out, err = finish(place.start("status", file, "--format", "json"))
    assert code == 0, err
    told = json.loads(out)
    assert told["coordinator"]["pid"] == process.pid
    assert told["coordinator"]["is_alive"] is True
    assert told["workers"] == 2
    total = told["total"]
    assert total["planned"] == 12 == total["done"] + total["running"] + total["missing"]
    assert total["running"] == 2  # of two workers; further runs wait
    link = place.path / "link.h5"
    link.symlink_to(place.log)
    for output in (place.log, link, Path("out.h5")):
        code, _, err = finish(place.start("run", file, "--output", output))
        assert code == 2
        assert f"is being written by process {process.pid} on " in err
    process.kill()
    finish(process)
    code, out, _ = finish(place.start("status", file))
    assert f"no coordinator is at work; the last one, process {process.pid} on" in out
    place.open_gate()
    assert finish(place.start("run", file))[0] == 0
    assert "complete" in finish(place.start("status", file))[1]


def test_status_imports_and_writes_nothing(place, cli):
    place.campaign("'mine.py:walk'")
    (place.path / "mine.py").write_text("open('imported', 'w')\nraise SystemExit(1)\n")
    before = sorted(os.listdir(place.path))
    text = place.file.read_text().replace("runner-toy", "bbob")
    place.file.write_text(text.replace(str(place.toy), "mine.py"))
    code, out, err = cli("status", place.file, "--format", "json")
    assert code == 0, err
    assert json.loads(out)["total"] == {
        "planned": 24 * 2 * 2, "done": 0, "running": 0, "failed": 0, "timeout": 0, "missing": 96,
    }  # fmt: skip
    assert sorted(os.listdir(place.path)) == before


def test_status_of_a_log_knows_what_its_campaign_planned(place, cli):
    file = place.campaign("'mine.py:fussy', 'mine.py:walk'")
    assert cli("run", file)[0] == 1
    code, out, _ = cli("status", place.log, "--format", "json")
    told = json.loads(out)
    assert (code, told["plan"], told["coordinator"]) == (0, "log", None)
    assert told["total"] == {
        "planned": 24, "done": 20, "running": 0, "failed": 4, "timeout": 0, "missing": 0,
    }  # fmt: skip
    assert [(row["algorithm"], row["dimension"], row["failed"]) for row in told["rows"]] == [
        ("mine.py:fussy", 2, 2), ("mine.py:fussy", 3, 2),
        ("mine.py:walk", 2, 0), ("mine.py:walk", 3, 0),
    ]  # fmt: skip
    out = cli("status", place.log)[1]
    assert "complete" in out
    assert "--retry-failed" in out


def test_status_tells_the_stages_of_a_campaign(place, cli):
    file = place.campaign("'mine.py:walk'")
    assert cli("run", file, "--budget", "5*D")[0] == 0
    file.write_text(file.read_text().replace("10 * D", "'[5, 8] * D'"))
    told = json.loads(cli("status", file, "--format", "json")[1])
    assert told["stages"] == [
        {"budget": "5*D", "planned": 12, "left": 0},
        {"budget": "8*D", "planned": 12, "left": 12},
    ]
    assert "stage 2 of 2, budget 8*D: 0 of 12 runs ended" in cli("status", file)[1]


def test_status_tells_what_a_crash_tore(place, cli):
    file = place.campaign("'mine.py:walk'")
    campaign = load_campaign(file)
    log = open_log(place.log, campaign.header(), resume=False)
    execute(plan(campaign)[:2], log, 0)
    log.abandon()
    (journal,) = Path(f"{place.log}.parts").glob("*.journal")
    os.truncate(journal, journal.stat().st_size - 20)
    told = json.loads(cli("status", place.log, "--format", "json")[1])
    assert told["total"]["done"] == 1
    assert len(told["notes"]) == 1
    assert f"note: {told['notes'][0]}" in cli("status", place.log)[1]


def test_status_does_not_believe_a_plan_without_end(place, cli):
    """A log may say of its campaign whatever its author likes."""
    campaign = load_campaign(place.campaign("'mine.py:walk'"))
    header = replace(campaign, repetitions=10**9).header()
    with open_log(place.path / "b.h5", header, resume=False) as log:
        execute(plan(campaign), log, 0)
    code, out, _ = cli("status", place.path / "b.h5", "--format", "json")
    assert (code, json.loads(out)["plan"]) == (0, "unknown")


def test_status_of_what_is_not_there_is_one_sentence(cli, tmp_path):
    code, _, err = cli("status", "nothing.h5")
    assert (code, "no log at 'nothing.h5'" in err) == (2, True)
    code, _, err = cli("status", "nothing.yaml")
    assert (code, "no file 'nothing.yaml'" in err) == (2, True)
    assert not list(tmp_path.iterdir())


def test_failed_runs_are_made_again_when_asked_and_their_records_replaced(place, cli, content):
    file = place.campaign("'mine.py:fussy'")
    assert cli("run", file)[0] == 1
    code, _, err = cli("run", file)
    assert (code, "nothing to do, 12 were in the log" in err) == (1, True)
    (place.path / "cured").touch()
    code, _, err = cli("run", file, "--retry-failed")
    assert code == 0, err
    assert "4 runs made in" in err
    assert cli("run", file, "--output", place.path / "calm.h5")[0] == 0
    assert content(place.log) == content(place.path / "calm.h5")
    assert "nothing to do" in cli("run", file, "--retry-failed")[2]


def made(file, retry_failed=False, **overrides):
    return run_campaign(load_campaign(file, overrides), retry_failed=retry_failed)


@pytest.mark.slow
def test_a_longer_time_limit_fits_where_the_runs_it_ended_are_made_again(place):
    file = place.campaign("{use: 'mine.py:slow', parameters: {pause: 0.8}}", more="dimensions: 2\n")
    file.write_text(file.read_text().replace("dimensions: [2, 3]\n", ""))
    assert made(file, timeout=0.2).failed == 2
    with pytest.raises(CampaignError, match=r"timeout was 0.2, is 5.0 \(it ended 2 runs, which"):
        made(file, timeout=5)
    with pytest.raises(CampaignError, match=r"timeout was 0.2, is 0.1\. Change it back"):
        made(file, timeout=0.1)
    outcome = made(file, True, timeout=5)
    assert (outcome.finished, outcome.failed) == (2, 0)
    assert made(file, timeout=9).finished == 0
    assert set(read_log(place.log).runs.status) <= {"terminated", "budget", "target"}


def test_stages_may_be_added_at_the_end_of_a_budget(place):
    file = place.campaign("'mine.py:walk'")
    text = file.read_text()
    for budget, runs in (("5 * D", 12), ("[5, 8] * D", 12), ("[5, 8, 9] * D", 12), ("5 * D", 0)):
        file.write_text(text.replace("10 * D", f"'{budget}'"))
        assert made(file).finished == runs
    for budget in ("[5, 7] * D", "6 * D", "[5, 9, 10] * D"):
        file.write_text(text.replace("10 * D", f"'{budget}'"))
        with pytest.raises(CampaignError, match="budget was"):
            made(file)


def test_every_change_is_named_at_once_with_old_and_new_value(place):
    file = place.campaign("{use: 'mine.py:slow', name: mine, parameters: {pause: 0}}")
    made(file)
    (place.path / "mine.py").write_text(OPTIMIZERS + "\n# changed\n")
    file.write_text(file.read_text().replace("pause: 0", "pause: 1"))
    with pytest.raises(CampaignError) as caught:
        made(file, seed=2, budget="9", restarts=1, record="improvements", final_target=False)
    for sentence in (
        "was made by another campaign",
        "final_target was true, is false",
        'budget was "10*D", is "9"',
        "seed was 1, is 2",
        "restarts was 0, is 1",
        'record was "targets", is "improvements"',
        "algorithm 'mine': the code of 'mine.py:slow' has changed",
        "algorithm 'mine': parameters.pause was 0, is 1",
        "Change it back, or give another output.",
    ):
        assert sentence in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_reader_that_goes_away_does_not_end_the_campaign(place, closed):
    file = place.campaign("'mine.py:gated'", 2)
    reading, writing = os.pipe()
    process = place.start("run", file, **{closed: writing})
    os.close(writing)
    place.until_waiting(2)
    os.close(reading)
    place.open_gate()
    finish(process)
    assert len(read_log(place.log)) == 12
    assert os.path.exists(place.log)
