"""``firsthit assess fixed-target``: statistics of the runtimes to single targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    asked_targets,
    axis,
    chosen_from,
    count,
    format_,
    one_budget,
    question,
    recommended,
    reference,
    targets,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@reference("none; --targets runlength needs one")
@chosen_from(
    "--convention", ["suite", "restarts", "runs", "iohanalyzer"], "Whose statistics; see above."
)
@one_budget("Runs count as if stopped after it", "as they are")
@axis
@click.option(
    "--penalty", type=float, default=1.0, show_default=True, metavar="K", help="Of PAR-k."
)
@chosen_from(
    "--balance",
    ["runs", "instances"],
    "Each run counts once, or runs are copied until all instances have equally many, as in cocopp.",
)
@count
@recommended
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    convention: str,
    budget: str | None,
    axis: str,
    penalty: float,
    balance: str,
) -> Table:
    """Print statistics of the evaluations to each target, by convention.

    restarts: of the algorithm restarted until it succeeds. art, the average runtime = evaluations
    of all runs until they hit or ended / successes; quantiles and geometric mean of the exact
    distribution that the runs stand for. A quantile is about one run with restarts: it is no
    confidence interval of art.

    suite: as restarts, but with two objectives no restarts are simulated: quantiles and geometric
    mean are those of runs there.

    runs: of single runs. Quantiles (hazen) count failures as infinite; mean, sd and geometric mean
    are over successful runs alone, so they must not be compared without the success rate.

    iohanalyzer: IOHanalyzer's set under its names. mean, median, sd and quantiles (type 3) over
    successful runs, PAR-k (failures count k budgets) and ERT with one budget for all runs, the
    largest that was spent or --budget.
    """
    from ....assessment import FixedTargetOptions
    from ....assessment.targets.budgets import one_budget

    stop = None if budget is None else one_budget(budget, axis)
    options = FixedTargetOptions(convention, stop, axis, penalty, balance)
    wanted = asked_targets(results, targets, reference, selectors)
    return results.fixed_target(wanted, options=options, **selectors)
