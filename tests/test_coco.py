"""``firsthit.coco``, the door for scripts of COCO, without COCO; `test_coco_script` runs both."""

import time

import numpy as np
import pytest

import firsthit
from firsthit import coco


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_loop_of_coco_is_logged_with_its_budgets_and_restarts(tmp_path):
    suite = coco.Suite("bbob", "instances: 1-2", "dimensions: 2,3 function_indices: 1,8")
    observer = coco.Observer("bbob", "result_folder: walk")
    repeater = coco.ExperimentRepeater(20, min_successes=99)
    while not repeater.done():
        for problem in suite:
            if repeater.done(problem):
                continue
            problem.observe_with(observer)
            while problem.evaluations < 15:
                problem(repeater.initial_solution_proposal(problem))
            observer.signal_restart(problem)
            repeater.track(problem)
    observer.free()
    log = firsthit.load(observer.result_folder).log
    assert log.algorithms == ("walk",)
    assert {*zip(log.runs.function.tolist(), log.runs.dimension.tolist(), strict=True)} == {
        (1, 2), (8, 2), (1, 3), (8, 3),
    }  # fmt: skip
    assert set(log.runs.evaluations.tolist()) == {15}
    assert set(log.runs.instance.tolist()) == {1, 2}
    assert len(log.restarts(0)) == 1


def test_settings_are_written_once_and_read_back(tmp_path):
    (tmp_path / "made").mkdir()
    coco.utilities.write_setting({"a": 1, "_b": 2}, [str(tmp_path / "made"), "x.pydat"])
    path = str(tmp_path / "made" / "x.pydat")
    with pytest.warns(UserWarning, match="left as it is"):
        coco.utilities.write_setting({"a": 2}, path)
    assert coco.utilities.read_setting(path) == {"a": 1}


def test_noise_depends_on_the_point_alone_and_has_the_laws_of_cocoexs():
    problem = coco.Suite("bbob", "", "")[0]
    noisy = coco.noiser.Noisifier(p_add=0.3).noisify(problem)
    points = np.random.default_rng(1).uniform(-5, 5, (1500, 2))
    noise = np.array([noisy(x) - problem(x) for x in points])
    assert (noise > -1e-9).all()
    outliers = noise[noise > 1e-12]
    assert abs(len(outliers) / 1500 - 0.3) < 0.05
    for k in (10, 50):
        assert abs(np.mean(outliers > k) - 1 / k) < 0.05
    assert noisy(points[0]) == noisy(points[0].tolist())
    assert noisy.evaluations == 3002
    assert coco.noiser.Noisifier().parameters["p_add"] == 0.2
    assert coco.noiser.Noisifier(p_epsilon=1).parameters["p_add"] == 0


def test_next_problem_goes_through_the_suite_and_frees_the_one_before():
    suite = coco.Suite("bbob", "instances: 1-3", "dimensions: 2 function_indices: 1")
    first = suite.next_problem()
    assert (suite.current_index, suite.current_problem) == (0, first)
    first([0, 0])
    second = suite.next_problem()
    with pytest.raises(firsthit.FirsthitError, match="this run has ended"):
        first([0, 0])
    suite.next_problem()
    with pytest.raises(coco.exceptions.InvalidProblemException, match="i02_d02 was freed"):
        second([0, 0])
    assert suite.next_problem() is None
    suite.reset()
    assert [problem.id_instance for problem in suite] == [1, 2, 3]
    assert suite.current_index is None


def test_a_second_run_of_the_script_makes_a_second_folder():
    for expected in ("x", "x-0001", "x-0002"):
        observer = coco.Observer("bbob", {"result_folder": "x", "algorithm_info": "in two words"})
        for problem in coco.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1"):
            problem.observe_with(observer)
            problem(problem.initial_solution)
        observer.free()
        assert observer.result_folder.replace("\\", "/") == f"exdata/{expected}"
        assert len(firsthit.load(f"exdata/{expected}/{expected}.h5").log) == 1


def test_two_observers_log_the_same_run_under_their_names():
    observers = [coco.Observer("bbob", f"result_folder: {name}") for name in "ab"]
    problem = coco.Suite("bbob", "", "")[0]
    for observer in observers:
        observer.observe(problem)
    assert problem.is_observed == 2
    problem([1, 2])
    del problem  # as cocoex's, it ends when nobody holds it
    for observer, name in zip(observers, "ab", strict=True):
        observer.free()
        log = firsthit.load(f"exdata/{name}").log
        assert (log.algorithms, log.runs.evaluations.tolist()) == ((name,), [1])


