"""``firsthit assess aocc``: areas over convergence curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    axis,
    chosen_from,
    count,
    format_,
    interval,
    one_budget,
    question,
    recommended,
    unequal,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@one_budget("Where the area ends")
@axis
@click.option("--lower", type=float, default=1e-8, show_default=True, help="Precision worth 1.")
@click.option("--upper", type=float, default=1e2, show_default=True, help="Precision worth 0.")
@chosen_from(
    "--group-by", ["all", "group", "function"], "What a row spans; never several dimensions."
)
@count
@recommended
@unequal
@interval("the area")
@format_
def command(
    results: Results,
    selectors: Selectors,
    budget: str | None,
    axis: str,
    lower: float,
    upper: float,
    group_by: str,
    interval: float | None,
    unequal: bool,
) -> Table:
    """Print the mean area over the convergence curve (AOCC): one number for all budgets up to one.

    Mean over evaluations 1 … budget of 1 - log10(best precision so far), clipped at --lower and
    --upper and scaled to 0 … 1, as firsthit.score gives it; larger is better. Exact where logs hold
    every improvement; elsewhere it lies between aocc and most.
    """
    return results.aocc(
        budget,
        axis=axis,
        lower=lower,
        upper=upper,
        group_by=group_by,
        interval=interval,
        unequal=unequal,
        **selectors,
    )
