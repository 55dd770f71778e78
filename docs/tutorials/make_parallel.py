"""Make the runs and the figure of parallel.md, in about 10 minutes.

Run ``python docs/tutorials/make_parallel.py``. Five optimizers run with 1, 4 and 16 evaluators;
durations are lognormal. A panel of the figure shows, for one optimizer, the share of
function-target pairs that were hit within a simulated time.
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
COLOURS = ("#1b1b1b", "#0072b2", "#d55e00")
PICTURE = Path(__file__).with_name("parallel.png")


def make_runs(folder, evaluators):
    """Write the log of all optimizers with a number of evaluators; make only missing runs."""
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


def draw(paths):
    """Draw the figure with a panel for each optimizer and a curve for each number of evaluators."""
    import matplotlib.pyplot as plt

    table = firsthit.load(paths).ecdf(
        targets="1e2..1e-2/5", count="seconds", runtimes="runs", dimensions=5
    )
    figure, panels = plt.subplots(1, len(OPTIMIZERS), figsize=(13, 3.1), sharey=True)
    for panel, name in zip(panels, OPTIMIZERS, strict=True):
        for evaluators, colour in zip(EVALUATORS, COLOURS, strict=True):
            is_shown = table["algorithm"] == f"{name}, {evaluators}"
            panel.step(
                table["seconds"][is_shown], table["fraction"][is_shown], where="post",
                color=colour, label=f"{evaluators} evaluator{'s' * (evaluators > 1)}",
            )  # fmt: skip
        panel.set(xscale="log", xlim=(0.4, 1000), ylim=(0, 0.6), title=name, xlabel="seconds")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("share of function-target pairs")
    panels[0].legend(loc="upper left", fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    for evaluators in EVALUATORS:
        make_runs(folder, evaluators)
    draw([folder / f"parallel-{evaluators}.h5" for evaluators in EVALUATORS])
