"""``firsthit assess compare``: pairs of algorithms with tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    asked_targets,
    chosen_from,
    count,
    format_,
    question,
    recommended,
    reference,
    seed,
    targets,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the final one, or the suite's hardest")
@reference("none; --targets runlength needs one")
@click.option("--against", metavar="NAME", help="Compare each with this algorithm [default: all].")
@chosen_from(
    "--correction",
    ["holm", "bonferroni", "none"],
    "Of the p-values of a pair of algorithms, over its functions, dimensions, targets.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="A corrected p-value up to this decides.",
)
@count
@recommended
@seed("the intervals")
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
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

    Intervals are those of `firsthit assess art`, of a quotient. They are drawn out to 1 where the
    test does not decide, so that a ratio never contradicts the conclusion beside it.
    """
    from ....assessment import CompareOptions, Resampling

    wanted = asked_targets(results, targets, reference, selectors)
    options = CompareOptions(against, correction, alpha, Resampling(seed=seed))
    return results.compare(wanted, options=options, **selectors)
