"""Figures of runtime profiles and of distributions: what they show and what is refused."""

import itertools
import sys

import matplotlib.figure
import numpy as np
import pytest

from firsthit.assessment import AssessmentError, MissingPackageError, Results
from firsthit.assessment.asking import registry
from firsthit.assessment.asking.drawing import drawings, save_plots
from firsthit.assessment.figures.style import spread
from firsthit.assessment.questions.density import (
    DensityTable,
    draw_precision_density,
    draw_runtime_density,
)
from firsthit.assessment.questions.ecdf.figures import draw_ecdf
from firsthit.assessment.tables.table import table_of


def save_ecdf(table, path):
    return save_plots(registry.figure("ecdf"), table, path)


@pytest.fixture(scope="session")
def results(make_log, random_runs):
    hostile = "$x_{1$ & <b>\\frac 名"
    return Results(make_log(random_runs(1, hostile) + random_runs(2, "b") + random_runs(3, "c")))


@pytest.fixture(scope="session")
def table(results):
    return results.ecdf(dimensions=2)


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_names_stand_right_ordered_by_the_final_fraction(table):
    figure = draw_ecdf(table)
    names = {p.algorithm: p.fraction[-1] for p in table.profiles}
    drawn = [text for text in figure.axes[0].texts if text.get_text() in names]
    drawn.sort(key=lambda text: text.get_position()[1])
    assert len(drawn) == 3
    ends = [names[text.get_text()] for text in drawn]
    assert ends == sorted(ends)
    assert all(text.get_position()[0] >= 1 for text in drawn)


def test_title_says_what_is_shown(table, results):
    title = draw_ecdf(table).axes[0].get_title(loc="left")
    assert title == "bbob, f1-3, 2-D\n51 targets 1e2 … 1e-8, 3 instances"
    one = results.ecdf(dimensions=5, functions=2, targets=1e-8, group_by="group")
    title = draw_ecdf(one).axes[0].get_title(loc="left")
    assert title == "bbob, f2, 5-D\ntarget 1e-8, 3 instances"
    odd = results.ecdf(dimensions=5, group_by="group")
    title = draw_ecdf(odd, group="odd").axes[0].get_title(loc="left")
    assert title == "bbob, odd, f1, 3, 5-D\n51 targets 1e2 … 1e-8, 3 instances"


def test_cross_and_dot_stand_where_the_profile_says(table):
    lines = draw_ecdf(table).axes[0].get_lines()
    points = {
        (x.get_marker(), *map(float, x.get_xydata()[0])) for x in lines if len(x.get_xdata()) == 1
    }
    for profile in table.profiles:
        assert ("o", *profile.dot) in points
        if profile.marker:
            assert ("x", *profile.marker) in points
    assert any(p.marker for p in table.profiles)


def test_curves_are_the_profiles(table):
    axes = draw_ecdf(table).axes[0]
    steps = [line for line in axes.get_lines() if line.get_drawstyle() == "steps-post"]
    for profile, line in zip(table.profiles, steps, strict=True):
        x, y = line.get_data()
        np.testing.assert_array_equal(y, [profile.at(budget) for budget in x[:-1]] + [y[-1]])
        assert y[-1] == profile.fraction[-1]
    assert axes.get_xscale() == "log"


def test_bands_are_drawn_where_the_table_has_them(results):
    table = results.ecdf(dimensions=2, interval=0.9, reference="b")
    bands = [each.get_paths()[0].vertices[:, 1] for each in draw_ecdf(table).axes[0].collections]
    own = [p.algorithm for p in table.profiles if not p.reference]
    assert len(bands) == len(own) == 2
    for name, band in zip(own, bands, strict=True):
        rows = table["algorithm"] == name
        assert band.min() == table["low"][rows].min()
        assert band.max() == table["high"][rows].max()


