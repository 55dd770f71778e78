"""``firsthit assess …``: what logs say, one table a command.

Questions become commands by themselves (`firsthit.terminal.questions`); those below have a function
of their own here until they are questions, too.
"""

from __future__ import annotations

import click

from ...terminal.questions import QuestionGroup

_RUNTIMES = f"{__name__}.runtimes:{{}}"
_PRECISIONS = f"{__name__}.precisions:{{}}"
_FRONTS = f"{__name__}.fronts:{{}}"
_COMPARISON = f"{__name__}.comparison:{{}}"
_MERIT = f"{__name__}.merit:{{}}"
_PLACES = {
    "To begin with": {
        "summary": (
            10,
            "how much each algorithm reached, and how fast: what 'run' prints",
            _RUNTIMES,
        ),
        "compare": (40, "pairs of algorithms: ratio, interval, test, conclusion", _COMPARISON),
    },
    "Precision within budgets": {
        "cuts": (40, "convergence of each run, cut at a budget and at a target", _PRECISIONS),
        "aocc": (50, "area over the convergence curve: one number for all budgets", _PRECISIONS),
        "attainment": (60, "precision that a share of the runs had, by budget", _PRECISIONS),
        "attainment-difference": (70, "where two algorithms differ in attainment", _PRECISIONS),
    },
    "Archives of two objectives": {
        "indicators": (10, "hypervolume, IGD+ and epsilon of archives within budgets", _FRONTS),
        "fronts": (20, "best points of each algorithm on each problem", _FRONTS),
        "surfaces": (30, "what one, half or all of the runs attain", _FRONTS),
        "surface-difference": (
            40,
            "where two algorithms differ in what their runs attain",
            _FRONTS,
        ),
    },
    "Algorithms against each other, function by function": {
        "coco-table": (20, "aRT of all by that of a reference, in COCO's layout", _COMPARISON),
        "loss": (30, "how many times longer than a reference, by budget", _COMPARISON),
        "best": (40, "smallest average runtime to each target, and whose it is", _COMPARISON),
        "best-shares": (50, "on how many targets each algorithm is best", _COMPARISON),
        "scatter": (60, "average runtimes of two algorithms as points", _COMPARISON),
        "ratios": (70, "distribution of the runtime ratios of two algorithms", _COMPARISON),
    },
    "Algorithms over all functions of a dimension": {
        "ranks": (10, "average ranks with intervals and a test, Glicko-2 ratings", _MERIT),
        "superiority": (20, "who beats whom how probably, with tests", _MERIT),
        "matrix": (30, "problems x algorithms with the virtual best, to choose among them", _MERIT),
        "gaps": (40, "what choosing perfectly among algorithms could gain", _MERIT),
        "contributions": (50, "what each algorithm adds to a portfolio: Shapley values", _MERIT),
    },
}


@click.command(cls=QuestionGroup, places=_PLACES)
def command() -> None:
    """Compute tables from logs: one table a command.

    LOGS are files, folders or globs; logs still being written count with their finished runs.
    """
