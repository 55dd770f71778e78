"""Figures in files, their captions, and the options of both commands that draw them."""

import re
import sys
from types import SimpleNamespace

import pytest
from matplotlib.image import imread

import firsthit

from ...command_line import invoke, succeed
from ..questions import KINDS

OF_TWO_OBJECTIVES = ("fronts", "surfaces", "surface-difference")
OF_ONE = [kind for kind in KINDS if kind not in OF_TWO_OBJECTIVES]
BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def drawn(log_folder, tmp_path_factory):
    """A folder with figures of every kind for one objective."""
    folder = tmp_path_factory.mktemp("drawn")
    done = run(log_folder, folder, "--kinds", ",".join(OF_ONE), "--dimensions", "2,5")
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("kind", OF_ONE)
def test_every_kind_is_drawn_and_says_what_it_is(drawn, kind):
    texts = [text for name, text in captions(drawn).items() if name.partition("_")[0] == kind]
    assert texts
    for caption in texts:
        assert "bbob" in caption
        assert re.search("Runs: (cma|nelder-mead) ", caption)


@pytest.mark.slow
def test_caption_and_command_are_written_with_the_figure(drawn):
    assert {file.stem for file in drawn.glob("*.svg")} == captions(drawn).keys()
    for caption in captions(drawn).values():
        assert re.search(r"\n\nfirsthit \S+: firsthit figures .*\n\Z", caption)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["svg", "pdf", "png"])
def test_the_same_figure_gives_the_same_bytes(log_folder, form, tmp_path):
    files = [tmp_path / f"{name}.{form}" for name in "ab"]
    for file in files:
        succeed("assess", "art", log_folder, *PLACE[:4], "--plot", file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_bytes().startswith(BEGINNINGS[form])


def test_pgf_is_written_or_says_what_it_needs(log_folder, tmp_path):
    words = ("--kinds", "heatmap", "--format", "pgf")
    done = run(log_folder, tmp_path, *words)
    if done.exit_code == 0:
        assert all("pgfpicture" in file.read_text() for file in tmp_path.glob("*.pgf"))
    else:
        assert "the format pgf needs a TeX system (" in done.stderr


def test_names_from_logs_are_no_paths(make_log, tmp_path):
    names = ("../../etc", "C:\\x", "x" * 200)
    log = make_log([{"algorithm": name, "precisions": [9.0, 1.0]} for name in names])
    log.save(tmp_path / "log.h5")
    done = run(tmp_path / "log.h5", tmp_path / "out", "--kinds", "scatter", "--targets", 1)
    assert done.exit_code == 0, done.output
    files = list((tmp_path / "out").glob("*.svg"))
    assert len(files) == 3
    assert len(files) == len(list((tmp_path / "out").rglob("*.svg")))
    for file in files:
        assert "\\" not in file.name
        assert len(file.stem) <= len("scatter_bbob_f001__") + 2 * 60


def test_unknown_kinds_are_refused(log_folder, tmp_path):
    done = run(log_folder, tmp_path, "--kinds", "scalling")
    assert done.exit_code == 2
    assert "'scalling'. Did you mean 'scaling'?" in done.stderr


def test_figures_of_pairs_need_two(log_folder, tmp_path):
    done = run(log_folder, tmp_path, "--kinds", "scatter", "--algorithms", "cma")
    assert done.exit_code == 2
    assert "need two" in done.stderr


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
                 "--functions", "1", "--width", "page"]  # fmt: skip
    succeed(*arguments)
    kinds = {file.name.partition("_")[0] for file in tmp_path.iterdir()}
    assert {"ecdf", "heatmap", "scaling", "convergence", "precision", "loss"} <= kinds
    assert len(kinds) <= 8
    assert "restarts" not in kinds


@pytest.mark.slow
def test_titles_say_the_functions_that_are_shown(log_folder, tmp_path):
    """matplotlib writes each text as a comment before its outlines."""
    words = ("--functions", "1-2", "--dimensions", 2, "--format", "svg", "-o", tmp_path)
    succeed("figures", log_folder, "--kinds", "precision,heatmap,loss", *words)
    pictures = [file.read_text(encoding="utf-8") for file in tmp_path.glob("*.svg")]
    assert len(pictures) == 3
    for picture in pictures:
        assert "<!-- bbob f1, 2, 2-D -->" in picture


