"""A reference in the report: a thick line in profiles, ratios in the table, and their switch."""

from importlib.util import find_spec

import numpy as np
import pytest

import firsthit

from ...command_line import invoke, succeed
from .conftest import data_of, with_data, write_page
from .test_page import column, heads

NAME = "best of 2"
THICK = "document.querySelector('#ecdf .plot').data.filter(t => t.name.startsWith('reference'))"
BOX = "#ecdf .reference input"
SHOW = "#art .controls label:nth-child(2) select"


@pytest.fixture(scope="module")
def best(tmp_path_factory, log_folder):
    """A report with the best of its two algorithms as the reference."""
    file = tmp_path_factory.mktemp("reference") / "best.html"
    succeed("report", log_folder, "-o", file, "--reference", "best")
    return file


@pytest.fixture
def opened(browser, best):
    """That report, open."""
    browser.open(best)
    return browser


def cells(browser, place):
    """Texts of a column of the table of average runtimes, without successes."""
    return [text.split(" ")[0] for text in column(browser, "art", place)]


def test_its_profile_is_a_thick_line_that_can_be_switched_off(opened, loaded):
    table = loaded.ecdf(dimensions=2, reference="best")
    (profile,) = [one for one in table.profiles if one.reference]
    opened.look_at("ecdf")
    [(name, width, x, y)] = opened.js(
        f"{THICK}.map(t => [t.name, t.line.width, [...t.x], [...t.y]])"
    )
    assert name == f"reference: {NAME}"
    assert width > 4
    np.testing.assert_allclose(x[: len(profile.budgets)], profile.budgets, rtol=1e-12)
    np.testing.assert_array_equal(y[: len(profile.budgets)], profile.fraction)
    opened.redrawn("ecdf", lambda: opened.click(BOX))
    assert opened.js(f"{THICK}.length") == 0
    opened.look_at("functions")
    small = "document.querySelector('#functions .plot')"
    opened.wait(f"{small}.data && !{small}.data.some(t => t.name.startsWith('reference'))")
    opened.look_at("ecdf")
    opened.redrawn("ecdf", lambda: opened.click(BOX))
    assert opened.js(f"{THICK}.length") == 1


def test_a_click_on_its_name_switches_it_off(opened):
    opened.look_at("ecdf")
    legend = "[...document.querySelectorAll('#ecdf .legendtoggle')].at(-1)"
    press = f"['mousedown', 'mouseup'].forEach(k => {legend}.dispatchEvent(new MouseEvent(k)))"
    opened.redrawn("ecdf", lambda: opened.js(press))
    assert opened.js(f"{THICK}.length") == 0
    assert opened.js("[...firsthit.hidden]") == []


def test_average_runtimes_are_ratios_to_it(opened, loaded):
    table = loaded.art([1e1], dimensions=2, functions=1, reference="best", interval=0.95)
    opened.look_at("art")
    assert heads(opened, "art") == [
        "function",
        "target",
        f"reference: {NAME}",
        "cma",
        "nelder-mead",
    ]
    assert float(cells(opened, 2)[0]) == pytest.approx(table["reference"][0], rel=1e-3)
    shown = [float(cells(opened, place)[0]) for place in (3, 4)]
    np.testing.assert_allclose(shown, table["ratio"], rtol=0.01)
    opened.redrawn("art", lambda: opened.choose(SHOW, "evaluations"))
    shown = [float(cells(opened, place)[0]) for place in (3, 4)]
    np.testing.assert_allclose(shown, table["art"], rtol=1e-3)
    opened.redrawn("art", lambda: opened.click("#art .reference input"))
    assert opened.js("document.querySelectorAll('#art thead th').length") == 4
    ways = opened.js(f"[...document.querySelector('{SHOW}').options].map(o => o.value)")
    assert ways == ["evaluations", "best", "0", "1"]


def test_an_arrow_marks_what_is_better_than_the_reference(browser, loaded, tmp_path):
    """The upper ends of the ratios' intervals are chosen: below 1, at 1, unknown, and missing."""
    page = loaded.report(reference="nelder-mead").html
    data = data_of(page)
    cells = data["art"]["cells"]
    ends = [0.9, 1.0, None, ""]
    cells["ratio_high"] = [ends[i % len(ends)] for i in range(len(cells["ratio_high"]))]
    browser.open(write_page(with_data(page, data), tmp_path / "arrows.html"))
    browser.look_at("art")
    rows = browser.js("firsthit.rows(firsthit.data.art.cells, firsthit.here)")
    for algorithm in (0, 1):
        high = [row["ratio_high"] for row in rows if row["algorithm"] == algorithm]
        has_arrow = ["↑" in text for text in column(browser, "art", 2 + algorithm)]
        assert has_arrow == [end == 0.9 for end in high]
    assert any(row["ratio_high"] == 0.9 for row in rows)
    browser.redrawn("art", lambda: browser.click("#art .reference input"))
    assert not any("↑" in text for text in column(browser, "art", 2))


