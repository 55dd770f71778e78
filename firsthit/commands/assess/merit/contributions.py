"""``firsthit assess contributions``: what each algorithm adds to a portfolio."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
    count,
    format_,
    one_budget,
    question,
    recommended,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@one_budget("Where areas end")
@axis
@count
@recommended
@format_
def command(results: Results, selectors: Selectors, budget: str | None, axis: str) -> Table:
    """Print what each algorithm adds to the portfolio of all, in each dimension.

    A portfolio is worth the mean over problems of the best area over the convergence curve (see
    `assess aocc`) of its members. alone: of the algorithm by itself; marginal: what the portfolio
    of all loses without it; shapley: its Shapley value, exact for any number of algorithms.
    """
    return results.contributions(budget, axis=axis, **selectors)
