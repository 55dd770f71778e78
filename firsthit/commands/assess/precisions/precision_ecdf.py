"""``firsthit assess precision-ecdf``: share of runs within each precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
    budgets,
    chosen_from,
    count,
    format_,
    question,
    recommended,
    unequal,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@budgets("1, 10, 100, … up to the longest run")
@axis
@chosen_from(
    "--group-by", ["all", "group", "function"], "What a curve spans; never several dimensions."
)
@click.option(
    "--joined", is_flag=True, help="One curve over all --budgets [default: one for each]."
)
@count
@recommended
@unequal
@format_
def command(
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
