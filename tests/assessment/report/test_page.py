"""The report in a real browser: it opens from the disk, asks nobody, and does what it says."""

import csv
import io
import shlex

import numpy as np
import pytest
from click.testing import CliRunner

import firsthit
from firsthit.assessment.report.build import page_of
from firsthit.assessment.report.page import write_report
from firsthit.cli import group

PANELS = ("ecdf", "functions", "art", "scaling", "fixed-budget", "outcomes", "timing")
HOSTILE = (
    "<script>document.title='hacked'</script>",
    "\"'quotes' & <b onmouseover=alert(1)>bold</b>{{ 7*7 }}",
    "שלום עולם",
    "x" * 300,
    "",
)


@pytest.fixture(autouse=True)
def quiet(browser, report_file):
    """Every test begins with the report open, and ends without a complaint of the console."""
    browser.emulate()
    browser.open(report_file)
    yield
    assert browser.console() == []


def traces(browser, panel):
    """Name, x and y of the curves that a panel's first plot shows."""
    found = browser.js(
        f"""[...document.querySelector('#{panel} .plot').data]
        .filter(t => t.showlegend !== false && t.visible === true)
        .map(t => [t.name, [...t.x], [...t.y]])"""
    )
    return {name: (np.array(x), np.array(y)) for name, x, y in found}


def column(browser, panel, place):
    """Texts of one column of a panel's table, as shown."""
    return browser.js(
        f"[...document.querySelectorAll('#{panel} tbody tr')]"
        f".map(row => row.children[{place}].textContent)"
    )


def downloaded(browser, panel):
    """Rows of the CSV that a panel's button saves, caught on its way to the disk."""
    browser.driver.execute_script(
        "window.saved = []; firsthit.download = (file, text) => window.saved.push([file, text]);"
    )
    browser.click(f"#{panel} [data-action=CSV]")
    [(file, text)] = browser.js("window.saved")
    assert file.endswith(".csv")
    return list(csv.DictReader(io.StringIO(text)))


def test_it_opens_from_the_disk_and_asks_nobody(browser, report_file):
    browser.open(report_file)
    for panel in PANELS:
        browser.look_at(panel)
    browser.wait("document.querySelector('#functions .plot').data")
    asked = [url for url in browser.requests() if not url.startswith(("blob:", "data:", "about:"))]
    assert set(asked) <= {report_file.as_uri()}


def test_profiles_are_those_of_assess(browser, log_folder):
    table = firsthit.load(log_folder).ecdf(dimensions=2)
    browser.look_at("ecdf")
    shown = traces(browser, "ecdf")
    assert set(shown) == {"cma", "nelder-mead"}
    for profile in table.profiles:
        x, y = shown[profile.algorithm]
        np.testing.assert_allclose(x, profile.budgets, rtol=1e-12)
        np.testing.assert_array_equal(y, profile.fraction)


def test_average_runtimes_are_those_of_assess(browser, log_folder):
    browser.look_at("art")
    rows = downloaded(browser, "art")
    targets = sorted({float(row["target"]) for row in rows}, reverse=True)
    table = firsthit.load(log_folder).art(dimensions=2, targets=targets)
    key = ("algorithm", "function", "target")
    expected = {
        tuple(str(v) for v in found[:3]): found[3:]
        for found in zip(
            *(table[n].tolist() for n in (*key, "art", "successes", "runs")), strict=True
        )
    }
    assert len(rows) == len(expected) == 2 * 3 * len(targets)
    for row in rows:
        art, successes, runs = expected[
            row["algorithm"], row["function"], str(float(row["target"]))
        ]
        assert float(row["art"]) == art
        assert (int(row["successes"]), int(row["runs"])) == (successes, runs)


def test_scaling_is_art_over_dimension(browser, log_folder):
    browser.look_at("scaling")
    shown = traces(browser, "scaling")
    table = firsthit.load(log_folder).art(functions=1, targets=[1e-8])
    for name, (x, y) in shown.items():
        of = (table["algorithm"] == name) & np.isfinite(table["art"])
        np.testing.assert_array_equal(x, table["dimension"][of])
        np.testing.assert_allclose(y, table["art"][of] / table["dimension"][of], rtol=1e-12)


def test_the_dimension_and_the_functions_are_chosen_at_the_top(browser, log_folder):
    browser.look_at("ecdf")
    browser.redrawn("ecdf", lambda: browser.choose("#dimension", 5))
    table = firsthit.load(log_folder).ecdf(dimensions=5)
    for profile in table.profiles:
        np.testing.assert_array_equal(
            traces(browser, "ecdf")[profile.algorithm][1], profile.fraction
        )
    browser.redrawn("ecdf", lambda: browser.choose("#group", "odd"))
    table = firsthit.load(log_folder).ecdf(dimensions=5, group_by="group")
    for profile in table.profiles:
        if profile.group == "odd":
            shown = traces(browser, "ecdf")[profile.algorithm][1]
            np.testing.assert_array_equal(shown, profile.fraction)
    assert "dimension=5" in browser.js("location.hash")
    assert (
        browser.js("[...document.querySelectorAll('div.answer')].filter(d => !d.hidden).length")
        == 1
    )


