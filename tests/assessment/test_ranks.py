"""Ranks, tests on them, who beats whom, ratings: against definitions, scipy, and the papers."""

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import firsthit
from firsthit.assessment import AssessmentError, Resampling, Results
from firsthit.assessment.statistics.friedman import RankTests, undecided_groups
from firsthit.assessment.statistics.ranking import (
    Ratings,
    rated,
    ratings_of_runs,
    superiority,
    wins,
)
from firsthit.assessment.statistics.significance import holm

from ..command_line import succeed
from .conftest import problem_id

tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=9)
)


@given(tables)
def test_friedmans_statistic_is_scipys_and_its_p_counts_arrangements(rows):
    """The dumbest loop: every order of the ranks on every problem."""
    values = np.array(rows[:4], dtype=float)
    n, k = values.shape
    found = RankTests.of(values)
    ranks = stats.rankdata(values, axis=1)
    np.testing.assert_allclose(found.ranks, ranks.mean(axis=0))
    if math.factorial(k) ** n > 8000:
        return

    def spread(sums):
        return round(float(((sums - sums.mean()) ** 2).sum()), 6)

    every = [np.sum(one, axis=0) for one in product(*(permutations(row) for row in ranks))]
    seen = spread(ranks.sum(axis=0))
    assert found.p == pytest.approx(np.mean([spread(sums) >= seen for sums in every]))
    widest = round(np.ptp(ranks.sum(axis=0)), 6)
    expected = np.mean([round(np.ptp(sums), 6) >= widest for sums in every])
    assert found.pairs("nemenyi").min() == pytest.approx(min(expected, 1.0))


@given(tables)
def test_pairs_count_the_signs_of_their_differences(rows):
    found = RankTests.of(rows)
    k = found.placed.shape[1]
    raw = []
    for i, j in combinations(range(k), 2):
        difference = found.placed[:, i] - found.placed[:, j]
        sums = [np.dot(difference, signs) for signs in product((-1, 1), repeat=len(rows))]
        two = [np.mean(np.array(sums) <= difference.sum()), np.mean(sums >= difference.sum())]
        raw.append(min(2 * min(two), 1.0))
    np.testing.assert_allclose(found.pairs("holm")[np.triu_indices(k, 1)], holm(raw))


def test_two_algorithms_have_one_p_value():
    """That of the sign test: with four functions at least 1/8, where z of ranks says 0.046."""
    for n in (3, 4, 8, 24):
        found = RankTests.of([[1, 2]] * n)
        assert found.p == pytest.approx(2 * 0.5**n)
        for correction in ("holm", "nemenyi"):
            assert found.pairs(correction)[0, 1] == found.p
        assert found.least_p("holm") == found.p


def test_many_arrangements_are_sampled_and_agree_with_the_formulas():
    """20 000 of them: a standard error of 0.0035 at most."""
    values = np.random.default_rng(5).normal(size=(40, 4)) + np.array([0, 0, 0.2, 0.4])
    found, again = RankTests.of(values), RankTests.of(values[:, ::-1])
    chi2 = stats.friedmanchisquare(*values.T).statistic
    expected = stats.f.sf(39 * chi2 / (120 - chi2), 3, 117)
    assert found.p == again.p
    assert found.p == pytest.approx(expected, abs=0.01)
    sure = RankTests.of(values + np.array([0, 0, 2.0, 4.0]))
    chi2 = stats.friedmanchisquare(*(values + np.array([0, 0, 2.0, 4.0])).T).statistic
    assert sure.p == pytest.approx(stats.f.sf(39 * chi2 / (120 - chi2), 3, 117), rel=1e-6)
    apart = np.ptp(sure.ranks) * np.sqrt(12 * 40 / 20)
    assert sure.pairs("nemenyi").min() == pytest.approx(
        stats.studentized_range.sf(apart, 4, np.inf), rel=1e-6
    )


