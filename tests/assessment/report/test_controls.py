"""Controls that the tests of the panels do not press; the page in a frame, and its picture."""

import re

import numpy as np
import pytest

import firsthit

from ...command_line import succeed
from .conftest import data_of, warnings_of, with_data, write_page
from .test_page import downloaded, profiles, traces


def chosen(browser, panel, label, value):
    """Choose in the list of a panel that has this label, and wait until it is drawn anew."""
    script = """((panel, label, value) => {
        const own = [...document.querySelectorAll(`#${panel} .controls label`)]
            .find(one => one.textContent.startsWith(label));
        const list = own.querySelector('select');
        list.value = value;
        list.dispatchEvent(new Event('change', {bubbles: true}));
    })(arguments[0], arguments[1], arguments[2])"""
    browser.redrawn(panel, lambda: browser.js(script, panel, label, str(value)))


def test_profiles_to_one_target_are_of_average_runtimes(opened, loaded):
    opened.look_at("ecdf")
    chosen(opened, "ecdf", "target", 10)
    table = loaded.art([1e1], dimensions=2)
    shown = profiles(opened)
    for name in ("cma", "nelder-mead"):
        art = table["art"][table["algorithm"] == name]
        steps = np.sort(art[np.isfinite(art)]) / 2
        x, y = shown[name]
        np.testing.assert_allclose(x[1:], steps, rtol=1e-12)
        np.testing.assert_allclose(y, np.arange(len(steps) + 1) / 3, rtol=1e-12)
    assert opened.js("document.querySelector('#ecdf .plot').layout.yaxis.title.text") == (
        "share of functions"
    )
    assert {row["target"] for row in downloaded(opened, "ecdf")} == {"10"}
    command = opened.js("document.querySelector('#ecdf code.command').textContent")
    assert command.startswith("firsthit assess art ")
    assert "--targets 1e1 " in command
    opened.look_at("functions")
    opened.wait("document.querySelector('#functions .plot').data")
    ends = {name: y[-1] for name, (_, y) in traces(opened, "functions").items()}
    first = table["function"] == 1
    reached = np.isfinite(table["art"][first]).tolist()
    assert ends == dict(zip(table["algorithm"][first].tolist(), map(float, reached), strict=True))
    opened.look_at("ecdf")
    chosen(opened, "ecdf", "target", "all")
    everything = loaded.ecdf(dimensions=2)
    for profile in everything.profiles:
        np.testing.assert_array_equal(profiles(opened)[profile.algorithm][1], profile.fraction)


def test_scaling_is_of_the_chosen_function_and_target(opened, loaded):
    opened.look_at("scaling")
    chosen(opened, "scaling", "function", 2)
    chosen(opened, "scaling", "target", 10)
    table = loaded.art([1e1], functions=2)
    for name, (x, y) in traces(opened, "scaling").items():
        of = (table["algorithm"] == name) & np.isfinite(table["art"])
        np.testing.assert_array_equal(x, table["dimension"][of])
        np.testing.assert_allclose(y, table["art"][of] / table["dimension"][of], rtol=1e-12)


def test_convergence_is_of_the_chosen_function_with_bands_or_without(opened):
    opened.look_at("convergence")
    chosen(opened, "convergence", "function", 3)
    shown = traces(opened, "convergence")
    expected = opened.js(
        "firsthit.data.convergence.filter(one => firsthit.here(one) && one.function === 3)"
        ".map(one => [firsthit.name(one.algorithm), one.median])"
    )
    for name, median in expected:
        heights = [None if one is None else max(one, 1e-12) for one in median]
        assert shown[name][1].tolist() == heights
    bands = "document.querySelector('#convergence .plot').data.filter(t => t.fill === 'toself')"
    assert opened.js(f"{bands}.length") == 2
    opened.redrawn("convergence", lambda: opened.click("#convergence .controls input"))
    assert opened.js(f"{bands}.length") == 0


def test_the_share_whose_time_is_ranked_is_chosen(opened):
    opened.look_at("timing")
    chosen(opened, "timing", "share", 0.25)
    assert "25 % of pairs" in opened.js("document.querySelector('#timing thead').textContent")


