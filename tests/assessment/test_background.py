"""Profiles of others behind one's own: the same curves as in front, thin, grey, without names."""

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.assessment.asking.context import Choices, Context
from firsthit.assessment.asking.drawing import drawings
from firsthit.assessment.questions.ecdf.section import section


def lines_behind(drawing):
    return [
        line
        for axes in drawing.figure.axes
        for line in axes.lines
        if line.get_gid() == "background"
    ]


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
    assert any("in the background: 1 algorithm of" in note for note in table.notes)


def test_who_lacks_a_function_has_no_curve_over_it(log_folder, tmp_path):
    results = firsthit.load(log_folder / "nelder-mead.h5")
    few = (
        firsthit.load(log_folder / "cma.h5").filter(functions=[1, 2]).log.save(tmp_path / "few.h5")
    )
    table = results.ecdf(background=str(few), group_by=("all", "function"), dimensions=2)
    groups = [p.group for p in table.profiles if p.background]
    assert groups == ["f001", "f002"]


def test_nobody_behind_is_one_sentence(log_folder):
    results = firsthit.load(log_folder / "cma.h5")
    with pytest.raises(AssessmentError, match="holds no run of another algorithm"):
        results.ecdf(background=str(log_folder / "cma.h5"))


def test_a_figure_draws_them_thin_and_names_nobody(log_folder):
    log = firsthit.load(log_folder / "cma.h5").log
    options = {"background": str(log_folder / "nelder-mead.h5"), "dimensions": 2}
    [drawing] = drawings("ecdf", log, {**options, "group_by": "all"})
    assert len(lines_behind(drawing)) == 1
    assert "Thin and grey: 1 other algorithm." in drawing.caption
    words = {text.get_text() for text in drawing.figure.findobj() if hasattr(text, "get_text")}
    assert not any("nelder" in word for word in words)


@pytest.mark.slow
def test_panels_of_functions_have_them_too(log_folder):
    log = firsthit.load(log_folder / "cma.h5").log
    options = {"background": str(log_folder / "nelder-mead.h5"), "dimensions": 2}
    drawn = drawings("ecdf-functions", log, options)  # two functions of a group, one of another
    assert [len(lines_behind(drawing)) for drawing in drawn] == [2 + 1, 1 + 1]


def test_the_page_has_their_curves_with_names(log_folder):
    log = firsthit.load(log_folder / "cma.h5").filter(dimensions=2).log
    behind = Choices(background=str(log_folder / "nelder-mead.h5"))
    found = section(Context(log, ["cma.h5"], behind))["ecdf"]["background"]
    assert {curve["name"] for curve in found} == {"nelder-mead"}
    assert {"all", "f001", "f002", "f003"} <= {curve["group"] for curve in found}
    assert section(Context(log, ["cma.h5"], Choices()))["ecdf"]["background"] == []
