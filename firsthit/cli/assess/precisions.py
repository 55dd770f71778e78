"""Tables of the precision that is reached within budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import options
from ..assessing import question, two_algorithms
from ...terminal.assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


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
