"""The exact distribution of runtimes with restarts, and what simulation makes of it."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, nbinom

from firsthit.assessment import average_runtime, ecdf, restart_distribution, simulated_runtimes

NAN, INF = math.nan, math.inf


@st.composite
def run_sets(draw):
    """At least one success, failed runs of few lengths."""
    spent = draw(st.lists(st.sampled_from([3.0, 5.0, 6.0]), min_size=1, max_size=5))
    hits = [draw(st.sampled_from([NAN, 1.0, 2.0])) for _ in spent]
    return [draw(st.sampled_from([1.0, 3.0])), *hits], [3.0, *spent]


def enumerated(hits, spent, budget):
    """P(RT <= budget), by walking through all sequences of failed runs that fit into the budget."""

    def walk(elapsed, weight):
        total = 0.0
        for hit, end in zip(hits, spent, strict=True):
            if math.isnan(hit):
                if elapsed + end < budget:
                    total += walk(elapsed + end, weight / len(hits))
            elif elapsed + hit <= budget:
                total += weight / len(hits)
        return total

    return walk(0.0, 1.0)


@settings(deadline=None, max_examples=40)
@given(run_sets(), st.integers(0, 17))
def test_it_is_the_sum_over_all_sequences_of_runs(data, budget):
    hits, spent = data
    exact = restart_distribution(hits, spent)
    assert exact.cdf(budget) == pytest.approx(enumerated(hits, spent, budget), abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(run_sets())
def test_its_mean_is_the_average_runtime(data):
    hits, spent = data
    exact = restart_distribution(hits, spent)
    art = average_runtime(np.array(hits)[:, None], spent)[0]
    assert exact.mean == pytest.approx(art, rel=1e-6)
    assert exact.probability.sum() + exact.remainder == pytest.approx(1.0, abs=1e-12)
    assert exact.remainder <= 1e-9


def test_failures_are_negative_binomial():
    """One success of length 0 in four runs, failures of length 1: RT = failures before it."""
    exact = restart_distribution([0.0, NAN, NAN, NAN], [1.0] * 4)
    np.testing.assert_allclose(
        exact.probability[:30], nbinom.pmf(np.arange(30), 1, 0.25), rtol=1e-12
    )


def test_nobody_succeeded():
    exact = restart_distribution([NAN, INF], [3.0, 4.0])
    assert (exact.mean, exact.remainder, exact.cdf([1e9]).tolist()) == (INF, 1.0, [0.0])


def test_too_many_lengths_are_refused_not_cut():
    spent = [1.0, *(1000.0 * math.sqrt(p) for p in (2, 3, 5, 7, 11, 13, 17, 19))]
    assert restart_distribution([1.0] + [NAN] * 8, spent) is None


def test_one_of_each_a_run():
    with pytest.raises(ValueError, match="one of each"):
        restart_distribution([1.0], [1.0, 2.0])


@pytest.mark.parametrize("failures", [1, 4, 14])
def test_simulated_runtimes_follow_it(failures):
    """Chi-squared over 12 cells of equal expected counts, from 200 000 samples with a fixed seed;
    without stratification of the first run the samples would be independent, so the test is a
    little on the safe side."""
    rng = np.random.default_rng(11)
    hits = np.array([20.0, *[NAN] * failures])
    spent = np.array([20.0, *rng.choice([50.0, 60.0], failures)])
    exact = restart_distribution(hits, spent)
    samples = 200_000 // len(hits) * len(hits)
    simulated = simulated_runtimes(hits[:, None], spent, samples, rng)[:, 0]
    edges = np.unique(
        [exact.runtimes[np.searchsorted(np.cumsum(exact.probability), q)] for q in QUANTILES]
    )
    expected = np.diff(np.concatenate(([0.0], exact.cdf(edges), [1.0]))) * samples
    found = np.diff(np.concatenate(([0.0], ecdf(simulated, edges), [1.0]))) * samples
    keep = expected > 0
    assert chisquare(found[keep], expected[keep]).pvalue > 1e-3


QUANTILES = np.arange(1, 12) / 12


@settings(deadline=None, max_examples=20)
@given(run_sets(), st.integers(0, 2**32))
def test_expectation_of_the_simulated_ecdf(data, seed):
    """Within 5 standard errors at every budget; stratification makes errors smaller only."""
    hits, spent = data
    exact = restart_distribution(hits, spent)
    samples = 2000 // len(hits) * len(hits)
    rng = np.random.default_rng(seed)
    simulated = simulated_runtimes(np.array(hits)[:, None], spent, samples, rng)
    for budget in itertools.chain(range(1, 20), [1e9]):
        p = float(exact.cdf(budget))
        error = math.sqrt(max(p * (1 - p), 1e-9) / samples)
        assert abs(ecdf(simulated, budget) - p) < 6 * error
