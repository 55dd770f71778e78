"""Three tiny suites with what bbob has not: two objectives, noise, constraints with integers.

Importing this file registers them, and the indicator of the first, once a process: tests import it,
and workers do by the path of the file in a campaign's ``imports:``.

``tiny-two``
    Two objectives, two spheres around 0 and 1. The indicator ``tiny-sum`` is the sum of both; the
    reference value is above its minimum ``dimension / 2``, so that precisions fall below 0. No
    final target.
``tiny-noise``
    A sphere, measured with Gaussian noise in the exponent. Final target 1e-2.
``tiny-integers``
    A sphere of two integers and continuous variables, two constraints. Final target 1e-3.
"""

import numpy as np

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
    """Values times ``exp(N / 10)``; one number is drawn for each."""
    return values * np.exp(0.1 * rng.standard_normal(len(values)))


def two_constraints(x):
    """The sum is at least 3; the first variable is at most 2."""
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
    """Register the three suites, unless they are."""
    if "tiny-two" in suite_names():
        return
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


class TinySum:
    """The sum of both objectives."""

    name = "tiny-sum"
    is_the_value = False
    is_at_least_the_value = False
    takes_measured_values = False

    def __init__(self, problem):
        from firsthit.loggers.targets.grid import SIGNED

        self.grid = SIGNED

    def measure(self, points, values):
        return values.sum(axis=1)


def register_tiny_indicator():
    """Register the indicator ``tiny-sum``, unless it is."""
    from firsthit.loggers import register_indicator
    from firsthit.loggers.indicators.registry import indicator_names

    if TinySum.name not in indicator_names():
        register_indicator(TinySum.name, TinySum)


register_tiny_suites()
register_tiny_indicator()
