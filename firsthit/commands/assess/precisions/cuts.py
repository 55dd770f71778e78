"""``firsthit assess cuts``: convergence curves of runs, cut at a budget and at a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import axis, count, format_, question, recommended

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@click.option(
    "--budget",
    required=True,
    metavar="NUMBER",
    help="Of the vertical cut, such as 100 or 100*D: a multiple of the dimension, or in the unit "
    "of --axis.",
)
@click.option(
    "--target", required=True, type=float, metavar="NUMBER", help="Precision of the horizontal cut."
)
@axis
@count
@recommended
@format_
def command(results: Results, selectors: Selectors, budget: str, target: float, axis: str) -> Table:
    """Print where the convergence curve of each run crosses a budget and a target.

    The vertical cut gives its precision at the budget (fixed budget), the horizontal one its
    runtime to the target (fixed target), inf where it was not hit. `firsthit figures --kinds cuts`
    draws both.
    """
    return results.cuts(budget, target, axis=axis, **selectors)
