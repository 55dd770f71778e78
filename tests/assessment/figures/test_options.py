"""Options of single kinds of figures: what they change, and where they are refused."""

import sys
from types import SimpleNamespace

import pytest

import firsthit
from firsthit.assessment.asking.drawing import drawings

from ..command_line import invoke

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
    axes = firsthit.load(log_folder).plot.precision(
        "2D,20D", pooled=True, functions=1, dimensions=2
    )
    assert [one.get_title(loc="left") for one in axes.figure.axes] == ["2, 20"]
    axes = firsthit.load(log_folder).plot.precision(20, axis="evaluations", dimensions=2)
    assert axes.get_title(loc="left") == "20"
    done = run(log_folder, tmp_path, "--kinds", "precision", "--pooled")
    assert str(done.exception) == "budgets: name those that are pooled"


def test_cuts_at_a_budget_and_a_target(log_folder, tmp_path):
    words = ["--kinds", "cuts,heatmap", "--budget", "7*D", "--target", "0.5"]
    assert run(log_folder, tmp_path, *words).exit_code == 0
    caption = captions(tmp_path)["cuts_bbob_f001_d02"]
    assert "Vertical line: budget 7 evaluations / dimension" in caption
    assert "Horizontal line: target 5e-1" in caption
    axes = firsthit.load(log_folder).plot.cuts("7*D", 0.5, functions=1, dimensions=2)
    [line] = [line for line in axes.get_lines() if line.get_gid() == "budget"]
    assert set(line.get_xdata()) == {7.0}


def said(kind, log, **options):
    return " ".join(drawing.caption for drawing in drawings(kind, log, options))


def test_captions_name_the_reference(log_folder):
    log = firsthit.load(log_folder).log
    one = {"reference": "best", "functions": 1, "dimensions": 2}
    assert "against the best of cma, nelder-mead, by budget" in said("loss", log, **one)
    assert "Thick: the best of cma, nelder-mead" in said("ecdf", log, group_by="all", **one)


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


@pytest.fixture(scope="module")
def recommending(tmp_path_factory):
    """A log of runs that recommend every tenth point of theirs, and only then improve on it."""
    path = tmp_path_factory.mktemp("recommending") / "a.h5"
    with firsthit.Observer(path, algorithm="a") as observer:
        for problem in observer(firsthit.Suite("bbob", 1, 2, "1-3")):
            for n in range(1, 101):
                x = problem.initial_solution + 1 / n
                problem(x)
                if n % 10 == 0:
                    problem.recommend(x)
    return path


@pytest.mark.slow
def test_recommended_solutions_are_measured_and_said(recommending, tmp_path):
    words = ("--kinds", "convergence,cuts", "--recommended")
    assert run(recommending, tmp_path, *words).exit_code == 0
    said = captions(tmp_path)
    assert len(said) == 2
    assert all("the best solution that they recommended so far" in one for one in said.values())


def test_what_shows_something_else_is_not_drawn_of_recommended_solutions(recommending, tmp_path):
    done = run(recommending, tmp_path / "out", "--kinds", "restarts,ecdf", "--recommended")
    assert done.exit_code == 2
    assert "--recommended: figures of kind restarts show what runs did" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_notebook_shows_a_figure_as_it_is_when_the_cell_ends(log_folder, monkeypatch):
    """What the cell changes after the call counts; each figure is shown once."""
    events = pytest.importorskip("IPython.core.events")
    display = pytest.importorskip("IPython.display")
    shell = SimpleNamespace()
    shell.events = events.EventManager(shell, events.available_events)
    shown = []
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(display, "display", shown.append)
    axes = firsthit.load(log_folder).plot.convergence(functions=1, dimensions=2)
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
