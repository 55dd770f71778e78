"""Print the pairs of bbob's instances that instances 16 … 100 of ``bbob-biobj`` consist of.

Run ``python tests/golden/make_biobj_instances.py``, about two minutes; ``suites/biobj/pairs.py``
contains the output. ``--dimensions 2`` and the default gave the same pairs.

Instance ``k > 15`` is ``2 k + 1`` of the first function and the next larger instance of the second
such that, in all dimensions, ideal and nadir point are at least 0.1 apart, and the optima at least
1e-4: for each two of bbob's functions, and for each of the ten functions of bbob-biobj with itself.
"""

from functools import cache
from itertools import combinations, count

import click
import numpy as np

from firsthit.suites.bbob.instances import draw_formula, get_coco_optimum
from firsthit.suites.biobj.pairs import FUNCTIONS
from firsthit.suites.compiled.compilation import build_batch_evaluator

PAIRS = np.array([*combinations(range(24), 2), *((f - 1, f - 1) for f in FUNCTIONS)])


@cache
def functions(dimension: int, instance: int) -> tuple[list, np.ndarray, np.ndarray]:
    """Return evaluators, optimal values and optima of the 24 functions."""
    formulas = [draw_formula(function, dimension, instance) for function in range(1, 25)]
    optima = [get_coco_optimum(function, one) for function, one in enumerate(formulas, 1)]
    evaluators = [build_batch_evaluator(one.kernel, one.constants, "f") for one in formulas]
    return evaluators, np.array([one.optimal_value for one in formulas]), np.array(optima)


def are_apart(dimension: int, first: int, second: int) -> bool:
    """Return whether two instances may be paired in a dimension."""
    f, ideal_f, optima_f = functions(dimension, first)
    g, ideal_g, optima_g = functions(dimension, second)
    a, b = PAIRS.T
    nadir_f = np.array([evaluate(optima_g) for evaluate in f])[a, b]
    nadir_g = np.array([evaluate(optima_f) for evaluate in g])[b, a]
    between_points = np.hypot(nadir_f - ideal_f[a], nadir_g - ideal_g[b])
    between_optima = np.linalg.norm(optima_f[a] - optima_g[b], axis=1)
    return bool(np.all(between_points >= 0.1) and np.all(between_optima >= 1e-4))


def pair_of(k: int, dimensions: list[int]) -> tuple[int, int]:
    """Return the two instances of bbob that instance ``k`` consists of."""
    first = 2 * k + 1
    for second in count(first + 1):
        if all(are_apart(dimension, first, second) for dimension in dimensions):
            return first, second
    raise AssertionError


@click.command()
@click.option("--dimensions", default="2,3,5,10,20,40", help="Such as 2,5.")
@click.option("--last", default=100, help="The last instance.")
def main(dimensions: str, last: int) -> None:
    """Print the pairs."""
    for k in range(16, last + 1):
        pair = pair_of(k, [int(dimension) for dimension in dimensions.split(",")])
        print(pair, end=",\n" if k % 8 == 7 else ", ", flush=True)
        functions.cache_clear()


if __name__ == "__main__":
    main()
