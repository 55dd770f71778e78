"""Fixtures with data that peers write during the tests: suites observed by cocoex and by ioh."""

import contextlib
import importlib
import io
import warnings

import numpy as np
import pytest

SUITES = {
    "bbob": "dimensions: 2,10 instance_indices: 1-3 function_indices: 1,2,8",
    "bbob-noisy": "dimensions: 2 instance_indices: 1-2 function_indices: 1-2",
    "bbob-largescale": "dimensions: 20 instance_indices: 1-2 function_indices: 1",
    "bbob-mixint": "dimensions: 5 instance_indices: 1-2 function_indices: 1-2",
    "bbob-boxed": "dimensions: 2 instance_indices: 1-2 function_indices: 1-2",
    "bbob-constrained": "dimensions: 2 instance_indices: 1-2 function_indices: 1-2",
    "bbob-biobj": "dimensions: 2 instance_indices: 1-2 function_indices: 1-2",
}
EVALUATIONS = 150
RESTART = 50


def observe(cocoex, suite, options, folder, name="RS"):
    """Run a local random search on the problems of a suite, observed by cocoex.

    Returns:
        The folder that cocoex wrote, and all values by the identifier of the problem.
    """
    problems = cocoex.Suite(suite, "", options)
    observer = cocoex.Observer(
        suite, f"outer_folder: {folder} result_folder: {suite} algorithm_name: {name}"
    )
    rng = np.random.default_rng(1)
    values = {}
    for problem in problems:
        problem.observe_with(observer)
        observed_values, best = [], problem.initial_solution
        for i in range(EVALUATIONS):
            x = best + rng.uniform(-4, 4, problem.dimension) * 0.95**i
            if problem.number_of_constraints and i % 3 == 0:
                problem.constraint(x)
            observed_values.append(problem(x))
            has_one_objective = problem.number_of_objectives == 1
            if has_one_objective and observed_values[-1] == min(observed_values):
                best = x
            if i == RESTART:
                observer.signal_restart(problem)
            if i % 60 == 0:
                problem.recommend(x)
        values[problem.id] = observed_values
        problem.free()
    return folder / suite, values


@pytest.fixture(scope="session")
def coco_data(peers, tmp_path_factory):
    """Return the results of `observe` by the name of the suite."""
    folder = tmp_path_factory.mktemp("coco")
    return {
        suite: observe(peers.cocoex, suite, options, folder) for suite, options in SUITES.items()
    }


def observe_with_ioh(ioh, folder, name, problems, triggers, points):
    """Make runs that ioh observes.

    Args:
        ioh: The package.
        folder: Folder in which ioh writes a folder ``name``.
        name: Name of the algorithm.
        problems: Function, instance, dimension and class of each problem.
        triggers: Triggers of ioh's logger.
        points: Function of a generator, the dimension and the evaluation; returns a point.

    Returns:
        The folder that ioh wrote, and all values by function, dimension, instance and repetition.
    """
    logger = ioh.logger.Analyzer(
        root=str(folder), folder_name=name, algorithm_name=name, triggers=triggers,
        store_positions=True,
    )  # fmt: skip
    values = {}
    for function, instance, dimension, kind in problems:
        numbers = (function, instance, dimension)
        problem = kind(*numbers[1:]) if isinstance(kind, type) else ioh.get_problem(*numbers, kind)
        problem.attach_logger(logger)
        for repetition in range(2):
            rng = np.random.default_rng([repetition, function, dimension, instance])
            run_values = []
            for i in range(EVALUATIONS - 10 * repetition):
                problem(points(rng, dimension, i))
                run_values.append(problem.state.current_internal.y)
            values[function, dimension, instance, repetition] = run_values
            problem.reset()
        problem.detach_logger()
    logger.close()
    return folder / name, values


@pytest.fixture(scope="session")
def ioh_data(peers, tmp_path_factory):
    """Return folder and values of a random search on bbob, with all improvements logged."""
    ioh = peers.ioh
    bbob = ioh.ProblemClass.BBOB
    problems = [(f, i, d, bbob) for f in (1, 3) for d in (2, 5) for i in (1, 2)]
    triggers = [ioh.logger.trigger.ON_IMPROVEMENT]

    def point(rng, dimension, i):
        return rng.uniform(-4, 4, dimension) * 0.95**i

    folder = tmp_path_factory.mktemp("ioh")
    return observe_with_ioh(ioh, folder, "random", problems, triggers, point)


@pytest.fixture(scope="session")
def ioh_maximization(peers, tmp_path_factory):
    """Return folder and values on a maximized function that belongs to no suite of firsthit."""
    ioh = peers.ioh
    problems = [(2, i, 16, ioh.problem.WModelOneMax) for i in (1, 2)]
    triggers = [ioh.logger.trigger.ON_IMPROVEMENT]

    def point(rng, dimension, i):
        return rng.integers(0, 2, dimension)

    return observe_with_ioh(ioh, tmp_path_factory.mktemp("pbo"), "bits", problems, triggers, point)


@pytest.fixture(scope="session")
def ioh_sampled(peers, tmp_path_factory):
    """Return folder and values of a random search on bbob, with each seventh evaluation logged."""
    ioh = peers.ioh
    problems = [(1, i, d, ioh.ProblemClass.BBOB) for i in (1, 2) for d in (2, 5)]
    triggers = [ioh.logger.trigger.Each(7)]

    def point(rng, dimension, i):
        return rng.uniform(-4, 4, dimension) * 0.9**i

    folder = tmp_path_factory.mktemp("each")
    return observe_with_ioh(ioh, folder, "each", problems, triggers, point)


def pairs(folder, pattern):
    """Yield the files of cocoex in the folder ``coco``, each with firsthit's in ``written``."""
    theirs = sorted((folder / "coco").rglob(pattern))
    assert theirs
    for path in theirs:
        yield path, folder / "written" / path.relative_to(folder / "coco")


def load_with_cocopp(folder):
    """Load a folder with cocopp; return data sets by function and dimension, and warnings."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        cocopp = importlib.import_module("cocopp")
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("always")
        cocopp.testbedsettings.reset_current_testbed()
        data = cocopp.load(str(folder))
    return {(d.funcId, d.dim): d for d in data}, [str(w.message) for w in caught]


@pytest.fixture(scope="session")
def with_cocopp(peers):
    return load_with_cocopp
