"""``firsthit assess scaling``: average runtimes by dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    asked_targets,
    count,
    format_,
    interval,
    question,
    recommended,
    reference,
    seed,
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
@interval("each average")
@seed("the intervals")
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    interval: float | None,
    seed: int,
) -> Table:
    """Print the average runtime divided by the dimension, by dimension, with its dispersion.

    Of each function and target; percentiles are those of single runtimes, with restarts on
    one objective.
    """
    wanted = asked_targets(results, targets, reference, selectors)
    return results.scaling(wanted, seed=seed, interval=interval, **selectors)
