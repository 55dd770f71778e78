"""Figures of several dimensions: profiles of one algorithm overlaid, and panels of all."""

import re

import numpy as np
import pytest

from firsthit.assessment import AssessmentError, Results

from ...command_line import invoke, succeed


@pytest.fixture(scope="module")
def results(make_log, random_runs):
    return Results(make_log(random_runs(1, "a") + random_runs(2, "b")))


@pytest.fixture(scope="module")
def log_file(results, tmp_path_factory):
    return results.log.save(tmp_path_factory.mktemp("dimensions") / "log.h5")


def labels(axes):
    return [line.get_label() for line in axes.get_lines() if not line.get_label().startswith("_")]


def test_one_algorithm_has_a_curve_for_each_dimension(results):
    axes = results.plot.ecdf_dimensions(group_by="all", algorithms="a")
    assert labels(axes) == ["2-D", "5-D"]
    table = results.ecdf(algorithms="a")
    for profile, line in zip(table.profiles, axes.get_lines(), strict=False):
        shown = [line for line in axes.get_lines() if line.get_label() == f"{profile.dimension}-D"]
        np.testing.assert_array_equal(shown[0].get_ydata()[:-1], profile.fraction)


@pytest.mark.slow
def test_all_algorithms_have_a_panel_for_each_group_and_dimension(results):
    figure = results.plot.ecdf_dimensions(group_by=("function", "all")).figure
    panels = [axes for axes in figure.axes if axes.axison]
    assert len(panels) == 2 * len(results.ecdf(group_by="function", dimensions=2).profiles) / 2 + 2
    assert all(labels(axes) == ["a", "b"] for axes in panels)
    assert [axes.get_title(loc="left") for axes in panels[:2]] == ["2-D", "5-D"]


def test_groups_with_the_same_functions_have_one_panel(results):
    options = {"functions": 1, "algorithms": "a"}
    figure = results.plot.ecdf_dimensions(group_by=("function", "group", "all"), **options).figure
    assert len(figure.axes) == 1


def test_one_dimension_is_refused(log_file, tmp_path):
    words = ("--kind", "ecdf-dimensions", "--dimensions", 2, "--plot", tmp_path / "a.svg")
    done = invoke("assess", "ecdf", log_file, *words)
    assert done.exit_code == 2
    assert "ecdf-dimensions needs runs in two dimensions" in done.stderr


@pytest.mark.slow
def test_the_command_writes_a_figure_for_each_algorithm_and_one_for_all(log_file, tmp_path):
    words = ("--kind", "ecdf-dimensions", "--plot", tmp_path / "d.svg")
    succeed("assess", "ecdf", log_file, *words)
    assert {file.name for file in tmp_path.glob("*.svg")} == {"d.svg", "d_a.svg", "d_b.svg"}
    assert (
        (tmp_path / "d_a.txt").read_text("utf-8").startswith("Runtime profiles of a on bbob f1-3")
    )


def test_too_many_groups_of_several_algorithms_are_refused(make_log, random_runs):
    runs = [run for name in "ab" for run in random_runs(1, name, range(1, 9), (2, 5), (1,))]
    with pytest.raises(AssessmentError, match="9 groups of functions and several algorithms"):
        Results(make_log(runs)).plot.ecdf_dimensions(group_by=("function", "all"))


def test_single_runs_are_thin_curves_that_end_with_the_runs(results):
    """There is one curve for each run of the function; a run that succeeds ends at its last hit."""
    lines = results.plot.ecdf(functions=1, dimensions=2, single_runs=True).get_lines()
    thin = [line for line in lines if line.get_gid() == "single run"]
    runs = results.log.runs
    lengths = runs["evaluations"][(runs["function"] == 1) & (runs["dimension"] == 2)] / 2
    ends = sorted(line.get_xdata()[-1] for line in thin)
    assert len(ends) == len(lengths)
    assert all(end <= length for end, length in zip(ends, sorted(lengths), strict=True))
    assert ends[0] == min(lengths)


def test_a_single_run_of_several_functions_is_on_one_instance(results):
    lines = results.plot.ecdf(dimensions=2, algorithms="a", single_runs=True).get_lines()
    thin = [line for line in lines if line.get_gid() == "single run"]
    instances = np.unique(results.log.runs["instance"]).tolist()
    assert len(thin) == len(instances)
    for instance, line in zip(instances, thin, strict=True):
        alone = results.ecdf(dimensions=2, algorithms="a", instances=instance, runtimes="runs")
        [profile] = alone.profiles
        assert line.get_ydata()[-1] == pytest.approx(profile.fraction[-1])
        for budget in (1.0, 3.0, 10.0, 30.0):
            before = line.get_xdata() <= budget
            share = line.get_ydata()[before][-1] if before.any() else 0.0
            assert profile.at(budget / 1.05) - 1e-9 <= share <= profile.at(budget * 1.05) + 1e-9


@pytest.mark.slow
def test_the_command_draws_single_runs_only_into_a_figure(log_file, tmp_path):
    done = invoke("assess", "ecdf", log_file, "--single-runs")
    assert done.exit_code == 2
    assert "--single-runs is an option of figures; add --plot FILE" in done.stderr
    words = ("--dimensions", 2, "--plot", tmp_path / "a.svg")
    succeed("assess", "ecdf", log_file, "--single-runs", *words)
    assert "single runs, one of each function" in (tmp_path / "a.txt").read_text("utf-8")


def test_the_axis_of_shares_ends_where_the_curves_end(make_log):
    log = make_log([{"precisions": [90.0] * 5, "instance": i} for i in (1, 2)])
    axes = Results(log).plot.ecdf()
    top = max(line.get_ydata().max() for line in axes.get_lines()[:2])
    assert top < 0.05
    assert top <= axes.get_ylim()[1] <= 0.051


def test_run_length_targets_begin_at_their_smallest_budget(results):
    options = {"targets": "runlength", "reference": "a", "dimensions": 5}
    assert results.plot.ecdf(**options).get_xlim()[0] == 0.1
    assert results.plot.ecdf(dimensions=5).get_xlim()[0] == 1.0


def test_groups_with_the_same_functions_have_one_figure(log_file, tmp_path):
    words = ("--functions", 1, "--dimensions", 2, "--group-by", "function,group,all")
    succeed("figures", log_file, "--kinds", "ecdf", *words, "--format", "svg", "-o", tmp_path)
    assert len(list(tmp_path.glob("*.svg"))) == 1


@pytest.mark.slow
def test_the_caption_counts_the_background_curves_of_its_figure(make_log, random_runs, tmp_path):
    """The other algorithms lack functions, so that their curves are not drawn everywhere."""
    log = make_log(random_runs(1, "a")).save(tmp_path / "log.h5")
    others = random_runs(2, "b") + random_runs(3, "c", (1,))
    background = make_log(others).save(tmp_path / "others.h5")
    words = ("--background", background, "--dimensions", 2, "--group-by", "function,all")
    succeed("assess", "ecdf", log, *words, "--plot", tmp_path / "e.svg")
    counts = {
        file.stem: re.search(r"Thin and grey: (\d) other", file.read_text("utf-8"))[1]
        for file in tmp_path.glob("*.txt")
    }
    assert counts == {"e_all": "1", "e_f001": "2", "e_f002": "1", "e_f003": "1"}
