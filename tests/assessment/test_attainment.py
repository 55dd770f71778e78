"""Attainment: levels and differences against counting runs, and what figures show of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import firsthit
from firsthit.assessment.questions.attainment import draw_attainment
from firsthit.assessment.questions.attainment_difference import draw_attainment_difference
from firsthit.assessment.statistics.attainment import attainment_differences, attainment_surfaces

from .command_line import succeed

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


def test_all_runs_of_a_group_are_taken_together(log_folder):
    results = firsthit.load(log_folder)
    table = results.attainment(50, functions=1)
    assert set(table["runs"].tolist()) == {3}
    assert "may have been better in between" in table.notes[0]
    table = results.attainment_difference("cma", "nelder-mead", group_by="all")
    assert set(table["runs_first"].tolist()) == {9}


def test_where_functions_are_told_apart_each_has_a_figure(log_folder, tmp_path):
    words = ["--algorithms", "cma", "--dimensions", "2", "--plot", str(tmp_path / "a.svg")]
    succeed("assess", "attainment", log_folder, *words)
    assert len({file.name for file in tmp_path.iterdir()}) == 3


def test_an_axis_says_its_unit(log_folder):
    results = firsthit.load(log_folder)
    chosen = {"group_by": "all", "dimensions": 2, "axis": "evaluations"}
    axes = results.plot.attainment(algorithms="cma", **chosen)
    assert axes.get_xlabel() == "evaluations"
    axes = results.plot.attainment_difference("cma", "nelder-mead", **chosen)
    assert axes.get_xlabel() == "evaluations"


def test_figures_show_levels_and_rectangles(log_folder):
    results = firsthit.load(log_folder)
    table = results.attainment([50, 100], group_by="all", dimensions=2)
    figure = draw_attainment(table, algorithm="cma")
    lines = {line.get_label(): line for line in figure.axes[0].get_lines()}
    mine = (table["algorithm"] == "cma") & (table["level"] == 50)
    assert lines["50 %"].get_xdata()[:-1].tolist() == table["budget"][mine].tolist()
    assert lines["50 %"].get_ydata()[:-1].tolist() == table["precision"][mine].tolist()
    table = results.attainment_difference("cma", "nelder-mead", group_by="all", dimensions=2)
    figure = draw_attainment_difference(table)
    [areas] = figure.axes[0].collections
    assert len(areas.get_paths()) == len(table)
    assert areas.get_array().tolist() == table["difference"].tolist()
