"""Intervals and bands: their special cases by hand, and that they contain the truth.

Tables of coverage come from ``benchmarks/interval_coverage.py``; fewer experiments guard them here.
"""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from firsthit.assessment import AssessmentError
from firsthit.assessment.statistics.average_runtime import average_runtime
from firsthit.assessment.statistics.bands import ecdf_band
from firsthit.assessment.statistics.intervals import (
    Resampling,
    art_draws,
    art_interval,
    mean_draws,
    ratio_interval,
)

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def coverage():
    """The benchmark as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        spec = importlib.util.spec_from_file_location(
            "interval_coverage", BENCHMARKS / "interval_coverage.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def random_data(seed, n=15, rate=0.5):
    rng = np.random.default_rng(seed)
    hits = np.where(rng.random((n, 1)) < rate, rng.geometric(0.01, (n, 1)).astype(float), np.nan)
    return hits, np.where(np.isnan(hits[:, 0]), 1000.0, np.nan_to_num(hits[:, 0]))


@pytest.mark.parametrize("rate", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("name", ["geometric", "lognormal 0.5", "uniform"])
def test_the_interval_of_art_contains_the_truth(coverage, name, rate):
    """600 experiments: 95 % +- 2.7 standard errors; the benchmark says 94 to 97."""
    inside, below, above, _ = coverage.art_coverage(name, rate, False, 600, 15, seed=3)
    assert 0.925 <= inside <= 0.98
    assert max(below, above) < 0.06


@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_the_interval_of_a_ratio_contains_the_truth(coverage, rate):
    inside, *_ = coverage.ratio_coverage("geometric", rate, 400, 15, seed=3)
    assert 0.92 <= inside <= 0.985


def test_percentiles_of_resampled_averages_would_not_do(coverage):
    """What the guard above is against: they miss the truth too often where all runs succeed."""
    rng = np.random.default_rng(5)
    success = coverage.SUCCESSES["geometric"]
    inside = 0
    for _ in range(400):
        hits = success.draw(rng, (15,))
        drawn = rng.choice(hits, (400, 15)).mean(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        inside += low <= success.mean <= high
    assert inside / 400 < 0.915


def test_lucky_experiments_are_said_not_to_be_covered(coverage):
    """Rate 0.9: 15 successes of 15 in one of five experiments, whose intervals are too short."""
    inside, _, above, _ = coverage.art_coverage("lognormal 0.5", 0.9, False, 300, 15, seed=3)
    assert 0.7 < inside < 0.9
    assert above > 0.1


@pytest.mark.slow
def test_the_band_of_a_profile_contains_the_truth(coverage):
    for rate, functions in ((0.3, 1), (0.6, 1), (1.0, 1), (0.6, 4)):
        rows = coverage.band_coverage(rate, functions, 200 // functions, 15, seed=1)
        for fraction, inside, _ in rows:
            if 0.02 < fraction < 0.98:
                assert 0.86 <= inside <= 1.0
        mean = np.mean([inside for fraction, inside, _ in rows if 0.02 < fraction < 0.98])
        assert 0.925 <= mean <= 0.985


def test_no_success_reaches_to_infinity():
    spent = np.full(15, 1000.0)
    low, high = art_interval(np.full((15, 1), np.nan), spent, Resampling())[:, 0]
    assert high == np.inf
    p = stats.beta.ppf(0.975, 0.5, 15.5)
    assert low == pytest.approx(1000 * (1 - p) / p, rel=0.02)


def test_equal_runs_that_all_succeed_leave_no_doubt():
    interval = art_interval(np.full((5, 1), 70.0), np.full(5, 70.0), Resampling())
    assert interval[:, 0].tolist() == [70.0, 70.0]


def test_constant_runtimes_leave_the_success_rate():
    """Hits at 10, failures of 100: the ends are those of Jeffreys' interval of p."""
    hits = np.array([[10.0]] * 6 + [[np.nan]] * 9)
    spent = np.where(np.isnan(hits[:, 0]), 100.0, 10.0)
    interval = art_interval(hits, spent, Resampling(samples=4000))[:, 0]
    p = stats.beta.ppf([0.975, 0.025], 6.5, 9.5)
    assert interval == pytest.approx(10 + (1 - p) / p * 100, rel=0.01)


def test_one_run_has_no_interval():
    assert np.isnan(art_interval([[10.0]], [10.0], Resampling())).all()
    single = np.array([10.0]), np.array([10.0])
    assert np.isnan(ratio_interval(single, single, Resampling())).all()


