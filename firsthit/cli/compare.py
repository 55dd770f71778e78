"""``firsthit compare``: what a new version of an optimizer does slower or less reliably."""

from __future__ import annotations

import sys

import click

from . import options
from .assess import show


@click.command()
@click.argument("base")
@click.argument("new")
@click.option(
    "--factor",
    default=1.0,
    show_default=True,
    help="How many times slower NEW may be before it counts as a regression.",
)
@click.option(
    "--alpha",
    default=0.05,
    show_default=True,
    help="Probability of any false alarm in the whole comparison, at most.",
)
@options.functions
@options.dimensions
@options.instances
@click.option(
    "--targets", metavar="NUMBERS", help="Precisions such as 1e1,1e-8 [default: 1e1, 1e0, … 1e-8]."
)
@options.count
@options.hypervolume_reference
@options.coco_archive
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "junit"]),
    default="table",
    show_default=True,
    help="What goes to standard output; csv, json and junit have every test, table the findings.",
)
def command(
    base: str,
    new: str,
    factor: float,
    alpha: float,
    functions: str | None,
    dimensions: str | None,
    instances: str | None,
    targets: str | None,
    count: str | None,
    hypervolume_reference: str | None,
    form: str,
) -> None:
    """Say what NEW does slower or less reliably than BASE, two logs (or folders) of an optimizer.

    Each function and dimension has two tests. Runtime: the runs of both are ranked on every target
    and the mean ranks compared (rank-sum test, and signed-rank test of runs on equal instances).
    Reliability: successes at the hardest target that half of all runs hit (Fisher's exact test).
    Where instances have several runs, both tests exchange runs within the instances that both logs
    have, or whole instances if they share fewer than half.
    One more test takes all functions of a dimension together. Holm's correction holds the
    probability of any false alarm at --alpha.

    "new/base" is how many times NEW's clock is slower, with a 95 % interval that holds one by one
    and is drawn out to --factor where the row is no regression.
    Exit code 1 where something is a regression, 0 otherwise.
    """
    from ..assessment import load
    from ..assessment.regression import RegressionOptions

    numbers = {"functions": functions, "dimensions": dimensions, "instances": instances}
    old, now = load(base), load(new)
    if hypervolume_reference is not None:
        old, now = (
            results.measured_from(hypervolume_reference, others=[other], **numbers)
            for results, other in ((old, now), (now, old))
        )
    tests = RegressionOptions(factor=factor, alpha=alpha)
    table = now.regressions(old, targets, options=tests, count=count, **numbers)
    show(table, form)
    sys.exit(1 if table.regressions else 0)
