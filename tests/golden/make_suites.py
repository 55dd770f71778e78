"""Make ``suites.csv``: values of cocoex in three suites, for machines without cocoex.

Run ``python tests/golden/make_suites.py``; it was last run with cocoex 2.8.2.
"""

import csv
from pathlib import Path

import numpy as np

DIMENSIONS = {"bbob-boxed": (2, 5), "bbob-largescale": (20, 80), "bbob-mixint": (5, 80)}
INSTANCES = (1, 4)


def points(lower_bounds: np.ndarray, upper_bounds: np.ndarray) -> np.ndarray:
    """Two points inside the bounds, and one inside or outside."""
    low, width = lower_bounds, upper_bounds - lower_bounds
    i = np.arange(len(low))
    places = [((37 * i + 17 * k + 11) % 101 + 0.5) / 101 for k in (1, 2, 3)]
    places[2] = 1.5 * places[2] - 0.25
    return np.array([low + width * place for place in places])


def main() -> None:
    """Write the file beside this script."""
    import cocoex

    with (Path(__file__).parent / "suites.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["suite", "function", "dimension", "instance", "first", "second", "third"])
        for name, dimensions in DIMENSIONS.items():
            filters = f"dimensions: {','.join(map(str, dimensions))}"
            suite = cocoex.Suite(name, f"instances: {','.join(map(str, INSTANCES))}", filters)
            for problem in suite:
                values = [problem(x) for x in points(problem.lower_bounds, problem.upper_bounds)]
                triple = (problem.id_function, problem.dimension, problem.id_instance)
                writer.writerow([name, *triple, *(float(value).hex() for value in values)])


if __name__ == "__main__":
    main()
