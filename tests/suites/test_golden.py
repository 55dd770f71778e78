"""Values of all suites are the stored ones of cocoex, point by point."""

import csv

import numpy as np
import pytest

from firsthit.suites import Suite, suite_names

from ..golden.make_values import FILE, SUITES, points
from .coco_stream import CocoStream, kind_of
from .same_values import assert_same_values
from .some_functions import some_functions


def stored(name):
    """Function, dimension and instance of a suite with the name and the numbers of a fact."""
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["suite"] == name:
                place = [int(row[column]) for column in ("function", "dimension", "instance")]
                yield place, row["name"], np.array(row["numbers"].split(), dtype=float)


def test_all_suites_of_coco_are_stored():
    assert set(SUITES) == {name for name in suite_names() if name.startswith("bbob")}


def check(name, functions):
    """The chosen functions; what was evaluated before them decides the noise of the others."""
    rows = list(stored(name))
    kinds = [kind_of(function) for (function, *_), *_ in rows for _ in range(3)]
    compared = set()
    for number, (place, fact, truth) in enumerate(rows):
        if place[0] not in functions:
            continue
        problem = Suite(name, *place)[0]
        x = points(problem.lower_bounds, problem.upper_bounds)
        compared.add(problem.function)
        if fact == "values":
            draws = CocoStream(kinds, 3 * number)
            values = [problem.noisy(p, draws) if problem.is_noisy else problem(p) for p in x]
            assert_same_values(values, truth.reshape(np.shape(values)), problem)
        elif fact == "nadir":
            assert_same_values(problem.nadir_point, truth, problem)
        elif fact == "start":
            assert problem.initial_solution == pytest.approx(truth, rel=1e-11), problem.id
        else:
            values = np.ravel([problem.constraint(p) for p in x])
            assert values == pytest.approx(truth, rel=1e-11, abs=1e-11), problem.id
    assert compared == set(functions)


@pytest.mark.parametrize("name", SUITES)
def test_values_are_the_stored_ones(name):
    check(name, some_functions(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_values_of_all_functions_are_the_stored_ones(name):
    check(name, Suite(name).functions)
