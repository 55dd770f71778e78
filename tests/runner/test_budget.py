"""Budgets in words: numbers, expressions and stages."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.runner import CampaignError, load_campaign, plan

from .conftest import benchmark, shifted_sphere


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Return a function that makes a campaign with one run for each stage of a budget."""
    file = tmp_path_factory.mktemp("budgets") / "campaign.yaml"
    (file.parent / "durations.py").write_text("def last(x, rng):\n    return 1.0\n")

    def read_budget(budget, dimension=2, more=""):
        file.write_text(
            "suite: bbob\nfunctions: 1\ninstances: 1\noptimizers: ['scipy:L-BFGS-B']\n"
            f"dimensions: {dimension}\nbudget: {json.dumps(budget)}\n{more}"
        )
        return load_campaign(file)

    return read_budget


def evaluations_of(campaign):
    """Return the budget of each stage."""
    return [run.budget_evaluations for run in plan(campaign)]


def text_of(campaign):
    """Return the budget as the header of a log tells it: a text, or a list of texts."""
    budget = campaign.header().campaign["budget"]
    return budget if isinstance(budget, list) else str(budget)


def refused(budget, message):
    """Check that a budget is refused before a run is made."""
    with pytest.raises(CampaignError, match=message):
        benchmark("random-search", [shifted_sphere()], budget=budget)


@pytest.mark.parametrize(
    ("value", "dimension", "evaluations"),
    [
        (100, 5, 100),
        (1e5, 2, 100_000),
        ("1e3 * dimension", 5, 5000),
        ("100 * D", 3, 300),
        ("D * 100", 3, 300),
        ("dimension", 7, 7),
        ("250", 2, 250),
        ("1e5", 2, 100_000),
        ("2.5*D", 3, 7),
        ("50D", 3, 150),
        ("50 D", 3, 150),
        ("50*d", 3, 150),
        ("1e1 d", 3, 30),
        (".5 * D", 4, 2),
        ("0.1 * D", 30, 3),
    ],
)
def test_value_of_a_budget(value, dimension, evaluations, read):
    campaign = read(value, dimension)
    assert evaluations_of(campaign) == [evaluations]
    assert evaluations_of(read(text_of(campaign), dimension)) == [evaluations]


def test_none_is_no_budget(read):
    assert evaluations_of(read(None)) == [None]


@pytest.mark.parametrize(
    "value",
    ["", "D*D", "1e3 ** D", "1000 * dim", "__import__('os')", "-5", 0, -1, 1.5, True, {}, "1.5",
     float("inf"), float("nan"), "1e400", "inf", "9" * 70, b"3", "0 * D", "1 + D", "٣"],
)  # fmt: skip
def test_everything_else_is_an_error_that_says_how_to_write_it(value):
    refused(value, r"^budget .*write a whole number, '1000\*D'")


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "has no stages"),
        ([5, 5], "stages must ascend; '5' comes after '5'"),
        ("[2, 1] * D", r"stages must ascend; '1\*D' comes after '2\*D'"),
        ("[]", "budget '' is not understood"),
        ("[] * D", r"budget '\[\] \* D' is not understood; write stages as"),
        ("[1, 2] * 3", "is not understood"),
        ("[1, 2] * D * D", "is not understood"),
        ("[1, [2]]", "is not understood"),
        ("[1, None]", "budget ' None' is not understood"),
        ([1, None], "budget None of type NoneType is no number"),
        ([True, 2], "budget True of type bool is no number"),
        (range(1, 1000), "more than 100 stages"),
        ("[" + "1," * 200 + "1]", "more than 100 stages"),
    ],
)
def test_what_is_no_ladder(value, sentence):
    refused(value, sentence)


rungs = st.lists(st.integers(1, 10**9), min_size=2, max_size=9, unique=True).map(sorted)


@given(factors=rungs, per_dimension=st.booleans())
def test_a_ladder_is_read_from_its_text(read, factors, per_dimension):
    times = " * D" if per_dimension else ""
    forms = [
        [f"{factor}{times}" for factor in factors],
        f"{factors}{times}",
        f"[{', '.join(f'{factor}{times}' for factor in factors)}]",
    ]
    ladders = [read(form, 7) for form in forms]
    dimension = 7 if per_dimension else 1
    expected = [factor * dimension for factor in factors]
    assert [evaluations_of(ladder) for ladder in ladders] == [expected] * 3
    assert text_of(ladders[0]) == text_of(ladders[1]) == text_of(ladders[2])
    assert evaluations_of(read(text_of(ladders[0]), 7)) == expected


@pytest.mark.parametrize("stages", [np.array([3, 6]), (3, "D * 2"), [3, "2D"], "[1, 2] * D"])
def test_stages_as_values_of_python(stages):
    log = benchmark("random-search", [shifted_sphere(3)], budget=stages)
    assert log.runs.evaluations.tolist() == [3, 6]


@given(factor=st.integers(1, 10**6), dimension=st.integers(2, 200))
def test_whole_multiples_are_exact(read, factor, dimension):
    expected = [factor * dimension]
    assert evaluations_of(read(f"{factor} * D", dimension)) == expected
    assert evaluations_of(read(f"{factor / 10} * D", 10 * dimension)) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("100 * D f+g", "100*D f+g"),
        ("1e3 f + g", "1000 f+g"),
        ("100 * dimension f", "100*D"),
        ("10D f+g", "10*D f+g"),
        ("[1, 2] * D f+g", ["1*D f+g", "2*D f+g"]),
        (["10 f+g", "20 f+g"], ["10 f+g", "20 f+g"]),
        ("60 seconds", "60 seconds"),
        ("0.5 seconds", "0.5 seconds"),
        ("[1, 2.5] seconds", ["1 seconds", "2.5 seconds"]),
    ],
)
def test_a_budget_says_what_it_counts(text, shown, read):
    parallel = "parallel: {evaluators: 2, duration: 'durations.py:last'}\n"
    assert text_of(read(text, more=parallel if "seconds" in text else "")) == shown


def test_a_budget_of_f_and_g_counts_evaluations_of_the_constraints():
    def solve(problem, x0):
        while True:
            problem.constraint(x0)
            problem(x0)

    log = benchmark(
        solve, "bbob-constrained", functions=1, dimensions=2, instances=1, budget="10 f+g"
    )
    assert (log.runs.evaluations + log.runs.evaluations_constraints).tolist() == [10]


@pytest.mark.parametrize("text", ["f+g", "100 g", "100 f f+g", "100f+g", "[1, 2] g+f"])
def test_a_budget_of_other_counts_is_refused(text):
    refused(text, "not understood")


@pytest.mark.parametrize("text", ["10*D seconds", "seconds", "D seconds", "[1, 2]*D seconds"])
def test_seconds_are_a_plain_number(text):
    refused(text, r"not multiplied by the dimension|not understood")


def test_stages_count_the_same():
    refused(["10", "20 f+g"], "stages count different things")
