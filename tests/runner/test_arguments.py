# ruff: noqa: E501
import functools

import numpy as np
import pytest

from firsthit.runner import OptimizerError
from firsthit.runner.optimizers.resolve import (
    OFFERED,
    optimizer_ref,
    plan_call,
    resolve_optimizer,
)

OFFER = {name: f"<{name}>" for name in OFFERED}


def called(function, offer=OFFER, /, **parameters):
    positional, named = plan_call(function, parameters, "it").arguments(offer)
    return function(*positional, **named)


def test_the_first_argument_is_the_problem_whatever_its_name():
    assert called(lambda f: f) == "<problem>"
    assert called(lambda objective, rng: (objective, rng)) == ("<problem>", "<rng>")
    assert called(lambda *everything: everything) == ("<problem>",)


def test_arguments_come_by_name_in_any_order():
    assert called(lambda x0, bounds: (x0, bounds)) == ("<x0>", "<bounds>")
    assert called(lambda seed, problem: (seed, problem)) == ("<seed>", "<problem>")
    assert called(lambda problem, *, budget, start: (budget, start)) == ("<budget>", "<start>")


def test_positional_only_arguments_are_passed_by_position():
    def solve(problem, x0, /, rng):
        return problem, x0, rng

    assert called(solve) == ("<problem>", "<x0>", "<rng>")


def test_what_is_on_offer_goes_before_a_default_but_nothing_does_not():
    def solve(problem, seed=5, budget=7, other=3):
        return seed, budget, other

    assert called(solve) == ("<seed>", "<budget>", 3)
    assert called(solve, {**OFFER, "budget": None}) == ("<seed>", 7, 3)


def test_parameters_go_before_what_is_on_offer():
    assert called(lambda problem, seed, popsize=3: (seed, popsize), seed=1, popsize=9) == (1, 9)


def test_keyword_dictionaries_receive_parameters_only():
    assert called(lambda problem, **rest: rest, a=1) == {"a": 1}


def test_partial_methods_and_objects():
    class Solver:
        def __call__(self, problem, rng):
            return problem, rng

        def method(self, problem):
            return problem

    assert called(Solver()) == ("<problem>", "<rng>")
    assert called(Solver().method) == "<problem>"
    assert called(functools.partial(lambda problem, k: (problem, k), k=2)) == ("<problem>", 2)


def test_a_required_argument_that_nobody_offers():
    with pytest.raises(
        OptimizerError,
        match=r"'<lambda>|lambda' requires the argument 'popsize'.*under 'parameters'.*on offer: problem, x0",
    ):
        resolve_optimizer(optimizer_ref(lambda problem, popsize: None))


def test_a_parameter_that_it_does_not_take():
    with pytest.raises(OptimizerError, match=r"unknown parameter 'pop'. Did you mean 'popsize'"):
        called(lambda problem, popsize=3: None, pop=1)


def test_callables_without_a_signature_receive_the_problem():
    assert plan_call(np.max, {}, "it").positional or True
    assert plan_call(print, {}, "print").positional == ("problem",)
