"""Shares and probabilities lie between 0 and 1, ranks among them; intervals go no further."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firsthit.assessment import Results

ASKED = {
    "superiority": (lambda r: r.ranks(1e-1, superiority=True), ("superiority", "low", "high", "p")),
    "ranks": (lambda r: r.ranks(1e-1), ("p",)),
    "compare": (lambda r: r.compare(1e-1), ("superiority", "p", "p_corrected")),
    "ecdf": (lambda r: r.ecdf(interval=0.95), ("fraction", "low", "high")),
    "precision-ecdf": (lambda r: r.precision_ecdf(), ("fraction",)),
    "best": (lambda r: r.best(shares=True), ("share",)),
    "ratios": (lambda r: r.ratios("a", "b"), ("fraction",)),
    "dual_ecdf": (lambda r: r.dual_ecdf(), ("fraction",)),
    "fixed-target": (lambda r: r.fixed_target(), ("success_rate",)),
    "fixed-budget": (lambda r: r.fixed_budget(targets=[1.0]), ("success_1e0",)),
    "areas": (lambda r: r.areas(budget=50), ("area", "linear_area")),
    "summary": (lambda r: r.summary(), ("solved",)),
}


@settings(max_examples=4)
@given(st.integers(0, 1000), st.integers(1, 4), st.integers(1, 4))
@example(77, 1, 3)  # the sum of its probabilities is rounded to more than 1
@pytest.mark.parametrize("name", ASKED)
def test_shares_are_shares(make_log, random_runs, name, seed, functions, instances):
    runs = [
        run
        for number, algorithm in enumerate("ab")
        for run in random_runs(
            seed + number, algorithm, range(1, functions + 1), (2,), range(1, instances + 1)
        )
    ]
    ask, columns = ASKED[name]
    table = ask(Results(make_log(runs)))
    for column in columns:
        values = table[column][~np.isnan(table[column])]
        assert ((values >= 0) & (values <= 1)).all(), (column, values)
    if name == "ranks":
        for column in ("rank", "low", "high"):
            values = table[column][~np.isnan(table[column])]
            assert ((values >= 1) & (values <= 2)).all()
