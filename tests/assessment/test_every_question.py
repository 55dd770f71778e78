"""Rules that hold for every question, or for all that compute the same."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import Results
from firsthit.assessment.data.ranked_runs import ranks_of_runs
from firsthit.assessment.questions.fixed_budget import precision_statistics
from firsthit.assessment.statistics.aocc import PrecisionScale
from firsthit.assessment.statistics.average_runtime import average_runtime
from firsthit.assessment.statistics.densities import nrd0
from firsthit.assessment.statistics.intervals import Resampling, art_interval
from firsthit.assessment.statistics.runtime_statistics import capped
from firsthit.assessment.statistics.slowdown import Versions, reliability, scores
from firsthit.suites.facts import ProblemId

from .questions import INDEX, OF_TWO_OBJECTIVES, ask, options_of

JOINING = [name for name, question in INDEX.items() if question["joins"]]
WITH_INTERVALS = [name for name in INDEX if "interval" in options_of(name) and name != "ranks"]
"""Where they can be left out."""
OF_RUNS_ALONE = {"termination", "restarts", "parameters", "tuning", "timing"}
"""They compare nothing, so that instances do not matter."""
OF_PROBLEMS = {"matrix", "contributions", "data-profile", "performance-profile"}
"""They compare on the same instances, and refuse others."""


@pytest.fixture(scope="module")
def write_places(tmp_path_factory, write_log):
    """A function: places as {algorithm: [(function, dimension, instance), …]} -> results."""

    def write(places):
        folder = tmp_path_factory.mktemp("places")
        for number, (algorithm, mine) in enumerate(places.items(), 1):
            runs = [
                (ProblemId("bbob", f, d, i), 0.0, [9.0] * (f + number * i) + [1e-8])
                for f, d, i in mine
            ]
            write_log(folder / f"{algorithm}.h5", algorithm, runs)
        return firsthit.load(folder)

    return write


def places(functions, dimensions, instances):
    return [(f, d, i) for f in functions for d in dimensions for i in instances]


@pytest.fixture(scope="module")
def unequal(write_places):
    a, b = places((1, 2, 3), (2,), (1, 2, 3)), places((1, 2), (2,), (2, 3, 4, 5))
    return write_places({"a": a, "b": b + places((1, 2), (5,), (2, 3))})


@pytest.fixture(scope="module")
def common(write_places):
    """What both were run on."""
    return write_places(dict.fromkeys("ab", places((1, 2), (2,), (2, 3))))


@pytest.fixture(scope="module")
def crossed(write_places):
    """Both algorithms have instances 1-4, but not of the same function."""
    one, other = [(1, 2, 1), (1, 2, 2), (2, 2, 3), (2, 2, 4)], [(1, 2, 3), (1, 2, 4), (2, 2, 1)]
    return write_places({"a": one, "b": [*other, (2, 2, 2)]})


@pytest.mark.parametrize("name", JOINING)
def test_what_joins_functions_takes_what_all_were_run_on(name, unequal, common):
    more = {"shares": True} if name == "best" else {}
    table, everything = ask(unequal, name, **more), ask(unequal, name, unequal=True, **more)
    assert table.to_csv() == ask(common, name, **more).to_csv() != everything.to_csv()
    assert any("left out" in note for note in table.notes)
    assert not any("left out of" in note for note in everything.notes)


@pytest.mark.parametrize("name", sorted({*INDEX} - OF_TWO_OBJECTIVES - OF_RUNS_ALONE - OF_PROBLEMS))
def test_other_instances_of_a_function_are_named(name, crossed):
    words = "in 2 of 2 functions and dimensions (a on 1, 2, b on 3, 4; a on 3, 4, b on 1, 2)"
    assert any(words in note for note in ask(crossed, name).notes)


@pytest.mark.parametrize("name", WITH_INTERVALS)
def test_an_interval_adds_columns_and_changes_none(name, unequal):
    plain, table = (ask(unequal, name, interval=level) for level in (None, 0.9))
    assert {"low", "high"} <= {*table.names} - {*plain.names} <= {"low", "high", "at_least"}
    for column in plain.names:
        np.testing.assert_array_equal(plain[column], table[column])
    assert not any("interval" in note or "band" in note for note in plain.notes)


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
    for name, question in QUESTIONS.items():
        own, found = rows(question(alone)), rows(question(together), algorithm="b")
        if name in OWN_BUDGETS:  # those of others come on top
            found = [row for row in found if row in own]
        assert own == found, name


@settings(max_examples=10)
@given(runs_of("a"))
def test_another_dimension_changes_no_number(make_log, runs):
    together = Results(make_log(runs))
    for dimension in together.dimensions:
        alone = Results(make_log([run for run in runs if run["dimension"] == dimension]))
        for name, question in QUESTIONS.items():
            assert rows(question(alone)) == rows(question(together), dimension=dimension), name


NEVER = [np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("never", NEVER)
def test_no_formula_takes_it_for_a_hit(never):
    hits, spent = np.array([[20.0], [never]]), np.array([100.0, 100.0])
    assert average_runtime(hits, spent).tolist() == [120.0]
    assert np.isnan(capped(hits, spent, 50.0)[0][1, 0])
    order = ranks_of_runs([5.0, never, 7.0], [1e-9, 0.1, 1e-9], 60.0)
    assert order.tolist() == [0.0, 2.0, 1.0]
    versions = Versions(
        np.full((4, 1), 20.0), np.full(4, 20.0), np.full((4, 1), never), np.full(4, 100.0),
        np.empty((0, 2), dtype=np.int64),
    )  # fmt: skip
    base, new = scores(versions, 1.0)
    assert base.max() < new.min()
    assert reliability(versions, 1.0)[1:3] == (4, 0)


@pytest.mark.parametrize("never", NEVER)
def test_no_view_takes_it_for_a_precision(never):
    assert PrecisionScale().score(never) == 0
    assert ranks_of_runs([np.nan] * 2, [never, 5.0], 60.0).tolist() == [1.0, 0.0]
    found = precision_statistics([[never], [1.0], [2.0]])
    assert found["median"] == 2.0
    assert found["mean"] == np.inf


def test_large_precisions_have_a_deviation():
    """1e300 has no square in float64."""
    values = np.array([1.0, 2.0, 4.0])
    small, large = (precision_statistics((scale * values)[:, None]) for scale in (1.0, 1e300))
    assert small["sd"] == values.std(ddof=1)
    assert large["sd"] == pytest.approx(1e300 * values.std(ddof=1))
    assert nrd0(1e300 * values) == pytest.approx(1e300 * nrd0(values))
    assert precision_statistics(np.zeros((3, 1)))["sd"] == 0


def test_runtimes_beyond_what_can_be_counted_are_refused():
    runtimes = np.full((5, 1), 1e300)
    for formula in (average_runtime, lambda h, s: art_interval(h, s, Resampling())):
        with pytest.raises(ValueError, match=r"spent must lie between 0 and 2\^53"):
            formula(runtimes, runtimes[:, 0])
