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
from firsthit.assessment.statistics.bands import compute_band, ecdf_band, resample_paired_profile
from firsthit.assessment.statistics.intervals import (
    Resampling,
    art_draws,
    art_interval,
    art_intervals,
    ratio_interval,
    unseen_failures,
)
from firsthit.assessment.statistics.mean_intervals import (
    all_levels,
    end_levels,
    mean_quantiles,
    moments,
    tail_is_heavy,
)

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def benchmark(name):
    """One of the benchmarks as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(BENCHMARKS)
        spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def coverage():
    return benchmark("interval_coverage")


def random_data(seed, n=15, rate=0.5):
    rng = np.random.default_rng(seed)
    hits = np.where(rng.random((n, 1)) < rate, rng.geometric(0.01, (n, 1)).astype(float), np.nan)
    return hits, np.where(np.isnan(hits[:, 0]), 1000.0, np.nan_to_num(hits[:, 0]))


def share_inside(coverage, name, runs, rate, experiments, seed=3):
    """Coverage of `art_interval` in a few experiments of the benchmark."""
    success, rng = coverage.SUCCESSES[name], np.random.default_rng([seed, runs])
    hits, spent = coverage.success_runs(rng, success, rate, (experiments, runs), False)
    some = np.isfinite(hits).any(axis=1)
    ends = coverage.ours(hits[some], spent[some], Resampling(samples=400))
    assert np.isfinite(ends[1]).all()
    return coverage.measured(ends, coverage.true_runtime(success, rate))


@pytest.mark.parametrize("runs", [5, 15])
@pytest.mark.parametrize("name", ["geometric", "geometric 0.6", "lognormal 1.0", "uniform"])
def test_the_interval_of_art_contains_the_truth_where_all_runs_succeed(coverage, name, runs):
    """1000 experiments: 95 % +- 2.7 standard errors; the benchmark says 0.93 to 0.99."""
    inside, below, above, *_ = share_inside(coverage, name, runs, 1.0, 1000)
    assert inside >= 0.925
    assert max(below, above) < 0.06


@pytest.mark.parametrize("rate", [0.3, 0.6])
def test_the_interval_of_art_contains_the_truth_with_failures(coverage, rate):
    inside, *_ = share_inside(coverage, "geometric", 15, rate, 500)
    assert 0.92 <= inside <= 0.985


@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_the_interval_of_a_ratio_contains_the_truth(coverage, rate):
    [row] = coverage.ratio_rows("geometric", 15, rate, 200, 3)
    assert 0.92 <= row.coverage <= 0.995


def test_lucky_experiments_are_said_not_to_be_covered(coverage):
    """Rate 0.9: 15 successes of 15 in one of five experiments; the budget says what they hide."""
    rng, success = np.random.default_rng(3), coverage.SUCCESSES["lognormal 0.5"]
    hits, spent = coverage.success_runs(rng, success, 0.9, (300, 15), False)
    truth = coverage.true_runtime(success, 0.9)
    inside, _, above, *_ = coverage.measured(coverage.ours(hits, spent, Resampling()), truth)
    assert 0.7 < inside < 0.9
    assert above > 0.1
    ends = coverage.ours(hits, spent, Resampling(), budget=1000.0)
    assert coverage.measured(ends, truth)[0] > 0.93


@pytest.mark.parametrize("design", [(3, 5), (5, 3)])
def test_few_instances_with_repetitions_stand_for_the_function(coverage, design):
    """Their runs taken for independent ones miss the truth of the function in most experiments."""
    ours, of_runs = coverage.repeated_rows(design, 1.0, 1.0, 300, 3)
    assert ours.coverage > 0.92
    assert of_runs.coverage < 0.85


@pytest.mark.parametrize(
    ("runtimes", "ends"),
    [
        ((19, 13, 13, 13, 13), (11.230, 26.602)),
        ((13, 13, 13, 13, 13), (12.394, 13.650)),
    ],
)
def test_five_runs_have_a_finite_interval_and_no_warning(runtimes, ends):
    hits = np.array(runtimes, dtype=float)[:, None]
    assert art_interval(hits, hits[:, 0], Resampling())[:, 0] == pytest.approx(ends, rel=1e-3)


def test_the_upper_end_is_the_largest_of_three_by_hand():
    """19, 13, 13, 13, 13: Student's and Hall's from their formulas, the lognormal by simulation."""
    values = np.array([19.0, 13, 13, 13, 13])
    k, mean = 5, 14.2
    cv = values.std(ddof=1) / mean
    error, t = cv / np.sqrt(k), stats.t.ppf(0.975, 4)
    g = stats.skew(values, bias=False)
    a, b = (g / 3 - cv / 2) / np.sqrt(k), g / (6 * np.sqrt(k))
    hall = (np.cbrt(1 + 3 * a * (-t - b)) - 1) / a
    rng = np.random.default_rng(1)
    sigma = np.sqrt(np.log1p(cv**2))
    drawn = np.exp(sigma * rng.normal(size=(200_000, k)) - sigma**2 / 2)
    q = np.quantile(
        np.log(drawn.mean(axis=1)) * np.sqrt(k) * drawn.mean(axis=1) / drawn.std(axis=1, ddof=1),
        0.025,
    )
    low, high = mean_quantiles(moments(values), end_levels(0.95))
    assert low == pytest.approx(mean * np.exp(-t * error))
    reaches = t, -q, -hall
    assert np.log(high / mean) / error == pytest.approx(max(reaches), rel=0.01)
    tame = mean_quantiles(moments(np.array([90.0, 100, 110, 95, 105])), end_levels(0.95))
    assert tame[1] > 100 * np.exp(t * 0.0790569 / np.sqrt(5))


def test_the_lower_end_of_values_that_lean_to_the_left_by_hand():
    """Hall's transformation on the logarithm; with values that lean to the right, Student's."""
    values = np.array([900.0, 950, 980, 990, 200])
    k, mean, g = 5, values.mean(), stats.skew(values, bias=False)
    error, t = values.std(ddof=1) / mean / np.sqrt(k), stats.t.ppf(0.025, 4)
    a, b = g / 3 / np.sqrt(k), g / (6 * np.sqrt(k))
    hall = (1 - np.cbrt(1 + 3 * a * (-t - b))) / a
    low = mean_quantiles(moments(values), end_levels(0.95))[0]
    assert low == pytest.approx(mean * np.exp(error * hall))
    assert low < mean * np.exp(error * t) - 100
    mirrored = 1200 - values
    error = mirrored.std(ddof=1) / mirrored.mean() / np.sqrt(k)
    low = mean_quantiles(moments(mirrored), end_levels(0.95))[0]
    assert low == pytest.approx(mirrored.mean() * np.exp(error * t))


@pytest.mark.parametrize("law", ["1000 - exponential", "beta 5, 1"])
def test_intervals_hold_where_runtimes_lean_to_the_left(coverage, law):
    """0.87 and 0.91 with Student's lower end."""
    rows = coverage.art_rows(law, 5, 1.0, 2000, 1)
    assert rows[0].method == "firsthit"
    assert rows[0].coverage > 0.92