@pytest.mark.parametrize(("problems", "algorithms"), [(4, 2), (3, 3), (9, 5)])
def test_equal_algorithms_differ_in_one_of_twenty_experiments_at_most(problems, algorithms):
    """Before: pairs in 12.5 % (2 algorithms, 4 problems), Friedman's in 19 % (3 and 3)."""
    rng = np.random.default_rng([problems, algorithms])
    alarms = np.zeros(3)
    for _ in range(800):
        tests = RankTests.of(rng.random((problems, algorithms)), samples=400)
        alarms += [
            tests.p <= 0.05,
            tests.pairs("holm").min() <= 0.05,
            tests.pairs("nemenyi").min() <= 0.05,
        ]
    assert (alarms / 800 < 0.05 + 2.5 * 0.0077).all()


DEMSAR = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip
"""Table 6 of the paper: AUC of C4.5 and three variants on 14 data sets."""


def test_the_example_of_demsars_paper():
    found = RankTests.of(-np.array(DEMSAR))
    np.testing.assert_allclose(found.ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    # the paper has 1.25 and 1.12 by the studentized range; ties make the exact ones less
    assert found.critical_difference(0.05) == pytest.approx(1.25, abs=0.04)
    assert found.critical_difference(0.10) == pytest.approx(1.12, abs=0.04)
    nemenyi = found.pairs("nemenyi")
    assert (nemenyi > 0.05).all()
    assert nemenyi[0, 3] < 0.1
    # F(3, 39) = 3.69 in the paper, 0.020; with ties corrected, 0.015
    assert found.p == pytest.approx(0.015, abs=0.003)


@given(tables, st.sampled_from(["holm", "nemenyi"]))
def test_groups_hold_what_does_not_differ(rows, correction):
    found = RankTests.of(rows, samples=2000)
    p = found.pairs(correction)
    if correction == "nemenyi" and p.shape[0] > 2:
        apart = np.abs(found.ranks[:, np.newaxis] - found.ranks) + 1e-9
        assert (p[apart >= found.critical_difference(0.05)] <= 0.05).all()
    groups = [set(g.tolist()) for g in undecided_groups(found.ranks, p, 0.05)]
    for i, j in combinations(range(len(found.ranks)), 2):
        if any({i, j} <= one for one in groups):
            assert p[i, j] > 0.05
    for one, other in combinations(groups, 2):
        assert not one <= other
        assert not other <= one


def test_with_ties_a_pair_may_differ_below_the_critical_difference():
    """The largest difference of two rank sums is 6.5 or 7.5 in some arrangements, 7 in none."""
    found = RankTests.of([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 2, 0, 1]], samples=2000)
    assert found.ranks[1] - found.ranks[3] == 7 / 4
    assert found.pairs("nemenyi")[1, 3] <= 0.05
    assert found.critical_difference(0.05) == 7.5 / 4


def test_ranks_refuse_what_cannot_be_ranked():
    for values in ([[1.0]], [[1.0, np.nan]], np.empty((0, 3))):
        with pytest.raises(ValueError, match="two algorithms"):
            RankTests.of(values)


runs = st.lists(st.integers(0, 5), min_size=1, max_size=6)


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
            "algorithm": name, "function": f, "instance": 1,
            "precisions": [9.0] * int(rng.integers(5, 60)) + [1e-8],
        }
        for name in ("a", "b")
        for f in (1, 2, 3)
        for _ in range(5)
    ]  # fmt: skip
    table = Results(make_log(runs)).ranks(1.0)
    pairs = table.pairs
    assert (pairs["low"] < pairs["superiority"]).all()
    assert (pairs["superiority"] < pairs["high"]).all()
    assert any("valid for the instances only" in note for note in table.notes)


