"""Two objectives, noise, constraints with integers: through campaign, workers, log and report."""

import contextlib
from pathlib import Path

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log

from .command_line import succeed

SUITES = Path(__file__).with_name("tiny_suites.py")
CAMPAIGN = """
imports: [{suites}]
suites:
  - {{name: tiny-two, dimensions: [2]}}
  - {{name: tiny-noise, dimensions: [2]}}
  - {{name: tiny-integers}}
optimizers:
  - {{name: mine, use: walk.py:walk}}
budget: 60 * dimension
workers: {workers}
output: {workers}.h5
"""
WALK = """
import numpy as np

def walk(problem, rng, budget):
    x = problem.initial_solution
    if problem.number_of_constraints:
        problem.constraint(x)
    problem(np.array([x, x]))
    low, high = problem.lower_bounds, problem.upper_bounds
    while True:
        problem(low + rng.random(len(x)) * (high - low))
"""


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """The log of the same campaign in the caller's process and in two workers."""
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "walk.py").write_text(WALK)
    for workers in (0, 2):
        file = folder / f"{workers}.yaml"
        file.write_text(CAMPAIGN.format(suites=SUITES.as_posix(), workers=workers))
        with contextlib.chdir(folder):
            succeed("run", file)
    return folder


def test_workers_make_the_same_log(logs):
    one, two = (read_log(logs / f"{workers}.h5") for workers in (0, 2))
    assert one.runs.key.tolist() == two.runs.key.tolist()
    assert set(one.runs.suite.tolist()) == {"tiny-two", "tiny-noise", "tiny-integers"}
    for run in range(len(one)):
        for table in ("hits", "trajectory", "best_solution"):
            assert getattr(one, table)(run).tobytes() == getattr(two, table)(run).tobytes()


def test_each_suite_is_measured_in_its_own_way(logs):
    log = read_log(logs / "2.h5")
    assert log.suites["tiny-two"].measurement.indicator == "tiny-sum"
    assert log.suites["tiny-two"].measurement.final_target is None
    assert log.suites["tiny-noise"].measurement.final_target == 0.01
    of_two = np.flatnonzero(log.runs.suite == "tiny-two")
    assert log.runs.best_precision[of_two].min() < 0
    assert np.isfinite(log.first_hits(of_two, [0.0, -0.1]).evaluations).any()
    constrained = log.runs.suite == "tiny-integers"
    assert set(log.runs.evaluations_constraints[constrained].tolist()) == {1}


def test_averages_profiles_and_the_report_take_them(logs):
    results = firsthit.load(logs / "2.h5")
    art = results.art()
    targets = art["target"][art["suite"] == "tiny-two"]
    assert targets.min() <= 0
    profile = results.ecdf()
    assert set(profile["suite"].tolist()) == {"tiny-two", "tiny-noise", "tiny-integers"}
    succeed("report", logs / "2.h5", "-o", logs / "page.html")
    assert "tiny-two" in (logs / "page.html").read_text(encoding="utf-8")
