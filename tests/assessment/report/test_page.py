"""The report in a real browser: it opens from the disk, asks nobody, and does what it says."""

import csv
import io
import json
import re
import shlex

import numpy as np
import pytest

import firsthit

from ...command_line import succeed
from .conftest import data_of, warnings_of, with_data, write_page

PANELS = (
    "answer", "ecdf", "forest", "dimensions", "functions", "art", "scaling", "scaling-functions",
    "convergence", "outcomes", "runs", "timing",
)  # fmt: skip
HOSTILE = (
    "<script>document.title='hacked'</script>",
    "\"'quotes' & <b onmouseover=alert(1)>bold</b>{{ 7*7 }}",
    "שלום עולם",
    "x" * 300,
    "",
)


def traces(browser, panel):
    """Name, x and y of the curves that a panel's first plot shows."""
    found = browser.js(
        f"""[...document.querySelector('#{panel} .plot').data]
        .filter(t => t.showlegend !== false && t.visible === true)
        .map(t => [t.name, [...t.x], [...t.y]])"""
    )
    return {name: (np.array(x), np.array(y)) for name, x, y in found}


def profiles(browser, panel="ecdf"):
    """As `traces`, without the last point, which draws a curve on to the end of the axis."""
    shown = traces(browser, panel)
    for _, y in shown.values():
        assert y[-1] == y[-2]
    return {name: (x[:-1], y[:-1]) for name, (x, y) in shown.items()}


def texts(browser, selector):
    """What stands in all that a selector finds."""
    return browser.js(
        "[...document.querySelectorAll(arguments[0])].map(one => one.textContent)", selector
    )


def column(browser, panel, place):
    """Texts of one column of a panel's table, as shown."""
    return texts(browser, f"#{panel} tbody tr > :nth-child({place + 1})")


def heads(browser, panel):
    """Titles of the columns of a panel's table."""
    return texts(browser, f"#{panel} thead th")


def downloaded(browser, panel):
    """Rows of the CSV that a panel's button saves, caught on its way to the disk."""
    browser.driver.execute_script(
        "window.saved = []; firsthit.download = (file, text) => window.saved.push([file, text]);"
    )
    browser.click(f"#{panel} [data-action=CSV]")
    [(file, text)] = browser.js("window.saved")
    assert file.endswith(".csv")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.slow
def test_it_opens_from_the_disk_and_asks_nobody(chromium, report_file):
    chromium.emulate()
    chromium.open(report_file)
    for panel in PANELS:
        chromium.look_at(panel)
    chromium.wait("document.querySelector('#functions .plot').data")
    asked = [url for url in chromium.requests() if not url.startswith(("blob:", "data:", "about:"))]
    assert set(asked) <= {report_file.as_uri()}
    assert chromium.console() == []


def test_profiles_and_their_csv_are_those_of_assess(opened, loaded):
    table = loaded.ecdf(dimensions=2)
    opened.look_at("ecdf")
    shown, rows = profiles(opened), downloaded(opened, "ecdf")
    assert set(shown) == {"cma", "nelder-mead"}
    for profile in table.profiles:
        x, y = shown[profile.algorithm]
        np.testing.assert_allclose(x, profile.budgets, rtol=1e-12)
        np.testing.assert_array_equal(y, profile.fraction)
        of = [row for row in rows if row["algorithm"] == profile.algorithm]
        assert [float(row["evaluations_per_dimension"]) for row in of] == x.tolist()
        assert [float(row["fraction"]) for row in of] == y.tolist()


def test_average_runtimes_their_intervals_and_stars_are_those_of_assess(opened, loaded):
    opened.look_at("art")
    rows = downloaded(opened, "art")
    targets = sorted({float(row["target"]) for row in rows}, reverse=True)
    table = loaded.art(dimensions=2, targets=targets, interval=0.95)
    assert len(rows) == len(table) == 2 * 3 * len(targets)
    highs = np.where(table["at_least"], np.inf, table["high"])
    for place, row in enumerate(rows):
        for name in ("algorithm", "function", "successes", "runs"):
            assert row[name] == str(table[name][place])
        for name in ("target", "art"):
            assert float(row[name]) == table[name][place]
        assert float(row["low"]) == pytest.approx(table["low"][place], rel=1e-4)
        assert float(row["high"]) == pytest.approx(highs[place], rel=1e-4)
    stars = "[...document.querySelectorAll('#art td')].filter(d => d.textContent.includes('★'))"
    here = "firsthit.rows(firsthit.data.art.cells, r => firsthit.here(r) && r.star).length"
    assert opened.js(f"{stars}.length") == opened.js(here)


