"""``isolation``: a process for each algorithm, or for each run; and who needs the latter."""

import json
import os
import subprocess
import sys

import cloudpickle
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.runner import (
    CampaignError,
    OptimizerError,
    load_campaign,
)
from firsthit.suites import problem_from

from .conftest import benchmark, log_content, made

OPTIMIZERS = """
import itertools, os, time
import numpy as np

generator = np.random.default_rng(1)
numbers = itertools.count()


def keeps_a_generator(problem):
    for _ in range(30):
        problem(generator.uniform(-5, 5, problem.dimension))


def repeats(problem, rng):
    for _ in range(30):
        problem(rng.uniform(-5, 5, problem.dimension))


def never_repeats(problem):
    for _ in range(30):
        problem(np.random.default_rng().uniform(-5, 5, problem.dimension))


def fails_in_dimension_3(problem, x0):
    problem(x0)
    if problem.dimension == 3:
        raise ValueError("too many")


def dies(problem, x0):
    problem(x0)
    os._exit(3)


def tells_its_process(problem, x0, folder):
    problem(x0)
    open(os.path.join(folder, f"{os.getpid()}-{problem.id}-{next(numbers)}"), "w").close()
"""
CAMPAIGN = """
imports: [{toy}]
suite: runner-toy
functions: 1
dimensions: [2, 3]
instances: 1-2
budget: 30
restarts: 0
optimizers:
"""


@pytest.fixture
def campaign(tmp_path, folder):
    (tmp_path / "mine.py").write_text(OPTIMIZERS)

    def write(*names, more=""):
        file = tmp_path / "campaign.yaml"
        uses = "".join(f"  - {{use: 'mine.py:{name}', name: {name}}}\n" for name in names)
        file.write_text(
            f"{CAMPAIGN.format(toy=folder / 'toy.py')}{uses}output: {tmp_path / 'log.h5'}\n{more}"
        )
        return file

    return write


def content_made(file, output, workers, isolation="algorithm"):
    options = {"output": str(output), "workers": workers, "isolation": isolation}
    loaded = load_campaign(file, options)
    made(loaded, loaded.executor_config)
    return log_content(output)


@pytest.mark.slow
def test_what_an_algorithm_keeps_from_run_to_run_is_kept_out_by_isolation_of_runs(
    campaign, tmp_path
):
    file = campaign("keeps_a_generator")
    logs = [content_made(file, tmp_path / f"{workers}.h5", workers, "run") for workers in (1, 2)]
    assert logs[0] == logs[1]
    assert content_made(file, tmp_path / "shared.h5", 1) != logs[0]


@pytest.mark.parametrize(("isolation", "processes"), [("algorithm", 1), ("run", 4)])
def test_how_many_processes_make_the_runs_of_an_algorithm(isolation, processes, campaign, tmp_path):
    (tmp_path / "there").mkdir()
    file = campaign()
    use = f"{{use: 'mine.py:tells_its_process', parameters: {{folder: {tmp_path / 'there'}}}}}"
    file.write_text(file.read_text().replace("optimizers:\n", f"optimizers: [{use}]\n"))
    content_made(file, tmp_path / "out.h5", 1, isolation)
    told = [path.name.split("-") for path in (tmp_path / "there").iterdir()]
    assert len(told) == 4
    assert len({pid for pid, *_ in told}) == processes


def test_runs_in_the_callers_process_cannot_be_isolated(campaign, cli):
    sentence = "isolation 'run' needs worker processes; with workers 0 all runs share"
    with pytest.raises(CampaignError, match=sentence):
        firsthit.benchmark("random-search", "bbob", budget=10, isolation="run")
    file = campaign("repeats", more="workers: 0\nisolation: run\n")
    with pytest.raises(CampaignError, match=rf"campaign.yaml:13:12: {sentence}"):
        load_campaign(file)
    code, _, err = cli("run", campaign("repeats"), "--workers", 0, "--isolation", "run")
    assert code == 2
    assert f"option --isolation: {sentence}" in err
    code, _, err = cli("run", campaign("repeats"), "--isolation", "runs")
    assert code == 2
    assert "Did you mean 'run'" in err


def sphere(x):
    return float((x**2).sum())


def keeps_a_count(problem):
    seen = sys.__dict__.setdefault("seen_by_this_test", [])
    seen.append(1)
    problem(np.full(problem.dimension, float(len(seen))))


