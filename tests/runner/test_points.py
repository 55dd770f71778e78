"""Points that runs of campaigns record equal the list that each run keeps itself, bit by bit."""

import re

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.runner import CampaignError

from ..command_line import invoke, succeed

OPTIMIZER = """
import os
import numpy as np

FOLDER = {folder!r}


def search(problem, rng, kills=0, is_other=False):
    with open(f"{{FOLDER}}/{{problem.id}}", "wb", buffering=0) as file:
        for number in range(600):
            x = rng.uniform(-5, 5, problem.dimension) + is_other * 1e-9
            file.write(np.append(x, problem(x)).tobytes())
            if kills and number == 499 and problem.id_instance == 2:
                os.kill(os.getpid(), 9)
        batch = rng.uniform(-5, 5, (100, problem.dimension))
        file.write(np.column_stack([batch, problem(batch)]).tobytes())
"""
CAMPAIGN = """
suite: bbob
functions: [1, 8]
dimensions: [2, 3]
instances: [1, 2]
optimizers:
  - {{use: "{folder}/own.py:search", name: mine, parameters: {{kills: {kills}}}}}
budget: 1000
restarts: 0
final_target: false
seed: 3
output: {folder}/log.h5
"""


@pytest.fixture
def write_campaign(tmp_path):
    """Write a campaign whose optimizer writes its evaluations to files; return its path."""

    def write(kills=0, further=""):
        (tmp_path / "own.py").write_text(OPTIMIZER.format(folder=str(tmp_path)))
        path = tmp_path / "campaign.yaml"
        path.write_text(CAMPAIGN.format(folder=tmp_path, kills=kills) + further)
        return path

    return write


def own_evaluations(folder, log, run):
    """Return the points and values that a run wrote to its file, shape ``(n, dimension + 1)``."""
    function, dimension, instance = (
        int(log.runs[name][run]) for name in ("function", "dimension", "instance")
    )
    content = (folder / f"bbob_f{function:03}_i{instance:02}_d{dimension:02}").read_bytes()
    return np.frombuffer(content).reshape(-1, dimension + 1)


def recorded_evaluations(log, run):
    points = log.points(run)
    return np.column_stack([points.X, points.y])


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_all_evaluations(workers, write_campaign, tmp_path):
    succeed("run", write_campaign(further="record_points: all"), "--workers", workers)
    log = read_log(tmp_path / "log.h5")
    assert len(log) == 8
    for run in range(len(log)):
        expected = own_evaluations(tmp_path, log, run)
        assert len(expected) == 700
        assert recorded_evaluations(log, run).tobytes() == expected.tobytes()


@pytest.mark.slow
def test_a_killed_worker_keeps_the_points_of_its_written_blocks(write_campaign, tmp_path):
    campaign = write_campaign(kills=1, further="record_points: all")
    assert invoke("run", campaign, "--workers", "1").exit_code == 1
    log = read_log(tmp_path / "log.h5")
    assert sorted(log.runs["status"].tolist()) == ["failed"] * 4 + ["terminated"] * 4
    for run in range(len(log)):
        expected, recorded = own_evaluations(tmp_path, log, run), recorded_evaluations(log, run)
        is_killed = log.runs["status"][run] == "failed"
        assert len(expected) == (500 if is_killed else 700)
        # A block has 256 points; slow evaluations are written at once.
        assert 500 - 256 < len(recorded) <= 500 if is_killed else len(recorded) == 700
        assert recorded.tobytes() == expected[: len(recorded)].tobytes()


