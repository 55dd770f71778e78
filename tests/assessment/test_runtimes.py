"""Average runtimes, success rates, simulated restarts and quantiles: by hand and by dumb loops."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import average_runtime
from firsthit.assessment.statistics.average_runtime import (
    evaluations_until,
    runtime_quantiles,
    simulated_runtimes,
    success_rate,
)

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


@given(run_sets(), st.integers(0, 2**32))
def test_simulated_runtimes_follow_the_dumbest_simulation(data, seed):
    """The mean within 6 standard errors, and nothing below the quickest success."""
    hits, spent = data
    rng = np.random.default_rng(seed)
    simulated = simulated_runtimes(hits, spent, 600, rng)
    for column, drawn in zip(hits.T, simulated.T, strict=True):
        if np.isnan(column).all():
            assert np.isinf(drawn).all()
            continue
        plain = []
        for _ in range(600):
            elapsed, run = 0.0, rng.integers(len(column))
            while math.isnan(column[run]):
                elapsed += spent[run]
                run = rng.integers(len(column))
            plain.append(elapsed + column[run])
        assert drawn.min() >= np.nanmin(column)
        error = math.hypot(np.std(plain), drawn.std()) / math.sqrt(600)
        assert abs(drawn.mean() - np.mean(plain)) < 6 * error + 1e-9


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


def test_number_of_samples_must_be_positive():
    with pytest.raises(ValueError, match="samples is 0"):
        simulated_runtimes([[1.0]], [1.0], 0, np.random.default_rng(1))


@given(
    st.lists(st.floats(1, 1e6), min_size=1, max_size=20),
    st.lists(st.floats(0, 1), min_size=1, max_size=5),
)
def test_quantiles_are_hazens(runtimes, probabilities):
    expected = np.quantile(runtimes, probabilities, method="hazen")
    np.testing.assert_allclose(runtime_quantiles(runtimes, probabilities), expected, rtol=1e-12)


def test_quantiles_lean_on_infinity():
    """Values sit at 1/8, 3/8, 5/8, 7/8: between the second and the third it is infinite."""
    runtimes = [[10.0, INF], [NAN, INF], [30.0, INF], [INF, INF]]
    quantiles = runtime_quantiles(runtimes, [0.0, 0.25, 0.375, 0.4, 1.0])
    assert quantiles[:, 0].tolist() == [10.0, 20.0, 30.0, INF, INF]
    assert np.isinf(quantiles[:, 1]).all()


@pytest.mark.parametrize(
    ("runtimes", "probabilities", "message"),
    [([], [0.5], "no runtimes"), (3.0, [0.5], "no runtimes"), ([1.0], [1.5], r"in \[0, 1\]")],
)
def test_quantiles_of_nothing_or_beyond_are_refused(runtimes, probabilities, message):
    with pytest.raises(ValueError, match=message):
        runtime_quantiles(runtimes, probabilities)
