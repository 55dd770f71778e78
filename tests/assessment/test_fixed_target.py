"""Tables of runtimes to single targets: conventions, budgets, balance."""

import math

import numpy as np
import pytest

from firsthit.assessment import Results
from firsthit.assessment.statistics.average_runtime import simulated_runtimes
from firsthit.assessment.statistics.quantiles import quantiles

NAN, INF = math.nan, math.inf
PERCENTS = (2, 5, 10, 25, 50, 75, 90, 95, 98)


@pytest.fixture(scope="module")
def golden(make_log):
    """IOHanalyzer's golden runs: budgets 100, 40, 60, 50."""

    def run(instance, budget, steps):
        values = [4.0] * budget
        for evaluation, precision in steps.items():
            values[evaluation - 1 :] = [precision] * (budget - evaluation + 1)
        return {"instance": instance, "precisions": values}

    runs = [run(1, 100, {5: 0.25, 20: 0.01}), run(2, 40, {7: 0.25}), run(3, 60, {10: 0.04})]
    return Results(make_log([*runs, run(4, 50, {})]))


def row(table, target, **more):
    keep = np.isclose(table["target"], target)
    for name, value in more.items():
        keep &= table[name] == value
    (place,) = np.flatnonzero(keep)
    return {name: table[name][place] for name in table.names}


def test_iohanalyzers_golden_numbers_from_a_log(golden):
    found = row(golden.fixed_target([1.0, 0.1], convention="iohanalyzer"), 0.1)
    assert [found[n] for n in ("mean", "median", "PAR-1", "ERT", "runs", "ps")] == [
        *(15.0, 15.0, 57.5, 115.0, 2, 0.5),
    ]
    assert [found[f"{p}%"] for p in PERCENTS] == [10, 10, 10, 10, 10, 20, 20, 20, 20]
    capped = {"convention": "iohanalyzer", "budget": 15}
    found = row(golden.fixed_target([0.1], **capped), 0.1)
    assert [found[n] for n in ("PAR-1", "ERT", "runs", "ps")] == [13.75, 55.0, 1, 0.25]
    ten = golden.fixed_target([0.1], convention="iohanalyzer", penalty=10)
    assert row(ten, 0.1)["PAR-10"] == 507.5


def test_capped_is_iohanalyzers_text(golden):
    """min(T, 100) of 10, 20, never, never: 10, 20, 100, 100 (docs/questions/fixed-target.md)."""
    found = row(golden.fixed_target([1.0, 0.1], convention="capped"), 0.1)
    assert [found[n] for n in ("mean", "median", "PAR-1", "ERT", "runs", "ps")] == [
        *(57.5, 60.0, 57.5, 115.0, 2, 0.5),
    ]
    assert found["sd"] == pytest.approx(np.std([10, 20, 100, 100], ddof=1))
    assert [found[f"{p}%"] for p in PERCENTS] == [10, 10, 10, 10, 20, 100, 100, 100, 100]
    early = golden.fixed_target([0.1], convention="capped", budget=15)
    assert row(early, 0.1)["mean"] == (10 + 3 * 15) / 4
    names = golden.fixed_target(convention="iohanalyzer").names
    assert golden.fixed_target(convention="capped").names == names


@pytest.mark.parametrize("convention", ["suite", "restarts", "runs"])
def test_the_last_column_is_the_mean_length_of_unsuccessful_runs(golden, convention):
    """0.1 is missed by runs of 40 and 50 evaluations, 9 by none."""
    table = golden.fixed_target([9.0, 0.1], convention=convention)
    assert table.names[-1] == "mean_unsuccessful"
    assert row(table, 0.1)["mean_unsuccessful"] == 45.0
    assert np.isnan(row(table, 9.0)["mean_unsuccessful"])
    cut = golden.fixed_target([0.1], convention=convention, budget=15)
    assert row(cut, 0.1)["mean_unsuccessful"] == 15.0


def test_quantiles_with_restarts_are_those_of_many_simulated_runtimes(golden):
    table = golden.fixed_target([1.0, 0.1])
    hits = np.array([[5.0, 20.0], [7.0, NAN], [10.0, 10.0], [NAN, NAN]])
    spent = np.array([100.0, 40.0, 60.0, 50.0])
    runtimes = simulated_runtimes(hits, spent, 200_000, np.random.default_rng(1))
    for j, target in enumerate([1.0, 0.1]):
        found = row(table, target)
        expected = quantiles(runtimes[:, j], np.array(PERCENTS) / 100, "hazen")
        exactly = {25, 50} if target == 1.0 else {25}  # shares that are reached exactly
        for percent, one in zip(PERCENTS, expected, strict=True):
            assert percent in exactly or found[f"{percent}%"] == pytest.approx(one)
        mean = math.exp(np.log(runtimes[:, j]).mean())
        assert found["geometric_mean"] == pytest.approx(mean, rel=0.01)
    easy = row(table, 1.0)
    assert (easy["25%"], easy["50%"]) == (6.0, 8.5)


def test_runs_by_hand(golden):
    """Runtimes 10, 20, never, never; hazen: 10 at 1/8, 20 at 3/8, then infinity."""
    found = row(golden.fixed_target([0.1, 1e-8], convention="runs"), 0.1)
    assert (found["mean"], found["geometric_mean"]) == (15.0, pytest.approx(math.sqrt(200)))
    assert found["sd"] == pytest.approx(math.sqrt(50))
    assert [found["2%"], found["25%"], found["50%"]] == [10.0, 15.0, INF]
    never = row(golden.fixed_target([1e-8], convention="runs"), 1e-8)
    assert np.isnan([never["mean"], never["sd"], never["geometric_mean"]]).all()
    assert (never["2%"], never["successes"]) == (INF, 0)
    assert row(golden.fixed_target([1e-8]), 1e-8)["art"] == INF


def test_a_budget_stops_the_runs(golden):
    """After 15 evaluations: hits of 0.1 at 10, and three failures of 15."""
    found = row(golden.fixed_target([0.1], budget="7.5*D"), 0.1)
    assert (found["art"], found["successes"], found["evaluations"]) == (55.0, 1, 55)


def test_balanced_instances_are_columns_as_raw_counts_are(make_log):
    """Instance 1 twice, hits at 1 and 3; instance 2 once, a failure of 10: counted twice."""
    log = make_log(
        [
            {"instance": 1, "precisions": [0.5, 0.5]},
            {"instance": 1, "precisions": [9.0, 9.0, 0.5]},
            {"instance": 2, "precisions": [9.0] * 10},
        ]
    )
    found = row(Results(log).fixed_target([1.0], balance="instances"), 1.0)
    assert (found["successes"], found["runs"]) == (2, 3)
    assert (found["balanced_successes"], found["balanced_runs"]) == (2, 4)
    assert (found["art"], found["success_rate"]) == (12.0, 0.5)
    raw = row(Results(log).fixed_target([1.0]), 1.0)
    assert (raw["art"], raw["success_rate"]) == (7.0, pytest.approx(2 / 3))
    assert "balanced_runs" not in raw