@pytest.mark.slow
def test_a_picture_holds_its_labels_whole(make_log, tmp_path):
    """Letters are wider at the picture's resolution than on a screen: no ink at an edge."""
    log = make_log([
        {"algorithm": name, "function": f, "precisions": [99.0] * (f - 1) + [0.01]}
        for name in ("bits:GA", "bits:OnePlusOneEA", "random-search", "bits:RLS")
        for f in range(1, 25)
    ])  # fmt: skip
    words = ("--kind", "heatmap", "--targets", "10,1,0.1,0.01", "--plot", tmp_path / "a.png")
    succeed("assess", "art", log.save(tmp_path / "log.h5"), *words)
    ink = imread(tmp_path / "a.png")[:, :, :3].min(axis=2) < 0.5
    assert ink.any()
    assert not ink[-3:].any()
    assert not ink[:, :3].any()


PLACE = ["--functions", "1", "--dimensions", "2", "--format", "svg"]


def run(log, folder, *words):
    return invoke("figures", log, "-o", folder, *PLACE, *words)


def captions(folder):
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}


def plot(question, log, folder, *words):
    """Draw the figures of a question into the folder."""
    words = ("--plot", folder / "a.svg", "--overwrite", *PLACE[:4], *words)
    return invoke("assess", question, log, *words)


@pytest.mark.slow
def test_precisions_of_pooled_budgets(log_folder, tmp_path):
    done = plot("precision-ecdf", log_folder, tmp_path, "--budgets", "2*D,20*D", "--pooled")
    assert done.exit_code == 0
    [caption] = captions(tmp_path).values()
    assert "Functions and budgets have equal weights." in caption
    precision = firsthit.load(log_folder).plot.precision
    for axes, title in (
        (precision("2D,20D", pooled=True, functions=1, dimensions=2), "2, 20"),
        (precision(20, axis="evaluations", functions=1, dimensions=2), "20"),
    ):
        assert [one.get_title(loc="left") for one in axes.figure.axes] == [title]


@pytest.mark.slow
def test_cuts_at_a_budget_and_a_target(log_folder, tmp_path):
    done = plot("cuts", log_folder, tmp_path, "--budget", "7*D", "--target", "0.5")
    assert done.exit_code == 0
    caption = captions(tmp_path)["a"]
    assert "Vertical line: budget 7 evaluations / dimension" in caption
    assert "Horizontal line: target 5e-1" in caption
    axes = firsthit.load(log_folder).plot.cuts("7*D", 0.5, functions=1, dimensions=2)
    [line] = [line for line in axes.get_lines() if line.get_gid() == "budget"]
    assert set(line.get_xdata()) == {7.0}


@pytest.mark.slow
def test_several_cuts_have_a_panel_for_each_budget_and_target(log_folder):
    """The panels of one direction would otherwise have several curves of one style."""
    plot_cuts = firsthit.load(log_folder).plot.cuts
    figure = plot_cuts("5*D,7*D", [10.0, 1.0, 0.5], functions=1, dimensions=2).figure
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["", "1e1", "1e0", "5e-1", "5 · D", "7 · D"]
    for axes in figure.axes[1:]:
        curves = [line for line in axes.get_lines() if line.get_gid() is None]
        assert len(curves) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "kind", "words"),
    [
        ("ecdf", "ecdf-functions", ["--group-by", "function,all", "--targets", "1e1,1"]),
        ("scaling", "scaling", ["--targets", "1e1,1", "--dimensions", "2,5"]),
        ("art", "heatmap", ["--targets", "1e1,1"]),
        ("ranks", "critical-difference", ["--targets", "1"]),
        ("ratios", "ratios", ["--targets", "1"]),
    ],
)
def test_both_commands_draw_the_same_figures(log_folder, tmp_path, question, kind, words):
    """With the same options, and apart from the names of files and the commands in captions."""
    (tmp_path / "one").mkdir()
    assert run(log_folder, tmp_path / "all", "--kinds", kind, *words).exit_code == 0
    done = plot(question, log_folder, tmp_path / "one", "--kind", kind, *words)
    assert done.exit_code == 0, done.output
    pictures = [sorted(file.read_bytes() for file in (tmp_path / name).glob("*.svg")) for name in
                ("all", "one")]  # fmt: skip
    assert pictures[0] == pictures[1] != []
    texts = [{text.rpartition("\n\n")[0] for text in captions(tmp_path / name).values()} for name in
             ("all", "one")]  # fmt: skip
    assert texts[0] == texts[1]


