"""Make ``biobj.csv``: values of cocoex in the suites with two objectives, for machines without it.

Run ``python tests/golden/make_biobj.py``; it was last run with cocoex 2.8.2. Each row is a function
in one dimension and one instance, which change from function to function.
"""

import csv
from pathlib import Path

import numpy as np

DIMENSIONS = {
    "bbob-biobj": (2, 3, 5, 10),
    "bbob-biobj-ext": (2, 3, 5, 10),
    "bbob-biobj-mixint": (5, 10, 80),
}
INSTANCES = (1, 5, 10, 15)
COLUMNS = ("first_1", "first_2", "second_1", "second_2", "nadir_1", "nadir_2")


def points(lower_bounds: np.ndarray, upper_bounds: np.ndarray) -> np.ndarray:
    """A point inside the bounds, and one near their middle."""
    i = np.arange(len(lower_bounds))
    places = np.array([((37 * i + 17 * k + 11) % 101 + 0.5) / 101 for k in (1, 2)])
    x = lower_bounds + (upper_bounds - lower_bounds) * places
    x[1, upper_bounds > 50] /= 20
    return x


def main() -> None:
    """Write the file beside this script."""
    import cocoex

    with (Path(__file__).parent / "biobj.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["suite", "function", "dimension", "instance", *COLUMNS])
        for name, dimensions in DIMENSIONS.items():
            filters = f"dimensions: {','.join(map(str, dimensions))}"
            suite = cocoex.Suite(name, f"instances: {','.join(map(str, INSTANCES))}", filters)
            functions = sorted({triple[0] for triple in map(_numbers, suite.ids())})
            for function in functions:
                numbers = (
                    function,
                    dimensions[function % len(dimensions)],
                    INSTANCES[function // 3 % len(INSTANCES)],
                )
                problem = suite.get_problem_by_function_dimension_instance(*numbers)
                x = points(problem.lower_bounds, problem.upper_bounds)
                values = [*(problem(point) for point in x), problem.largest_fvalues_of_interest]
                writer.writerow([name, *numbers, *(float(v).hex() for v in np.ravel(values))])


def _numbers(identifier: str) -> tuple[int, ...]:
    """Function, instance and dimension of an identifier."""
    return tuple(int(part[1:]) for part in identifier.split("_")[1:])


if __name__ == "__main__":
    main()
