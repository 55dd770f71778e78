"""The commands of campaigns: run, check, status and others."""

# ruff: noqa: E501
import csv
import io
import json
import os
import subprocess
import sys

import pytest

from firsthit import Observer, Suite
from firsthit.loggers import read_log
from firsthit.runner import load_campaign, plan, ready_campaigns
from firsthit.suites import suite_names

from ..command_line import commands_of, options_of
from .conftest import made

GOOD = "imports: [toy.py]\nsuite: runner-toy\ndimensions: 2\ninstances: 1-2\nbudget: 100 * D\nworkers: 0\n"


@pytest.fixture
def campaign(folder):
    file = folder / "small.yaml"
    file.write_text(GOOD + "optimizers: [random-search, {use: 'scipy:L-BFGS-B', name: lbfgs}]\n")
    return file


def test_check_counts_and_writes_nothing(cli, campaign, tmp_path):
    code, out, _ = cli("check", campaign)
    assert code == 0
    assert "12 runs, 2400 evaluations at most" in out
    assert "random-search, lbfgs" in out
    assert not list(tmp_path.iterdir())
    code, out, _ = cli("check", campaign, "--format", "json", "--budget", "10", "--repetitions", 2)
    assert json.loads(out) == [
        {"suite": "runner-toy", "dimension": 2, "problems": 6, "optimizers": 2, "runs": 24,
         "evaluations": 240}
    ]  # fmt: skip


def test_output_is_o_in_every_command():
    commands = [(name,) for name in commands_of()]
    commands += [(group, name) for (group,) in commands for name in commands_of(group)]
    with_output = [command for command in commands if "--output" in options_of(*command)]
    assert len(with_output) > 8
    assert all("-o" in options_of(*command) for command in with_output)


WATCHED = """
import pathlib
here = pathlib.Path(__file__).parent
(here / "imported").write_text("")
def solve(problem):
    (here / "called").write_text("")
    problem(problem.initial_solution)
"""

LOADED = """
import sys
from firsthit.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
others = {"cma", "cmaes", "nevergrad", "optuna", "nlopt", "pymoo", "pygmo", "pybobyqa", "dask"}
print("LOADED", sorted(others & set(sys.modules)))
"""


@pytest.mark.parametrize("command", [["check"], ["schema"]])
def test_looking_at_a_campaign_runs_and_writes_nothing(command, cli, folder, tmp_path):
    (folder / "watched.py").write_text(WATCHED)
    file = folder / "watched.yaml"
    file.write_text(GOOD + "optimizers: ['watched.py:solve']\n")
    arguments = [*command, file] if command == ["check"] else command
    assert cli(*arguments)[0] == 0
    assert (folder / "imported").exists() == (command == ["check"])
    assert not (folder / "called").exists()
    assert not list(tmp_path.iterdir())
    (folder / "imported").unlink(missing_ok=True)