def test_the_dimension_and_the_functions_are_chosen_at_the_top(opened, loaded):
    opened.look_at("ecdf")
    opened.redrawn("ecdf", lambda: opened.choose("#dimension", 5))
    table = loaded.ecdf(dimensions=5)
    for profile in table.profiles:
        np.testing.assert_array_equal(profiles(opened)[profile.algorithm][1], profile.fraction)
    opened.redrawn("ecdf", lambda: opened.choose("#group", "odd"))
    table = loaded.ecdf(dimensions=5, group_by="group")
    for profile in table.profiles:
        if profile.group == "odd":
            shown = profiles(opened)[profile.algorithm][1]
            np.testing.assert_array_equal(shown, profile.fraction)
    assert "dimension=5" in opened.js("location.hash")
    assert (
        opened.js("[...document.querySelectorAll('div.answer')].filter(d => !d.hidden).length") == 1
    )


def test_a_link_shows_what_one_saw(browser, report_file):
    """Hidden algorithms, choices of panels and the theme; what makes no sense changes nothing."""
    state = (
        "[...firsthit.hidden].concat(firsthit.panels.find(p => p.id === 'convergence').function)"
    )
    browser.open(report_file, "#suite=0&dimension=5&group=f002")
    assert browser.js("[dimension.value, group.value]") == ["5", "f002"]
    browser.look_at("convergence")
    browser.redrawn("convergence", lambda: browser.choose("#convergence select", 2))
    browser.redrawn("convergence", lambda: browser.js("firsthit.toggle(1)"))
    browser.click("#theme")
    theme = browser.js("document.documentElement.dataset.theme")
    browser.wait(f"location.hash.includes('theme={theme}')")
    link = browser.js("location.hash")
    browser.open(report_file, "#hidden=9,x&convergence.function={&convergence.bands=7&theme=red")
    browser.look_at("convergence")
    assert browser.js("[firsthit.hidden.size, firsthit.panels[0].id !== '']") == [0, True]
    assert browser.js(state) != [1, 2]
    browser.open(report_file, link)
    browser.look_at("convergence")
    assert browser.js(state) == [1, 2]
    assert browser.js("document.documentElement.dataset.theme") == theme


def test_a_click_in_the_legend_hides_an_algorithm_everywhere(opened):
    for panel in ("art", "ecdf"):
        opened.look_at(panel)
    legend = "document.querySelectorAll('#ecdf .legendtoggle')[0]"
    press = f"['mousedown', 'mouseup'].forEach(k => {legend}.dispatchEvent(new MouseEvent(k)))"
    opened.redrawn("ecdf", lambda: opened.js(press))
    assert set(traces(opened, "ecdf")) == {"nelder-mead"}
    opened.look_at("art")
    opened.wait("document.querySelectorAll('#art thead th').length === 3")
    assert heads(opened, "art") == ["function", "target", "nelder-mead"]
    opened.look_at("ecdf")
    opened.driver.execute_script("window.pressed = performance.now()")
    opened.wait("performance.now() > window.pressed + 400")  # later than that: no double click
    opened.redrawn("ecdf", lambda: opened.js(press))
    assert set(traces(opened, "ecdf")) == {"cma", "nelder-mead"}


def test_algorithms_can_be_hidden_from_the_keyboard(opened):
    opened.look_at("ecdf")
    boxes = "document.querySelectorAll('#algorithms input')"
    assert opened.js(f"[...{boxes}].map(box => box.checked)") == [True, True]
    opened.redrawn("ecdf", lambda: opened.js(f"{boxes}[1].click()"))
    assert set(traces(opened, "ecdf")) == {"cma"}


def test_tables_are_sorted_and_filtered(opened):
    opened.look_at("outcomes")
    names = column(opened, "outcomes", 0)[:2]
    assert names == ["cma", "nelder-mead"]
    for order, way in ((names, "ascending"), (names[::-1], "descending")):
        opened.click("#outcomes th[data-key=algorithm] button")
        assert column(opened, "outcomes", 0)[:2] == order
        head = "document.querySelector('#outcomes th[data-key=algorithm]')"
        assert opened.js(f"{head}.ariaSort") == way
    opened.look_at("art")
    rows = len(column(opened, "art", 1))
    opened.driver.execute_script(
        "const box = document.querySelector('#art input[type=search]');"
        "box.value = 'f2 1e-8'; box.dispatchEvent(new Event('input'));"
    )
    assert len(column(opened, "art", 1)) == 1 < rows


