"""What an algorithm gets does not depend on the others, nor what a dimension gets on the rest.

Profiles and areas join what all algorithms were run on, unless they are asked for all.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.assessment import Results

QUESTIONS = {
    "runtimes": lambda r: r.runtimes(targets=(10.0, 1e-2)),
    "art": lambda r: r.art(targets=(10.0, 1e-2)),
    "ecdf": lambda r: r.ecdf(targets=(10.0, 1.0, 1e-8), unequal=True),
    "ecdf by function": lambda r: r.ecdf(
        targets=(1.0,), runtimes="restarts", samples=10, group_by="function", unequal=True
    ),
    "ecdf of runs": lambda r: r.ecdf(runtimes="runs", axis="evaluations", unequal=True),
    "areas": lambda r: r.areas((10.0, 1.0), budget=50.0, group_by="group", unequal=True),
    "fixed target": lambda r: r.fixed_target((10.0, 1.0)),
    "fixed target, capped and balanced": lambda r: r.fixed_target(
        (10.0, 1.0), convention="runs", budget=3.0, balance="instances"
    ),
    "iohanalyzer": lambda r: r.fixed_target((1.0,), convention="iohanalyzer"),
    "fixed budget": lambda r: r.fixed_budget(targets=1.0),
    "precision ecdf": lambda r: r.precision_ecdf(group_by="group", unequal=True),
    "runtime masses": lambda r: r.runtime_density((10.0, 1.0), shape="mass"),
    "precision densities": lambda r: r.precision_density(),
}

OWN_BUDGETS = {"fixed budget", "precision ecdf", "precision densities"}
"""They look at what every algorithm was run with."""


@st.composite
def runs_of(draw, algorithm):
    """Runs on one or two functions in one or two dimensions, of any length."""
    cells = draw(
        st.lists(
            st.tuples(st.sampled_from([1, 2]), st.sampled_from([2, 3]), st.sampled_from([1, 2])),
            min_size=1,
            max_size=6,
        )
    )
    precisions = st.lists(
        st.sampled_from([1e3, 50.0, 9.0, 2.0, 0.5, 1e-3, 1e-9]), min_size=1, max_size=9
    )
    return [
        {
            "algorithm": algorithm,
            "function": function,
            "dimension": dimension,
            "instance": instance,
            "repetition": repetition,
            "precisions": draw(precisions),
        }
        for repetition, (function, dimension, instance) in enumerate(cells)
    ]


def rows(table, **where):
    """Rows of the table as text, where columns have these values."""
    places = [table.names.index(name) for name in where]
    return [
        repr(row)
        for row in table.rows()
        if all(row[i] == value for i, value in zip(places, where.values(), strict=True))
    ]


@settings(max_examples=10)
@given(runs_of("b"), runs_of("a"), runs_of("c"))
def test_another_algorithm_changes_no_number(make_log, mine, before, after):
    alone, together = Results(make_log(mine)), Results(make_log(before + mine + after))
    for name, ask in QUESTIONS.items():
        own, found = rows(ask(alone)), rows(ask(together), algorithm="b")
        if name in OWN_BUDGETS:  # those of others come on top
            found = [row for row in found if row in own]
        assert own == found, name


@settings(max_examples=10)
@given(runs_of("a"))
def test_another_dimension_changes_no_number(make_log, runs):
    together = Results(make_log(runs))
    for dimension in together.dimensions:
        alone = Results(make_log([run for run in runs if run["dimension"] == dimension]))
        for name, ask in QUESTIONS.items():
            assert rows(ask(alone)) == rows(ask(together), dimension=dimension), name


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_row_is_of_one_dimension(name, make_log, random_runs):
    table = QUESTIONS[name](Results(make_log(random_runs(1, "a", dimensions=(2, 5)))))
    assert set(np.unique(table["dimension"]).tolist()) == {2, 5}
    assert "algorithm" in table.names
