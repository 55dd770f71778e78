"""What workers load before they are forked."""

import json
import subprocess
import sys

import pytest

from firsthit.runner import OptimizerRef, RunSpec
from firsthit.runner.executors.needs import Needs, needs_of
from firsthit.suites import ProblemId, problem_from

BBOB = [ProblemId("bbob", 1, 40, 1), ProblemId("bbob", 8, 2, 1)]
OWN = problem_from(lambda x: float(x @ x), 2)


def spec(problem, use="mine:solve"):
    return RunSpec(problem, OptimizerRef("a", use))


@pytest.fixture(autouse=True)
def _nothing_imported(monkeypatch):
    for name in ("numba", "scipy.optimize"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_one_problem_of_each_suite_of_ours():
    for problems in (BBOB, BBOB[::-1]):
        assert needs_of([spec(problem) for problem in problems]) == Needs((), (("bbob", 8, 2, 1),))
    assert needs_of([spec(OWN)]) == needs_of([]) == Needs()


def test_modules_of_built_in_optimizers_and_what_the_user_has_imported(monkeypatch):
    assert needs_of([spec(OWN, "scipy:Powell")]).modules == ("scipy.optimize",)
    monkeypatch.setitem(sys.modules, "numba", sys)
    assert needs_of([spec(OWN)]).modules == ("numba",)


def test_what_is_not_to_be_had_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "broken_module.py").write_text("raise ValueError('at import')")
    monkeypatch.syspath_prepend(tmp_path)
    Needs(
        ("no_such_module", "broken_module", "json"), (("nosuite", 1, 2, 1), ("bbob", 99, 2, 1))
    ).load()


def test_making_the_problem_loads_what_the_suite_needs():
    code = (
        "import sys, json; from firsthit.runner.executors.needs import Needs; "
        "before = set(sys.modules); "
        "Needs((), (('bbob', 1, 2, 1),)).load(); between = set(sys.modules); "
        "from firsthit.suites import problem_of; problem_of('bbob', 24, 5, 3); "
        "print(json.dumps([sorted(between - before), sorted(set(sys.modules) - between)]))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=200
    )
    loaded, late = json.loads(told.stdout)
    assert "numba" in loaded
    assert late == []
