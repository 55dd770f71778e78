"""What installed packages add is found by entry points; a dist-info folder on the path is one."""

import sys

import pytest

import firsthit
from firsthit.suites.errors import SuiteError, UnknownNameError

SOURCE = """
import firsthit

@firsthit.register_suite("of-a-package", functions=1, dimensions=2, instances=1)
def suite(function, dimension, instance):
    return firsthit.problem_from(lambda x: float(x @ x), dimension, instance=instance,
                                 optimal_value=0.0, optimal_solution=[0.0] * dimension)

def halving(problem):
    x = problem.initial_solution + 1.0
    while True:
        problem(x)
        x = x / 2
"""
POINTS = """
[firsthit.suites]
of-a-package = module_of_a_package
broken = module_that_is_not_there
[firsthit.optimizers]
halving = module_of_a_package:halving
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    info = tmp_path / "added-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (tmp_path / "module_of_a_package.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "module_of_a_package", raising=False)


def test_suites_and_optimizers_of_packages_are_listed_without_importing_them(package, cli):
    for command, name in (("suites", "of-a-package"), ("optimizers", "halving")):
        said = cli(command)[1]
        assert f"of an installed package: {name}" in said.splitlines()
    assert "module_of_a_package" not in sys.modules


def test_a_suite_and_an_optimizer_of_a_package_are_run_by_name(package, monkeypatch):
    with pytest.raises(SuiteError, match="'broken': importing 'module_that_is_not_there' ends in"):
        firsthit.Suite("broken")
    with pytest.raises(UnknownNameError, match="Did you mean 'of-a-package'"):
        firsthit.Suite("of-a-packag")
    log = firsthit.benchmark("halving", "of-a-package", budget=200).log
    assert log.runs.algorithm.tolist() == ["halving"]
    assert log.runs.suite.tolist() == ["of-a-package"]
    assert log.runs.status.tolist() == ["target"]
    monkeypatch.delitem(sys.modules, "module_of_a_package")
