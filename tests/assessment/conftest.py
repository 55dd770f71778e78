"""Data for the assessment's tests: logs made of given sequences of precisions."""

from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
import pytest

import firsthit
from firsthit.assessment import Results
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.log.best_so_far import BestSoFar
from firsthit.loggers.records.dtypes import ARCHIVE, HITS, OBJECTIVES, TRAJECTORY, as_rows
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import RunRecord, SuiteFacts
from firsthit.loggers.targets.grid import grid_index, grid_value
from firsthit.suites import Problem
from firsthit.suites.facts import ProblemFacts, ProblemId
from firsthit.suites.measurement import Measurement
from firsthit.suites.points import as_point

_FIELDS = {
    "key": "U32",
    "algorithm": object,
    "suite": object,
    "suite_version": object,
    "group": object,
    "function": np.int64,
    "dimension": np.int64,
    "instance": np.int64,
    "repetition": np.int64,
    "stage": np.int64,
    "campaign_seed": np.int64,
    "evaluations": np.int64,
    "evaluations_constraints": np.int64,
    "status": object,
    "reference_value": np.float64,
    "reference_name": object,
    "best_precision": np.float64,
    "wall_seconds": np.float64,
    "cpu_seconds": np.float64,
    "problem_seconds": np.float64,
    "header": np.int64,
}


class CodedRuns(np.ndarray):
    """Columns by name, and those of text as names and positions too."""

    def codes(self, name):
        names, positions = np.unique(np.asarray(self[name], dtype=str), return_inverse=True)
        return tuple(names.tolist()), positions


@dataclass
class SequenceLog:
    """The part of a log that assessments read, computed by loops from the runs' precisions."""

    runs: np.ndarray
    precisions: list
    recommended: bool = False
    measurements: dict = field(default_factory=dict)
    provenances: tuple = ({},)

    @property
    def suites(self):
        usual = Measurement()
        return {
            name: SuiteFacts(name, "1", self.measurements.get(name, usual))
            for name in self.runs.codes("suite")[0]
        }

    @property
    def algorithms(self):
        return self.runs.codes("algorithm")[0]

    def __len__(self):
        return len(self.runs)

    def headers_of(self, rows):
        numbers, counts = np.unique(self.runs["header"][rows], return_counts=True)
        heads = [{"provenance": self.provenances[number]} for number in numbers]
        return list(zip(heads, counts.tolist(), strict=True))

    def target_units(self, rows):
        return np.ones(len(rows))

    def first_hits(self, rows, targets):
        hits = np.full((len(rows), len(targets)), np.nan)
        exact = np.ones(hits.shape, dtype=bool)
        for i, row in enumerate(rows):
            for j, target in enumerate(targets):
                k = grid_index(target)
                exact[i, j] = k is not None
                if k is None:
                    target = grid_value(int(np.floor(20 * np.log10(target))))
                for evaluation, precision in enumerate(self.precisions[row], 1):
                    if precision <= target:
                        hits[i, j] = evaluation
                        break
        return hits, exact

    def best_at(self, rows, evaluations):
        counts = np.broadcast_to(evaluations, (len(rows), np.shape(evaluations)[-1]))
        best = np.full(counts.shape, np.inf)
        for i, row in enumerate(rows):
            for j, count in enumerate(counts[i].tolist()):
                best[i, j] = min([np.inf, *self.precisions[row][:count]])
        return BestSoFar(best, best)


@pytest.fixture(scope="session")
def make_log():
    """A function: runs as dicts with ``precisions`` and what differs from the defaults -> log.

    What suites are measured by may be given by their names.
    """

    def make(runs, **measurements):
        rows = []
        for run in runs:
            full = {
                "algorithm": "a",
                "suite": "bbob",
                "suite_version": "1",
                "function": 1,
                "dimension": 2,
                "instance": 1,
                "repetition": 0,
                "stage": 0,
                "campaign_seed": 0,
                "status": "terminated",
                "reference_value": 0.0,
                "reference_name": "",
                "evaluations_constraints": 0,
                "wall_seconds": 0.0,
                "cpu_seconds": 0.0,
                "problem_seconds": 0.0,
                "header": 0,
                **run,
                "evaluations": run.get("evaluations", len(run["precisions"])),
            }
            full["group"] = run.get("group", "odd" if full["function"] % 2 else "even")
            full["best_precision"] = min([np.inf, *run["precisions"]])
            full["key"] = sha256(repr(sorted(run.items(), key=str)).encode()).hexdigest()[:32]
            rows.append(tuple(full[name] for name in _FIELDS))
        return SequenceLog(
            np.array(rows, dtype=list(_FIELDS.items())).view(CodedRuns),
            [run["precisions"] for run in runs],
            measurements=measurements,
        )

    return make


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


