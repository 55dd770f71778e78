"""Two versions of an optimizer in continuous integration: exit code 1 where the new one is worse.

pip install firsthit
python examples/compare_versions.py
"""

import sys

import firsthit

FEW = {"functions": [1, 2, 8], "dimensions": 2, "instances": "1-10", "budget": "1000 * dimension"}


def evolution_strategy(problem, rng, decrease):
    """Run a (1+1)-ES with the one-fifth success rule; failures multiply its step by `decrease`."""
    x, step = problem.initial_solution, 1.0
    y = problem(x)
    while step > 1e-9:
        z = x + step * rng.standard_normal(problem.dimension)
        if (value := problem(z)) <= y:
            x, y, step = z, value, step / decrease**4
        else:
            step *= decrease


def released(problem, rng):
    evolution_strategy(problem, rng, decrease=0.85)


def proposed(problem, rng):
    """Run the proposed version, whose steps adapt faster."""
    evolution_strategy(problem, rng, decrease=0.3)


def main():
    # Both versions have the same name, because they are one algorithm. In continuous integration,
    # the log of the release is a file that was made once: firsthit.load("release.h5")
    before = firsthit.benchmark(released, "bbob", algorithm="es", **FEW)
    after = firsthit.benchmark(proposed, "bbob", algorithm="es", **FEW)
    comparison = after.regressions(before, targets=[1e-1, 1e-4, 1e-8])
    print(comparison)
    return comparison


if __name__ == "__main__":
    sys.exit(1 if main().regressions else 0)
