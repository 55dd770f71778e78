"""``firsthit assess aocc``: areas over convergence curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import axis, choice, format_, interval, load, selection, show


@click.command()
@selection
@click.option(
    "--budget",
    type=float,
    metavar="NUMBER",
    help="In the unit of --axis [default: that of the runs, where all have the same].",
)
@axis
@click.option("--lower", type=float, default=1e-8, show_default=True, help="Precision worth 1.")
@click.option("--upper", type=float, default=1e2, show_default=True, help="Precision worth 0.")
@click.option(
    "--group-by",
    type=click.Choice(["function", "group", "all"]),
    default="all",
    show_default=True,
    help="What a row spans; never several dimensions.",
)
@interval("the area")
@format_()
def command(
    logs: Sequence[str],
    budget: float | None,
    axis: str,
    lower: float,
    upper: float,
    group_by: str,
    interval: float | None,
    form: str,
    **filters: Any,
) -> None:
    """Print the mean area over the convergence curve (AOCC): one number for all budgets up to one.

    Mean over evaluations 1 … budget of 1 - log10(best precision so far), clipped at --lower and
    --upper and scaled to 0 … 1, as firsthit.score gives it; larger is better. Exact where logs hold
    every improvement; elsewhere it lies between aocc and most.
    """
    results = load(logs)
    table = results.aocc(
        budget,
        axis=axis,
        lower=lower,
        upper=upper,
        group_by=group_by,
        interval=interval,
        **choice(results, filters),
    )
    show(table, form)