@pytest.mark.parametrize("k", [3, 30, 150, 1000])
def test_quantiles_of_a_mean_ascend_and_are_finite(k):
    values = np.random.default_rng(k).exponential(100, k) + 1
    found = mean_quantiles(moments(values), all_levels(500))
    assert (np.diff(found) >= 0).all()
    assert np.isfinite(found).all()
    if k > 100:
        assert found.std() == pytest.approx(values.std() / np.sqrt(k), rel=0.2)


def test_one_success_has_an_assumed_spread():
    """exp(1.96): about a factor of 7 either way; failures that were not alike, of half as much."""
    found = mean_quantiles(moments(np.array([50.0])), end_levels(0.95))
    assert found == pytest.approx(50 * np.exp([-1.96, 1.96]), rel=1e-3)
    two = mean_quantiles(moments(np.array([40.0, 60.0])), end_levels(0.95), assumed=0.5)
    assert two == pytest.approx(50 * np.exp([-1.386 / 2, 1.386 / 2]), rel=1e-3)


def test_unseen_failures_are_the_end_of_jeffreys_interval():
    p = stats.beta.ppf(0.025, 5.5, 0.5)
    assert unseen_failures(5) == pytest.approx((1 - p) / p)
    hits = np.array([[100.0], [110], [90], [105], [95]])
    low = art_interval(hits, hits[:, 0], Resampling())[0, 0]
    with_failures = art_interval(hits, hits[:, 0], Resampling(), budget=1000.0)[:, 0]
    assert with_failures[0] == low
    assert with_failures[1] == pytest.approx(100 + unseen_failures(5) * 1000, rel=0.05)


