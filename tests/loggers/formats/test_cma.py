"""pycma's files as runs: made by pycma itself, beside all values that it was given."""

import shutil

import cma
import numpy as np
import pytest
from click.testing import CliRunner

from firsthit.assessment import Results
from firsthit.cli import group
from firsthit.loggers import GivenProblem, LogFormatError, import_data, read_log
from firsthit.suites import FirsthitError, problem_of

ON_RASTRIGIN = GivenProblem("bbob", 3, 2)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a run with restarts on bbob f3 in 3-D, and all values that were evaluated."""
    folder = tmp_path_factory.mktemp("cma") / "outcmaes"
    problem, values = problem_of("bbob", 3, 3, 2), []

    def objective(x):
        values.append(problem(x))
        return values[-1]

    options = {
        "maxfevals": 1500, "verb_log": 1, "verb_disp": 0, "verbose": -3, "seed": 3,
        "verb_filenameprefix": f"{folder}/", "tolfun": 1e-6,
    }  # fmt: skip
    cma.fmin(objective, 3 * [1.0], 1.0, options, restarts=1)
    return folder, np.array(values)


def table_of(folder, name):
    return np.loadtxt(folder / f"{name}.dat", comments="%")


@pytest.fixture(scope="module")
def log(made):
    path = made[0].with_name("a.h5")
    import_data(made[0], path, problem=ON_RASTRIGIN)
    return read_log(path)


def test_best_so_far_is_that_of_all_values_at_the_ends_of_iterations(made, log):
    folder, values = made
    evaluations = table_of(folder, "fit")[:, 1].astype(int)
    optimum = problem_of("bbob", 3, 3, 2).reference_value
    assert (log.algorithms, len(log)) == (("pycma",), 1)
    runs = log.runs
    place = [runs[name][0] for name in ("suite", "function", "dimension", "instance")]
    assert place == ["bbob", 3, 3, 2]
    assert runs["evaluations"][0] == evaluations[-1] <= len(values)
    assert runs["record"][0] == "sampled"
    told = log.best_at([0], evaluations[np.newaxis]).precision[0]
    best = np.minimum.accumulate(values)[evaluations - 1] - optimum
    np.testing.assert_allclose(told, best, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(runs["best_precision"][0], best[-1], rtol=1e-9)
    assert any("end of iterations" in note for note in log.notes)


def test_the_best_solution_has_the_best_value(log):
    problem = problem_of("bbob", 3, 3, 2)
    value = problem(log.best_solution(0)) - problem.reference_value
    assert value == pytest.approx(log.runs["best_precision"][0], rel=1e-9)


def test_a_restart_stands_where_iterations_begin_again(made, log):
    fit = table_of(made[0], "fit")
    again = np.flatnonzero(fit[1:, 0] < fit[:-1, 0])
    assert len(again) == 1
    assert np.array_equal(log.restarts(0)["evaluation"], fit[again, 1])


def test_parameters_are_those_of_the_files(made, log):
    folder, _ = made
    table = Results(log).parameters()
    assert set(table["name"].tolist()) == {
        "sigma", "axis_ratio", "best", "median", "worst", "correlation_min", "correlation_25",
        "correlation_75", "correlation_max",
        *(f"{part}_{i}" for part in ("axlen", "axlencorr", "stddev", "xmean") for i in (1, 2, 3)),
    }  # fmt: skip
    columns = {
        "sigma": ("fit", 2), "axis_ratio": ("fit", 3), "worst": ("fit", 7), "axlen_1": ("axlen", 5),
        "axlen_3": ("axlen", 7), "correlation_min": ("axlencorr", 2), "xmean_2": ("xmean", 6),
        "correlation_max": ("axlencorr", 5), "axlencorr_1": ("axlencorr", 6),
        "stddev_3": ("stddev", 7),
    }  # fmt: skip
    for name, (file, column) in columns.items():
        own = table_of(folder, file)
        mine = table["name"] == name
        assert np.array_equal(table["evaluation"][mine], own[:, 1])
        assert np.array_equal(table["value"][mine], own[:, column])


def test_of_a_suite_of_others_values_are_as_they_are(made, tmp_path):
    import_data(made[0], tmp_path / "b.h5", "mine", GivenProblem("engines", 7, 0))
    log = read_log(tmp_path / "b.h5")
    assert log.algorithms == ("mine",)
    assert np.isnan(log.runs["reference_value"][0])
    assert log.runs["best_precision"][0] == table_of(made[0], "fit")[:, 4].min()
    assert any("the optima of suite engines are unknown" in note for note in log.notes)


def test_runs_with_prefixes_and_folders_are_runs_of_one_problem(made, tmp_path):
    for place in ("two/a", "two/b"):
        shutil.copytree(made[0], tmp_path / place)
    for file in (tmp_path / "two/b").iterdir():
        file.rename(file.with_name(f"first{file.name}"))
    fit = tmp_path / "two/b/firstfit.dat"
    fit.write_text("".join(fit.read_text().splitlines(keepends=True)[:20]))
    import_data(tmp_path / "two", tmp_path / "c.h5", problem=ON_RASTRIGIN)
    runs = read_log(tmp_path / "c.h5").runs
    assert runs["repetition"].tolist() == [0, 1]
    assert runs["evaluations"][1] < runs["evaluations"][0]


def test_without_a_name_of_the_problem_one_sentence_says_what_to_do(made):
    with pytest.raises(LogFormatError, match="do not say what was optimized; name it: firsthit im"):
        read_log(made[0])


def test_names_are_refused_where_the_data_say_them(coco_data, tmp_path):
    with pytest.raises(LogFormatError, match="its files say suite, function and instance"):
        import_data(coco_data["bbob"][0], tmp_path / "d.h5", problem=ON_RASTRIGIN)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (GivenProblem("bbob", 99, 1), "function"),
        (GivenProblem("bbob", 1, 2), "below the optimum"),
        (GivenProblem("bbob-constrained", 1, 1), "have constraints or two objectives"),
        (GivenProblem("bbob-biobj", 1, 1), "have constraints or two objectives"),
        (GivenProblem("", 1, 1), "suite"),
    ],
)
def test_a_problem_that_it_cannot_be_is_refused(made, given, message, tmp_path):
    with pytest.raises(FirsthitError, match=message):
        import_data(made[0], tmp_path / "e.h5", problem=given)
    assert not (tmp_path / "e.h5").exists()


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        (
            "fit.dat",
            lambda text: text.replace("bestever", "ever"),
            "its first line is not that of pycma's logger",
        ),
        ("fit.dat", lambda text: text.splitlines()[0] + "\n", "it holds no iteration"),
        ("fit.dat", lambda text: 2 * text, "it holds more than one run"),
        ("fit.dat", lambda text: text + "9 9", "does not hold the numbers expected"),
        ("xmean.dat", lambda text: text.replace(" ", " x"), "does not hold the numbers expected"),
        ("fit.dat", lambda text: text + "9 9 1 1 1 1 1 1\n", "is less than the one before"),
    ],
)
def test_a_damaged_file_is_named(made, file, change, message, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(made[0], folder)
    (folder / file).write_text(change((folder / file).read_text()))
    with pytest.raises(LogFormatError, match=f"{file}.*{message}"):
        import_data(folder, tmp_path / "f.h5", problem=ON_RASTRIGIN)


def test_the_number_of_variables_must_be_known(made, tmp_path):
    folder = tmp_path / "alone"
    folder.mkdir()
    shutil.copy(made[0] / "fit.dat", folder)
    with pytest.raises(LogFormatError, match=r"number of variables stands in none of xmean\.dat"):
        import_data(folder, tmp_path / "g.h5", problem=ON_RASTRIGIN)
    shutil.copy(made[0] / "axlen.dat", folder)
    import_data(folder, tmp_path / "g.h5", problem=ON_RASTRIGIN)
    assert len(read_log(tmp_path / "g.h5").best_solution(0)) == 0


def test_on_the_command_line(made, tmp_path):
    log = str(tmp_path / "h.h5")
    names = ["--suite", "bbob", "--function", "3", "--instance", "2"]
    done = CliRunner().invoke(group, ["import", str(made[0]), "-o", log, *names])
    assert (done.exit_code, done.stdout) == (0, "")
    assert "h.h5: 1 runs" in done.stderr
    table = CliRunner().invoke(group, ["assess", "parameters", log, "--names", "sigma"]).stdout
    assert table.count("sigma") > 100
    done = CliRunner().invoke(group, ["import", str(made[0]), "-o", log, "--suite", "bbob"])
    assert done.exit_code == 2
    assert "give all three, or none" in done.stderr
