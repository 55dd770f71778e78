"""``firsthit assess precision-ecdf``: share of runs within each precision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import axis, budgets, chosen_from, count, format_, question

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@budgets("1, 10, 100, … up to the longest run")
@axis
@chosen_from(
    "--group-by", ["all", "group", "function"], "What a curve spans; never several dimensions."
)
@count
@format_
def command(
    results: Results, selectors: Selectors, budgets: str | None, axis: str, group_by: str
) -> Table:
    """Print the share of runs that were within each precision, at budgets.

    It goes on where a runtime profile to 1e-8 ends at the budget (the right-hand panels of COCO's
    older documents); it is of single runs, without restarts.
    """
    return results.precision_ecdf(budgets, axis=axis, group_by=group_by, **selectors)
