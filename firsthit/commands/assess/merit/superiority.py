"""``firsthit assess superiority``: who beats whom how probably."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    chosen_from,
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
@chosen_from("--correction", ["holm", "nemenyi"], "Of the p-values of all pairs of a dimension.")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="A corrected p-value up to this is a difference.",
)
@click.option(
    "--interval", type=float, default=0.95, show_default=True, metavar="LEVEL", help="Of intervals."
)
@seed("resamples")
@count
@recommended
@unequal
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    correction: str,
    alpha: float,
    interval: float,
    seed: int,
    unequal: bool,
) -> Table:
    """Print who beats whom how probably, over the functions of each dimension; one target.

    superiority: the probability that a run of the first beats one of the second, mean over
    functions (rliable's probability of improvement). Runs are ordered by their evaluations to the
    target, those that missed it by precision. p: of the average ranks of `assess ranks`, corrected
    by Holm or Nemenyi (Demšar 2006).
    """
    from ....assessment import RankOptions, Resampling

    options = RankOptions(correction, alpha, Resampling(interval, seed, samples=1000))
    return results.superiority(targets, options=options, unequal=unequal, **selectors)
