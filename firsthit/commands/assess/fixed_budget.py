"""``firsthit assess fixed-budget``: statistics of the precision reached within budgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import axis, budgets, choice, format_, load, selection, show


@click.command()
@selection
@budgets("1, 10, 100, … up to the longest run")
@axis
@click.option(
    "--targets",
    metavar="NUMBERS",
    help="Precisions; adds the share of runs that reached each within the budget.",
)
@click.option(
    "--shape",
    type=click.Choice(["statistics", "ecdf", "mass", "density"]),
    default="statistics",
    show_default=True,
    help="Statistics for each function; the share of runs within each precision; or the "
    "distribution of precisions: masses, or a kernel density.",
)
@click.option(
    "--group-by",
    type=click.Choice(["function", "group", "all"]),
    default="all",
    show_default=True,
    help="What a curve of --shape ecdf spans; never several dimensions.",
)
@format_()
def command(
    logs: Sequence[str],
    budgets: str | None,
    axis: str,
    targets: str | None,
    shape: str,
    group_by: str,
    form: str,
    **filters: Any,
) -> None:
    """Print statistics of the best precision that runs had reached within budgets.

    A run that ended before the budget keeps its last value. mean, sd (n - 1), quantiles (type 7:
    numpy's and R's default) and geometric mean as in IOHanalyzer. Of runs observed by
    firsthit, values are exact at 1, 2, 5, 10, 20, 50, … evaluations / dimension, and everywhere if
    every improvement was recorded; elsewhere they may be upper bounds, and a note says so.

    --shape ecdf goes on where a runtime profile to 1e-8 ends at the budget (the right-hand panels
    of COCO's older documents); it is of single runs, without restarts.
    """
    results = load(logs)
    chosen = choice(results, filters)
    if shape == "statistics":
        success = () if targets is None else targets
        show(results.fixed_budget(budgets, axis=axis, targets=success, **chosen), form)
    elif shape == "ecdf":
        show(results.precision_ecdf(budgets, axis=axis, group_by=group_by, **chosen), form)
    else:
        show(results.precision_shapes(budgets, axis=axis, shape=shape, **chosen), form)
