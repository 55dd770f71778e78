"""Tables of runs on two objectives: their archives, and what these attain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal import options
from ...terminal.assessing import question, two_algorithms

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


_exact = click.option(
    "--exact",
    is_flag=True,
    help="Print every corner [default: values are rounded up, finer than figures show].",
)


@question
@click.option(
    "--surfaces",
    metavar="NAMES",
    default="best,median,worst",
    show_default=True,
    help="Of one, half, all of the runs; or percentages, such as 25,75.",
)
@options.budgets("all that the runs evaluated")
@options.axis
@_exact
def surfaces(
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


@question
@options.budgets("all that the runs evaluated")
@options.axis
@_exact
def surface_difference(
    results: Results,
    selectors: Selectors,
    budgets: str | None,
    axis: str,
    exact: bool,
) -> Table:
    """Print where two algorithms differ in the share of runs that attain a point.

    Rectangles of the two objectives, scaled so that the ideal point is 0 and the nadir point 1;
    difference is above 0 where the first attains more often. Name two with --algorithms A,B where
    the logs hold more; needs the package moocore.
    """
    first, second = two_algorithms(results, selectors)
    return results.surface_difference(first, second, budgets, axis=axis, exact=exact, **selectors)
