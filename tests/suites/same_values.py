"""Compare values of a problem up to rounding errors."""

import numpy as np

from firsthit.suites import Suite

OF_ONE = {16: 1e-8, 19: 1e-8, 23: 1e-8}
OF_TWO = {17: 1e-9, 18: 1e-9, 19: 1e-8, 23: 1e-8}
"""Functions of bbob that amplify rounding errors, alone and in pairs."""

NUMBERS = {problem.name: problem.function for problem in Suite("bbob", None, 2, 1)}
"""Number of each function of bbob, by its name."""


def pair_of(problem):
    """Return the numbers in bbob of the two functions of a problem with two objectives."""
    return [NUMBERS[name] for name in problem.name.split("/")]


def tolerance(problem):
    """Return the tolerance of a problem, or of each of its two objectives."""
    if problem.number_of_objectives == 2:
        return [OF_TWO.get(f, 1e-11) for f in pair_of(problem)]
    if problem.is_noisy:
        return 1e-8 if 125 <= problem.function <= 127 else 1e-11
    return 1e-11 if problem.number_of_constraints else OF_ONE.get(problem.function, 1e-11)


def assert_same_values(values, truth, problem):
    """Check that values agree up to the tolerance of the problem.

    Differences are relative to the largest of 1, the value, and its distance from the best value.
    """
    values, truth = np.array(values), np.array(truth)
    finite = np.isfinite(truth)
    assert np.array_equal(values[~finite], truth[~finite], equal_nan=True), problem.id
    best = problem.ideal_point if problem.number_of_objectives == 2 else problem.optimal_value
    values, truth = (np.where(finite, one, 0.0) for one in (values, truth))
    size = np.maximum(1, np.maximum(np.abs(truth), np.abs(truth - best)))
    assert np.all(np.abs(values - truth) <= tolerance(problem) * size), problem.id
