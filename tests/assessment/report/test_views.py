"""Further views of the report: forest plot, all dimensions, scaling of all functions, single runs.

Numbers that the page draws are compared with those of the tables.
"""

import numpy as np
import pytest

from firsthit.loggers import read_log

from ...command_line import succeed
from .conftest import data_of
from .test_controls import chosen
from .test_page import downloaded, texts, traces


def test_the_forest_plot_has_the_shares_of_all_algorithms_with_intervals(opened):
    opened.look_at("forest")
    rows = downloaded(opened, "forest")
    expected = opened.js(
        "firsthit.data.standings.filter(cell => firsthit.here(cell) && cell.group === 'all').at(-1)"
    )
    names = ["cma", "nelder-mead"]
    assert [row["algorithm"] for row in rows] == [names[one[0]] for one in expected["places"]]
    drawn = opened.js(
        "document.querySelector('#forest .plot').data.map(t => "
        "[t.meta.algorithm, t.x[0], t.error_x.arrayminus[0], t.error_x.array[0]])"
    )
    for (algorithm, share, below, above), one in zip(drawn, expected["places"], strict=True):
        assert algorithm == one[0]
        ends = [share, share - below, share + above]
        np.testing.assert_allclose(ends, 100 * np.array(one[1:4]), atol=1e-9)
    ticks = opened.js("document.querySelector('#forest .plot').layout.yaxis.ticktext")
    assert ticks == [row["algorithm"] for row in rows]
    chosen(opened, "forest", "budget", 10)
    budgets = {row["evaluations_per_dimension"] for row in downloaded(opened, "forest")}
    assert budgets == {"10"}


def test_all_dimensions_of_one_algorithm_are_in_one_figure(opened, loaded):
    opened.look_at("dimensions")
    for algorithm, name in enumerate(["cma", "nelder-mead"]):
        if algorithm:
            chosen(opened, "dimensions", "algorithm", algorithm)
        profiles = loaded.ecdf(algorithms=name).profiles
        last = profiles[-1].fraction[-1].item()
        opened.wait(f"document.querySelector('#dimensions .plot').data?.at(-1).y.at(-1) === {last}")
        shown = traces(opened, "dimensions")
        assert list(shown) == ["2-D", "5-D"]
        for profile in profiles:
            x, y = shown[f"{profile.dimension}-D"]
            np.testing.assert_allclose(x[:-1], profile.budgets, rtol=1e-12)
            np.testing.assert_array_equal(y[:-1], profile.fraction)
        rows = downloaded(opened, "dimensions")
        assert {(row["algorithm"], row["dimension"]) for row in rows} == {(name, "2"), (name, "5")}


def test_runtimes_of_all_functions_are_drawn_against_the_dimension(opened, loaded):
    opened.look_at("scaling-functions")
    chosen(opened, "scaling-functions", "target", 10)
    assert len(texts(opened, "#scaling-functions h3")) == 3
    opened.wait("document.querySelector('#scaling-functions .plot').data")
    table = loaded.art([1e1], functions=1)
    shown = traces(opened, "scaling-functions")
    assert set(shown) == set(table["algorithm"].tolist())
    for name, (x, y) in shown.items():
        is_drawn = (table["algorithm"] == name) & np.isfinite(table["art"])
        np.testing.assert_array_equal(x, table["dimension"][is_drawn])
        expected = table["art"][is_drawn] / table["dimension"][is_drawn]
        np.testing.assert_allclose(y, expected, rtol=1e-4)
    guides = opened.js(
        "document.querySelector('#scaling-functions .plot').data"
        ".filter(t => t.line.dash === 'dot').map(t => t.y.at(-1) / t.y[0])"
    )
    assert guides == pytest.approx([2.5, 2.5**2])
    assert {row["function"] for row in downloaded(opened, "scaling-functions")} == {"1", "2", "3"}


