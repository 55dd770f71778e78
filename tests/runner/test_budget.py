import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.runner import CampaignError, parse_budget


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
    ["", "D*D", "1e3 ** D", "1000 * dim", "__import__('os')", "-5", 0, -1, 1.5, True, [3], "1.5",
     float("inf"), float("nan"), "1e400", "inf", "9" * 70, b"3", "0 * D", "1 + D", "٣"],
)  # fmt: skip
def test_everything_else_is_an_error_that_says_how_to_write_it(value):
    with pytest.raises(CampaignError, match=r"^budget .*write a whole number, '1e3 \* dimension'"):
        parse_budget(value)


@given(st.integers(1, 10**6), st.integers(1, 200))
def test_whole_multiples_are_exact(factor, dimension):
    assert parse_budget(f"{factor} * D").evaluations(dimension) == factor * dimension
    assert parse_budget(f"{factor / 10} * D").evaluations(10 * dimension) == factor * dimension
