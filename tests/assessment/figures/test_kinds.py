"""Every kind of figure shows what its table holds: the data of its lines, its labels."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Table
from firsthit.assessment.figures import (
    draw_convergence,
    draw_fixed_budget,
    draw_heatmap,
    draw_loss,
    draw_precision_ecdf,
    draw_ratios,
    draw_restarts,
    draw_scaling,
    draw_scatter,
)
from firsthit.assessment.statistics.ratios import ratios_to_best
from firsthit.assessment.tables.table import table_of

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
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


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
    assert [text.get_text() for text in axes.texts] == ["2"]
    bars = [tuple(path.vertices[:, 1]) for c in axes.collections for path in c.get_paths()]
    assert bars == [(8.0, 12.0), (30.0, 40.0), (8.0, 12.0)]
    assert sorted(legend(figure)) == sorted(["a", HOSTILE])


def test_a_figure_names_what_is_to_be_chosen(scaling):
    both = Table({**scaling.columns, "function": np.array([3, 4, 3, 4])})
    with pytest.raises(AssessmentError, match="one function, the table holds 3, 4: name one"):
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


def test_fixed_budget(budgets):
    figure = draw_fixed_budget(budgets)
    same(curves(figure)["a"], [1, 10], [7.0, 1e-12])
    assert figure.axes[0].get_ylabel() == "precision, geometric mean of the runs"
    same(curves(draw_fixed_budget(budgets, "25%"))["b"], [1, 10], [np.nan, 4.0])


def test_precision_ecdf():
    base = {
        "algorithm": "a", "suite": "bbob", "dimension": 2, "group": "all", "budget": 10.0,
        "precision": 1e-8, "fraction": 0.1,
    }  # fmt: skip
    data = table([
        base, {"precision": 1.0, "fraction": 1.0},
        {"budget": 100.0, "fraction": 0.6}, {"budget": 100.0, "precision": 1.0, "fraction": 1.0},
    ])  # fmt: skip
    figure = draw_precision_ecdf(data)
    axes = figure.axes[0]
    few, many = axes.get_lines()
    assert few.get_xydata().tolist() == [[1e-8, 0.1], [1.0, 1.0]]
    assert many.get_xydata().tolist() == [[1e-8, 0.6], [1.0, 1.0]]
    assert few.get_alpha() < many.get_alpha()
    assert axes.xaxis_inverted()
    assert legend(figure) == ["a"]
    assert title(figure) == "bbob, all, 2-D"


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


def test_ratios_to_best_by_hand():
    art = np.array([[4.0, 2.0, np.inf, np.nan], [np.inf, np.inf, np.inf, np.inf]])
    expected = [[2.0, 1.0, np.inf, np.nan], [np.inf] * 4]
    np.testing.assert_array_equal(ratios_to_best(art), expected)


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
        if line.get_linestyle() == "None"
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
    assert figure.axes[0].get_xlabel() == "runtime of a / of b"


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


@pytest.mark.parametrize("columns", [3.4])
def test_figures_fit_a_column(scaling, columns):
    assert draw_scaling(scaling).get_size_inches()[0] == columns


def test_algorithms_are_told_apart_without_colour(scaling):
    figure = draw_scaling(scaling)
    marks = [
        line.get_marker()
        for line in figure.axes[0].get_lines()
        if not line.get_label().startswith("_")
    ]
    assert len(set(marks)) == 2
