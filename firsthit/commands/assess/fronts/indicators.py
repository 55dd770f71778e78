"""``firsthit assess indicators``: how good the archives of two objectives are, by budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import axis, budgets, format_, question

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@click.option(
    "--indicators", metavar="NAMES", default="hypervolume,igd+,epsilon", show_default=True
)
@budgets("1, 10, 100, … up to the longest run")
@axis
@click.option(
    "--reference-fronts",
    metavar="NAME",
    default="archive",
    show_default=True,
    help="What igd+ and epsilon measure against: 'archive' for the best of all archives in "
    "LOGS, or a file NAME.csv as `assess fronts --format csv` prints it.",
)
@format_
def command(
    results: Results,
    selectors: Selectors,
    indicators: str,
    budgets: str | None,
    axis: str,
    reference_fronts: str,
) -> Table:
    """Print indicators of the archives of two objectives within budgets: median and quartiles.

    hypervolume (larger is better), igd+ and epsilon (smaller is better), in the plane where the
    ideal point is 0 and the nadir point 1. A run that ended before the budget keeps its archive.
    """
    return results.indicators(
        indicators, budgets, axis=axis, reference_fronts=reference_fronts, **selectors
    )
