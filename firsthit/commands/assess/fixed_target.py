"""``firsthit assess fixed-target``: statistics of the runtimes to single targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import axis, choice, format_, load, reference, selection, show, targets
from .target_option import asked_targets


@click.command()
@selection
@targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@reference("none; --targets runlength needs one")
@click.option(
    "--convention",
    type=click.Choice(["restarts", "runs", "iohanalyzer"]),
    default="restarts",
    show_default=True,
    help="Whose statistics; see above.",
)
@click.option(
    "--budget",
    type=float,
    metavar="NUMBER",
    help="Runs count as if stopped after it, in the unit of --axis [default: as they are].",
)
@axis
@click.option(
    "--penalty", type=float, default=1.0, show_default=True, metavar="K", help="Of PAR-k."
)
@click.option(
    "--balance",
    type=click.Choice(["runs", "instances"]),
    default="runs",
    show_default=True,
    help="Each run counts once, or runs are copied until all instances have equally many, "
    "as in cocopp.",
)
@click.option(
    "--shape",
    type=click.Choice(["statistics", "mass", "density"]),
    default="statistics",
    show_default=True,
    help="Statistics, or the distribution of the runs' runtimes: masses, or a kernel density.",
)
@format_()
def command(
    logs: Sequence[str],
    targets: str | None,
    reference: str | None,
    shape: str,
    form: str,
    convention: str,
    budget: float | None,
    axis: str,
    penalty: float,
    balance: str,
    **filters: Any,
) -> None:
    """Print statistics of the evaluations to each target, by convention.

    restarts: of the algorithm restarted until it succeeds. art, the average runtime = evaluations
    of all runs until they hit or ended / successes; quantiles (hazen) and geometric mean of
    runtimes simulated from the runs. A quantile is about one run with restarts: it is no
    confidence interval of art.

    runs: of single runs. Quantiles (hazen) count failures as infinite; mean, sd and geometric mean
    are over successful runs alone, so they must not be compared without the success rate.

    iohanalyzer: IOHanalyzer's set under its names. mean, median, sd and quantiles (type 3) over
    successful runs, PAR-k (failures count k budgets) and ERT with one budget for all runs, the
    largest that was spent or --budget.
    """
    from ...assessment import FixedTargetOptions

    options = FixedTargetOptions(convention, budget, axis, penalty, balance)
    results = load(logs)
    chosen = choice(results, filters)
    wanted = asked_targets(results, targets, reference, chosen)
    if shape == "statistics":
        show(results.fixed_target(wanted, options=options, **chosen), form)
    else:
        show(results.runtime_shapes(wanted, shape=shape, **chosen), form)
