"""The forward differences of SciPy's methods: the points and results equal those of SciPy's own."""

import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from scipy.optimize import NonlinearConstraint, minimize

from firsthit.suites import Suite, problem_from

from .conftest import benchmark, content_of

OPTIONS = {
    "L-BFGS-B": {"maxiter": 10**9, "maxfun": 10**9, "ftol": 1e-14, "gtol": 1e-9},
    "TNC": {"maxfun": 10**9, "ftol": 1e-14, "gtol": 1e-9, "xtol": 0.0},
    "SLSQP": {"maxiter": 10**9, "ftol": 1e-13},
    "BFGS": {"maxiter": 10**9, "gtol": 1e-9},
    "CG": {"maxiter": 10**9, "gtol": 1e-9},
}
METHODS = tuple(OPTIONS)
WITHOUT_BOUNDS = ("BFGS", "CG")
pytestmark = pytest.mark.filterwarnings(
    "ignore:Values in x were outside bounds:RuntimeWarning"  # SLSQP of SciPy 1.14
)


def minimize_by_scipy(method, **parameters):
    """Return an optimizer that calls SciPy with the options of the built-in optimizer."""

    def solve(problem, x0, bounds):
        return minimize(
            problem, x0, method=method, options=OPTIONS[method] | parameters,
            bounds=None if method in WITHOUT_BOUNDS else bounds,
            constraints=constraints_of(problem),
        )  # fmt: skip

    return solve


def constraints_of(problem):
    """Return the constraints for SciPy, with one evaluation for each point."""

    @cache
    def evaluate(point):
        return problem.constraint(np.frombuffer(point))

    if not problem.number_of_constraints:
        return ()
    return NonlinearConstraint(lambda x: evaluate(x.tobytes()).copy(), -np.inf, 0.0)


def compare(method, problems, budget="100*D", **parameters):
    """Assert that the logs of the built-in optimizer and of SciPy are equal."""
    contents = []
    for optimizer, options in (
        (f"scipy:{method}", {"parameters": parameters}),
        (minimize_by_scipy(method, **parameters), {}),
    ):
        log = benchmark(
            optimizer, problems, budget=budget, algorithm="a", record="improvements", **options
        )
        assert "failed" not in log.runs["status"]
        contents.append(content_of(log))
    assert contents[0] == contents[1]


@pytest.mark.parametrize("method", METHODS)
def test_logs_equal_those_of_scipy(method):
    """Every evaluation that improves is in the log, as well as each end and each restart."""
    compare(method, Suite("bbob", [5, 8, 21], [2, 5], 1))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_logs_on_all_functions_equal_those_of_scipy(method):
    compare(method, Suite("bbob", dimensions=[2, 3, 10], instances=1), "300*D")
    compare(method, Suite("bbob-mixint", functions=[1, 8], dimensions=5, instances=1), "300*D")


def test_logs_with_constraints_equal_those_of_scipy():
    compare("SLSQP", Suite("bbob-constrained", [1, 2, 9], [2, 5], 1), "300*D")


BOXES = {
    "usual": (-5.0, 5.0),
    "optimum at bounds": (-1.0, 0.5),
    "smaller than the step": (0.0, 4e-9),
    "large numbers": (6e9, 1e10),
    "far negative numbers": (-1e10, -6e9),
    "three kinds": ([-1.0, 0.0, 6e9], [0.5, 4e-9, 1e10]),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("box", BOXES)
def test_points_equal_those_of_scipy(method, box):
    """All points, in their order, in boxes in which differences are taken in different ways."""
    low, high = BOXES[box]
    center = np.array([1.0, -2.0, 0.5])
    points = []

    def function(x):
        points.append(x.tolist())
        scaled = x / (1.0 + np.abs(x).max() / 10)
        return float(((scaled - center) ** 2).sum() + scaled[0] * scaled[1])

    problem = problem_from(function, 3, lower_bounds=low, upper_bounds=high, optimal_value=-1e9)
    compare(method, [problem], 200)
    first, second = points[: len(points) // 2], points[len(points) // 2 :]
    assert len(first) > 20
    assert first == second


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("L-BFGS-B", {"eps": 1e-5}),
        ("L-BFGS-B", {"finite_diff_rel_step": 1e-6}),
        ("L-BFGS-B", {"maxfun": 30}),
        ("L-BFGS-B", {"maxiter": 3, "maxcor": 2, "maxls": 3}),
        ("TNC", {"eps": [1e-5, 1e-6, 1e-7]}),
        ("TNC", {"maxfun": 10, "rescale": 0.0}),
        ("SLSQP", {"maxiter": 4}),
        ("BFGS", {"xrtol": 1e-3}),
        ("CG", {"eps": 1e-4}),
    ],
)
def test_logs_with_options_equal_those_of_scipy(method, parameters):
    compare(method, Suite("bbob", [8, 15], 3, 1), 300, **parameters)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e308])
@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_logs_with_values_that_are_not_finite_equal_those_of_scipy(value):
    function = lambda x: value if x[0] > 0.5 else float((x**2).sum())  # noqa: E731
    problem = problem_from(function, 3, lower_bounds=-5.0, upper_bounds=5.0, optimal_value=0.0)
    for method in ("L-BFGS-B", "TNC"):
        compare(method, [problem], 300)


SCIPY_WITH_OTHER_POINTS = """
import numpy as np
import scipy.optimize._differentiable_functions as functions
from scipy.optimize import minimize

approx_derivative = functions.approx_derivative

def take_larger_steps(fun, x0, **options):
    return approx_derivative(fun, x0, **{**options, "abs_step": 1e-4})

functions.approx_derivative = take_larger_steps

import firsthit

points = []

def function(x):
    points.append(x.tolist())
    return float((x**2).sum())

problem = firsthit.problem_from(function, 2, lower_bounds=-5, upper_bounds=5, optimal_value=-1.0)
firsthit.benchmark("scipy:L-BFGS-B", [problem], budget=30)
steps = np.abs(np.subtract(points[1], points[0]))
print(steps.max())
"""


def test_other_versions_of_scipy_keep_their_points():
    """A SciPy that takes other steps: they are used, not the steps of today's SciPy."""
    done = subprocess.run(
        [sys.executable, "-c", SCIPY_WITH_OTHER_POINTS],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    assert float(done.stdout) == pytest.approx(1e-4)
