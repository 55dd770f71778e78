"""Ranks, tests on them, who beats whom, ratings: against definitions, scipy, and the papers."""

import csv
import io
import math
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

import firsthit
from firsthit.assessment import AssessmentError, RankOptions, Resampling, Results
from firsthit.assessment.figures import draw_critical_difference
from firsthit.assessment.statistics.merit.friedman import (
    critical_difference,
    friedman,
    pairwise_p,
    undecided_groups,
)
from firsthit.assessment.statistics.merit.glicko import Ratings, rated, ratings_of_runs
from firsthit.assessment.statistics.merit.superiority import superiority, wins
from firsthit.cli import group

slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50)

tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=9)
)


@slow
@given(tables)
def test_friedman_is_scipys_with_the_correction_of_iman_and_davenport(rows):
    found = friedman(rows)
    values = np.array(rows, dtype=float)
    n, k = values.shape
    np.testing.assert_allclose(found.ranks, stats.rankdata(values, axis=1).mean(axis=0))
    if k < 3 or (np.ptp(values, axis=1) == 0).all():
        return
    chi2 = stats.friedmanchisquare(*values.T).statistic
    rest = n * (k - 1) - chi2
    least = 1 / math.factorial(k) ** (n - 1)
    if rest > 1e-6:
        expected = stats.f.sf((n - 1) * chi2 / rest, k - 1, (k - 1) * (n - 1))
        assert found.p == pytest.approx(max(expected, least), rel=1e-6, abs=1e-12)
    else:
        assert found.p == pytest.approx(least, abs=1e-6)


def test_three_functions_that_agree_entirely_do_so_by_chance_once_in_36():
    """F is infinite; of 36 ways to rank three algorithms on two more functions one agrees."""
    assert friedman([[1, 2, 3]] * 3).p == pytest.approx(1 / 36)


DEMSAR = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip
"""Table 6 of the paper: AUC of C4.5 and three variants on 14 data sets."""


def test_the_example_of_demsars_paper():
    found = friedman(-np.array(DEMSAR))
    np.testing.assert_allclose(found.ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)
    nemenyi = pairwise_p(found.ranks, 14, "nemenyi")
    assert (nemenyi > 0.05).all()
    assert nemenyi[0, 3] < 0.1
    # z = (3.143 - 1.964) / 0.488 = 2.416, two-sided 0.0157, the smallest of six
    assert pairwise_p(found.ranks, 14, "holm")[0, 3] == pytest.approx(6 * 0.0157, abs=2e-3)


@slow
@given(tables, st.sampled_from(["holm", "nemenyi"]))
def test_groups_hold_what_does_not_differ(rows, correction):
    found = friedman(rows)
    p = pairwise_p(found.ranks, found.problems, correction)
    if correction == "nemenyi":
        apart = np.abs(found.ranks[:, np.newaxis] - found.ranks)
        decided = apart >= critical_difference(len(found.ranks), found.problems, 0.05)
        near = np.abs(p - 0.05) < 1e-6
        assert ((p <= 0.05) == decided)[~near].all()
    groups = [set(g.tolist()) for g in undecided_groups(found.ranks, p, 0.05)]
    for i, j in combinations(range(len(found.ranks)), 2):
        if any({i, j} <= one for one in groups):
            assert p[i, j] > 0.05
    for one, other in combinations(groups, 2):
        assert not one <= other
        assert not other <= one


def test_friedman_refuses_what_it_cannot_rank():
    for values in ([[1.0]], [[1.0, np.nan]], np.empty((0, 3))):
        with pytest.raises(ValueError, match="two algorithms"):
            friedman(values)


runs = st.lists(st.integers(0, 5), min_size=1, max_size=6)


@slow
@given(st.lists(st.tuples(runs, runs), min_size=1, max_size=4))
def test_superiority_is_the_share_of_pairs_that_are_won(problems):
    won = [{(0, 1): wins(x, y)} for x, y in problems]
    instances = [[np.arange(len(x)), np.arange(len(y))] for x, y in problems]
    found = superiority(won, instances, Resampling(samples=40))
    expected = []
    for x, y in problems:
        pairs = [(a < b) + 0.5 * (a == b) for a in x for b in y]
        expected.append(sum(pairs) / len(pairs))
    np.testing.assert_allclose(found.shares[:, 0, 1], expected)
    np.testing.assert_allclose(found.shares[:, 1, 0], 1 - np.array(expected))
    np.testing.assert_allclose(found.draws[:, 0, 1] + found.draws[:, 1, 0], 1)
    np.testing.assert_allclose(found.rank_draws.sum(axis=1), 3)


