"""Options of single kinds of figures: what they change, and where they are refused."""

import numpy as np
import pytest
from click.testing import CliRunner

import firsthit
from firsthit.cli import group

PLACE = ["--functions", "1", "--dimensions", "2", "--format", "svg"]


def run(log, folder, *words):
    return CliRunner().invoke(group, ["figures", str(log), "-o", str(folder), *PLACE, *words])


def captions(folder):
    return {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}


def test_precisions_of_joined_budgets(log_folder, tmp_path):
    words = ["--kinds", "precision", "--budgets", "2,20", "--joined"]
    done = run(log_folder, tmp_path, *words)
    assert done.exit_code == 0, done.output
    [caption] = captions(tmp_path).values()
    assert "all pairs of run and budget taken together" in caption
    axes = firsthit.load(log_folder).plot.precision_ecdf(
        "2,20", joined=True, functions=1, dimensions=2
    )
    assert [one.get_title(loc="left") for one in axes.figure.axes] == ["2, 20"]
    done = run(log_folder, tmp_path, "--kinds", "precision", "--joined")
    assert str(done.exception) == "budgets: name those that are joined"


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


def test_shapes_are_those_asked_for(log_folder, tmp_path):
    words = ["--kinds", "precision-shapes", "--shape", "density-nrd0", "--budgets", "10"]
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
    done = run(log, tmp_path / "out", "--kinds", "notes", "--names", "sigma")
    assert done.exit_code == 0, done.output
    assert list(captions(tmp_path / "out")) == ["notes_bbob_f001_d02_sigma"]
    assert firsthit.load(log).plot.notes("sigma").get_ylabel() == "sigma"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kinds", "ecdf", "--budgets", "10"], "precision and precision-shapes and joint have"),
        (["--kinds", "cuts", "--budgets", "10", "--joined"], "--budgets: only figures of kind"),
        (["--kinds", "convergence", "--joined"], "--joined: only figures of kind precision"),
        (["--budget", "10"], "--budget: only figures of kind cuts have a use for it"),
        (["--kinds", "precision", "--target", "1"], "--target: only figures of kind cuts"),
        (["--kinds", "ecdf", "--shape", "mass"], "--shape: only figures of kind runtime-shapes"),
        (["--kinds", "ecdf", "--names", "sigma"], "--names: only figures of kind notes"),
        (["--kinds", "all", "--objectives", "raw"], "--objectives: only figures of kind fronts"),
        (["--kinds", "ecdf", "--reference", "cma"], "--reference: only figures of kind loss"),
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
