"""``firsthit assess best``: the best of all algorithms."""

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
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@reference("none; --targets runlength needs one")
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, targets: str | None, reference: str | None
) -> Table:
    """Print the smallest average runtime to each target, and whose it is."""
    wanted = asked_targets(results, targets, reference, selectors)
    return results.best(wanted, **selectors)