@pytest.mark.parametrize(
    ("workers", "options", "expected"),
    [
        (0, (), "none"),
        pytest.param(1, (), "algorithm", marks=pytest.mark.slow),
        pytest.param(1, ("--isolation", "run"), "run", marks=pytest.mark.slow),
    ],
)
def test_the_log_and_the_status_say_what_a_process_was_for(
    workers, options, expected, campaign, cli, tmp_path
):
    file, output = campaign("repeats"), tmp_path / "out.h5"
    cli("run", file, "--workers", workers, "--output", output, *options)
    assert firsthit.load(output).log.headers[0]["campaign"]["isolation"] == expected
    assert f"isolation: {expected}" in cli("status", file, "--output", output)[1]
    assert json.loads(cli("status", output, "--format", "json")[1])["isolation"] == [expected]


@pytest.mark.slow
def test_isolation_of_benchmark():
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    problems = [problem_from(sphere, dimension, optimal_value=0.0) for dimension in (2, 3)]
    best = {}
    for isolation in ("algorithm", "run"):
        log = benchmark(
            keeps_a_count, problems, restarts=0, repetitions=2, workers=1, isolation=isolation
        )
        best[isolation] = sorted(log.runs.best_precision.tolist())
    assert best["run"] == [2.0, 2.0, 3.0, 3.0]
    assert best["algorithm"] != best["run"]


@pytest.mark.slow
def test_a_check_with_runs_tells_who_fails_who_repeats_and_what_depends_on_the_order(campaign, cli):
    names = ("keeps_a_generator", "repeats", "never_repeats", "fails_in_dimension_3", "dies")
    code, out, err = cli("check", campaign(*names), "--run", "--workers", 2)
    assert code == 1
    assert "20 runs, 600 evaluations at most" in out
    told = dict(line.split(": ", 1) for line in err.splitlines() if ": " in line)
    assert told["repeats"] == "repeats"
    assert told["keeps_a_generator"].startswith(
        "depends on the order (keeps_a_generator on runner-toy_"
    )
    assert "isolation: run gives each run a process of its own" in told["keeps_a_generator"]
    assert told["never_repeats"].startswith("does not repeat (never_repeats on runner-toy_")
    assert "ValueError: too many" in told["fails_in_dimension_3"]
    assert told["dies"].startswith("fails (worker process ended with exit code 3")


@pytest.mark.slow
def test_a_check_with_runs_is_content_with_isolation_of_runs(campaign, cli, tmp_path):
    file = campaign("keeps_a_generator", "repeats")
    code, _, err = cli("check", file, "--run", "--workers", 2, "--isolation", "run")
    assert code == 0
    assert "which isolation: run keeps out" in err
    assert not (tmp_path / "log.h5").exists()


class Bomb:
    def __reduce__(self):
        return os._exit, (3,)


@pytest.mark.slow
def test_what_ends_the_process_that_unpickles_it_is_told_before_anything_runs():
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    problem = problem_from(sphere, 2, optimal_value=0.0)
    with pytest.raises(OptimizerError, match=r"cannot load optimizer 'solve'.*exit code 3"):
        benchmark(
            lambda problem, x0, bomb: problem(x0), [problem], algorithm="solve",
            parameters={"bomb": Bomb()}, budget=10, workers=1,
        )  # fmt: skip


WITHOUT_FORK = """
import os, sys
for name in ("fork", "forkpty"):
    if hasattr(os, name):
        delattr(os, name)
if sys.argv[1:]:
    from firsthit.runner import execute, load_campaign, open_log, plan
    campaign = load_campaign(sys.argv[1])
    with open_log(campaign.output, campaign.header(), resume=False) as writer:
        print(execute(plan(campaign), writer, 2).finished)
"""


def test_nothing_needs_a_fork(campaign, tmp_path):
    """Neither the coordinator nor its workers, which import ``sitecustomize`` as it does."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT_FORK.partition("if sys.argv")[0])
    (tmp_path / "coordinate.py").write_text(WITHOUT_FORK)
    done = subprocess.run(
        [sys.executable, tmp_path / "coordinate.py", campaign("repeats")],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
    assert set(read_log(tmp_path / "log.h5").runs.error) == {""}
