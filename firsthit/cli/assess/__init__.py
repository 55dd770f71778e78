"""``firsthit assess …``: what logs say, one table a command.

Questions become commands by themselves (`firsthit.cli.questions`); those below have a function
of their own here until they are questions, too.
"""

from __future__ import annotations

import click

from ..questions import QuestionGroup

_RUNTIMES = f"{__name__}.runtimes:{{}}"
_PRECISIONS = f"{__name__}.precisions:{{}}"
_FRONTS = f"{__name__}.fronts:{{}}"
_RUNS = f"{__name__}.runs:{{}}"
_PLACES = {
    "Evaluations to targets": {
        "joint": (60, "runtimes to single targets, and precisions at single budgets", _RUNTIMES),
        "runtime-shapes": (80, "masses or densities of the runtimes", _RUNTIMES),
        "targets": (90, "sets of targets by name, such as run-length based ones", _RUNTIMES),
    },
    "Precision within budgets": {
        "precision-ecdf": (20, "share of runs within each precision, at budgets", _PRECISIONS),
        "precision-shapes": (30, "masses or densities of the precisions at budgets", _PRECISIONS),
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
    "Runs": {
        "notes": (40, "parameters that algorithms noted while they ran", _RUNS),
    },
}


@click.command(cls=QuestionGroup, places=_PLACES)
def command() -> None:
    """Compute tables from logs: one table a command.

    LOGS are files, folders or globs; logs still being written count with their finished runs.
    """
