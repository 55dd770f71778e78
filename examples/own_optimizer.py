"""An optimizer of your own on a suite: a function, and a table of what it takes.

pip install firsthit
python examples/own_optimizer.py
"""

import firsthit


def random_walk(problem, x0, rng, step=0.3):
    """Takes a step where it leads down; firsthit ends it, restarts it, and counts."""
    x, value = x0, problem(x0)
    while True:
        candidate = x + step * rng.standard_normal(problem.dimension)
        found = problem(candidate)
        if found < value:
            x, value = candidate, found


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