def test_superiority_has_the_interval_of_a_bootstrap_by_loops():
    """rliable's: runs are drawn anew in each problem and each algorithm, quantiles of the means."""
    rng = np.random.default_rng(3)
    problems = [(rng.normal(0, 1, 15), rng.normal(0.4, 1, 15)) for _ in range(6)]
    won = [{(0, 1): wins(x, y)} for x, y in problems]
    instances = [[np.arange(15)] * 2 for _ in problems]
    found = superiority(won, instances, Resampling(samples=4000))
    low, high = np.quantile(found.draws[:, 0, 1], [0.025, 0.975])
    means = []
    for _ in range(2000):
        shares = [
            wins(rng.choice(x, 15), rng.choice(y, 15)).mean() for x, y in problems
        ]  # fmt: skip
        means.append(np.mean(shares))
    np.testing.assert_allclose([low, high], np.quantile(means, [0.025, 0.975]), atol=0.01)


def test_repeated_instances_make_the_interval_wider():
    rng = np.random.default_rng(4)
    levels = rng.normal(0, 1, (2, 5))
    x, y = (np.repeat(level, 3) + rng.normal(0, 0.1, 15) for level in levels)
    won = [{(0, 1): wins(x, y)}]
    spread = []
    for instances in (np.arange(15), np.repeat(np.arange(5), 3)):
        draws = superiority(won, [[instances, instances]], Resampling()).draws[:, 0, 1]
        spread.append(np.ptp(np.quantile(draws, [0.025, 0.975])))
    assert spread[1] > 1.4 * spread[0]


def test_few_repeated_instances_tell_of_these_instances_alone(make_log):
    """One instance drawn again is the same instance: runs are drawn, and it is said of whom."""
    rng = np.random.default_rng(5)
    runs = [
        {
            "algorithm": name, "function": f, "instance": 1, "repetition": r,
            "precisions": [9.0] * int(rng.integers(5, 60)) + [1e-8],
        }
        for name in ("a", "b")
        for f in (1, 2, 3)
        for r in range(5)
    ]  # fmt: skip
    table = Results(make_log(runs)).ranks(1.0)
    pairs = table.pairs
    assert (pairs["low"] < pairs["superiority"]).all()
    assert (pairs["superiority"] < pairs["high"]).all()
    assert any("for these instances alone" in note for note in table.notes)


def test_single_runs_have_no_interval(make_log):
    runs = [
        {"algorithm": name, "function": f, "precisions": [9.0] * length + [1e-8]}
        for length, name in enumerate(("a", "b", "c"), 3)
        for f in (1, 2, 3)
    ]
    table = Results(make_log(runs)).ranks(1.0)
    for one in (table, table.pairs):
        assert np.isnan(one["low"]).all()
        assert np.isnan(one["high"]).all()
    assert table["rank"].tolist() == [1, 2, 3]
    names = [text.xy[0] for text in draw_critical_difference(table).axes[0].texts]
    assert names == [1, 2, 3]


def test_the_example_of_glickmans_paper():
    before = Ratings(
        np.array([1500.0, 1400, 1550, 1700]), np.array([200.0, 30, 100, 300]), np.full(4, 0.06)
    )
    after = rated(before, np.zeros(3, int), np.array([1, 2, 3]), np.array([1.0, 0, 0]), tau=0.5)
    assert after.rating[0] == pytest.approx(1464.06, abs=0.01)
    assert after.deviation[0] == pytest.approx(151.52, abs=0.01)
    assert after.volatility[0] == pytest.approx(0.05999, abs=1e-5)


def test_a_player_without_games_becomes_less_certain():
    before = Ratings(np.array([1500.0, 1600, 1700]), np.full(3, 50.0), np.full(3, 0.06))
    after = rated(before, np.array([0]), np.array([1]), np.array([1.0]))
    assert after.rating[2] == 1700
    assert after.deviation[2] == pytest.approx(np.hypot(50, 173.7178 * 0.06))


def test_ratings_order_what_always_wins():
    runtimes = [[np.array([1.0, 2.0]), np.array([5.0, 9.0]), np.array([np.nan, np.nan])]] * 3
    found = ratings_of_runs(runtimes, 100, np.random.default_rng(1))
    assert found.rating[0] > 1500 > found.rating[2]
    assert found.rating[0] - found.rating[1] > 300
    alike = ratings_of_runs(
        [[np.array([np.nan]), np.array([np.nan])]], 10, np.random.default_rng(1)
    )
    np.testing.assert_allclose(alike.rating, 1500)


