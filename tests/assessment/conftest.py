"""Logs for the tests of assessments, written by observers of problems with dictated values.

`make_log` takes runs as lists of precisions. `write_log` takes runs as lists of values, and
`write_pairs` runs on two objectives as lists of points.
"""

import contextlib
from dataclasses import replace
from functools import cache
from itertools import count

import numpy as np
import pytest

import firsthit
from firsthit.assessment import Results
from firsthit.loggers import read_log

ERRORS = {"failed": RuntimeError, "interrupted": KeyboardInterrupt}
"""Exceptions that end a run, by the status of the run."""


@cache
def problem_id(suite, function, dimension, instance):
    """Return the identity of a problem; the suite need not be registered."""
    problem = firsthit.problem_from(sphere, dimension, number=function, instance=instance)
    return replace(problem.problem_id, suite=suite)


def dictated_problem(identity, optimal_value, group="", suite_version="1"):
    """Make a problem whose value is the first coordinate, so that a caller dictates the values.

    Args:
        identity: As `problem_id` returns it.
        optimal_value: Value that precisions are relative to. None: unknown.
        group: Group of the function. Default: "even" or "odd", by the number of the function.
        suite_version: Version of the suite.
    """
    problem = firsthit.problem_from(
        lambda x: float(x[0]), identity.dimension, name="dictated", optimal_value=optimal_value,
        batch=lambda points: points[:, 0].copy(),
    )  # fmt: skip
    return problem.with_identity(
        identity, suite_version=suite_version, problem_id=str(identity),
        group=group or parity(identity), measurement=problem.measurement,
        remake=(dictated_problem, (identity, optimal_value, group, suite_version)),
    )  # fmt: skip


def dictated_pair(identity, ideal, nadir, reference_value):
    """Make a problem of two objectives, the first two coordinates, measured by the hypervolume.

    Args:
        identity: As `problem_id` returns it.
        ideal: Ideal point.
        nadir: Nadir point.
        reference_value: Hypervolume that precisions are relative to.
    """
    problem = firsthit.problem_from(
        lambda x: x[:2], identity.dimension, name=f"pair {identity.function}", objectives=2,
        reference_value=reference_value, batch=lambda points: points[:, :2].copy(),
    )  # fmt: skip
    remake = dictated_pair, (identity, ideal, nadir, reference_value)
    return problem.wrapped(remake, ideal_point=ideal, nadir_point=nadir).with_identity(
        identity, suite_version="1", problem_id=str(identity), group=parity(identity),
        measurement=replace(
            problem.measurement, indicator="hypervolume", targets=PAIR_TARGETS, final_target=None
        ),
        remake=remake,
    )  # fmt: skip


def first_hit(precisions, target):
    """Return the number of the first evaluation within a target precision; NaN if there is none."""
    for evaluation, precision in enumerate(precisions, 1):
        if precision <= target:
            return evaluation
    return np.nan


PAIR_TARGETS = (1.0, 0.1, 0.0, -0.1)


def parity(identity):
    return "odd" if identity.function % 2 else "even"


@pytest.fixture(scope="session")
def make_log(tmp_path_factory):
    """A function: runs as dicts with ``precisions`` and what differs from the defaults -> log.

    A dict may name the algorithm, suite, function, dimension and instance, and have further
    arguments of `dictated_problem`. With the status "failed" or "interrupted" an exception ends the
    run. With ``objectives=2`` the precisions are those of the hypervolume, up to 1e-12.
    """
    folder, numbers = tmp_path_factory.mktemp("made"), count()

    def make(runs, record="improvements"):
        paths = []
        for algorithm in dict.fromkeys(run.get("algorithm", "a") for run in runs):
            paths.append(folder / f"{next(numbers)}.h5")
            with firsthit.Observer(paths[-1], algorithm=algorithm, record=record) as observer:
                for run in runs:
                    if run.get("algorithm", "a") == algorithm:
                        observe_run(observer, **run)
        return read_log(paths)

    return make


