"""``firsthit assess joint``: runtimes to single targets and precisions at single budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    budgets,
    chosen_from,
    count,
    format_,
    question,
    recommended,
    reference,
    targets,
    unequal,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("1e1, 1e-1, 1e-4, 1e-8, or four of the suite's")
@budgets("1, 10, 100, … up to the longest run")
@chosen_from(
    "--group-by", ["all", "group", "function"], "What a curve spans; never several dimensions."
)
@reference("none; the distribution of its average runtimes is added")
@count
@recommended
@unequal
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    budgets: str | None,
    group_by: str,
    reference: str | None,
    unequal: bool,
) -> Table:
    """Print the distribution of runtimes to each target, and of precisions at each budget.

    Both are of single runs, without restarts, and meet: at the hardest target, the curve of a
    budget begins where the curve of that target is at the budget. `firsthit figures --kinds joint`
    draws them side by side, as COCO's papers of 2010 did.
    """
    return results.joint(
        targets, budgets, group_by=group_by, reference=reference, unequal=unequal, **selectors
    )
