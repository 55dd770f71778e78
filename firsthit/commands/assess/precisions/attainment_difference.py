"""``firsthit assess attainment-difference``: where two algorithms attain differently."""

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
    two_algorithms,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@axis
@chosen_from(
    "--group-by",
    ["function", "group", "all"],
    "Whose runs are taken together; never several dimensions.",
)
@count
@recommended
@format_
def command(results: Results, selectors: Selectors, axis: str, group_by: str) -> Table:
    """Print where two algorithms differ in attainment, as rectangles of budget and precision.

    Name them with --algorithms A,B where the logs hold more. See `assess attainment`; needs the
    package moocore.
    """
    first, second = two_algorithms(results, selectors)
    return results.attainment_difference(first, second, axis=axis, group_by=group_by, **selectors)
