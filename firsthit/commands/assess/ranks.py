"""``firsthit assess ranks``: average ranks, who beats whom, ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.assessing import chosen_from, count, format_, question, seed, targets, unequal

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


@click.command()
@question
@targets("the final one, or the suite's hardest")
@chosen_from("--show", ["ranks", "pairs"], "Of each algorithm, or of each pair of them.")
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
@seed("resamples and games")
@count
@unequal
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    show: str,
    correction: str,
    alpha: float,
    interval: float,
    seed: int,
    unequal: bool,
) -> Table:
    """Print average ranks over functions, in each dimension; one target.

    Runs are ordered by their evaluations to the target, those that missed it by precision. p:
    Friedman's test, by Iman and Davenport; pairs: Holm or Nemenyi (Demšar 2006). superiority: the
    probability that a run of the first beats one of the second, mean over functions (rliable's
    probability of improvement). rating: Glicko-2 by IOHanalyzer's convention. `firsthit figures
    --kinds critical-difference` draws the ranks.
    """
    from ...assessment import RankOptions, Resampling

    options = RankOptions(correction, alpha, Resampling(interval, seed, samples=1000))
    table = results.ranks(targets, options=options, unequal=unequal, **selectors)
    return table.pairs if show == "pairs" else table
