"""References beside tables and in profiles, and profiles of others behind one's own."""

import sys

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError, Results, ecdf, ratio_interval
from firsthit.assessment.statistics.intervals import Resampling, art_interval
from firsthit.suites.errors import UnknownNameError

from ..command_line import succeed
from .questions import ask
from .report.conftest import data_of


@pytest.fixture(scope="module")
def results(make_log):
    """a hits 1e1 and 1 after 6, 7, 8 and 12, 14, 16; b twice as late, and misses 1 once."""
    runs = []
    for name, factor in (("a", 1), ("b", 2)):
        for i in (1, 2, 3):
            steps = [99.0] * (factor * (5 + i) - 1) + [9.0] * (factor * (5 + i)) + [0.5]
            if name == "b" and i == 3:
                steps[-1] = 9.0
            runs.append({"algorithm": name, "instance": i, "precisions": steps})
    return Results(make_log(runs))


def cells(table):
    names = ("algorithm", "target", "art", "reference", "ratio", "ratio_low", "ratio_high")
    columns = [table[name].tolist() for name in names]
    return {row[:2]: row[2:] for row in zip(*columns, strict=True)}


def test_ratios_to_an_algorithm_have_the_interval_of_a_ratio(results):
    table = results.art([10.0, 1.0], reference="a", seed=3)
    found = cells(table)
    art, known, ratio, low, high = found["b", 10.0]
    assert (art, known, ratio) == (14.0, 7.0, 2.0)
    runs = (np.array([12.0, 14.0, 16.0]), np.array([25.0, 29.0, 33.0]))
    other = (np.array([6.0, 7.0, 8.0]), np.array([13.0, 15.0, 17.0]))
    expected = ratio_interval(runs, other, Resampling(seed=3))
    assert [low, high] == pytest.approx(expected.tolist())
    assert found["a", 1.0][2:] == (1.0, 1.0, 1.0)
    assert any(note.startswith("ratio: aRT divided by that of a") for note in table.notes)
    assert "x2 [" in str(table)


def test_ratios_to_the_best_say_that_it_was_chosen(results):
    table = results.art([10.0, 1.0], reference="best")
    assert cells(table)["b", 10.0][1:3] == (7.0, 2.0)
    assert any("too large on average" in note for note in table.notes)


def test_ratios_to_a_file_have_the_interval_of_the_average(results, archive):
    table = results.art([10.0, 1.0, 0.1], reference=str(archive), interval=0.9)
    art, known, ratio, low, high = cells(table)["a", 10.0]
    assert (art, known, ratio) == (7.0, 4.0, 7 / 4)
    hits = np.array([[6.0], [7.0], [8.0]])
    ends = art_interval(hits, [13.0, 15.0, 17.0], Resampling(0.9)).ravel() / 4
    assert [low, high] == pytest.approx(ends.tolist())
    assert cells(table)["a", 1.0][1] == 40.0
    assert np.isnan(cells(table)["a", 0.1][2])
    assert "low" in table.names


def test_what_the_reference_lacks_is_said(make_log, archive):
    runs = [{"function": f, "precisions": [9.0, 0.5]} for f in (1, 2)]
    table = Results(make_log(runs)).art([1.0], reference=str(archive))
    assert np.isnan(table["ratio"].tolist()).tolist() == [False, True]
    assert any("has no data for 1 of 2 combinations" in note for note in table.notes)
    profiles = Results(make_log(runs)).ecdf([1.0], reference=str(archive))
    assert any("lacks functions of 1 of 1 curves" in note for note in profiles.notes)


def test_a_files_profile_is_that_of_its_average_runtimes(results, archive):
    table = results.ecdf([10.0, 1.0, 0.1], reference=str(archive), interval=0.95)
    (curve,) = [p for p in table.profiles if p.reference]
    assert (curve.algorithm, curve.solved, curve.pairs) == ("best2009-bbob", 2, 3)
    expected = ecdf([4 / 2, 40 / 2, np.inf], curve.budgets)
    np.testing.assert_allclose(curve.fraction, expected, atol=1e-12)
    rows = table["algorithm"] == "best2009-bbob"
    np.testing.assert_array_equal(table["fraction"][rows], curve.fraction)
    assert np.isnan(table["low"][rows]).all()


def test_the_best_profile_is_of_the_winners_runs(results):
    table = results.ecdf([10.0, 1.0], reference="best")
    best, own = (
        next(p for p in table.profiles if p.algorithm == name) for name in ("best of 2", "a")
    )
    np.testing.assert_allclose(best.fraction, own.fraction, atol=1e-12)
    assert best.reference
    assert not own.reference


