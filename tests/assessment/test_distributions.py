"""Runtime profiles by kind of runtimes, unit and weights, in batches; areas; shares of pairs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.assessment import AssessmentError, Results, ecdf, restart_distribution
from firsthit.assessment.statistics.ecdf import (
    budgets_of_shares,
    geometric_means_of_easiest,
    linear_area,
    log_area,
)
from firsthit.assessment.statistics.ratios import ratio_of_ends
from firsthit.suites.errors import UnknownNameError

from .conftest import first_hit


@pytest.fixture(scope="module")
def runs(random_runs):
    """The runs of `results`."""
    return random_runs(1, "a") + random_runs(2, "b")


def runtimes_of(runs, algorithm, dimension, targets):
    """Yield hits, shape (n_runs, n_targets), and spent evaluations of each function, by loops."""
    for function in (1, 2, 3):
        hits, spent = [], []
        for run in runs:
            cell = (run["algorithm"], run["function"], run["dimension"])
            if cell == (algorithm, function, dimension):
                precisions = run["precisions"]
                hits.append([first_hit(precisions, target) for target in targets])
                spent.append(np.fmin(first_hit(precisions, 1e-8), len(precisions)))
        yield np.array(hits), np.array(spent)


TARGETS = (10.0, 0.1, 1e-3)


def test_profiles_of_single_runs_count_failures_as_never(results, runs):
    for p in results.ecdf(targets=TARGETS, runtimes="runs").profiles:
        runtimes = [hits for hits, _ in runtimes_of(runs, p.algorithm, p.dimension, TARGETS)]
        expected = np.mean([ecdf(r / p.dimension, p.budgets) for r in runtimes], axis=0)
        np.testing.assert_allclose(p.fraction, expected, atol=1e-14)
        solved = np.mean([np.isfinite(r).mean() for r in runtimes])
        assert p.fraction[-1] == pytest.approx(solved)


def test_expected_profiles_are_what_the_simulated_ones_tend_to(results, runs):
    """Exact distributions, function by function; samples come near to them."""
    expected = results.ecdf(targets=TARGETS)
    simulated = results.ecdf(targets=TARGETS, runtimes="restarts")
    for p, q in zip(expected.profiles, simulated.profiles, strict=True):
        pairs = [
            restart_distribution(column, spent).cdf(p.budgets * p.dimension)
            for hits, spent in runtimes_of(runs, p.algorithm, p.dimension, TARGETS)
            for column in hits.T
        ]
        np.testing.assert_allclose(p.fraction, np.mean(pairs, axis=0), atol=1e-12)
        assert (p.solved, p.pairs) == (q.solved, q.pairs)
        for budget in np.logspace(-0.5, np.log10(p.budgets[-1]), 15):
            assert p.at(budget) == pytest.approx(q.at(budget), abs=0.004)
        assert p.fraction[-1] == pytest.approx(p.solved / p.pairs, abs=1e-3)


def test_budgets_may_be_evaluations(results):
    per_dimension, plain = (
        results.ecdf(algorithms="a"),
        results.ecdf(algorithms="a", axis="evaluations"),
    )
    assert plain.names[4] == "evaluations"
    for p, q in zip(per_dimension.profiles, plain.profiles, strict=True):
        assert q.dot[0] == pytest.approx(p.dot[0] * p.dimension)
        assert q.marker == pytest.approx((p.marker[0] * p.dimension, p.marker[1]))
        assert (p.axis, q.axis) == ("evaluations/dimension", "evaluations")


def test_all_crosses_are_on_the_curve(results):
    for p in results.ecdf().profiles:
        assert set(p.markers) == {"longest", "median", "cocopp-x", "cocopp-plus"}
        assert p.marker == p.markers["longest"]


def test_areas_are_those_of_the_runtimes(results, runs):
    table = results.areas(TARGETS, budget="20*D", runtimes="runs", algorithms="b")
    for line in table.rows():
        found = dict(zip(table.names, line, strict=True))
        runtimes = [
            hits / found["dimension"]
            for hits, _ in runtimes_of(runs, "b", found["dimension"], TARGETS)
        ]
        assert found["area"] == pytest.approx(np.mean([log_area(r, 20.0) for r in runtimes]))
        assert found["linear_area"] == pytest.approx(
            np.mean([linear_area(r, 20.0) for r in runtimes])
        )
        capped = np.minimum(np.nan_to_num(np.concatenate(runtimes), nan=np.inf), 20.0)
        assert found["geometric_mean"] == pytest.approx(np.exp(np.log(capped).mean()))
        assert found["pairs"] == 9


def test_areas_with_restarts_are_the_expectation_of_the_simulated_ones(results):
    exact = results.areas(TARGETS, budget=1e3)
    simulated = [
        results.areas(
            TARGETS,
            budget=1e3,
            runtimes="restarts",
            seed=seed,
        )
        for seed in (1, 1, 2)
    ]
    first, again, other = (table.to_csv() for table in simulated)
    assert first == again != other
    for name in ("area", "linear_area"):
        np.testing.assert_allclose(exact[name], simulated[0][name], atol=0.002)
    np.testing.assert_allclose(exact["geometric_mean"], simulated[0]["geometric_mean"], rtol=0.01)


def test_several_groupings_give_the_curves_of_each(results):
    both = results.ecdf(targets=TARGETS, group_by=("function", "all"), runtimes="expected")
    parts = [
        results.ecdf(targets=TARGETS, group_by=way, runtimes="expected")
        for way in ("function", "all")
    ]
    assert list(both.rows()) == [row for part in parts for row in part.rows()]
    assert [p.group for p in both.profiles] == [p.group for part in parts for p in part.profiles]
    assert both.notes == tuple(dict.fromkeys(note for part in parts for note in part.notes))
    with pytest.raises(AssessmentError, match="group-by: none given"):
        results.ecdf(group_by=())


@pytest.fixture(scope="module")
def log(make_log):
    """In 2-D, target 1: a hit after 5 evaluations, and a failure of 9."""
    return make_log(
        [
            {"instance": 1, "precisions": [9.0] * 4 + [0.5] * 3},
            {"instance": 2, "precisions": [9.0] * 9},
        ]
    )


def at(table, budget):
    (profile,) = table.profiles
    return profile.at(budget)


def test_a_hit_counts_with_its_batch_and_a_run_begins_a_new_one(log):
    """Batches of 4: the hit is in the second, the failure takes 3, so a hit after it takes 5.

    Divided afterwards, it would be (9 + 5) / 4 = 3.5.
    """
    table = Results(log).ecdf([1.0], axis="batches:4")
    assert table.names[4] == "batches"
    grid = 10 ** (1 / 50)
    assert [at(table, b) for b in (2 / grid, 2 * grid, 4.9)] == pytest.approx(
        [0, 0.5, 0.5], abs=2e-3
    )
    assert at(table, 5 * grid) == pytest.approx(0.75, abs=2e-3)
    shares = Results(log).ecdf([1.0], axis="batches:4", fractions="40,70")
    assert shares["batches"].tolist() == [2.0, 5.0]
    assert "<=10" in str(table)
    assert "<=10*D" not in str(table)
    assert any("batches of 4 evaluations, a hit counts with" in note for note in table.notes)
    one = Results(log).ecdf([1.0], axis="batches:1")
    evaluations = Results(log).ecdf([1.0], axis="evaluations")
    np.testing.assert_array_equal(one["fraction"], evaluations["fraction"])


def test_areas_are_in_batches(log):
    """Single runs: 2 batches, and never: half of the axis from 1 to 16, from 2 on."""
    table = Results(log).areas([1.0], budget=16, axis="batches:4", runtimes="runs")
    assert table["area"].tolist() == [0.5 * 0.75]


def test_batches_are_counted_as_by_a_loop(results, runs):
    for p in results.ecdf(TARGETS, axis="batches:7", runtimes="runs").profiles:
        shares = []
        for hits, _ in runtimes_of(runs, p.algorithm, p.dimension, TARGETS):
            batches = []
            for hit in hits.ravel():
                n_batches = 0
                while 7 * n_batches < hit:
                    n_batches += 1
                batches.append(n_batches if np.isfinite(hit) else np.inf)
            shares.append(ecdf(batches, p.budgets))
        np.testing.assert_allclose(p.fraction, np.mean(shares, axis=0), atol=1e-14)


def test_what_is_no_batch_is_refused(log):
    for axis in ("batches", "batches:x", "batches:2.5"):
        with pytest.raises(AssessmentError, match="such as batches:8"):
            Results(log).ecdf(axis=axis)
    with pytest.raises(UnknownNameError, match="unit of budgets 'batch:3'"):
        Results(log).ecdf(axis="batch:3")
    with pytest.raises(AssessmentError, match="the axis is in batches"):
        Results(log).areas(budget="10*D", axis="batches:4")
    with pytest.raises(AssessmentError, match="no curve in batches"):
        Results(log).ecdf(axis="batches:4", reference="a")


def test_the_figure_names_the_unit(log):
    axes = Results(log).plot.ecdf([1.0], axis="batches:4")
    assert axes.get_xlabel() == "batches of 4 evaluations"


@pytest.fixture(scope="module")
def solved_or_not(make_log):
    """Of a: hits of 1 and 0.1 after 2 and 8 evaluations; of b: after 4, and never within 10."""
    easy, never = [5.0, 1.0, *[0.5] * 5, 0.1], [5.0] * 3 + [1.0] * 7
    return Results(
        make_log([{"algorithm": "a", "precisions": easy}, {"algorithm": "b", "precisions": never}])
    )


def rows(table, *names):
    return list(zip(*(table[name].tolist() for name in names), strict=True))


def test_by_hand(solved_or_not):
    """In 2-D; the geometric mean of the easiest half is that of one pair, of all 1 and 4."""
    table = solved_or_not.ecdf([1.0, 0.1], fractions="50,75,100")
    assert table.names == (
        "algorithm", "suite", "dimension", "group", "percent", "evaluations_per_dimension",
        "factor", "geometric_mean",
    )  # fmt: skip
    names = ("algorithm", "percent", "evaluations_per_dimension", "factor", "geometric_mean")
    assert [tuple(row) for row in rows(table, *names)] == [
        ("a", 50.0, 1.0, 1.0, 1.0),
        ("a", 75.0, 4.0, 1.0, pytest.approx(4 ** (1 / 3))),
        ("a", 100.0, 4.0, 1.0, pytest.approx(2.0)),
        ("b", 50.0, 2.0, 2.0, pytest.approx(2.0)),
        ("b", 75.0, math.inf, math.inf, math.inf),
        ("b", 100.0, math.inf, math.inf, math.inf),
    ]
    assert any(
        "divided by the smallest budget of all algorithms shown" in note for note in table.notes
    )
    to_b = solved_or_not.ecdf([1.0, 0.1], fractions=[50, 75], reference="b")
    np.testing.assert_array_equal(to_b["factor"], [0.5, 0.0, 1.0, math.nan])
    assert "evaluations" in solved_or_not.ecdf([1.0], fractions=50, axis="evaluations").names


def test_the_budget_is_the_first_at_which_the_curve_is_at_the_share(make_log, random_runs):
    results = Results(make_log(random_runs(1) + random_runs(2, "b")))
    curve = results.ecdf(group_by=("all", "group"))
    table = results.ecdf(group_by=("all", "group"), fractions="10,50,90")
    assert table.profiles
    for one in table._records():
        (p,) = (p for p in curve.profiles if all(
            getattr(p, name) == one[name] for name in ("algorithm", "dimension", "group")
        ))  # fmt: skip
        budget, share = one["evaluations_per_dimension"], one["percent"] / 100
        assert p.at(budget * 10 ** (1 / 50)) >= share - 0.002
        assert p.at(budget / 10 ** (1 / 50)) < share + 0.002


def test_intervals_are_where_the_band_reaches_the_share(make_log, random_runs):
    results = Results(make_log(random_runs(1) + random_runs(2, "b")))
    band = results.ecdf(interval=0.9, dimensions=5)
    table = results.ecdf(interval=0.9, dimensions=5, fractions=50)
    assert table.names[5:] == (
        "evaluations_per_dimension", "budget_low", "budget_high", "factor", "factor_low",
        "factor_high", "geometric_mean",
    )  # fmt: skip
    for one in table._records():
        own = band["algorithm"] == one["algorithm"]
        grid, low, high = (band[n][own] for n in ("evaluations_per_dimension", "low", "high"))
        assert one["budget_high"] == grid[low >= 0.5][0]
        assert one["budget_low"] == grid[high < 0.5][-1]
        assert one["budget_low"] <= one["evaluations_per_dimension"] <= one["budget_high"]
        assert one["factor_low"] <= one["factor"] <= one["factor_high"]
    assert sorted(table["factor"])[0] == 1.0
    figure = results.plot.ecdf(dimensions=5).figure
    assert len(figure.axes) == 1


def test_factors_need_a_reference_with_runs(solved_or_not):
    message = "needs a reference with runs: .*; best has average runtimes only"
    with pytest.raises(AssessmentError, match=message):
        solved_or_not.ecdf(fractions=50, reference="best")


def test_there_is_no_factor_to_an_algorithm_without_a_curve(make_log):
    runs = [
        {"algorithm": name, "function": function, "precisions": [1.0, 0.1]}
        for name, function in (("a", 1), ("a", 2), ("b", 2))
    ]
    asked = {"fractions": 50, "reference": "b", "group_by": "function", "unequal": True}
    table = Results(make_log(runs)).ecdf([1.0], **asked)
    np.testing.assert_array_equal(table["factor"], [math.nan, 1.0, 1.0])


@given(
    st.lists(st.tuples(st.sampled_from([1.0, 2.0, 5.0, 30.0, math.inf]), st.integers(1, 5)),
             min_size=1, max_size=8),
    st.integers(1, 20),
)  # fmt: skip
def test_shares_are_those_of_repeated_runtimes(weighted, twentieths):
    """The dumbest way: every runtime as often as its weight says, 20 times, sorted."""
    runtimes, weights = (np.array(column, dtype=float) for column in zip(*weighted, strict=True))
    single = np.sort(np.repeat(runtimes, weights.astype(int) * 20))
    share = twentieths / 20
    first = single[: round(share * len(single))]
    weights /= weights.sum()
    assert budgets_of_shares(runtimes, weights, [share]) == [first[-1]]
    mean = np.exp(np.mean(np.log(first)))
    assert geometric_means_of_easiest(runtimes, weights, [share]) == pytest.approx([mean])


def test_ends_of_ratios():
    """Widened by one side alone where the other is known; to inf where the first never is."""
    assert ratio_of_ends([8, 4, 16], [2, 2, 2]) == pytest.approx((2, 8))
    both = ratio_of_ends([8, 4, 16], [2, 1, 4])
    assert both == pytest.approx((4 * 2 ** -math.sqrt(2), 4 * 2 ** math.sqrt(2)))
    assert ratio_of_ends([math.inf, 8, math.inf], [2, 1, 4]) == (2.0, math.inf)
