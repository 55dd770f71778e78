"""Options of single kinds of figures: what they change, and where they are refused."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import firsthit
from firsthit.assessment.asking.drawing import drawings
from firsthit.cli import group
from firsthit.suites.facts import ProblemId

PLACE = ["--functions", "1", "--dimensions", "2", "--format", "svg"]


def run(log, folder, *words):
    return CliRunner().invoke(group, ["figures", str(log), "-o", str(folder), *PLACE, *words])


def captions(folder):
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}


def test_precisions_of_pooled_budgets(log_folder, tmp_path):
    words = ["--kinds", "precision", "--budgets", "2*D,20*D", "--pooled"]
    done = run(log_folder, tmp_path, *words)
    assert done.exit_code == 0, done.output
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
    words = ["--kinds", "cuts", "--budget", "7*D", "--target", "0.5"]
    done = run(log_folder, tmp_path, *words)
    assert done.exit_code == 0, done.output
    [caption] = captions(tmp_path).values()
    assert "Vertical line: budget 7 evaluations / dimension" in caption
    assert "Horizontal line: target 5e-1" in caption
    axes = firsthit.load(log_folder).plot.cuts("7*D", 0.5, functions=1, dimensions=2)
    [line] = [line for line in axes.get_lines() if line.get_gid() == "budget"]
    assert set(line.get_xdata()) == {7.0}


def test_densities_are_those_asked_for(log_folder, tmp_path):
    words = ["--kinds", "precision-density", "--shape", "density-nrd0", "--budgets", "10"]
    done = run(log_folder, tmp_path, *words)
    assert done.exit_code == 0, done.output
    [caption] = captions(tmp_path).values()
    assert "band width: R's nrd0" in caption


def test_parameters_are_those_named(tmp_path):
    log = tmp_path / "a.h5"
    with firsthit.Observer(log, algorithm="a") as observer:
        for problem in observer(firsthit.Suite("bbob", 1, 2, 1)):
            for n in range(1, 20):
                problem.note(sigma=1 / n, restarts=0.0)
                problem(np.full(2, 1 / n))
    done = run(log, tmp_path / "out", "--kinds", "parameters", "--names", "sigma")
    assert done.exit_code == 0, done.output
    assert list(captions(tmp_path / "out")) == ["parameters_bbob_f001_d02_sigma"]
    assert firsthit.load(log).plot.parameters("sigma").get_ylabel() == "sigma"


@pytest.mark.slow
def test_profiles_take_a_reference(log_folder, tmp_path):
    """A thick line in both kinds, of which the caption and the legend tell the name."""
    words = ["--kinds", "ecdf,ecdf-functions,loss", "--reference", "best"]
    done = run(log_folder, tmp_path, *words)
    assert done.exit_code == 0, done.output
    said = captions(tmp_path)
    for name, text in said.items():
        expected = "against the best of cma, nelder-mead, by budget" if "loss" in name else "Thick:"
        assert expected in text, text
    svg = (tmp_path / "ecdf_bbob_d02_all.svg").read_text(encoding="utf-8")
    assert 'id="reference"' in svg
    assert "0-3 instances" not in svg
    assert "3 instances" in svg


@pytest.fixture
def unequal(tmp_path, write_log, random_runs):
    """a on f1-3 and instances 1-4; b on f1, 2, 4 and instances 3-6; b is twice as slow."""
    places = {"a": ((1, 2, 3), (1, 2, 3, 4), 1), "b": ((1, 2, 4), (3, 4, 5, 6), 2)}
    for seed, (name, (functions, instances, slow)) in enumerate(places.items()):
        made = random_runs(seed, functions=functions, dimensions=(2,), instances=instances)
        runs = [
            (
                ProblemId("bbob", run["function"], 2, run["instance"]),
                50.0,
                50.0 + np.repeat(run["precisions"], slow),
            )
            for run in made
        ]
        write_log(tmp_path / f"{name}.h5", name, runs)
    return tmp_path


JOINING = ("ecdf", "ecdf-functions", "dual-ecdf", "precision", "critical-difference")


@pytest.mark.slow
def test_figures_that_join_functions_show_what_all_have_in_common(unequal, tmp_path):
    out = tmp_path / "out"
    words = ["figures", str(unequal), "-o", str(out), "--format", "svg", "--kinds"]
    done = CliRunner().invoke(group, [*words, ",".join(JOINING)])
    assert done.exit_code == 0, done.output
    said = captions(out)
    for kind in JOINING:
        texts = [text for name, text in said.items() if name.startswith(f"{kind}_")]
        assert texts
        for text in texts:
            assert "left out of a: 8 runs (functions 1-3; dimensions 2; instances 1-4)" in text
    assert "Runs: a 4, b 4." in said["critical-difference_bbob_d02"]
    assert "; target 1e-8," in said["critical-difference_bbob_d02"]
    log = firsthit.load(unequal).log
    drawing = next(drawings("critical-difference", log))
    ranks = firsthit.load(unequal).ranks()
    lines = {line.get_label(): line for line in drawing.figure.axes[0].get_lines()}
    for name, rank in zip(ranks["algorithm"], ranks["rank"], strict=True):
        assert lines[name].get_xdata().tolist() == [rank]


@pytest.mark.slow
def test_all_are_drawn_and_named_when_asked(unequal, tmp_path):
    out = tmp_path / "out"
    words = ["figures", str(unequal), "-o", str(out), "--format", "svg", "--unequal", "--kinds"]
    done = CliRunner().invoke(group, [*words, "ecdf,precision"])
    assert done.exit_code == 0, done.output
    for name, text in captions(out).items():
        assert "left out" not in text
        if name.endswith("_all"):
            assert "f1-4" in text or "precision" in name
            assert "(a on bbob f1-3 in 2-D; b on bbob f1, 2, 4 in 2-D)" in text
            assert "Runs: a 12, b 12." in text


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
    done = run(recommending, tmp_path, "--kinds", "convergence,cuts", "--recommended")
    assert done.exit_code == 0, done.output
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
