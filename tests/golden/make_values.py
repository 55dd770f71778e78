"""Make ``values.csv``: values of cocoex in all its suites, for machines without cocoex.

Run ``python tests/golden/make_values.py``; it was last run with cocoex 2.8.2. Noisy values depend
on earlier evaluations. They are therefore made in the order of the file, from a new suite.
"""

import csv
import re
from pathlib import Path

import numpy as np

SUITES = {
    "bbob": ((2, 3, 5, 10, 20, 40), (1, 5, 71, 80, 101, 54321)),
    "bbob-boxed": ((2, 5), (1, 4)),
    "bbob-largescale": ((20, 80), (1, 4)),
    "bbob-mixint": ((5, 80), (1, 4)),
    "bbob-noisy": ((2, 5), (1, 4)),
    "bbob-constrained": ((2, 5), (1, 4)),
    "bbob-constrained-active-only": ((3,), (2,)),
    "bbob-constrained-no-disguise": ((3,), (2,)),
    "bbob-biobj": ((3, 10), (1, 5, 10, 15)),
    "bbob-biobj-ext": ((2, 5), (1, 5, 10, 15)),
    "bbob-biobj-mixint": ((5, 80), (1, 5, 10, 15)),
}
"""Dimensions and instances. Only bbob has all pairs; in other suites, instances alternate."""

FILE = Path(__file__).with_name("values.csv")


def points(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return two points inside the bounds, the second near the middle, and one in or outside."""
    i = np.arange(len(low))
    inside, near, out = ((37 * i + 17 * k + 11) % 101 / 101 for k in (1, 2, 3))
    fractions = np.array([inside, 0.5 + (near - 0.5) / 20, 1.5 * out - 0.25])
    return low + (high - low) * fractions


def chosen(name: str, functions: int):
    """Yield function, dimension and instance of a suite's problems, in the order of the file."""
    dimensions, instances = SUITES[name]
    first = 101 if name == "bbob-noisy" else 1
    for dimension in dimensions:
        for function in range(first, first + functions):
            turn = (function + dimension) % len(instances)
            for instance in instances if name == "bbob" else instances[turn : turn + 1]:
                yield function, dimension, instance


def facts(problem) -> dict[str, np.ndarray]:
    """Return the numbers of a problem that tests compare, by name."""
    x = points(problem.lower_bounds, problem.upper_bounds)
    numbers = {"values": [problem(point) for point in x]}
    if problem.number_of_constraints:
        numbers["start"] = problem.initial_solution
        numbers["constraints"] = [problem.constraint(point) for point in x]
    if problem.number_of_objectives == 2:
        numbers["nadir"] = problem.largest_fvalues_of_interest
    return {name: np.ravel(one) for name, one in numbers.items()}


def main() -> None:
    """Write the file beside this script."""
    import cocoex

    cocoex.known_suite_names.extend(set(SUITES) - set(cocoex.known_suite_names))
    with FILE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["suite", "function", "dimension", "instance", "name", "numbers"])
        for name, (dimensions, instances) in SUITES.items():
            suite = cocoex.Suite(
                name,
                f"instances: {','.join(map(str, instances))}",
                f"dimensions: {','.join(map(str, dimensions))}",
            )
            functions = len({re.search(r"_f(\d+)_", one)[1] for one in suite.ids()})
            for numbers in chosen(name, functions):
                problem = suite.get_problem_by_function_dimension_instance(*numbers)
                for fact, values in facts(problem).items():
                    writer.writerow([name, *numbers, fact, " ".join(map(repr, values.tolist()))])


if __name__ == "__main__":
    main()
