"""Integers and constraints reach optimizers that know them; others are refused before the run."""

from __future__ import annotations

import numpy as np
import pytest

import firsthit
from firsthit.loggers import ObservedProblem, read_log
from firsthit.runner import OptimizerError
from firsthit.suites import Suite, problem_from, register_suite, suite_names

from .built_in import OPTIMIZERS, handles, has_objectives, list_with
from .conftest import benchmark, run_with

NOT_HERE = ("optuna:GP", "nevergrad:NGOpt")
"""Needs torch; fails on NumPy 2.4."""

HERE = [name for name in OPTIMIZERS if has_objectives(name, 1) and name not in NOT_HERE]
WITH_INTEGERS = [
    name for name in HERE if handles(name, "integers") and OPTIMIZERS[name]["bits"] != "only"
]
WITH_CONSTRAINTS = [name for name in HERE if handles(name, "constraints")]
WITHOUT_CONSTRAINTS = ("scipy:Nelder-Mead", "nevergrad:DE", "cmaes:CMA", "nlopt:LN_SBPLX",
                       "pybobyqa:solve", "pygmo:de", "pymoo:CMAES", "optuna:CMA-ES")  # fmt: skip
MIXINT = Suite("bbob-mixint", 1, 5, 1)
CONSTRAINED = Suite("bbob-constrained", 1, 2, 1)


def shifted(x):
    return float(((x - 2) ** 2).sum()) + 100


def sum_at_most_one(x):
    """Twice, of variables and of integers; the middle of the region is outside."""
    return [x.sum() - 1, x[0] - 1.5]


def sphere(dimension=3, constraint=sum_at_most_one, **facts):
    return problem_from(
        shifted, dimension, lower_bounds=-3.0, upper_bounds=5.0, constraint=constraint,
        number_of_constraints=2, optimal_value=100.0, **facts,
    )  # fmt: skip


def run(use, problem, budget, **parameters):
    return run_with(use, budget, problem=problem, parameters=parameters)


@pytest.fixture
def points(monkeypatch):
    """All points at which an optimizer evaluates its problem."""
    seen = []
    evaluate = ObservedProblem.__call__

    def keep(self, x):
        seen.extend(np.atleast_2d(np.array(x, dtype=float)))
        return evaluate(self, x)

    monkeypatch.setattr(ObservedProblem, "__call__", keep)
    return seen


def test_at_least_ten_know_integers_and_ten_constraints():
    assert len(WITH_INTEGERS) >= 10
    assert len(WITH_CONSTRAINTS) >= 10
    assert not any(handles(name, "constraints") for name in WITHOUT_CONSTRAINTS)


@pytest.mark.parametrize("use", WITH_INTEGERS)
def test_integers_are_handed_as_integers(use, points):
    record = run(use, MIXINT, 60)
    assert record.status in ("budget", "target"), record.error
    assert record.evaluations <= 60
    integers = np.array(points)[:, :4]
    assert (integers == np.floor(integers)).all()
    assert (integers >= 0).all() or use.startswith("cma:")  # searches without bounds
    assert len(np.unique(integers, axis=0)) > 3


@pytest.mark.parametrize("use", WITH_CONSTRAINTS)
def test_constraints_are_handed_and_lead_to_feasible_points(use):
    record = run(use, sphere(), 250)
    assert record.status in ("budget", "target", "terminated"), record.error
    assert record.evaluations <= 250
    assert (record.evaluations_constraints > 0) == (use != "random-search")
    assert np.isfinite(record.best_precision)
    assert max(sum_at_most_one(record.best_solution)) <= 0


@pytest.mark.parametrize("use", WITH_CONSTRAINTS)
def test_a_budget_of_f_and_g_is_kept(use):
    record = run(use, CONSTRAINED, "60 f+g")
    assert record.status in ("budget", "target", "terminated"), record.error
    assert record.evaluations + record.evaluations_constraints <= 60
    assert np.isfinite(record.best_precision)


@pytest.mark.parametrize("use", ["cma:CMA-ES", "nevergrad:OnePlusOne", "optuna:TPE", "pymoo:GA"])
def test_integers_and_constraints_together(use, points):
    record = run(use, sphere(integer_variables=2), 150)
    assert record.status == "budget", record.error
    assert np.isfinite(record.best_precision)
    integers = np.array(points)[:, :2]
    assert (integers == np.floor(integers)).all()


@pytest.mark.parametrize("parameters", [{}, {"vectorized": True}])
def test_differential_evolution_ends_where_nothing_is_feasible(parameters):
    """It evaluates feasible points only: no budget of evaluations would ever end it."""
    record = run(
        "scipy:differential_evolution", sphere(2, lambda x: [1.0 + x @ x, 1.0]), 100,
        popsize=5, **parameters,
    )  # fmt: skip
    assert record.status == "failed"
    assert "returned without evaluating" in record.error


