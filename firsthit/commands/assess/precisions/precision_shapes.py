"""``firsthit assess precision-shapes``: distributions of precisions."""

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
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@budgets("1, 10, 100, … up to the longest run")
@axis
@chosen_from(
    "--shape",
    ["density", "mass", "density-nrd0"],
    "A kernel density of logarithms; masses; or a density of the values themselves, as R has it.",
)
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, budgets: str | None, axis: str, shape: str
) -> Table:
    """Print kernel densities, or masses, of the best precision of the runs within budgets."""
    return results.precision_shapes(budgets, axis=axis, shape=shape, **selectors)
