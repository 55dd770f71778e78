"""``firsthit assess matrix``: problems × algorithms, for those who choose among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.assessing import axis, chosen_from, count, format_, question, targets

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


@click.command()
@question
@chosen_from("--measure", ["art", "par10", "aocc"], "What the numbers are.")
@targets("of art and par10: the final one, or the suite's hardest")
@click.option(
    "--budget",
    type=float,
    metavar="NUMBER",
    help="Of aocc, in the unit of --axis [default: that of the runs, where all have the same].",
)
@axis
@count
@click.option("--gaps", is_flag=True, help="Print single best, virtual best and their gap alone.")
@format_
def command(
    results: Results,
    selectors: Selectors,
    measure: str,
    targets: str | None,
    budget: float | None,
    axis: str,
    gaps: bool,
) -> Table:
    """Print a number for each problem (function, dimension, instance) and algorithm.

    virtual_best is the best of each row; the single best has the best mean over the problems of a
    dimension, and the gap between both is what choosing perfectly could gain.
    """
    table = results.matrix(measure, targets, budget=budget, axis=axis, **selectors)
    return table.gaps if gaps else table
