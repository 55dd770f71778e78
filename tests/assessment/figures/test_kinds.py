"""Every kind of figure shows what its table holds: the data of its lines, its labels.

Private names: figures are drawn from tables of chosen rows.
"""

import itertools

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Table
from firsthit.assessment.figures.style import COLOURS, spread
from firsthit.assessment.questions.art.figures import draw_heatmap
from firsthit.assessment.questions.density import (
    DensityTable,
    draw_precision_density,
    draw_runtime_density,
)
from firsthit.assessment.questions.fixed_budget import draw_convergence, draw_fixed_budget
from firsthit.assessment.questions.loss import draw_loss
from firsthit.assessment.questions.pairs import draw_ratios, draw_scatter
from firsthit.assessment.questions.precision_ecdf import draw_precision_ecdf
from firsthit.assessment.questions.restarts import draw_restarts
from firsthit.assessment.questions.scaling.figures import draw_scaling
from firsthit.assessment.tables.table import table_of
from firsthit.suites.errors import UnknownNameError

HOSTILE = "z $\\frac{x_1$ & <b> 名"


def table(rows):
    """A table of rows given as dicts; columns that a row lacks repeat those of the first."""
    full = [{**rows[0], **row} for row in rows]
    return Table(table_of(list(full[0]), [list(row.values()) for row in full]))


def curves(figure):
    """Label to (x, y) of the named lines."""
    lines = figure.axes[0].get_lines()
    return {
        line.get_label(): (np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float))
        for line in lines
        if not line.get_label().startswith("_")
    }


def same(found, x, y):
    np.testing.assert_array_equal(found[0], x)
    np.testing.assert_array_equal(found[1], y)


def title(figure):
    return figure.axes[0].get_title(loc="left")


def legend(figure):
    """Names right of the axes, from above."""
    axes = figure.axes[-1]
    texts = [text for text in axes.texts if text.get_gid() == "name"]
    texts.sort(key=lambda text: -text.get_position()[1])
    return [text.get_text() for text in texts]


CELL = {"suite": "bbob", "function": 3, "dimension": 2}


@pytest.fixture
def scaling():
    base = {
        "algorithm": "a", **CELL, "target": 1e-8, "art": 10.0, "q25": 8.0, "q75": 12.0,
        "successes": 5, "runs": 5, "unsuccessful": np.nan,
    }  # fmt: skip
    return table([
        base,
        {"dimension": 5, "art": 40.0, "q25": 30.0, "q75": np.inf, "successes": 2}
        | {"unsuccessful": 200.0},
        {"algorithm": HOSTILE, "art": np.inf, "q25": np.inf, "q75": np.inf, "successes": 0}
        | {"unsuccessful": 90.0},
        {"algorithm": HOSTILE, "dimension": 5, "art": 7.0},
    ])  # fmt: skip


def test_scaling(scaling):
    figure = draw_scaling(scaling)
    found = curves(figure)
    same(found["a"], [2, 5], [10.0, 40.0])
    same(found[HOSTILE], [5], [7.0])
    assert title(figure) == "bbob f3, target 1e-8"
    axes = figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert [text.get_text() for text in axes.get_xticklabels()] == ["2", "5"]
    markers = [
        xy
        for line in axes.get_lines()
        if line.get_marker() == "x"
        for xy in line.get_xydata().tolist()
    ]
    assert markers == [[5, 200.0], [2, 90.0]]
    assert axes.texts[0].get_text() == "2"
    bars = [tuple(path.vertices[:, 1]) for c in axes.collections for path in c.get_paths()]
    assert bars == [(8.0, 12.0), (30.0, 40.0), (8.0, 12.0)]
    assert sorted(legend(figure)) == sorted(["a", HOSTILE])


def test_a_figure_names_what_is_to_be_chosen(scaling):
    both = Table({**scaling.columns, "function": np.array([3, 4, 3, 4])})
    choice = "one function, but the table holds 3, 4; choose one, such as functions=3"
    with pytest.raises(AssessmentError, match=choice):
        draw_scaling(both)
    with pytest.raises(AssessmentError, match="no function 9 in the table; it holds 3, 4"):
        draw_scaling(both, function=9)
    same(curves(draw_scaling(both, function=4))["a"], [5], [40.0])


