"""Figures of runtime profiles: what they show, their names, and what is refused."""

import sys

import matplotlib.figure
import numpy as np
import pytest

from firsthit.assessment import AssessmentError, MissingPackageError, Results
from firsthit.assessment.asking import registry
from firsthit.assessment.asking.drawing import save_plots
from firsthit.assessment.figures.style import spread
from firsthit.assessment.questions.ecdf.figures import draw_ecdf


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
