"""Tune a small evolution strategy with Optuna, which maximizes ``firsthit.score``.

pip install firsthit optuna
python examples/tune_with_optuna.py
"""

import numpy as np
import optuna

import firsthit


def evolution_strategy(problem, rng, step=1.0, decrease=0.85):
    """Run a (1+1)-ES with the one-fifth success rule, until its steps are tiny."""
    x = problem.initial_solution
    y = problem(x)
    while step > 1e-9:
        z = x + step * rng.standard_normal(problem.dimension)
        if (value := problem(z)) <= y:
            x, y = z, value
            step /= decrease**4
        else:
            step *= decrease


def merit(step, decrease):
    """Return the mean area over the convergence curve on some functions."""
    return firsthit.score(
        evolution_strategy,
        "bbob",
        functions=[1, 2, 8, 10],
        dimensions=3,
        instances="1-3",
        budget="100*D",
        parameters={"step": step, "decrease": decrease},
    )


def tune(trials):
    """Return the study after some trials; its seed is fixed, so that results are reproducible."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
    study.enqueue_trial({"step": 1.0, "decrease": 0.85})

    def objective(trial):
        step = trial.suggest_float("step", 1e-3, 10, log=True)
        decrease = trial.suggest_float("decrease", 0.5, 0.99)
        return float(merit(step, decrease))

    study.optimize(objective, n_trials=trials)
    return study


if __name__ == "__main__":
    study = tune(trials=40)
    print(f"first guess: {study.trials[0].value:.4f}")
    print(f"tuned:       {study.best_value:.4f} with {study.best_params}")
    # Parameters that were tuned on some instances must be judged on other instances.
    fresh = firsthit.score(
        evolution_strategy, "bbob", functions=[1, 2, 8, 10], dimensions=3, instances="71-75",
        budget="100*D", parameters=study.best_params,
    )  # fmt: skip
    print(f"on other instances: {fresh}", np.round(fresh.by_problem["value"], 2))
