"""Complete scripts for COCO run when their import lines are changed, and cocopp reads the data."""

import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import firsthit
from firsthit import coco

SCRIPT = """
import cocoex
import numpy as np
import scipy.optimize

np.random.seed(1)
suite = cocoex.Suite("bbob", "instances: 1-2", "dimensions: 2,3 function_indices: 1,8")
observer = cocoex.Observer("bbob", 'result_folder: nelder-mead algorithm_info: "by scipy"')
repeater = cocoex.ExperimentRepeater(150, min_successes=3)
minimal_print = cocoex.utilities.MiniPrint()
while not repeater.done():
    for problem in suite:
        if repeater.done(problem):
            continue
        problem.observe_with(observer)
        problem(problem.dimension * [0])
        observer.signal_restart(problem)
        x = scipy.optimize.fmin(
            problem, repeater.initial_solution_proposal(problem), disp=False, maxfun=100)
        problem(x)
        repeater.track(problem)
        minimal_print(problem)
        with open(observer.result_folder + "/mine.txt", "w") as file:
            file.write(str(problem.id_triple))
        print(problem.index, problem.id, problem.evaluations, problem.final_target_hit)
print(len(suite), repeater.all("successes"), repeater.all("evaluations"))

import cocopp
data = cocopp.load(observer.result_folder)
targets = [10.0 ** (k / 5) for k in range(10, -41, -1)]
print(sorted((d.funcId, d.dim, list(d.instancenumbers), list(d.maxevals)) for d in data))
for d in sorted(data, key=lambda d: (d.funcId, d.dim)):
    print(d.funcId, d.dim, d.detERT(targets))
"""

SUITES = [
    ("bbob", "", ""),
    ("bbob", "year: 2009", "instance_indices: 1-7 dimensions: 2,5"),
    ("bbob", "year:2023", "dimension_indices: 1,2 function_indices: 1,3-5"),
    ("bbob", "instances: 7,3", "dimensions: 5,2 function_indices: 3,1"),
    ("bbob-boxed", "", "dimensions: 2"),
    ("bbob-boxed", "year: 2023", "dimensions: 2"),
    ("bbob-biobj", "", "dimensions: 2,3"),
    ("bbob-biobj", "year: 2016", "dimensions: 2"),
    ("bbob-biobj-ext", "", "dimensions: 2"),
    ("bbob-biobj-mixint", "", "dimensions: 5"),
    ("bbob-constrained", "", "dimensions: 2,40"),
    ("bbob-largescale", "", "dimensions: 20 function_indices: 1-4"),
    ("bbob-mixint", "", "dimensions: 5"),
    ("bbob-noisy", "", "dimensions: 2,3"),
]
ATTRIBUTES = (
    "best_observed_fvalue1", "dimension", "evaluations", "evaluations_constraints",
    "final_target_hit", "id", "id_function", "id_instance", "id_triple", "index", "info",
    "initial_solution", "is_observed", "largest_fvalues_of_interest", "lower_bounds", "name",
    "number_of_constraints", "number_of_integer_variables", "number_of_objectives",
    "number_of_variables", "observers", "suite", "upper_bounds",
)  # fmt: skip


@pytest.fixture
def cocoex():
    return pytest.importorskip("cocoex")


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def ran(script, folder):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script)],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    timeless = re.sub(r"\d+h\d\d:\d\d", "TIME", done.stdout)
    return [line for line in timeless.splitlines() if not line.startswith("COCO INFO")]


def ours(script):
    return script.replace("import cocoex", "from firsthit import coco as cocoex")


def test_a_script_prints_what_it_prints_with_cocoex_up_to_the_runtimes_of_cocopp(tmp_path):
    (tmp_path / "ours").mkdir()
    (tmp_path / "theirs").mkdir()
    assert ran(ours(SCRIPT), tmp_path / "ours") == ran(SCRIPT, tmp_path / "theirs")
    folder = tmp_path / "ours" / "exdata" / "nelder-mead"
    assert (folder / "mine.txt").is_file()
    log = firsthit.load(folder).log
    assert log.files == (folder / "nelder-mead.h5",)
    assert log.algorithms == ("nelder-mead",)
    assert max(log.runs.repetition) > 1


def test_two_objectives_leave_the_data_of_cocoex(tmp_path):
    script = """
    import cocoex
    suite = cocoex.Suite("bbob-biobj", "instances: 1-2", "dimensions: 2 function_indices: 1,3")
    observer = cocoex.Observer("bbob-biobj", "result_folder: walk")
    for problem in suite:
        problem.observe_with(observer)
        for k in range(30):
            problem([k / 10 - 1, 1 - k / 20])
    import cocopp
    for d in cocopp.load(observer.result_folder):
        print(d.funcId, d.dim, list(d.maxevals), d.detERT([1, 0.1, 0.01, 1e-3, 0]))
    """
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
    assert ran(ours(script), tmp_path / "ours") == ran(script, tmp_path / "theirs")


