"""Rules that hold for every question, or for all that compute the same."""

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import Results
from firsthit.assessment.statistics.aocc import PrecisionScale
from firsthit.assessment.statistics.average_runtime import average_runtime
from firsthit.assessment.statistics.densities import nrd0
from firsthit.assessment.statistics.intervals import Resampling, art_interval
from firsthit.assessment.statistics.runtime_statistics import capped
from firsthit.assessment.statistics.slowdown import Versions, reliability, scores

from .conftest import problem_id
from .questions import OF_TWO_OBJECTIVES, QUESTIONS, ask, options_of

JOINING = [name for name, question in QUESTIONS.items() if question.joins]
WITH_INTERVALS = [name for name in QUESTIONS if "interval" in options_of(name) and name != "ranks"]
"""Where they can be left out."""
OF_RUNS_ALONE = {"termination", "restarts", "parameters", "tuning", "timing", "points"}
"""They compare nothing, so that instances do not matter."""
OF_PROBLEMS = {"matrix", "contributions", "data-profile", "performance-profile"}
"""They compare on the same instances, and refuse others."""
NAMES_MISSING_PROBLEMS = {"summary"}
"""It names the problems that each algorithm lacks instead."""


@pytest.fixture(scope="module")
def write_places(tmp_path_factory, write_log):
    """A function: places as {algorithm: [(function, dimension, instance), …]} -> results."""

    def write(places):
        folder = tmp_path_factory.mktemp("places")
        for number, (algorithm, mine) in enumerate(places.items(), 1):
            runs = [
                (problem_id("bbob", f, d, i), 0.0, [9.0] * (f + number * i) + [1e-8])
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
    assert not any("without counterpart" in note for note in everything.notes)


@pytest.mark.parametrize(
    "name",
    sorted({*QUESTIONS} - OF_TWO_OBJECTIVES - OF_RUNS_ALONE - OF_PROBLEMS - NAMES_MISSING_PROBLEMS),
)
def test_other_instances_of_a_function_are_named(name, crossed):
    words = "2 of 2 functions and dimensions (a on 1, 2, b on 3, 4; a on 3, 4, b on 1, 2)"
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


@pytest.fixture(scope="module")
def random_results(make_log, random_runs):
    """A function: seed, number of functions and of instances -> results of algorithms a and b."""

    @cache
    def make(seed, n_functions=4, n_instances=4):
        functions, instances = range(1, n_functions + 1), range(1, n_instances + 1)
        runs = random_runs(seed, "a", functions, (2,), instances)
        return Results(make_log(runs + random_runs(seed + 1, "b", functions, (2,), instances)))

    return make


@settings(max_examples=4)
@given(st.integers(0, 3), st.integers(1, 4), st.integers(1, 4))
@example(77, 1, 3)  # the sum of its probabilities is rounded to more than 1
@pytest.mark.parametrize("name", ASKED)
def test_shares_are_shares(random_results, name, seed, n_functions, n_instances):
    if seed == 77:
        results = random_results(seed, n_functions, n_instances)
    else:
        results = random_results(seed).filter(
            functions=range(1, n_functions + 1), instances=range(1, n_instances + 1)
        )
    ask, columns = ASKED[name]
    table = ask(results)
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


@pytest.fixture(scope="module")
def short_runs(make_log):
    """A log of 40 short random runs of each of the algorithms a, b and c."""
    rng = np.random.default_rng(3)
    precisions = [1e3, 50.0, 9.0, 2.0, 0.5, 1e-3, 1e-9]
    return make_log([
        {
            "algorithm": algorithm, "function": int(rng.integers(1, 3)),
            "dimension": int(rng.integers(2, 4)), "instance": int(rng.integers(1, 3)),
            "precisions": rng.choice(precisions, rng.integers(1, 10)).tolist(),
        }
        for algorithm in "abc"
        for _ in range(40)
    ])  # fmt: skip


def draw_runs(data, log, algorithms):
    """Draw the log of one to six runs of each algorithm."""
    rows = []
    for algorithm in algorithms:
        positions = np.flatnonzero(log.runs["algorithm"] == algorithm).tolist()
        rows += data.draw(st.sets(st.sampled_from(positions), min_size=1, max_size=6))
    return log.take(sorted(rows))


def rows(table, **where):
    """Rows of the table as text, where columns have these values."""
    places = [table.names.index(name) for name in where]
    return [
        repr(row)
        for row in table.rows()
        if all(row[i] == value for i, value in zip(places, where.values(), strict=True))
    ]


@pytest.mark.slow
@settings(max_examples=10)
@given(data=st.data())
def test_another_algorithm_changes_no_number(short_runs, data):
    log = draw_runs(data, short_runs, "abc")
    alone, together = Results(log.take(log.runs["algorithm"] == "b")), Results(log)
    for name, question in QUESTIONS.items():
        own, found = rows(question(alone)), rows(question(together), algorithm="b")
        if name in OWN_BUDGETS:  # those of others come on top
            found = [row for row in found if row in own]
        assert own == found, name


@settings(max_examples=10)
@given(data=st.data())
def test_another_dimension_changes_no_number(short_runs, data):
    log = draw_runs(data, short_runs, "a")
    together = Results(log)
    for dimension in together.dimensions:
        alone = Results(log.take(log.runs["dimension"] == dimension))
        for name, question in QUESTIONS.items():
            assert rows(question(alone)) == rows(question(together), dimension=dimension), name


NEVER = [np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("never", NEVER)
def test_no_formula_takes_it_for_a_hit(never):
    hits, spent = np.array([[20.0], [never]]), np.array([100.0, 100.0])
    assert average_runtime(hits, spent).tolist() == [120.0]
    assert np.isnan(capped(hits, spent, 50.0)[0][1, 0])
    versions = Versions(
        np.full((4, 1), 20.0), np.full(4, 20.0), np.full((4, 1), never), np.full(4, 100.0),
        np.empty((0, 2), dtype=np.int64),
    )  # fmt: skip
    base, new = scores(versions, 1.0)
    assert base.max() < new.min()
    assert reliability(versions, 1.0)[1:3] == (4, 0)


@pytest.mark.parametrize("never", NEVER)
def test_no_score_takes_it_for_a_precision(never):
    assert PrecisionScale().score(never) == 0


def last_precisions(make_log, precisions):
    """Return the statistics of runs of one evaluation that have these precisions."""
    runs = [{"instance": i, "precisions": [p]} for i, p in enumerate(precisions, 1)]
    table = Results(make_log(runs)).fixed_budget(1)
    return {name: table[name][0] for name in table.names}


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_run_without_a_finite_value_has_an_infinite_precision(make_log, value):
    statistics = last_precisions(make_log, [value, 1.0, 2.0])
    assert statistics["median"] == 2.0
    assert statistics["mean"] == np.inf


def test_large_precisions_have_a_deviation(make_log):
    """1e300 has no square in float64."""
    values = np.array([1.0, 2.0, 4.0])
    small, large = (last_precisions(make_log, scale * values) for scale in (1.0, 1e300))
    assert small["sd"] == values.std(ddof=1)
    assert large["sd"] == pytest.approx(1e300 * values.std(ddof=1))
    assert nrd0(1e300 * values) == pytest.approx(1e300 * nrd0(values))
    assert last_precisions(make_log, np.zeros(3))["sd"] == 0


def test_runtimes_beyond_what_can_be_counted_are_refused():
    runtimes = np.full((5, 1), 1e300)
    for formula in (average_runtime, lambda h, s: art_interval(h, s, Resampling())):
        with pytest.raises(ValueError, match=r"spent must lie between 0 and 2\^53"):
            formula(runtimes, runtimes[:, 0])
