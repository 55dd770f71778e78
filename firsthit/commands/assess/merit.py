"""Tables that take all functions of a dimension together: ranks, and the worth of portfolios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...terminal import options
from ...terminal.assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


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