def test_an_observer_of_no_name_logs_nothing(tmp_path):
    observer = coco.Observer("no_observer", "")
    problem = coco.Suite("bbob", "", "")[0].observe_with(observer)
    problem([0, 0])
    problem.free()
    assert observer.result_folder == ""
    assert not list(tmp_path.iterdir())


def test_results_are_announced_as_the_log_level_says(capsys):
    coco.Observer("bbob", "result_folder: a")
    assert "exdata" in capsys.readouterr().err
    assert coco.log_level("warning") == "info"
    coco.Observer("bbob", "result_folder: a")
    assert coco.log_level("info") == "warning"
    assert capsys.readouterr().err == ""


def test_a_bare_problem_tells_its_optimum():
    problem = coco.BareProblem("bbob", 1, 3, 1)
    assert repr(problem) == "BareProblem('bbob', 1, 3, 1)"
    assert str(problem) == "bbob_f001_i01_d03"
    assert problem(problem.best_parameter()) == problem.best_value() == 79.48
    assert problem.is_tainted


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: coco.Suite("bbbo"), "Did you mean 'bbob'"),
        (lambda: coco.Suite("bbob", "", "instances: 1"), "not understood there"),
        (lambda: coco.Suite("bbob", "dimensions: 2", ""), "not understood there"),
        (lambda: coco.Suite("bbob", "year: 1999", ""), "year 1999 not available"),
        (lambda: coco.Suite("bbob", "", "dimensions: 7"), "dimensions 7 not available"),
        (lambda: coco.Suite("bbob", "", "dimensions: 2 dimension_indices: 2"), "select nothing"),
        (lambda: coco.Suite("bbob", "", "dimensions: 2 dimensions: 3"), "given twice"),
        (lambda: coco.Suite("bbob")[2160], "2160 problems here"),
        (lambda: coco.Suite("bbob")["bbob_f25"], "no problem 'bbob_f25'"),
        (
            lambda: coco.Suite("bbob").get_problem_by_function_dimension_instance(1, 2, 9),
            "instance 9 here",
        ),
        (lambda: coco.Observer("bbbo"), "Did you mean 'bbob'"),
        (lambda: coco.Observer("bbob-old"), "writes an old form of COCO's data; give the name"),
        (lambda: coco.Observer("rw"), "writes text files for COCO's real-world suites; give"),
        (lambda: coco.Observer("bbob", "result_foldr: x"), "Did you mean 'result_folder'"),
        (lambda: coco.Observer("bbob", "result_folder: my own"), "in double quotes"),
        (lambda: coco.Observer("bbob", "number_target_triggers: 5"), "20 targets a decade"),
        (lambda: coco.BareProblem("bbob", 25, 2, 1), "functions 25 not available"),
        (lambda: coco.BatchScheduler(3, 3), "one of 0 to 2"),
        (lambda: coco.log_level("loud"), "unknown log level"),
        (lambda: coco.utilities.args_to_dict(["c=1"], ["a"]), "unknown argument 'c'"),
        (lambda: coco.utilities.args_to_dict(["a"], ["a"]), "must read 'name=value'"),
        (lambda: coco.Suite("bbob-biobj")[0].best_observed_fvalue1, "has two objectives"),
    ],
)
def test_what_has_no_meaning_here_is_refused_in_a_sentence(call, match):
    with pytest.raises(firsthit.FirsthitError, match=match):
        call()


def test_an_observer_takes_fresh_problems_of_one_suite():
    observer = coco.Observer("bbob", "result_folder: x")
    problem = coco.Suite("bbob")[0]
    problem([0, 0])
    with pytest.raises(firsthit.FirsthitError, match="evaluated 1 times before observe_with"):
        problem.observe_with(observer)
    coco.Suite("bbob")[0].observe_with(observer)
    with pytest.raises(firsthit.FirsthitError, match="observes suite 'bbob'"):
        coco.Suite("bbob-boxed")[0].observe_with(observer)
    observer.free()
    with pytest.raises(firsthit.FirsthitError, match="was freed"):
        coco.Suite("bbob")[0].observe_with(observer)


def test_durations_do_not_depend_on_the_clock_of_the_day(monkeypatch):
    show, info = coco.utilities.MiniPrint(), coco.utilities.ShortInfo()
    [problem] = coco.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1")
    info(problem)
    info.add_evals(1, 1)
    hours_ago = time.time() - 10 * 24 * 3600
    monkeypatch.setattr(time, "time", lambda: hours_ago)
    info.dimension_done()
    assert 0 <= info.evals_by_dimension[2] < 100
    assert "d" not in show.stime
