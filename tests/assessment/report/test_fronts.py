"""The report's section on two objectives, in a real browser."""

import csv
import io
import shlex

import numpy as np
import pytest

import firsthit

from ...command_line import succeed


@pytest.fixture(scope="module")
def pairs_report(tmp_path_factory, pairs_folder):
    file = tmp_path_factory.mktemp("report") / "pairs.html"
    succeed("report", pairs_folder, "-o", file)
    return file


@pytest.fixture
def page(browser, pairs_report):
    """The browser with the section drawn."""
    browser.open(pairs_report)
    browser.look_at("fronts")
    return browser


def drawn(page):
    """Lines of the figure: name and width to the corners, without the ends far outside."""
    found = page.js(
        """[...document.querySelector('#fronts .plot').data].filter(t => t.visible === true)
        .map(t => [t.name, t.line.width, [...t.x], [...t.y]])"""
    )
    return {(name, width): np.array([x, y]).T for name, width, x, y in found}


def slide(page, place):
    page.redrawn("fronts", lambda: page.driver.execute_script(
        "const s = document.getElementById('front-budget'); s.value = arguments[0];"
        "s.dispatchEvent(new Event('input'));", place,
    ))  # fmt: skip


def corners(table, **where):
    mask = np.logical_and.reduce([table[key] == value for key, value in where.items()])
    return np.column_stack([table["scaled_1"][mask], table["scaled_2"][mask]])


def test_lines_are_the_surfaces_at_the_budget_of_the_slider(page, pairs_folder):
    results = firsthit.load(pairs_folder)
    budgets = page.js("firsthit.data.fronts.budgets")
    assert budgets[-2:] == [pytest.approx(10 ** (7 / 3)), 400]  # the longest run ends there
    for place in (len(budgets) - 1, 5, 3):
        slide(page, place)
        table = results.surfaces("median", f"{budgets[place]}*D", dimensions=2, functions=1)
        assert page.js("document.querySelector('#fronts output').textContent") == str(
            float(f"{budgets[place]:.4g}")
        ).removesuffix(".0")
        for name in ("moea", "random"):
            expected = corners(table, algorithm=name)
            np.testing.assert_allclose(drawn(page)[name, 2.5][1:-1], expected, rtol=1e-3)


def test_one_instance_can_be_chosen(page, pairs_folder):
    results = firsthit.load(pairs_folder)
    budgets = page.js("firsthit.data.fronts.budgets")
    page.redrawn("fronts", lambda: page.choose("#fronts .instances select", 2))
    for place in range(len(budgets) - 1, 2, -2):
        slide(page, place)
        table = results.surfaces(
            "median", f"{budgets[place]}*D", dimensions=2, functions=1, instances=2
        )
        for name in ("moea", "random"):
            expected = corners(table, algorithm=name)
            np.testing.assert_allclose(drawn(page)[name, 2.5][1:-1], expected, rtol=1e-3)
    saved, printed = saved_and_printed(page)
    assert_same(saved, printed)
    assert {row["instance"] for row in saved} == {"2"}
    page.redrawn("fronts", lambda: page.choose("#fronts .instances select", "all"))
    assert_same(*saved_and_printed(page))


def test_axes_show_the_objectives_of_one_instance_as_they_are(page):
    """Of instance 3 the ideal point is (30, -5), the nadir point (32, 45)."""
    axes = "document.querySelector('#fronts .axes select')"
    title = "document.querySelector('#fronts .plot').layout.xaxis.title.text"
    assert page.js(f"{axes}.disabled")
    page.redrawn("fronts", lambda: page.choose("#fronts .instances select", 3))
    assert not page.js(f"{axes}.disabled")
    scaled = drawn(page)
    page.redrawn("fronts", lambda: page.choose("#fronts .axes select", "raw"))
    assert page.js(title) == "objective 1 above the ideal 30"
    for line, points in drawn(page).items():
        np.testing.assert_allclose(points, scaled[line] * [2, 50], rtol=1e-9)
    page.redrawn("fronts", lambda: page.click("#fronts .controls label:nth-of-type(3) input"))
    assert page.js(title) == "objective 1"
    for line, points in drawn(page).items():
        np.testing.assert_allclose(points, [30, -5] + scaled[line] * [2, 50], rtol=1e-9)
    region = page.js("document.querySelector('#fronts .plot').layout.shapes[0]")
    assert [region[key] for key in ("x0", "x1", "y0", "y1")] == [30, 32, -5, 45]
    for row in saved_and_printed(page)[0]:
        assert float(row["y1"]) == pytest.approx(30 + 2 * float(row["scaled_1"]))
        assert float(row["y2"]) == pytest.approx(-5 + 50 * float(row["scaled_2"]))
    page.redrawn("fronts", lambda: page.choose("#fronts .instances select", "all"))
    assert page.js(f"{axes}.value") == "scaled"
    assert page.js(title) == "objective 1, scaled"


