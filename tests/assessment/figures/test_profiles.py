"""Figures of runtime profiles and of distributions: what they show and what is refused."""

import re
import sys

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, MissingPackageError, Results

from ...command_line import invoke, succeed


@pytest.fixture(scope="session")
def results(make_log, random_runs):
    hostile = "$x_{1$ & <b>\\frac 名"
    return Results(make_log(random_runs(1, hostile) + random_runs(2, "b") + random_runs(3, "c")))


@pytest.fixture(scope="session")
def table(results):
    return results.ecdf(dimensions=2)


@pytest.fixture(scope="session")
def axes(results):
    return results.plot.ecdf(dimensions=2)


@pytest.fixture(scope="session")
def path(results, tmp_path_factory):
    """A log of the results."""
    return results.log.save(tmp_path_factory.mktemp("profiles") / "log.h5")


def save_ecdf(invoke, path, file, *words):
    """Draw the runtime profiles in 2-D of a log into a file."""
    return invoke("assess", "ecdf", path, "--dimensions", 2, "--plot", file, *words)


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_names_stand_right_ordered_by_the_final_fraction(table, axes):
    names = {p.algorithm: p.fraction[-1] for p in table.profiles}
    drawn = [text for text in axes.texts if text.get_text() in names]
    drawn.sort(key=lambda text: text.get_position()[1])
    assert len(drawn) == 3
    ends = [names[text.get_text()] for text in drawn]
    assert ends == sorted(ends)
    assert all(text.get_position()[0] >= 1 for text in drawn)


@pytest.mark.slow
def test_title_says_what_is_shown(axes, results):
    title = axes.get_title(loc="left")
    assert title == "bbob, f1-3, 2-D\n51 targets 1e2 … 1e-8, 3 instances"
    one = results.plot.ecdf(dimensions=5, functions=2, targets=1e-8, group_by="group")
    assert one.get_title(loc="left") == "bbob, f2, 5-D\ntarget 1e-8, 3 instances"
    odd = results.plot.ecdf(dimensions=5, functions="1,3", group_by="group")
    title = odd.get_title(loc="left")
    assert title == "bbob, odd, f1, 3, 5-D\n51 targets 1e2 … 1e-8, 3 instances"


def test_cross_and_dot_stand_where_the_profile_says(table, axes):
    lines = axes.get_lines()
    points = {
        (x.get_marker(), *map(float, x.get_xydata()[0])) for x in lines if len(x.get_xdata()) == 1
    }
    for profile in table.profiles:
        assert ("o", *profile.dot) in points
        if profile.marker:
            assert ("x", *profile.marker) in points
    assert any(p.marker for p in table.profiles)


def test_curves_are_the_profiles(table, axes):
    steps = [line for line in axes.get_lines() if line.get_drawstyle() == "steps-post"]
    for profile, line in zip(table.profiles, steps, strict=True):
        x, y = line.get_data()
        np.testing.assert_array_equal(y, [profile.at(budget) for budget in x[:-1]] + [y[-1]])
        assert y[-1] == profile.fraction[-1]
    assert axes.get_xscale() == "log"


def test_bands_are_drawn_where_the_table_has_them(results):
    options = {"dimensions": 2, "interval": 0.9, "reference": "b"}
    table, axes = results.ecdf(**options), results.plot.ecdf(**options)
    bands = [collection.get_paths()[0].vertices[:, 1] for collection in axes.collections]
    own = [p.algorithm for p in table.profiles if not p.reference]
    assert len(bands) == len(own) == 2
    for name, band in zip(own, bands, strict=True):
        rows = table["algorithm"] == name
        assert band.min() == table["low"][rows].min()
        assert band.max() == table["high"][rows].max()


@pytest.mark.slow
def test_algorithms_are_told_apart_by_colour_and_marker(make_log, random_runs):
    names = [f"algorithm {i:02d}" for i in range(12)]
    runs = [run for i, n in enumerate(names) for run in random_runs(i, n, (1,), (2,), (1,))]
    axes = Results(make_log(runs)).plot.ecdf()
    styles = {
        (x.get_color(), x.get_marker())
        for x in axes.get_lines()
        if x.get_markersize() == 4.0 and len(x.get_xdata()) > 1
    }
    assert len(styles) == 12


@pytest.mark.slow
def test_names_are_not_parsed_as_formulas(axes, path, tmp_path):
    file = tmp_path / "a.svg"
    save_ecdf(succeed, path, file)
    assert "$x_{1$ & <b>\\frac 名" in texts(axes)
    assert "&lt;b&gt;" in file.read_text("utf-8") or "<b>" not in file.read_text("utf-8")


def test_dimensions_are_never_joined_in_a_figure(results):
    with pytest.raises(AssessmentError, match="shows one dimension, but the table holds 2, 5"):
        results.plot.ecdf()
    with pytest.raises(AssessmentError, match="the table holds f001, f002, f003"):
        results.plot.ecdf(group_by="function", dimensions=2)
    assert results.plot.ecdf(dimensions=5).has_data()


def test_functions_are_named_where_curves_do_not_stand_for_the_same(make_log, random_runs):
    log = make_log(random_runs(1, "a", dimensions=(2,)) + random_runs(2, "b", (1,), (2,)))
    assert {"a (f1-3)", "b * (f1)"} <= set(texts(Results(log).plot.ecdf(unequal=True)))


def test_nothing_solved_is_a_figure_too(make_log, tmp_path):
    path = make_log([{"precisions": [1e9] * 50}]).save(tmp_path / "log.h5")
    save_ecdf(succeed, path, tmp_path / "none.png")
    assert (tmp_path / "none.png").is_file()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("e.jpg", "suffix '.jpg' is none of .png, .svg, .pdf"),
        ("e", "suffix ''"),
        ("nowhere/e.png", "there is no folder"),
    ],
)
def test_bad_plot_files_are_one_sentence(path, tmp_path, name, message):
    done = save_ecdf(invoke, path, tmp_path / name)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_file_that_cannot_be_written_is_said(path, tmp_path):
    (tmp_path / "e.png").mkdir()
    done = save_ecdf(invoke, path, tmp_path / "e.png", "--overwrite")
    assert done.exit_code == 2
    assert re.search(r"cannot write .*e.png", done.stderr)


def test_missing_matplotlib_is_said(results, path, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'firsthit\[figures\]'"):
        results.plot.ecdf(dimensions=2)
    done = save_ecdf(invoke, path, tmp_path / "e.png")
    assert done.exit_code == 2
    assert "pip install 'firsthit[figures]'" in done.stderr


SHAPES = ("density", "mass", "density-nrd0")


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


def test_where_nothing_is_distributed_the_figures_say_why(loaded):
    few = {"functions": 1, "dimensions": 2, "instances": 1}
    with pytest.raises(AssessmentError, match=r"there is none\. .* fewer than two values differ"):
        loaded.plot.runtime_density(**few)
