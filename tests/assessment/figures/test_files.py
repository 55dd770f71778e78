"""Figures in files, their captions, and options of single kinds."""

import re
import sys
from types import SimpleNamespace

import pytest
from matplotlib.image import imread

import firsthit
from firsthit.assessment import AssessmentError, Table
from firsthit.assessment.asking.drawing import drawings
from firsthit.assessment.figures import save
from firsthit.assessment.figures.files import file_part, write_figure
from firsthit.assessment.questions.art.figures import draw_heatmap
from firsthit.assessment.tables.table import table_of
from firsthit.cli.figures import KINDS
from firsthit.suites.errors import UnknownNameError

from ..command_line import invoke, succeed

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


def test_caption_and_command_are_written_with_the_figure(one_each, tmp_path):
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


PLACE = ["--functions", "1", "--dimensions", "2", "--format", "svg"]


def run(log, folder, *words):
    return invoke("figures", log, "-o", folder, *PLACE, *words)


def captions(folder):
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}


def test_precisions_of_pooled_budgets(log_folder, tmp_path):
    words = ["--kinds", "precision", "--budgets", "2*D,20*D", "--pooled"]
    assert run(log_folder, tmp_path, *words).exit_code == 0
    [caption] = captions(tmp_path).values()
    assert "all pairs of run and budget taken together" in caption
    plot = firsthit.load(log_folder).plot.precision
    for axes, title in (
        (plot("2D,20D", pooled=True, functions=1, dimensions=2), "2, 20"),
        (plot(20, axis="evaluations", functions=1, dimensions=2), "20"),
    ):
        assert [one.get_title(loc="left") for one in axes.figure.axes] == [title]


def test_cuts_at_a_budget_and_a_target(log_folder, tmp_path):
    words = ["--kinds", "cuts", "--budget", "7*D", "--target", "0.5"]
    assert run(log_folder, tmp_path, *words).exit_code == 0
    caption = captions(tmp_path)["cuts_bbob_f001_d02"]
    assert "Vertical line: budget 7 evaluations / dimension" in caption
    assert "Horizontal line: target 5e-1" in caption
    axes = firsthit.load(log_folder).plot.cuts("7*D", 0.5, functions=1, dimensions=2)
    [line] = [line for line in axes.get_lines() if line.get_gid() == "budget"]
    assert set(line.get_xdata()) == {7.0}


def test_the_caption_of_losses_names_the_reference(loaded):
    chosen = {"reference": "best", "functions": 1, "dimensions": 2}
    caption = next(drawings("loss", loaded.log, chosen)).caption
    assert "against the best of cma, nelder-mead, by budget" in caption


@pytest.mark.parametrize(
    "kind", ["ecdf", "ecdf-functions", "dual-ecdf", "precision", "critical-difference"]
)
def test_figures_that_join_functions_show_what_all_have_in_common(kind, make_log, random_runs):
    """a on f1-3 and instances 1-4; b on f1, 2, 4 and instances 3-6."""
    runs = random_runs(0, "a", (1, 2, 3), (2,), (1, 2, 3, 4))
    log = make_log(runs + random_runs(1, "b", (1, 2, 4), (2,), (3, 4, 5, 6)))
    drawing = next(drawings(kind, log))
    assert "left out of a: 8 runs (functions 1-3; dimensions 2; instances 1-4)" in drawing.caption
    everything = next(drawings(kind, log, {"unequal": True}))
    assert "left out of" not in everything.caption
    few, many = ("2", "8") if "functions" in kind else ("4", "12")
    assert f"Runs: a {few}" in drawing.caption
    assert f"Runs: a {many}" in everything.caption


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kinds", "ecdf", "--budgets", "10"], "precision-density have"),
        (["--kinds", "cuts", "--budgets", "10", "--pooled"], "--budgets: only figures of kind"),
        (["--kinds", "convergence", "--pooled"], "--pooled: only figures of kind precision"),
        (["--budget", "10"], "--budget: only figures of kind cuts and data-profile"),
        (["--kinds", "precision", "--target", "1"], "--target: only figures of kind cuts"),
        (["--kinds", "ecdf", "--shape", "mass"], "--shape: only figures of kind runtime-density"),
        (["--kinds", "ecdf", "--names", "sigma"], "--names: only figures of kind parameters"),
        (["--kinds", "all", "--objectives", "raw"], "--objectives: only figures of kind fronts"),
        (["--kinds", "parameters", "--count", "f"], "--count: only figures of kind ecdf"),
        (["--kinds", "heatmap", "--unequal"], "--unequal: only figures of kind ecdf"),
        (["--kinds", "scaling", "--reference", "cma"], "--reference: only figures of kind ecdf"),
    ],
)
def test_options_without_a_use_are_refused(log_folder, tmp_path, words, message):
    done = run(log_folder, tmp_path / "out", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_recommended_solutions_are_measured_and_said(kinds, tmp_path):
    words = ("--kinds", "convergence,cuts", "--recommended")
    assert run(kinds["unequal sets"], tmp_path, *words).exit_code == 0
    said = captions(tmp_path)
    assert len(said) == 2
    assert all("the best solution that they recommended so far" in one for one in said.values())


def test_what_shows_something_else_is_not_drawn_of_recommended_solutions(kinds, tmp_path):
    done = run(kinds["unequal sets"], tmp_path / "out", "--kinds", "restarts,ecdf", "--recommended")
    assert done.exit_code == 2
    assert "--recommended: figures of kind restarts show what runs did" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_notebook_shows_a_figure_as_it_is_when_the_cell_ends(loaded, monkeypatch):
    """What the cell changes after the call counts; each figure is shown once."""
    events = pytest.importorskip("IPython.core.events")
    display = pytest.importorskip("IPython.display")
    shell = SimpleNamespace()
    shell.events = events.EventManager(shell, events.available_events)
    shown = []
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(display, "display", shown.append)
    axes = loaded.plot.convergence(functions=1, dimensions=2)
    axes.set_title("mine", loc="left")
    titles = []
    save = type(axes.figure).savefig
    monkeypatch.setattr(
        axes.figure,
        "savefig",
        lambda *a, **k: (titles.append(axes.get_title(loc="left")), save(axes.figure, *a, **k)),
    )
    assert shown == []
    for _ in range(2):
        shell.events.trigger("post_run_cell", None)
    assert len(shown) == 1
    assert titles == ["mine"]