def test_the_spread_can_be_hidden_and_axes_be_linear(page):
    boxes = "document.querySelectorAll('#fronts .controls input[type=checkbox]')"
    assert page.js("document.querySelector('#fronts .plot').data.length") == 6
    page.redrawn("fronts", lambda: page.js(f"{boxes}[0].click()"))
    assert page.js("document.querySelector('#fronts .plot').data.length") == 2
    axis = "document.querySelector('#fronts .plot').layout.xaxis.type"
    assert page.js(axis) == "log"
    page.redrawn("fronts", lambda: page.js(f"{boxes}[1].click()"))
    assert page.js(axis) == "linear"


def saved_and_printed(page):
    """Rows of the section's CSV, and of its command."""
    page.driver.execute_script(
        "window.saved = []; firsthit.download = (file, text) => window.saved.push(text);"
    )
    page.click("#fronts [data-action=CSV]")
    saved = list(csv.DictReader(io.StringIO(page.js("window.saved[0]"))))
    command = page.js("document.querySelector('#fronts code.command').textContent")
    done = succeed(*shlex.split(command)[1:])
    return saved, list(csv.DictReader(io.StringIO(done.stdout)))


def assert_same(saved, printed):
    assert len(saved) == len(printed) > 20
    for ours, theirs in zip(saved, printed, strict=True):
        for name in ("algorithm", "function", "dimension", "runs", "surface"):
            assert ours[name] == theirs[name]
        for name in ("budget", "scaled_1", "scaled_2"):
            assert float(ours[name]) == pytest.approx(float(theirs[name]), rel=1e-3)


def test_where_no_front_is_near_the_figure_says_so(page):
    slide(page, 0)
    texts = "document.querySelector('#fronts .plot').layout.annotations.map(a => a.text)"
    near = page.js("document.querySelector('#fronts .plot').data.some(t => t.x.some(x => x < 10))")
    assert bool(page.js(texts)) != near


def test_scaling_begins_with_a_target_that_was_reached(page):
    """Runs reach 0, and none reaches -0.1."""
    page.look_at("scaling")
    said = "document.querySelector('#scaling .plot').layout.annotations.map(a => a.text)"
    lists = "document.querySelectorAll('#scaling .controls select')"
    assert page.js(f"{lists}[1].value") == "0"
    assert page.js("document.querySelector('#scaling .plot').data.length") == 2
    assert page.js(said) == []
    page.redrawn(
        "scaling", lambda: page.choose("#scaling .controls label:nth-of-type(2) select", "-0.1")
    )
    assert page.js(said) == ["no run reached this target"]


def test_it_fits_the_screen_of_a_phone(browser, pairs_report):
    browser.emulate(390)
    browser.open(pairs_report)
    browser.look_at("fronts")
    assert browser.js("document.documentElement.scrollWidth") <= 390


def test_a_report_on_one_objective_has_no_such_section(browser, report_file):
    browser.open(report_file)
    assert browser.js("document.getElementById('fronts')") is None
    assert browser.js("[...document.querySelectorAll('nav a')].every(a => a.hash !== '#fronts')")


def test_precisions_of_hypervolumes_have_a_logarithmic_axis_while_none_is_below_0(page):
    page.look_at("convergence")
    axis = "document.querySelector('#convergence .plot').layout.yaxis.type"
    assert page.js("firsthit.data.signed[0]")
    assert page.js(axis) == "linear"
    for low, kind in ((1e-3, "log"), (-9e-13, "log"), (-1e-5, "linear")):  # -9e-13 is rounding
        script = (
            "firsthit.data.convergence.forEach(c => { c.low.fill(arguments[0]); "
            "c.median.fill(1e-2); c.high.fill(1e-1); });"
        )
        page.driver.execute_script(script, low)
        page.redrawn("convergence", lambda: page.js("firsthit.refresh('convergence')"))
        assert page.js(axis) == kind


def test_below_0_precisions_have_decades_on_both_sides(page):
    page.look_at("convergence")
    values = [10.0, 1e-3, 1e-8, 5e-9, 0.0, -1e-8, -2e-6]
    page.driver.execute_script(
        "firsthit.data.convergence.forEach(c => arguments[0].forEach((v, i) => {"
        "  c.low[i] = c.median[i] = c.high[i] = v; }));",
        values,
    )
    page.redrawn("convergence", lambda: page.js("firsthit.refresh('convergence')"))
    plot = "document.querySelector('#convergence .plot')"
    line = f"{plot}.data.find(t => t.hovertemplate)"
    heights = page.js(f"[...{line}.y].slice(0, {len(values)})")
    np.testing.assert_allclose(heights, [10, 6, 1, 0.5, 0, -1, -1 - np.log10(200)], rtol=1e-12)
    assert page.js(f"[...{line}.customdata].slice(0, {len(values)})") == values
    ticks = dict(
        page.js(f"{plot}.layout.yaxis.ticktext.map((t, i) => [t, {plot}.layout.yaxis.tickvals[i]])")
    )
    assert (ticks["0"], ticks["1"], ticks["−10<sup>-6</sup>"]) == (0, 9, -3)
    low, high = page.js(f"{plot}.layout.yaxis.range")
    assert low <= -1 - np.log10(200)
    assert high >= 10
