"""Make ``bbob.csv``: values of cocoex at fixed points, for machines without cocoex.

Run ``python tests/golden/make_bbob.py``; it was last run with cocoex 2.8.2.
"""

import csv
from pathlib import Path

import numpy as np

DIMENSIONS = (2, 3, 5, 10, 20, 40)
INSTANCES = (1, 5, 71, 80, 101, 54321)


def points(function: int, dimension: int) -> np.ndarray:
    """Three points with few decimals: inside, outside, and on the box."""
    k = np.arange(dimension)
    inside = np.round(4.5 * np.sin(function + 1.7 * k), 3)
    outside = np.round(7.0 * np.cos(2 * function + 2.3 * k), 3)
    corner = np.where((k + function) % 3 == 0, 5.0, -5.0)
    return np.array([inside, outside, corner])


def main() -> None:
    """Write the file beside this script."""
    import cocoex

    text = "instances: " + ",".join(map(str, INSTANCES))
    suite = cocoex.Suite("bbob", text, "")
    with (Path(__file__).parent / "bbob.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["function", "dimension", "instance", "inside", "outside", "corner"])
        for dimension in DIMENSIONS:
            for function in range(1, 25):
                for instance in INSTANCES:
                    problem = suite.get_problem_by_function_dimension_instance(
                        function, dimension, instance
                    )
                    values = [float(problem(x)).hex() for x in points(function, dimension)]
                    writer.writerow([function, dimension, instance, *values])


if __name__ == "__main__":
    main()
