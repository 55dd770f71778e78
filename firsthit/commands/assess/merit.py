"""Tables that take all functions of a dimension together: ranks, and the worth of portfolios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...terminal import options
from ...terminal.assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


_measure = options.chosen_from("--measure", ["art", "par10", "aocc"], "What the numbers are.")


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


@question
@options.one_budget("Where areas end")
@options.axis
@options.count
@options.recommended
def contributions(results: Results, selectors: Selectors, budget: str | None, axis: str) -> Table:
    """Print what each algorithm adds to the portfolio of all, in each dimension.

    A portfolio is worth the mean over problems of the best area over the convergence curve (see
    `assess aocc`) of its members. alone: of the algorithm by itself; marginal: what the portfolio
    of all loses without it; shapley: its Shapley value, exact for any number of algorithms.
    """
    return results.contributions(budget, axis=axis, **selectors)
