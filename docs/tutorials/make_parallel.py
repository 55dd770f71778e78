"""The runs and the figure of parallel.md: ``python docs/tutorials/make_parallel.py`` (10 minutes).

Five optimizers, each with 1, 4 and 16 evaluators; durations are lognormal. A panel an optimizer:
the share of function-target pairs that were hit within so many simulated seconds.
"""

import sys
from pathlib import Path

import firsthit

OPTIMIZERS = {
    "optuna:TPE": {"use": "optuna:TPE"},
    "nevergrad:DE": {"use": "nevergrad:DE"},
    "pymoo:DE": {"use": "pymoo:DE", "parameters": {"pop_size": 30}},
    "cma:CMA-ES": {"use": "cma:CMA-ES"},
    "scipy:Nelder-Mead": {"use": "scipy:Nelder-Mead"},
}
EVALUATORS = (1, 4, 16)


def make_runs(folder, evaluators):
    """The log of all optimizers with so many evaluators; what is there is not made again."""
    firsthit.benchmark(
        {f"{name}, {evaluators}": one for name, one in OPTIMIZERS.items()},
        "bbob",
        functions="1,3,8,10,15,21",
        dimensions=5,
        instances="1-3",
        budget="100 * D",
        parallel=firsthit.Parallel(evaluators, "lognormal(0, 0.5)"),
        workers=1,
        output=folder / f"parallel-{evaluators}.h5",
        resume=True,
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    for evaluators in EVALUATORS:
        make_runs(folder, evaluators)
