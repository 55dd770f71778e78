"""Figures of two objectives show what their tables hold."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Table
from firsthit.assessment.asking.drawing import drawings
from firsthit.assessment.questions.fronts import draw_fronts
from firsthit.assessment.questions.surfaces import draw_surface_difference, draw_surfaces
from firsthit.assessment.tables.table import table_of
from firsthit.suites.errors import UnknownNameError

from ..command_line import succeed


@pytest.fixture(scope="module")
def results(pairs_folder):
    return firsthit.load(pairs_folder)


def corners(table, **where):
    """The scaled points of rows where columns have these values."""
    mask = np.logical_and.reduce([table[key] == value for key, value in where.items()])
    return np.column_stack([table["scaled_1"][mask], table["scaled_2"][mask]])


def is_attained(line, points):
    """Whether a line is the boundary of what the points dominate, in the axes' range."""
    x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    on = {(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)}
    steps = np.column_stack([np.diff(x) == 0, np.diff(y) == 0])
    return {tuple(p) for p in points.tolist()} <= on and steps.any(axis=1).all()


def lines(figure):
    return {line.get_label(): line for line in figure.axes[0].get_lines()}


def test_fronts(results):
    table = results.fronts(functions=1, dimensions=2)
    figure = draw_fronts(table, instance=2)
    found = lines(figure)
    for name in ("moea", "random"):
        assert is_attained(found[name], corners(table, algorithm=name, instance=2))
    assert figure.axes[0].get_title(loc="left") == "pairs f1 i2, 2-D"
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"
    with pytest.raises(AssessmentError, match="one instance, but the table holds 1, 2, 3"):
        draw_fronts(table)


def test_surfaces(results):
    table = results.surfaces(dimensions=5)
    figure = draw_surfaces(table, function=2)
    thick = lines(figure)
    assert {"moea", "random"} <= set(thick)
    of = {"algorithm": "moea", "function": 2}
    assert is_attained(thick["moea"], corners(table, **of, surface="median"))
    thin = [line for line in figure.axes[0].get_lines() if line.get_linewidth() == 0.5]
    colour = thick["moea"].get_color()
    best, worst = (line for line in thin if line.get_color() == colour)
    assert is_attained(best, corners(table, **of, surface="best"))
    assert is_attained(worst, corners(table, **of, surface="worst"))
    names = {text.get_text(): text.get_color() for text in figure.axes[0].texts}
    assert set(names) == {"moea", "random"}
    assert names["moea"] == colour


def test_differences(results):
    table = results.surface_difference("moea", "random", functions=1, dimensions=2)
    figure = draw_surface_difference(table)
    [areas] = figure.axes[0].collections
    assert areas.get_array().tolist() == table["difference"].tolist()
    first = areas.get_paths()[0].vertices
    assert first[:, 0].min() == table["from_1"][0]
    assert first[:, 1].max() == min(table["to_2"][0], 1e9)
    assert figure.axes[1].get_ylabel() == "share of moea - share of random"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "first", "count"),
    [
        ("fronts", "fronts_pairs_f001_d02_i01", 6),
        ("surfaces", "surfaces_pairs_f001_d02", 2),
        ("surface-difference", "surface-difference_pairs_f001_d02_moea_random", 2),
    ],
)
def test_all_are_drawn_and_say_how_objectives_are_scaled(results, kind, first, count):
    made = drawings(kind, results.log, {"dimensions": 2})
    drawn = {drawing.name: drawing.caption for drawing in made}
    assert min(drawn) == first
    assert len(drawn) == count
    assert all("the ideal point is 0, the nadir point 1" in said for said in drawn.values())


def test_fronts_of_raw_objectives(results, pairs_folder, tmp_path):
    table = results.fronts(functions=1, dimensions=2, instances=1)
    axes = draw_fronts(table, "raw").axes[0]
    assert (axes.get_xscale(), axes.get_xlabel(), axes.get_ylabel()) == (
        "linear", "objective 1", "objective 2",
    )  # fmt: skip
    [nadir] = [line.get_xydata()[1] for line in axes.get_lines() if line.get_linestyle() == ":"]
    for own, column in zip(nadir, ("1", "2"), strict=True):
        values, scaled = table[f"y{column}"], table[f"scaled_{column}"]
        slope, start = np.polyfit(scaled, values, 1)
        assert own == pytest.approx(start + slope, rel=1e-6)
    moea = table["algorithm"] == "moea"
    [steps] = [line.get_xydata() for line in axes.get_lines() if line.get_label() == "moea"]
    corners = {tuple(corner) for corner in steps.tolist()}
    assert set(zip(table["y1"][moea].tolist(), table["y2"][moea].tolist(), strict=True)) <= corners
    words = ["figures", str(pairs_folder), "-o", str(tmp_path), "--format", "svg"]
    words += ["--kinds", "fronts", "--objectives", "raw", "--functions", "1", "--instances", "1"]
    succeed(*words)
    caption = (tmp_path / "fronts_pairs_f001_d02_i01.txt").read_text()
    assert "between the ideal and the nadir point" in caption
    assert "Objectives are scaled" not in caption


def test_a_raw_front_far_from_the_others_does_not_move_the_axes():
    names = ("algorithm", "suite", "function", "dimension", "instance", "runs", "budget")
    head = ["toy", 1, 2, 1, 1, 9.0]
    points = [("a", 0.2, 0.5), ("a", 0.5, 0.2), ("b", 1.0, 2.0), ("c", 50.0, 70.0)]
    rows = [[name, *head, 10 + 2 * x, -5 + 4 * y, x, y] for name, x, y in points]
    table = Table(table_of((*names, "y1", "y2", "scaled_1", "scaled_2"), rows))
    axes = draw_fronts(table, "raw").axes[0]
    assert {text.get_text() for text in axes.texts} == {"a", "b", "c (outside)"}
    low, high = axes.get_xlim()
    assert (low, high) == (pytest.approx(10 - 2 * 0.1), pytest.approx(10 + 2 * 2.2))


def test_a_figure_shows_what_is_reached_within_one_budget(results):
    one = {"functions": 1, "dimensions": 2}
    plot = results.plot
    assert plot.surfaces("median", 10, **one).has_data()
    for draw, names in (
        (plot.fronts, {"instances": 1}),
        (plot.surfaces, {}),
        (plot.surface_difference, {"first": "moea", "second": "random"}),
    ):
        with pytest.raises(AssessmentError, match=r"the table holds 5\.0, 50"):
            draw(budgets="10,100", **names, **one)


def test_other_ways_to_draw_objectives_are_refused(results):
    table = results.fronts(functions=1, dimensions=2, instances=1)
    with pytest.raises(UnknownNameError, match="unknown way to draw objectives 'row'"):
        draw_fronts(table, "row")
