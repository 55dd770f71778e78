"""``firsthit assess attainment``: which share of runs got how far, how soon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import axis, choice, format_, load, selection, show


@click.command()
@selection
@click.option(
    "--levels",
    metavar="NUMBERS",
    default="10,25,50,75,90",
    show_default=True,
    help="Percentages of runs.",
)
@click.option(
    "--difference",
    nargs=2,
    metavar="FIRST SECOND",
    help="Of two algorithms, instead of the levels of each.",
)
@axis
@click.option(
    "--group-by",
    type=click.Choice(["function", "group", "all"]),
    default="function",
    show_default=True,
    help="Whose runs are taken together; never several dimensions.",
)
@format_()
def command(
    logs: Sequence[str],
    levels: str,
    difference: tuple[str, str] | None,
    axis: str,
    group_by: str,
    form: str,
    **filters: Any,
) -> None:
    """Print the empirical attainment function: precision that a share of the runs had, by budget.

    Each level is a curve, given by its corners: from "budget" on, that share of the runs had
    "precision" or better. --difference prints where two algorithms differ, as rectangles. Needs
    the package moocore, which IOHanalyzer's successors use, too.
    """
    results = load(logs)
    chosen = choice(results, filters)
    if difference:
        table = results.attainment_difference(*difference, axis=axis, group_by=group_by, **chosen)
    else:
        table = results.attainment(levels, axis=axis, group_by=group_by, **chosen)
    show(table, form)
