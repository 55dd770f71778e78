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
