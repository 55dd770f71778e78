"""``firsthit assess loss``: how much longer than a reference, by budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    budgets,
    count,
    format_,
    question,
    recommended,
    reference,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@reference("best")
@budgets("2, 10, 100, … up to the largest aRT")
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, reference: str | None, budgets: str | None
) -> Table:
    """Print how many times longer than a reference algorithms take, by budget.

    The loss at a budget: the average runtime to the hardest target that the reference reaches
    within it, divided by that of the reference. As text, its percentiles over functions; other
    formats have the functions.
    """
    return results.loss(reference or "best", budgets, **selectors)
