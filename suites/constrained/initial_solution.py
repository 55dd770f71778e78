"""Where runs on bbob-constrained start: the feasible point that ``T`` maps onto ``fd``."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .instances import Instance

Array = NDArray[np.float64]


def initial_solution(instance: Instance) -> Array:
    """``xopt + T^-1(fd)``, shape ``(dimension,)``; ``fd`` is halved until it is in the box."""
    direction = instance.direction
    while True:
        start = instance.xopt + _inverse(instance, direction)
        if np.all(np.abs(start) < 5.0):
            return start
        direction = direction / 2


def _inverse(instance: Instance, y: Array) -> Array:
    beta = instance.kind.asymmetry
    if beta:
        steps = beta * np.arange(len(y)) / (len(y) - 1)
        y = np.array([_solve(partial(_asymmetry, e), v) for e, v in zip(steps, y, strict=True)])
    if instance.kind.oscillates:
        y = np.array([_solve(_oscillation, v) for v in y])
    return y


def _solve(function: Callable[[float], float], value: float) -> float:
    """Where an increasing function that keeps signs has this value, by Brent's method.

    The tolerances are COCO's, so that starts agree with its.
    """
    from scipy.optimize import brentq

    if value == 0.0 or function(value) == value:
        return value
    other = value
    stretch = 2.0 if abs(function(value)) < abs(value) else 0.5
    while (abs(function(other)) < abs(value)) == (stretch == 2.0):
        other *= stretch
    root: float = brentq(
        lambda x: function(x) - value, *sorted((value, other)), xtol=1e-14, rtol=1e-10
    )
    return root


def _asymmetry(exponent: float, x: float) -> float:
    return x ** (1 + exponent * math.sqrt(x)) if x > 0 else x


def _oscillation(x: float) -> float:
    t = math.log(abs(x)) / 0.1
    fast, slow = (1.0, 0.79) if x > 0 else (0.55, 0.31)
    return math.copysign(math.exp(t + 0.49 * (math.sin(fast * t) + math.sin(slow * t))) ** 0.1, x)
