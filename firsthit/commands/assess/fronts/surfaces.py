"""``firsthit assess surfaces``: what a share of the runs on two objectives attains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import axis, budgets, format_, question
from .exact import exact

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@click.option(
    "--surfaces",
    metavar="NAMES",
    default="best,median,worst",
    show_default=True,
    help="Of one, half, all of the runs; or percentages, such as 25,75.",
)
@budgets("all that the runs evaluated")
@axis
@exact
@format_
def command(
    results: Results,
    selectors: Selectors,
    surfaces: str,
    budgets: str | None,
    axis: str,
    exact: bool,
) -> Table:
    """Print attainment surfaces: the corners of what so many runs on two objectives attain.

    So many of the runs on a function have a point that is no worse than a corner in both
    objectives, scaled so that the ideal point is 0 and the nadir point 1.
    """
    return results.surfaces(surfaces, budgets, axis=axis, exact=exact, **selectors)