@pytest.mark.slow
def test_only_the_optimizers_that_are_named_are_imported(campaign, tmp_path):
    end = subprocess.run(
        [sys.executable, "-c", LOADED, "run", str(campaign)],
        capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert (end.returncode, end.stdout.splitlines()[-1]) == (0, "LOADED []"), end.stderr


def test_run_prints_the_table_and_again_does_nothing(cli, campaign, tmp_path):
    code, out, err = cli("run", campaign)
    assert code == 0
    assert "lbfgs" in out
    assert max(map(len, out.splitlines())) <= 80
    assert out.endswith("All columns: firsthit assess summary results/small.h5 --format csv\n")
    assert cli("assess", "summary", "results/small.h5")[1] == out[: out.index("runs: 2 on each")]
    assert "pairs solved within" in out
    assert "12 runs made" in err
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["small.h5"]
    code, again, err = cli("run", campaign)
    assert (code, again) == (0, out)
    assert "nothing to do, 12 were in the log" in err
    code, _, err = cli("run", campaign, "--budget", "50 * D")
    assert code == 2
    assert 'budget was "100*D", is "50*D"' in err


UNKNOWN_OPTIMUM = """
import firsthit
def sphere(x):
    return float(x @ x)
@firsthit.register_suite("runner-{name}", functions=(1, 2), dimensions=(2,), instances=(1,), version="1")
def make(function, dimension, instance):
    known = {{"optimal_value": 0.0}} if function == 1 else {{}}
    return firsthit.problem_from(sphere, dimension, instance=instance{more}, **known)
"""


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("more", ["", ", reference_value=0.1"])
def test_an_unknown_optimum_is_said_once_at_the_start(command, more, cli, tmp_path):
    name = f"unknown-{command}-{len(more)}"
    (tmp_path / "own.py").write_text(UNKNOWN_OPTIMUM.format(name=name, more=more))
    file = tmp_path / "own.yaml"
    file.write_text(
        f"suite: runner-{name}\nimports: [own.py]\noptimizers: [random-search]\nbudget: 20\n"
    )
    code, _, err = cli(command, file, *(["--workers", 0] if command == "run" else []))
    assert code == 0
    said = f"note: no optimal value is known of runner-{name}_f002_i01_d02: targets do not apply"
    assert err.startswith(said) == (not more)
    assert err.count("no optimal value") == (not more)


def test_failed_runs_are_told_and_change_the_exit_code(cli, folder):
    file = folder / "failing.yaml"
    file.write_text(GOOD + "optimizers: ['toy.py:raises', 'toy.py:walk']\n")
    for _ in range(2):
        code, _, err = cli("run", file)
        assert code == 1
        assert "6 of 12 runs failed:" in err
        assert "toy.py:raises (6 runs): ValueError: this one always fails" in err
        assert "all errors: firsthit assess termination results/failing.h5 --errors" in err


FAILING = """
def solve(problem, start):
    problem(problem.initial_solution)
    if problem.id_dimension == 2:
        raise ValueError(f"step {problem.id_function / 7} is too small at 0x{id(problem):x}")
    raise RuntimeError("no memory")
"""


def test_each_kind_of_error_is_printed_once(cli, tmp_path):
    """Errors of one kind differ in numbers only; the command that is named lists all of them."""
    (tmp_path / "mine.py").write_text(FAILING)
    file = tmp_path / "mine.yaml"
    file.write_text(
        "suite: bbob\nfunctions: 1-3\ndimensions: [2, 3]\ninstances: 1-2\nbudget: 10\n"
        "workers: 0\noptimizers: [{use: 'mine.py:solve', parameters: {start: [1, 2]}}]\n"
    )
    code, out, err = cli("run", file)
    assert code == 1
    lines = err[err.index("24 of 24 runs failed:") :].splitlines()
    assert len(lines) == 4, lines
    assert lines[1].startswith("  mine.py:solve[start=1], mine.py:solve[start=2] (12 runs): ")
    assert sorted(("ValueError" in line, "RuntimeError" in line) for line in lines[1:3]) == [
        (False, True), (True, False),
    ]  # fmt: skip
    assert max(map(len, out.splitlines())) <= 80
    words = lines[3].removeprefix("all errors: firsthit ").split()
    code, listed, _ = cli(*words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(listed)))
    assert (code, len(rows)) == (0, 24)
    assert {row["status"] for row in rows} == {"failed"}
    assert sum("step 0.2857142857142857 is too small" in row["error"] for row in rows) == 4
    code, out, _ = cli("status", file)
    assert (code, "complete: 24 runs, 24 failed" in out) == (0, True)
    assert "no coordinator" not in out


def test_status_of_a_campaign_that_ended_says_that_it_is_complete(cli, campaign):
    assert cli("run", campaign)[0] == 0
    out = cli("status", campaign)[1]
    assert "\ncomplete: 12 runs\n" in out
    assert "no coordinator" not in out
    assert "failed and timed out" not in out


def test_status_of_a_log_of_a_loop_offers_no_command_of_campaigns(cli, tmp_path):
    path = tmp_path / "loop.h5"

    def fail():
        with Observer(path, "mine") as observer:
            for problem in observer(Suite("bbob", functions=1, dimensions=2, instances=1)):
                problem(problem.initial_solution)
                raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    code, out, _ = cli("status", path)
    assert code == 0
    assert "the plan is unknown: a loop has none" in out
    assert "--retry-failed" not in out


def test_a_loop_and_a_campaign_with_different_algorithms_of_one_name(cli, campaign, tmp_path):
    cli("run", campaign, "-o", tmp_path / "campaign.h5")
    with Observer(tmp_path / "loop.h5", "lbfgs") as observer:
        for problem in observer(Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    code, _, err = cli("assess", "art", tmp_path / "campaign.h5", tmp_path / "loop.h5")
    assert code == 2
    assert 'use was "scipy:L-BFGS-B", is not set. Give one of the algorithms another name' in err


def test_what_optimizers_print_does_not_reach_stdout(cli, folder):
    (folder / "loud.py").write_text("def solve(f):\n    print('LOUD')\n    f(f.initial_solution)\n")
    file = folder / "loud.yaml"
    file.write_text(GOOD + "optimizers: ['loud.py:solve']\n")
    _, out, err = cli("run", file, "--workers", 0)
    assert "LOUD" not in out
    assert "LOUD" in err


def test_merge(cli, campaign):
    cli("run", campaign, "--output", "a.h5")
    cli("run", campaign, "--output", "b.h5", "--repetitions", "2")
    code, out, _ = cli("merge", "a.h5", "b.h5", "--output", "c.h5")
    assert (code, out) == (0, "c.h5\n")
    code, _, err = cli("merge", "a.h5", "b.h5")
    assert code == 2
    assert "--output" in err
    assert cli("merge", "none.h5", "--output", "d.h5")[0] == 2


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--budget", "1e3 ** D", "option --budget: budget '1e3 ** D' is not understood"),
        ("--workers", "two", "option --workers: workers must be a whole number from 0 to 4096"),
        ("--seed", "-3", "option --seed: seed must be a whole number >= 0; got '-3'"),
        ("--seed", "x", "'x' is not a valid integer"),
        ("--repetitions", "0", "option --repetitions: repetitions must be a whole number >= 1"),
        ("--output", "a.txt", "option --output: output must end in .h5"),
        ("--timeout", "0", "option --timeout: timeout must be a number > 0"),
    ],
)
def test_wrong_options(cli, campaign, option, value, sentence):
    code, _, err = cli("run", campaign, option, value)
    assert code == 2
    assert sentence in err
    assert "Traceback" not in err