def test_the_button_turns_light_into_dark_and_back(opened):
    opened.look_at("ecdf")
    ink = "document.querySelector('#ecdf .plot').layout.font.color"
    for theme, colour in (("dark", "#e6edf3"), ("light", "#1b1f24")):
        opened.redrawn("ecdf", lambda: opened.click("#theme"))
        assert opened.js("document.documentElement.dataset.theme") == theme
        assert opened.js(ink) == colour


def test_a_double_click_in_the_legend_shows_one_alone_and_then_all(opened):
    opened.look_at("ecdf")
    clicked = (
        "(plot => plot.emit('plotly_legenddoubleclick', {data: plot.data, curveNumber:"
        " plot.data.findIndex(t => t.name === 'cma')}))(document.querySelector('#ecdf .plot'))"
    )
    for shown in ({"cma"}, {"cma", "nelder-mead"}):
        opened.redrawn("ecdf", lambda: opened.js(clicked))
        assert set(traces(opened, "ecdf")) == shown


def test_pictures_are_saved_in_both_formats(opened):
    opened.look_at("ecdf")
    opened.driver.execute_async_script(
        "const done = arguments[0]; window.saved = [];"
        "firsthit.plotly().then(Plotly => { Plotly.downloadImage = async (plot, asked) =>"
        " { window.saved.push(asked.filename + '.' + asked.format); }; done(); });"
    )
    for place, name in enumerate(("svg", "png"), 1):
        opened.click(f"#ecdf [data-action={name.upper()}]")
        opened.wait(f"window.saved.length === {place}")
        assert opened.js("window.saved.at(-1)") == f"ecdf_d02_all.{name}"


def test_the_list_of_algorithms_opens(opened):
    box = "document.querySelector('#algorithms input')"
    assert not opened.js(f"{box}.checkVisibility()")
    opened.click("#algorithms summary")
    assert opened.js(f"{box}.checkVisibility()")


def test_highlighted_algorithms_are_in_colour_and_all_others_grey(opened, browser, report_file):
    colours = "firsthit.data.algorithms.map((_, i) => firsthit.colour(i))"
    grey = "#8c8c8c"
    cma, other = opened.js(colours)
    assert grey not in (cma, other)
    button = "document.querySelector('#algorithms .highlight')"
    opened.look_at("ecdf")
    opened.redrawn("ecdf", lambda: opened.js(f"{button}.click()"))
    drawn = "document.querySelector('#ecdf .plot').data"
    lines = dict(opened.js(f"{drawn}.filter(t => t.mode === 'lines').map(t => [t.name, t.line])"))
    assert (lines["cma"]["color"], lines["nelder-mead"]["color"]) == (cma, grey)
    assert opened.js(f"{button}.ariaPressed") == "true"
    fragment = opened.js("location.hash")
    browser.open(report_file, fragment)
    assert opened.js(colours) == [cma, grey]
    opened.js(f"{button}.click()")
    assert opened.js(colours) == [cma, other]


def test_long_names_are_short_and_different_and_the_whole_name_is_shown_on_hover(
    browser, loaded, tmp_path
):
    page = loaded.report().html
    data = data_of(page)
    names = [f"<b>{'n' * 70}{number}" for number in range(2)]
    data["algorithms"][:] = names
    labels = [f"<b>{'n' * 34}…~{number}" for number in (1, 2)]
    data["labels"][:] = labels
    browser.open(write_page(with_data(page, data), tmp_path / "long.html"))
    browser.look_at("ecdf")
    assert set(traces(browser, "ecdf")) == {label.replace("<b>", "&lt;b&gt;") for label in labels}
    shown = browser.js("document.querySelector('#ecdf .plot').data.map(t => t.hovertemplate)")
    whole = {f"&lt;b&gt;{'n' * 57}<br>{'n' * 13}{i}" for i in (0, 1)}
    assert all(any(text.startswith(name) for text in shown if text) for name in whole)
    browser.look_at("outcomes")
    titles = browser.js("[...document.querySelectorAll('#outcomes bdi')].map(one => one.title)")
    assert set(names) <= set(titles)


