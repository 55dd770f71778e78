"""Two objectives: `problem(x)` gives two values, and every point evaluated counts.

pip install 'firsthit[solvers]'
python examples/two_objectives.py
"""

import numpy as np

import firsthit


def weighted_sums(problem, x0, rng):
    """Run a (1+1)-ES on weighted sums; sums miss the concave parts of a Pareto front."""
    while True:
        weight = rng.random()
        x, value, step = x0, np.inf, 1.0
        while step > 1e-3:
            candidate = x + step * rng.standard_normal(problem.dimension)
            first, second = problem(candidate)
            new_value = weight * first + (1 - weight) * second
            if new_value <= value:
                x, value, step = candidate, new_value, step * 1.5
            else:
                step *= 0.9


def main():
    optimizers = {"sums": weighted_sums, "NSGA-II": "pymoo:NSGA2", "random": "random-search"}
    few = {"functions": [1, 11], "dimensions": 2, "instances": "1-3"}
    results = firsthit.benchmark(optimizers, "bbob-biobj", budget="300 * dimension", **few)
    print(results.art(targets=[1e0, 1e-1, 1e-2]))
    return results


if __name__ == "__main__":
    main()
