"""Tables of algorithms against each other, or a reference, function by function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal import options
from ...terminal.assessing import asked_targets, question, resolved

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table
    from ...terminal.assessing import AskedTargets


@question
@asked_targets("the final one, or the suite's hardest")
@click.option("--against", metavar="NAME", help="Compare each with this algorithm [default: all].")
@options.chosen_from(
    "--correction",
    ["holm", "bonferroni", "none"],
    "Of the p-values of a pair of algorithms, over its functions, dimensions, targets.",
)
@options.alpha("A corrected p-value up to this decides.")
@options.count
@options.recommended
@options.seed("the intervals")
def compare(
    results: Results,
    selectors: Selectors,
    targets: AskedTargets,
    against: str | None,
    correction: str,
    alpha: float,
    seed: int,
) -> Table:
    """Compare algorithms in pairs, function by function; dimensions are never joined.

    The ratio of their average runtimes with its 95 % interval, a rank-sum test, and in words who is
    faster, or how many more instances it takes to tell.

    The test ranks runs by their evaluations to the target; runs that missed it come after, by the
    precision they had when the shortest of them ended. It is exact up to 60 runs. P-values are
    corrected for all rows of a pair, so that a pair without any difference gets a conclusion with
    probability at most --alpha. "more instances" assumes that the difference seen is the true one
    (power 0.8, Noether 1987). Where instances have several runs, runs are exchanged within the
    instances that both algorithms have ("more runs on these instances"), or whole instances if they
    share fewer than half.

    Intervals are those of `firsthit assess art`, of a quotient; where all runs of one algorithm hit
    by luck, they are too short, and a note says by how much, as there. They are drawn out to 1
    where the test does not decide, so that a ratio never contradicts the conclusion beside it.
    """
    from ...assessment import CompareOptions, Resampling

    tests = CompareOptions(against, correction, alpha, Resampling(seed=seed))
    return results.compare(targets, options=tests, **selectors)


@question
@options.targets("1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's powers of ten")
@options.reference("none: averages are not divided; --targets runlength needs one")
@options.count
@options.recommended
def coco_table(
    results: Results, selectors: Selectors, targets: str | None, reference: str | None
) -> Table:
    """Print the average runtime (aRT) of all algorithms by that of a reference, as in COCO's table.

    Beside it the 10 and 90 % points of single runtimes (with restarts on one objective),
    successes, and the significance of the best against each other. Made for
    --format latex: a tabular for each dimension with targets as columns.
    """
    wanted = resolved(results, targets, reference, selectors)
    return results.coco_table(wanted, reference, **selectors)


@question
@options.reference("best")
@options.budgets("2, 10, 100, … up to the largest aRT")
@options.count
@options.recommended
def loss(
    results: Results, selectors: Selectors, reference: str | None, budgets: str | None
) -> Table:
    """Print how many times longer than a reference algorithms take, by budget.

    The loss at a budget is about the hardest target whose average runtime (aRT) of the algorithm
    itself is within the budget, as in cocopp: this aRT, or the budget where the reference reaches
    the next target in less, divided by the aRT of the reference to the same target. As text, its
    percentiles over functions; other formats have the functions.
    """
    return results.loss(reference or "best", budgets, **selectors)


@question
@asked_targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.count
@options.recommended
def best(results: Results, selectors: Selectors, targets: AskedTargets) -> Table:
    """Print the smallest average runtime to each target, and whose it is."""
    return results.best(targets, **selectors)


@question
@asked_targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@options.count
@options.recommended
@options.unequal
def best_shares(
    results: Results, selectors: Selectors, targets: AskedTargets, unequal: bool
) -> Table:
    """Print on how many function-target pairs each algorithm has the smallest average runtime."""
    return results.best_shares(targets, unequal=unequal, **selectors)
