"""Campaigns on two objectives: in workers, killed and resumed, archives included."""

import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.runner import CampaignError, execute, load_campaign, open_log, plan

WALK = """
import os
import signal
import numpy as np

def points_of(problem, rng):
    low, high = np.maximum(problem.lower_bounds, -5), np.minimum(problem.upper_bounds, 5)
    return low + rng.random((60, problem.dimension)) * (high - low)

def single(problem, rng):
    for x in points_of(problem, rng):
        problem(x)

def killed(problem, rng):
    for count, x in enumerate(points_of(problem, rng)):
        if count == 35:
            os.kill(os.getpid(), signal.SIGKILL)
        problem(x)
"""
CAMPAIGN = """
suites:
  - {{name: bbob-biobj, functions: "1,20,55", dimensions: [2], instances: 1-2}}
  - {{name: bbob-biobj-mixint, functions: "12,70", dimensions: [5], instances: 1-2}}
optimizers:
  - {{name: walk, use: walk.py:{kind}}}
budget: 50
restarts: 0
workers: {workers}
archive: {archive}
output: {output}
"""
TABLES = ("hits", "trajectory", "best_solution", "archive", "objectives")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "walk.py").write_text(WALK)
    return folder


def campaign_of(folder, kind, workers, archive="all"):
    name = f"{kind}{workers}{archive}"
    text = CAMPAIGN.format(kind=kind, workers=workers, archive=archive, output=f"{name}.h5")
    (folder / f"{name}.yaml").write_text(text)
    return load_campaign(folder / f"{name}.yaml", {"output": str(folder / f"{name}.h5")})


def log_of(folder, *options, every=1):
    campaign = campaign_of(folder, *options)
    with open_log(campaign.output, campaign.header(), resume=False) as writer:
        execute(plan(campaign)[::every], writer, campaign.executor_config)
    return read_log(campaign.output)


@pytest.fixture(scope="module")
def calm(folder):
    return log_of(folder, "single", 0)


def content(log):
    """All that is known of each run but its times and the names of optimizers, by problem."""
    columns = (
        "suite", "function", "dimension", "instance", "evaluations", "best_precision",
        "reference_value", "reference_name", "status",
    )  # fmt: skip
    return [
        (
            *(log.runs[name][run] for name in columns),
            *(getattr(log, t)(run).tobytes() for t in TABLES),
        )
        for run in range(len(log))
    ]


@pytest.mark.slow
def test_a_killed_worker_keeps_what_the_archive_had(folder, calm):
    for archive in ("all", "final"):
        log = log_of(folder, "killed", 2, archive, every=5)
        assert len(log) == 2
        assert set(log.runs.status.tolist()) == {"failed"}
        assert set(log.runs.evaluations.tolist()) == {35}
        for run in range(2):
            problem = problem_of(log, run)
            same = next(row for row in range(10) if problem_of(calm, row) == problem)
            before = calm.archive(same)[calm.archive(same).evaluation <= 35]
            kept = before if archive == "all" else before[is_final_member(before)]
            assert log.archive(run).tolist() == kept.tolist()
            assert 0 < len(kept) < len(before) or archive == "all"
            hits = calm.hits(same)
            assert log.hits(run).tolist() == hits[hits.evaluation <= 35].tolist()


def problem_of(log, run):
    return [log.runs[name][run] for name in ("suite", "function", "dimension", "instance")]


def is_final_member(archive):
    """Return for each point of an archive whether no later point is as good in both objectives."""
    points = list(zip(archive["y1"], archive["y2"], strict=True))
    return [
        not any(later[0] <= y1 and later[1] <= y2 for later in points[number + 1 :])
        for number, (y1, y2) in enumerate(points)
    ]


def interrupted(campaign, runs):
    with open_log(campaign.output, campaign.header(), True) as log:
        execute(runs, log, 0)
        raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupted_campaign_continues_with_the_same_log(folder, calm):
    campaign = campaign_of(folder, "single", 2)
    runs = plan(campaign)
    with pytest.raises(KeyboardInterrupt):
        interrupted(campaign, runs[:4])
    assert len(read_log(campaign.output)) == 4
    with open_log(campaign.output, campaign.header(), True) as log:
        assert execute(runs, log, campaign.executor_config).finished == 6
    assert content(read_log(campaign.output)) == content(calm)


def test_what_is_kept_of_archives_must_stay(folder, calm):
    campaign = campaign_of(folder, "single", 0, "final")
    with pytest.raises(CampaignError, match='archive was "all", is "final"'):
        open_log(folder / "single0all.h5", campaign.header(), True)


def test_benchmark_takes_two_objectives(tmp_path):
    def solve(problem, rng):
        assert problem(problem.initial_solution).shape == (2,)
        assert problem(rng.uniform(-5, 5, (30, problem.dimension))).shape == (30, 2)

    results = firsthit.benchmark(
        solve, "bbob-biobj", functions=1, dimensions=2, instances="1-2", archive="final"
    )
    log = results.log
    assert log.runs.evaluations.tolist() == [31, 31]
    assert log.runs.archive_kept.tolist() == ["final", "final"]
    assert len(log.archive(0)) > 0
    assert set(log.runs.status.tolist()) == {"terminated"}


def test_what_was_recommended_on_two_objectives_has_no_precision():
    def solve(problem):
        problem(problem.initial_solution)
        problem.recommend(problem.initial_solution)

    results = firsthit.benchmark(solve, "bbob-biobj", functions=1, dimensions=2, instances=1)
    with pytest.raises(firsthit.FirsthitError, match="one has no precision of its own"):
        firsthit.load(results.log.files, recommended=True).art()