def observe_run(
    observer, precisions, algorithm="a", suite="bbob", function=1, dimension=2, instance=1,
    status="", objectives=1, optimal_value=0.0, **facts,
):  # fmt: skip
    """Evaluate points that have these precisions, and end the run as the status says."""
    identity = problem_id(suite, function, dimension, instance)
    points = np.zeros((len(precisions), dimension))
    if objectives == 2:
        problem = dictated_pair(identity, np.zeros(2), np.ones(2), 1.0)
        for point, precision in zip(points, precisions, strict=True):
            # The area between (s, s) and (1, 1) is (1 - s)^2; (1, p) is p - 1 away from (1, 1).
            side = 1 - max(1 - precision, 0.0) ** 0.5
            point[:2] = side, max(side, precision)
    else:
        problem = dictated_problem(identity, optimal_value, **facts)
        points[:, 0] = np.array(precisions) + (optimal_value or 0.0)
    loop = observer([problem])
    observed = next(loop)
    if len(points):
        observed(points)
    if status in ERRORS:
        with contextlib.suppress(ERRORS[status]):
            loop.throw(ERRORS[status]("ended by the test"))
    else:
        next(loop, None)


@pytest.fixture(scope="session")
def random_runs():
    """A function: seed, algorithm, … -> runs that approach 1e-8 at random speed, as dicts."""

    def make(seed, algorithm="a", functions=(1, 2, 3), dimensions=(2, 5), instances=(1, 2, 3)):
        rng = np.random.default_rng(seed)
        runs = []
        for function in functions:
            for dimension in dimensions:
                for instance in instances:
                    steps = rng.exponential(0.12, rng.integers(40, 120))
                    precisions = 10.0 ** (3 - np.cumsum(steps) + rng.normal(0, 0.4, len(steps)))
                    run = {"function": function, "dimension": dimension, "instance": instance}
                    runs.append({"algorithm": algorithm, **run, "precisions": precisions.tolist()})
        return runs

    return make


@pytest.fixture(scope="session")
def results(make_log, random_runs):
    """Of two algorithms, a and b, in memory."""
    return Results(make_log(random_runs(1, "a") + random_runs(2, "b")))


