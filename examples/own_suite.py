"""A suite of your own: two functions, shifted and rotated anew in each instance.

pip install firsthit
python examples/own_suite.py
"""

import numpy as np

import firsthit


def valley(x):
    """Return the height in a curved valley, whose minimum is 0 at the origin."""
    return float(np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + x[:-1] ** 2))


def steps(x):
    """Return the height in a bowl of plateaus, whose minimum is 0 at the origin."""
    return float(np.sum(np.floor(10 * np.abs(x)) ** 2) / 100)


@firsthit.register_suite(
    "valley-and-steps",
    functions="1-2",
    dimensions=[2, 5],
    instances="1-3",
    groups={"smooth": [1], "flat": [2]},
)
def make(function, dimension, instance):
    return firsthit.problem_from(
        {1: valley, 2: steps}[function],
        dimension,
        name={1: "valley", 2: "steps"}[function],
        number=function,
        instance=instance,
        transformation="shift+rotation",
        optimal_value=0.0,
        optimal_solution=np.zeros(dimension),
    )


def main():
    firsthit.check_suite("valley-and-steps")  # checks, for example, that the optima are optimal
    optimizers = {"simplex": "scipy:Nelder-Mead", "random": "random-search"}
    results = firsthit.benchmark(optimizers, "valley-and-steps", budget="200 * dimension")
    print(results.art(targets=[1e0, 1e-2]))
    return results


if __name__ == "__main__":
    main()
