"""Values of all suites are the stored ones of cocoex, point by point; tests/golden made them."""

import csv
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from firsthit.suites import Suite
from firsthit.suites.biobj.pairs import PAIRS

GOLDEN = Path(__file__).parents[1] / "golden"


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


coco_stream = module(Path(__file__).with_name("coco_stream.py"))


def stored(name, suite=None):
    """Rows of a file of stored values, each with its problem; the suite unless a column tells."""
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            numbers = (int(row[column]) for column in ("function", "dimension", "instance"))
            yield row, Suite(row.get("suite", suite), *numbers)[0]


def assert_same_values(values, truth, problem, tolerance=1e-11):
    """Relative to 1, the value, or its distance from the best value where the two cancel."""
    values, truth = np.array(values), np.array(truth)
    finite = np.isfinite(truth)
    assert np.array_equal(values[~finite], truth[~finite], equal_nan=True), problem.id
    best = problem.ideal_point if problem.number_of_objectives == 2 else problem.optimal_value
    values, truth = (np.where(finite, one, 0.0) for one in (values, truth))
    size = np.maximum(1, np.maximum(np.abs(truth), np.abs(truth - best)))
    assert np.all(np.abs(values - truth) <= tolerance * size), problem.id


def of_bbob(function):
    return 1e-8 if function in (16, 19, 23) else 1e-11


def numbers_of(row, names):
    return [float.fromhex(row[name]) for name in names]


def test_bbob():
    points = module(GOLDEN / "make_bbob.py").points
    problems = 0
    for row, problem in stored("bbob", "bbob"):
        values = [problem(x) for x in points(problem.function, problem.dimension)]
        truth = numbers_of(row, ("inside", "outside", "corner"))
        assert_same_values(values, truth, problem, of_bbob(problem.function))
        problems += 1
    assert problems == 24 * 6 * 6


def test_boxed_largescale_and_mixint():
    points = module(GOLDEN / "make_suites.py").points
    problems = 0
    for row, problem in stored("suites"):
        values = [problem(x) for x in points(problem.lower_bounds, problem.upper_bounds)]
        truth = numbers_of(row, ("first", "second", "third"))
        assert_same_values(values, truth, problem, of_bbob(problem.function))
        problems += 1
    assert problems == 3 * 24 * 2 * 2


def test_two_objectives():
    maker = module(GOLDEN / "make_biobj.py")
    amplifying = {17: 1e-9, 18: 1e-9, 19: 1e-8, 23: 1e-8}
    problems = 0
    for row, problem in stored("biobj"):
        x = maker.points(problem.lower_bounds, problem.upper_bounds)
        values = [*(problem(point) for point in x), problem.nadir_point]
        truth = np.reshape(numbers_of(row, maker.COLUMNS), (-1, 2))
        allowed = [amplifying.get(f, 1e-11) for f in PAIRS[problem.function - 1]]
        assert_same_values(values, truth, problem, allowed)
        problems += 1
    assert problems == 55 + 92 + 92


def test_noise():
    """All from one stream of random numbers, in the order of the file."""
    point = module(GOLDEN / "make_noisy_and_constrained.py").point
    rows = list(stored("noisy", "bbob-noisy"))
    assert len(rows) == 30 * 2 * 2
    stream = coco_stream.CocoStream(coco_stream.kind_of(p.function) for _, p in rows)
    for row, problem in rows:
        value = problem.noisy(point(problem.dimension, int(row["point"])), stream)
        allowed = 1e-8 if 125 <= problem.function <= 127 else 1e-11
        assert value == pytest.approx(float(row["measured"]), rel=allowed, abs=allowed), problem.id


def test_constraints():
    point = module(GOLDEN / "make_noisy_and_constrained.py").point
    rows = list(stored("constrained", "bbob-constrained"))
    assert len(rows) == 54 * 2 * 2 * 2
    for row, problem in rows:
        x = point(problem.dimension, int(row["point"]))
        for value, text in (
            (problem(x), row["value"]),
            (problem.constraint(x), row["constraints"]),
            (problem.initial_solution, row["initial_solution"]),
        ):
            truth = np.array(text.split(), dtype=float)
            assert np.ravel(value) == pytest.approx(truth, rel=1e-11, abs=1e-11), problem.id
