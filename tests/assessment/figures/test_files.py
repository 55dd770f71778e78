"""Figures in files: captions beside them, equal bytes, formats, names, and the command."""

import re

import pytest
from matplotlib.image import imread

from firsthit.assessment import AssessmentError, Table
from firsthit.assessment.asking.drawing import drawings
from firsthit.assessment.figures import save
from firsthit.assessment.figures.files import file_part, write_figure
from firsthit.assessment.questions.art.figures import draw_heatmap
from firsthit.assessment.tables.table import table_of
from firsthit.cli.figures import KINDS
from firsthit.suites.errors import UnknownNameError

from ..command_line import succeed

OF_TWO_OBJECTIVES = ("fronts", "surfaces", "surface-difference")
OF_ONE = [kind for kind in KINDS if kind not in OF_TWO_OBJECTIVES]
BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def one_each(loaded):
    """The first figure of every kind for one objective."""
    place = {"functions": 1, "dimensions": 2, "suites": None, "algorithms": None}
    return {kind: next(drawings(kind, loaded.log, place)) for kind in OF_ONE}


@pytest.mark.parametrize("kind", OF_ONE)
def test_every_kind_is_drawn_and_says_what_it_is(one_each, kind):
    one_each[kind].figure.draw_without_rendering()
    assert "bbob" in one_each[kind].caption
    assert "Runs: cma " in one_each[kind].caption


def test_the_caption_and_the_command_stand_beside_the_figure(one_each, tmp_path):
    file = save(one_each["scaling"], tmp_path, "svg", "firsthit figures x.h5")
    caption = file.with_suffix(".txt").read_text(encoding="utf-8")
    assert caption.startswith(one_each["scaling"].caption)
    assert re.search(r"\n\nfirsthit \S+: firsthit figures x.h5\n\Z", caption)


@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_the_same_figure_gives_the_same_bytes(one_each, form, tmp_path):
    files = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        files.append(save(one_each["scaling"], tmp_path / name, form, "c"))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().startswith(BEGINNINGS[form])


def test_pgf_is_written_or_says_what_it_needs(one_each, tmp_path):
    try:
        found = save(one_each["scaling"], tmp_path, "pgf", "c").read_text()
    except AssessmentError as error:
        found = str(error)
    assert "pgfpicture" in found or "the format pgf needs a TeX system (" in found


def test_names_from_logs_are_no_paths():
    for name in ("../../etc", "a/b", "..", "x" * 300, "", "\0", "C:\\x"):
        part = file_part(name)
        assert "/" not in part
        assert "\\" not in part
        assert 0 < len(part) <= 60


def test_unknown_kinds_are_refused(loaded):
    with pytest.raises(UnknownNameError, match="scalling"):
        next(drawings("scalling", loaded.log))


def test_figures_of_pairs_need_two(loaded):
    with pytest.raises(AssessmentError, match="need two"):
        next(drawings("scatter", loaded.log, {"algorithms": "cma"}))


def test_the_command_writes_figures_captions_and_an_index(log_folder, tmp_path):
    arguments = ["figures", str(log_folder), "-o", str(tmp_path / "out"), "--format", "png",
                 "--kinds", "heatmap,scatter", "--functions", "1", "--index"]  # fmt: skip
    succeed(*arguments)
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"heatmap_bbob_d02.png", "heatmap_bbob_d02.txt", "README.md"} <= names
    assert "scatter_bbob_f001_cma_nelder-mead.png" in names
    index = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "![heatmap_bbob_d02](heatmap_bbob_d02.png)" in index


@pytest.mark.slow
def test_a_curated_set_is_drawn_unless_kinds_are_named(log_folder, tmp_path):
    arguments = ["figures", str(log_folder), "-o", str(tmp_path), "--format", "png",
                 "--functions", "1", "--dimensions", "2", "--width", "page"]  # fmt: skip
    succeed(*arguments)
    kinds = {file.name.partition("_")[0] for file in tmp_path.iterdir()}
    assert {"ecdf", "heatmap", "scaling", "convergence", "precision", "loss"} <= kinds
    assert len(kinds) <= 8
    assert "restarts" not in kinds


def test_titles_say_the_functions_that_are_shown(loaded):
    place = {"functions": "1-2", "dimensions": 2}
    for kind in ("precision", "heatmap", "loss"):
        figure = next(drawings(kind, loaded.log, place)).figure
        title = figure.get_suptitle() or figure.axes[0].get_title(loc="left")
        assert title == "bbob f1, 2, 2-D", kind


def test_a_picture_holds_its_labels_whole(tmp_path):
    """Letters are wider at the picture's resolution than on a screen: no ink at an edge."""
    rows = [
        {"algorithm": name, "suite": "bbob", "function": f, "dimension": 2, "target": target,
         "art": f}
        for name in ("bits:GA", "bits:OnePlusOneEA", "random-search", "bits:RLS")
        for f in range(1, 25)
        for target in (10.0, 1.0, 0.1, 0.01)
    ]  # fmt: skip
    columns = table_of(list(rows[0]), [list(row.values()) for row in rows])
    write_figure(draw_heatmap(Table(columns)), tmp_path / "a.png")
    ink = imread(tmp_path / "a.png")[:, :, :3].min(axis=2) < 0.5
    assert ink.any()
    assert not ink[-3:].any()
    assert not ink[:, :3].any()
