"""What notebooks show, and that a notebook runs."""

import html
import sys

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Table
from firsthit.suites.errors import UnknownNameError


@pytest.fixture(scope="module")
def results():
    pair = {"simplex": "scipy:Nelder-Mead", "random": "random-search"}
    return firsthit.benchmark(
        pair, "bbob", functions=[1, 8], dimensions=[2, 3], instances="1-3", budget="100 * dimension"
    )


def test_html_is_escaped_and_ends_after_two_hundred_lines():
    columns = {"name": np.array([f"<b>{n}" for n in range(250)]), "n": np.arange(250)}
    shown = Table(columns, ("a note & more",))._repr_html_()
    assert "&lt;b&gt;199<" in shown
    assert "<b>" not in shown
    assert "&lt;b&gt;200<" not in shown
    assert "and 50 lines more; to_pandas() has all." in shown
    assert "a note &amp; more" in shown


def test_results_say_what_they_are(results):
    assert repr(results) == "<Results of random, simplex: 12 runs, bbob f1, 8 in 2, 3-D>".replace(
        "12", "24"
    )
    assert "24 runs, bbob f1, 8 in 2, 3-D" in results._repr_html_()
    text = html.escape(str(results.summary()))
    assert f"<pre>{text}</pre>" in results._repr_html_()
    assert "\nsimplex " in text


def test_suites_and_problems_show_their_facts():
    suite = firsthit.Suite("bbob", dimensions=[2, 5])
    assert "240" not in suite._repr_html_().split("functions")[0] or len(suite) == 240
    assert ">1-24</td>" in suite._repr_html_()
    assert "51 precisions of best-feasible, 100 … 1e-08" in suite._repr_html_()
    shown = suite[0]._repr_html_()
    assert "bbob_f001_i01_d02" in shown
    assert 'src="data:image/png;base64,' in shown


def test_a_users_problem_is_not_evaluated_to_be_shown():
    calls = []

    def costly(x):
        calls.append(x)
        return float(x @ x)

    problem = firsthit.problem_from(costly, 3)
    calls.clear()
    assert "user_f001" in problem._repr_html_()
    assert not calls


def test_runs_are_a_mapping_of_columns(results):
    import pandas

    runs = results.log.runs
    frame = pandas.DataFrame(dict(runs))
    assert frame.shape == (24, len(list(runs)))
    assert frame.equals(runs.to_pandas())
    assert "status" in runs
    assert len(runs) == 24
    with pytest.raises(UnknownNameError, match=r"unknown column 'stats'. Did you mean 'status'"):
        runs["stats"]


def test_a_data_frame_without_pandas_says_what_to_install(results, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    for table in (results.log.runs, results.art()):
        with pytest.raises(ImportError, match=r"needs pandas: pip install 'firsthit\[tables\]'"):
            table.to_pandas()


ONE = {"functions": 1, "dimensions": 2}


@pytest.mark.parametrize(
    ("kind", "arguments", "selectors"),
    [
        ("ecdf", (), {"dimensions": 2}),
        ("art", (), ONE),
        ("scatter", ("simplex", "random"), {"functions": 1}),
        ("critical_difference", (), {"dimensions": 2}),
    ],
)
def test_plots_return_axes(results, kind, arguments, selectors):
    from matplotlib.axes import Axes

    axes = getattr(results.plot, kind)(*arguments, **selectors)
    assert isinstance(axes, Axes)
    assert axes.has_data()


def test_a_plot_of_several_dimensions_asks_which(results):
    with pytest.raises(AssessmentError, match="the table holds 2, 3; choose one"):
        results.plot.ecdf()


def test_art_is_drawn_against_the_target(results):
    axes = results.plot.art(algorithms="simplex", **ONE)
    (curve,) = (line for line in axes.get_lines() if line.get_label() == "simplex")
    table = results.art(targets=[1e1, 1e-8], algorithms="simplex", **ONE)
    drawn = dict(zip(np.log10(curve.get_xdata()).round(6), curve.get_ydata(), strict=True))
    assert [drawn[1.0], drawn[-8.0]] == table["art"].tolist()


def test_the_page_is_shown_in_a_frame(results, tmp_path):
    page = results.report(title="A title")
    frame = page._repr_html_()
    source = html.unescape(frame.partition('srcdoc="')[2].partition('" sandbox=')[0])
    assert source == page.html == page.save(tmp_path / "a.html").read_text()
    assert "A title" in source
    assert "allow-same-origin" not in frame


def test_art_of_two_objectives_is_drawn_around_zero():
    few = {"functions": 1, "dimensions": 2, "instances": "1-2", "budget": 300}
    axes = firsthit.benchmark("random-search", "bbob-biobj", **few).plot.art()
    assert axes.get_xscale() == "symlog"