def test_single_runs_have_no_interval(make_log):
    runs = [
        {"algorithm": name, "function": f, "precisions": [9.0] * length + [1e-8]}
        for length, name in enumerate(("a", "b", "c"), 3)
        for f in (1, 2, 3)
    ]
    results = Results(make_log(runs))
    table = results.ranks(1.0)
    for one in (table, table.pairs):
        assert np.isnan(one["low"]).all()
        assert np.isnan(one["high"]).all()
    assert table["rank"].tolist() == [1, 2, 3]
    names = [text.xy[0] for text in results.plot.critical_difference(1.0).texts]
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
            rows.append((problem_id("bbob", run["function"], 2, run["instance"]),
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
    assert table["critical_difference"][0] == pytest.approx(1.25)
    assert table.pairs["p"].min() >= 3 * 2 / 2**8
    last = table.pairs.rows()
    pairs = {(row[2], row[3]): row for row in last}
    best = table["algorithm"][0]
    assert pairs[best, "slow"][-1] == best
    assert pairs[best, "slow"][4] > 0.9


def test_ranks_are_those_of_runs_in_the_order_of_comparisons(three):
    """By `compare`, whose superiority is known to be that of the field's order of runs."""
    results = firsthit.load(three)
    compared = results.compare([1e-1])
    pairs = results.ranks([1e-1], superiority=True)
    for row in range(len(pairs)):
        first, second = pairs["first"][row], pairs["second"][row]
        swap = (compared["first"] == second) & (compared["second"] == first)
        same = (compared["first"] == first) & (compared["second"] == second)
        shares = np.where(swap, 1 - compared["superiority"], compared["superiority"])
        assert pairs["superiority"][row] == pytest.approx(shares[swap | same].mean())


def test_ranks_and_superiority_say_the_same_of_two_algorithms(three):
    results = firsthit.load(three)
    for functions in ("1-3", "1-8"):
        chosen = {"algorithms": ["cma", "slow"], "functions": functions}
        ranks, pairs = (results.ranks([1e-1], superiority=s, **chosen) for s in (False, True))
        assert pairs["p"].tolist() == [ranks["p"][0]]
        few = "3 functions are too few to distinguish 2 algorithms"
        for table in (ranks, pairs):
            assert any(few in note for note in table.notes) == (functions == "1-3")
    assert pairs["p"][0] < 0.05


def test_ratings_that_contradict_ranks_say_why(make_log):
    """a wins on two functions of three by precision, where games draw, and loses on the third."""
    runs = [
        {"algorithm": name, "function": f, "instance": i, "precisions": precisions}
        for f, of_a, of_b in ((1, [2.0], [3.0]), (2, [2.0], [3.0]), (3, [9.0, 1e-8], [1e-8]))
        for i in (1, 2, 3)
        for name, precisions in (("a", of_a), ("b", of_b))
    ]
    table = Results(make_log(runs)).ranks(1e-2)
    rating = dict(zip(table["algorithm"], table["rating"], strict=True))
    assert table["algorithm"].tolist() == ["a", "b"]
    assert rating["a"] < rating["b"]
    said = "ratings on bbob in 2-D: another order than by rank"
    assert any(note.startswith(said) for note in table.notes)
    agreeing = Results(make_log(runs)).ranks(1e-2, functions=3)
    assert not any(note.startswith("ratings on") for note in agreeing.notes)


def test_what_cannot_be_ranked(three):
    results = firsthit.load(three)
    with pytest.raises(AssessmentError, match="one target is needed, 2 are given"):
        results.ranks([1.0, 1e-1])
    with pytest.raises(AssessmentError, match="two algorithms"):
        results.ranks(algorithms="cma")


@pytest.mark.parametrize("superiority", [False, True])
def test_the_diagram_shows_ranks_and_joins_what_does_not_differ(three, superiority):
    """Also of a table that has the columns of the pairs."""
    results = firsthit.load(three)
    table = results.ranks([1e-1], superiority=superiority)
    axes = results.plot.critical_difference([1e-1], superiority=superiority)
    lines = {line.get_label(): line for line in axes.get_lines()}
    for name, rank in zip(table.ranks["algorithm"], table.ranks["rank"], strict=True):
        assert lines[name].get_xdata().tolist() == [rank]
    bars = [line for line in axes.get_lines() if line.get_linewidth() == 2.5]
    undecided = [row for row in table.pairs.rows() if row[-1] == ""]
    assert bool(bars) == bool(undecided)


def test_a_target_of_each_function_and_the_caption_of_what_was_asked(three, tmp_path):
    """Run-length targets differ by function; the caption has the options, not their defaults."""
    words = ("--targets", "runlength:3*D", "--reference", "cma", "--interval", 0.9, "--alpha", 0.1)
    succeed("assess", "ranks", three, *words, "--plot", tmp_path / "ranks.svg")
    caption = (tmp_path / "ranks.txt").read_text(encoding="utf-8")
    for text in ("with 90 % intervals", "do not differ at 0.1 (Friedman, Holm)", "run-length"):
        assert text in caption


@pytest.fixture(scope="module")
def crossing(make_log):
    """In 2-D: a is better before 20 evaluations, b from then on; b hits 1e-8 after 76 and 81."""
    runs = []
    for function in range(1, 9):
        for instance in (1, 2):
            place = {"function": function, "instance": instance}
            a = [9.0 - instance / 10] * 60
            b = [50.0 + instance] * 19 + [2.0 + instance] * (70 + 5 * instance - 19) + [1e-9] * 20
            runs += [{"algorithm": "a", **place, "precisions": a},
                     {"algorithm": "b", **place, "precisions": b}]  # fmt: skip
    return Results(make_log(runs))


def test_ranks_within_budgets_are_by_hand(crossing):
    """Budgets end with the longest run, 100 evaluations; a, which ended at 60, keeps its 8.9."""
    table = crossing.ranks(over="budgets")
    assert table.names[:4] == ("suite", "dimension", "budget", "algorithm")
    first = {}
    for row in table._records():
        first.setdefault(row["budget"], (row["algorithm"], row["rank"]))
    assert first == {
        1: ("a", 1.0), 2: ("a", 1.0), 5: ("a", 1.0), 10: ("b", 1.0), 20: ("b", 1.0),
        50: ("b", 1.0),
    }  # fmt: skip
    assert any(note.startswith("budget: ") for note in table.notes)
    pairs = crossing.ranks(over="budgets", superiority=True)
    assert pairs.names[:5] == ("suite", "dimension", "budget", "first", "second")
    assert pairs["better"].tolist() == ["a"] * 3 + ["b"] * 3


def test_the_order_within_a_budget_is_that_of_the_dumbest_sort(make_log, random_runs):
    """Each run's key: (0, evaluations of its hit by then), else (1, its best by then)."""
    runs = random_runs(1) + random_runs(2, "b")
    table = Results(make_log(runs)).ranks(1e-2, over="budgets", dimensions=5)

    def key(run, budget):
        by_then = run["precisions"][: int(budget * 5 + 1e-9)]
        hit = next((k for k, value in enumerate(by_then) if value <= 1e-2), None)
        return (1, min(by_then)) if hit is None else (0, hit)

    for budget in set(table["budget"].tolist()):
        shares = []
        for function in (1, 2, 3):
            a, b = (
                [key(r, budget) for r in runs
                 if (r["algorithm"], r["function"], r["dimension"]) == (name, function, 5)]
                for name in "ab"
            )  # fmt: skip
            won = np.mean([(x < y) + (x == y) / 2 for x in a for y in b])
            shares.append(1.5 - np.sign(won - 0.5) / 2)
        own = (table["budget"] == budget) & (table["algorithm"] == "a")
        assert table["rank"][own].tolist() == pytest.approx([np.mean(shares)])


def test_the_figure_over_budgets_shows_where_the_order_changes(crossing):
    axes = crossing.plot.ranks_over_budgets()
    [change] = [line for line in axes.get_lines() if line.get_gid() == "change"]
    assert change.get_xdata()[0] == pytest.approx(50**0.5)
    curves = [line for line in axes.get_lines() if len(line.get_xdata()) == 6]
    assert [line.get_ydata().tolist() for line in curves] == [[1] * 3 + [2] * 3, [2] * 3 + [1] * 3]


def test_runs_without_evaluations_are_not_ranked_over_budgets(cli, tmp_path):
    (tmp_path / "mine.py").write_text("def a(problem): pass\n\n\ndef b(problem): pass\n")
    (tmp_path / "c.yaml").write_text(
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1\nworkers: 0\nbudget: 9\n"
        'restarts: 0\noptimizers: ["mine.py:a", "mine.py:b"]\noutput: out.h5\n'
    )
    assert cli("run", "c.yaml")[0] == 1
    code, out, err = cli("assess", "ranks", "--over", "budgets", "out.h5")
    assert (code, out) == (2, "")
    assert "there is nothing to rank over budgets: no run made an evaluation" in err
