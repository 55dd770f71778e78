"""Figures of two objectives show what their tables hold."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.suites.errors import UnknownNameError

from ...command_line import succeed


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


def lines(axes):
    return {line.get_label(): line for line in axes.get_lines()}


def test_fronts(results):
    table = results.fronts(functions=1, dimensions=2, instances=2)
    axes = results.plot.fronts(functions=1, dimensions=2, instances=2)
    found = lines(axes)
    for name in ("moea", "random"):
        assert is_attained(found[name], corners(table, algorithm=name))
    assert axes.get_title(loc="left") == "pairs f1 i2, 2-D"
    assert axes.get_xscale() == axes.get_yscale() == "log"
    with pytest.raises(AssessmentError, match="one instance, but the table holds 1, 2, 3"):
        results.plot.fronts(functions=1, dimensions=2)


@pytest.mark.slow
def test_surfaces(results):
    table = results.surfaces(dimensions=5, functions=2)
    axes = results.plot.surfaces(dimensions=5, functions=2)
    thick = lines(axes)
    assert {"moea", "random"} <= set(thick)
    of = {"algorithm": "moea"}
    assert is_attained(thick["moea"], corners(table, **of, surface="median"))
    thin = [line for line in axes.get_lines() if line.get_linewidth() == 0.5]
    colour = thick["moea"].get_color()
    best, worst = (line for line in thin if line.get_color() == colour)
    assert is_attained(best, corners(table, **of, surface="best"))
    assert is_attained(worst, corners(table, **of, surface="worst"))
    names = {text.get_text(): text.get_color() for text in axes.texts}
    assert set(names) == {"moea", "random"}
    assert names["moea"] == colour


def test_differences(results):
    chosen = {"first": "moea", "second": "random", "functions": 1, "dimensions": 2}
    table = results.surface_difference(**chosen)
    axes = results.plot.surface_difference(**chosen)
    [areas] = axes.collections
    assert areas.get_array().tolist() == table["difference"].tolist()
    first = areas.get_paths()[0].vertices
    assert first[:, 0].min() == table["from_1"][0]
    assert first[:, 1].max() == min(table["to_2"][0], 1e9)
    assert axes.figure.axes[1].get_ylabel() == "share of moea - share of random"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "first", "count"),
    [
        ("fronts", "fronts_pairs_f001_d02_i01", 6),
        ("surfaces", "surfaces_pairs_f001_d02", 2),
        ("surface-difference", "surface-difference_pairs_f001_d02_moea_random", 2),
    ],
)
def test_all_say_how_objectives_are_scaled(pairs_folder, tmp_path, kind, first, count):
    words = ("--dimensions", 2, "--kinds", kind, "--format", "svg", "-o", tmp_path)
    succeed("figures", pairs_folder, *words)
    drawn = {file.stem: file.read_text(encoding="utf-8") for file in tmp_path.glob("*.txt")}
    assert min(drawn) == first
    assert len(drawn) == count
    assert all("the ideal point is 0, the nadir point 1" in said for said in drawn.values())


def test_fronts_of_raw_objectives(results, pairs_folder, tmp_path):
    chosen = {"functions": 1, "dimensions": 2, "instances": 1}
    table = results.fronts(**chosen)
    axes = results.plot.fronts(objectives="raw", **chosen)
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
    words = ["--objectives", "raw", "--functions", "1", "--dimensions", "2", "--instances", "1"]
    succeed("assess", "fronts", pairs_folder, "--plot", tmp_path / "a.svg", *words)
    caption = (tmp_path / "a.txt").read_text()
    assert "between the ideal and the nadir point" in caption
    assert "Objectives are scaled" not in caption


def test_a_raw_front_far_from_the_others_does_not_move_the_axes(write_pairs, tmp_path):
    fronts = {"a": [(0.2, 0.5), (0.5, 0.2)], "b": [(1.0, 2.0)], "c": [(50.0, 70.0)]}
    for name, points in fronts.items():
        run = {"function": 1, "dimension": 2, "instance": 1, "points": np.array(points)}
        write_pairs(tmp_path / f"{name}.h5", name, [run])
    axes = firsthit.load(tmp_path).plot.fronts(objectives="raw")
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
    with pytest.raises(UnknownNameError, match="unknown way to draw objectives 'row'"):
        results.plot.fronts(objectives="row", functions=1, dimensions=2, instances=1)