def test_a_click_on_a_function_shows_its_runs(opened, results_log):
    opened.look_at("functions")
    opened.click("#functions [data-group=f002] h3 button")
    opened.wait("firsthit.panel('runs').function === 2")
    opened.look_at("runs")
    opened.wait("document.querySelector('#runs .controls select').value === '2'")
    columns = results_log.runs
    is_shown = (columns["function"] == 2) & (columns["dimension"] == 2)
    names = ("algorithm", "instance", "repetition", "evaluations")
    expected = set(zip(*(columns[name][is_shown].astype(str) for name in names), strict=True))
    rows = downloaded(opened, "runs")
    assert {tuple(row[name] for name in names) for row in rows} == expected
    shown = traces(opened, "runs")
    precision = columns["best_precision"][is_shown & (columns["algorithm"] == "cma")]
    np.testing.assert_allclose(
        np.sort(shown["cma"][1]), np.sort(np.maximum(precision, 1e-12)), rtol=1e-4
    )


def test_single_runs_are_thin_curves_behind_the_profiles(opened, loaded):
    thin = (
        "document.querySelector('#ecdf .plot').data.filter(t => t.name.endsWith(' run'))"
        ".map(t => [t.meta.algorithm, [...t.x], [...t.y]])"
    )
    opened.look_at("ecdf")
    assert opened.js(thin) == []
    boxes = "[...document.querySelectorAll('#ecdf .controls label')]"
    box = f"{boxes}.find(l => l.textContent.trim() === 'single runs').firstElementChild"
    opened.redrawn("ecdf", lambda: opened.js(f"{box}.click()"))
    curves = opened.js(thin)
    runs = loaded.ecdf(dimensions=2, runtimes="runs")
    for algorithm, profile in enumerate(runs.profiles):
        of_algorithm = [(x, y) for index, x, y in curves if index == algorithm]
        assert len(of_algorithm) == 3
        # The mean of the single runs is the profile of single runs, up to the steps of the page.
        ends = np.mean([y[-1] for _, y in of_algorithm])
        assert ends == pytest.approx(profile.fraction[-1])
        for x, y in of_algorithm:
            assert (np.diff(x) >= 0).all()
            assert (np.diff(y) >= 0).all()
    opened.redrawn("ecdf", lambda: opened.js(f"{box}.click()"))
    assert opened.js(thin) == []


@pytest.fixture
def results_log(log_folder):
    """The runs of the report."""
    return read_log(log_folder)


CAMPAIGN = """
suite: bbob
functions: [1, 8]
dimensions: [2]
instances: 1-3
budget: 60 * dimension
optimizers:
  - use: random-search
  - {use: "cma:CMA-ES", name: cma, parameters: {popsize: [12, 6, 24], sigma0: [0.1, 0.4]}}
"""


def test_a_grid_of_parameters_has_an_axis_for_each_parameter(browser, tmp_path):
    (tmp_path / "grid.yaml").write_text(CAMPAIGN)
    succeed("run", tmp_path / "grid.yaml", "--output", tmp_path / "grid.h5", "--workers", 0)
    succeed("report", tmp_path / "grid.h5", "-o", tmp_path / "grid.html")
    browser.open(tmp_path / "grid.html")
    browser.look_at("parameter-grid")
    shown = traces(browser, "parameter-grid")
    assert {name: x.tolist() for name, (x, _) in shown.items()} == {
        "sigma0=0.1": [6, 12, 24],
        "sigma0=0.4": [6, 12, 24],
    }
    shares = {row["algorithm"]: 100 * float(row["share"]) for row in downloaded(browser, "forest")}
    for sigma in (0.1, 0.4):
        x, y = shown[f"sigma0={sigma}"]
        for popsize, share in zip(x, y, strict=True):
            assert share == shares[f"cma[popsize={popsize:.0f},sigma0={sigma}]"]
    chosen(browser, "parameter-grid", "parameter", "sigma0")
    assert set(traces(browser, "parameter-grid")) == {"popsize=6", "popsize=12", "popsize=24"}


def test_without_a_grid_there_is_no_section_of_it(loaded):
    page = loaded.report().html
    assert 'id="forest"' in page
    assert 'id="parameter-grid"' not in page
    assert "grid" not in data_of(page)


def test_dimensions_are_named_below_the_figure_on_a_phone(browser, report_file):
    browser.emulate(390)
    browser.open(report_file)
    browser.look_at("dimensions")
    names = "[...document.querySelectorAll('#dimensions .names span')].map(s => s.textContent)"
    browser.wait(f"{names}.length === 2")
    assert browser.js(names) == ["2-D", "5-D"]
