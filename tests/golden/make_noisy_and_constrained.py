"""Make ``noisy.csv`` and ``constrained.csv``: what cocoex gives, for machines without cocoex.

Run ``python tests/golden/make_noisy_and_constrained.py``; it was last run with cocoex 2.8.2. Noisy
values depend on what was evaluated before: they are made in the order of the file, from a fresh
suite.
"""

import csv
from pathlib import Path

import numpy as np

NOISY = ("bbob-noisy", range(101, 131), (2, 5), (1,))
CONSTRAINED = ("bbob-constrained", range(1, 55), (2, 5), (1, 4))


def point(dimension: int, number: int) -> np.ndarray:
    """Point 1 or 2 of a dimension, in the box."""
    i = np.arange(dimension)
    return -5 + 10 * ((37 * i + 17 * number + 11) % 101 + 0.5) / 101


def rows(suite, functions, dimensions, instances):
    """Problem by problem, dimension slowest: its numbers, the number of a point, the problem."""
    import cocoex

    peers = cocoex.Suite(suite, "instances: " + ",".join(map(str, instances)), "")
    for dimension in dimensions:
        for function in functions:
            for instance in instances:
                problem = peers.get_problem_by_function_dimension_instance(
                    function, dimension, instance
                )
                for number in (1, 2):
                    yield [function, dimension, instance, number], problem


def text(values) -> str:
    """Numbers side by side."""
    return " ".join(repr(float(value)) for value in values)


def main() -> None:
    """Write the files beside this script."""
    folder = Path(__file__).parent
    with (folder / "noisy.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["function", "dimension", "instance", "point", "measured"])
        for key, problem in rows(*NOISY):
            writer.writerow([*key, repr(float(problem(point(key[1], key[3]))))])
    with (folder / "constrained.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        header = ["function", "dimension", "instance", "point", "value"]
        writer.writerow([*header, "constraints", "initial_solution"])
        for key, problem in rows(*CONSTRAINED):
            x = point(key[1], key[3])
            values = [repr(float(problem(x))), text(problem.constraint(x))]
            writer.writerow([*key, *values, text(problem.initial_solution)])


if __name__ == "__main__":
    main()