@pytest.mark.parametrize("texts", SUITES, ids=" ".join)
def test_a_suite_is_cocoexs_value_by_value(cocoex, texts):
    ours, theirs = coco.Suite(*texts), cocoex.Suite(*texts)
    assert ours.ids() == theirs.ids()
    for name in ("dimensions", "indices", "number_of_objectives", "current_index"):
        assert getattr(ours, name) == getattr(theirs, name), name
    for name in ("name", "instance", "options"):
        assert getattr(ours, name) == getattr(theirs, name).decode(), name
    for place in (0, 1, len(theirs) // 2, -1):
        a, b = ours[place], theirs[place]
        for name in ATTRIBUTES[a.number_of_objectives - 1 :]:  # the best of one objective alone
            expected = getattr(b, name)
            if name == "info":
                expected = re.sub(r"b'([\w-]+)'", r"\1", expected)
            expected = expected.decode() if isinstance(expected, bytes) else expected
            if isinstance(expected, np.ndarray):
                assert np.allclose(getattr(a, name), expected, rtol=1e-12), name
            else:
                assert getattr(a, name) == expected, name
        assert a.id == ours[a.id].id == ours.get_problem_by_function_dimension_instance(*[
            a.id_function, a.dimension, a.id_instance]).id  # fmt: skip
        b.free()


def test_start_points_follow_numpys_seed_as_with_cocoex(cocoex):
    points = []
    for problem in (module.Suite("bbob", "", "")[40] for module in (coco, cocoex)):
        np.random.seed(4)  # noqa: NPY002
        points.append([problem.initial_solution_proposal(k) for k in (None, None, 3, 0, None)])
    assert np.array_equal(*points)


def test_what_a_module_says_is_what_cocoex_says(cocoex):
    assert coco.known_suite_names == coco.known_suites == cocoex.known_suite_names
    assert coco.default_observers() == cocoex.default_observers()
    assert {*cocoex.__all__} <= {*coco.__all__}
    known = {name for name in dir(cocoex.utilities) if not name.startswith("_")} - {"np"}
    assert known == {*coco.utilities.__all__}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("ascetime", (33 * 60 + 25,)), ("ascetime", (3600 * 30 + 61.27, 2)),
        ("ascetime", (0.123, 1)), ("ascetime", (59.9,)),
        ("about_equal", (1, 1 + 1e-7)), ("about_equal", (0, 1e-7)),
        ("about_equal", (1000, 1000.0015)),
        ("args_to_dict", (["a=3", "b=x", "c=[1, 2]", "batch=2/4"], "abc", {"batch": "now/all"})),
        ("args_to_dict", (["bud=1e4"], ["budget"])),
        ("dict_to_eval", ({"a": 1, "_b": 2, "selfish": 3, "c": object(), "d": (1, "x")},)),
        ("dict_to_eval", ({"a": 1, "_b": 2}, ())),
        ("forgiving_import", ("nowhere_to_be_found",)),
        ("forgiving_import", ("math",)),
        ("read_setting", ("nowhere", False)),
    ],
)  # fmt: skip
def test_utilities_give_what_cocoexs_give(cocoex, name, arguments):
    expected = getattr(cocoex.utilities, name)(*arguments)
    assert getattr(coco.utilities, name)(*arguments) == expected


def test_settings_are_written_once_and_read_back(tmp_path):
    (tmp_path / "made").mkdir()
    coco.utilities.write_setting({"a": 1, "_b": 2}, [str(tmp_path / "made"), "x.pydat"])
    path = str(tmp_path / "made" / "x.pydat")
    with pytest.warns(UserWarning, match="left as it is"):
        coco.utilities.write_setting({"a": 2}, path)
    assert coco.utilities.read_setting(path) == {"a": 1}


def test_progress_is_printed_as_by_cocoex(tmp_path):
    script = """
    import cocoex
    show = cocoex.utilities.MiniPrint()
    suite = cocoex.Suite("bbob", "", "dimensions: 2,3 instance_indices: 1-5")
    for sweep in range(2):
        for k, problem in enumerate(suite):
            show(problem, k == len(suite) - 1, k % 3, final_message=sweep == 1)
    same, info = cocoex.utilities.SameFunction(), cocoex.utilities.ShortInfo()
    for problem in cocoex.Suite("bbob", "instances: 1-3", "dimensions: 2 function_indices: 2-4"):
        print(same(problem.id), same.count, info(problem)[-11:])
        info.add_evals(3, 4)
    print([cocoex.BatchScheduler(3, 1).is_in_batch(problem) for problem in suite])
    """
    assert ran(ours(script), tmp_path) == ran(script, tmp_path)


def test_growing_budgets_are_logged_as_one_run(tmp_path):
    script = """
    import cocoex
    from cocoex.utilities import ProblemNonAnytime
    suite = cocoex.Suite("bbob", "instances: 1-2", "dimensions: 2 function_indices: 1,2")
    observer = cocoex.Observer("bbob", "result_folder: budgets")
    for index in range(len(suite)):
        with ProblemNonAnytime(suite, observer, index) as problem:
            problem.print_progress()
            for budget in (2, 4, 6):
                for k in range(budget):
                    problem([k / 10, budget / 10])
                problem.delivered([k / 10, budget / 10])
            print(problem.id, problem.best_observed_fvalue1, problem.final_target_hit)
    import cocopp
    print([(d.funcId, list(d.maxevals)) for d in cocopp.load(observer.result_folder)])
    """
    changed = ours(script).replace("from cocoex.", "from firsthit.coco.")
    assert ran(changed, tmp_path) == ran(script, tmp_path)


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
    with pytest.raises(firsthit.FirsthitError, match="the run is over"):
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


def test_an_exception_that_ends_the_script_ends_its_run_as_failed(tmp_path):
    script = """
    from firsthit import coco
    observer = coco.Observer("bbob", "result_folder: broken")
    for problem in coco.Suite("bbob", "", ""):
        problem.observe_with(observer)
        problem([0, 0])
        if problem.id_instance == 2:
            raise KeyError("my own")
    """
    with pytest.raises(AssertionError, match="my own"):
        ran(script, tmp_path)
    log = firsthit.load(tmp_path / "exdata" / "broken" / "broken.h5").log
    assert log.runs.status.tolist() == ["terminated", "failed"]
    assert log.runs.error[1] == "KeyError: 'my own'"


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
