"""Runtime profiles by kind of runtimes, unit and weights; areas."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results, ecdf, restart_distribution
from firsthit.assessment.statistics.ecdf import linear_area, log_area


@pytest.fixture(scope="module")
def results(make_log, random_runs):
    return Results(make_log(random_runs(1, "a") + random_runs(2, "b")))


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
