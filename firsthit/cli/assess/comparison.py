"""Tables of algorithms against each other, or a reference, function by function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import options
from ..assessing import asked_targets, question, two_algorithms

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table
    from ..assessing import AskedTargets


@question
@asked_targets("the suite's, such as 51, 1e2 … 1e-8")
@options.count
@options.recommended
def scatter(results: Results, selectors: Selectors, targets: AskedTargets) -> Table:
    """Print the average runtimes of two algorithms to each target, and their longest runs.

    Name them with --algorithms A,B where the logs hold more.
    """
    return results.scatter(*two_algorithms(results, selectors), targets, **selectors)


@question
@asked_targets("1e1, 1e-1, 1e-4, 1e-8, or four of the suite's")
@options.count
@options.recommended
def ratios(results: Results, selectors: Selectors, targets: AskedTargets) -> Table:
    """Print the distribution of the runtime ratios of two algorithms over pairs of their runs.

    Name them with --algorithms A,B where the logs hold more.
    """
    return results.ratios(*two_algorithms(results, selectors), targets, **selectors)
