"""Campaigns that an earlier version began continue, and headers are read as campaign files are.

Private names: a campaign read from a header is compared with the campaign read from a file.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from firsthit.loggers import Observer, read_log
from firsthit.runner import CampaignError, load_campaign, plan, ready_campaigns
from firsthit.runner.campaign.campaign import Campaign
from firsthit.suites import Suite

GOLDEN = Path(__file__).parent / "golden"
HALF_LOGS = sorted(GOLDEN.glob("half-*.h5"))
N_RUNS = 32


@pytest.mark.parametrize("half_log", HALF_LOGS, ids=lambda path: path.stem)
def test_run_completes_a_campaign_that_an_earlier_version_began(half_log, cli, tmp_path, content):
    shutil.copy(GOLDEN / "half.yaml", tmp_path)
    shutil.copy(half_log, tmp_path / "half.h5")
    code, _, err = cli("run", tmp_path / "half.yaml", "--output", tmp_path / "half.h5")
    assert code == 0, err
    assert "16 runs made" in err
    assert "16 were in the log" in err
    assert cli("run", tmp_path / "half.yaml", "--output", tmp_path / "whole.h5")[0] == 0
    assert content(tmp_path / "half.h5") == content(tmp_path / "whole.h5")
    assert len(read_log(tmp_path / "half.h5")) == N_RUNS
    code, out, _ = cli("status", tmp_path / "half.yaml", "--output", tmp_path / "half.h5")
    assert code == 0
    assert "complete" in out
    code, _, err = cli("merge", tmp_path / "half.h5", "--output", tmp_path / "merged.h5")
    assert code == 0, err  # no batch is missing, though one header names batch 1/2
    assert content(tmp_path / "merged.h5") == content(tmp_path / "whole.h5")


@pytest.mark.parametrize("half_log", HALF_LOGS, ids=lambda path: path.stem)
def test_the_first_batch_of_an_earlier_version_lacks_the_second(half_log, cli, tmp_path):
    code, _, err = cli("merge", half_log, "--output", tmp_path / "merged.h5")
    assert code == 2
    assert "missing batches 2/2" in err


def test_run_names_the_earlier_version_of_a_built_in_campaign(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "results" / "quickstart.h5"
    log.parent.mkdir()
    shutil.copy(GOLDEN / "quickstart-94f17845.h5", log)
    code, out, err = cli("run", "quickstart")
    assert (code, out) == (2, "")
    assert err == (
        f"firsthit: the log {str(Path('results/quickstart.h5'))!r} was made with an earlier "
        "version of the built-in campaign 'quickstart', or with other options: algorithm 'DE': "
        "parameters.vectorized was not set, is true; name another log with --output, or replace "
        "this log with --overwrite\n"
    )
    assert log.read_bytes() == (GOLDEN / "quickstart-94f17845.h5").read_bytes()
    code, _, err = cli("run", "quickstart", "--seed", "3")
    assert code == 2
    assert "was made by another campaign: seed was 1, is 3" in err


def test_overwrite_replaces_the_log_of_another_campaign(cli, tmp_path):
    log = tmp_path / "half.h5"
    shutil.copy(GOLDEN / "half-94f17845.h5", log)
    command = ("run", GOLDEN / "half.yaml", "--output", log, "--seed", "4")
    assert cli(*command)[0] == 2
    code, _, err = cli(*command, "--overwrite")
    assert code == 0
    assert f"{N_RUNS} runs made in" in err
    assert "were in the log" not in err
    assert {header["campaign"]["seed"] for header in read_log(log).headers} == {4}
    log.write_text("a text\n")
    code, _, err = cli(*command, "--overwrite")
    assert code == 2
    assert log.read_text() == "a text\n", err


def test_an_indicator_that_an_import_registers_is_read():
    stored = as_stored(load_campaign(GOLDEN / "half.yaml").header())
    stored["campaign"]["indicator"] = "mine"
    assert Campaign.from_header(stored).rules.indicator == "mine"


def test_deeply_nested_values_are_one_sentence():
    stored = as_stored(load_campaign(GOLDEN / "half.yaml").header())
    nested = json.loads("[" * 900 + "]" * 900)
    stored["algorithms"]["random-search"]["parameters"] = {"a": nested}
    with pytest.raises(CampaignError, match="parameters is nested too deeply"):
        Campaign.from_header(stored)


@pytest.mark.parametrize("half_log", HALF_LOGS, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    ("options", "change"),
    [
        (("--clock", "measured"), 'clock was "none", is "measured"'),
        (("--evaluators", "2"), "parallel was null, is"),
        (("--seed", "4"), "seed was 3, is 4"),
        (("--budget", "60*D"), 'budget was "50*D", is "60*D"'),
    ],
)
def test_what_still_differs_is_a_change(half_log, options, change, cli, tmp_path):
    shutil.copy(half_log, tmp_path / "half.h5")
    code, _, err = cli("run", GOLDEN / "half.yaml", "--output", tmp_path / "half.h5", *options)
    assert code == 2
    assert change in err
    assert err.count(" was ") == 2  # "was made by another campaign", and this change


@pytest.mark.parametrize("half_log", HALF_LOGS, ids=lambda path: path.stem)
def test_a_header_of_an_earlier_version_is_read_as_the_campaign_file_is(half_log):
    [header] = read_log(half_log).headers
    campaign = load_campaign(GOLDEN / "half.yaml")
    stored = Campaign.from_header(header)
    assert str(stored.batch) == "1/2"
    assert stored.rules == campaign.rules
    whole = replace(stored, batch=None)
    assert {run.identity for run in plan(whole)} == {run.identity for run in plan(campaign)}
    expected = campaign.header().campaign
    assert {**whole.header().campaign, "name": "half"} == expected


def as_stored(header):
    """Return a header as a log stores it."""
    return json.loads(header.to_json())


@pytest.mark.parametrize("name", ready_campaigns())
def test_reading_a_header_and_writing_it_are_inverse(name):
    campaign = load_campaign(name, {"workers": 2}, imports=False)
    stored = as_stored(campaign.header())
    again = Campaign.from_header(stored)
    assert again.header() == campaign.header()
    assert len(plan(again)) == len(plan(campaign))


def test_every_part_of_a_header_is_read(folder):
    file = folder / "everything.yaml"
    file.write_text(
        """
