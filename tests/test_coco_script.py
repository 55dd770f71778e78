"""A complete script for COCO runs when its import line is changed."""

import os
import subprocess
import sys

import pytest

import firsthit
from firsthit import coco

SCRIPT = """
import cocoex
import numpy as np
import scipy.optimize

BUDGET = 60
suite = cocoex.Suite("bbob", "instances: 1-2", "dimensions: 2,3 function_indices: 1,8")
observer = cocoex.Observer("bbob", "result_folder: nelder-mead algorithm_info: \\"by scipy\\"")
for problem in suite:
    problem.observe_with(observer)
    x0 = problem.initial_solution
    while problem.evaluations < BUDGET * problem.dimension and not problem.final_target_hit:
        left = BUDGET * problem.dimension - problem.evaluations
        scipy.optimize.fmin(problem, x0, maxfun=left, disp=False)
        width = problem.upper_bounds - problem.lower_bounds
        x0 = problem.lower_bounds + 0.5 * width
    print(problem.index, problem.id, problem.dimension, problem.evaluations,
          problem.final_target_hit, float(problem.best_observed_fvalue1))
print(len(suite))
"""


def ran(script, folder):
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if not line.startswith("COCO INFO")]


def test_it_prints_what_it_prints_with_cocoex(tmp_path):
    ours = ran(SCRIPT.replace("import cocoex", "from firsthit import coco as cocoex"), tmp_path)
    theirs = ran(SCRIPT, tmp_path)
    assert [line.split()[0] for line in ours] == [*"01234567", "8"]
    assert ours.pop() == theirs.pop()
    for a, b in zip(ours, theirs, strict=True):
        _, *facts, value = a.split()
        assert facts == b.split()[1:-1]  # cocoex's index counts filtered problems, too
        assert float(value) == pytest.approx(float(b.split()[-1]), rel=1e-12)
    log = firsthit.load(tmp_path / "exdata" / "nelder-mead.h5").log
    assert len(log) == 8
    assert log.algorithms == ("nelder-mead",)
    assert [int(line.split()[3]) for line in ours] == log.runs.evaluations.tolist()


def test_a_second_run_of_the_script_writes_a_second_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for expected in ("x.h5", "x-001.h5", "x-002.h5"):
        observer = coco.Observer("bbob", "result_folder: x")
        for problem in coco.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1"):
            problem.observe_with(observer)
            problem(problem.initial_solution)
        observer.close()
        assert observer.result_folder == os.path.join("exdata", expected)


def test_what_has_no_meaning_here_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(firsthit.FirsthitError, match=r"'result_foldr'. Did you mean 'result_fol"):
        coco.Observer("bbob", "result_foldr: x")
    with pytest.raises(firsthit.FirsthitError, match="must read 'name: value"):
        coco.Observer("bbob", "x")
    problem = next(iter(coco.Suite("bbob", "", "dimensions: 2")))
    problem(problem.initial_solution)
    with pytest.raises(firsthit.FirsthitError, match="evaluated 1 times before observe_with"):
        problem.observe_with(coco.Observer("bbob", "result_folder: x"))
