"""The same campaign gives the same log, however it is run and whatever happens on the way."""

import os
import subprocess
import sys

import pytest

from firsthit.loggers import merge_logs, read_log
from firsthit.runner import CampaignError, execute, load_campaign, open_log, plan
from firsthit.suites.errors import UnknownNameError

from .conftest import log_content, made

CAMPAIGN = """
imports: [toy.py]
suite: runner-toy
functions: 1-2
dimensions: [2, 3]
instances: 1-2
optimizers:
  - random-search
  - use: scipy:L-BFGS-B
    name: lbfgs
  - use: toy.py:walk
    parameters: {step: [0.5, 1.0]}
  - toy.py:global_walk
  - use: toy.py:raises
    name: raises
budget: 50 * D
repetitions: 2
"""
RUNS = 2 * 2 * 2 * 6 * 2


@pytest.fixture(scope="module")
def file(folder):
    path = folder / "campaign.yaml"
    path.write_text(CAMPAIGN)
    return path


@pytest.fixture(scope="module")
def reference(file, tmp_path_factory):
    """What is in the log of the campaign, run in this process."""
    output = tmp_path_factory.mktemp("reference") / "serial.h5"
    outcome = made(load_campaign(file, {"output": str(output)}))
    assert (outcome.runs, outcome.finished, outcome.failed) == (RUNS, RUNS, RUNS // 6)
    return log_content(output)


@pytest.mark.slow
def test_two_workers_and_another_hash_seed(file, reference, tmp_path, content):
    output = str(tmp_path / "log.h5")
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", "run", file, "--workers", "2", "--output", output],
        env={**os.environ, "PYTHONHASHSEED": "1"}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "runs failed" in done.stderr
    assert "this one always fails" in done.stderr
    assert "pairs solved" in done.stdout
    assert content(output) == reference


def test_every_order_of_the_plan_gives_the_same_runs(file, reference, tmp_path, content):
    campaign = load_campaign(file, {"output": str(tmp_path / "reversed.h5")})
    made(campaign, runs=slice(None, None, -1))
    assert content(campaign.output) == reference


def campaign_of(folder, tmp_path, optimizers, **overrides):
    file = folder / "deaths.yaml"
    file.write_text(
        f"imports: [toy.py]\nsuite: runner-toy\ndimensions: [2, 3]\ninstances: 1\n"
        f"optimizers: {optimizers}\nbudget: 5\noutput: {tmp_path / 'deaths.h5'}\n"
    )
    return load_campaign(file, overrides)


def test_a_worker_that_dies_once_costs_nothing(folder, tmp_path):
    flag = tmp_path / "flag"
    use = f"[{{use: toy.py:dies_once, parameters: {{flag: {flag}}}}}]"
    outcome = made(campaign_of(folder, tmp_path, use), where=2)
    assert (outcome.finished, outcome.failed) == (6, 0)


def test_after_a_bug_in_the_file_was_mended_what_failed_is_made_again(folder, tmp_path):
    """Instances 1 to 3: the first version fails on the second. The log says who made which run."""
    broken = (
        "def solve(problem):\n"
        "    if problem.id_instance == 2: raise ValueError('a bug')\n"
        "    problem(problem.initial_solution)\n"
    )
    (folder / "mine.py").write_text(broken)
    campaign = campaign_of(
        folder, tmp_path, "[{use: mine.py:solve, name: mine}]", instances="1-3", budget=None
    )
    made(campaign)
    failed = int((read_log(campaign.output).runs["status"] == "failed").sum())
    assert failed > 0
    first = campaign.header().algorithms["mine"]["file_sha256"]
    (folder / "mine.py").write_text(broken.replace("== 2", "== 99"))
    for retry_failed in (False, True):
        with pytest.raises(CampaignError, match=r"has changed.*--accept-changes"):
            open_log(campaign.output, campaign.header(), True, retry_failed)
    assert made(campaign, accept_changes=True).finished == failed
    log = read_log(campaign.output)
    assert "failed" not in log.runs["status"]
    second = campaign.header().algorithms["mine"]["file_sha256"]
    for run, instance in enumerate(log.runs["instance"].tolist()):
        by = log.header_of(run)["algorithms"]["mine"]["file_sha256"]
        assert by == (second if instance == 2 else first) != ""
    assert "runs of 'mine' were made by 2 versions of its file" in log.notes[0]
    assert made(campaign).finished == 0  # what was accepted once needs no second word
    merge_logs(campaign.output, tmp_path / "all.h5")
    (folder / "mine.py").write_text(broken + "# another\n")
    with pytest.raises(CampaignError, match="has changed"):
        made(campaign)


def test_all_runs_of_a_named_algorithm_are_made_again_by_its_changed_file(folder, tmp_path):
    """Once: the same command then has nothing to do. Other algorithms' runs stay."""
    (folder / "mine.py").write_text("def solve(problem): problem([1] * problem.dimension)\n")
    use = "[{use: mine.py:solve, name: mine}, toy.py:walk]"
    campaign = campaign_of(folder, tmp_path, use, budget=3)
    made(campaign)
    before = read_log(campaign.output).runs
    (folder / "mine.py").write_text("def solve(problem): problem([2] * problem.dimension)\n")
    with pytest.raises(UnknownNameError, match="Did you mean 'mine'"):
        open_log(campaign.output, campaign.header(), True, accept_changes=["min"])
    other = campaign_of(folder, tmp_path, "[random-search]", budget=3)
    with pytest.raises(CampaignError, match="'random-search': it is in no file"):
        open_log(other.output, other.header(), True, accept_changes=["random-search"])
    for expected in (6, 0):
        assert made(campaign, accept_changes=["mine"]).finished == expected
        after = read_log(campaign.output).runs
        assert after.key.tolist() == before.key.tolist()
        is_mine = after.algorithm == "mine"
        assert (after.best_precision[is_mine] != before.best_precision[is_mine]).all()
        assert (after.best_precision[~is_mine] == before.best_precision[~is_mine]).all()
        file = campaign.header().algorithms["mine"]["file_sha256"]
        assert set(after.code[is_mine]) == {file}
        assert not {*before.code} & {file}
    assert made(campaign).finished == 0


def test_a_killed_writer_of_named_runs_leaves_a_log_that_is_read_and_continued(folder, tmp_path):
    (folder / "mine.py").write_text("def solve(problem): problem([1] * problem.dimension)\n")
    campaign = campaign_of(folder, tmp_path, "[{use: mine.py:solve, name: mine}]", budget=3)
    made(campaign)
    old = read_log(campaign.output).runs.code[0]
    (folder / "mine.py").write_text("def solve(problem): problem([2] * problem.dimension)\n")
    writer = open_log(campaign.output, campaign.header(), True, accept_changes=["mine"])
    execute(plan(campaign)[:2], writer, campaign.executor_config)
    writer.abandon()
    assert (read_log(campaign.output).runs.code != old).sum() == 2
    assert made(campaign, accept_changes=["mine"]).finished == 4
    assert old not in read_log(campaign.output).runs.code


def test_the_command_takes_names_whose_changes_are_accepted(folder, tmp_path, cli):
    file = folder / "c.yaml"
    file.write_text(
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1-2\nbudget: 3\nworkers: 0\n"
        "optimizers:\n  - {use: 'mine.py:solve', name: mine}\n"
    )
    codes = []
    for point, options in (1, ()), (2, ("--accept-changes", "mine")), (3, ("--accept-changes",)):
        (folder / "mine.py").write_text(f"def solve(problem): problem([{point}, 0])\n")
        assert cli("run", file, "--output", tmp_path / "a.h5", *options)[0] == 0
        codes.append(set(read_log(tmp_path / "a.h5").runs.code))
    assert codes[0] != codes[1] == codes[2]
