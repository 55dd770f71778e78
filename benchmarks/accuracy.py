"""How close firsthit's bbob is to cocoex's: the largest differences, function by function.

Run ``python benchmarks/accuracy.py``. Points lie inside, outside and on the box and near the
optimum, in six dimensions, on eight instances. ``relative`` is the difference divided by the larger
of the value and its distance from the optimal value (the two can cancel); ``plain`` is divided by
the value alone; ``batch`` compares a batch with single points; ``optimum`` is the optimal
solution's value minus the optimal value; ``equal`` is the share of values equal to the last bit.
"""

from __future__ import annotations

import click
import cocoex
import numpy as np

from firsthit.suites import Problem, Suite

DIMENSIONS = (2, 3, 5, 10, 20, 40)
INSTANCES = (1, 2, 5, 71, 80, 101, 1000, 54321)
COLUMNS = ("relative", "plain", "batch", "optimum")


def sample(problem: Problem, rng: np.random.Generator) -> np.ndarray:
    """Points inside, outside and on the box, and near the optimum."""
    shape = (6, problem.dimension)
    optimum = problem.optimal_solution
    assert optimum is not None
    return np.vstack(
        [
            rng.uniform(-5, 5, shape),
            rng.uniform(-7, 7, shape),
            np.where(rng.random(shape) < 0.5, -5.0, 5.0),
            optimum + 1e-3 * rng.standard_normal(shape),
            optimum + 1e-6 * rng.standard_normal(shape),
        ]
    )


def differences(problem: Problem, peer: cocoex.Problem, rng: np.random.Generator) -> list[float]:
    """The four differences, and the share of equal values."""
    x = sample(problem, rng)
    ours = np.array([problem(point) for point in x])
    theirs = np.array([peer(point) for point in x])
    optimum = problem.optimal_value
    assert optimum is not None
    apart = np.abs(ours - theirs)
    size = np.maximum(np.abs(theirs), np.abs(theirs - optimum))
    return [
        float(np.max(apart / size)),
        float(np.max(apart / np.abs(theirs))),
        float(np.max(np.abs(problem(x) - ours))),
        abs(problem(problem.optimal_solution) - optimum),
        float(np.mean(ours == theirs)),
    ]


@click.command()
@click.option("--functions", default="1-24", help="Such as 1-5,21.")
def main(functions: str) -> None:
    """Print the table."""
    numbers = ",".join(map(str, INSTANCES))
    peers = cocoex.Suite("bbob", f"instances: {numbers}", "")
    rng = np.random.default_rng(0)
    print("  f" + "".join(f"{name:>10s}" for name in (*COLUMNS, "equal")))
    for function in Suite("bbob", functions).functions:
        rows = [
            differences(
                problem,
                peers.get_problem_by_function_dimension_instance(
                    function, problem.dimension, problem.instance
                ),
                rng,
            )
            for problem in Suite("bbob", function, DIMENSIONS, INSTANCES)
        ]
        *worst, equal = [*np.max(rows, axis=0)[:-1], np.mean(rows, axis=0)[-1]]
        print(f"{function:3d}" + "".join(f"{value:10.1e}" for value in worst) + f"{equal:10.2f}")


if __name__ == "__main__":
    main()