imports: [toy.py]
suites: [{name: runner-toy, dimensions: [2, 3], instances: 1-2}, {name: bbob, functions: 8}]
optimizers:
  - random-search
  - {use: "toy.py:walk", name: w, parameters: {step: [0.5, 1.0]}, restarts: 2}
  - use: scipy:Nelder-Mead
    parameters: {maxiter: 9}
    restarts: {most: 3, multiply: {maxiter: 2}}
budget: "[10, 20] * D f+g"
restarts: 5
seed: 7
final_target: false
timeout: 9.5
record: improvements
indicator: best-feasible
archive: final
repetitions: 2
isolation: run
workers: 2
tuning: {settings_tested: 3}
setup: {hardware: one core}
publication: {title: Walks, authors: ["Lovelace, Ada"]}
"""
    )
    campaign = load_campaign(file)
    again = Campaign.from_header(as_stored(campaign.header()), str(folder))
    assert again.header() == campaign.header()
    assert set(map(repr, again.optimizers)) == set(map(repr, campaign.optimizers))
    for name in ("rules", "repetitions", "isolation", "imports", "tuning", "setup", "publication"):
        assert getattr(again, name) == getattr(campaign, name)


def test_evaluations_in_parallel_are_read(folder):
    (folder / "lasting.py").write_text("def lasting(x, rng):\n    return 1.0\n")
    file = folder / "parallel.yaml"
    file.write_text(
        "suite: bbob\noptimizers: [random-search]\nbudget: 60 seconds\n"
        "parallel: {evaluators: 4, duration: 'lasting.py:lasting'}\n"
    )
    campaign = load_campaign(file)
    again = Campaign.from_header(as_stored(campaign.header()), str(folder))
    assert again.rules == campaign.rules
    assert again.header() == campaign.header()


def test_runs_in_the_callers_process_have_no_workers():
    campaign = load_campaign(GOLDEN / "half.yaml")
    again = Campaign.from_header(as_stored(campaign.header()))
    assert (again.workers, again.isolation) == (0, "algorithm")


def test_a_loop_has_no_campaign(tmp_path):
    with Observer(tmp_path / "loop.h5", algorithm="mine") as observer:
        for problem in observer(Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    [header] = read_log(tmp_path / "loop.h5").headers
    with pytest.raises(CampaignError, match="observed in a loop or imported: no campaign"):
        Campaign.from_header(header)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("suites", [{"name": "bbob", "version": "1"}], "suite 'bbob' were given one by one"),
        ("suites", [{"name": "bbob", "functions": [1]}], "key 'dimensions' is missing"),
        ("suites", [], "suites must be a list with at least one entry"),
        ("seed", "x", "seed must be a whole number >= 0; got 'x'"),
        ("budget", -1, "budget -1 is out of range"),
        ("clock", "sundial", "clock 'sundial'"),
        ("isolation", 3, "isolation '3'"),
        ("imports", "os", "imports must be a list"),
        ("batch", "5/3", "batch '5/3' is none"),
        ("name", 3, "name must be text"),
        ("parallel", {"evaluators": 2, "duration": "__main__.lasting"}, "is not understood"),
    ],
)
def test_a_campaign_that_cannot_be_read_is_one_sentence(key, value, sentence):
    stored = as_stored(load_campaign(GOLDEN / "half.yaml").header())
    stored["campaign"][key] = value
    with pytest.raises(CampaignError) as caught:
        Campaign.from_header(stored)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_that_every_version_wrote_must_be_there():
    stored = as_stored(load_campaign(GOLDEN / "half.yaml").header())
    del stored["campaign"]["seed"]
    with pytest.raises(CampaignError, match="key 'seed' is missing"):
        Campaign.from_header(stored)