def dictated_problem(problem_id, optimal_value):
    """A problem whose value is the first coordinate, so that a caller dictates the values."""
    facts = ProblemFacts(
        name="dictated",
        group="odd" if problem_id.function % 2 else "even",
        lower_bounds=np.full(problem_id.dimension, -5.0),
        upper_bounds=np.full(problem_id.dimension, 5.0),
        optimal_value=optimal_value,
    )
    name = str(problem_id)
    return Problem(
        problem_id,
        facts,
        lambda x: float(as_point(x, problem_id.dimension, name)[0]),
        lambda x: x[:, 0].copy(),
    )


@pytest.fixture(scope="session")
def write_log():
    """A function: path, algorithm, [(problem id, optimal value, values), …] -> a log of the runs.

    The first half of the values is observed point by point, the second as one batch.
    """

    def write(path, algorithm, runs, record="targets"):
        problems = [dictated_problem(problem_id, optimum) for problem_id, optimum, _ in runs]
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
            (ProblemId("bbob", r["function"], r["dimension"], r["instance"]), 50.0, values)
            for r in random_runs(seed)
            for values in [50.0 + np.array(r["precisions"])]
        ]
        write_log(folder / f"{algorithm}.h5", algorithm, runs)
    return folder


@pytest.fixture(scope="session")
def loaded(log_folder):
    """The results of these logs."""
    return firsthit.load(log_folder)


PAIRS = SuiteFacts("pairs", "1", Measurement("hypervolume", (1.0, 0.1, 0.0, -0.1), None))


def entering(points):
    """Positions of the points that none before them dominates or equals."""
    kept = []
    for i, (first, second) in enumerate(points):
        if not any(points[j][0] <= first and points[j][1] <= second for j in kept):
            kept.append(i)
    return np.array(kept, dtype=int)


def run_of_pairs(algorithm, function, dimension, instance, points, kept="all"):
    """A run on two objectives that evaluates these points, scaled: 0 is ideal, 1 nadir."""
    ideal, nadir = np.array([10.0 * instance, -5.0]), np.array([10.0 * instance + 2, 45.0])
    enter = entering(points)
    if kept == "final":
        enter = np.array([
            i for i in enter if not any((points[j] <= points[i]).all() for j in enter if j != i)
        ])  # fmt: skip
    values = ideal + points * (nadir - ideal)
    precision = float(points.max(axis=1).min())
    return RunRecord(
        identity=RunIdentity(algorithm, ProblemId("pairs", function, dimension, instance)),
        suite=PAIRS,
        function_name=f"pair {function}",
        group="odd" if function % 2 else "even",
        reference_value=0.0,
        reference_name="made up",
        status="terminated",
        evaluations=len(points),
        best_precision=precision,
        hits=as_rows(HITS, [1.0], [1], [precision]),
        trajectory=as_rows(TRAJECTORY, [len(points)], [precision]),
        archive=as_rows(ARCHIVE, enter + 1, *values[enter].T)
        if kept != "none"
        else as_rows(ARCHIVE),
        archive_kept=kept,
        objectives=as_rows(OBJECTIVES, ideal, nadir),
    )


@pytest.fixture(scope="session")
def write_pairs():
    """A function: path, algorithm, dicts with the arguments of `run_of_pairs` -> a log of them."""

    def write(path, algorithm, runs):
        with LogWriter(path, LogHeader({algorithm: {}})) as writer:
            for run in runs:
                writer.add(run_of_pairs(algorithm, **run))
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
