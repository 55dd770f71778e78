"""Tables that take all functions of a dimension together: ranks, and the worth of portfolios."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import options
from ..assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


_interval = click.option(
    "--interval", type=float, default=0.95, show_default=True, metavar="LEVEL", help="Of intervals."
)
_measure = options.chosen_from("--measure", ["art", "par10", "aocc"], "What the numbers are.")


@question
@options.targets("the final one, or the suite's hardest")
@options.alpha("Of the critical difference.")
@_interval
@options.seed("resamples and games")
@options.count
@options.recommended
@options.unequal
def ranks(
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
    Friedman's test; critical_difference: Nemenyi's (Demšar 2006); both by permutation within
    functions, inf where there are too few functions for any difference. rating: Glicko-2 by
    IOHanalyzer's convention. `assess superiority` has the pairs, `firsthit figures --kinds
    critical-difference` draws the ranks.
    """
    from ...assessment import RankOptions, Resampling

    ranking = RankOptions(alpha=alpha, resampling=Resampling(interval, seed, samples=1000))
    return results.ranks(targets, options=ranking, unequal=unequal, **selectors)


@question
@options.targets("the final one, or the suite's hardest")
@options.chosen_from(
    "--correction", ["holm", "nemenyi"], "Of the p-values of all pairs of a dimension."
)
@options.alpha("A corrected p-value up to this is a difference.")
@_interval
@options.seed("resamples")
@options.count
@options.recommended
@options.unequal
def superiority(
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
    target, those that missed it by precision. p: of the average ranks of `assess ranks`, by
    permutation within functions, corrected by Holm or Nemenyi. Two algorithms need 6 functions to
    differ at 0.05, three need 7.
    """
    from ...assessment import RankOptions, Resampling

    ranking = RankOptions(correction, alpha, Resampling(interval, seed, samples=1000))
    return results.superiority(targets, options=ranking, unequal=unequal, **selectors)


@question
@_measure
@options.targets("of art and par10: the final one, or the suite's hardest")
@options.one_budget("Of aocc: where areas end")
@options.axis
@options.count
@options.recommended
def matrix(
    results: Results,
    selectors: Selectors,
    measure: str,
    targets: str | None,
    budget: str | None,
    axis: str,
) -> Table:
    """Print a number for each problem (function, dimension, instance) and algorithm.

    virtual_best is the best of each row; `assess gaps` has its mean beside that of the single best.
    """
    return results.matrix(measure, targets, budget=budget, axis=axis, **selectors)


@question
@_measure
@options.targets("of art and par10: the final one, or the suite's hardest")
@options.one_budget("Of aocc: where areas end")
@options.axis
@options.count
@options.recommended
def gaps(
    results: Results,
    selectors: Selectors,
    measure: str,
    targets: str | None,
    budget: str | None,
    axis: str,
) -> Table:
    """Print the single best algorithm, the virtual best and the gap between, in each dimension.

    The single best has the best mean over the problems (function, instance) of a dimension; the
    virtual best takes the best algorithm on each. The gap is what choosing perfectly could gain.
    """
    return results.gaps(measure, targets, budget=budget, axis=axis, **selectors)
