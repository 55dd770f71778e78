"""With two objectives no view simulates restarts, unless it is asked to."""

import math

import numpy as np
import pytest

from firsthit.assessment import Results

INF = math.inf
TARGETS = [1.0, 0.1]
SAID = "no restarts are simulated with two objectives"
SINGLE_RUNS = "single runs, where unsuccessful runs never reach the target"


def runs_of(suite, algorithm="a"):
    """Four runs of 100, 40, 60, 50 evaluations; hits of 1: 5, 7, 10, of 0.1: 20, 10."""

    def run(instance, budget, steps):
        values = [4.0] * budget
        for evaluation, precision in steps.items():
            values[evaluation - 1 :] = [precision] * (budget - evaluation + 1)
        return {
            "suite": suite, "algorithm": algorithm, "instance": instance, "precisions": values,
            "objectives": 2 if suite == "pairs" else 1,
        }  # fmt: skip

    ends = [run(1, 100, {5: 0.25, 20: 0.04}), run(2, 40, {7: 0.25}), run(3, 60, {10: 0.04})]
    return [*ends, run(4, 50, {})]


@pytest.fixture(scope="module")
def pairs(make_log):
    return Results(make_log(runs_of("pairs")))


@pytest.fixture(scope="module")
def both(make_log):
    """The same runs on two objectives and on bbob."""
    return Results(make_log([*runs_of("bbob"), *runs_of("pairs")]))


def rows(table, suite="pairs"):
    """By target: the row as a mapping."""
    found = [dict(zip(table.names, row, strict=True)) for row in table.rows()]
    return {row["target"]: row for row in found if row["suite"] == suite}


def said(table):
    return " ".join(table.notes)


def test_statistics_of_runtimes_are_those_of_single_runs(pairs):
    """Hazen: of 5, 7, 10, never; and of 10, 20, never, never."""
    table = pairs.fixed_target(TARGETS)
    easy, hard = rows(table)[1.0], rows(table)[0.1]
    assert (easy["art"], hard["art"]) == (24.0, 60.0)
    assert [easy[f"{p}%"] for p in (2, 10, 25, 50, 75, 98)] == [5, 5, 6, 8.5, INF, INF]
    assert [hard[f"{p}%"] for p in (2, 10, 25, 50, 75, 98)] == [10, 10, 15, INF, INF, INF]
    assert easy["geometric_mean"] == pytest.approx(350 ** (1 / 3))
    assert hard["geometric_mean"] == pytest.approx(200**0.5)
    assert (
        "quantiles count unsuccessful runs as infinite, the geometric mean leaves them out"
        in said(table)
    )
    assert SAID in said(table)


def test_restarts_of_runs_on_two_objectives_can_be_asked_for(pairs, both):
    restarted = pairs.fixed_target(TARGETS, convention="restarts")
    assert rows(restarted)[0.1]["98%"] < INF
    assert SAID not in said(restarted)
    usual = both.fixed_target(TARGETS, convention="restarts")
    ours, bbobs = rows(usual)[0.1], rows(usual, "bbob")[0.1]
    assert {**ours, "suite": "bbob"} == bbobs


def test_quartiles_against_the_dimension_are_those_of_single_runs(pairs):
    table = pairs.scaling(TARGETS)
    easy, hard = rows(table)[1.0], rows(table)[0.1]
    assert [easy[name] for name in ("art", "q25", "median", "q75")] == [12, 3, 4.25, INF]
    assert [hard[name] for name in ("art", "q25", "median", "q75")] == [30, 7.5, INF, INF]
    assert f"percentiles are of {SINGLE_RUNS}; {SAID}" in said(table)


def test_the_spread_in_cocos_table_is_that_of_single_runs(pairs):
    table = pairs.coco_table(TARGETS)
    easy, hard = rows(table)[1.0], rows(table)[0.1]
    assert [easy["q10"], easy["q90"]] == [5 / 24, INF]
    assert [hard["q10"], hard["q90"]] == [10 / 60, INF]
    assert f"q10, q90: quantiles of {SINGLE_RUNS}; {SAID}, divided by aRT" in said(table)
    assert r"24$_{/4.8}^{\times\infty}$" in table.to_latex().replace(r"\textbf{24}", "24")


@pytest.mark.parametrize("ask", ["fixed_target", "scaling", "coco_table", "ecdf"])
def test_each_suite_has_its_own_rule(ask, pairs, both, make_log):
    bbob = Results(make_log(runs_of("bbob")))
    table = getattr(both, ask)(TARGETS)
    assert "on bbob " in said(table)
    assert "on pairs " in said(table)
    assert SAID in said(table)
    for alone, suite in ((bbob, "bbob"), (pairs, "pairs")):
        own = getattr(alone, ask)(TARGETS)
        here = np.flatnonzero(table["suite"] == suite)
        for name in own.names:
            assert np.array_equal(
                table[name][here], own[name], equal_nan=own[name].dtype.kind == "f"
            ), name
    assert SAID not in said(getattr(bbob, ask)(TARGETS))


def test_bands_and_references_are_of_what_the_curves_are(make_log):
    """Two algorithms with the same runs: the best of them is as good, in each suite, each way."""
    cells = [(suite, name) for suite in ("bbob", "pairs") for name in "ab"]
    log = make_log([run for cell in cells for run in runs_of(*cell)])
    results, found = Results(log), {}
    for way in ("suite", "runs", "expected"):
        table = results.ecdf(TARGETS, runtimes=way, interval=0.9, reference="best")
        for suite in ("bbob", "pairs"):
            here = (table["suite"] == suite) & (table["algorithm"] == "a")
            found[way, suite] = [table[n][here].tolist() for n in ("fraction", "low", "high")]
            curves = {p.algorithm: p for p in table.profiles if p.suite == suite}
            best = next(p for p in curves.values() if p.reference)
            assert best.fraction[-1] == pytest.approx(curves["a"].fraction[-1], abs=0.002)
    assert found["suite", "pairs"] == found["runs", "pairs"]
    assert found["suite", "bbob"] == found["expected", "bbob"]
    assert found["suite", "bbob"] != found["runs", "bbob"]


def test_areas_are_those_of_single_runs_with_two_objectives(pairs, make_log):
    usual = pairs.areas(TARGETS, budget=100.0)["area"].tolist()
    assert usual == pairs.areas(TARGETS, budget=100.0, runtimes="runs")["area"].tolist()
    assert usual < Results(make_log(runs_of("bbob"))).areas(TARGETS, budget=100.0)["area"].tolist()
