"""``firsthit assess art``: average runtimes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    beside,
    count,
    format_,
    interval,
    question,
    recommended,
    reference,
    resolved,
    seed,
    targets,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@reference("none; ratios to its aRT are added; --targets runlength needs one")
@count
@recommended
@interval("each average")
@seed("the intervals")
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    interval: float | None,
    seed: int,
) -> Table:
    """Print the average runtime (aRT) to each target.

    aRT = evaluations of all runs until they hit the target or else ended / runs that hit it: an
    estimate of the expected evaluations of the algorithm restarted until it hits (COCO's aRT, also
    called ERT). A run that missed counts with the evaluations it spent itself. (3/15) says that 3
    of 15 runs hit; inf, that none did. With --reference, x1.5 [1.2, 1.9] is the ratio to the aRT
    of the reference and its interval.

    Intervals at 95 % hold in 93 to 99 % of experiments with 5 to 30 runs that all succeed, and in
    93 % on average over laws of runtimes at success rates 0.1, 0.3 and 0.6, unless runtimes have
    two modes or a heavy tail. [>= 123] stands where runs do not tell the upper end: fewer than
    three succeeded, or runtimes are very skew. Where all runs hit by luck (rate 0.9: 15 of 15 in 1
    of 5 experiments) intervals are too short; a note says by how much, for each evaluation that a
    failed run costs. Several runs of an instance count as one instance.
    """
    wanted = resolved(results, targets, reference, selectors)
    return results.art(
        wanted, interval=interval, seed=seed, reference=beside(targets, reference), **selectors
    )
