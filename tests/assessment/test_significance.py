"""Tests on two samples: against counting by hand, against scipy, and against cocopp's numbers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from firsthit.assessment.statistics.rank_tests import mid_ranks, rank_sum_of_runs, signed_rank_tails
from firsthit.assessment.statistics.significance import (
    bonferroni,
    holm,
    rank_sum,
    runs_needed,
)

VALUES = st.sampled_from([1.0, 2.0, 3.0, 4.0, np.inf])
SAMPLES = st.lists(VALUES, min_size=1, max_size=5)


@given(values=st.lists(VALUES, min_size=1, max_size=12))
def test_mid_ranks_are_those_of_scipy(values):
    assert mid_ranks(np.array(values)).tolist() == stats.rankdata(values).tolist()


def share_of_splits(x, y, at_least_as_extreme):
    """The dumbest loop: all ways to split the pooled values."""
    pool, n = np.concatenate([x, y]), len(x)
    splits = list(itertools.combinations(range(len(pool)), n))
    count = 0
    for chosen in splits:
        first = np.isin(np.arange(len(pool)), chosen)
        count += at_least_as_extreme(pool[first], pool[~first])
    return count / len(splits)


def wins(x, y):
    return sum((a < b) + 0.5 * (a == b) for a in x for b in y)


@given(SAMPLES, SAMPLES)
def test_rank_sum_counts_all_splits(x, y):
    x, y = np.array(x), np.array(y)
    seen = wins(x, y)
    less = share_of_splits(x, y, lambda a, b: wins(a, b) >= seen)
    greater = share_of_splits(x, y, lambda a, b: wins(a, b) <= seen)
    assert rank_sum_of_runs(x, y).below == pytest.approx(less)
    assert rank_sum_of_runs(x, y).above == pytest.approx(greater)
    assert rank_sum(x, y).p == pytest.approx(min(1.0, 2 * min(less, greater)))
    assert rank_sum(x, y).superiority == pytest.approx(seen / (len(x) * len(y)))


@given(st.lists(st.sampled_from([-3.0, -2.0, -1.0, 0.0, 1.0, 2.0]), min_size=1, max_size=7))
def test_signed_rank_counts_all_signs(differences):
    d = np.array(differences)
    ranks = stats.rankdata(np.abs(d))
    seen = ranks[d > 0].sum()
    sums = [
        sum(r for r, sign in zip(ranks[d != 0], signs, strict=True) if sign)
        for signs in itertools.product([0, 1], repeat=int((d != 0).sum()))
    ]
    less, greater = signed_rank_tails(np.sign(d) * mid_ranks(np.abs(d)))
    assert greater == pytest.approx(np.mean(np.array(sums) >= seen))
    assert less == pytest.approx(np.mean(np.array(sums) <= seen))


def two_sided(differences):
    return 2 * min(signed_rank_tails(np.sign(differences) * mid_ranks(np.abs(differences))))


def test_scipy_agrees_without_ties_and_beyond_the_exact_sizes():
    rng = np.random.default_rng(1)
    x, y = rng.random(14), rng.random(17) + 0.2
    assert rank_sum(x, y).p == pytest.approx(stats.mannwhitneyu(x, y, method="exact").pvalue)
    d = rng.normal(size=20) + 0.4
    assert two_sided(d) == pytest.approx(stats.wilcoxon(d, method="exact").pvalue)
    x, y = rng.integers(0, 9, 40), rng.integers(1, 10, 41)
    ours = rank_sum(x, y)
    assert not ours.exact
    assert ours.p == pytest.approx(stats.mannwhitneyu(x, y, method="asymptotic").pvalue)
    d = rng.permutation(np.arange(1, 71)) * np.where(rng.random(70) < 0.4, -1, 1)
    approximate = stats.wilcoxon(d, method="asymptotic", correction=True).pvalue
    assert two_sided(d) == pytest.approx(approximate)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_between_the_p_value_and_bonferroni(p):
    p = np.array(p)
    assert (holm(p) >= p).all()
    assert (holm(p) <= bonferroni(p) + 1e-15).all()
    assert np.array_equal(np.argsort(holm(p)[np.argsort(p)], kind="stable"), np.arange(len(p)))
    rejected = 0
    for i, value in enumerate(np.sort(p)):
        if value * (len(p) - i) > 0.05:
            break
        rejected += 1
    assert (holm(p) <= 0.05).sum() == rejected


def test_corrections_leave_out_tests_that_were_not_made():
    assert holm([0.01, np.nan, 0.02]).tolist()[::2] == [0.02, 0.02]
    assert bonferroni([0.01, np.nan, 0.02]).tolist()[::2] == [0.02, 0.04]


def test_runs_needed_reach_the_power_they_promise():
    """Normal samples with P = 0.8 and the number of runs that the formula gives."""
    n, shift = int(runs_needed(0.8, 0.05)), stats.norm.ppf(0.8) * np.sqrt(2)
    rng = np.random.default_rng(3)
    found = [rank_sum(rng.normal(size=n), rng.normal(size=n) + shift).p <= 0.05 for _ in range(400)]
    assert 0.74 <= np.mean(found) <= 0.9
    assert runs_needed(0.5, 0.05) == np.inf


def test_bad_samples_are_refused():
    with pytest.raises(ValueError, match="at least one value"):
        rank_sum([], [1.0])
    with pytest.raises(ValueError, match="no NaN"):
        rank_sum([np.nan], [1.0])


RUNS_OF_INSTANCES = st.lists(
    st.tuples(st.lists(VALUES, min_size=1, max_size=3), st.lists(VALUES, min_size=1, max_size=3)),
    min_size=1, max_size=3,
)  # fmt: skip


@given(RUNS_OF_INSTANCES)
def test_runs_on_the_same_instances_are_exchanged_within_them(runs):
    """The dumbest loop: all ways to split the runs of each instance, in all combinations."""
    first = [value for x, _ in runs for value in x]
    second = [value for _, y in runs for value in y]
    instances = tuple(
        np.repeat(np.arange(len(runs)), [len(pair[side]) for pair in runs]) for side in (0, 1)
    )
    if all(len(x) == len(y) == 1 for x, y in runs):
        return
    ranks = stats.rankdata([*first, *second])
    numbers = np.concatenate(instances)
    splits = [
        [
            sum(chosen)
            for chosen in itertools.combinations(ranks[numbers == i].tolist(), len(runs[i][0]))
        ]
        for i in range(len(runs))
    ]
    sums = np.array([sum(parts) for parts in itertools.product(*splits)])
    seen = ranks[: len(first)].sum()
    found = rank_sum_of_runs(first, second, instances)
    assert found.below == pytest.approx(np.mean(sums <= seen + 1e-9))
    assert found.above == pytest.approx(np.mean(sums >= seen - 1e-9))
    assert found.excess == pytest.approx(seen - sums.mean(), abs=1e-9)
    assert found.variance == pytest.approx(sums.var(), abs=1e-9)


def test_runs_on_other_instances_count_as_whole_instances():
    """Three instances against three, five runs each, all apart: 1 of 20 ways."""
    first, second = np.arange(15.0), np.arange(15.0) + 100
    one, other = np.repeat([1, 2, 3], 5), np.repeat([3, 4, 5], 5)
    found = rank_sum_of_runs(first, second, (one, other))
    assert (found.below, found.sizes) == (pytest.approx(1 / 20), (3, 3))
    assert rank_sum_of_runs(first, second).below < 1e-8
    shared = rank_sum_of_runs(first, second, (one, np.repeat([1, 2, 4], 5)))
    assert (shared.sizes, shared.below) == ((10, 10), pytest.approx(1 / 252**2))
    single = np.arange(15)
    assert rank_sum_of_runs(first, second, (single, single)) == rank_sum_of_runs(first, second)


def test_many_runs_within_instances_go_over_into_the_normal_distribution():
    rng = np.random.default_rng(6)
    instances = np.repeat(np.arange(8), 4)
    first, second = rng.random(32) + instances, rng.random(32) + instances + 0.1
    found = rank_sum_of_runs(first, second, (instances, instances))
    fewer = rank_sum_of_runs(first[:28], second[:28], (instances[:28], instances[:28]))
    assert 0 < found.below < 0.5
    assert fewer.below == pytest.approx(
        stats.norm.cdf((fewer.excess + 0.5) / np.sqrt(fewer.variance)), abs=0.01
    )