def test_average_runtimes_stand_side_by_side_grouped_by_function(opened, log_folder):
    opened.look_at("art")
    assert heads(opened, "art") == ["function", "target", "cma", "nelder-mead"]
    functions, targets = column(opened, "art", 0), column(opened, "art", 1)
    assert functions == sorted(functions)
    shown = "[...document.querySelectorAll('#art tbody th')].filter(h => !h.matches('.repeated'))"
    assert opened.js(f"{shown}.length") == len(set(functions)) == 3
    opened.redrawn("art", lambda: opened.choose("#art .controls select", "0.1"))
    assert set(column(opened, "art", 1)) == {"1e-1"} < set(targets)


def test_average_runtimes_are_shown_as_ratios_to_what_is_chosen(opened, loaded):
    table = loaded.art(dimensions=2, functions=1, targets=[1e1])
    cma, other = table["art"].tolist()
    for shown, by_hand in (("best", min(cma, other)), ("0", cma)):
        choice = "#art .controls label:nth-child(2) select"
        opened.look_at("art")
        opened.redrawn("art", lambda choice=choice, shown=shown: opened.choose(choice, shown))
        expected = [cma / by_hand, other / by_hand]
        found = [float(column(opened, "art", place)[0].split(" ")[0]) for place in (2, 3)]
        np.testing.assert_allclose(found, expected, rtol=0.01)


def test_numbers_sort_as_numbers_and_the_unreached_last(opened):
    opened.look_at("art")
    opened.click("#art thead th:nth-child(3) button")
    values = [text.split(" ")[0] for text in column(opened, "art", 2)]
    numbers = [float("inf") if text == "∞" else float(text) for text in values]
    assert numbers == sorted(numbers)


def test_the_price_of_an_evaluation_changes_who_is_first(opened, loaded):
    """With optimizers made slow and fast in the data, the ranking turns as computed by hand."""
    opened.look_at("timing")
    opened.driver.execute_script(
        "firsthit.data.timing.optimizer_seconds ="
        " firsthit.data.timing.algorithm.map(a => a === 0 ? 1e-6 : 10);"
    )

    def price(exponent):
        opened.driver.execute_script(
            "cost.value = arguments[0]; cost.dispatchEvent(new Event('input'));", exponent
        )

    opened.redrawn("timing", lambda: price(-7))
    profiles = {p.algorithm: p for p in loaded.ecdf(dimensions=2).profiles}

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
    assert column(opened, "timing", 1) == by_hand[-7] == ["cma", "nelder-mead"]
    opened.redrawn("timing", lambda: price(4))
    assert column(opened, "timing", 1) == by_hand[4]
    assert opened.js("document.querySelector('#cost-text').textContent") == "2.8 h"


def test_the_first_screen_says_who_leads(opened, loaded):
    """The map holds the shares of `assess ecdf` for single runs, and a click shows them."""
    table = loaded.ecdf(dimensions=2, runtimes="runs")
    top = "document.querySelector('#answer .map').getBoundingClientRect().top"
    opened.driver.execute_script("window.scrollTo({top: 0, behavior: 'instant'})")
    assert 0 < opened.js(top) < 400
    cells = "document.querySelectorAll('#answer .cell')"
    own = "firsthit.data.standings.filter(one => one.dimension === 2).map(one => one.budget)"
    budgets = opened.js(f"[...new Set({own})]")
    rows = opened.js("document.querySelectorAll('#answer .map tbody tr').length")
    assert opened.js(f"{cells}.length") == len(budgets) * rows
    for place, budget in enumerate(budgets):
        opened.redrawn("answer", lambda place=place: opened.js(f"{cells}[{place}].click()"))
        assert opened.js(f"{cells}[{place}].ariaPressed") == "true"
        shown = dict(
            opened.js(
                "[...document.querySelectorAll('#answer .places li')].map(one =>"
                " [one.querySelector('.who').textContent, one.querySelector('.share').textContent])"
            )
        )
        if budget in (10, 100, 1000):  # where curves have a step; others lie between two
            at = {p.algorithm: p.at(budget * (1 + 1e-9)) for p in table.profiles}
            assert shown == {name: f"{100 * share:.1f} %" for name, share in at.items()}


