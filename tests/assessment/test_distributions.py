"""Runtime profiles by kind of runtimes, unit and weights, in batches; areas."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results, ecdf, restart_distribution
from firsthit.assessment.data.run_sets import in_batches
from firsthit.assessment.data.runs import Runs
from firsthit.assessment.statistics.ecdf import linear_area, log_area
from firsthit.assessment.targets.defaults import all_targets
from firsthit.suites.errors import UnknownNameError


def runtimes_of(results, algorithm, dimension, targets):
    """Hits and spent evaluations of each function, by loops."""
    log = results.log
    for function in (1, 2, 3):
        rows = [
            i
            for i, run in enumerate(log.runs)
            if (run["algorithm"], run["function"], run["dimension"])
            == (algorithm, function, dimension)
        ]
        hits, _ = log.first_hits(rows, [*targets, 1e-8])
        spent = np.fmin(hits[:, -1], log.runs["evaluations"][rows])
        yield hits[:, :-1], spent


TARGETS = (10.0, 0.1, 1e-3)


def test_profiles_of_single_runs_count_failures_as_never(results):
    for p in results.ecdf(targets=TARGETS, runtimes="runs").profiles:
        runtimes = [hits for hits, _ in runtimes_of(results, p.algorithm, p.dimension, TARGETS)]
        expected = np.mean([ecdf(r / p.dimension, p.budgets) for r in runtimes], axis=0)
        np.testing.assert_allclose(p.fraction, expected, atol=1e-14)
        solved = np.mean([np.isfinite(r).mean() for r in runtimes])
        assert p.fraction[-1] == pytest.approx(solved)


def test_expected_profiles_are_what_the_simulated_ones_tend_to(results):
    """Exact distributions, function by function; samples come near to them."""
    expected = results.ecdf(targets=TARGETS)
    simulated = results.ecdf(targets=TARGETS, runtimes="restarts")
    for p, q in zip(expected.profiles, simulated.profiles, strict=True):
        pairs = [
            restart_distribution(column, spent).cdf(p.budgets * p.dimension)
            for hits, spent in runtimes_of(results, p.algorithm, p.dimension, TARGETS)
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


def test_areas_are_those_of_the_runtimes(results):
    table = results.areas(TARGETS, budget="20*D", runtimes="runs", algorithms="b")
    for line in table.rows():
        found = dict(zip(table.names, line, strict=True))
        runtimes = [
            hits / found["dimension"]
            for hits, _ in runtimes_of(results, "b", found["dimension"], TARGETS)
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


def test_run_sets_in_batches_are_those_of_the_dumbest_loop(make_log, random_runs):
    run_sets, _ = Runs(make_log(random_runs(3))).at_targets(None, all_targets)
    for before, after in zip(run_sets, in_batches(run_sets, 7), strict=True):
        for hits, batches in zip(before.hits.ravel(), after.hits.ravel(), strict=True):
            taken = 0
            while 7 * taken < hits:
                taken += 1
            assert batches == taken or (np.isnan(hits) and np.isnan(batches))
        assert (after.spent == np.ceil(before.spent / 7)).all()


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
    from firsthit.assessment.questions.ecdf.figures import draw_ecdf

    figure = draw_ecdf(Results(log).ecdf([1.0], axis="batches:4"))
    assert figure.axes[0].get_xlabel() == "batches of 4 evaluations"