def test_a_place_in_the_report_can_be_linked(browser, report_file):
    browser.open(report_file, "#suite=0&dimension=5&group=f002")
    assert browser.js("[dimension.value, group.value]") == ["5", "f002"]


def test_a_click_in_the_legend_hides_an_algorithm_everywhere(browser):
    for panel in ("art", "ecdf"):
        browser.look_at(panel)
    legend = "document.querySelectorAll('#ecdf .legendtoggle')[0]"
    press = f"['mousedown', 'mouseup'].forEach(k => {legend}.dispatchEvent(new MouseEvent(k)))"
    browser.redrawn("ecdf", lambda: browser.js(press))
    assert set(traces(browser, "ecdf")) == {"nelder-mead"}
    browser.look_at("art")
    browser.wait("[...document.querySelectorAll('#art tbody tr')].length === 3")
    assert set(column(browser, "art", 1)) == {"nelder-mead"}
    browser.look_at("ecdf")
    browser.driver.execute_script("window.pressed = performance.now()")
    browser.wait("performance.now() > window.pressed + 400")  # later than that: no double click
    browser.redrawn("ecdf", lambda: browser.js(press))
    assert set(traces(browser, "ecdf")) == {"cma", "nelder-mead"}


def test_algorithms_can_be_hidden_from_the_keyboard(browser):
    browser.look_at("ecdf")
    boxes = "document.querySelectorAll('#algorithms input')"
    assert browser.js(f"[...{boxes}].map(box => box.checked)") == [True, True]
    browser.redrawn("ecdf", lambda: browser.js(f"{boxes}[1].click()"))
    assert set(traces(browser, "ecdf")) == {"cma"}


def test_tables_are_sorted_and_filtered(browser):
    browser.look_at("art")
    names = column(browser, "art", 1)
    browser.click("#art th[data-key=algorithm] button")
    assert column(browser, "art", 1) == sorted(names)
    browser.click("#art th[data-key=algorithm] button")
    assert column(browser, "art", 1) == sorted(names, reverse=True)
    assert (
        browser.js("document.querySelector('#art th[data-key=algorithm]').ariaSort") == "descending"
    )
    browser.driver.execute_script(
        "const box = document.querySelector('#art input[type=search]');"
        "box.value = 'f2 CMA'; box.dispatchEvent(new Event('input'));"
    )
    assert len(column(browser, "art", 1)) == 1


def test_numbers_sort_as_numbers_and_the_unreached_last(browser):
    browser.look_at("art")
    browser.click("#art thead th:nth-child(4) button")
    values = [text.split(" ")[0] for text in column(browser, "art", 3)]
    numbers = [float("inf") if text == "∞" else float(text) for text in values]
    assert numbers == sorted(numbers)


def test_the_price_of_an_evaluation_changes_who_is_first(browser, log_folder):
    """With optimizers made slow and fast in the data, the ranking turns as computed by hand."""
    browser.look_at("timing")
    browser.driver.execute_script(
        "firsthit.data.timing.optimizer_seconds ="
        " firsthit.data.timing.algorithm.map(a => a === 0 ? 1e-6 : 10);"
    )

    def price(exponent):
        browser.driver.execute_script(
            "cost.value = arguments[0]; cost.dispatchEvent(new Event('input'));", exponent
        )

    browser.redrawn("timing", lambda: price(-7))
    profiles = {p.algorithm: p for p in firsthit.load(log_folder).ecdf(dimensions=2).profiles}

    def half(name):
        profile = profiles[name]
        return profile.budgets[np.argmax(profile.fraction >= 0.5)] * 2

    by_hand = {}
    for exponent, cost in ((-7, 0.0), (4, 1e4)):
        seconds = {
            "cma": half("cma") * (1e-6 + cost),
            "nelder-mead": half("nelder-mead") * (10 + cost),
        }
        by_hand[exponent] = sorted(seconds, key=seconds.get)
    assert column(browser, "timing", 1) == by_hand[-7] == ["cma", "nelder-mead"]
    browser.redrawn("timing", lambda: price(4))
    assert column(browser, "timing", 1) == by_hand[4]
    assert browser.js("document.querySelector('#cost-text').textContent") == "2.8 h"


def test_csv_holds_what_the_figure_shows(browser):
    browser.look_at("ecdf")
    rows = downloaded(browser, "ecdf")
    for name, (x, y) in traces(browser, "ecdf").items():
        of = [row for row in rows if row["algorithm"] == name]
        assert [float(row["evaluations_per_dimension"]) for row in of] == x.tolist()
        assert [float(row["fraction"]) for row in of] == y.tolist()


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_gives_its_numbers_and_its_command(browser, panel):
    browser.look_at(panel)
    assert downloaded(browser, panel)
    browser.click(f"#{panel} [data-action=command]")
    assert browser.js(f"document.querySelector('#{panel} code.command').textContent").startswith(
        "firsthit "
    )


