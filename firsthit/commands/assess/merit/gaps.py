"""``firsthit assess gaps``: what choosing perfectly among algorithms could gain."""

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
    """Print the single best algorithm, the virtual best and the gap between, in each dimension.

    The single best has the best mean over the problems (function, instance) of a dimension; the
    virtual best takes the best algorithm on each. The gap is what choosing perfectly could gain.
    """
    return results.gaps(measure, targets, budget=budget, axis=axis, **selectors)
