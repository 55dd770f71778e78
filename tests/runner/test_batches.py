"""Batches of a campaign, run apart and merged: the same runs, each once.

Private names: batches are computed for campaigns that hypothesis makes.
"""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.runner import CampaignError, plan
from firsthit.runner.campaign.batches import Batch, parse_batch
from firsthit.runner.campaign.budget import parse_budget
from firsthit.runner.campaign.campaign import Campaign, RunRules, SuiteChoice
from firsthit.runner.optimizers.resolve import OptimizerRef

from .conftest import log_content

TEXT = (
    "imports: [toy.py]\nsuite: runner-toy\ndimensions: [2, 3]\ninstances: 1-2\nworkers: 0\n"
    "budget: '[1, 3] * D'\noptimizers: [random-search, 'toy.py:walk']\nrepetitions: 2\n"
)


@pytest.fixture
def campaign(folder):
    file = folder / "pieces.yaml"
    file.write_text(TEXT)
    return file


def bbob(functions, dimensions, instances, budget="10 * D", batch=None):
    choice = SuiteChoice("bbob", functions, dimensions, instances)
    optimizers = (OptimizerRef("a", "random-search"), OptimizerRef("b", "random-search"))
    rules = RunRules(parse_budget(budget))
    return plan(Campaign("c", (choice,), optimizers, rules, batch=batch))


numbers = st.lists(st.integers(1, 24), min_size=1, max_size=6, unique=True).map(tuple)


@given(numbers, st.sampled_from([(2,), (2, 3, 5)]), numbers, st.integers(1, 30))
def test_batches_share_the_runs_evenly(functions, dimensions, instances, batches):
    runs = bbob(functions, dimensions, instances, "[1, 2] * D")
    problems = len(functions) * len(dimensions) * len(instances)
    batches = min(batches, problems)
    parts = [
        bbob(functions, dimensions, instances, "[1, 2] * D", Batch(number, batches))
        for number in range(1, batches + 1)
    ]
    keys = [run.identity.key for part in parts for run in part]
    assert sorted(keys) == sorted(run.identity.key for run in runs)
    owned = [len({run.problem_id for run in part}) for part in parts]
    assert max(owned) - min(owned) <= 2
    assert all(len(part) == 4 * count for part, count in zip(parts, owned, strict=True))


def test_every_batch_has_its_share_of_functions_and_dimensions():
    """24 functions in 24 batches, a trap for dealing out in turn: one function a batch."""
    for number in range(1, 25):
        runs = bbob(tuple(range(1, 25)), (2, 3), tuple(range(1, 13)), batch=Batch(number, 24))
        own = {run.problem_id for run in runs}
        assert len({problem.function for problem in own}) >= 12
        assert sum(problem.dimension == 2 for problem in own) == len(own) // 2 == 12


@pytest.mark.parametrize(
    "text", ["0/3", "4/3", "1/0", "1", "a/b", "1/3/5", "-1/3", "1.0/3", "", "1/9999999", "١/٣"]
)
def test_what_is_no_batch_is_said(text, campaign, cli):
    with pytest.raises(CampaignError, match=r"batch .* is none; write i/n"):
        parse_batch(text)
    code, _, err = cli("run", f"--batch={text}", campaign)
    assert code == 2
    assert "is none; write i/n, such as 2/5" in err


def test_an_empty_batch_is_said(campaign, cli):
    code, _, err = cli("check", "--batch", "40/40", campaign)
    assert code == 2
    assert "batch 40/40 is empty, as there are 12 problems; use at most as many batches" in err


@pytest.mark.slow
def test_batches_merge_to_the_whole(campaign, cli, tmp_path):
    for number in (1, 2, 3):
        code, _, err = cli("run", "--batch", f"{number}/3", campaign)
        assert code == 0, err
    names = [f"pieces.{number}-of-3.h5" for number in (1, 2, 3)]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == names
    code, _, err = cli("merge", *(f"results/{name}" for name in names), "--output", "merged.h5")
    assert code == 0, err
    assert cli("run", campaign, "--output", "whole.h5")[0] == 0
    assert log_content(tmp_path / "merged.h5") == log_content(tmp_path / "whole.h5")
    code, _, err = cli("run", "--batch", "2/3", campaign)
    assert code == 0
    assert "nothing to do" in err
    code, _, err = cli("run", campaign, "--output", "merged.h5")
    assert "nothing to do, 96 were in the log" in err


