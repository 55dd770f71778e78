"""The results of an independent reader equal firsthit's.

`independent_reader` was written from the texts in log files alone. So these texts are sufficient
to compute average runtimes, runtime profiles, best values, seeds, budgets and versions."""

from pathlib import Path

import numpy as np
import pytest

import firsthit
from firsthit.loggers import import_data, read_log, write_coco

from . import independent_reader as independent

GOLDEN = sorted((Path(__file__).parent / "golden").glob("2.2-*.h5"))


def walk(problem, seed):
    """A random walk around the best point, with the constraints after the objective."""
    rng = np.random.default_rng(seed)
    low, high = problem.lower_bounds, problem.upper_bounds
    integers = problem.number_of_integer_variables
    best, x, size = np.inf, rng.uniform(low, high), 1.0
    while True:
        candidate = np.clip(x + size * rng.standard_normal(len(x)) * (high - low) / 4, low, high)
        candidate[:integers] = np.round(candidate[:integers])
        value = np.sum(problem(candidate))
        if problem.number_of_constraints:
            value += 10 * np.maximum(problem.constraint(candidate), 0).sum()
        size *= 1.2 if value < best else 0.95
        if value < best:
            best, x = value, candidate


WALK = {"walk": walk, "random": "random-search"}
LOGS = {
    "stages": (
        {"walk": walk, "nm": "scipy:Nelder-Mead"},
        "bbob",
        {
            "functions": [1, 8],
            "dimensions": 2,
            "instances": "1-2",
            "repetitions": 2,
            "budget": "[20, 100, 300]*D",
        },
    ),
    "two objectives": (
        WALK,
        "bbob-biobj",
        {"functions": [1, 2], "dimensions": 2, "instances": "1-2", "budget": "100*D"},
    ),
    "constraints": (
        WALK,
        "bbob-constrained",
        {"functions": [1, 9], "dimensions": 2, "instances": "1-3", "budget": "150*D f+g"},
    ),
    "pbo": (
        WALK,
        "pbo",
        {"functions": [1, 2, 18], "dimensions": 16, "instances": "1-2", "budget": 200},
    ),
    # f18 has no reference value in 100 dimensions
    "no reference value": (
        WALK,
        "pbo",
        {"functions": [1, 18], "dimensions": 100, "instances": "1-2", "budget": 100},
    ),
    "measured clock": (
        WALK,
        "bbob",
        {"functions": 1, "dimensions": 2, "instances": "1-3", "budget": 100, "clock": "measured"},
    ),
}


def make_log(kind, folder):
    """Make a log of one kind; "imported" is COCO's data of "constraints"."""
    optimizers, suite, options = LOGS["constraints" if kind == "imported" else kind]
    path = folder / "log.h5"
    firsthit.benchmark(optimizers, suite, seed=5, output=path, **options)
    if kind != "imported":
        return path
    write_coco(read_log(path), folder / "coco")
    return import_data(folder / "coco", folder / "imported.h5").path


@pytest.mark.slow
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_logs_of_this_version(path):
    check_log(path)


@pytest.mark.parametrize("kind", [*LOGS, "imported"])
def test_logs_of_each_kind(kind, tmp_path):
    path = make_log(kind, tmp_path)
    shares = check_log(path)
    assert 0 < shares.mean() < 1  # so that hits and misses are compared


def check_log(path):
    """Compare everything with firsthit; return shares of the runs that hit a target."""
    check_single_runs(path)
    check_versions(path)
    check_profiles(path)
    return check_average_runtimes(path)


def check_single_runs(path):
    runs = {run.key: run for run in independent.read_all_rows(path)}
    log = read_log(path)
    assert sorted(runs) == sorted(log.runs.key.tolist())
    for row, key in enumerate(log.runs.key.tolist()):
        run = runs[key]
        for name in (*SAME_NAMES, *independent.NUMBERS):
            assert getattr(run, name) == log.runs[name][row], name
        assert (run.seed or 0) == log.runs.seed[row]
        assert (-1 if run.budget is None else run.budget) == log.runs.budget[row]
        assert np.array_equal(run.reference_value, log.runs.reference_value[row], equal_nan=True)
        point = [] if run.best_point is None else run.best_point
        assert np.array_equal(point, log.best_solution(row))


SAME_NAMES = ("algorithm", "suite", "status", "record", "archive_kept", "best_precision")


def check_versions(path):
    versions, log = independent.versions(path), read_log(path)
    provenance = log.headers[0]["provenance"]
    if not log.headers[0]["campaign"]:  # imported data, of the log that was made before
        provenance = read_log(path.with_name("log.h5")).headers[0]["provenance"]
    assert versions["writer_version"] == provenance["writer_version"]
    assert versions["schema"] == "2.2"
    assert versions["suites"] == {name: suite.version for name, suite in log.suites.items()}
    assert versions["headers"] == [
        header["provenance"].get("versions", {}) for header in log.headers
    ]


def check_profiles(path):
    table = firsthit.load(path).ecdf(count="f+g", runtimes="runs")
    curves = {}
    for algorithm, suite, dimension, _, budget, share in table.rows():
        curves.setdefault((algorithm, suite, dimension), []).append((budget, share))
    assert curves.keys() == independent.runtime_profile(path, [1]).keys()
    for curve, points in curves.items():
        budgets, shares = np.transpose(points)
        own = independent.runtime_profile(path, budgets * (1 + 1e-12))[curve]
        np.testing.assert_allclose(own, shares, rtol=0, atol=1e-12)


def check_average_runtimes(path):
    """Compare all targets; with pbo, those that tables show by default."""
    (targets,) = independent.suite_targets(path).values()
    runs = independent.read_runs(path)
    units = {(run.function, run.dimension): run.target_unit for run in runs}
    are_scaled = set(units.values()) != {1.0}
    table = firsthit.load(path).art(count="f+g", targets=None if are_scaled else targets)
    own = independent.average_runtimes(path)
    shares = []
    for algorithm, suite, function, dimension, shown, art, hits, count, _ in table.rows():
        products = units[function, dimension] * np.array(targets)
        target = targets[np.argmin(abs(products - shown))]
        assert shown == pytest.approx(target * units[function, dimension], rel=1e-8)
        assert own[algorithm, suite, function, dimension, target] == pytest.approx(art, rel=1e-12)
        shares.append(hits / count)
    assert are_scaled or len(shares) == len(own)
    return np.array(shares)
