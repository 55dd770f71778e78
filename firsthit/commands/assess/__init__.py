"""``firsthit assess …``: what logs say, one table a command.

A file here has the commands of one heading. To add a command, copy `endings` in `runs.py`, name it
below, and give `Results` the method of the same name (``-`` being ``_``).
"""

from __future__ import annotations

import click

from ...terminal.lazy import LazyGroup, Section

_SECTIONS = (
    Section(
        "Evaluations to targets",
        f"{__name__}.runtimes:{{}}",
        {
            "summary": "how much each algorithm reached, and how fast: what 'run' prints",
            "art": "average runtime to each target",
            "ecdf": "runtime profiles: share of function-target pairs solved in a budget",
            "areas": "area under each runtime profile, and its geometric mean runtime",
            "fixed-target": "statistics of the runtimes to single targets",
            "scaling": "average runtime by dimension",
            "joint": "runtimes to single targets, and precisions at single budgets",
            "runtimes": "the evaluation at which each run first hit each target",
            "runtime-shapes": "masses or densities of the runtimes",
            "targets": "sets of targets by name, such as run-length based ones",
        },
    ),
    Section(
        "Precision within budgets",
        f"{__name__}.precisions:{{}}",
        {
            "fixed-budget": "statistics of the precision reached within budgets",
            "precision-ecdf": "share of runs within each precision, at budgets",
            "precision-shapes": "masses or densities of the precisions at budgets",
            "cuts": "convergence of each run, cut at a budget and at a target",
            "aocc": "area over the convergence curve: one number for all budgets",
            "attainment": "precision that a share of the runs had, by budget",
            "attainment-difference": "where two algorithms differ in attainment",
        },
    ),
    Section(
        "Archives of two objectives",
        f"{__name__}.fronts:{{}}",
        {
            "indicators": "hypervolume, IGD+ and epsilon of archives within budgets",
            "fronts": "best points of each algorithm on each problem",
            "surfaces": "what one, half or all of the runs attain",
            "surface-difference": "where two algorithms differ in what their runs attain",
        },
    ),
    Section(
        "Algorithms against each other, function by function",
        f"{__name__}.comparison:{{}}",
        {
            "compare": "pairs of algorithms: ratio, interval, test, conclusion",
            "coco-table": "aRT of all by that of a reference, in COCO's layout",
            "loss": "how many times longer than a reference, by budget",
            "best": "smallest average runtime to each target, and whose it is",
            "best-shares": "on how many targets each algorithm is best",
            "scatter": "average runtimes of two algorithms as points",
            "ratios": "distribution of the runtime ratios of two algorithms",
        },
    ),
    Section(
        "Algorithms over all functions of a dimension",
        f"{__name__}.merit:{{}}",
        {
            "ranks": "average ranks with intervals and a test, Glicko-2 ratings",
            "superiority": "who beats whom how probably, with tests",
            "matrix": "problems x algorithms with the virtual best, to choose among them",
            "gaps": "what choosing perfectly among algorithms could gain",
            "contributions": "what each algorithm adds to a portfolio: Shapley values",
        },
    ),
    Section(
        "Runs",
        f"{__name__}.runs:{{}}",
        {
            "endings": "how runs ended, and how often they were restarted",
            "restarts": "every start of every run, with the reason of each restart",
            "tuning": "settings tested and budget invested before the runs",
            "notes": "parameters that algorithms noted while they ran",
            "timing": "seconds per evaluation, in optimizer and problem",
        },
    ),
)


@click.command(cls=LazyGroup, sections=_SECTIONS)
def command() -> None:
    """Compute tables from logs: one table a command.

    LOGS are files, folders or globs; logs still being written count with their finished runs.
    """
