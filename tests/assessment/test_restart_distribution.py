"""The exact distribution of runtimes with restarts, and what simulation makes of it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from firsthit.assessment import average_runtime, ecdf, restart_distribution
from firsthit.assessment.statistics.average_runtime import simulated_runtimes
from firsthit.assessment.statistics.restart_distribution import (
    ERROR,
    REMAINDER,
    RestartDistributions,
    distributions_of_targets,
)

NAN, INF = math.nan, math.inf


@st.composite
def run_sets(draw):
    """At least one success, failed runs of few lengths."""
    spent = draw(st.lists(st.sampled_from([3.0, 5.0, 6.0]), min_size=1, max_size=5))
    hits = [draw(st.sampled_from([NAN, 1.0, 2.0])) for _ in spent]
    return [draw(st.sampled_from([1.0, 3.0])), *hits], [3.0, *spent]


def enumerated(hits, spent, budget):
    """P(RT <= budget), by walking through all sequences of failed runs that fit into the budget."""

    def walk(elapsed):
        total = 0.0
        for hit, end in zip(hits, spent, strict=True):
            if not math.isnan(hit):
                total += elapsed + hit <= budget
            elif elapsed + end < budget:
                total += walk(elapsed + end)
        return total / len(hits)

    return walk(0.0)


@given(run_sets(), st.integers(0, 14))
def test_it_is_the_sum_over_all_sequences_of_runs(data, budget):
    hits, spent = data
    exact = restart_distribution(hits, spent)
    assert exact.cdf(budget) == pytest.approx(enumerated(hits, spent, budget), abs=ERROR)


@given(run_sets())
def test_its_mean_is_the_average_runtime(data):
    hits, spent = data
    exact = restart_distribution(hits, spent)
    art = average_runtime(np.array(hits)[:, None], spent)[0]
    assert exact.mean == pytest.approx(art, rel=1e-12)
    assert exact.probability.sum() == pytest.approx(1.0, abs=1e-12)
    runtimes, weights = exact.atoms()
    assert runtimes @ weights == pytest.approx(art, rel=1e-9)


def test_nobody_succeeded():
    exact = restart_distribution([NAN, INF], [3.0, 4.0])
    assert (exact.mean, exact.ends, exact.cdf([1e9]).tolist()) == (INF, (INF, INF), [0.0])
    assert exact.quantiles([0.1, 0.9]).tolist() == [INF, INF]


def convolved(lengths, n_runs, upto):
    """P(evaluations of failed runs <= x) for x = 0 … upto: the renewal equation on integers."""
    mass = np.zeros(upto + 1)
    mass[0] = 1.0
    different, counts = np.unique(lengths, return_counts=True)
    for x in range(1, upto + 1):
        places = x - different
        mass[x] = counts[places >= 0] @ mass[places[places >= 0]] / n_runs
    return mass.cumsum() * (1 - len(lengths) / n_runs)


def lengths_of(kind, n, rng):
    return {
        "far apart": (10 ** rng.uniform(0, 2.7, n)).astype(int),
        "spread": rng.integers(20, 400, n),
        "nearly alike": 200 + rng.integers(0, 15, n),
        "one is short": np.append(1, 150 + rng.integers(0, 60, n - 1)),
        "two": np.append(100, np.full(n - 1, 101)),
        "alike": np.full(n, 100),
    }[kind]


KINDS = ("far apart", "spread", "nearly alike", "one is short", "two", "alike")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_runs", "failed"), [(5, 4), (15, 2), (15, 8), (15, 14), (60, 59)])
def test_no_share_is_off_by_more_than_the_error_that_is_stated(kind, n_runs, failed):
    """At every integer budget, atoms included, against the lattice."""
    lengths = lengths_of(kind, failed, np.random.default_rng(n_runs + failed))
    hits = np.append(np.zeros(n_runs - failed), np.full(failed, NAN))
    exact = restart_distribution(hits, np.append(np.zeros(n_runs - failed), lengths))
    upto = int(min(exact.ends[1], 40_000))
    off = np.abs(exact.cdf(np.arange(upto + 1)) - convolved(lengths, n_runs, upto))
    assert off.max() < (REMAINDER + 1e-9 if kind == "alike" else ERROR)


def test_several_targets_of_the_same_runs_are_averaged():
    hits = np.array([[1.0, 4.0], [2.0, 9.0], [NAN, NAN]])
    spent, budgets = [9.0, 9.0, 7.0], np.arange(40.0)
    both = restart_distribution(hits, spent)
    alone = [restart_distribution(column, spent).cdf(budgets) for column in hits.T]
    np.testing.assert_allclose(both.cdf(budgets), np.mean(alone, axis=0), atol=1e-12)
    with pytest.raises(ValueError, match="not reached by the same runs"):
        restart_distribution([[1.0, NAN]], [2.0])


@given(st.lists(run_sets(), max_size=4), st.lists(st.integers(0, 30), max_size=5))
def test_expected_targets_are_sums_over_all_atoms(parts, budgets):
    """Budgets in any order and shape; one of the distributions has no success."""
    each = [restart_distribution([NAN], [1]), *(restart_distribution(*data) for data in parts)]
    wanted = np.array([budgets, budgets[::-1]], dtype=float)
    expected = np.zeros(wanted.shape)
    for one in each:
        for runtime, probability in zip(*one.atoms(), strict=True):
            expected += probability * (runtime <= wanted)
    joined = RestartDistributions.concatenate(each)
    np.testing.assert_allclose(joined.expected(wanted), expected, rtol=0, atol=1e-12)
    assert joined.solved == len(parts)
    lows, highs = zip(*(one.ends for one in each[1:] or each), strict=True)
    assert joined.ends == (min(lows), max(highs))


@given(st.data())
def test_many_targets_have_the_distributions_of_each(data):
    """Targets that all, some, the same and no runs reached, from the easiest to the hardest."""
    n_runs, n_targets = data.draw(st.integers(1, 6)), data.draw(st.integers(0, 6))
    steps = st.lists(st.sampled_from([0, 0, 1, 7, NAN]), min_size=n_targets, max_size=n_targets)
    drawn = np.reshape([data.draw(steps) for _ in range(n_runs)], (n_runs, n_targets))
    hits = 1 + np.cumsum(drawn, axis=1)
    spent = np.array([data.draw(st.integers(50, 53)) for _ in range(n_runs)], dtype=float)
    found = distributions_of_targets(hits, spent)
    assert found.targets.sum() == n_targets
    budgets, place = np.arange(0.0, 300.0, 7.0), 0
    for one, targets in zip(found, found.targets.tolist(), strict=True):
        each = [restart_distribution(hits[:, j], spent) for j in range(place, place + targets)]
        expected = np.mean([own.cdf(budgets) for own in each], axis=0)
        np.testing.assert_allclose(one.cdf(budgets), expected, rtol=0, atol=1e-12)
        assert one.failed.tolist() == each[0].failed.tolist()
        place += targets
    total = np.sum([n * one.cdf(budgets) for one, n in zip(found, found.targets, strict=True)], 0)
    np.testing.assert_allclose(found.expected(budgets), total, rtol=0, atol=1e-12)


def test_quantiles_are_those_of_many_samples():
    """Half at 20, a quarter at 120, …: between two atoms where a share is reached exactly."""
    exact = restart_distribution([20.0, NAN], [100.0, 100.0])
    assert exact.quantiles([0.1, 0.5, 0.6, 0.75]).tolist() == [20.0, 70.0, 120.0, 170.0]
    assert restart_distribution([4.0, 8.0], [9.0, 9.0]).quantiles(1.0).tolist() == 8.0


def test_one_of_each_a_run():
    with pytest.raises(ValueError, match="one row for each run"):
        restart_distribution([1.0], [1.0, 2.0])


@pytest.mark.parametrize("failures", [1, 4, 14])
def test_simulated_runtimes_follow_it(failures):
    """Chi-squared over 12 cells of equal expected counts, from 200 000 samples with a fixed seed;
    they are stratified, so the test is a little on the safe side."""
    rng = np.random.default_rng(11)
    hits = np.array([20.0, *[NAN] * failures])
    spent = np.array([20.0, *rng.choice([50.0, 60.0], failures)])
    exact = restart_distribution(hits, spent)
    samples = 200_000 // len(hits) * len(hits)
    simulated = simulated_runtimes(hits[:, None], spent, samples, rng)[:, 0]
    edges = np.unique(exact.quantiles(QUANTILES))
    expected = np.diff(np.concatenate(([0.0], exact.cdf(edges), [1.0]))) * samples
    found = np.diff(np.concatenate(([0.0], ecdf(simulated, edges), [1.0]))) * samples
    keep = expected > 0
    assert chisquare(found[keep], expected[keep]).pvalue > 1e-3


QUANTILES = np.arange(1, 12) / 12