def test_the_evidence_of_a_lead_is_the_profiles_of_its_functions(opened):
    opened.look_at("ecdf")
    rows = "[...document.querySelectorAll('#answer .map tbody tr')]"
    odd = f"{rows}.find(row => row.textContent.startsWith('odd'))"
    opened.redrawn("answer", lambda: opened.js(f"{odd}.querySelector('.cell').click()"))
    opened.redrawn("ecdf", lambda: opened.click("#answer .primary"))
    assert opened.js("group.value") == "odd"
    assert opened.js("document.querySelector('#ecdf .plot').layout.shapes[0].x0") == 10
    opened.redrawn("ecdf", lambda: opened.click("#ecdf .controls button"))
    assert opened.js("document.querySelector('#ecdf .plot').layout.shapes.length") == 0


def test_bands_are_drawn_of_at_most_four_algorithms(browser, loaded, tmp_path):
    page = loaded.report().html
    data = data_of(page)
    curves = data["ecdf"]["curves"]
    data["algorithms"].extend(f"copy {i}" for i in range(3))
    data["labels"].extend(data["algorithms"][2:])
    data["styles"].extend(data["styles"][:1] * 3)
    first = [one for one in curves if one["group"] == "all" and one["algorithm"] == 0]
    curves.extend({**one, "algorithm": 2 + i} for i in range(3) for one in first)
    browser.open(write_page(with_data(page, data), tmp_path / "many.html"))
    browser.look_at("ecdf")
    bands = "document.querySelector('#ecdf .plot').data.filter(t => t.fill === 'toself')"
    assert browser.js(f"{bands}.length") == 0
    assert browser.js("document.querySelector('#ecdf .controls input').disabled")
    browser.redrawn("ecdf", lambda: browser.js("firsthit.toggle(4)"))
    assert browser.js(f"{bands}.filter(t => t.visible === true).length") == 4
    browser.redrawn("ecdf", lambda: browser.click("#ecdf .controls input"))
    assert browser.js(f"{bands}.length") == 0


def hover(browser, panel, curve):
    """Move the mouse over a curve of a panel's first plot where no other is near; what it shows."""
    browser.look_at(panel)
    place = browser.js(
        """((plot, name) => {
            plot.scrollIntoView({behavior: 'instant', block: 'center'});
            const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
            const points = (t) => [...t.x].map((x, i) => [xaxis.d2p(x), yaxis.d2p(t.y[i])])
                .filter(([x, y]) => x > 5 && x < xaxis._length - 5)
                .map(([x, y]) => [box.left + xaxis._offset + x, box.top + yaxis._offset + y]);
            const others = plot.data.filter(t => t.name !== name).flatMap(points);
            const gap = ([x, y]) => Math.min(...others.map(([u, v]) => Math.hypot(x - u, y - v)));
            return points(plot.data.find(t => t.name === name)).sort((a, b) => gap(b) - gap(a))[0];
        })(document.querySelector(`#${arguments[0]} .plot`), arguments[1])""",
        panel, curve,
    )  # fmt: skip
    move = {"type": "mouseMoved", "x": place[0], "y": place[1]}
    browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", move)
    browser.wait(f"document.querySelector('#{panel} .hoverlayer .hovertext')")
    return browser.js(f"document.querySelector('#{panel} .hoverlayer').textContent")


def test_a_grey_curve_behind_is_named_when_the_mouse_is_over_it(browser, log_folder, tmp_path):
    file, behind = tmp_path / "report.html", log_folder / "nelder-mead.h5"
    succeed("report", log_folder / "cma.h5", "-o", file, "--background", behind)
    browser.open(file)
    for panel in ("ecdf", "functions"):
        shown = hover(browser, panel, "nelder-mead")
        assert re.match(r"nelder-mead\d\.\d{3} within \d.* · D", shown)
    controls = browser.js("document.getElementById('ecdf').innerText")
    assert "Thin and grey: 1 other algorithm; the mouse shows their names." in controls


def test_names_stand_in_the_order_of_the_ends(opened):
    opened.look_at("ecdf")
    ends = [y[-1] for _, y in traces(opened, "ecdf").values()]
    assert ends == sorted(ends, reverse=True)