@pytest.fixture
def budgets():
    base = {
        "algorithm": "a", **CELL, "budget": 1.0, "median": 9.0, "25%": 8.0, "75%": 11.0,
        "geometric_mean": 7.0,
    }  # fmt: skip
    return table([
        base,
        {"budget": 10.0, "median": 0.0, "25%": -1.0, "75%": 1e-13, "geometric_mean": 0.0},
        {"algorithm": "b", "median": np.inf, "25%": np.inf, "75%": np.inf}
        | {"geometric_mean": np.inf},
        {"algorithm": "b", "budget": 10.0, "median": 5.0, "25%": 4.0, "75%": 6.0}
        | {"geometric_mean": 4.5},
    ])  # fmt: skip


def test_convergence(budgets):
    figure = draw_convergence(budgets)
    found = curves(figure)
    same(found["a"], [1, 10], [9.0, 1e-12])
    same(found["b"], [1, 10], [np.nan, 5.0])
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    assert {tuple(point) for point in band.tolist()} == {
        (1.0, 8.0), (1.0, 11.0), (10.0, 1e-12),
    }  # fmt: skip
    assert title(figure) == "bbob f3, 2-D"
    assert figure.axes[0].get_ylabel() == "best precision so far"


@pytest.mark.slow
def test_fixed_budget(budgets):
    figure = draw_fixed_budget(budgets)
    same(curves(figure)["a"], [1, 10], [7.0, 1e-12])
    assert figure.axes[0].get_ylabel() == "precision, geometric mean of the runs"
    same(curves(draw_fixed_budget(budgets, "25%"))["b"], [1, 10], [np.nan, 4.0])


SHARES = {
    "algorithm": "a", "suite": "bbob", "dimension": 2, "group": "all", "budget": 10.0,
    "precision": 1e-8, "fraction": 0.1,
}  # fmt: skip


def test_precision_ecdf():
    data = table([
        SHARES, {"precision": 1.0, "fraction": 1.0},
        {"budget": 100.0, "fraction": 0.6}, {"budget": 100.0, "precision": 1.0, "fraction": 1.0},
    ])  # fmt: skip
    figure = draw_precision_ecdf(data)
    few, many = figure.axes
    assert [axes.get_title(loc="left") for axes in (few, many)] == ["10 · D", "100 · D"]
    for axes, share in ((few, 0.1), (many, 0.6)):
        [curve] = [line for line in axes.get_lines() if line.get_label() == "a"]
        assert curve.get_xydata().tolist() == [[1e-8, share], [1.0, 1.0]]
        assert axes.xaxis_inverted()
    assert [said.get_text() for said in figure.legends[0].get_texts()] == ["a"]
    assert figure.get_suptitle() == "bbob, 2-D"


def test_precision_ecdf_has_room_for_three_budgets_in_a_column():
    data = table([SHARES | {"budget": 1.0}, *({"budget": 10.0**k} for k in range(1, 6))])
    for width, first in (("column", "1000 · D"), ("page", "10 · D")):
        figure = draw_precision_ecdf(data, width=width)
        assert figure.axes[0].get_title(loc="left") == first
        assert figure.axes[-1].get_title(loc="left") == "100000 · D"


def test_precision_ecdf_below_0_has_a_tick_on_each_side_and_at_0():
    rows = [SHARES | {"precision": -2e-5}, {"precision": 0.5, "fraction": 1.0}]
    axes = draw_precision_ecdf(table(rows)).axes[0]
    assert axes.get_xscale() == "symlog"
    np.testing.assert_allclose(sorted(axes.get_xticks()), [-1e-5, 0.0, 1.0])


def test_heatmap():
    base = {"algorithm": "a", **CELL, "target": 1e-8, "art": 10.0}
    data = table([
        base, {"algorithm": HOSTILE, "art": 35.0},
        {"function": 4, "art": np.inf}, {"function": 4, "algorithm": HOSTILE, "art": 12345.0},
    ])  # fmt: skip
    figure = draw_heatmap(data)
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.texts] == ["1", "3.5", "1"]
    assert len(axes.patches) == 1
    assert axes.patches[0].get_xy() == (-0.5, 0.5)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["f3", "f4"]
    assert sorted(text.get_text() for text in axes.get_xticklabels()) == sorted(["a", HOSTILE])
    shown = axes.images[0].get_array()
    assert shown.mask.tolist() == [[False, False], [True, False]]
    assert figure.get_suptitle() == "bbob f3, 4, 2-D"


