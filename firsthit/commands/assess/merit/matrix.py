"""``firsthit assess matrix``: problems x algorithms, for those who choose among algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
    chosen_from,
    count,
    format_,
    one_budget,
    question,
    recommended,
    targets,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@chosen_from("--measure", ["art", "par10", "aocc"], "What the numbers are.")
@targets("of art and par10: the final one, or the suite's hardest")
@one_budget("Of aocc: where areas end")
@axis
@count
@recommended
@format_
def command(
    results: Results,
    selectors: Selectors,
    measure: str,
    targets: str | None,
    budget: str | None,
    axis: str,
) -> Table:
    """Print a number for each problem (function, dimension, instance) and algorithm.

    virtual_best is the best of each row; `assess gaps` has its mean beside that of the single best.
    """
    return results.matrix(measure, targets, budget=budget, axis=axis, **selectors)