def test_profiles_have_one_range_of_budgets(opened):
    opened.look_at("functions")
    plots = "[...document.querySelectorAll('#functions .plot')]"
    opened.wait(f"(window.scrollBy(0, 400), {plots}.every(plot => plot.layout))")
    ranges = opened.js(f"{plots}.map(plot => plot.layout.xaxis.range.join())")
    opened.look_at("ecdf")
    ranges += opened.js("[document.querySelector('#ecdf .plot').layout.xaxis.range.join()]")
    assert len(set(ranges)) == 1
    titles = opened.js(f"{plots}.map(p => p.layout.xaxis.title.text + p.layout.yaxis.title.text)")
    assert set(titles) == {"evaluations / dimensionshare of pairs"}


def test_unequal_sets_are_marked_and_choices_are_said(browser, tmp_path):
    rng = np.random.default_rng(1)
    for name, functions in (("a", "1-3"), ("b", "1")):
        with firsthit.Observer(tmp_path / f"{name}.h5", algorithm=name) as observer:
            for problem in observer(firsthit.Suite("bbob", functions, dimensions=2, instances=1)):
                problem(rng.uniform(-4, 4, (40, 2)))
    results = firsthit.load(tmp_path / "*.h5")
    browser.open(results.report(unequal=True).save(tmp_path / "u.html"))
    browser.look_at("art")
    assert heads(browser, "art") == ["function", "target", "a", "b *"]
    browser.look_at("ecdf")
    assert set(traces(browser, "ecdf")) == {"a", "b *"}
    choices = browser.js("document.querySelector('#answer .how').textContent")
    for said in ("--unequal", "--targets", "--count", "all runs of each algorithm", "51 targets"):
        assert said in choices
    joined = results.report().html
    assert [one for one in data_of(joined)["ecdf"]["curves"] if one["partial"]] == []
    assert any("without counterpart of a:" in note for note in warnings_of(joined))


def test_tables_and_profiles_say_what_they_rest_on(loaded, opened):
    """As `assess` does: runs, instances, counts, for whom intervals hold, what is biased."""
    data = data_of(loaded.report().html)
    profiles = loaded.ecdf(interval=0.95).notes
    assert "(instances 1-3); runtimes with restarts" in profiles[0]
    assert profiles[0] in data["ecdf"]["basis"]
    assert any("pointwise 95 % (seed 1)" in note for note in data["art"]["basis"])
    for panel in ("art", "ecdf"):
        opened.look_at(panel)
        text = opened.js(f"document.querySelector('#{panel} details.basis').textContent")
        assert "notes on these numbers" in text
        assert "(instances 1-3); " in text


def test_different_instances_are_named_with_the_answer(tmp_path):
    rng = np.random.default_rng(1)
    for name, instances in (("a", "1-2"), ("b", "7-8")):
        with firsthit.Observer(tmp_path / f"{name}.h5", algorithm=name) as observer:
            for problem in observer(firsthit.Suite("bbob", 1, dimensions=2, instances=instances)):
                problem(rng.uniform(-4, 4, (40, 2)))
    page = firsthit.load(tmp_path / "*.h5").report().html
    assert any("(a on 1, 2, b on 7, 8)" in note for note in warnings_of(page))


def test_convergence_counts_what_is_asked_for(tmp_path):
    """One evaluation of the constraint beside each of the objective: twice as many in all."""
    with firsthit.Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for problem in observer(firsthit.Suite("bbob-constrained", 1, dimensions=2, instances=1)):
            x = problem.initial_solution
            for k in range(40):
                problem.constraint(x * 0.9**k)
                problem(x * 0.9**k)
    results = firsthit.load(tmp_path / "a.h5")
    for count in ("f", "f+g"):
        [curve] = data_of(results.report(count=count).html)["convergence"]
        known = [b for b in (1.0, 10.0) if b in curve["budget"]]
        asked = [f"{b}*D" for b in known]
        expected = results.fixed_budget(asked, count=count)["median"].tolist()
        shown = [curve["median"][curve["budget"].index(b)] for b in known]
        assert shown == pytest.approx(expected, rel=1e-4)


def test_a_report_on_some_algorithms(log_folder, tmp_path):
    words = [log_folder, "-o", tmp_path / "a.html", "--algorithms", "cma"]
    succeed("report", *words)
    page = (tmp_path / "a.html").read_text()
    assert "1 algorithm (cma) on bbob" in page


