"""Real data of the peers, made at run time: several suites observed by cocoex, bbob by ioh."""

import contextlib
import importlib
import io
import warnings

import numpy as np
import pytest

from firsthit.loggers.hdf5.check_content import check_table

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
    """A search that closes in on the best point, observed by cocoex; gives folder and values."""
    problems = cocoex.Suite(suite, "", options)
    observer = cocoex.Observer(
        suite, f"outer_folder: {folder} result_folder: {suite} algorithm_name: {name}"
    )
    rng = np.random.default_rng(1)
    values = {}
    for problem in problems:
        problem.observe_with(observer)
        seen, best = [], problem.initial_solution
        for i in range(EVALUATIONS):
            x = best + rng.uniform(-4, 4, problem.dimension) * 0.95**i
            if problem.number_of_constraints and i % 3 == 0:
                problem.constraint(x)
            seen.append(problem(x))
            if problem.number_of_objectives == 1 and seen[-1] == min(seen):
                best = x
            if i == RESTART:
                observer.signal_restart(problem)
            if i % 60 == 0:
                problem.recommend(x)
        values[problem.id] = seen
        problem.free()
    return folder / suite, values


@pytest.fixture(scope="session")
def coco_data(peers, tmp_path_factory):
    """Name of each suite to the folder that cocoex wrote and the values it returned."""
    folder = tmp_path_factory.mktemp("coco")
    return {
        suite: observe(peers.cocoex, suite, options, folder) for suite, options in SUITES.items()
    }


def observe_with_ioh(ioh, folder, name, problems, triggers, points):
    """Runs observed by ioh; gives ``(function, dimension, instance, repetition)`` to values."""
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
            seen = []
            for i in range(EVALUATIONS - 10 * repetition):
                problem(points(rng, dimension, i))
                seen.append(problem.state.current_internal.y)
            values[function, dimension, instance, repetition] = seen
            problem.reset()
        problem.detach_logger()
    logger.close()
    return folder / name, values


@pytest.fixture(scope="session")
def ioh_data(peers, tmp_path_factory):
    """Folder and values of a random search on bbob, every improvement logged."""
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
    """Folder and values on a function where larger is better, of no suite that is known."""
    ioh = peers.ioh
    problems = [(2, i, 16, ioh.problem.WModelOneMax) for i in (1, 2)]
    triggers = [ioh.logger.trigger.ON_IMPROVEMENT]

    def point(rng, dimension, i):
        return rng.integers(0, 2, dimension)

    return observe_with_ioh(ioh, tmp_path_factory.mktemp("pbo"), "bits", problems, triggers, point)


@pytest.fixture(scope="session")
def ioh_sampled(peers, tmp_path_factory):
    """Folder and values where every seventh evaluation was logged."""
    ioh = peers.ioh
    problems = [(1, i, d, ioh.ProblemClass.BBOB) for i in (1, 2) for d in (2, 5)]
    triggers = [ioh.logger.trigger.Each(7)]

    def point(rng, dimension, i):
        return rng.uniform(-4, 4, dimension) * 0.9**i

    folder = tmp_path_factory.mktemp("each")
    return observe_with_ioh(ioh, folder, "each", problems, triggers, point)


def pairs(folder, pattern):
    """Files that cocoex wrote into ``coco``, and ours in ``written``."""
    theirs = sorted((folder / "coco").rglob(pattern))
    assert theirs
    for path in theirs:
        yield path, folder / "written" / path.relative_to(folder / "coco")


def load_with_cocopp(folder):
    """Data sets of cocopp by function and dimension, and its warnings."""
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


@pytest.fixture(scope="session")
def check_tables():
    """Raises where a reader of logs would refuse these tables."""

    def check(table):
        check_table(table)
        for run, spent in enumerate(table.runs["evaluations"].tolist()):
            for name in ("hits", "trajectory", "archive"):
                counts = table.ragged[name].of(run).evaluation
                assert ((counts >= 1) & (counts <= spent)).all()
                assert (np.diff(counts) >= (0 if name == "archive" else 1)).all()
            targets = table.ragged["hits"].of(run).target
            assert (targets[1:] <= targets[:-1]).all()

    return check