def test_names_stand_below_figures_on_a_phone_and_hide(browser, report_file):
    browser.emulate(390)
    browser.open(report_file)
    browser.look_at("ecdf")
    names = "document.querySelectorAll('#ecdf .names button')"
    assert browser.js(f"[...{names}].map(b => b.textContent).sort()") == ["cma", "nelder-mead"]
    assert not browser.js("document.querySelector('#ecdf .plot').layout.showlegend")
    of = "document.querySelector('#ecdf .names [data-name=\"0\"]')"
    browser.redrawn("ecdf", lambda: browser.js(f"{of}.click()"))
    assert set(traces(browser, "ecdf")) == {"nelder-mead"}
    browser.wait(f"{of}.ariaPressed === 'false'")


def test_suites_are_chosen_and_the_other_places_are_shown(browser, loaded, tmp_path):
    """A second suite, and five more algorithms than the evidence shows at first."""
    page = loaded.report().html
    data = data_of(page)
    names, suites = data["algorithms"], data["suites"]
    names.extend(f"copy {i}" for i in range(7))
    data["labels"].extend(names[2:])
    data["styles"].extend(data["styles"][:1] * 7)
    for standing in data["standings"]:
        first = standing["places"][0]
        standing["places"].extend([2 + i, *first[1:]] for i in range(7))
    suites.append({**suites[0], "name": "other"})
    data["art"]["targets"].append([0.5])
    browser.open(write_page(with_data(page, data), tmp_path / "more.html"))
    places = "document.querySelectorAll('#answer .places li')"
    browser.wait(f"{places}.length === 6")
    browser.click("#answer .evidence .link")
    assert browser.js(f"{places}.length") == 9
    assert browser.js("document.querySelector('#answer .evidence .link')") is None
    browser.redrawn("answer", lambda: browser.choose("#suite", 1))
    assert browser.js("firsthit.suite().name") == "other"
    assert "nothing can be compared" in browser.js(
        "document.querySelector('#answer .figure').textContent.toLowerCase()"
    )


def test_a_table_wider_than_paper_is_printed_smaller(opened):
    for panel in ("art", "ecdf"):
        opened.look_at(panel)
    opened.driver.execute_script(
        "document.styleSheets[0].insertRule('#art table { width: 1300px }')"
    )
    zoom = "document.querySelector('#art table').style.zoom"
    opened.js("window.dispatchEvent(new Event('beforeprint'))")
    opened.wait(f"{zoom} === '0.5'")
    opened.js("window.dispatchEvent(new Event('afterprint'))")
    opened.wait(f"{zoom} === ''")


@pytest.fixture(scope="module")
def timed():
    """Two algorithms in parallel, with simulated seconds."""
    return firsthit.benchmark(
        ["random-search", "cmaes:CMA"], "bbob", functions=[1, 3], dimensions=[2, 5], instances=2,
        budget=60, parallel=firsthit.Parallel(4, 0.2),
    )  # fmt: skip


def test_a_page_of_runs_with_seconds_has_both(timed, loaded):
    """Standings, sentences and captions of both; none where there are no seconds."""
    page = timed.report().html
    data = data_of(page)
    in_seconds = data["in_seconds"]
    assert (data["axis"], in_seconds["axis"]) == ("evaluations/dimension", "seconds")
    assert in_seconds["clock"] == "simulated time"
    assert in_seconds["captions"]["art"].startswith("aRT: the seconds of all runs")
    assert data["captions"]["art"].startswith("aRT: the evaluations of all runs")
    assert not any("{" in text for own in (data, in_seconds) for text in own["captions"].values())
    words = {"evaluations/dimension": "", "seconds": ""}
    answers = re.compile(r'<div class="answer"[^>]* data-axis="([^"]*)">(.*?)</div>', re.DOTALL)
    for axis, part in answers.findall(page):
        words[axis] += part
    assert "evaluations per dimension" in words["evaluations/dimension"]
    assert "Within 3 seconds" in words["seconds"]
    assert "evaluations" not in words["seconds"]
    assert max(one["budget"] for one in in_seconds["standings"]) == pytest.approx(4.0)
    assert max(one["budget"] for one in data["standings"]) == pytest.approx(30.0)
    only = data_of(timed.report(count="seconds").html)
    assert only["axis"] == "seconds"
    assert "in_seconds" not in only
    without = data_of(loaded.report().html)
    assert "in_seconds" not in without