def test_an_algorithm_keeps_its_colour_where_another_is_left_out(opened, log_folder, tmp_path):
    def colours():
        opened.look_at("ecdf")
        shown = "document.querySelector('#ecdf .plot').data.filter(t => t.showlegend !== false)"
        return dict(opened.js(f"{shown}.map(trace => [trace.name, trace.line.color])"))

    both = colours()
    succeed("report", log_folder, "-o", tmp_path / "one.html", "--algorithms", "nelder-mead")
    opened.open(tmp_path / "one.html")
    assert colours() == {"nelder-mead": both["nelder-mead"]}


def test_axes_end_where_the_data_end(opened):
    opened.look_at("convergence")
    plot = "document.querySelector('#convergence .plot')"
    low, high = opened.js(f"{plot}.layout.xaxis.range")
    drawn = "trace => trace.x.filter((x, i) => trace.y[i] !== null)"
    budgets = np.log10(opened.js(f"{plot}.data.flatMap({drawn})"))
    assert (low, high) == pytest.approx((budgets.min(), budgets.max()))
    bottom, top = opened.js(f"{plot}.layout.yaxis.range")
    heights = np.log10(opened.js(f"{plot}.data.flatMap(trace => trace.y.filter(y => y !== null))"))
    assert bottom <= heights.min()
    assert heights.max() <= top


def test_names_fit_into_the_heads_of_columns(browser, loaded, tmp_path):
    page = loaded.report().html
    data = data_of(page)
    data["algorithms"][:] = ["scipy:L-BFGS-B", "CMA-ES with a population of forty and a long name"]
    browser.open(write_page(with_data(page, data), tmp_path / "names.html"))
    browser.look_at("art")
    heads = "[...document.querySelectorAll('#art th')]"
    clipped = f"{heads}.filter(head => head.scrollWidth > head.clientWidth)"
    assert browser.js(f"{clipped}.map(head => head.innerText)") == []


def test_a_table_of_twelve_algorithms_is_no_wider_than_the_page(browser, tmp_path):
    names = ["random-search", "differential", "nsga2-pymoo-population-100-with-a-long-name-12"]
    algorithms = {f"{name}-{i}": "random-search" for i in range(4) for name in names}
    problems = firsthit.Suite("bbob", functions=1, dimensions=2, instances=[1, 2, 3])
    results = firsthit.benchmark(algorithms, problems, budget=2000, progress=False)
    browser.open(results.report().save(tmp_path / "twelve.html"))
    browser.look_at("art")
    assert browser.js("document.querySelectorAll('#art th[data-key]').length") == 14
    width, room = browser.js(
        "(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])"
        "(document.querySelector('#art .scroll'))"
    )
    assert width <= room


def test_targets_and_count_are_chosen_when_it_is_made(loaded):
    page = loaded.report([1e1, 1e-2], count="f").html
    data = data_of(page)
    assert data["art"]["targets"] == [[1e1, 1e-2]]
    assert re.search(r">what counts</th><td>[^<]*objective alone", page)
    assert {one["pairs"] for one in data["ecdf"]["curves"] if one["group"] == "f001"} == {2}


def test_panels_are_drawn_when_they_are_looked_at(opened):
    assert opened.js("document.getElementById('timing').dataset.drawn") is None
    opened.look_at("timing")
    assert opened.js("document.getElementById('timing').dataset.drawn") == "1"


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_it_fits_screens_and_themes(browser, report_file, width, theme):
    browser.emulate(width, theme)
    browser.open(report_file)
    for panel in PANELS:
        browser.look_at(panel)
    assert browser.js("document.documentElement.dataset.theme") == theme
    assert browser.js("document.documentElement.scrollWidth") <= width
    light = browser.js("getComputedStyle(document.body).backgroundColor")
    assert light == {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 20, 24)"}[theme]


def test_paper_is_white(browser, report_file):
    """Figures are drawn for the light theme when the page is printed, and anew afterwards."""
    browser.emulate(theme="dark")
    browser.open(report_file)
    browser.look_at("ecdf")
    ink = "document.querySelector('#ecdf .plot').layout.font.color"
    assert browser.js(ink) == "#e6edf3"
    for event, colour in (("beforeprint", "#1b1f24"), ("afterprint", "#e6edf3")):
        browser.js(f"window.dispatchEvent(new Event('{event}'))")
        browser.wait(f"{ink} === '{colour}'")
    assert browser.js("document.documentElement.dataset.theme") == "dark"


