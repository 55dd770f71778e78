"""``firsthit assess scatter``: average runtimes of two algorithms as points."""

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
@targets("the suite's, such as 51, 1e2 … 1e-8")
@reference("none; --targets runlength needs one")
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, targets: str | None, reference: str | None
) -> Table:
    """Print the average runtimes of two algorithms to each target, and their longest runs.

    Name them with --algorithms A,B where the logs hold more.
    """
    wanted = asked_targets(results, targets, reference, selectors)
    return results.scatter(*two_algorithms(results, selectors), wanted, **selectors)
