"""Values of all suites are the stored ones of cocoex, point by point."""

import csv

import numpy as np
import pytest

from firsthit.suites import Suite, suite_names

from ..golden.make_values import FILE, SUITES, points
from .coco_stream import CocoStream, kind_of
from .same_values import assert_same_values


def stored(name):
    """Problems of a suite with the name and the numbers of a fact."""
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["suite"] == name:
                numbers = (int(row[column]) for column in ("function", "dimension", "instance"))
                truth = np.array(row["numbers"].split(), dtype=float)
                yield Suite(name, *numbers)[0], row["name"], truth


def test_all_suites_of_coco_are_stored():
    assert set(SUITES) == {name for name in suite_names() if name.startswith("bbob")}


OFTEN = [
    pytest.param(name, marks=pytest.mark.slow) if name == "bbob-largescale" else name
    for name in SUITES
]
"""The kernels of one suite take as long to compile as those of all others."""


@pytest.mark.parametrize("name", OFTEN)
def test_values_are_the_stored_ones(name):
    rows = list(stored(name))
    draws = CocoStream(kind_of(problem.function) for problem, *_ in rows for _ in range(3))
    compared = set()
    for problem, fact, truth in rows:
        x = points(problem.lower_bounds, problem.upper_bounds)
        compared.add((problem.function, fact))
        if fact == "values":
            values = [problem.noisy(p, draws) if problem.is_noisy else problem(p) for p in x]
            assert_same_values(values, truth.reshape(np.shape(values)), problem)
        elif fact == "nadir":
            assert_same_values(problem.nadir_point, truth, problem)
        elif fact == "start":
            assert problem.initial_solution == pytest.approx(truth, rel=1e-11), problem.id
        else:
            values = np.ravel([problem.constraint(p) for p in x])
            assert values == pytest.approx(truth, rel=1e-11, abs=1e-11), problem.id
    assert {function for function, _ in compared} == set(Suite(name).functions)