def test_an_option_of_a_drawing_concerns_its_kind(log_folder, tmp_path):
    words = ["--group-by", "function,all"]
    done = plot("ecdf", log_folder, tmp_path, *words, "--kind", "ecdf-functions", "--one-axes")
    assert done.exit_code == 0, done.output
    assert "the thick curve of all of them together" in captions(tmp_path)["a"]
    done = plot("ecdf", log_folder, tmp_path, "--one-axes")
    assert done.exit_code == 2
    assert "--one-axes is no option of figures of kind ecdf; add --kind ecdf-func" in done.stderr
    for option in (["--one-axes"], ["--kind", "ecdf"], ["--width", "page"]):
        done = invoke("assess", "ecdf", log_folder, *option)
        assert done.exit_code == 2
        assert f"{option[0]} is an option of figures; add --plot FILE" in done.stderr


@pytest.mark.parametrize(
    ("question", "words", "message"),
    [
        ("ecdf", ["--kind", "ecdf-functions"], "--group-by function,group"),
        ("ecdf", ["--kind", "ecdf-functions", "--group-by", "function"], "function,group"),
        ("ranks", ["--kind", "ranks-over-budgets"], "--over budgets"),
    ],
)
def test_a_table_that_a_kind_cannot_show_is_refused(log_folder, tmp_path, question, words, message):
    done = plot(question, log_folder, tmp_path, *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not captions(tmp_path)


@pytest.mark.slow
def test_captions_follow_the_options_of_a_question(log_folder, kinds, tmp_path):
    two = kinds["two objectives"]
    place = ["--functions", "1", "--dimensions", "2", "--instances", "1"]
    for question, log, words, said in (
        ("ecdf", log_folder, ["--runtimes", "runs"], "Runtimes are those of single runs."),
        ("ecdf", log_folder, ["--interval", "0.9"], "Bands: pointwise 90 % confidence intervals."),
        ("ranks", log_folder, ["--over", "budgets"], "within budgets up to the longest run"),
        ("surfaces", two, ["--surfaces", "50"], "attained by 50% of the runs (thick)."),
        ("surfaces", two, ["--budgets", "10*D"], "after 10 evaluations / dimension: borders"),
        ("surface-difference", two, ["--budgets", "10*D"], "a point after 10 evaluations / dim"),
        ("fronts", two, ["--budgets", "10*D"], "all runs within 10 evaluations / dimension on"),
    ):
        plot = ("--plot", tmp_path / "a.svg", "--overwrite")
        done = invoke("assess", question, log, *plot, *place[:4], *words,
                      *(place[4:] if question == "fronts" else []))  # fmt: skip
        assert done.exit_code == 0, done.output
        assert said in captions(tmp_path)["a"]


def test_nothing_reached_is_a_figure_of_average_runtimes(log_folder, tmp_path):
    done = plot("art", log_folder, tmp_path, "--targets", "1e-8", "--algorithms", "nelder-mead")
    assert done.exit_code == 0, done.output


def test_the_caption_of_losses_names_the_reference(log_folder, tmp_path):
    done = plot("loss", log_folder, tmp_path, "--reference", "best")
    assert done.exit_code == 0, done.output
    assert "against the best of 2 (cma, nelder-mead), by budget" in captions(tmp_path)["a"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["ecdf", "ecdf-functions", "dual-ecdf", "precision", "critical-difference"]
)
def test_figures_that_join_functions_show_what_all_have_in_common(
    kind, make_log, random_runs, tmp_path
):
    """a on f1-3 and instances 1-4; b on f1, 2, 4 and instances 3-6."""
    runs = random_runs(0, "a", (1, 2, 3), (2,), (1, 2, 3, 4))
    log = make_log(runs + random_runs(1, "b", (1, 2, 4), (2,), (3, 4, 5, 6)))
    path = log.save(tmp_path / "log.h5")
    words = ("--kinds", kind, "--format", "svg")
    succeed("figures", path, *words, "-o", tmp_path / "common")
    succeed("figures", path, *words, "-o", tmp_path / "all", "--unequal")
    common, everything = (
        " ".join(captions(tmp_path / name).values()) for name in ("common", "all")
    )
    assert "without counterpart of a: 8 runs (functions 1-3; dimensions 2; instances 1-4)" in common
    assert "without counterpart" not in everything
    few, many = ("2", "8") if "functions" in kind else ("4", "12")
    assert f"Runs: a {few}" in common
    assert f"Runs: a {many}" in everything


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kinds", "parameters", "--count", "f"], "--count concerns no figure of kind param"),
        (
            ["--kinds", "heatmap,art", "--unequal"],
            "--unequal concerns no figure of kind heatmap, a",
        ),
        (["--kinds", "cuts", "--group-by", "all"], "--group-by concerns no figure of kind cuts"),
        (["--kinds", "cuts", "--targets", "1"], "--targets concerns no figure of kind cuts"),
        (["--kinds", "ecdf", "--reference", "cma"], "assess ecdf LOGS --reference NAME --plot FI"),
        (["--one-axes"], "No such option"),
    ],
)
def test_options_without_a_use_are_refused(log_folder, tmp_path, words, message):
    done = run(log_folder, tmp_path / "out", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--targets", "1e1,x"], "'x' is no number"),
        (["--targets", "runlength"], "need a reference"),
        (["--targets", "runlength", "--reference", "nobody"], "nobody"),
        (["--group-by", "functions"], "group-by is 'functions'"),
        (["--count", "mixed-seconds"], "seconds are asked for"),
    ],
)
def test_a_wrong_value_is_refused_before_anything_is_drawn(log_folder, tmp_path, words, message):
    done = run(log_folder, tmp_path / "out", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_all_kinds_are_drawn_or_left_out_with_a_reason(log_folder, tmp_path):
    done = run(log_folder, tmp_path, "--kinds", "all", "--targets", "1,1e-1", "--group-by", "all")
    assert done.exit_code == 0, done.output
    drawn = {name.partition("_")[0] for name in captions(tmp_path)}
    left = dict(re.findall("^no figures of kind (.*?): (.*)$", done.stderr, re.MULTILINE))
    assert drawn | {*left} == {*KINDS}
    assert not drawn & {*left}
    assert {*left} >= {"fronts", "surfaces", "ecdf-functions", "critical-difference"}
    assert left["surfaces"] == "it needs runs on two objectives"
    assert left["critical-difference"] == "targets: one target is needed, 2 are given"
    assert "art" in drawn


@pytest.mark.slow
def test_kinds_share_a_grouping(log_folder, tmp_path):
    done = run(log_folder, tmp_path, "--kinds", "ecdf,precision", "--group-by", "function")
    assert done.exit_code == 0, done.output
    assert {*captions(tmp_path)} == {"ecdf_bbob_d02_f001", "precision_bbob_d02_f001"}


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


@pytest.mark.slow
def test_kinds_that_need_two_algorithms_are_left_out(log_folder, tmp_path):
    """The other kinds are drawn; without another kind, the command ends with an error."""
    words = ("--algorithms", "cma", "--functions", 1, "--dimensions", 2)
    done = run(log_folder, tmp_path, "--kinds", "scatter,critical-difference,art", *words)
    assert done.exit_code == 0, done.output
    assert "no figures of kind scatter: figures of two algorithms need two" in done.stderr
    assert "no figures of kind critical-difference: ranks need two algorithms" in done.stderr
    assert [file.name for file in tmp_path.glob("*.svg")] == ["art_bbob_f001_d02.svg"]
    done = run(log_folder, tmp_path / "none", "--kinds", "scatter,ratios", *words)
    assert done.exit_code == 2
    assert "no figure can be drawn of kind scatter, ratios" in done.stderr


def colours_of(file):
    return set(re.findall(r"stroke: (#[0-9a-f]{6})", file.read_text(encoding="utf-8")))


@pytest.mark.slow
def test_highlighted_algorithms_are_in_colour_and_all_others_grey(log_folder, tmp_path):
    colours = {}
    for name, words in {"all": [], "one": ["--highlight", "cma"]}.items():
        done = run(log_folder, tmp_path / name, "--kinds", "convergence", *words)
        assert done.exit_code == 0, done.output
        colours[name] = colours_of(next((tmp_path / name).glob("*.svg")))
    saturated = {
        name: {colour for colour in of_figure if len({colour[i : i + 2] for i in (1, 3, 5)}) > 1}
        for name, of_figure in colours.items()
    }
    assert len(saturated["all"]) == 2
    assert len(saturated["one"]) == 1
    assert saturated["one"] < saturated["all"]
    done = plot("fixed-budget", log_folder, tmp_path, "--highlight", "cmaa")
    assert done.exit_code == 2
    assert "unknown algorithm to highlight 'cmaa'" in done.output
    for done in (
        plot("art", log_folder, tmp_path, "--kind", "heatmap", "--highlight", "cma"),
        run(log_folder, tmp_path / "no", "--kinds", "heatmap", "--highlight", "cma"),
    ):
        assert done.exit_code == 2
        assert "--highlight has no effect on figures of kind heatmap" in done.output
    done = invoke("assess", "art", log_folder, "--highlight", "cma")
    assert "--highlight is an option of figures; add --plot FILE" in done.output
