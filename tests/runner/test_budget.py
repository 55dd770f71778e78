import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.runner import CampaignError
from firsthit.runner.campaign.budget import Stages, parse_budget


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
def test_value_of_a_budget(value, dimension, evaluations):
    budget = parse_budget(value)
    assert budget.evaluations(dimension) == evaluations
    assert parse_budget(str(budget)).evaluations(dimension) == evaluations


def test_none_is_no_budget():
    assert parse_budget(None) is None


@pytest.mark.parametrize(
    "value",
    ["", "D*D", "1e3 ** D", "1000 * dim", "__import__('os')", "-5", 0, -1, 1.5, True, {}, "1.5",
     float("inf"), float("nan"), "1e400", "inf", "9" * 70, b"3", "0 * D", "1 + D", "٣"],
)  # fmt: skip
def test_everything_else_is_an_error_that_says_how_to_write_it(value):
    with pytest.raises(CampaignError, match=r"^budget .*write a whole number, '1000\*D'"):
        parse_budget(value)


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
    with pytest.raises(CampaignError, match=sentence):
        parse_budget(value)


rungs = st.lists(st.integers(1, 10**9), min_size=2, max_size=9, unique=True).map(sorted)


@given(rungs, st.booleans())
def test_a_ladder_is_read_from_its_text(factors, per_dimension):
    times = " * D" if per_dimension else ""
    forms = [
        [f"{factor}{times}" for factor in factors],
        f"{factors}{times}",
        f"[{', '.join(f'{factor}{times}' for factor in factors)}]",
        np.array(factors) if not per_dimension else tuple(f"D * {factor}" for factor in factors),
    ]
    ladders = [parse_budget(form) for form in forms]
    assert all(ladder == parse_budget(str(ladders[0])) for ladder in ladders)
    dimension = 7 if per_dimension else 1
    assert [b.evaluations(7) for b in ladders[0].budgets] == [f * dimension for f in factors]


@given(st.integers(1, 10**6), st.integers(1, 200))
def test_whole_multiples_are_exact(factor, dimension):
    assert parse_budget(f"{factor} * D").evaluations(dimension) == factor * dimension
    assert parse_budget(f"{factor / 10} * D").evaluations(10 * dimension) == factor * dimension


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        ("100 * D f+g", "f+g", "100*D f+g"),
        ("1e3 f + g", "f+g", "1000 f+g"),
        ("100 * dimension f", "f", "100*D"),
        ("10D f+g", "f+g", "10*D f+g"),
        ("[1, 2] * D f+g", "f+g", "[1, 2]*D f+g"),
        (["10 f+g", "20 f+g"], "f+g", "[10 f+g, 20 f+g]"),
        ("60 seconds", "seconds", "60 seconds"),
        ("0.5 seconds", "seconds", "0.5 seconds"),
        ("[1, 2.5] seconds", "seconds", "[1 seconds, 2.5 seconds]"),
    ],
)
def test_a_budget_says_what_it_counts(text, count, shown):
    budget = parse_budget(text)
    budgets = budget.budgets if isinstance(budget, Stages) else (budget,)
    assert {each.count for each in budgets} == {count}
    assert str(budget) == shown


@pytest.mark.parametrize("text", ["f+g", "100 g", "100 f f+g", "100f+g", "[1, 2] g+f"])
def test_a_budget_of_other_counts_is_refused(text):
    with pytest.raises(CampaignError, match="not understood"):
        parse_budget(text)


@pytest.mark.parametrize("text", ["10*D seconds", "seconds", "D seconds", "[1, 2]*D seconds"])
def test_seconds_are_a_plain_number(text):
    with pytest.raises(CampaignError, match=r"not multiplied by the dimension|not understood"):
        parse_budget(text)


def test_stages_count_the_same():
    with pytest.raises(CampaignError, match="stages count different things"):
        parse_budget(["10", "20 f+g"])
