"""Tables of the precision that is reached within budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal import options
from ...terminal.assessing import question, two_algorithms

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


_taken_together = options.chosen_from(
    "--group-by",
    ["function", "group", "all"],
    "Whose runs are taken together; never several dimensions.",
)


@question
@options.one_budget("Of the vertical cut", required=True)
@click.option(
    "--target", required=True, type=float, metavar="NUMBER", help="Precision of the horizontal cut."
)
@options.axis
@options.count
@options.recommended
def cuts(results: Results, selectors: Selectors, budget: str, target: float, axis: str) -> Table:
    """Print where the convergence curve of each run crosses a budget and a target.

    The vertical cut gives its precision at the budget (fixed budget), the horizontal one its
    runtime to the target (fixed target), inf where it was not hit. `firsthit figures --kinds cuts`
    draws both.
    """
    return results.cuts(budget, target, axis=axis, **selectors)


@question
@options.one_budget("Where the area ends")
@options.axis
@click.option("--lower", type=float, default=1e-8, show_default=True, help="Precision worth 1.")
@click.option("--upper", type=float, default=1e2, show_default=True, help="Precision worth 0.")
@options.chosen_from(
    "--group-by", ["all", "group", "function"], "What a row spans; never several dimensions."
)
@options.count
@options.recommended
@options.unequal
@options.interval("the area")
def aocc(
    results: Results,
    selectors: Selectors,
    budget: str | None,
    axis: str,
    lower: float,
    upper: float,
    group_by: str,
    interval: float | None,
    unequal: bool,
) -> Table:
    """Print the mean area over the convergence curve (AOCC): one number for all budgets up to one.

    Mean over evaluations 1 … budget of 1 - log10(best precision so far), clipped at --lower and
    --upper and scaled to 0 … 1, as firsthit.score gives it; larger is better. Exact where logs hold
    every improvement; elsewhere it lies between aocc and most.
    """
    return results.aocc(
        budget,
        axis=axis,
        lower=lower,
        upper=upper,
        group_by=group_by,
        interval=interval,
        unequal=unequal,
        **selectors,
    )


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