def test_an_unwritable_folder_is_told_before_anything_runs(cli, campaign, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, err = cli("run", campaign, "--output", "file/log.h5")
    assert code == 2
    assert "cannot write the log" in err
    assert "file/log.h5'" in err
    assert " runs" not in err


def test_ready_campaigns_can_be_planned():
    assert set(ready_campaigns()) >= {"quickstart", "bbob"}
    quickstart = load_campaign("quickstart")
    assert len(plan(quickstart)) == 24 * 2 * 5 * 3
    ladder = plan(load_campaign("bbob"))
    assert len(ladder) == 24 * 6 * 15 * 13
    assert [run.stage for run in ladder] == sorted(run.stage for run in ladder)
    assert all(not ref.use.startswith("cma") for ref in quickstart.optimizers)


OF_ONE_SUITE = sorted({*ready_campaigns()} & {*suite_names()} - {"bbob"})


def test_most_suites_have_a_ready_campaign():
    assert len(OF_ONE_SUITE) >= 9


@pytest.mark.parametrize("name", OF_ONE_SUITE)
def test_suites_have_a_ready_campaign_of_their_name(name):
    runs = plan(load_campaign(name))
    assert {run.problem_id.suite for run in runs} == {name}
    assert 200 < len(runs) < 1000


def test_suites_are_listed_with_their_numbers_of_problems_indicators_and_final_targets(cli):
    rows = {row["suite"]: row for row in json.loads(cli("suites", "--format", "json")[1])}
    assert rows["bbob-mixint"] == {
        "suite": "bbob-mixint", "version": "1", "functions": "1-24",
        "dimensions": "5, 10, 20, 40, 80, 160", "instances": "1-15", "problems": "2160",
        "indicator": "best-feasible", "final target": "1e-08",
    }  # fmt: skip
    assert {"bbob", "bbob-boxed", "bbob-largescale", "ma-bbob"} <= set(rows)
    assert rows["bbob-noisy"]["indicator"] == "noise-free"
    assert rows["bbob-constrained"]["problems"] == "4860"
    assert rows["bbob-biobj-mixint"]["problems"] == rows["bbob-biobj-ext"]["problems"] == "8280"
    assert rows["bbob-biobj"]["indicator"] == "hypervolume"
    assert rows["bbob-biobj"]["final target"] == "none"
    assert rows["bbob-constrained-active-only"]["final target"] == "1e-08"
    assert (rows["pbo"]["indicator"], rows["pbo"]["final target"]) == ("unscaled", "0")


def test_every_key_is_described_beside_the_ready_campaigns(cli):
    keys = json.loads(cli("schema")[1])["properties"]
    text = (next(iter(ready_campaigns().values())).parent / "README.md").read_text()
    assert all(f"`{key}`" in text for key in keys)


def test_the_indicator_is_checked_shown_and_kept(cli, campaign):
    code, _, err = cli("check", campaign, "--indicator", "unheard of")
    assert code == 2
    assert "option --indicator: unknown indicator 'unheard of'. Known: " in err
    assert "that of each suite" in cli("check", campaign)[1]
    campaign.write_text(campaign.read_text() + "indicator: best-feasible\n")
    assert "indicator: best-feasible" in cli("check", campaign)[1]
    assert load_campaign(campaign).header().campaign["indicator"] == "best-feasible"
    assert load_campaign("quickstart").header().campaign["indicator"] is None


def test_another_indicator_is_another_campaign(cli, campaign):
    campaign.write_text(campaign.read_text() + "indicator: best-feasible\n")
    assert cli("run", campaign)[0] == 0
    campaign.write_text(campaign.read_text().replace("indicator:", "tuning:"))
    code, _, err = cli("run", campaign)
    assert code == 2
    assert "indicator was " in err


def test_workers_are_all_processors_unless_said_otherwise(cli, campaign):
    assert load_campaign(campaign).workers == 0
    assert load_campaign(campaign, {"workers": 0}).executor_config.is_in_process
    campaign.write_text(campaign.read_text().replace("workers: 0\n", ""))
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    assert load_campaign(campaign).workers == processors
    assert "none, runs are made in the process" in cli("check", campaign, "--workers", 0)[1]
    code, out, _ = cli("run", campaign, "--workers", 0)
    assert (code, "pairs solved within" in out) == (0, True)


def test_a_relative_path_of_a_campaign_is_made_absolute(campaign, monkeypatch, tmp_path):
    """A worker may have been started elsewhere."""
    monkeypatch.chdir(campaign.parent)
    campaign.write_text(GOOD + "optimizers: ['toy.py:walk']\n")
    loaded = load_campaign(campaign.name)
    monkeypatch.chdir(tmp_path)
    assert loaded.folder == str(campaign.parent)
    made(loaded, runs=slice(1))
    assert read_log(loaded.output).runs.status.tolist() == ["budget"]
