"""Arguments that an optimizer asks for by name."""

# ruff: noqa: E501
import functools

import numpy as np
import pytest

from firsthit.loggers import ObservedProblem
from firsthit.runner import OptimizerError

from .conftest import run_with


def received(function, budget=500, **parameters):
    """Return what an optimizer returns when a run calls it first.

    Args:
        function: The optimizer. It makes no evaluation, so that its run fails.
        budget: Evaluations; None: no budget.
        **parameters: Parameters of the optimizer.
    """
    results = []

    @functools.wraps(function)
    def keep(*positional, **named):
        results.append(function(*positional, **named))

    run = run_with(keep, budget, parameters=parameters)
    assert results, run.error
    return results[0]


def is_problem(value):
    return isinstance(value, ObservedProblem)


def test_the_first_argument_is_the_problem_whatever_its_name():
    assert is_problem(received(lambda f: f))
    problem, rng = received(lambda objective, rng: (objective, rng))
    assert is_problem(problem)
    assert isinstance(rng, np.random.Generator)
    [problem] = received(lambda *everything: everything)
    assert is_problem(problem)


def test_arguments_come_by_name_in_any_order():
    x0, bounds = received(lambda x0, bounds: (x0, bounds))
    assert x0.shape == (3,)
    assert [tuple(pair) for pair in bounds] == [(-5.0, 5.0)] * 3
    lower, upper = received(lambda upper_bounds, lower_bounds: (lower_bounds, upper_bounds))
    assert (lower.tolist(), upper.tolist()) == ([-5.0] * 3, [5.0] * 3)
    seed, problem = received(lambda seed, problem: (seed, problem))
    assert seed >= 1
    assert is_problem(problem)
    budget, start, dimension = received(
        lambda problem, *, dimension, budget, start: (budget, start, dimension)
    )
    assert (budget, start, dimension) == (500, 0, 3)


def test_positional_only_arguments_are_passed_by_position():
    def solve(problem, x0, /, rng):
        return problem, x0, rng

    problem, x0, rng = received(solve)
    assert is_problem(problem)
    assert x0.shape == (3,)
    assert isinstance(rng, np.random.Generator)


def test_what_is_on_offer_goes_before_a_default_but_nothing_does_not():
    def solve(problem, start=5, budget=7, other=3):
        return start, budget, other

    assert received(solve) == (0, 500, 3)
    assert received(solve, budget=None) == (0, 7, 3)


def test_parameters_go_before_what_is_on_offer():
    values = received(lambda problem, seed, popsize=3: (seed, popsize), seed=-1, popsize=9)
    assert values == (-1, 9)


def test_keyword_dictionaries_receive_parameters_only():
    assert received(lambda problem, **rest: rest, a=1) == {"a": 1}


def test_partial_methods_and_objects():
    calls = []

    class Solver:
        def __call__(self, problem, rng):
            calls.append((problem, type(rng)))

        def method(self, problem):
            calls.append((problem, "method"))

    partial = functools.partial(lambda problem, k: calls.append((problem, k)), k=2)
    for optimizer in (Solver(), Solver().method, partial):
        run_with(optimizer)
    values = list(dict.fromkeys(value for _, value in calls))  # a run calls an optimizer repeatedly
    assert values == [np.random.Generator, "method", 2]
    assert all(is_problem(problem) for problem, _ in calls)


def test_a_required_argument_that_nobody_offers():
    with pytest.raises(
        OptimizerError,
        match=r"'<lambda>|lambda' requires the argument 'popsize'.*under 'parameters'.*on offer: problem, x0",
    ):
        run_with(lambda problem, popsize: None)


def test_a_parameter_that_it_does_not_take():
    with pytest.raises(OptimizerError, match=r"unknown parameter 'pop'. Did you mean 'popsize'"):
        run_with(lambda problem, popsize=3: None, parameters={"pop": 1})


@pytest.mark.parametrize(
    ("function", "error"), [(max, "'ObservedProblem' object is not iterable"), (print, "evaluat")]
)
def test_callables_without_a_signature_receive_the_problem(function, error):
    assert error in run_with(function).error
