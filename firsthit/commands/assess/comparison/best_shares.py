"""``firsthit assess best-shares``: on how many targets an algorithm is best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    asked_targets,
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
@targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@reference("none; --targets runlength needs one")
@count
@recommended
@unequal
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    unequal: bool,
) -> Table:
    """Print on how many function-target pairs each algorithm has the smallest average runtime."""
    wanted = asked_targets(results, targets, reference, selectors)
    return results.best_shares(wanted, unequal=unequal, **selectors)