def test_algorithms_are_told_apart_by_colour_and_marker(make_log, random_runs):
    names = [f"algorithm {i:02d}" for i in range(12)]
    runs = [run for i, n in enumerate(names) for run in random_runs(i, n, (1,), (2,), (1,))]
    axes = draw_ecdf(Results(make_log(runs)).ecdf()).axes[0]
    styles = {
        (x.get_color(), x.get_marker())
        for x in axes.get_lines()
        if x.get_markersize() == 4.0 and len(x.get_xdata()) > 1
    }
    assert len(styles) == 12


def test_names_are_not_parsed_as_formulas(table, tmp_path):
    file = tmp_path / "a.svg"
    save_ecdf(table, file)
    assert "$x_{1$ & <b>\\frac 名" in texts(draw_ecdf(table))
    assert "&lt;b&gt;" in file.read_text("utf-8") or "<b>" not in file.read_text("utf-8")


def test_dimensions_are_never_joined_in_a_figure(results):
    with pytest.raises(AssessmentError, match="shows one dimension, but the table holds 2, 5"):
        draw_ecdf(results.ecdf())
    with pytest.raises(AssessmentError, match="no dimension 3 in the table; it holds 2, 5"):
        draw_ecdf(results.ecdf(), dimension=3)
    with pytest.raises(AssessmentError, match="the table holds f001, f002, f003"):
        draw_ecdf(results.ecdf(group_by="function"), dimension=2)
    assert isinstance(draw_ecdf(results.ecdf(), dimension=5), matplotlib.figure.Figure)


def test_functions_are_named_where_curves_do_not_stand_for_the_same(make_log, random_runs):
    log = make_log(random_runs(1, "a", dimensions=(2,)) + random_runs(2, "b", (1,), (2,)))
    assert {"a (f1-3)", "b * (f1)"} <= set(texts(draw_ecdf(Results(log).ecdf(unequal=True))))


def test_nothing_solved_is_a_figure_too(make_log, tmp_path):
    log = make_log([{"precisions": [1e9] * 50}])
    assert save_ecdf(Results(log).ecdf(), tmp_path / "none.png")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("e.jpg", r"suffix '.jpg' is none of .png, .svg, .pdf"),
        ("e", "suffix ''"),
        ("nowhere/e.png", "there is no folder"),
    ],
)
def test_bad_plot_files_are_one_sentence(table, tmp_path, name, message):
    with pytest.raises(AssessmentError, match=message):
        save_ecdf(table, tmp_path / name)


def test_a_file_that_cannot_be_written_is_said(table, tmp_path):
    (tmp_path / "e.png").mkdir()
    with pytest.raises(AssessmentError, match=r"cannot write .*e.png"):
        save_ecdf(table, tmp_path / "e.png")


def test_missing_matplotlib_is_said(table, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for call in (lambda: draw_ecdf(table), lambda: save_ecdf(table, tmp_path / "e.png")):
        with pytest.raises(MissingPackageError, match=r"pip install 'firsthit\[figures\]'"):
            call()


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


SHAPES = ("density", "mass", "density-nrd0")
NAMES = ("algorithm", "suite", "function", "dimension")


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
def test_ridges_have_the_form_of_the_table(loaded, what, shape):
    question, plot, at = {
        "runtime": (loaded.runtime_density, loaded.plot.runtime_density, [1e1, 1e-1]),
        "precision": (loaded.precision_density, loaded.plot.precision_density, "10*D"),
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


def test_names_of_algorithms_have_their_colours(loaded):
    axes = loaded.plot.precision_density("10", functions=1, dimensions=2)
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    convergence = loaded.plot.convergence(functions=1, dimensions=2)
    others = {text.get_text(): text.get_color() for text in convergence.texts}
    assert {name: colours[name] for name in loaded.algorithms} == {
        name: others[name] for name in loaded.algorithms
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


def test_where_nothing_is_distributed_the_figures_say_why(loaded):
    few = {"functions": 1, "dimensions": 2, "instances": 1}
    with pytest.raises(AssessmentError, match=r"there is none\. .* fewer than two values differ"):
        list(drawings("runtime-density", loaded.log, few))