@pytest.mark.slow
def test_the_log_is_the_same_for_any_number_of_workers(write_campaign, tmp_path):
    further = "record_points: {first: 150*D}\nmax_point_bytes: 16000"
    campaign = write_campaign(further=further)
    contents = []
    for workers in (0, 2):
        succeed("run", campaign, "--workers", workers, "--overwrite")
        log = read_log(tmp_path / "log.h5")
        contents.append([
            (
                recorded_evaluations(log, run).tobytes(),
                log.notes_of(run).tobytes(),
                log.points(run).last_recorded,
            )
            for run in range(len(log))
        ])  # fmt: skip
    assert contents[0] == contents[1]
    assert {last for *_, last in contents[0]} == {None, 16000 // 48}


def test_rerun_records_the_points_of_selected_runs(write_campaign, tmp_path):
    succeed("run", write_campaign(), "--workers", "0")
    log, again = tmp_path / "log.h5", tmp_path / "again"
    done = succeed(
        "rerun", log, "-o", again, "--workers", "0", "--trust", "--functions", "8", "--dimensions",
        "3", "--instances", "2", "--record-points", "all",
    )  # fmt: skip
    assert "equal: the first hits of all 1 runs are those of the log" in done.stdout
    log = read_log(again / "1.h5")
    assert log.runs["instance"].tolist() == [2]
    expected = own_evaluations(tmp_path, log, 0)
    assert recorded_evaluations(log, 0).tobytes() == expected.tobytes()


def test_rerun_says_that_points_belong_to_other_runs(write_campaign, tmp_path):
    succeed("run", write_campaign(), "--workers", "0")
    file = tmp_path / "own.py"
    file.write_text(file.read_text().replace("is_other=False", "is_other=True"))
    done = invoke(
        "rerun", tmp_path / "log.h5", "-o", tmp_path / "again", "--workers", "0", "--trust",
        "--functions", "8", "--dimensions", "2", "--record-points", "first 10",
    )  # fmt: skip
    assert done.exit_code == 1
    assert "different: 1 of 1 pairs of algorithm and function" in done.stdout
    assert "the recorded points belong to other runs than those of the log" in done.stdout


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--functions", "3", "the logs: functions 3 not available"),
        ("--algorithms", "yours", "'yours'.* mine"),
        ("--record-points", "every", "record_points is 'every'; it must be 'hits', 'all'"),
        ("--max-point-bytes", "0", "max_point_bytes must be a whole number >= 1"),
    ],
)
def test_rerun_refuses_what_cannot_be_selected(option, value, reason, write_campaign, tmp_path):
    succeed("run", write_campaign(), "--workers", "0", "--budget", "20")
    done = invoke("rerun", tmp_path / "log.h5", "-o", tmp_path / "again", option, value)
    assert done.exit_code == 2
    assert not (tmp_path / "again").exists()
    assert re.search(reason, done.stderr), done.stderr


def test_a_wrong_choice_in_a_campaign_names_the_line(write_campaign):
    done = invoke("check", write_campaign(further="record_points: {last: 5}"))
    assert done.exit_code == 2
    assert "campaign.yaml:13" in done.stderr
    assert "it must be 'hits', 'all', or first with a number of evaluations" in done.stderr


def test_check_and_run_print_the_maximum_size(write_campaign):
    path = write_campaign(further="record_points: all")
    row_bytes = 3 * 8  # of an evaluation, besides its point
    megabytes = 4 * 1000 * (row_bytes + 16 + row_bytes + 24) / 1e6
    line = f"recorded points (all): at most {megabytes:.2f} MB before compression; "
    assert f"{line}max_point_bytes: 100000000 in each run" in succeed("check", path).stdout
    done = succeed("run", path, "--workers", "0", "--max-point-bytes", "10000")
    assert "at most 0.08 MB before compression; max_point_bytes: 10000 in each" in done.stderr
    assert "recorded points" not in succeed("check", write_campaign()).stdout


def test_benchmark_records_points():
    own = []

    def solve(problem, rng):
        for _ in range(30):
            own.append(rng.uniform(-5, 5, problem.dimension))
            problem(own[-1])

    results = firsthit.benchmark(
        solve, "bbob", functions=1, dimensions=2, instances=1, restarts=0, budget=30,
        record_points={"first": "5*D"},
    )  # fmt: skip
    assert (own[:10] == results.log.points(0).X).all()
    with pytest.raises(CampaignError, match="benchmark: record_points is 'x'"):
        firsthit.benchmark(solve, "bbob", record_points="x")


@pytest.mark.parametrize("is_reversed", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_log_and_its_rerun_with_points_are_read_together(is_reversed, write_campaign, tmp_path):
    """Points are no part of an outcome: the copies are equal, and the one with points is kept."""
    succeed("run", write_campaign(), "--workers", "0")
    log, again = tmp_path / "log.h5", tmp_path / "again"
    succeed(
        "rerun", log, "-o", again, "--workers", "0", "--trust", "--functions", "8",
        "--record-points", "all", "--max-point-bytes", "4000",
    )  # fmt: skip
    logs = [log, again / "1.h5"]
    succeed("merge", *(logs[::-1] if is_reversed else logs), "-o", tmp_path / "merged.h5")
    merged = read_log(tmp_path / "merged.h5")
    assert len(merged) == 8
    has_points = [len(merged.points(run).X) > 0 for run in range(len(merged))]
    assert has_points == (merged.runs["function"] == 8).tolist()
