"""``firsthit assess ratios``: distribution of runtime ratios of two algorithms."""

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
    two_algorithms,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("1e1, 1e-1, 1e-4, 1e-8, or four of the suite's")
@reference("none; --targets runlength needs one")
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, targets: str | None, reference: str | None
) -> Table:
    """Print the distribution of the runtime ratios of two algorithms over pairs of their runs.

    Name them with --algorithms A,B where the logs hold more.
    """
    wanted = asked_targets(results, targets, reference, selectors)
    return results.ratios(*two_algorithms(results, selectors), wanted, **selectors)
