"""How runs ended, what they noted, and how their algorithms were tuned."""

import math

import numpy as np
import pytest

import firsthit
from firsthit.assessment import AssessmentError
from firsthit.loggers.errors import ObservationError
from firsthit.suites import FirsthitError

from ..command_line import succeed


def walk(problem, rng):
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))
    problem.restart("bored")
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))


def breaks(problem, rng):
    problem(np.zeros(problem.dimension))
    raise ValueError("no")


@pytest.mark.filterwarnings("ignore:3 of 3 runs failed")
def test_ends_are_counted(tmp_path):
    for name, solve, budget in (("walk", walk, 30), ("breaks", breaks, 30), ("short", walk, None)):
        firsthit.benchmark(
            solve, "bbob", functions=1, dimensions=2, instances="1-3", budget=budget,
            algorithm=name, output=tmp_path / f"{name}.h5",
        )  # fmt: skip
    table = firsthit.load(tmp_path).termination()
    rows = {row[0]: dict(zip(table.names, row, strict=True)) for row in table.rows()}
    assert list(rows) == ["breaks", "short", "walk"]
    assert {name: rows["walk"][name] for name in ("runs", "budget", "evaluations", "restarts")} == {
        "runs": 3, "budget": 3, "evaluations": 90, "restarts": 1.0,
    }  # fmt: skip
    assert (rows["breaks"]["failed"], rows["breaks"]["evaluations"]) == (3, 3)
    assert (rows["short"]["terminated"], rows["short"]["evaluations"]) == (3, 120)
    ends = ("target", "budget", "terminated", "failed", "timeout", "interrupted")
    assert all(sum(row[end] for end in ends) == row["runs"] for row in rows.values())


def test_restarts_are_listed(tmp_path):
    firsthit.benchmark(
        walk, "bbob", functions=1, dimensions=2, instances=1, algorithm="walk",
        output=tmp_path / "walk.h5",
    )  # fmt: skip
    table = firsthit.load(tmp_path).restarts()
    assert table["start"].tolist() == [0, 1]
    assert table["evaluation"].tolist() == [0, 20]
    assert table["evaluations"].tolist() == [40, 40]
    assert table["reason"].tolist() == ["", "bored"]


def noting(problem, rng):
    """Notes a step size at each evaluation, and another parameter once."""
    for i in range(30):
        problem.note(sigma=10.0 / (i + 1))
        if i == 4:
            problem.note(restarted=1)
        problem(rng.uniform(-5, 5, problem.dimension))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("notes") / "log.h5"
    firsthit.benchmark(
        noting, "bbob", functions=[1, 2], dimensions=2, instances="1-3", restarts=0, budget=100,
        output=path, progress=False,
    )  # fmt: skip
    return path


def test_the_table_holds_what_was_noted(path):
    results = firsthit.load(path)
    table = results.parameters()
    assert sorted(set(table["name"].tolist())) == ["restarted", "sigma"]
    sigma = results.parameters("sigma, sigma", functions=2, instances=3)
    assert set(zip(sigma["function"], sigma["instance"], strict=True)) == {(2, 3)}
    np.testing.assert_allclose(sigma["value"], 10 / sigma["evaluation"])
    assert {1, 2, 4, 10, 20} <= set(sigma["evaluation"].tolist())
    late = table["evaluation"][table["name"] == "restarted"]
    assert late.min() >= 5


def test_what_was_never_noted(path, log_folder, tmp_path):
    with pytest.raises(FirsthitError, match=r"unknown parameter 'sigmas'\. Did you mean"):
        firsthit.load(path).parameters(["sigmas"])
    silent = tmp_path / "silent.h5"
    firsthit.benchmark(
        "random-search", "bbob", functions=1, dimensions=2, instances=1, budget=5, output=silent
    )
    with pytest.raises(AssessmentError, match=r"problem.note\(NAME=…\)"):
        firsthit.load(silent).parameters()
    both = firsthit.load([path, silent]).parameters()
    assert any("1 of 7 runs noted no parameter" in note for note in both.notes)


def test_the_figure_shows_runs_and_their_median(path):
    axes = firsthit.load(path).plot.parameters(["sigma"], functions=1)
    drawn = axes.get_lines()
    *runs, median = (line for line in drawn if line.get_label() != "_name")
    assert len(runs) == 3
    assert median.get_label() == "noting"
    np.testing.assert_allclose(median.get_ydata(), 10 / median.get_xdata(), rtol=0.5)
    assert axes.get_yscale() == "log"
    assert axes.get_ylabel() == "sigma"


