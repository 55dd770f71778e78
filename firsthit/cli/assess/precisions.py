"""Tables of the precision that is reached within budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import options
from ..assessing import question, two_algorithms

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


_taken_together = options.chosen_from(
    "--group-by",
    ["function", "group", "all"],
    "Whose runs are taken together; never several dimensions.",
)


@question
@options.budgets("1, 10, 100, … up to the longest run")
@options.axis
@options.group_by
@click.option(
    "--joined", is_flag=True, help="One curve over all --budgets [default: one for each]."
)
@options.count
@options.recommended
@options.unequal
def precision_ecdf(
    results: Results,
    selectors: Selectors,
    budgets: str | None,
    axis: str,
    group_by: str,
    joined: bool,
    unequal: bool,
) -> Table:
    """Print the share of runs that were within each precision, at budgets.

    It goes on where a runtime profile to 1e-8 ends at the budget (the right-hand panels of COCO's
    older documents); it is of single runs, without restarts. --joined takes all pairs of run and
    budget together: how good an algorithm is at any of these times.
    """
    return results.precision_ecdf(
        budgets, axis=axis, group_by=group_by, joined=joined, unequal=unequal, **selectors
    )


@question
@options.budgets("1, 10, 100, … up to the longest run")
@options.axis
@options.shape
@options.count
@options.recommended
def precision_shapes(
    results: Results, selectors: Selectors, budgets: str | None, axis: str, shape: str
) -> Table:
    """Print kernel densities, or masses, of the best precision of the runs within budgets."""
    return results.precision_shapes(budgets, axis=axis, shape=shape, **selectors)


@question
@click.option(
    "--levels",
    metavar="NUMBERS",
    default="10,25,50,75,90",
    show_default=True,
    help="Percentages of runs.",
)
@options.axis
@_taken_together
@options.count
@options.recommended
def attainment(
    results: Results,
    selectors: Selectors,
    levels: str,
    axis: str,
    group_by: str,
) -> Table:
    """Print the empirical attainment function: precision that a share of the runs had, by budget.

    Each level is a curve, given by its corners: from "budget" on, that share of the runs had
    "precision" or better. Needs the package moocore.
    """
    return results.attainment(levels, axis=axis, group_by=group_by, **selectors)


@question
@options.axis
@_taken_together
@options.count
@options.recommended
def attainment_difference(
    results: Results, selectors: Selectors, axis: str, group_by: str
) -> Table:
    """Print where two algorithms differ in attainment, as rectangles of budget and precision.

    Name them with --algorithms A,B where the logs hold more. See `assess attainment`; needs the
    package moocore.
    """
    first, second = two_algorithms(results, selectors)
    return results.attainment_difference(first, second, axis=axis, group_by=group_by, **selectors)