def test_an_algorithm_of_the_log_is_its_own_reference(results):
    table = results.ecdf(reference="a")
    assert [(p.algorithm, p.reference) for p in table.profiles] == [("a", True), ("b", False)]


def test_a_reference_is_a_thick_line(results, archive):
    lines = results.plot.ecdf(reference=str(archive)).lines
    [line] = [line for line in lines if line.get_gid() == "reference"]
    assert line.get_linewidth() == 4.0
    curves = [line for line in lines if line.get_drawstyle() == "steps-post"]
    assert [curve.get_color() for curve in curves].count(line.get_color()) == 1


def test_a_reference_of_the_log_rests_on_the_instances_that_are_asked_for(results):
    """Against itself an algorithm has the ratio 1, whichever instances are chosen."""
    table = results.art([10.0], reference="b", instances="1-2")
    assert cells(table)["b", 10.0][1:] == (13.0, 1.0, 1.0, 1.0)
    curves = results.ecdf([10.0], reference="best", instances=1).profiles
    best, own = (next(p for p in curves if p.algorithm == n) for n in ("best of 2", "a"))
    np.testing.assert_allclose(best.fraction, own.fraction, atol=1e-12)


def test_a_reference_on_other_instances_keeps_them(make_log):
    runs = [{"algorithm": n, "instance": i, "precisions": [9.0]} for n, i in (("a", 1), ("b", 7))]
    table = Results(make_log(runs)).art([10.0], reference="b", algorithms="a")
    assert cells(table)["a", 10.0][:3] == (1.0, 1.0, 1.0)
    assert any(note.startswith("reference (b), runs: 1 on each") for note in table.notes)
    assert any("(instances 7);" in note for note in table.notes)


@pytest.mark.parametrize("name", ["ecdf", "dual-ecdf", "loss", "coco-table", "art"])
def test_tables_say_which_reference_and_what_it_rests_on(results, archive, name):
    more = {} if name == "loss" else {"targets": [10.0]}
    notes = ask(results, name, reference="best", **more).notes
    runs = "runs: 3 on each function and dimension (instances 1-3); each counts once, unsuccessful"
    assert any(runs in note for note in notes)
    assert any("best of 2" in note for note in notes)
    of_file = ask(results, name, reference=str(archive), **more).notes
    assert any("best2009-bbob" in note for note in of_file)


def test_ends_that_few_runs_do_not_tell_are_left_out(make_log, archive):
    """Of a one run of three succeeds, of b all, of c one of three."""
    runs = [
        {"algorithm": name, "instance": i, "precisions": [99.0] * (9 + i) + [9.0] * (i <= hits)}
        for name, hits in (("a", 1), ("b", 3), ("c", 1))
        for i in (1, 2, 3)
    ]
    results = Results(make_log(runs))
    for reference, name, expected in (
        ("b", "a", (True, False)),
        ("a", "b", (False, True)),
        ("a", "c", (True, True)),
        ("a", "a", (False, False)),
        (str(archive), "a", (True, False)),
    ):
        table = results.art([10.0], reference=reference)
        row = table["algorithm"] == name
        flags = table["ratio_at_least"][row][0], table["ratio_at_most"][row][0]
        assert flags == expected, (reference, name)
    lines = {line.split()[0]: line for line in str(results.art([10.0], reference="b")).splitlines()}
    assert "[>= " in lines["a"]
    assert "[<= " in str(results.art([10.0], reference="a"))
    assert "[1, 1]" in lines["b"]
    missed = str(results.art([1.0, 10.0], reference="a"))
    assert "nan" not in missed


def test_an_unknown_reference_is_refused(results):
    with pytest.raises(UnknownNameError, match="Did you mean 'best'"):
        results.art(reference="bst")
    with pytest.raises(AssessmentError, match="no such file, nor such an algorithm"):
        results.art(reference="best2009-bob.tar.gz")
    with pytest.raises(AssessmentError, match="a log is no reference"):
        results.art(reference="others/cma.h5")
    with pytest.raises(AssessmentError):
        results.ecdf(reference=())


def lines_behind(figure):
    return [line for axes in figure.axes for line in axes.lines if line.get_gid() == "background"]


def caption_of(log, behind, folder):
    """Draw the profiles of a log in 2-D, and return the caption."""
    options = ("--background", behind, "--dimensions", 2, "--plot", folder / "a.svg")
    succeed("assess", "ecdf", log, *options)
    return (folder / "a.txt").read_text(encoding="utf-8")