def test_a_batch_is_continued(campaign, cli, tmp_path):
    assert cli("run", "--batch", "1/2", "--repetitions", 1, campaign)[0] == 0
    _, _, err = cli("run", "--batch", "1/2", campaign)
    assert "24 runs made" in err
    assert "24 were in the log" in err


def test_the_output_that_is_given_is_the_batches_own(campaign, cli, tmp_path):
    assert cli("run", "--batch", "1/6", "--output", "mine.h5", campaign)[0] == 0
    assert (tmp_path / "mine.h5").is_file()
    _, out, _ = cli("check", "--batch", "1/6", campaign)
    assert "log: results/pieces.1-of-6.h5" in out
    assert "16 runs in 2 stages, " in out


def status_of(cli, *arguments):
    code, out, err = cli("status", *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def test_status_of_a_batch_is_about_that_batch(campaign, cli):
    assert cli("run", "--batch", "1/3", campaign)[0] == 0
    for arguments in (["results/pieces.1-of-3.h5"], ["--batch", "1/3", campaign]):
        total = status_of(cli, *arguments)["total"]
        assert (total["planned"], total["done"], total["missing"]) == (32, 32, 0)
        assert "complete" in cli("status", *arguments)[1]
    total = status_of(cli, "--batch", "2/3", campaign)["total"]
    assert (total["planned"], total["done"], total["missing"]) == (32, 0, 32)


def test_status_of_a_campaign_sees_its_batches_and_names_those_that_are_missing(campaign, cli):
    for number in (1, 3):
        assert cli("run", "--batch", f"{number}/3", campaign)[0] == 0
    found = status_of(cli, campaign)
    assert (found["total"]["planned"], found["total"]["done"]) == (96, 64)
    assert [(one["batch"], one["left"]) for one in found["batches"]] == [
        ("1/3", 0), ("2/3", 32), ("3/3", 0),
    ]  # fmt: skip
    out = cli("status", campaign)[1]
    assert "batch 2/3: 32 of 32 runs missing (no log of it here)" in out
    assert "batch 1/3" not in out
    assert cli("run", "--batch", "2/3", campaign)[0] == 0
    out = cli("status", campaign)[1]
    assert "complete" in out
    assert "all 3 batches are complete; firsthit merge joins them" in out


@pytest.mark.slow
def test_status_of_a_batch_whose_campaign_registers_its_suite(campaign, cli, folder, tmp_path):
    """Nothing is imported for status: what an unknown suite holds is known by the log."""
    text = campaign.read_text().replace("runner-toy", "status-toy")
    toy = (folder / "toy.py").read_text().replace("runner-toy", "status-toy")
    (tmp_path / "toy.py").write_text(toy)
    (tmp_path / "far.yaml").write_text(text)
    arguments = [sys.executable, "-m", "firsthit", "run", "--batch", "1/3", "far.yaml"]
    subprocess.run(arguments, check=True, capture_output=True, cwd=tmp_path)
    found = status_of(cli, tmp_path / "far.yaml")
    assert found["plan"] == "log"
    assert (found["total"]["planned"], found["total"]["done"]) == (96, 32)
    assert status_of(cli, "--batch", "1/3", tmp_path / "far.yaml")["total"]["missing"] == 0


def test_batches_are_merged_when_all_are_there(campaign, cli, tmp_path):
    for number in (1, 2):
        assert cli("run", "--batch", f"{number}/3", campaign)[0] == 0
    names = ["results/pieces.1-of-3.h5", "results/pieces.2-of-3.h5"]
    code, _, err = cli("merge", *names, "--output", "two.h5")
    assert code == 2
    assert "campaign 'pieces': missing batches 3/3; give their logs, too, or --partial" in err
    assert not (tmp_path / "two.h5").exists()
    code, _, err = cli("merge", *names, "--output", "two.h5", "--partial")
    assert code == 0
    assert "missing batches 3/3" in err
    total = status_of(cli, "two.h5")["total"]
    assert (total["planned"], total["missing"]) == (64, 0)
    assert cli("run", "--batch", "3/3", campaign)[0] == 0
    code, _, err = cli("merge", "two.h5", "results/pieces.3-of-3.h5", "--output", "all.h5")
    assert code == 0, err
    assert status_of(cli, "all.h5")["total"]["done"] == 96
