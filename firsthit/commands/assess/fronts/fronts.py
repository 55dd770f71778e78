"""``firsthit assess fronts``: the best points of each algorithm on problems of two objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import axis, budgets, format_, question

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@budgets("all that the runs evaluated")
@axis
@format_
def command(results: Results, selectors: Selectors, budgets: str | None, axis: str) -> Table:
    """Print the nondominated points of each algorithm on each problem of two objectives.

    All its runs on the problem are taken together. y1 and y2 are the objectives; scaled_1 and
    scaled_2 are 0 at the ideal and 1 at the nadir point. As CSV it is a reference for
    `assess indicators`.
    """
    return results.fronts(budgets, axis=axis, **selectors)
