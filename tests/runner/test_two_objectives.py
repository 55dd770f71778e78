"""Built-in optimizers on two objectives: within the budget, and told before the run what fits."""

import importlib.util

import numpy as np
import pytest

from firsthit.runner import OptimizerError
from firsthit.suites import problem_from

from .. import tiny_suites
from .built_in import OPTIMIZERS, handles, has_objectives
from .conftest import benchmark, run_with

NOT_HERE = ("optuna:GP",)
OF_TWO = [name for name in OPTIMIZERS if has_objectives(name, 2) and name not in NOT_HERE]
BUDGET = 240

pytestmark = [
    pytest.mark.filterwarnings("default:::nevergrad"),
    pytest.mark.filterwarnings("default:::pymoo"),
    pytest.mark.filterwarnings("default:::cma"),
]


class Counted:
    """Two spheres that keep the points they were asked for."""

    def __init__(self):
        self.points = []

    def __call__(self, x):
        self.points.append(np.array(x))
        return tiny_suites.two_spheres(x)

    def batch(self, points):
        return np.array([self(x) for x in points])

    def problem(self, **facts):
        made = problem_from(
            self, 2, objectives=2, batch=self.batch, reference_value=1.0, lower_bounds=-2.0,
            upper_bounds=3.0, **facts,
        )  # fmt: skip
        self.points.clear()
        return made


def run(name, problem, budget=BUDGET, **rules):
    rules |= {"indicator": "tiny-sum", "final_target": False}
    return run_with(name, budget, problem=problem, **rules)


def test_there_are_many():
    assert len(OF_TWO) >= 15
    assert len({name.partition(":")[0] for name in OF_TWO if ":" in name}) >= 5


@pytest.mark.parametrize("name", [n for n in OF_TWO if handles(n, "integers")])
def test_who_knows_integers_evaluates_integers(name):
    counted = Counted()
    run(name, counted.problem(integer_variables=1))
    first = np.array(counted.points)[:, 0]
    assert (first == np.round(first)).all()


@pytest.mark.parametrize("name", OF_TWO)
def test_the_budget_is_spent_and_a_run_repeats_and_depends_on_its_seed(name):
    points = []
    for seed, budget in ((4, BUDGET), (4, BUDGET), (5, 20)):
        counted = Counted()
        record = run(name, counted.problem(), budget, seed=seed)
        assert (record.status, record.evaluations) == ("budget", budget), record.error
        assert len(counted.points) == budget
        assert record.best_precision < 0.5 or budget < BUDGET
        points.append(np.array(counted.points))
    assert np.array_equal(points[0], points[1])
    assert not np.array_equal(points[0][:20], points[2])


@pytest.mark.parametrize(
    ("name", "suite", "sentence"),
    [
        ("cma:CMA-ES", "tiny-two",
         "optimizer 'cma:CMA-ES' takes one objective, suite 'tiny-two' has two objectives; use one "
         "that takes two objectives, such as pymoo:NSGA2"),
        ("pymoo:NSGA2", "bbob",
         "optimizer 'pymoo:NSGA2' takes two objectives, suite 'bbob' has one objective; use one "
         "that takes one objective, such as scipy:Nelder-Mead"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_before_the_run(name, suite, sentence):
    with pytest.raises(OptimizerError) as caught:
        benchmark(name, suite, budget=100)
    assert str(caught.value).startswith(sentence)


def test_a_package_that_is_missing_is_told_before_the_run(cli, tmp_path, monkeypatch):
    """The Gaussian process of optuna needs torch, on one objective and on two."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "torch" else find(name, *a)
    )
    sentence = "optimizer 'optuna:GP' needs the package 'torch': pip install torch"
    with pytest.raises(OptimizerError) as caught:
        benchmark("optuna:GP", "bbob-biobj", dimensions=2, budget=5)
    assert str(caught.value) == sentence
    file = tmp_path / "gp.yaml"
    file.write_text("suite: bbob-biobj\noptimizers: ['optuna:GP']\nbudget: 5\n")
    code, _, told = cli("run", file)
    assert code == 2
    assert f"gp.yaml:2:14: {sentence}\n" in told
    code, shown, _ = cli("doctor", "optuna:GP")
    assert code == 0
    assert "pip install torch" in shown


def test_a_callable_gets_both_values():
    shapes = []

    def solve(problem, x0):
        assert problem.number_of_objectives == 2
        shapes.append(problem(x0).shape)
        shapes.append(problem(np.array([x0] * 3)).shape)

    benchmark(solve, "tiny-two", dimensions=2, instances=1, restarts=0)
    assert shapes == [(2,), (3, 2)]
