"""Optimizers that evaluate, return or raise unusual values."""

import os

import numpy as np
from kinds import kind, quietly, ten


@kind("terminated")
def evaluates_nonsense(problem, x0):
    ten(problem)
    for invalid in ("x", None, x0[:-1], x0 * 1j, [x0, x0[:-1]], np.zeros((2, 2, 2)), {}, object()):
        try:
            problem(invalid)
        except Exception:
            continue
        raise AssertionError(f"{invalid!r} was evaluated")


@kind("terminated", uncalled=3)
def evaluates_not_a_number(problem, x0):
    for value in (np.nan, np.inf, -np.inf):
        quietly(problem, x0 * 0 + value)


@kind("terminated")
def overwrites_its_points(problem):
    x = np.zeros(problem.dimension)
    for i in range(10):
        x[:] = 1 + i
        problem(x)
        x[:] = np.nan


class Hostile:
    @property
    def message(self):
        raise RuntimeError("no message for you")


@kind("failed", "RuntimeError: no message for you")
def returns_what_cannot_be_read(problem):
    ten(problem)
    return Hostile()


class Text(str):
    def __reduce__(self):
        return os._exit, (9,)


@kind("failed", "Mute")
def raises_what_cannot_be_told(problem):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("cannot be told")

    ten(problem)
    raise Mute


@kind("failed", "ValueError: bomb")
def raises_what_must_not_be_unpickled(problem):
    ten(problem)
    raise ValueError(Text("bomb"))
