"""Areas over convergence curves, and the levels that runs attain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.statistics.aocc import (
    PrecisionScale,
    area_over_curve,
    mean_over_problems,
    stratified_mean_interval,
)
from firsthit.assessment.statistics.attainment import attainment_differences, attainment_surfaces

from ..command_line import succeed
from .conftest import problem_id

precisions = st.floats(1e-12, 1e5) | st.just(np.inf) | st.just(0.0)


def dumbest(values, budget, lower, upper):
    """AOCC of a run with these precisions, one evaluation after the other."""
    total, best = 0.0, np.inf
    for i in range(budget):
        if i < len(values):
            best = min(best, values[i])
        clipped = min(max(best, lower), upper)
        part = (np.log10(clipped) - np.log10(lower)) / (np.log10(upper) - np.log10(lower))
        total += 1 - part
    return total / budget


def improvements(values):
    best = np.inf
    for i, value in enumerate(values, 1):
        if value < best:
            best = value
            yield i, value


@given(
    st.lists(precisions, min_size=1, max_size=30),
    st.integers(1, 40),
    st.sampled_from([(1e-8, 1e2), (1e-3, 1.0)]),
)
def test_the_area_is_that_of_the_dumbest_loop(values, budget, bounds):
    expected = dumbest(values[:budget], budget, *bounds)
    curve = list(improvements(values)) or [(1, np.inf)]
    found = area_over_curve(*zip(*curve, strict=True), budget, PrecisionScale(*bounds))
    assert float(found) == pytest.approx(expected, abs=1e-12)


def test_the_interval_of_one_stratum_is_students():
    low, high = stratified_mean_interval([[0.2, 0.4, 0.6]], [1.0], 0.95)
    # t of 2 degrees of freedom 4.302653, standard error 0.2 / sqrt(3)
    assert (low, high) == (0.0, pytest.approx(0.4 + 4.302653 * 0.2 / 3**0.5, abs=1e-6))


def test_the_interval_covers_the_mean():
    """120 problems of 8 functions, values of very different spreads: 95 % is 95 %."""
    rng, covered = np.random.default_rng(1), 0
    centres, spreads = np.linspace(0.2, 0.8, 8), np.linspace(0.01, 0.19, 8)
    for _ in range(1000):
        runs = [rng.uniform(c - s, c + s, 5) for c, s in zip(centres, spreads, strict=True)]
        low, high = stratified_mean_interval(runs, np.full(8, 1 / 8), 0.95)
        covered += low <= centres.mean() <= high
    assert 0.935 <= covered / 1000 <= 0.975


def test_what_an_interval_is_about():
    values = np.array([0.1, 0.2, 0.5, 0.6])
    function, problem = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3])
    (mean, low, high), text = mean_over_problems(values, function, problem, 0.95)
    assert mean == pytest.approx(0.35)
    assert low < 0.35 < high
    assert "95 % interval for these functions" in text
    repeated = mean_over_problems(values, np.array([0, 0, 0, 0]), function, 0.95)
    assert "these instances" in repeated[1]
    (mean, low, high), text = mean_over_problems(values[:3], function[:3], problem[:3], 0.95)
    assert np.isnan([low, high]).all()
    assert "a function has a single run" in text


def test_problems_weigh_the_same_however_many_runs_they_have():
    values = np.array([0.0, 0.0, 0.0, 1.0])
    (mean, *_), _ = mean_over_problems(values, np.zeros(4, int), np.array([0, 0, 0, 1]), 0.95)
    assert mean == 0.5


@pytest.fixture(scope="module")
def runs(random_runs):
    return random_runs(5, functions=(1, 2), dimensions=(2,), instances=(1, 2, 3))


@pytest.fixture(scope="module")
def logs(tmp_path_factory, write_log, runs):
    """The same runs, with every improvement and with first hits of targets alone."""
    folder = tmp_path_factory.mktemp("aocc")
    named = [
        (problem_id("bbob", r["function"], 2, r["instance"]), 50.0, values)
        for r in runs
        for values in [50.0 + np.array(r["precisions"])]
    ]
    return {
        record: write_log(folder / f"{record}.h5", "a", named, record)
        for record in ("improvements", "targets")
    }


@pytest.mark.parametrize("budget", [1, 7, 40, 500])
@pytest.mark.parametrize("by", ["all", "function"])
def test_logs_of_improvements_give_the_dumbest_loops_number(logs, runs, budget, by):
    table = firsthit.load(logs["improvements"]).aocc(budget, group_by=by)
    for row in range(len(table)):
        mine = [r for r in runs if by == "all" or f"f{r['function']:03d}" == table["group"][row]]
        values = [50.0 + np.array(r["precisions"]) - 50.0 for r in mine]
        expected = np.mean([dumbest(v.tolist(), budget, 1e-8, 1e2) for v in values])
        assert table["aocc"][row] == pytest.approx(expected, abs=1e-12)
        assert table["most"][row] == pytest.approx(expected, abs=1e-12)
    assert not any(note.startswith("bounds: ") for note in table.notes)


@pytest.mark.parametrize("budget", [1, 7, 40, 500])
def test_logs_of_first_hits_give_bounds(logs, budget):
    exact, bounds = (
        firsthit.load(logs[record]).aocc(budget, lower=1e-5, upper=1e3)
        for record in ("improvements", "targets")
    )
    assert bounds["aocc"][0] - 1e-12 <= exact["aocc"][0] <= bounds["most"][0] + 1e-12
    assert bounds["most"][0] - bounds["aocc"][0] < 0.05
    if bounds["most"][0] > bounds["aocc"][0]:
        assert any(note.startswith("bounds: ") for note in bounds.notes)


def test_the_runs_own_budget_is_taken_where_they_have_one(logs):
    with pytest.raises(AssessmentError, match=r"on bbob in 2-D have not one in common \(none\)"):
        firsthit.load(logs["targets"]).aocc()


values = st.lists(st.sampled_from([np.inf, 3.0, 2.0, 1.0, 0.5, 0.1, 0.0]), min_size=1, max_size=8)
runs_of_one = st.lists(values, min_size=1, max_size=5)


def curve(precisions):
    """The steps of a run with these precisions, one after each evaluation."""
    steps, best = [], np.inf
    for i, value in enumerate(precisions, 1):
        if value < best:
            best = value
            steps.append((float(i), value))
    return tuple(np.array(steps).reshape(-1, 2).T)


def share(runs, budget, precision):
    """Of runs, those that have the precision within the budget."""
    return np.mean([min([np.inf, *run[: int(budget)]]) <= precision for run in runs])


def best_on(surface, budget):
    reached = surface[1][surface[0] <= budget]
    return reached[-1] if len(reached) else np.inf


@given(runs_of_one, st.sampled_from([10.0, 50.0, 60.0, 100.0]))
def test_a_level_is_where_so_many_runs_are(runs, percent):
    [surface] = attainment_surfaces([curve(run) for run in runs], [percent])
    assert (np.diff(surface[0]) > 0).all()
    assert (np.diff(surface[1]) < 0).all()
    for budget in range(1, 9):
        best = best_on(surface, budget)
        there = sorted(min([np.inf, *run[:budget]]) for run in runs)
        needed = next(k for k in range(1, len(runs) + 1) if 100 * k / len(runs) >= percent - 1e-9)
        assert best == there[needed - 1]


@given(runs_of_one, runs_of_one)
def test_a_difference_is_that_of_the_shares_everywhere(first, second):
    rectangles = attainment_differences(*([curve(run) for run in side] for side in (first, second)))
    for budget in np.arange(0.5, 10):
        for precision in (-1.0, 0.0, 0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0, 9.0):
            inside = [
                box[4] for box in rectangles
                if box[0] <= budget < box[1] and box[2] <= precision < box[3]
            ]  # fmt: skip
            expected = share(first, budget, precision) - share(second, budget, precision)
            assert len(inside) <= 1
            assert sum(inside) == pytest.approx(expected, abs=1e-12)


def test_all_runs_of_a_group_are_taken_together(loaded):
    table = loaded.attainment(50, functions=1)
    assert set(table["runs"].tolist()) == {3}
    assert "precisions may be better" in table.notes[0]
    table = loaded.attainment_difference("cma", "nelder-mead", group_by="all")
    assert set(table["runs_first"].tolist()) == {9}


@pytest.mark.slow
def test_where_functions_are_told_apart_each_has_a_figure(log_folder, tmp_path):
    words = ["--algorithms", "cma", "--dimensions", "2", "--plot", str(tmp_path / "a.svg")]
    succeed("assess", "attainment", log_folder, *words)
    assert len(list(tmp_path.glob("*.svg"))) == 3
    caption = (tmp_path / "a_f001.txt").read_text(encoding="utf-8")
    assert "on bbob in 2-D (function f1, all instances)" in caption
    assert "Runs: cma 3." in caption


@pytest.mark.slow
def test_an_axis_says_its_unit(loaded):
    chosen = {"group_by": "all", "dimensions": 2, "axis": "evaluations"}
    axes = loaded.plot.attainment(algorithms="cma", **chosen)
    assert axes.get_xlabel() == "evaluations"
    axes = loaded.plot.attainment_difference("cma", "nelder-mead", **chosen)
    assert axes.get_xlabel() == "evaluations"


@pytest.mark.slow
def test_figures_show_levels_and_rectangles(loaded):
    of_cma = {"group_by": "all", "dimensions": 2, "algorithms": "cma"}
    table = loaded.attainment([50, 100], **of_cma)
    axes = loaded.plot.attainment([50, 100], **of_cma)
    lines = {line.get_label(): line for line in axes.get_lines()}
    mine = table["level"] == 50
    assert lines["50 %"].get_xdata()[:-1].tolist() == table["budget"][mine].tolist()
    assert lines["50 %"].get_ydata()[:-1].tolist() == table["precision"][mine].tolist()
    pair = {"first": "cma", "second": "nelder-mead", "group_by": "all", "dimensions": 2}
    table = loaded.attainment_difference(**pair)
    [areas] = loaded.plot.attainment_difference(**pair).collections
    assert len(areas.get_paths()) == len(table)
    assert areas.get_array().tolist() == table["difference"].tolist()
