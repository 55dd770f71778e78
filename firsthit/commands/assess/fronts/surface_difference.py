"""``firsthit assess surface-difference``: where two algorithms differ on two objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import axis, budgets, format_, question, two_algorithms
from .exact import exact

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@budgets("all that the runs evaluated")
@axis
@exact
@format_
def command(
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
