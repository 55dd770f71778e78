"""Average runtimes, simulated restarts, quantiles and other statistics of runtimes."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import average_runtime
from firsthit.assessment.statistics.average_runtime import (
    evaluations_until,
    simulated_runtimes,
    success_rate,
)
from firsthit.assessment.statistics.quantiles import quantiles
from firsthit.assessment.statistics.runtime_statistics import (
    balancing_copies,
    capped,
    expected_runtime,
    penalized_runtime,
    successful_deviation,
    successful_mean,
    successful_quantiles,
)
from firsthit.suites.errors import UnknownNameError

NAN, INF = math.nan, math.inf


@st.composite
def run_sets(draw):
    """Runs of different length with hits (NaN where not reached) at several targets."""
    n_runs, n_targets = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    spent = draw(st.lists(st.integers(1, 1000), min_size=n_runs, max_size=n_runs))
    hits = [
        [draw(st.one_of(st.just(NAN), st.integers(1, end).map(float))) for _ in range(n_targets)]
        for end in spent
    ]
    return np.array(hits), np.array(spent, dtype=float)


@given(run_sets())
def test_average_runtime_is_the_definition(data):
    hits, spent = data
    for j in range(hits.shape[1]):
        total, successes = 0.0, 0
        for i in range(len(spent)):
            if math.isnan(hits[i, j]):
                total += spent[i]
            else:
                total += hits[i, j]
                successes += 1
        assert average_runtime(hits, spent)[j] == (total / successes if successes else INF)
        assert evaluations_until(hits, spent)[j] == total
        assert success_rate(hits)[j] == successes / len(spent)


@pytest.mark.parametrize(
    ("hits", "spent", "message"),
    [
        ([1.0], [1.0], r"hits has shape \(1,\)"),
        (np.empty((0, 3)), [], r"hits has shape \(0, 3\)"),
        ([[1.0]], [1.0, 2.0], r"spent has shape \(2,\), must be \(1,\)"),
        ([[5.0]], [4.0], "later than"),
        ([[NAN]], [NAN], "between 0 and"),
        ([[NAN]], [-1.0], "between 0 and"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(hits, spent, message):
    with pytest.raises(ValueError, match=message):
        average_runtime(hits, spent)
    with pytest.raises(ValueError, match=message):
        simulated_runtimes(hits, spent, 10, np.random.default_rng(1))


def test_targets_have_draws_of_their_own():
    """Two targets that the same runs reached at the same evaluations do not swing together."""
    hits, spent = np.array([[3.0, 3.0], [NAN, NAN], [NAN, NAN]]), np.array([9.0, 9.0, 40.0])
    first, second = simulated_runtimes(hits, spent, 4000, np.random.default_rng(1)).T
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.1


@given(run_sets(), st.integers(1, 40), st.integers(0, 2**32))
def test_successes_are_stratified(data, samples, seed):
    """Each run ends floor(samples / runs) samples or one more; seen where every run succeeds."""
    _, spent = data
    own = np.arange(1.0, len(spent) + 1)[:, None]
    simulated = simulated_runtimes(
        own, np.full(len(spent), 1e3), samples, np.random.default_rng(seed)
    )
    counts = [(simulated == run).sum() for run in own.ravel()]
    assert sum(counts) == samples
    assert set(counts) <= {samples // len(spent), -(-samples // len(spent))}


def test_numbers_of_failures_are_stratified():
    """Failures of one length: every share is right to the last sample, whatever the seed."""
    for seed in range(5):
        drawn = simulated_runtimes([[1.0], [NAN]], [9.0, 9.0], 1000, np.random.default_rng(seed))
        for k in range(8):
            assert abs((drawn <= 1 + 9 * k).mean() - (1 - 0.5 ** (k + 1))) <= 1e-3


def test_order_of_the_successes_is_random():
    hits, spent = np.arange(1.0, 11)[:, None], np.full(10, 10.0)
    first = simulated_runtimes(hits, spent, 10, np.random.default_rng(1)).ravel()
    second = simulated_runtimes(hits, spent, 10, np.random.default_rng(2)).ravel()
    assert sorted(first) == sorted(second) == hits.ravel().tolist()
    assert first.tolist() != second.tolist()
    assert first.tolist() != hits.ravel().tolist()


def test_what_was_never_reached_has_no_runtime():
    drawn = simulated_runtimes([[NAN, 1.0]], [9.0], 10, np.random.default_rng(1))
    assert drawn.tolist() == [[INF, 1.0]] * 10


def test_number_of_samples_must_be_positive():
    with pytest.raises(ValueError, match="samples is 0"):
        simulated_runtimes([[1.0]], [1.0], 0, np.random.default_rng(1))


def test_quantiles_lean_on_infinity():
    """Values sit at 1/8, 3/8, 5/8, 7/8: between the second and the third it is infinite."""
    runtimes = [[10.0, INF], [NAN, INF], [30.0, INF], [INF, INF]]
    found = quantiles(runtimes, [0.0, 0.25, 0.375, 0.4, 1.0])
    assert found[:, 0].tolist() == [10.0, 20.0, 30.0, INF, INF]
    assert np.isinf(found[:, 1]).all()


@pytest.mark.parametrize(
    ("runtimes", "probabilities", "message"),
    [([], [0.5], "no runtimes"), (3.0, [0.5], "no runtimes"), ([1.0], [1.5], r"in \[0, 1\]")],
)
def test_quantiles_of_nothing_or_beyond_are_refused(runtimes, probabilities, message):
    with pytest.raises(ValueError, match=message):
        quantiles(runtimes, probabilities)


VALUES = st.lists(st.floats(1, 1e6), min_size=1, max_size=20)
PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=5)


@given(VALUES, PROBABILITIES, st.sampled_from([("hazen", "hazen"), ("type-7", "linear")]))
def test_interpolating_conventions_are_numpys(values, probabilities, names):
    ours, theirs = names
    expected = np.quantile(values, probabilities, method=theirs)
    np.testing.assert_allclose(quantiles(values, probabilities, ours), expected, rtol=1e-12)


def nearest_even(values, percent):
    """R's type 3 in whole numbers: the rank nearest to n p, the even one of two."""
    values, twice = sorted(values), 2 * len(values) * percent
    rank, rest = divmod(twice, 200)
    if rest > 100 or (rest == 100 and rank % 2 == 1):
        rank += 1
    return values[min(max(rank, 1), len(values)) - 1]


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=300), st.integers(0, 100))
def test_type_3_is_the_value_of_the_nearest_even_rank(values, percent):
    assert quantiles(values, percent / 100, "type-3")[0] == nearest_even(values, percent)


