"""``firsthit assess …``: what logs say, one table a command.

Questions become commands by themselves (`firsthit.cli.questions`); those below have a function
of their own here until they are questions, too.
"""

from __future__ import annotations

import click

from ..questions import QuestionGroup

_RUNTIMES = f"{__name__}.runtimes:{{}}"
_PRECISIONS = f"{__name__}.precisions:{{}}"
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