def test_intervals_surround_the_average_and_shrink_with_the_level():
    for seed in range(30):
        hits, spent = random_data(seed)
        art = average_runtime(hits, spent)[0]
        low, high = art_interval(hits, spent, Resampling())[:, 0]
        inner = art_interval(hits, spent, Resampling(0.5))[:, 0]
        assert low < inner[0] <= inner[1] < high or np.isinf(high)
        assert low < art < high


def test_intervals_repeat_with_the_seed_and_do_not_depend_on_other_targets():
    hits, spent = random_data(1)
    both = np.hstack([hits, np.minimum(hits, 5.0)])
    alone = art_interval(hits, spent, Resampling(seed=3))
    assert np.array_equal(alone[:, 0], art_interval(both, spent, Resampling(seed=3))[:, 0])
    assert not np.array_equal(alone, art_interval(hits, spent, Resampling(seed=4)))
    assert np.allclose(alone, art_interval(hits, spent, Resampling(seed=4)), rtol=0.1)


def test_evaluations_scale_the_interval():
    hits, spent = random_data(2)
    assert np.allclose(
        3 * art_interval(hits, spent, Resampling()), art_interval(3 * hits, 3 * spent, Resampling())
    )


def test_two_algorithms_are_drawn_independently():
    data = random_data(3)
    one = art_draws(data[0][:, 0], data[1], Resampling())
    other = art_draws(data[0][:, 0], data[1], Resampling(), stream=2)
    assert abs(np.corrcoef(np.log(one), np.log(other))[0, 1]) < 0.1
    assert np.median(one) == pytest.approx(np.median(other), rel=0.05)


def test_draws_of_a_mean_have_its_standard_error():
    values = np.random.default_rng(1).normal(100, 10, 40)
    draws = mean_draws(values, Resampling())
    assert draws.mean() == pytest.approx(values.mean(), rel=0.01)
    assert draws.std() == pytest.approx(values.std(ddof=1) / np.sqrt(40), rel=0.15)


def test_ratios_of_nothing_are_open():
    none = np.full(5, np.nan), np.full(5, 100.0)
    some = np.array([10.0, 20.0, 30.0, np.nan, 50.0]), np.array([10.0, 20.0, 30.0, 100.0, 50.0])
    assert ratio_interval(none, some, Resampling())[1] == np.inf
    assert ratio_interval(some, none, Resampling())[0] == 0.0
    assert ratio_interval(none, none, Resampling()).tolist() == [0.0, np.inf]


@pytest.mark.parametrize("values", [{"level": 1.0}, {"samples": 3}, {"seed": -1}, {"seed": True}])
def test_bad_resampling_is_refused(values):
    with pytest.raises(AssessmentError, match="must"):
        Resampling(**values)


def test_bands_lie_between_0_and_1_around_the_profile():
    hits, spent = random_data(4)
    budgets = np.geomspace(1, 1e5, 30)
    low, high = ecdf_band([(hits, spent)], budgets, Resampling(samples=100))
    assert (low >= 0).all()
    assert (high <= 1).all()
    assert (low <= high).all()
    assert low[0] == 0.0
    assert high[0] < 0.6
    assert low[-1] > 0.5


def test_the_band_of_single_runs_is_wilsons_interval():
    """One target, 15 runs, 6 hits by the budget: Wilson's interval with Student's quantile."""
    hits = np.array([[10.0]] * 6 + [[np.nan]] * 9)
    spent = np.full(15, 100.0)
    band = ecdf_band([(hits, spent)], [50.0], Resampling(samples=20000), restarts=False)[:, 0]
    t, p = stats.t.ppf(0.975, 14), 0.4
    n = 15 * 14 / 15  # sd of the bootstrap, widened by sqrt(15 / 14)
    centre = (p + t**2 / (2 * n)) / (1 + t**2 / n)
    half = t * np.sqrt(p * (1 - p) / n + (t / (2 * n)) ** 2) / (1 + t**2 / n)
    assert band == pytest.approx([centre - half, centre + half], abs=0.01)


def test_a_band_needs_two_runs_and_a_function():
    assert np.isnan(ecdf_band([([[5.0]], [5.0])], [1.0, 2.0], Resampling(samples=40))).all()
    with pytest.raises(ValueError, match="no functions"):
        ecdf_band([], [1.0], Resampling())


def test_skewness_lengthens_the_upper_end():
    """Beyond Student's interval on the log scale: a skew sample tells less of the long tail."""
    hits = np.exp(np.random.default_rng(2).normal(4, 1.3, (15, 1))) + 1
    art, se = hits.mean(), hits.std(ddof=1) / np.sqrt(15)
    student = art * np.exp(stats.t.ppf(0.975, 14) * se / art)
    assert art_interval(hits, hits[:, 0], Resampling())[1, 0] > 1.2 * student