def test_an_unknown_convention_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'type-7'"):
        quantiles([1.0], [0.5], "type-8")


def test_precisions_that_are_infinite_or_zero(tmp_path):
    values = {1: [1.0, 0.0, -1.0], 2: [INF, 2.0, 2.0]}
    problems = [
        firsthit.problem_from(lambda x: float(x[0]), 1, instance=i, reference_value=0.0)
        for i in values
    ]
    path = tmp_path / "a.h5"
    with firsthit.Observer(path, algorithm="a", record="improvements") as observer:
        for problem in observer(problems):
            for value in values[problem.id_instance]:
                problem([value])
    results = firsthit.load(path)
    table = results.fixed_budget([1, 2, 3])
    assert table["mean"].tolist() == [INF, 1.0, 0.5]
    np.testing.assert_array_equal(table["geometric_mean"], [INF, 0.0, NAN])
    assert np.isnan(table["sd"][0])
    assert math.isnan(results.fixed_budget([1], instances=1)["sd"][0])


@st.composite
def runs_to_one_target(draw):
    spent = draw(st.lists(st.integers(1, 1000), min_size=1, max_size=8))
    hits = [draw(st.one_of(st.just(NAN), st.integers(1, end).map(float))) for end in spent]
    return hits, [float(end) for end in spent]


@given(runs_to_one_target(), st.integers(1, 1200), st.sampled_from([1.0, 2.0, 10.0]))
def test_statistics_are_their_definitions(data, budget, penalty):
    hits, _ = data
    column = np.array(hits)[:, None]
    reached = [t for t in hits if not math.isnan(t)]
    in_time = [t for t in reached if t <= budget]
    charged = [t if t <= budget else penalty * budget for t in hits]
    assert penalized_runtime(column, budget, penalty)[0] == pytest.approx(np.mean(charged))
    ert = expected_runtime(column, budget)[0]
    total = sum(in_time) + budget * (len(hits) - len(in_time))
    assert ert == (pytest.approx(total / len(in_time)) if in_time else INF)
    if reached:
        assert successful_mean(column)[0] == pytest.approx(statistics.mean(reached))
        middle = successful_quantiles(column, 0.5, "type-7")[0, 0]
        assert middle == statistics.median(reached)
    else:
        assert np.isnan(successful_mean(column)[0])
        assert np.isnan(successful_quantiles(column, 0.5)[0, 0])
    deviation = successful_deviation(column)[0]
    if len(reached) > 1:
        assert deviation == pytest.approx(statistics.stdev(reached), abs=1e-9)
    else:
        assert np.isnan(deviation)


@given(runs_to_one_target(), st.integers(1, 1200))
def test_capped_runs_are_those_stopped_at_the_budget(data, budget):
    hits, spent = data
    found, ends = capped(np.array(hits)[:, None], spent, budget)
    for i, (hit, end) in enumerate(zip(hits, spent, strict=True)):
        assert ends[i] == min(end, budget)
        np.testing.assert_equal(found[i, 0], hit if hit <= budget else NAN)


@pytest.mark.parametrize(
    ("counts", "copies"),
    [
        ((2, 2, 2), (1, 1, 1)),
        ((30, 30), (1, 1)),
        ((2, 3), (3, 2)),
        ((5, 7), (4, 3)),
        ((1, 25), (25, 1)),
    ],
)
def test_copies_are_cocopps(counts, copies):
    """The least common multiple; above 24 (5 * 7, 25) the largest count times 24 // that."""
    instances = [i for i, n in enumerate(counts) for _ in range(n)]
    expected = [c for c, n in zip(copies, counts, strict=True) for _ in range(n)]
    assert balancing_copies(instances).tolist() == expected