@pytest.mark.slow
def test_heatmap_of_functions_with_targets_of_their_own_has_the_hardest_at_the_right():
    """The hardest targets of all functions are in one panel."""
    targets = {1: (50.0, 20.0, 0.0), 2: (7.0, 3.0)}
    data = table(
        [
            {"suite": "pbo", "function": f, "dimension": 4, "algorithm": name, "target": target,
             "art": f * art}
            for f, own in targets.items()
            for target in own
            for name, art in {"a": 2.0, "b": 4.0}.items()
        ]
    )  # fmt: skip
    panels = draw_heatmap(data).axes[:-1]
    assert [axes.get_title(loc="left") for axes in panels] == ["1 of 3", "2 of 3", "3 of 3"]
    shown = [axes.get_images()[0].get_array().mask.tolist() for axes in panels]
    assert shown == [[[False, False], [True, True]], *2 * [[[False, False], [False, False]]]]


@pytest.mark.slow
def test_heatmap_has_a_panel_for_each_target():
    base = {"algorithm": "a", **CELL, "target": 1e1, "art": 10.0}
    others = [{"algorithm": "b", "target": target} for target in (1e1, 1e-4, 1e-8)]
    data = table([base, {"target": 1e-8, "art": np.inf}, {"target": 1e-4, "art": 20.0}, *others])
    figure = draw_heatmap(data)
    assert [axes.get_title(loc="left") for axes in figure.axes[:3]] == ["1e1", "1e-4", "1e-8"]
    assert [len(axes.patches) for axes in figure.axes[:3]] == [0, 0, 1]
    assert len(draw_heatmap(data, target=1e-4).axes) == 2  # with the colour bar


def test_loss():
    base = {
        "algorithm": "a", "suite": "bbob", "dimension": 2, "function": 1,
        "evaluations_per_dimension": 10.0, "target": 1.0, "loss": 2.0,
    }  # fmt: skip
    data = table([
        base, {"function": 2, "loss": 8.0}, {"function": 3, "loss": np.nan},
        {"evaluations_per_dimension": 100.0, "loss": 5.0},
    ])  # fmt: skip
    figure = draw_loss(data)
    x, y = curves(figure)["a"]
    assert x.tolist() == [10.0, 100.0]
    np.testing.assert_allclose(y, [4.0, 5.0])
    dots = next(line for line in figure.axes[0].get_lines() if line.get_marker() == ".")
    assert dots.get_xydata().tolist() == [[10, 2], [10, 8], [100, 5]]


def test_scatter():
    base = {
        **CELL, "target": 1.0, "first": "a", "second": HOSTILE, "art_first": 5.0,
        "art_second": 50.0, "longest_first": 100.0, "longest_second": 100.0,
    }  # fmt: skip
    data = table([
        base,
        {"target": 0.1, "art_first": 10.0, "art_second": np.inf},
        {"target": 0.01, "art_first": np.inf, "art_second": np.inf},
        {"dimension": 5, "art_first": 200.0, "art_second": 20.0},
    ])  # fmt: skip
    figure = draw_scatter(data)
    found = curves(figure)
    same(found["2-D"], [50.0], [5.0])
    axes = figure.axes[0]
    points = [
        xy
        for line in axes.get_lines()
        if line.get_linestyle() == "None" and line.get_transform() is axes.transData
        for xy in line.get_xydata().tolist()
    ]
    assert sorted(points) == [[20.0, 200.0], [50.0, 5.0], [600.0, 10.0]]
    assert (axes.get_xlabel(), axes.get_ylabel()) == (f"aRT of {HOSTILE}", "aRT of a")


def test_ratios():
    base = {
        "suite": "bbob", "dimension": 2, "target": 10.0, "first": "a", "second": "b", "ratio": 0.5,
        "fraction": 0.25, "pairs": 4,
    }  # fmt: skip
    data = table([
        base, {"ratio": 2.0, "fraction": 1.0},
        {"target": 1e-8, "fraction": 0.0}, {"target": 1e-8, "ratio": 2.0, "fraction": 0.5},
    ])  # fmt: skip
    figure = draw_ratios(data)
    found = curves(figure)
    same(found["target 1e1"], [0.5, 2.0], [0.25, 1.0])
    same(found["target 1e-8"], [0.5, 2.0], [0.0, 0.5])
    axes = figure.axes[0]
    assert axes.get_xlabel() == "runtime of a / of b"
    assert (axes.get_xscale(), axes.get_xlim()) == ("log", (0.1, 10.0))
    dots = [line for line in axes.get_lines() if line.get_marker() == "o"]
    assert [dot.get_xydata().tolist() for dot in dots] == [[[1.0, 0.25]], [[1.0, 0.0]]]