def test_others_behind_count_as_the_page_does(timed, log_folder, tmp_path):
    """Its choice of seconds draws theirs; where they have none, there is no choice."""
    behind = timed.filter(algorithms="random-search").log.save(tmp_path / "behind.h5")
    own = timed.filter(algorithms="cmaes:CMA")
    own.log.save(tmp_path / "own.h5")

    def page_with(background):
        words = ("-o", tmp_path / "page.html", "--overwrite", "--background", background)
        succeed("report", tmp_path / "own.h5", *words)
        return (tmp_path / "page.html").read_text(encoding="utf-8")

    in_seconds = data_of(page_with(behind))["in_seconds"]
    table = own.ecdf(count="seconds", background=str(behind))
    expected = [p.fraction.tolist() for p in table.profiles if p.background]
    curves = in_seconds["ecdf"]["background"]
    assert [curve["fraction"] for curve in curves if curve["group"] == "all"] == expected
    page = page_with(log_folder / "nelder-mead.h5")
    assert "in_seconds" not in data_of(page)
    assert any("No choice of seconds" in warning for warning in warnings_of(page))


@pytest.mark.slow
def test_the_choice_of_seconds_draws_all_anew_and_is_in_the_address(timed, browser, tmp_path):
    file = timed.report().save(tmp_path / "timed.html")
    browser.open(file)
    title = "document.querySelector('#ecdf .plot').layout.xaxis.title.text"
    browser.look_at("ecdf")
    assert browser.js(title) == "evaluations / dimension"
    browser.redrawn("ecdf", lambda: browser.choose("#count", "seconds"))
    assert browser.js(title) == "seconds"
    shown = profiles(browser)
    table = timed.ecdf(dimensions=2, count="seconds")
    for profile in table.profiles:
        x, y = shown[profile.algorithm]
        np.testing.assert_allclose(x, profile.budgets, rtol=1e-12)
        np.testing.assert_array_equal(y, profile.fraction)
    rows = downloaded(browser, "ecdf")
    assert {"seconds", "fraction"} <= set(rows[0])
    command = browser.js("document.querySelector('#ecdf code.command').textContent")
    assert "--count seconds" in command
    art = timed.art([1e1], dimensions=2, count="seconds")
    browser.look_at("art")
    expected = dict(
        zip(zip(art["algorithm"], art["function"], strict=True), art["art"], strict=True)
    )
    for row in downloaded(browser, "art"):
        if row["target"] == "10":
            assert float(row["art"]) == pytest.approx(
                expected[row["algorithm"], int(row["function"])]
            )
    for panel in ("answer", "scaling", "convergence", "timing"):
        browser.look_at(panel)
        text = browser.js(f"document.getElementById('{panel}').innerText")
        assert "evaluations / dimension" not in text
    link = browser.js("location.hash")
    assert "count=seconds" in link
    browser.open(file, link)
    browser.look_at("ecdf")
    assert browser.js(title) == "seconds"
    assert browser.js("document.querySelector('#art > .caption').textContent").startswith(
        "aRT: the sec"
    )
    browser.redrawn("ecdf", lambda: browser.choose("#count", "evaluations"))
    assert browser.js(title) == "evaluations / dimension"
    assert "count=" not in browser.js("location.hash")


