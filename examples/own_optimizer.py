"""An optimizer of your own on a suite: a function, and a table of its average runtimes.

pip install firsthit
python examples/own_optimizer.py
"""

import firsthit


def random_walk(problem, x0, rng, step=0.3):
    """Accept random steps that improve the value; firsthit counts evaluations and ends the run."""
    x, value = x0, problem(x0)
    while True:
        candidate = x + step * rng.standard_normal(problem.dimension)
        new_value = problem(candidate)
        if new_value < value:
            x, value = candidate, new_value


def main():
    optimizers = {
        "walk": random_walk,
        "small steps": {"use": random_walk, "parameters": {"step": 0.03}},
        "simplex": "scipy:Nelder-Mead",
    }
    results = firsthit.benchmark(
        optimizers,
        "bbob",
        functions=[1, 8],
        dimensions=2,
        instances="1-5",
        budget="500 * dimension",
    )
    print(results.art(targets=[1e1, 1e-1, 1e-8]))
    return results


if __name__ == "__main__":
    main()