def test_restarts():
    base = {
        "algorithm": "a", **CELL, "instance": 1, "repetition": 0, "start": 0, "evaluation": 0,
        "evaluations": 100, "status": "target", "reason": "",
    }  # fmt: skip
    data = table([
        base, {"start": 1, "evaluation": 20, "reason": "stuck"}, {"start": 2, "evaluation": 60},
        {"instance": 2, "evaluations": 400, "status": "budget"},
    ])  # fmt: skip
    figure = draw_restarts(data)
    x, y = curves(figure)["a"]
    assert x.tolist() == [10.0, 30.0]
    assert y.tolist() == [0.0, 0.0]
    axes = figure.axes[0]
    ends = [path.vertices[:, 0].tolist() for c in axes.collections for path in c.get_paths()]
    assert ends == [[0.5, 50.0], [0.5, 200.0]]
    hit = next(line for line in axes.get_lines() if line.get_marker() == "o")
    assert hit.get_xydata().tolist() == [[50.0, 0.0]]


@pytest.mark.slow
def test_figures_are_as_wide_as_a_column_or_a_page(scaling, budgets):
    for draw, data in ((draw_scaling, scaling), (draw_convergence, budgets)):
        assert draw(data).get_size_inches().tolist() == [3.4, 2.5]
        assert draw(data, width="page").get_size_inches().tolist() == [7.0, 3.2]
    with pytest.raises(UnknownNameError, match="width"):
        draw_scaling(scaling, width="wide")


def test_an_algorithm_has_one_colour_in_all_figures(scaling, budgets):
    def colour(figure, name):
        return next(x for x in figure.axes[0].get_lines() if x.get_label() == name).get_color()

    everyone = ["0", "a", "b", HOSTILE]
    assert colour(draw_scaling(scaling, algorithms=everyone), "a") == COLOURS[1]
    assert colour(draw_convergence(budgets, algorithms=everyone), "b") == COLOURS[2]
    both = Table({**scaling.columns, "function": np.array([3, 3, 4, 4])})
    assert colour(draw_scaling(both, function=4), HOSTILE) == COLOURS[1]


def test_names_stand_at_the_ends_and_do_not_overlap(scaling):
    base = {
        "algorithm": "0", **CELL, "budget": 1.0, "median": 1.0, "25%": 1.0, "75%": 1.0,
        "geometric_mean": 1.0,
    }  # fmt: skip
    ends = {"0": 1e-8, "1": 1e2, "2": 1.1e2, "3": 1e-7, "4": 1.2e2}
    rows = [
        {"algorithm": name, "budget": budget, "median": median}
        for name, end in ends.items()
        for budget, median in ((1.0, 1e3), (10.0, end))
    ]
    figure = draw_convergence(table([base | rows[0], *rows[1:]]))
    assert legend(figure) == ["4", "2", "1", "3", "0"]
    figure.canvas.draw()
    texts = [text for text in figure.axes[0].texts if text.get_gid() == "name"]
    boxes = sorted((text.get_window_extent() for text in texts), key=lambda box: box.y0)
    assert all(low.y1 <= high.y0 + 0.5 for low, high in itertools.pairwise(boxes))
    assert all(box.x1 <= figure.bbox.x1 for box in boxes)
    assert all(box.x0 >= figure.axes[0].get_window_extent().x1 for box in boxes)
    assert len(figure.axes[0].collections) == 0  # no bands of five


PROBLEM_CLASS = ("algorithm", "suite", "function", "dimension")


def masses(rows, columns=("target", "runtime")):
    names = (*PROBLEM_CLASS, *columns, "probability")
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


def test_precisions_with_both_signs_are_on_an_axis_that_is_linear_around_0():
    rows = [[10.0, value, 0.5] for value in (-1e-3, 1.0)]
    axes = draw_precision_density(masses(rows, ("budget", "precision"))).axes[0]
    assert axes.get_xscale() == "symlog"
    np.testing.assert_allclose(sorted(axes.get_xticks()), [-1e-3, 0.0, 1.0])


@pytest.mark.slow
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


def test_labels_are_spread_around_their_curves():
    np.testing.assert_allclose(spread([0.5, 0.5, 0.9], 0.2), [0.4, 0.6, 0.9])
    np.testing.assert_allclose(spread([0.0, 0.0], 0.1), [0.0, 0.1])
    np.testing.assert_allclose(spread([1.0, 1.0], 0.1), [0.85, 0.95])
    rng = np.random.default_rng(1)
    for _ in range(50):
        places = spread(np.sort(rng.random(8)).tolist(), 0.05)
        assert (np.diff(places) >= 0.05 - 1e-12).all()
        assert places[0] >= 0
        assert places[-1] <= 1 + 1e-12