def test_what_prints_is_everything_and_as_wide_as_paper(opened):
    opened.look_at("ecdf")
    widths = "[...document.querySelectorAll('.plot')].map(p => p._fullLayout?.width ?? 0)"
    names = "document.querySelectorAll('#ecdf .names button').length"
    assert (max(opened.js(widths)) > 900, opened.js(names)) == (True, 0)
    opened.js("window.dispatchEvent(new Event('beforeprint'))")
    opened.wait(f"{widths}.every(w => 0 < w && w <= 650)")
    opened.wait(f"{names} === 2")
    assert opened.js("document.querySelectorAll('#functions .plot').length") == 3
    opened.js("window.dispatchEvent(new Event('afterprint'))")
    opened.look_at("ecdf")
    opened.wait("document.querySelector('#ecdf .plot')._fullLayout.width > 900")
    opened.wait(f"{names} === 0")


def test_every_control_has_a_name_for_screen_readers(opened):
    for panel in PANELS:
        opened.look_at(panel)
    nameless = opened.js(
        """[...document.querySelectorAll('main select, main input, main button, #choices select')]
        .filter(e => !(e.ariaLabel || e.textContent.trim() ||
                       e.closest('label')?.textContent.trim()))
        .map(e => e.outerHTML)"""
    )
    assert nameless == []
    assert (
        opened.js("document.querySelectorAll('section[aria-labelledby]').length") == len(PANELS) + 1
    )


def test_hostile_names_are_text(browser, tmp_path):
    """Of as many algorithms and functions as there are hostile texts.

    No algorithm of a log can have the last two names; they are in the data of the page alone.
    """
    few = {"dimensions": 2, "instances": 1, "budget": 40, "progress": False}
    for place, name in enumerate((*HOSTILE[:3], "a", "b")):
        functions = range(1, len(HOSTILE) + 1 + place % 2)
        file = tmp_path / f"{place}.h5"
        firsthit.benchmark({name: "random-search"}, "bbob", functions=functions, output=file, **few)
    results = firsthit.load(tmp_path)
    page = results.report(title="</title><script>document.title='hacked'</script>").html
    data = data_of(page)
    shown = [hostile or "(no name)" for hostile in HOSTILE]

    def cut(length):
        return [name if len(name) <= length else name[: length - 1] + "…" for name in shown]

    data["algorithms"][:] = HOSTILE
    data["labels"][:] = cut(40)
    data["partial"].clear()  # no * behind names
    for number, hostile in enumerate(HOSTILE):
        reason = {"algorithm": number, "suite": 0, "dimension": 2, "kind": hostile, "text": hostile}
        for key, value in {**reason, "count": 3}.items():
            data["reasons"].setdefault(key, []).append(value)
        data["suites"][0]["functions"][number]["name"] = hostile
    browser.open(write_page(with_data(page, data), tmp_path / "hostile.html"))
    for panel in PANELS:
        browser.look_at(panel)
    assert browser.js("document.title").startswith("</title>")
    assert browser.js("document.querySelectorAll('b, script:not([id])').length") <= 1 + 1
    assert set(cut(40)) <= set(heads(browser, "art"))
    assert set(texts(browser, "#ecdf .legendtext")) == set(cut(40))
    for selector in ("div.answer p", "#provenance pre"):
        said = " ".join(texts(browser, selector))
        for name in HOSTILE[:3]:
            assert name in said or json.dumps(name, ensure_ascii=False) in said
    [note] = [note for note in texts(browser, "p.note") if "without counterpart of" in note]
    assert HOSTILE[1] in note
    saved = {row["algorithm"].lstrip("'") for row in downloaded(browser, "art")}
    assert saved == {name.lstrip("'") for name in shown}


def test_every_panel_gives_its_numbers_and_a_command_that_runs(opened):
    for panel in PANELS:
        opened.look_at(panel)
        assert downloaded(opened, panel), panel
        opened.click(f"#{panel} [data-action=command]")
        opened.redrawn(panel, lambda: opened.choose("#group", "odd"))
        opened.look_at(panel)
        name, *arguments = shlex.split(texts(opened, f"#{panel} code.command")[0])
        assert name == "firsthit"
        assert "cma" in succeed(*arguments).output
        opened.choose("#group", "all")
