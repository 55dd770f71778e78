"""``firsthit assess attainment``: which share of runs got how far, how soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
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
@click.option(
    "--levels",
    metavar="NUMBERS",
    default="10,25,50,75,90",
    show_default=True,
    help="Percentages of runs.",
)
@axis
@chosen_from(
    "--group-by",
    ["function", "group", "all"],
    "Whose runs are taken together; never several dimensions.",
)
@count
@recommended
@format_
def command(
    results: Results,
    selectors: Selectors,
    levels: str,
    axis: str,
    group_by: str,
) -> Table:
    """Print the empirical attainment function: precision that a share of the runs had, by budget.

    Each level is a curve, given by its corners: from "budget" on, that share of the runs had
    "precision" or better. Needs the package moocore.
    """
    return results.attainment(levels, axis=axis, group_by=group_by, **selectors)
