"""``firsthit assess fixed-budget``: statistics of the precision reached within budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
    budgets,
    count,
    format_,
    question,
    recommended,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@budgets("1, 10, 100, … up to the longest run")
@axis
@click.option(
    "--targets",
    metavar="NUMBERS",
    help="Precisions; adds the share of runs that reached each within the budget.",
)
@count
@recommended
@format_
def command(
    results: Results,
    selectors: Selectors,
    budgets: str | None,
    axis: str,
    targets: str | None,
) -> Table:
    """Print statistics of the best precision that runs had reached within budgets.

    A run that ended before the budget keeps its last value. mean, sd (n - 1), quantiles (type 7:
    numpy's and R's default) and geometric mean as in IOHanalyzer. Of runs observed by
    firsthit, values are exact at 1, 2, 5, 10, 20, 50, … evaluations / dimension, and everywhere if
    every improvement was recorded; elsewhere they may be upper bounds, and a note says so.
    """
    success = () if targets is None else targets
    return results.fixed_budget(budgets, axis=axis, targets=success, **selectors)
