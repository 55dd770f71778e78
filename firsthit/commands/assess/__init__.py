"""``firsthit assess …``: what logs say, one question a subcommand."""

from __future__ import annotations

import click

from ...terminal.lazy import LazyGroup

_QUESTIONS = {
    "art": "average runtime to each target",
    "ecdf": "runtime profiles: share of function-target pairs solved in a budget",
    "fixed-target": "statistics of the runtimes to single targets",
    "fixed-budget": "statistics of the precision reached within budgets",
    "aocc": "area over the convergence curve: one number for all budgets",
    "attainment": "precision that a share of the runs had, by budget; differences of two",
    "compare": "algorithms against each other or a reference: ratios, tests, intervals",
    "ranks": "average ranks with tests, who beats whom, Glicko-2 ratings",
    "contributions": "what each algorithm adds to a portfolio: Shapley values",
    "matrix": "problems x algorithms with virtual and single best, to choose among them",
    "targets": "sets of targets by name, such as run-length based ones",
    "endings": "how runs ended, and how often they were restarted",
    "notes": "parameters that algorithms noted while they ran",
    "timing": "seconds per evaluation, in optimizer and problem",
}


@click.command(cls=LazyGroup, package=__name__, summaries=_QUESTIONS)
def command() -> None:
    """Compute runtimes and their distributions from logs.

    LOGS are files, folders or globs; logs still being written count with their finished runs.
    """