def test_the_page_works_in_a_frame(browser, loaded, tmp_path):
    frame = loaded.report()._repr_html_()
    outer = tmp_path / "notebook.html"
    outer.write_text(
        "<!doctype html><html data-ready='yes'><meta charset='utf-8'>"
        f"<script>var secret = 1</script><body>{frame}</body></html>",
        encoding="utf-8",
    )
    browser.open(outer)
    browser.driver.switch_to.frame(0)
    try:
        browser.wait("document.documentElement.dataset.ready === 'yes'")
        browser.look_at("ecdf")
        browser.redrawn("ecdf", lambda: browser.choose("#dimension", 5))
        assert (
            browser.js("(() => { try { return parent.secret } catch { return null } })()") is None
        )
    finally:
        browser.driver.switch_to.default_content()


def test_the_next_dimension_is_a_click_or_a_key_away(opened):
    opened.look_at("ecdf")
    shown = "[Number(document.getElementById('dimension').value), firsthit.choice.dimension]"
    press = (
        "(arguments[1] ? document.querySelector(arguments[1]) : document.body).dispatchEvent("
        "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
    )
    assert opened.js(shown) == [2, 2]
    assert opened.js("document.getElementById('previous-dimension').disabled")
    opened.redrawn("ecdf", lambda: opened.click("#next-dimension"))
    assert opened.js(shown) == [5, 5]
    assert opened.js("document.getElementById('next-dimension').disabled")
    opened.js(press, "n", None)  # there is no further dimension
    assert opened.js(shown) == [5, 5]
    opened.redrawn("ecdf", lambda: opened.js(press, "p", None))
    assert opened.js(shown) == [2, 2]
    opened.js(press, "n", "#dimension")  # a list is moved by its own keys
    assert opened.js(shown) == [2, 2]
    opened.redrawn("ecdf", lambda: opened.js(press, "n", None))
    assert opened.js(shown) == [5, 5]


@pytest.mark.parametrize(
    ("panel", "axes"), [("ecdf", "x"), ("scaling", "xy"), ("convergence", "xy")]
)
def test_axes_are_logarithmic_or_linear(opened, panel, axes):
    opened.look_at(panel)
    layout = f"document.querySelector('#{panel} .plot').layout"
    types = f"['x', 'y'].map(axis => {layout}[axis + 'axis'].type ?? 'linear')"
    ends = f"{layout}.xaxis.range.map(end => end)"
    before, [_, last] = opened.js(types), opened.js(ends)
    assert [before["xy".index(axis)] for axis in axes] == ["log"] * len(axes)
    for axis in axes:
        chosen(opened, panel, f"{axis} axis", "linear")
    assert opened.js(types) == ["linear", "linear"]
    first, linear_last = opened.js(ends)
    assert first == 0
    assert linear_last == pytest.approx(10**last)
    shown = traces(opened, panel)
    assert opened.js("location.hash").count("linear") == len(axes)
    for axis in axes:
        chosen(opened, panel, f"{axis} axis", "log")
    assert opened.js(types) == before
    for name, (x, y) in traces(opened, panel).items():
        assert (x.tolist(), y.tolist()) == (shown[name][0].tolist(), shown[name][1].tolist())


def test_the_table_shows_the_dispersion_of_runtimes(opened, loaded):
    table = loaded.coco_table([1e1], dimensions=2)
    expected = {
        (algorithm, str(function)): (q10 * art, q90 * art)
        for algorithm, function, q10, q90, art in zip(
            *(table[name] for name in ("algorithm", "function", "q10", "q90", "art")), strict=True
        )
    }
    opened.look_at("art")
    chosen(opened, "art", "target", 10)
    rows = downloaded(opened, "art")
    assert {(row["algorithm"], row["function"]) for row in rows} == set(expected)
    for row in rows:
        ends = np.array([float(row["q10"]), float(row["q90"])])
        q10, q90 = expected[row["algorithm"], row["function"]]
        if np.isfinite(float(row["art"])):
            np.testing.assert_allclose(ends, [q10, q90], rtol=1e-4)
    small = "[...document.querySelectorAll('#art td .dispersion')].map(s => s.textContent)"
    assert any(" … " in text for text in opened.js(small))
    opened.redrawn("art", lambda: opened.click("#art .controls input[type=checkbox]"))
    assert opened.js(f"{small}.length") == 0
