"""Figures of distributions: ridges are those of the table, with the shares that are in them."""

import itertools

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.asking.drawing import drawings
from firsthit.assessment.questions.density import (
    DensityTable,
    draw_precision_density,
    draw_runtime_density,
)
from firsthit.assessment.tables.table import table_of

SHAPES = ("density", "mass", "density-nrd0")
NAMES = ("algorithm", "suite", "function", "dimension")


@pytest.fixture(scope="module")
def results(log_folder):
    return firsthit.load(log_folder)


def masses(rows, columns=("target", "runtime")):
    names = (*NAMES, *columns, "probability")
    return DensityTable(table_of(names, [["a", "toy", 1, 2, *row] for row in rows]), shape="mass")


def test_panels_go_to_the_hardest_target_and_shares_are_those_in_the_distribution():
    data = masses([[1.0, 10.0, 0.5], [1.0, 20.0, 0.5], [0.1, 40.0, 0.25], [10.0, 5.0, 1.0]])
    figure = draw_runtime_density(data)
    easy, hard = figure.axes
    assert [axes.get_title(loc="left") for axes in (easy, hard)] == ["1e0", "1e-1"]
    [sticks] = easy.collections
    assert [stick[0, 0] for stick in sticks.get_segments()] == [10.0, 20.0]
    assert [text.get_text() for text in hard.texts if "%" in text.get_text()] == ["25 %"]
    assert not [text for text in easy.texts if "%" in text.get_text()]
    assert len(draw_runtime_density(data, width="page").axes) == 3
    assert figure.get_suptitle() == "toy f1, 2-D"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("what", ["runtime", "precision"])
def test_ridges_have_the_form_of_the_table(results, what, shape):
    question, plot, at = {
        "runtime": (results.runtime_density, results.plot.runtime_density, [1e1, 1e-1]),
        "precision": (results.precision_density, results.plot.precision_density, "10*D"),
    }[what]
    table = question(at, shape=shape, functions=1, dimensions=2)
    axes = plot(at, shape=shape, functions=1, dimensions=2).figure.axes[-1]
    by, last = ("target", table["target"].min()) if what == "runtime" else ("budget", 10.0)
    own = (table["algorithm"] == "cma") & (table[by] == last)
    high = table["probability" if shape == "mass" else "density"][own]
    if shape == "mass":
        found = [s for lines in axes.collections for s in lines.get_segments()]
        x = {segment[0, 0] for segment in found}
        assert set(table[what][own].tolist()) <= x
    else:
        lines = [line.get_xydata() for line in axes.get_lines() if len(line.get_xdata()) > 50]
        [mine] = [xy for xy in lines if np.array_equal(xy[:, 0], table[what][own])]
        rise = mine[:, 1] - mine[:, 1].min()
        np.testing.assert_allclose(rise / rise.max(), (high - high.min()) / np.ptp(high), atol=1e-9)
    assert axes.get_xscale() == ("linear" if shape == "density-nrd0" else "log")


def test_names_of_algorithms_have_their_colours(results):
    axes = results.plot.precision_density("10", functions=1, dimensions=2)
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    convergence = results.plot.convergence(functions=1, dimensions=2)
    others = {text.get_text(): text.get_color() for text in convergence.texts}
    assert {name: colours[name] for name in results.algorithms} == {
        name: others[name] for name in results.algorithms
    }


def test_precisions_with_both_signs_are_on_an_axis_that_is_linear_around_0():
    rows = [[10.0, value, 0.5] for value in (-1e-3, 1.0)]
    axes = draw_precision_density(masses(rows, ("budget", "precision"))).axes[0]
    assert axes.get_xscale() == "symlog"
    np.testing.assert_allclose(sorted(axes.get_xticks()), [-1e-3, 0.0, 1.0])


@pytest.mark.parametrize("most", [1300.0, 2400.0, 9000.0, 3e4, 1e9])
def test_labels_of_a_small_panel_do_not_overlap(most):
    rows = [[target, value, 0.5] for target in (1.0, 0.1) for value in (1100.0, most)]
    figure = draw_runtime_density(masses(rows))
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [
            label.get_window_extent()
            for label in axes.get_xticklabels(which="both")
            if label.get_text()
            and axes.get_xlim()[0] <= label.get_position()[0] <= axes.get_xlim()[1]
        ]
        assert 1 <= len(boxes) <= 6
        for left, right in itertools.pairwise(sorted(boxes, key=lambda box: box.x0)):
            assert left.x1 < right.x0


def test_where_nothing_is_distributed_the_figures_say_why(results):
    few = {"functions": 1, "dimensions": 2, "instances": 1}
    with pytest.raises(AssessmentError, match=r"there is none\. .* fewer than two values differ"):
        list(drawings("runtime-density", results.log, few))