@pytest.mark.slow
def test_figures_are_drawn_where_there_is_something_to_draw(path, tmp_path):
    words = ["figures", str(path), "--functions", "1", "--format", "svg"]
    words += ["--kinds", "parameters", "-o", str(tmp_path)]
    succeed(*words)
    assert sorted(file.name for file in tmp_path.glob("*.svg")) == [
        "parameters_bbob_f001_d02_restarted.svg", "parameters_bbob_f001_d02_sigma.svg",
    ]  # fmt: skip


def test_attributes_that_ioh_watched_are_parameters_after_import(peers, tmp_path):
    ioh = peers.ioh

    class Walk:
        sigma = 2.0

    walk, rng = Walk(), np.random.default_rng(1)
    logger = ioh.logger.Analyzer(
        root=str(tmp_path), folder_name="data", algorithm_name="walk",
        triggers=[ioh.logger.trigger.ALWAYS], store_positions=True,
    )  # fmt: skip
    logger.watch(walk, ["sigma"])
    problem = ioh.get_problem(1, 1, 2, ioh.ProblemClass.BBOB)
    problem.attach_logger(logger)
    expected = []
    for _ in range(2):
        for _ in range(10):
            walk.sigma *= 0.9
            expected.append(walk.sigma)
            problem(rng.uniform(-5, 5, 2).tolist())
        problem.reset()
    logger.close()
    succeed("import", tmp_path / "data", "-o", tmp_path / "walk.h5")
    table = firsthit.load(tmp_path / "walk.h5").parameters()
    assert set(table["name"].tolist()) == {"sigma"}
    np.testing.assert_allclose(table["value"], expected, rtol=1e-6)
    assert table["evaluation"].tolist() == [*range(1, 11)] * 2


def test_an_export_says_that_parameters_stay_behind(path, tmp_path):
    result = succeed("export", path, "-o", tmp_path / "out", "--format", "ioh")
    assert "noted are not written" in result.output


def logged(path, algorithm, tuning):
    suite = firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-3")
    with firsthit.Observer(path, algorithm=algorithm, tuning=tuning) as observer:
        for problem in observer(suite):
            problem(problem.initial_solution)


def test_each_algorithm_has_what_its_log_says(tmp_path):
    logged(tmp_path / "a.h5", "a", {"settings_tested": 12, "budget_invested": 1e6, "by": "irace"})
    logged(tmp_path / "b.h5", "b", "as published")
    logged(tmp_path / "c.h5", "c", None)
    logged(tmp_path / "d.h5", "d", {"a": {"settings_tested": 1}, "d": {"settings_tested": 0}})
    table = firsthit.load(tmp_path).tuning()
    assert table["algorithm"].tolist() == ["a", "b", "c", "d"]
    assert table["runs"].tolist() == [3, 3, 3, 3]
    assert table["evaluations"].tolist() == [3, 3, 3, 3]
    assert table["settings_tested"].tolist() == pytest.approx(
        [12, math.nan, math.nan, 0], nan_ok=True
    )
    assert table["budget_invested"][0] == 1e6
    assert table["tuning"].tolist() == ["by: irace", "as published", "", ""]
    assert (
        table.notes[-1]
        == "no statement: logs of 3 runs; it is unknown how their algorithm was tuned."
    )


@pytest.mark.parametrize("wrong", ["many", -1, True, math.inf, math.nan])
def test_numbers_that_are_none_are_refused(tmp_path, wrong):
    with pytest.raises(ObservationError, match=r"tuning: settings_tested is .*, must be a number"):
        logged(tmp_path / "a.h5", "a", {"x": {"settings_tested": wrong}})


def test_a_campaign_is_checked_where_it_says_so(tmp_path):
    text = (
        "suite: bbob\nfunctions: 1\ndimensions: 2\ninstances: 1\nbudget: 4\nworkers: 0\n"
        "optimizers: [random-search]\ntuning: {settings_tested: 3, budget_invested: 1e5}\n"
    )
    file = tmp_path / "c.yaml"
    file.write_text(text)
    campaign = firsthit.runner.load_campaign(file)
    assert campaign.tuning == {"settings_tested": 3, "budget_invested": 1e5}
    file.write_text(text.replace("3", "some"))
    with pytest.raises(firsthit.FirsthitError, match=r":8:\d+: tuning: settings_tested is 'some'"):
        firsthit.runner.load_campaign(file)
