"""Three tiny suites with properties that bbob lacks: two objectives, noise, and constraints.

Importing this module registers the suites and the indicator of the first one, once in a process.
Tests import it; worker processes import it by its path in ``imports:`` of a campaign.

``tiny-two``
    Two objectives, spheres around 0 and 1. The indicator ``tiny-sum`` is the sum of both. The
    reference value is above its minimum ``dimension / 2``, so that precisions fall below 0. There
    is no final target.
``tiny-noise``
    A sphere, measured with Gaussian noise in the exponent. Final target 1e-2.
``tiny-integers``
    A sphere of two integers and continuous variables, two constraints. Final target 1e-3.
"""

import numpy as np

from firsthit.loggers import Indicator, register_indicator
from firsthit.suites import problem_from, register_suite, suite_names

TWO_TARGETS = (10.0, 1.0, 0.1, 0.0, -0.1, -1.0)


def two_spheres(x):
    return np.array([x @ x, (x - 1) @ (x - 1)])


def two_spheres_of_rows(X):
    return np.column_stack([(X**2).sum(axis=1), ((X - 1) ** 2).sum(axis=1)])


def sphere(x):
    return float(x @ x)


def sphere_of_rows(X):
    return (X**2).sum(axis=1)


def gauss(points, values, rng):
    """Multiply each value by ``exp(N / 10)``, with one normal number ``N`` for each value."""
    return values * np.exp(0.1 * rng.standard_normal(len(values)))


def two_constraints(x):
    """Return the violations of two constraints: the sum is at least 3, and ``x[0]`` at most 2."""
    return [3 - x.sum(), x[0] - 2]


def make_two(function, dimension, instance):
    return problem_from(
        two_spheres, dimension, name="two spheres", objectives=2, batch=two_spheres_of_rows,
        reference_value=dimension / 2 + 0.25 * instance, lower_bounds=-2.0, upper_bounds=3.0,
    )  # fmt: skip


def make_noise(function, dimension, instance):
    return problem_from(
        sphere, dimension, name="noisy sphere", instance=instance, transformation="shift",
        optimal_value=0.0, optimal_solution=0.0, batch=sphere_of_rows, noise=gauss,
    )  # fmt: skip


def make_integers(function, dimension, instance):
    optimum = np.array([2.0, 1.0] if dimension == 2 else [1.0, 1.0, 1.0])
    return problem_from(
        sphere, dimension, name="sphere of integers", integer_variables=2,
        lower_bounds=-4.0, upper_bounds=4.0, constraint=two_constraints, number_of_constraints=2,
        optimal_value=float(optimum @ optimum), optimal_solution=optimum, batch=sphere_of_rows,
    )  # fmt: skip


def register_tiny_suites():
    """Register the three suites and the indicator."""
    register_indicator(TinySum.name, TinySum)
    numbers = {"functions": 1, "dimensions": [2, 3], "instances": "1-3"}
    register_suite(
        "tiny-two", **numbers, indicator="tiny-sum", targets=TWO_TARGETS, final_target=None
    )(make_two)
    register_suite("tiny-noise", **numbers, targets=[10.0, 1.0, 0.1, 0.01], final_target=0.01)(
        make_noise
    )
    register_suite(
        "tiny-integers", **numbers, targets=[10.0, 1.0, 0.1, 0.01, 0.001], final_target=0.001
    )(make_integers)  # fmt: skip


class TinySum(Indicator):
    """Indicator that sums both objectives."""

    name = "tiny-sum"
    grid = Indicator.signed_targets

    def __init__(self, problem):
        pass

    def measure(self, points, values):
        return values.sum(axis=1)


if "tiny-two" not in suite_names():
    register_tiny_suites()