def test_skew_runtimes_are_flagged():
    """11.3 times the median of five; failures and fewer than three runs say nothing of it."""
    plain = np.array([10.0, 10, 10, 10, 110])
    heavy = np.array([10.0, 10, 10, 10, 115])
    few = np.array([10.0, np.nan, np.nan, np.nan, 1000])
    none = np.full(5, np.nan)
    assert tail_is_heavy(np.column_stack([plain, heavy, few, none])).tolist() == [
        False, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize("runs", [5, 15, 30])
def test_how_often_laws_are_flagged(coverage, runs):
    """Those without a heavy tail in 5 % of experiments at most; lognormal 1.5 in 2 to 5 of 10."""
    for name, law in coverage.SUCCESSES.items():
        hits = law.draw(np.random.default_rng([runs, 1]), (runs, 4000))
        flagged = tail_is_heavy(np.maximum(hits, 1.0)).mean()
        if law.kind in ("one mode", "leans left"):
            assert flagged < 0.06, name
        if name == "lognormal 1.5":
            assert 0.2 < flagged < 0.56


def test_repetitions_widen_the_interval_to_that_of_instances():
    """Three instances with means 100, 200, 300: the interval of these three numbers."""
    hits = np.repeat([100.0, 200.0, 300.0], 5)[:, None] + np.tile([-2.0, -1, 0, 1, 2], 3)[:, None]
    instances = np.repeat([7, 8, 9], 5)
    found = art_interval(hits, hits[:, 0], Resampling(), instances)[:, 0]
    means = mean_quantiles(moments(np.array([100.0, 200, 300])), end_levels(0.95))
    assert found == pytest.approx(means)
    alone = art_interval(hits, hits[:, 0], Resampling())
    single = art_interval(hits, hits[:, 0], Resampling(), np.arange(15))
    two = art_interval(hits, hits[:, 0], Resampling(), np.minimum(instances, 8))
    assert np.array_equal(alone, single)
    assert np.array_equal(alone, two)
    with pytest.raises(ValueError, match=r"instances has shape \(3,\), must be \(15,\)"):
        art_interval(hits, hits[:, 0], Resampling(), [1, 2, 3])


def test_instances_that_were_never_solved_widen_the_interval():
    hits = np.repeat([100.0, np.nan, 300.0, 200.0], 4)[:, None]
    spent = np.where(np.isnan(hits[:, 0]), 1000.0, np.nan_to_num(hits[:, 0]))
    instances = np.repeat([1, 2, 3, 4], 4)
    whole = art_interval(hits, spent, Resampling(), instances)[:, 0]
    runs = art_interval(hits, spent, Resampling())[:, 0]
    assert whole[1] > 1.5 * runs[1]
    first = hits[:, 0], spent
    ratio = ratio_interval(first, first, Resampling(), (instances, instances))
    plain = ratio_interval(first, first, Resampling())
    assert ratio[0] < plain[0] < 1 < plain[1] < ratio[1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["stalling 0.6", "plateau 0.1", "alike"])
@pytest.mark.parametrize("runs", [5, 15])
def test_the_band_of_a_profile_contains_the_truth(kind, runs):
    for functions in (1, 8):
        rows = benchmark("band_coverage").band_coverage(kind, functions, runs, 160 // functions, 1)
        assert np.mean([row.coverage for row in rows]) >= 0.92
        assert min(row.coverage for row in rows) >= (0.85 if functions == 1 else 0.75)  # of 20


def test_no_success_reaches_to_infinity():
    spent = np.full(15, 1000.0)
    low, high = art_interval(np.full((15, 1), np.nan), spent, Resampling())[:, 0]
    assert high == np.inf
    p = stats.beta.ppf(0.975, 0.5, 15.5)
    assert low == pytest.approx(1000 * (1 - p) / p, rel=0.02)


def test_constant_runtimes_leave_the_success_rate():
    """Hits at 1000, failures of 10000: the ends are those of Jeffreys' interval of p."""
    hits = np.array([[1000.0]] * 6 + [[np.nan]] * 9)
    spent = np.where(np.isnan(hits[:, 0]), 10000.0, 1000.0)
    interval = art_interval(hits, spent, Resampling(samples=4000))[:, 0]
    p = stats.beta.ppf([0.975, 0.025], 6.5, 9.5)
    assert interval == pytest.approx(1000 + (1 - p) / p * 10000, rel=0.01)


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


def test_intervals_of_many_cells_are_those_of_each():
    """Cells with few and many runs, targets, successes; with and without repeated instances."""
    rng = np.random.default_rng(4)
    cells = []
    for rate in (0.0, 0.2, 0.6, 1.0):
        for n, targets in ((1, 2), (2, 3), (6, 1), (6, 4), (15, 3)):
            hits = rng.geometric(0.01, (n, targets)).astype(float)
            hits[rng.random(hits.shape) > rate] = np.nan
            spent = rng.integers(2000, 3000, n).astype(float)
            instances = (None, np.arange(n), np.arange(n) // 2)
            cells += [(hits, spent, own) for own in instances]
    for budget in (None, 5000.0):
        found = art_intervals(cells, Resampling(samples=100), budget)
        for (hits, spent, instances), own in zip(cells, found, strict=True):
            for j in range(hits.shape[1]):
                alone = art_interval(
                    hits[:, [j]], spent, Resampling(samples=100), instances, budget
                )
                np.testing.assert_allclose(own[:, [j]], alone, rtol=1e-9)
    assert art_intervals([], Resampling()) == []


def test_two_algorithms_are_drawn_independently():
    data = random_data(3)
    one = art_draws(data[0][:, 0], data[1], Resampling())
    other = art_draws(data[0][:, 0], data[1], Resampling(), stream=3)
    assert abs(np.corrcoef(np.log(one), np.log(other))[0, 1]) < 0.1
    assert np.median(one) == pytest.approx(np.median(other), rel=0.05)


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


def wilson(p, n, t):
    centre = (p + t**2 / (2 * n)) / (1 + t**2 / n)
    half = t * np.sqrt(p * (1 - p) / n + (t / (2 * n)) ** 2) / (1 + t**2 / n)
    return [centre - half, centre + half]


def test_the_band_of_single_runs_is_wilsons_interval():
    """One target, 15 runs, 6 hits by the budget: Wilson's interval with Student's quantile.

    The standard deviation of resamples is widened once, by sqrt(15 / 14).
    """
    hits = np.array([[10.0]] * 6 + [[np.nan]] * 9)
    spent, asked = np.full(15, 100.0), Resampling(samples=20000)
    expected = pytest.approx(wilson(0.4, 15 * 14 / 15, stats.t.ppf(0.975, 14)), abs=0.01)
    assert ecdf_band([(hits, spent)], [50.0], asked, restarts=False)[:, 0] == expected
    runtimes, rng = np.nan_to_num(hits, nan=np.inf), np.random.default_rng(1)
    resamples = resample_paired_profile(runtimes, np.array([50.0]), 20000, rng)
    assert compute_band([resamples.summarize()], asked)[:, 0] == expected


def test_one_run_unlike_the_others_counts_as_two_of_two_more():
    """One hit of 30 runs: Wilson's interval with the deviation of a share of 2 of 32."""
    hits = np.array([[10.0]] + [[np.nan]] * 29)
    asked = Resampling(samples=20000)
    found = ecdf_band([(hits, np.full(30, 100.0))], [50.0], asked, restarts=False)[:, 0]
    p = 1 / 30
    times_seen = p * (1 - p) / (2 / 32 * 30 / 32 / 29)
    assert found == pytest.approx(wilson(p, times_seen, stats.t.ppf(0.975, 29)), abs=0.005)


@pytest.mark.parametrize(("runs", "unseen"), [(5, 0.451), (15, 0.181)])
@pytest.mark.parametrize("functions", [1, 6])
def test_runs_that_all_hit_the_same_targets_leave_doubt(runs, unseen, functions):
    """One of four targets hit by all runs of a function: others might hit all targets, or none.

    So many of them that all runs seen are alike with probability 0.05; no run hits anything on the
    other functions.
    """
    assert (1 - unseen) ** runs == pytest.approx(0.05, rel=0.01)
    solved = np.tile([10.0, np.nan, np.nan, np.nan], (runs, 1))
    cells = [(solved, np.full(runs, 100.0))]
    cells += [(np.full((runs, 4), np.nan), np.full(runs, 100.0))] * (functions - 1)
    low, high = ecdf_band(cells, [50.0], Resampling(samples=100))[:, 0]
    assert low * functions == pytest.approx(0.25 * (1 - unseen), abs=0.001)
    assert high * functions == pytest.approx(0.25 + 0.75 * unseen, abs=0.001)


def test_ends_of_a_band_never_fall():
    """All runs hit the first target at once, the others one by one: the doubt of the first budget
    is bounded by the later ones."""
    rng = np.random.default_rng(1)
    hits = np.column_stack([np.full(5, 3.0), 100 + np.cumsum(rng.exponential(9, (5, 50)), axis=1)])
    for cells in ([(hits, hits[:, -1])], [random_data(7), (hits, hits[:, -1])]):
        ends = ecdf_band(cells, np.geomspace(1, 1e4, 60), Resampling(samples=100))
        assert (np.diff(ends) >= 0).all()
        assert (ends[0] <= ends[1]).all()
        alone = ecdf_band(cells, [10.0], Resampling(samples=100))
        assert ends[1, 10] < alone[1, 0] - 0.1


def test_a_few_instances_widen_the_band():
    """Three instances, solved at 10, 20 and never, by five runs each: the band of three runs."""
    hits = np.repeat([10.0, 20.0, np.nan], 5)[:, None]
    spent, instances = np.full(15, 100.0), np.repeat([1, 2, 3], 5)
    for asked in (Resampling(samples=400), Resampling(0.8, samples=400)):
        whole, runs = (
            ecdf_band([(hits, spent)], [15.0], asked, restarts=False, instances=own)[:, 0]
            for own in ([instances], None)
        )
        assert whole[1] - whole[0] > 1.5 * (runs[1] - runs[0])
    uneven = ecdf_band(
        [(hits[:12], spent[:12])], [15.0], asked, restarts=True, instances=[instances[:12]]
    )
    assert uneven[0, 0] < 1 / 3 < uneven[1, 0]


def test_a_band_needs_two_runs_and_a_function():
    assert np.isnan(ecdf_band([([[5.0]], [5.0])], [1.0, 2.0], Resampling(samples=40))).all()
    with pytest.raises(ValueError, match="no functions"):
        ecdf_band([], [1.0], Resampling())
