"""An ask/tell optimizer: firsthit asks for points, evaluates them as a batch, and tells values.

pip install firsthit
python examples/ask_tell.py
"""

import numpy as np

import firsthit


class EvolutionStrategy:
    """A (mu, lambda)-ES; firsthit makes a new object at each start."""

    def __init__(self, x0, rng, popsize=12, decrease=0.97):
        self.mean, self.rng = np.array(x0), rng
        self.popsize, self.decrease = popsize, decrease
        self.step = 2.0

    def ask(self):
        """Return points to evaluate, shape ``(popsize, dimension)``."""
        return self.mean + self.step * self.rng.standard_normal((self.popsize, len(self.mean)))

    def tell(self, points, values):
        """Receive the values of the points, shape ``(popsize,)``, and move the mean."""
        best = np.argsort(values)[: self.popsize // 4]
        self.mean = points[best].mean(axis=0)
        self.step *= self.decrease

    def stop(self):
        """Return the reason to end, which the log stores; an empty text to continue."""
        return "tiny steps" if self.step < 1e-6 else ""


def main():
    results = firsthit.benchmark(
        EvolutionStrategy,
        "bbob",
        functions=[1, 8],
        dimensions=[2, 3],
        instances="1-5",
        budget="500 * dimension",
    )
    print(results.summary())
    print(results.termination())
    return results


if __name__ == "__main__":
    main()