def test_curves_behind_are_those_in_front(log_folder):
    results = firsthit.load(log_folder / "cma.h5")
    behind = str(log_folder / "nelder-mead.h5")
    table = results.ecdf(background=behind, group_by=("all", "function"), dimensions=2)
    in_front = firsthit.load(log_folder).ecdf(group_by=("all", "function"), dimensions=2)
    for name in ("cma", "nelder-mead"):
        for column in table.names:
            np.testing.assert_array_equal(
                table[column][table["algorithm"] == name],
                in_front[column][in_front["algorithm"] == name],
            )
    assert {p.algorithm for p in table.profiles if p.background} == {"nelder-mead"}
    assert any("background: 1 algorithm from" in note for note in table.notes)


def test_who_lacks_a_function_has_no_curve_over_it(log_folder, tmp_path):
    results = firsthit.load(log_folder / "nelder-mead.h5")
    few = (
        firsthit.load(log_folder / "cma.h5").filter(functions=[1, 2]).log.save(tmp_path / "few.h5")
    )
    table = results.ecdf(background=str(few), group_by=("all", "function"), dimensions=2)
    groups = [p.group for p in table.profiles if p.background]
    assert groups == ["f001", "f002"]
    n = len(results.functions)
    words = f"that were not run on all functions of the curve: cma ({n - 1} of {n + 1})."
    assert [note for note in table.notes if words in note]
    caption = caption_of(log_folder / "nelder-mead.h5", few, tmp_path)
    assert "Not drawn, because they were not run on all functions: cma." in caption
    assert "Thin and grey" not in caption


def test_an_algorithm_with_a_compared_name_is_left_out_with_a_note(log_folder, tmp_path):
    results = firsthit.load(log_folder / "cma.h5")
    behind = f"{log_folder / 'cma.h5'},{log_folder / 'nelder-mead.h5'}"
    table = results.ecdf(background=behind, group_by="all", dimensions=2)
    sentence = "because a compared algorithm has the same name: cma."
    assert [note for note in table.notes if sentence in note]
    caption = caption_of(log_folder / "cma.h5", behind, tmp_path)
    assert "Thin and grey: 1 other algorithm. Left out" in caption
    assert sentence in caption


def test_nobody_behind_is_one_sentence(log_folder):
    results = firsthit.load(log_folder / "cma.h5")
    with pytest.raises(AssessmentError, match="holds no run of another algorithm"):
        results.ecdf(background=str(log_folder / "cma.h5"))


def test_a_figure_draws_them_thin_and_names_nobody(log_folder, tmp_path):
    behind = str(log_folder / "nelder-mead.h5")
    results = firsthit.load(log_folder / "cma.h5")
    figure = results.plot.ecdf(background=behind, group_by="all", dimensions=2).figure
    assert len(lines_behind(figure)) == 1
    words = {text.get_text() for text in figure.findobj() if hasattr(text, "get_text")}
    assert not any("nelder" in word for word in words)
    caption = caption_of(log_folder / "cma.h5", behind, tmp_path)
    assert "Thin and grey: 1 other algorithm." in caption


@pytest.mark.slow
def test_panels_of_functions_have_them_too(log_folder):
    results = firsthit.load(log_folder / "cma.h5")
    options = {"background": str(log_folder / "nelder-mead.h5"), "dimensions": 2}
    axes = results.plot.ecdf_functions(group_by=("function", "all"), **options)
    assert len(lines_behind(axes.figure)) == 3 + 1


def test_the_page_has_their_curves_with_names(log_folder, tmp_path):
    results = firsthit.load(log_folder / "cma.h5").filter(dimensions=2)
    log = results.log.save(tmp_path / "cma.h5")
    options = ("--background", log_folder / "nelder-mead.h5", "-o", tmp_path / "page.html")
    succeed("report", log, *options)
    found = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))["ecdf"]["background"]
    assert {curve["name"] for curve in found} == {"nelder-mead"}
    assert {"all", "f001", "f002", "f003"} <= {curve["group"] for curve in found}
    assert data_of(results.report().html)["ecdf"]["background"] == []


def test_a_note_suggests_the_reference_that_cocopp_brings(results, tmp_path, monkeypatch):
    """Only without a reference, and only if the installed cocopp has the data of the suite."""
    (tmp_path / "cocopp" / "refalgs").mkdir(parents=True)
    (tmp_path / "cocopp" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    suggestion = "--reference best2009-bbob adds the best of 2009"
    monkeypatch.delitem(sys.modules, "cocopp", raising=False)
    assert not any(suggestion in note for note in results.ecdf().notes)
    (tmp_path / "cocopp" / "refalgs" / "best2009-bbob.tar.gz").touch()
    assert any(suggestion in note for note in results.ecdf().notes)
    assert not any(suggestion in note for note in results.ecdf(reference="a").notes)
    assert not any(suggestion in note for note in results.ecdf(count="f").notes)