def test_cobyqa_evaluates_the_constraints_once_at_each_point(monkeypatch):
    seen = []
    evaluate = ObservedProblem.constraint

    def keep(self, x):
        seen.append(tuple(x))
        return evaluate(self, x)

    monkeypatch.setattr(ObservedProblem, "constraint", keep)
    record = run("scipy:COBYQA", sphere(), 100)
    assert record.evaluations_constraints == len(seen) == len(set(seen))


@pytest.mark.parametrize("use", WITHOUT_CONSTRAINTS)
def test_who_knows_no_constraints_is_refused_before_the_run(use, tmp_path):
    sentence = (
        f"optimizer '{use}' does not know constraints, suite 'bbob-constrained' has them; use"
    )
    with pytest.raises(OptimizerError, match=sentence):
        benchmark(use, "bbob-constrained", budget=10, output=tmp_path / "log.h5")
    assert not (tmp_path / "log.h5").exists()
    with pytest.raises(OptimizerError, match=sentence):
        firsthit.score(use, "bbob-constrained", budget=10)


@pytest.mark.parametrize("use", ["scipy:Powell", "optuna:CMA-ES", "scipy:direct"])
def test_with_a_penalty_it_runs_and_the_log_says_so(use, tmp_path):
    log = benchmark(
        use, "bbob-constrained", functions=1, dimensions=2, instances=1, budget="60 f+g",
        parameters={"penalty": 100}, output=tmp_path / "log.h5",
    )  # fmt: skip
    assert (log.runs.evaluations + log.runs.evaluations_constraints).tolist() == [60]
    assert log.runs.evaluations.tolist() == [30]
    notes = log.notes_of(0)
    assert set(notes["name"].tolist()) == {b"penalty_weight"}
    assert set(notes["value"].tolist()) == {100.0}
    assert read_log(tmp_path / "log.h5").header_of(0)["algorithms"][use]["parameters"] == {
        "penalty": 100
    }


def test_without_constraints_a_penalty_changes_nothing():
    one, other = (run("scipy:Nelder-Mead", Suite("bbob", 1, 2, 1), 50, **given)
                  for given in ({}, {"penalty": 3.0}))  # fmt: skip
    assert one.best_precision == other.best_precision
    assert other.evaluations_constraints == 0


@pytest.mark.parametrize("penalty", [-1, 0, "much", True, float("inf")])
def test_a_penalty_that_is_none(penalty):
    with pytest.raises(OptimizerError, match="penalty must be a number > 0; got"):
        benchmark("scipy:Powell", "bbob-constrained", budget=10, parameters={"penalty": penalty})


def test_who_knows_constraints_takes_no_penalty():
    with pytest.raises(OptimizerError, match="unknown parameter 'penalty'"):
        benchmark("scipy:SLSQP", "bbob", budget=10, parameters={"penalty": 1})


def test_a_campaign_says_where(cli, tmp_path):
    (tmp_path / "c.yaml").write_text(
        "suite: bbob-constrained\nfunctions: 1\ndimensions: 2\ninstances: 1\nbudget: 20\n"
        "optimizers:\n  - scipy:SLSQP\n  - scipy:TNC\n"
        "  - {use: cmaes:CMA, parameters: {penalty: -2}}\n"
    )
    code, _, err = cli("run", "c.yaml")
    assert code == 2
    assert "c.yaml:8:5: optimizer 'scipy:TNC' does not know constraints" in err
    assert "c.yaml:9:35: optimizer 'cmaes:CMA': penalty must be a number > 0; got -2" in err
    assert "SLSQP'" not in err
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("name", list_with("suites"))
def test_suites_declare_the_properties_of_their_problems(name, cli, tmp_path):
    """Optimizers are refused by the declaration of a suite, before a problem is made."""
    (tmp_path / "c.yaml").write_text(f"suite: {name}\noptimizers: ['scipy:TNC']\nbudget: 20\n")
    message = cli("check", "c.yaml")[2]
    suite = Suite(name)
    first = Suite(name, suite.functions[0], suite.dimensions[0], suite.instances[0])[0]
    assert ("does not know constraints" in message) == (first.number_of_constraints > 0)
    assert ("has two objectives" in message) == (first.number_of_objectives == 2)


def test_problems_and_suites_of_users_are_looked_at():
    if "suit-users" not in suite_names():

        @register_suite("suit-users", functions=1, dimensions=[2, 3])
        def users(function, dimension, instance):
            return sphere(dimension)

    sentence = "'scipy:CG' does not know constraints, suite 'suit-users' has them"
    with pytest.raises(OptimizerError, match=sentence):
        benchmark("scipy:CG", "suit-users", dimensions=3, budget=5)
    with pytest.raises(OptimizerError, match="'scipy:CG' does not know constraints, problem '"):
        benchmark("scipy:CG", [sphere(2)], budget=5)


def test_optimizers_of_users_are_never_refused():
    def once(problem):
        problem(problem.initial_solution)

    log = benchmark(once, "bbob-constrained", functions=1, dimensions=2, instances=1, budget=1)
    assert log.runs.evaluations.tolist() == [1]
