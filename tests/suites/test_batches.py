"""Batches have the same values before and after they are compiled, and those of single points.

Private names: kernels are compiled anew in chosen ways.
"""

import math

import numpy as np
import pytest

from firsthit.suites import Suite, problem_from, suite_names, with_threads
from firsthit.suites.compiled import compilation, wrappers
from firsthit.suites.compiled.compilation import compile_batches
from firsthit.suites.suite import definition

from .same_values import pair_of

SUITES = [name for name in suite_names() if definition(name).is_built_in]
MIXED = "ma-bbob"
"""Its means of logarithms are NumPy's for batches, and the C library's for single points."""


@pytest.fixture
def uncompiled(monkeypatch):
    """No batches were evaluated in this process, and nothing for them is found on the disk."""
    monkeypatch.setattr(compilation, "_coordinates_seen", {})
    monkeypatch.setattr(compilation, "_is_on_disk", lambda function: False)


def sample(problem, count):
    """Points in and around the box, NaN and infinity in some; or bits."""
    if problem.is_binary:
        return np.random.default_rng(count).integers(0, 2, (count, problem.dimension)) * 1.0
    width = problem.upper_bounds - problem.lower_bounds
    x = np.random.default_rng(count).uniform(
        problem.lower_bounds - width / 9, problem.upper_bounds + width / 9,
        (count, problem.dimension),
    )  # fmt: skip
    x[5:6, 0], x[-3:-2, 1] = np.nan, np.inf
    return x


def values(problem, x):
    """Values, constraints and measured values of a batch."""
    return [problem(x), problem.constraint(x), problem.noisy(x, np.random.default_rng(1))]


def single_values(problem, x):
    """The same of one point after the other."""
    rng = np.random.default_rng(1)
    return [
        [problem(point) for point in x],
        [problem.constraint(point) for point in x],
        [problem.noisy(point, rng) for point in x],
    ]


def check(name, functions, counts):
    suite = definition(name)
    dimensions = [suite.dimensions[0], next(d for d in suite.dimensions if d >= 5)]
    for problem in Suite(name, functions, dimensions, 1):
        points = [sample(problem, count) for count in counts]
        before = [values(problem, x) for x in points]
        compile_batches(problem)
        for x, early in zip(points, before, strict=True):
            late = values(problem, x)
            for one, other in zip(early, late, strict=True):
                assert np.array_equal(one, other, equal_nan=True), problem.id
            if len(x) and name != MIXED:
                for one, other in zip(single_values(problem, x), late, strict=True):
                    assert np.array_equal(one, other, equal_nan=True), problem.id


def test_of_one_function(uncompiled):
    check("bbob", 1, [0, 1, 70])


def of_few_kernels(name):
    """Functions made of the first and fourteenth of bbob: compiling is what takes long."""
    if definition(name).objectives == 2:
        dimension = definition(name).dimensions[0]
        return [p.function for p in Suite(name, None, dimension, 1) if {*pair_of(p)} <= {1, 14}]
    return (101, 119) if name == "bbob-noisy" else (1, 14)


@pytest.mark.slow
@pytest.mark.parametrize("name", SUITES)
def test_of_some_functions(name, uncompiled):
    few = [one for one in of_few_kernels(name) if one in definition(name).functions]
    check(name, few, [0, 65, 130])


def test_a_kernel_is_compiled_for_batches_when_it_has_seen_enough(uncompiled, monkeypatch):
    compiled = []
    one = compilation.compile_kernel
    monkeypatch.setattr(
        compilation, "compile_kernel",
        lambda template, kernel: compiled.append(template) or one(template, kernel),
    )  # fmt: skip
    first, second = Suite("bbob", 1, [2, 5], 1)
    half = np.zeros((math.ceil(compilation.BATCH_COMPILATION_COORDINATES / 2 / 5), 5))
    second(half[:-1])
    first(half[:, :2])
    assert set(compiled) == {wrappers.point_wrapper_template}
    second(half)
    assert compiled[-1] is wrappers.batch_wrapper_template


def test_threads_share_a_problem_before_and_after(uncompiled):
    problem = Suite("bbob", 1, 5, 1)[0]
    threaded, x = with_threads(problem, 4), sample(problem, 4000)
    expected = [problem(point) for point in x]
    for _ in range(3):
        assert np.array_equal(threaded(x), expected, equal_nan=True)
        compile_batches(problem)


def test_problems_of_other_kinds_may_be_asked_to_compile():
    compile_batches(problem_from(lambda x: float(x @ x), 640))
