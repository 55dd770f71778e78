"""Runs whose points are all NaN, or all outside the region of interest, are reported in a note."""

import pytest

OPTIMIZERS = """
import numpy as np


def nan(problem):
    for _ in range(20):
        problem(np.full(problem.dimension, np.nan))


def outside(problem, rng):
    for _ in range(20):
        problem(rng.uniform(6, 9, problem.dimension))


def inside(problem, rng):
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))
"""
CAMPAIGN = """
suite: bbob
functions: 1-2
dimensions: 2
instances: 1-3
optimizers: ["mine.py:nan", "mine.py:outside", "mine.py:inside"]
budget: 20
restarts: 0
workers: 0
output: out.h5
"""


@pytest.fixture
def campaign(tmp_path):
    (tmp_path / "mine.py").write_text(OPTIMIZERS)
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    return "c.yaml"


def test_run_and_tables_name_the_algorithms(campaign, cli):
    code, out, err = cli("run", campaign)
    outputs = [out + err]
    assert code == 0
    for question in ("summary", "art", "termination"):
        code, out, err = cli("assess", question, "out.h5")
        assert code == 0
        outputs.append(out + err)
    for output in (" ".join(output.split()) for output in outputs):  # lines are wrapped
        assert output.count("no finite value: 6 of 6 runs of mine.py:nan on bbob in 2-D") == 1
        assert output.count("best points of all 6 runs of mine.py:outside on bbob in 2-D") == 1
        assert "runs of mine.py:inside" not in output


@pytest.mark.slow
def test_check_run_names_the_algorithms(campaign, cli):
    code, _, err = cli("check", campaign, "--run")
    assert code == 0
    assert "mine.py:nan: repeats (no run saw a finite value: the points may be NaN)" in err
    assert "mine.py:outside: repeats (the best points of all short runs are outside" in err
    assert "mine.py:inside: repeats\n" in err
