"""When two values of a problem are equal up to rounding."""

import numpy as np

from firsthit.suites.biobj.pairs import PAIRS

OF_ONE = {16: 1e-8, 19: 1e-8, 23: 1e-8}
OF_TWO = {17: 1e-9, 18: 1e-9, 19: 1e-8, 23: 1e-8}
"""Functions of bbob that amplify rounding errors, alone and in pairs."""


def tolerance(problem):
    """1e-11, or what is known of its functions."""
    if problem.number_of_objectives == 2:
        return [OF_TWO.get(f, 1e-11) for f in PAIRS[problem.function - 1]]
    if problem.is_noisy:
        return 1e-8 if 125 <= problem.function <= 127 else 1e-11
    return 1e-11 if problem.number_of_constraints else OF_ONE.get(problem.function, 1e-11)


def assert_same_values(values, truth, problem):
    """Relative to 1, the value, or its distance from the best value where the two cancel."""
    values, truth = np.array(values), np.array(truth)
    finite = np.isfinite(truth)
    assert np.array_equal(values[~finite], truth[~finite], equal_nan=True), problem.id
    best = problem.ideal_point if problem.number_of_objectives == 2 else problem.optimal_value
    values, truth = (np.where(finite, one, 0.0) for one in (values, truth))
    size = np.maximum(1, np.maximum(np.abs(truth), np.abs(truth - best)))
    assert np.all(np.abs(values - truth) <= tolerance(problem) * size), problem.id
