# ruff: noqa: E501
"""Restart schemes, and what the log keeps of restarts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.runner import CampaignError, RestartScheme, load_campaign, plan

from .conftest import benchmark, run_with, shifted_sphere


def swept(problem, x0, popsize, step=1.0, given=None):
    """Spends ``popsize`` evaluations; says with what."""
    for _ in range(popsize):
        problem(x0)
    return f"popsize {popsize}, step {step}"


def test_a_sweep_multiplies_at_each_restart():
    scheme = RestartScheme(4, {"popsize": 2, "step": 0.5})
    record = run_with(swept, 1000, parameters={"popsize": 3, "step": 1}, restarts=scheme)
    assert record.restarts["evaluation"].tolist() == [3, 9, 21, 45]
    assert [text.decode() for text in record.restarts["reason"]] == [
        "popsize 3, step 1", "popsize 6, step 1", "popsize 12, step 1", "popsize 24, step 1",
    ]  # fmt: skip
    assert (record.status, record.evaluations) == ("terminated", 93)
    assert record.error == "popsize 48, step 1"


def test_a_sweep_goes_on_until_the_budget_is_spent():
    scheme = RestartScheme(None, {"popsize": 2})
    record = run_with(swept, 100, parameters={"popsize": 10}, restarts=scheme)
    assert record.restarts["evaluation"].tolist() == [10, 30, 70]
    assert (record.status, record.evaluations) == ("budget", 100)


@given(
    st.integers(-5, 10**6) | st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e3),
    st.integers(0, 400),
)
def test_numbers_stay_of_their_kind_and_finite(value, factor, start):
    """Against the product taken in one step with Python's unlimited integers and fractions."""
    from fractions import Fraction

    got = RestartScheme(None, {"p": factor}).parameters({"p": value, "q": "x"}, start)
    assert got["q"] == "x"
    exact = Fraction(value) * Fraction(factor) ** start
    limited = max(Fraction(-(2**53)), min(Fraction(2**53), exact))
    assert type(got["p"]) is type(value)
    if isinstance(value, int):
        least = 1 if value >= 1 else -(2**53)
        assert got["p"] >= least
        assert abs(got["p"] - max(limited, least)) <= 1 + abs(limited) / 10**10
    else:
        assert got["p"] == pytest.approx(float(limited), rel=1e-10, abs=1e-300)


def test_an_integer_of_numpy_grows_as_one_of_python():
    scheme = RestartScheme(9, {"popsize": 2})
    assert scheme.parameters({"popsize": np.int64(6)}, 1) == {"popsize": 12}


def test_from_a_campaign_file_an_optimizer_has_its_own_scheme(folder):
    file = folder / "sweep.yaml"
    file.write_text(
        "imports: [toy.py]\nsuite: runner-toy\nfunctions: 1\ndimensions: 2\ninstances: 1\n"
        "budget: 10\nrestarts: 2\noptimizers:\n  - random-search\n"
        "  - {use: 'toy.py:walk', parameters: {step: [0.5, 1]}, restarts: {most: 3, multiply: {step: 2}}}\n"
    )
    campaign = load_campaign(file)
    runs = {run.optimizer.name: run for run in plan(campaign)}
    assert runs["random-search"].restarts == RestartScheme(2)
    own = RestartScheme(3, {"step": 2.0})
    assert runs["toy.py:walk[step=0.5]"].restarts == own
    assert own.parameters(runs["toy.py:walk[step=0.5]"].optimizer.parameters, 2) == {"step": 2.0}
    facts = campaign.header().algorithms["toy.py:walk[step=1]"]
    assert facts["restarts"] == {"most": 3, "multiply": {"step": 2.0}}
    assert campaign.header().campaign["restarts"] == 2


def test_from_benchmark():
    log = benchmark(
        swept, [shifted_sphere()], budget=100, parameters={"popsize": 5},
        restarts={"most": 2, "multiply": {"popsize": 3}},
    )  # fmt: skip
    assert log.restarts(0).evaluation.tolist() == [5, 20]
    assert log.runs.error[0] == "popsize 45, step 1.0"


def test_a_long_stop_message_is_cut():
    record = run_with(lambda f: (f(f.initial_solution), "x" * 5000)[1], None, restarts=1)
    assert record.error == record.restarts["reason"][0].decode() == "x" * 197 + "…"


def test_another_scheme_does_not_fit_the_log(tmp_path):
    call = {"optimizer": swept, "suite": [shifted_sphere()], "budget": 50}
    call |= {"parameters": {"popsize": 5}, "output": tmp_path / "a.h5", "resume": True}
    scheme = {"most": 2, "multiply": {"popsize": 3}}
    benchmark(**call, restarts=scheme)
    assert len(benchmark(**call, restarts=RestartScheme(2, {"popsize": 3}))) == 1
    with pytest.raises(CampaignError, match=r'restarts was {"most": 2, .*}, is 2'):
        benchmark(**call, restarts=2)


def test_own_restarts_and_the_runners_stand_side_by_side():
    def solve(problem, x0):
        for _ in range(2):
            for _ in range(10):
                problem(x0)
            problem.restart("stagnation")
        for _ in range(5):
            problem(x0)
        return "converged"

    record = run_with(solve, 60)
    reasons = [text.decode() for text in record.restarts["reason"]]
    assert record.restarts["evaluation"].tolist() == [10, 20, 25, 35, 45, 50, 60]
    assert reasons == [*["stagnation", "stagnation", "converged"] * 2, "stagnation"]
    assert [bool(seed) for seed in record.restarts["seed"]] == [r == "converged" for r in reasons]
    assert [bool(start) for start in record.restarts["start_hash"]] == [
        r == "converged" for r in reasons
    ]
    assert (record.status, record.evaluations) == ("budget", 60)


@pytest.mark.parametrize(
    ("budget", "restarts", "status", "said"),
    [
        (None, None, "terminated", "stop 0"),
        (None, 2, "terminated", "stop 2"),
        (1000, 2, "terminated", "stop 2"),
        (25, None, "budget", ""),
        (25, 9, "budget", ""),
    ],
)
def test_the_natural_stop_message_of_the_last_start_is_kept(budget, restarts, status, said):
    def solve(problem, x0, start):
        for _ in range(10):
            problem(x0)
        return f"stop {start}"

    record = run_with(solve, budget, restarts=restarts)
    assert (record.status, record.error) == (status, said)