@pytest.fixture(scope="session")
def write_log():
    """A function: path, algorithm, [(problem id, optimal value, values), …] -> a log of the runs.

    The first half of the values is observed point by point, the second as one batch.
    """

    def write(path, algorithm, runs, record="targets"):
        problems = [dictated_problem(identity, optimum) for identity, optimum, _ in runs]
        with firsthit.Observer(path, algorithm=algorithm, record=record) as observer:
            for problem, (_, _, values) in zip(observer(problems), runs, strict=True):
                problem.note(length=len(values))
                points = np.zeros((len(values), problem.dimension))
                points[:, 0] = values
                for point in points[: len(points) // 2]:
                    problem(point)
                problem(points[len(points) // 2 :])
        return path

    return write


@pytest.fixture(scope="session")
def log_folder(tmp_path_factory, write_log, random_runs):
    """A folder with the logs of two algorithms on functions 1-3 in 2-D and 5-D."""
    folder = tmp_path_factory.mktemp("logs")
    for seed, algorithm in enumerate(["cma", "nelder-mead"]):
        runs = [
            (problem_id("bbob", r["function"], r["dimension"], r["instance"]), 50.0, values)
            for r in random_runs(seed)
            for values in [50.0 + np.array(r["precisions"])]
        ]
        write_log(folder / f"{algorithm}.h5", algorithm, runs)
    return folder


@pytest.fixture(scope="session")
def loaded(log_folder):
    """The results of these logs."""
    return firsthit.load(log_folder)


@pytest.fixture(scope="session")
def write_pairs():
    """A function: path, algorithm, runs as dicts -> a log of runs on the suite "pairs".

    A dict has the function, dimension and instance, and the ``points`` that are evaluated, scaled
    so that (0, 0) is the ideal point and (1, 1) the nadir point.
    """

    def write(path, algorithm, runs, archive="all"):
        with firsthit.Observer(path, algorithm=algorithm, archive=archive) as observer:
            for run in runs:
                identity = problem_id("pairs", run["function"], run["dimension"], run["instance"])
                ideal = np.array([10.0 * identity.instance, -5.0])
                nadir = ideal + np.array([2.0, 50.0])
                points = np.zeros((len(run["points"]), identity.dimension))
                points[:, :2] = ideal + run["points"] * (nadir - ideal)
                for problem in observer([dictated_pair(identity, ideal, nadir, 0.75)]):
                    problem(points)
        return path

    return write


@pytest.fixture(scope="session")
def pairs_folder(tmp_path_factory, write_pairs):
    """A folder with the logs of two algorithms on functions 1-2 of two objectives."""
    folder = tmp_path_factory.mktemp("pairs")
    for seed, algorithm in enumerate(["moea", "random"]):
        rng = np.random.default_rng(seed)
        runs = []
        for function in (1, 2):
            for dimension in (2, 5):
                for instance in (1, 2, 3):
                    n = 400 * (2 - seed)
                    x = rng.random(n) ** (1 + function)
                    away = rng.exponential(0.5, (n, 2)) / np.arange(1, n + 1)[:, np.newaxis] ** 0.5
                    points = np.stack([x, (1 - np.sqrt(x)) ** 2], axis=1) + away
                    place = {"function": function, "dimension": dimension, "instance": instance}
                    runs.append({**place, "points": points})
        write_pairs(folder / f"{algorithm}.h5", algorithm, runs)
    return folder


def sphere(x):
    return float(x @ x)


def write_spheres(path, algorithm, functions, instances, evaluations=40, constrained=False):
    """Runs that come closer to the optimum, some of them in larger steps."""
    more = {"constraint": lambda x: [1 - x[0]], "number_of_constraints": 1} if constrained else {}
    problems = [
        firsthit.problem_from(
            sphere, 2, number=f, instance=i, optimal_value=float(constrained), **more
        )
        for f in functions
        for i in instances
    ]
    with firsthit.Observer(path, algorithm=algorithm) as observer:
        for problem in observer(problems):
            rng = np.random.default_rng([problem.id_instance, len(algorithm)])
            for k in range(evaluations):
                problem.note(step=0.9**k)
                x = np.array([float(constrained), 0.0]) + rng.normal(size=2) * 0.9**k
                if constrained:
                    problem.constraint(x)
                elif k % 9 == 0:
                    problem.recommend(x)
                problem(x)
                if k == 15:
                    problem.restart("half")


@pytest.fixture(scope="session")
def kinds(tmp_path_factory, pairs_folder):
    """Folders with logs of every kind, by name."""
    folder = tmp_path_factory.mktemp("kinds")
    for name in ("one run", "runs without evaluations", "unequal sets", "constraints"):
        (folder / name).mkdir()
    write_spheres(folder / "one run" / "a.h5", "a", [1], [1])
    for algorithm, functions, instances in (("a", [1, 2], [1, 2, 3]), ("bb", [2, 3], [2, 3, 4])):
        file = f"{algorithm}.h5"
        write_spheres(folder / "unequal sets" / file, algorithm, functions, instances)
        constraints = folder / "constraints" / file
        write_spheres(constraints, algorithm, [1, 2], [1, 2, 3], constrained=True)
        with pytest.warns(UserWarning, match="2 of 2 runs failed"):
            firsthit.benchmark(
                lambda problem: None,
                [firsthit.problem_from(sphere, 2, number=f, optimal_value=0.0) for f in (1, 2)],
                algorithm=algorithm, restarts=0, output=folder / "runs without evaluations" / file,
            )  # fmt: skip
    return {path.name: path for path in folder.iterdir()} | {"two objectives": pairs_folder}


def write_reference(folder, suite, cells, average_runtimes):
    """A folder as COCO's references are: target to average runtime, the same in all cells."""
    folder.mkdir()
    rows = [f"{art} {target:.0e} {target:.0e} A.tgz 5 5\n" for target, art in average_runtimes]
    heads = []
    for function, dimension in cells:
        file = f"bestalg_f{function:02d}_d{dimension:02d}.dat"
        head = "% Artificial instance\n% algorithm type = best\n"
        (folder / file).write_text(head + "".join(rows))
        place = f"funcId = {function}, DIM = {dimension}, Precision = 1.0e-08"
        heads.append(
            f"{place}, algId = '{folder.name}', suite = '{suite}'\n% Combination of A.tgz\n"
        )
        heads.append(f"{file}, 0:{average_runtimes[-1][1]}|{average_runtimes[-1][0]:.1e}\n")
    (folder / "bestalg.info").write_text("".join(heads))
    return folder


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    """A reference of f1 in 2-D alone: 10 after 4 evaluations, 1 after 40."""
    folder = tmp_path_factory.mktemp("ref") / "best2009-bbob"
    return write_reference(folder, "bbob", [(1, 2)], [(10.0, 4), (1.0, 40)])
