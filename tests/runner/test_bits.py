"""Optimizers of bits: what they do, and who is refused before the run."""

import numpy as np
import pytest

from firsthit.runner import OptimizerError
from firsthit.suites import Suite, problem_from

from .built_in import OPTIMIZERS, has_objectives
from .conftest import benchmark, run_with

NOT_HERE = ("optuna:GP", "nevergrad:NGOpt")
"""Needs torch; fails on NumPy 2.4."""

OURS = [name for name in OPTIMIZERS if name.startswith("bits:")]
OTHERS = [
    name
    for name, facts in OPTIMIZERS.items()
    if facts["bits"] != "no" and has_objectives(name, 1) and name not in (*OURS, *NOT_HERE)
]
REAL = ("scipy:Nelder-Mead", "cma:CMA-ES", "pymoo:CMAES", "pygmo:de", "nlopt:GN_DIRECT")


ONEMAX = Suite("pbo", 1, 16, 2)


def run(use, problem=ONEMAX, budget=1000, **parameters):
    return run_with(use, budget, problem=problem, parameters=parameters)


@pytest.mark.parametrize("use", OURS)
def test_ours_solve_onemax(use):
    record = run(use, Suite("pbo", 1, 64, 51), 20_000)
    assert (record.status, record.best_precision) == ("target", 0.0), record.error
    assert record.evaluations < 5000


@pytest.mark.parametrize("use", OURS)
def test_ours_go_on_until_the_budget_is_spent(use):
    problem = Suite("pbo", 23, 16, 1)
    one, other = (run_with(use, 777, problem=problem, final_target=False) for _ in range(2))
    assert (one.status, one.evaluations) == ("budget", 777), one.error
    assert one.same_outcome(other)


@pytest.mark.parametrize("use", OTHERS)
def test_others_take_bits_and_find_better_points(use):
    record = run(use, budget=150)
    assert record.status in ("budget", "target", "terminated"), record.error
    assert record.best_precision < 7


def test_local_search_flips_one_bit_at_a_time():
    seen = []

    def ones(x):
        seen.append(x)
        return -float(x.sum())

    run("bits:RLS", problem_from(ones, 20, bits=True), 60)
    steps = np.abs(np.diff(np.array(seen), axis=0)).sum(axis=1)
    assert len(seen) == 60
    assert set(steps.tolist()) <= {1.0, 2.0, 0.0}  # what was not kept is flipped back


def test_mutation_flips_one_bit_at_least():
    seen = []

    def worse_and_worse(x):
        seen.append(x)
        return float(len(seen))

    run("bits:OnePlusOneEA", problem_from(worse_and_worse, 20, bits=True), 400)
    flips = np.abs(np.array(seen[1:]) - seen[0]).sum(axis=1)
    assert flips.min() == 1
    assert 1.3 < flips.mean() < 1.9  # Bin(20, 1/20), not 0: 1.56


@pytest.mark.parametrize(
    ("use", "parameters", "sentence"),
    [
        ("bits:OnePlusOneEA", {"rate": 0}, r"rate must be a probability in \(0, 1\]; got 0"),
        ("bits:OnePlusLambdaEA", {"offspring": 0}, "offspring must be an integer >= 1; got 0"),
        ("bits:GA", {"population": 1}, "population must be an integer >= 2; got 1"),
        ("bits:UMDA", {"parents": 100}, "parents must be from 1 to population - 1, 99; got 100"),
        ("bits:cGA", {"size": 1.5}, "size must be an integer >= 1; got 1.5"),
    ],
)
def test_a_parameter_out_of_range_fails_the_run(use, parameters, sentence):
    with pytest.raises(AssertionError, match=sentence):
        raise AssertionError(run(use, **parameters).error)


@pytest.mark.parametrize("use", REAL)
def test_one_for_real_vectors_is_refused_before_the_run(use, tmp_path):
    sentence = f"optimizer '{use}' takes real vectors, the variables of suite 'pbo' are bits; use"
    with pytest.raises(OptimizerError, match=sentence):
        benchmark(use, "pbo", budget=10, output=tmp_path / "log.h5")
    assert not (tmp_path / "log.h5").exists()
    bits = problem_from(lambda x: float(x.sum()), 3, bits=True)
    with pytest.raises(OptimizerError, match=r"the variables of problem '.*' are bits"):
        benchmark(use, [bits], budget=10)


@pytest.mark.parametrize("use", [*OURS, "nevergrad:DiscreteOnePlusOne"])
def test_one_for_bits_is_refused_elsewhere(use):
    with pytest.raises(OptimizerError, match="takes bits, the variables of suite 'bbob-mixint'"):
        benchmark(use, "bbob-mixint", budget=10)


def test_an_optimizer_of_ones_own_is_told_which_bit_is_none():
    def halves(problem):
        problem(np.full(problem.dimension, 0.5))

    record = run(halves, budget=10)
    assert record.status == "failed"
    assert "pbo_f001_i02_d16: x[0] is 0.5; every variable is a bit, 0 or 1" in record.error
    assert record.evaluations == 0