def test_what_it_is_is_said(opened):
    opened.look_at("art")
    assert "too large on average" in opened.js(
        "document.querySelector('#art .controls').textContent"
    )
    assert NAME in opened.js("document.querySelector('#answer .how').textContent")
    opened.look_at("ecdf")
    note = "reference (best of 2): smallest aRT of cma, nelder-mead to each target."
    assert note in opened.js("document.querySelector('#ecdf .controls').textContent")
    command = opened.js("document.querySelector('#ecdf code.command').textContent")
    assert "--reference best" in command


def test_without_one_there_is_no_switch(browser, report_file):
    browser.open(report_file)
    for panel in ("ecdf", "art"):
        browser.look_at(panel)
    assert browser.js("document.querySelectorAll('.reference').length") == 0


def test_run_length_targets_are_told_by_their_budgets(browser, log_folder, tmp_path):
    words = {"targets": "runlength:1D,3D,10D", "reference": "best"}
    results = firsthit.load(log_folder)
    browser.open(results.report(**words).save(tmp_path / "budgets.html"))
    table = results.art(**words, dimensions=2)
    browser.look_at("art")
    assert heads(browser, "art")[:3] == ["function", "budget", "target"]
    assert cells(browser, 1)[:3] == ["1D", "3D", "10D"]
    shown = [float(text) for text in cells(browser, 2)[:3]]
    np.testing.assert_allclose(shown, table["target"][:3], rtol=1e-3)
    options = "[...document.querySelector('#art .controls select').options].map(o => o.text)"
    assert browser.js(options) == ["all", "1D", "3D", "10D"]
    command = "document.querySelector('#{} code.command').textContent"
    assert "--targets runlength:1D,3D,10D --reference best" in browser.js(command.format("art"))
    browser.look_at("ecdf")
    assert "--targets 'runlength:1D,3D,10D' " in browser.js(command.format("ecdf"))
    assert browser.js(f"{THICK}.length") == 1
    browser.look_at("scaling")
    assert "--targets runlength:10D --reference best" in browser.js(command.format("scaling"))


def test_an_algorithm_of_the_logs_is_marked_by_its_own_curves(browser, loaded, tmp_path):
    browser.open(loaded.report(reference="cma").save(tmp_path / "own.html"))
    browser.look_at("ecdf")
    [thick] = browser.js(f"{THICK}.map(t => [...t.y])")
    own = "document.querySelector('#ecdf .plot').data.find(t => t.name === 'cma')"
    assert thick == browser.js(f"[...{own}.y]")
    browser.look_at("art")
    numbers = [text for text in cells(browser, 2) if text != "∞"]
    assert set(numbers) == {"1.00"}


def test_average_runtimes_of_a_file_are_a_reference_where_it_has_them(loaded, archive):
    data = data_of(loaded.report(reference=archive).html)
    table = loaded.art(data["art"]["targets"][0], reference=archive)
    found = data["art"]["cells"]["reference"]
    for shown, known in zip(found, table["reference"].tolist(), strict=True):
        expected = (
            "" if np.isnan(known) else None if np.isinf(known) else pytest.approx(known, rel=1e-4)
        )
        assert shown == expected
    assert "" in found
    assert any(isinstance(one, float) for one in found)
    assert data["reference"]["algorithm"] is None


def test_one_that_nobody_knows_is_refused_before_the_work(log_folder, tmp_path):
    done = invoke("report", log_folder, "-o", tmp_path / "never.html", "--reference", "nix")
    assert done.exit_code == 2
    assert "unknown reference 'nix'" in done.stderr
    assert not (tmp_path / "never.html").exists()


@pytest.mark.parametrize(
    ("asked", "budgets"),
    [("runlength:0.5D,3D,10D", [0.5, 3.0, 10.0]), ("runlength", [0.5, 1.2, 3.0, 10.0, 50.0])],
)
def test_the_map_has_the_budgets_of_run_length_targets(loaded, asked, budgets):
    data = data_of(loaded.report(targets=asked, reference="best").html)
    for dimension in (2, 5):
        rows = [row for row in data["standings"] if row["dimension"] == dimension]
        shown = {row["group"]: [] for row in rows}
        for row in rows:
            shown[row["group"]].append(row["budget"])
        assert set(map(tuple, shown.values())) == {tuple(budgets)}


def test_targets_have_three_digits_in_the_table_and_all_digits_in_the_command(
    browser, loaded, tmp_path
):
    browser.open(loaded.report(targets="1e1..1e0/5").save(tmp_path / "digits.html"))
    browser.look_at("art")
    assert cells(browser, 1)[:3] == ["1e1", "6.31e0", "3.98e0"]
    options = "[...document.querySelector('#art .controls select').options].map(o => o.text)"
    assert browser.js(options)[:4] == ["all", "1e1", "6.31e0", "3.98e0"]
    command = browser.js("document.querySelector('#art code.command').textContent")
    assert "--targets 1e1,6.30957" in command


def test_a_page_suggests_the_reference_of_its_suite_where_cocopp_is_installed(loaded):
    is_installed = find_spec("cocopp") is not None
    assert ("--reference best2009-bbob" in loaded.report().html) == is_installed
