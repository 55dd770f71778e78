# ruff: noqa: E501
import re
import subprocess
import sys

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.runner import CampaignError, FirsthitWarning, OptimizerError
from firsthit.suites import FirsthitError, Suite, problem_from, register_suite

from .conftest import benchmark, log_content, shifted_sphere, sphere


@register_suite("runner-mine", functions="1-2", dimensions=[2, 3], instances="1-2")
def mine(function, dimension, instance):
    return problem_from(
        sphere, dimension, instance=instance + 5 * function, transformation="shift",
        optimal_value=0.0, optimal_solution=np.zeros(dimension),
    )  # fmt: skip


def walk(problem, rng):
    for _ in range(30):
        problem(rng.uniform(-5, 5, problem.dimension))


def test_a_suite_problems_and_a_text_as_optimizer(tmp_path):
    suite = Suite("runner-mine", dimensions=[2])
    by_suite = benchmark("scipy:L-BFGS-B", suite, budget=500, algorithm="a")
    assert set(by_suite.runs.status) == {"target"}
    log = benchmark("scipy:L-BFGS-B", [shifted_sphere(2), shifted_sphere(3)], budget=500, seed=3)
    assert log.runs.dimension.tolist() == [2, 3]


def test_output_is_kept_and_resumed(tmp_path):
    path = tmp_path / "a.h5"
    first = benchmark(walk, "runner-mine", dimensions=2, budget=20, output=path)
    with pytest.raises(FirsthitError, match="resume=True"):
        benchmark(walk, "runner-mine", dimensions=2, budget=20, output=path)
    more = benchmark(walk, "runner-mine", budget=20, output=path, resume=True)
    assert (len(first), len(more)) == (4, 8)
    with pytest.raises(CampaignError, match='budget was "20", is "30"'):
        benchmark(walk, "runner-mine", budget=30, output=path, resume=True)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"suite": "runner-mien"}, "unknown suite 'runner-mien'. Did you mean 'runner-mine'"),
        ({"functions": 9}, r"suite 'runner-mine': functions 9 not available; there is 1, 2"),
        ({"dimensions": "2..3"}, "dimensions '2..3' is not a list of numbers and ranges"),
        ({"instances": [1.5]}, "instances takes integers, a list, a range"),
        ({"budget": "1e3 * dims"}, r"budget '1e3 \* dims' is not understood"),
        ({"budget": "0.1 * D"}, r"gives no evaluation in dimension 2"),
        ({"seed": -1}, "benchmark: seed must be a whole number >= 0; got '-1'"),
        ({"repetitions": 0}, "benchmark: repetitions must be a whole number >= 1"),
        ({"restarts": 1.5}, "benchmark: restarts must be a whole number >= 0"),
        ({"workers": -1}, "benchmark: workers must be a whole number from 0 to 4096, or 'all'"),
        ({"timeout": -1}, "benchmark: timeout must be a number > 0"),
        ({"record": "all"}, "unknown record 'all'"),
        ({"output": "x.csv"}, r"must be a file name that ends in \.h5"),
        ({"optimizer": 3}, "an optimizer is a callable"),
        ({"optimizer": lambda f, k: None}, "requires the argument 'k'"),
        ({"parameters": {"k": 1}}, "unknown parameter 'k'"),
        ({"optimizer": "random-search", "budget": None}, "never ends by itself; give a budget"),
        ({"suite": 5}, "suite is a name, a Suite, or problems; got int"),
        ({"suite": [5]}, "a suite consists of problems; got int"),
        ({"suite": []}, "there are no problems to run on"),
        (
            {"suite": [shifted_sphere()] * 2},
            "is asked for twice; problems need different identities",
        ),
        ({"suite": [shifted_sphere()], "functions": 1}, "go with a suite's name"),
        ({"algorithm": ""}, "algorithm is ''; it must be a printable name"),
    ],
)
def test_wrong_arguments_are_named(change, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = {"optimizer": walk, "suite": "runner-mine", "budget": 20, **change}
    with pytest.raises(FirsthitError, match=sentence):
        benchmark(**arguments)
    assert not list(tmp_path.iterdir())


def test_an_unimportable_module_says_what_to_do():
    """This test module cannot be imported by workers."""
    with pytest.raises(OptimizerError, match=r"worker processes cannot load .*Use workers=0, or"):
        benchmark(walk, "runner-mine", budget=20, workers=2)


SCRIPT = """
import numpy as np, sys, firsthit
from firsthit import benchmark

class Twice(firsthit.loggers.Indicator):
    def __init__(self, problem):
        pass

    def measure(self, points, values):
        return 2 * values

firsthit.loggers.register_indicator("twice", Twice)

@firsthit.register_suite(
    "script-suite", functions="1", dimensions=[2], instances="1-4", indicator="twice"
)
def make(function, dimension, instance):
    return firsthit.problem_from(lambda x: float((x**2).sum()), dimension, instance=instance,
        transformation="shift", optimal_value=0.0, optimal_solution=np.zeros(dimension))

def solve(problem, rng):
    print("printed by the optimizer")
    for _ in range(30):
        problem(rng.uniform(-5, 5, problem.dimension))

step = 1.0
optimizer = {optimizer}
benchmark(optimizer, "script-suite", budget=90, workers=int(sys.argv[1]), output=sys.argv[2], algorithm="s")
"""


def script(tmp_path, optimizer):
    """Run it with one and with two workers; the errors of the second."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.format(optimizer=optimizer))
    ends = []
    for workers in (1, 2):
        output = tmp_path / f"{workers}.h5"
        command = [sys.executable, str(path), str(workers), str(output)]
        ends.append(
            subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        )
    return ends


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["solve", "lambda f, rng: solve(f, rng)"])
def test_what_a_script_defines_runs_in_workers(tmp_path, optimizer):
    """By value: not even the usual guard is needed."""
    ends = script(tmp_path, optimizer)
    assert [end.returncode for end in ends] == [0, 0], ends[1].stderr
    assert log_content(tmp_path / "1.h5") == log_content(tmp_path / "2.h5")


def test_a_file_that_calls_benchmark_when_imported_is_told_so(tmp_path):
    path = tmp_path / "unguarded.py"
    path.write_text(
        "from firsthit import benchmark\n"
        "def solve(problem): problem([0.0, 0.0])\n"
        "benchmark(solve, 'runner-mine', budget=20)\n"
    )
    with pytest.raises(OptimizerError, match="put the call under: if __name__ == '__main__':"):
        benchmark(f"{path}:solve", "runner-mine", budget=20)


def breaks(problem, x0):
    problem(x0)
    if problem.id_instance > 1:
        raise ValueError("not this one")


def test_runs_that_failed_are_told():
    with pytest.warns(FirsthitWarning, match=r"4 of 8 runs failed; first: ValueError: not this"):
        log = benchmark(breaks, "runner-mine", budget=20, restarts=0)
    assert log.runs.status.tolist().count("failed") == 4


def test_the_warning_points_at_the_callers_line():
    import firsthit

    with pytest.warns(FirsthitWarning) as caught:
        firsthit.benchmark(lambda f: None, "runner-mine", budget=20)
    assert caught[0].filename == __file__


UNSAVED = """
from firsthit import benchmark

def solve(problem, rng):
    for _ in range(30):
        problem(rng.uniform(-5, 5, problem.dimension))

print(benchmark(solve, "bbob", functions=1, dimensions=2, budget=90, workers=2).log.runs.status)
"""


@pytest.mark.slow
def test_a_program_without_a_file_runs_in_workers_too():
    end = subprocess.run(
        [sys.executable, "-"], input=UNSAVED, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert end.returncode == 0, end.stderr
    assert set(end.stdout.split("'")[1::2]) == {"budget"}


def test_only_a_log_that_stays_is_promised_to_who_interrupts(tmp_path):
    def interrupted(problem):
        problem(problem.initial_solution)
        raise KeyboardInterrupt

    def notes_of(output):
        with pytest.raises(KeyboardInterrupt) as caught:
            benchmark(interrupted, "bbob", functions=1, dimensions=2, instances=1, output=output)
        return getattr(caught.value, "__notes__", [])

    path = tmp_path / "kept.h5"
    assert notes_of(path) == [f"finished runs are in {str(path)!r}; resume=True continues"]
    assert notes_of(None) == []


def test_several_optimizers_at_once(tmp_path):
    several = {
        "mine": walk,
        "simplex": "scipy:Nelder-Mead",
        "small": {"use": "random-search", "parameters": {"batch_size": 10}},
    }
    path = tmp_path / "several.h5"
    log = benchmark(several, "runner-mine", dimensions=2, budget=90, output=path)
    assert log.algorithms == ("mine", "simplex", "small")
    assert len(log) == 3 * 4
    alone = benchmark(walk, "runner-mine", dimensions=2, budget=90, algorithm="mine")
    of_mine = log.runs.algorithm == "mine"
    assert log.runs.best_precision[of_mine].tolist() == alone.runs.best_precision.tolist()
    facts = log.headers[0]["algorithms"]["small"]
    assert facts["parameters"] == {"batch_size": 10}
    more = {**several, "another": walk}
    assert (
        len(benchmark(more, "runner-mine", dimensions=2, budget=90, output=path, resume=True)) == 16
    )


@pytest.mark.parametrize(
    ("several", "more", "sentence"),
    [
        ({}, {}, "the mapping of optimizers is empty"),
        ([], {}, "the list of optimizers is empty"),
        ([walk, walk], {}, "two of the optimizers are called 'walk'; name them"),
        ([walk], {"algorithm": "b"}, "'algorithm' goes with one optimizer"),
        ({1: walk}, {}, "names of optimizers are texts; got 1"),
        ({"": walk}, {}, "must be a printable name"),
        ({"a": 3}, {}, "an optimizer is a callable"),
        ({"a": {"uses": "random-search"}}, {}, "'a': unknown key 'uses'. Did you mean 'use'"),
        ({"a": {"parameters": {}}}, {}, "optimizer 'a': the key 'use' is missing"),
        ({"a": walk}, {"algorithm": "b"}, "'algorithm' goes with one optimizer"),
        ({"a": walk}, {"parameters": {}}, "'parameters' goes with one optimizer"),
    ],
)
def test_wrong_mappings_of_optimizers_are_named(several, more, sentence):
    with pytest.raises(FirsthitError, match=sentence):
        benchmark(several, "runner-mine", budget=20, **more)


def test_several_optimizers_are_a_list_too():
    log = benchmark([walk, "random-search"], "runner-mine", dimensions=2, budget=20)
    assert log.runs.codes("algorithm")[0] == ("random-search", "walk")


def test_an_ask_at_nan_is_warned_of():
    class Lost:
        def __init__(self, dimension):
            self.point = [float("nan")] * dimension

        def ask(self):
            return self.point

        def tell(self, point, value):
            pass

    with pytest.warns(FirsthitWarning, match=r"Lost.ask\(\) returned a point with NaN"):
        benchmark(Lost, "runner-mine", dimensions=2, instances=1, budget=1)


def test_a_script_may_run_twice(tmp_path):
    path = tmp_path / "a.h5"
    few = {"dimensions": 2, "output": path}
    benchmark(walk, "runner-mine", budget=20, **few)
    with pytest.raises(FirsthitError, match=r"resume=True makes .* overwrite=True replaces it"):
        benchmark(walk, "runner-mine", budget=30, **few)
    log = benchmark(walk, "runner-mine", budget=30, overwrite=True, **few)
    assert set(log.runs.budget) == {30}
    with pytest.raises(CampaignError, match="overwrite=True replaces it"):
        benchmark(walk, "runner-mine", budget=30, overwrite=True, resume=True, **few)
    with pytest.raises(FirsthitError, match="budget"):
        benchmark(walk, "runner-mine", budget="?", overwrite=True, **few)
    assert len(read_log(path)) == 4
    benchmark(walk, "runner-mine", budget=30, output=tmp_path / "new.h5", overwrite=True)


def test_an_unknown_optimum_is_said_before_the_runs():
    calls = []

    def counted(x):
        calls.append(1)
        return float(x @ x)

    unknown = problem_from(counted, 2, instance=2)
    with (
        pytest.warns(FirsthitWarning, match="no optimal value is known of user_f001_i02_d02: "),
        pytest.raises(RuntimeError, match="stopped"),
    ):
        benchmark(walk, [shifted_sphere(), unknown], budget=30, progress=_Stops())
    assert not calls


class _Stops:
    def begin(self, plan, missing):
        raise RuntimeError("stopped")

    def close(self):
        pass


def test_tables_order_algorithms_by_the_numbers_in_their_names():
    optimizers = {name: walk for name in ("f10", "f2", f"b{10**30}", "f02", "a", "f2b", "b9")}
    results = firsthit.benchmark(optimizers, [shifted_sphere(2)], budget=5)
    head = str(results.matrix()).splitlines()[0]
    order = ["a", "b9", f"b{10**30}", "f02", "f2", "f2b", "f10"]
    assert re.findall(r"value:(\w+)", head) == order
