"""Figures of the scaling with the dimension: one function, and all functions on one page."""

import numpy as np
import pytest

from firsthit.assessment import Results

from ...command_line import invoke, succeed


@pytest.fixture(scope="module")
def results(make_log, random_runs):
    return Results(make_log(random_runs(1, "a") + random_runs(2, "b", dimensions=(2, 3, 5))))


@pytest.fixture(scope="module")
def log_file(results, tmp_path_factory):
    return results.log.save(tmp_path_factory.mktemp("scaling") / "log.h5")


def named(axes, name):
    return next(line for line in axes.get_lines() if line.get_label() == name)


def test_a_page_has_a_panel_for_each_function_with_the_averages(results):
    axes = results.plot.scaling_functions(10.0)
    panels = [axes for axes in axes.figure.axes if axes.axison]
    assert [axes.get_title(loc="left") for axes in panels] == ["f1", "f2", "f3"]
    table = results.scaling(10.0, functions=2, algorithms="b")
    curve = named(panels[1], "b").get_xydata()
    np.testing.assert_allclose(curve, np.column_stack([table["dimension"], table["art"]]))
    names = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert names == ["a", "b"]


def test_guide_lines_have_slope_1(results):
    axes = results.plot.scaling_functions(10.0)
    guides = [line for line in axes.get_lines() if line.get_gid() == "guide"]
    assert guides
    for guide in guides:
        (x0, y0), (x1, y1) = guide.get_xydata()
        assert np.log(y1 / y0) == pytest.approx(np.log(x1 / x0))


def test_a_reference_is_a_column_of_the_table_and_a_thick_line(results):
    """Against itself an algorithm has its own averages; others have them where it was run."""
    table = results.scaling(10.0, reference="b")
    of_b = table["algorithm"] == "b"
    np.testing.assert_array_equal(table["reference"][of_b], table["art"][of_b])
    assert any(note == "reference: average runtime of b / dimension." for note in table.notes)
    for plot in (results.plot.scaling, results.plot.scaling_functions):
        [line] = [
            line
            for line in plot(10.0, functions=1, reference="b").get_lines()
            if line.get_gid() == "reference" and len(line.get_xdata())
        ]
        on_f1 = of_b & (table["function"] == 1)
        np.testing.assert_array_equal(line.get_ydata(), table["reference"][on_f1])


def test_a_function_that_the_reference_lacks_has_no_number(make_log, random_runs):
    log = make_log(random_runs(1, "a") + random_runs(2, "b", functions=(1,)))
    table = Results(log).scaling(10.0, reference="b")
    assert np.isnan(table["reference"][table["function"] > 1]).all()
    assert not np.isnan(table["reference"][table["function"] == 1]).any()
    assert any("b has no data for " in note for note in table.notes)


@pytest.mark.slow
def test_a_single_dimension_has_no_figure(log_file, tmp_path):
    """Algorithm a was not run in 3-D, so that a figure of 2-D alone would be a single point."""
    done = invoke("assess", "scaling", log_file, "--dimensions", 2, "--plot", tmp_path / "a.svg")
    assert done.exit_code == 2
    assert "scaling needs runs of a function in two dimensions" in done.stderr
    words = ("--kinds", "scaling,convergence", "--dimensions", 2, "--format", "svg")
    done = invoke("figures", log_file, *words, "-o", tmp_path / "named")
    assert done.exit_code == 0
    assert "no figures of kind scaling: " in done.stderr
    assert {file.name.partition("_")[0] for file in (tmp_path / "named").glob("*.svg")} == {
        "convergence"
    }


def test_only_functions_of_several_dimensions_have_figures(make_log, random_runs, tmp_path):
    runs = random_runs(1, "a", (1,), (2, 5)) + random_runs(1, "a", (2,), (5,))
    log = make_log(runs).save(tmp_path / "log.h5")
    words = ("--targets", 10, "--plot", tmp_path / "s.svg")
    succeed("assess", "scaling", log, *words)
    assert [file.name for file in tmp_path.glob("*.svg")] == ["s.svg"]
    succeed("assess", "scaling", log, *words, "--kind", "scaling-functions", "--overwrite")
    assert "on bbob f1 against the dimension" in (tmp_path / "s.txt").read_text("utf-8")


def test_the_name_of_an_algorithm_that_failed_is_at_its_cross(make_log):
    """Algorithm b misses the target in every run, after more evaluations than a needs."""
    runs = [
        {"algorithm": name, "dimension": dimension, "precisions": [9.0] * length + [last]}
        for name, last, length in (("a", 0.5, 3), ("b", 5.0, 400))
        for dimension in (2, 5)
    ]
    axes = Results(make_log(runs)).plot.scaling(1.0)
    [name] = [text for text in axes.texts if text.get_text() == "b"]
    cross = named(axes, "b").get_xydata()[-1]
    assert cross[0] == 5
    height = axes.transAxes.inverted().transform(axes.transData.transform(cross))[1]
    assert name.get_position()[1] == pytest.approx(height, abs=0.1)


@pytest.mark.slow
def test_of_more_than_four_algorithms_crosses_stand_only_where_no_run_succeeded(make_log):
    """Every algorithm fails once in 2-D and always in 5-D."""
    few, many = (
        Results(
            make_log(
                [
                    {"algorithm": f"a{i}", "dimension": d, "instance": k, "precisions": [9.0, last]}
                    for i in range(n_algorithms)
                    for d, k, last in ((2, 1, 0.5), (2, 2, 5.0), (5, 1, 5.0), (5, 2, 5.0))
                ]
            )
        ).plot.scaling(1.0)
        for n_algorithms in (4, 5)
    )
    for axes, dimensions in ((few, {2, 5}), (many, {5})):
        crosses = [line for line in axes.get_lines() if line.get_marker() == "x"]
        on_axes = [line for line in crosses if line.get_gid() != "key"]
        assert {x for line in on_axes for x in line.get_xdata()} == dimensions
    assert len(few.collections) == 4  # bars
    assert len(many.collections) == 0
