"""Runs on bits: what is recorded, and what profiles make of it."""

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.loggers.errors import ObservationError
from firsthit.suites import Suite


def walk(problem, rng):
    """Flip bits one after the other, from zeros, whatever comes; some in batches."""
    x = np.zeros(problem.dimension)
    for i in rng.permutation(problem.dimension):
        x[i] = 1 - x[i]
        problem(x)
    while True:
        problem(rng.integers(0, 2, (7, problem.dimension)))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    file = tmp_path_factory.mktemp("bits") / "log.h5"
    return firsthit.benchmark(
        {"walk": walk, "rls": "bits:RLS"}, "pbo", functions=[1, 2, 18], dimensions=[16, 67],
        instances=[1, 2, 51, 150], budget="20 * dimension", output=file,
    )  # fmt: skip


def test_precisions_are_raw_values_below_the_largest(results):
    """Of OneMax, whole numbers, whatever the instance does to values."""
    log = results.log
    rows = np.flatnonzero((log.runs.function == 1) & (log.runs.algorithm == "rls"))
    assert set(log.runs.reference_value[rows].tolist()) == {-16.0, -67.0}
    for row in rows.tolist():
        precisions = log.hits(row)["precision"]
        assert (precisions == np.floor(precisions)).all()
        assert (np.diff(precisions) <= -1).all()
        x = log.best_solution(row)
        problem = Suite("pbo", 1, len(x), int(log.runs.instance[row]))[0]
        assert problem.unscaled(x) - problem.reference_value == precisions[-1]


def test_every_improvement_is_recorded_whatever_is_asked_for(results):
    assert set(results.log.runs.record.tolist()) == {"improvements"}


@pytest.mark.parametrize("instance", [1, 2, 51, 101])
@pytest.mark.parametrize("function", [1, 18, 23, 25])
def test_recorded_are_the_hits_of_the_dumbest_loop(function, instance, tmp_path):
    suite = Suite("pbo", function, 16, instance)
    problem = suite[0]
    rng = np.random.default_rng([function, instance])
    points = rng.integers(0, 2, (400, 16))
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for observed in observer(suite):
            for x in points[:100]:
                assert observed(x) == problem(x)
            for part in np.split(points[100:], [1, 50, 51, 200]):
                assert observed(part).tolist() == problem(part).tolist()
    log = read_log(tmp_path / "a.h5")
    best, expected = np.inf, []
    for number, x in enumerate(points, 1):
        precision = problem.unscaled(x) - problem.reference_value
        if precision < best:
            best = precision
            expected.append((number, precision))
    assert log.hits(0)[["evaluation", "precision"]].tolist() == expected
    assert log.runs.best_precision.tolist() == [best]


def test_the_final_target_is_the_optimum(results):
    log = results.log
    solved = log.runs.best_precision == 0
    assert solved.any()
    assert ((log.runs.status == "target") == solved).all()


def test_the_profile_takes_51_targets_from_the_mean_of_random_points_to_the_optimum(results):
    table = results.ecdf(functions=1, dimensions=16, algorithms="rls", runtimes="runs")
    log = results.log
    rows = np.flatnonzero(
        (log.runs.function == 1) & (log.runs.dimension == 16) & (log.runs.algorithm == "rls")
    )
    targets = [8 * (50 - i) / 50 for i in range(51)]
    by_hand = [
        min((h["evaluation"] for h in log.hits(row) if h["precision"] <= target), default=np.inf)
        for row in rows.tolist()
        for target in targets
    ]
    assert len(by_hand) == 4 * 51
    for spent, fraction in zip(
        table["evaluations_per_dimension"].tolist(), table["fraction"].tolist(), strict=True
    ):
        shown = np.less_equal(by_hand, 16 * spent * (1 + 1e-9)).mean()
        assert fraction == pytest.approx(shown, abs=1e-12)


def test_the_summary_says_that_targets_are_shares_of_each_range(results):
    table = results.summary()
    heading, block, *_ = str(table).split("\n\n")
    assert heading.replace("\n", " ").endswith(
        "51 targets 1e0 … 0 (shares of each function's range)"
    )
    assert block.split("\n")[1].endswith("  to 0")
    assert "functions_5.2e-1" in table.names


def test_a_raw_value_on_a_target_hits_it():
    """In floating point, (1 - 40/50) * 15 is below 3, the precision of OneMax that is hit there."""
    assert (1 - 40 / 50) * 15 < 3
    once = firsthit.benchmark(
        lambda problem: problem(np.arange(30) < 27), "pbo", functions=1, dimensions=30,
        instances=1, budget=1,
    )  # fmt: skip
    assert once.art(targets=3.0)["successes"].tolist() == [1]
    assert once.ecdf(runtimes="runs")["fraction"][-1] == 41 / 51  # targets 15, 14.7 … 3


def test_what_has_no_known_optimum_is_left_out_with_a_note(results):
    note = (
        "functions without reference value: f18 of pbo in 67-D; left out, because precision "
        "targets need it."
    )
    art = results.art()
    assert note in art.notes
    assert not ((art["function"] == 18) & (art["dimension"] == 67)).any()
    assert ((art["function"] == 18) & (art["dimension"] == 16)).any()
    assert note in results.ecdf().notes
    with pytest.raises(firsthit.FirsthitError, match="functions 18 have no reference value"):
        results.art(functions=18, dimensions=67)
    budgets = results.fixed_budget(functions=18, dimensions=67)
    assert np.isfinite(budgets["median"]).all()


def test_the_best_feasible_value_is_no_measure_of_it(tmp_path):
    def observe(suite, indicator):
        path = tmp_path / f"{indicator}.h5"
        with firsthit.Observer(path, algorithm="a", indicator=indicator) as observer:
            next(iter(observer(suite)))

    with pytest.raises(ObservationError, match="differ by instance, and 'unscaled' measures them"):
        observe(Suite("pbo", 1, 16, 2), "best-feasible")
    with pytest.raises(ObservationError, match="takes problems that scale their values"):
        observe(Suite("bbob", 1, 2, 1), "unscaled")


def test_a_recommendation_is_measured_as_other_points(tmp_path):
    suite = Suite("pbo", 1, 16, 2)
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for observed in observer(suite):
            observed(np.zeros(16))
            observed.recommend(suite[0].optimal_solution)
    assert read_log(tmp_path / "a.h5").recommendations(0)["precision"].tolist() == [0.0]