@pytest.fixture(scope="module")
def three(tmp_path_factory, write_log, random_runs):
    """Logs of three algorithms, of which one always is the slowest."""
    folder = tmp_path_factory.mktemp("three")
    for seed, name in enumerate(["cma", "de", "slow"]):
        rows = []
        for run in random_runs(seed, functions=range(1, 9), dimensions=(2,)):
            precisions = np.array(run["precisions"])
            values = 50.0 + (precisions if name != "slow" else np.repeat(precisions, 6))
            rows.append((firsthit.suites.ProblemId("bbob", run["function"], 2, run["instance"]),
                         50.0, np.asarray(values)))  # fmt: skip
        write_log(folder / f"{name}.h5", name, rows)
    return folder


def test_ranks_of_logs(three):
    table = firsthit.load(three).ranks([1e-1])
    assert table["algorithm"][-1] == "slow"
    assert table["rank"].sum() == pytest.approx(6)
    assert (table["low"] <= table["rank"]).all()
    assert (table["rank"] <= table["high"]).all()
    assert (table["functions"].tolist(), table["runs"].tolist()) == ([8] * 3, [24] * 3)
    assert table["p"][0] < 0.01
    assert table["rating"][-1] < 1400
    assert table["critical_difference"][0] == pytest.approx(critical_difference(3, 8, 0.05))
    last = table.pairs.rows()
    pairs = {(row[2], row[3]): row for row in last}
    best = table["algorithm"][0]
    assert pairs[best, "slow"][-1] == best
    assert pairs[best, "slow"][4] > 0.9


def test_ranks_are_those_of_runs_in_the_order_of_comparisons(three):
    """By `compare`, whose superiority is known to be that of the field's order of runs."""
    results = firsthit.load(three)
    compared = results.compare([1e-1])
    pairs = results.superiority([1e-1])
    for row in range(len(pairs)):
        first, second = pairs["first"][row], pairs["second"][row]
        swap = (compared["first"] == second) & (compared["second"] == first)
        same = (compared["first"] == first) & (compared["second"] == second)
        shares = np.where(swap, 1 - compared["superiority"], compared["superiority"])
        assert pairs["superiority"][row] == pytest.approx(shares[swap | same].mean())


def test_functions_that_not_all_were_run_on_are_left_out(three, tmp_path, write_log):
    path = write_log(
        tmp_path / "few.h5", "few",
        [(firsthit.suites.ProblemId("bbob", f, 2, 1), 50.0, np.array([60.0, 50.01]))
         for f in (1, 2)],
    )  # fmt: skip
    table = firsthit.load([three, path]).ranks([1e-1])
    assert set(table["functions"].tolist()) == {2}
    assert any("left out of" in note for note in table.notes)
    everything = firsthit.load([three, path]).ranks([1e-1], unequal=True)
    assert any("6 functions" in note for note in everything.notes)


def test_what_cannot_be_ranked(three):
    results = firsthit.load(three)
    with pytest.raises(AssessmentError, match="one target, 2 are given"):
        results.ranks([1.0, 1e-1])
    with pytest.raises(AssessmentError, match="two algorithms"):
        results.ranks(algorithms="cma")
    with pytest.raises(firsthit.FirsthitError, match="unknown correction of ranks 'holms'"):
        RankOptions("holms")


def test_the_command_prints_what_python_gives(three):
    words = ["assess", "superiority", str(three), "--targets", "1e-1"]
    result = CliRunner().invoke(group, [*words, "--correction", "nemenyi", "--format", "csv"])
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    table = firsthit.load(three).ranks([1e-1], options=RankOptions("nemenyi")).pairs
    assert [float(row["p"]) for row in rows] == table["p"].tolist()
    assert [float(row["low"]) for row in rows] == table["low"].tolist()
    assert "Nemenyi over all pairs" in result.stderr


def test_the_diagram_shows_ranks_and_joins_what_does_not_differ(three):
    table = firsthit.load(three).ranks([1e-1])
    figure = draw_critical_difference(table)
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    for name, rank in zip(table["algorithm"], table["rank"], strict=True):
        assert lines[name].get_xdata().tolist() == [rank]
    bars = [line for line in figure.axes[0].get_lines() if line.get_linewidth() == 2.5]
    undecided = [row for row in table.pairs.rows() if row[-1] == ""]
    assert bool(bars) == bool(undecided)


def test_figures_of_the_command(three, tmp_path):
    words = ["figures", str(three), "-o", str(tmp_path), "--format", "svg"]
    result = CliRunner().invoke(group, [*words, "--kinds", "critical-difference"])
    assert result.exit_code == 0, result.output
    assert [file.name for file in tmp_path.glob("*.svg")] == ["critical-difference_bbob_d02.svg"]
