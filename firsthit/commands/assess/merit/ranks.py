"""``firsthit assess ranks``: average ranks and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    count,
    format_,
    question,
    recommended,
    seed,
    targets,
    unequal,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the final one, or the suite's hardest")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Of the critical difference.",
)
@click.option(
    "--interval", type=float, default=0.95, show_default=True, metavar="LEVEL", help="Of intervals."
)
@seed("resamples and games")
@count
@recommended
@unequal
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    alpha: float,
    interval: float,
    seed: int,
    unequal: bool,
) -> Table:
    """Print average ranks over functions, in each dimension; one target.

    Runs are ordered by their evaluations to the target, those that missed it by precision. p:
    Friedman's test, by Iman and Davenport; critical_difference: Nemenyi's (Demšar 2006). rating:
    Glicko-2 by IOHanalyzer's convention. `assess superiority` has the pairs, `firsthit figures
    --kinds critical-difference` draws the ranks.
    """
    from ....assessment import RankOptions, Resampling

    options = RankOptions(alpha=alpha, resampling=Resampling(interval, seed, samples=1000))
    return results.ranks(targets, options=options, unequal=unequal, **selectors)