def test_pictures_are_made_in_the_page(browser):
    browser.look_at("ecdf")
    picture = browser.driver.execute_async_script(
        "const done = arguments[0];"
        "firsthit.plotly().then(p => p.toImage(document.querySelector('#ecdf .plot'),"
        " {format: 'svg'})).then(done);"
    )
    assert picture.startswith("data:image/svg+xml")
    assert "nelder-mead" in picture


def test_panels_are_drawn_when_they_are_looked_at(browser):
    assert browser.js("document.getElementById('timing').dataset.drawn") is None
    browser.look_at("timing")
    assert browser.js("document.getElementById('timing').dataset.drawn") == "1"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_screens_and_themes(browser, report_file, width, theme):
    browser.emulate(width, theme)
    browser.open(report_file)
    for panel in PANELS:
        browser.look_at(panel)
    assert browser.js("document.documentElement.dataset.theme") == theme
    assert browser.js("document.documentElement.scrollWidth") <= width
    light = browser.js("getComputedStyle(document.body).backgroundColor")
    assert light == {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 20, 24)"}[theme]


def test_every_control_has_a_name_for_screen_readers(browser):
    for panel in PANELS:
        browser.look_at(panel)
    nameless = browser.js(
        """[...document.querySelectorAll('main select, main input, main button, #choices select')]
        .filter(e => !(e.ariaLabel || e.textContent.trim() ||
                       e.closest('label')?.textContent.trim()))
        .map(e => e.outerHTML)"""
    )
    assert nameless == []
    assert (
        browser.js("document.querySelectorAll('section[aria-labelledby]').length")
        == len(PANELS) + 2
    )


def test_hostile_names_are_text(browser, log_folder, tmp_path):
    page = page_of(
        firsthit.load(log_folder).log, "</title><script>document.title='hacked'</script>", 1
    )
    names = page.data["algorithms"]
    for hostile in HOSTILE:
        names[0] = hostile
        reason = {"algorithm": 0, "suite": 0, "dimension": 2, "kind": hostile, "text": hostile}
        page.data["reasons"].update({key: [value] for key, value in {**reason, "count": 3}.items()})
        page.data["suites"][0]["functions"][0]["name"] = hostile
        sentences = [{**part, "sentences": [hostile]} for part in page.answer]
        header = {"title": hostile, "content": {"note": hostile, "end": "</script>"}}
        changed = {"answer": sentences, "warnings": [hostile], "headers": [header]}
        browser.open(
            write_report(type(page)(**{**vars(page), **changed}), tmp_path / "hostile.html")
        )
        for panel in PANELS:
            browser.look_at(panel)
        shown = hostile or "(no name)"
        assert browser.js("document.title").startswith("</title>")
        assert browser.js("document.querySelectorAll('b, script:not([id])').length") <= 1 + 1
        cells = column(browser, "art", 1)
        assert (shown if len(shown) <= 60 else shown[:59] + "…") in cells
        text = browser.js("document.querySelector('#ecdf .legendtext').textContent")
        assert text == (shown if len(shown) <= 40 else shown[:39] + "…")
        assert browser.js("document.querySelector('div.answer li').textContent") == hostile
        assert downloaded(browser, "art")[0]["algorithm"].lstrip("'") == shown.lstrip("'")


def test_stars_and_intervals_stand_beside_averages(browser, log_folder):
    browser.look_at("art")
    rows = downloaded(browser, "art")
    targets = sorted({float(row["target"]) for row in rows}, reverse=True)
    table = firsthit.load(log_folder).art(dimensions=2, targets=targets, interval=0.95)
    highs = [
        float("inf") if open_ended else high
        for open_ended, high in zip(table["at_least"], table["high"].tolist(), strict=True)
    ]
    for row, low, high in zip(rows, table["low"].tolist(), highs, strict=True):
        assert float(row["low"]) == pytest.approx(low, rel=1e-4)
        assert float(row["high"]) == pytest.approx(high, rel=1e-4)
    starred = browser.js("firsthit.data.art.cells.star.filter(Boolean).length")
    shown = browser.js(
        "[...document.querySelectorAll('#art td')].filter(d => d.textContent.includes('★')).length"
    )
    here = browser.js(
        "firsthit.rows(firsthit.data.art.cells, r => firsthit.here(r) && r.star).length"
    )
    assert shown == here <= starred


@pytest.mark.parametrize("panel", PANELS)
def test_the_command_of_a_panel_runs(browser, panel):
    browser.look_at(panel)
    browser.redrawn(panel, lambda: browser.choose("#group", "odd"))
    browser.look_at(panel)
    command = browser.js(f"document.querySelector('#{panel} code.command').textContent")
    name, *arguments = shlex.split(command)
    assert name == "firsthit"
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 0, f"{command}: {done.output} {done.exception}"
    assert "cma" in done.output
