"""``firsthit regressions``: test a new version of an optimizer for regressions.

The command reads two logs, prints the tests of `assessment.regression` and sets the exit code, so
that continuous integration fails on a regression.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal, get_args

import click

from . import options
from .activity import show_activity
from .assess import show
from .help import Command, add_option

if TYPE_CHECKING:
    from ..assessment.cost import Count

OutputFormat = Literal["table", "csv", "json", "junit"]


@click.command(
    cls=Command,
    examples=[
        "firsthit regressions old.h5 new.h5",
        "firsthit regressions old.h5 new.h5 --factor 1.1 --format junit",
    ],
)
@click.argument("base")
@click.argument("new")
@add_option(
    "--factor",
    default=1.0,
    show_default=True,
    help="Tolerated ratio of runtimes, NEW to BASE: a larger one counts as a regression.",
)
@add_option(
    "--alpha",
    default=0.05,
    show_default=True,
    help="Maximum probability of at least one false alarm in the whole comparison.",
)
@options.functions
@options.dimensions
@options.instances
@add_option(
    "--targets",
    metavar="NUMBERS",
    help="Target precisions, e.g. 1e1,1e-8. Default: powers of ten, 1e1 to 1e-8.",
)
@options.count
@options.hypervolume_reference
@options.coco_archive
@add_option(
    "--format",
    "output_format",
    type=click.Choice(get_args(OutputFormat)),
    default="table",
    show_default=True,
    help="Output format: csv, json and junit contain all tests, table contains the findings.",
)
def command(
    base: str,
    new: str,
    factor: float,
    alpha: float,
    targets: str | None,
    count: Count | None,
    hypervolume_reference: str | None,
    output_format: OutputFormat,
    **selectors: str | None,
) -> None:
    """Test whether a new version of an optimizer is slower or less reliable.

    BASE and NEW are logs or folders of the old and the new version.

    Each function and dimension has two tests. Runtime: the runs of both versions are ranked on each
    target, and their mean ranks are compared by a rank-sum test. If instances are equal, a
    signed-rank test is used, too. Reliability: the successes at the hardest target that half of all
    runs hit are compared by Fisher's exact test. If instances have several runs, both tests
    exchange runs within the instances that both logs have. If the logs share fewer than half of
    their instances, the tests exchange whole instances instead of runs. A further test covers all
    functions of a dimension. Holm's correction limits the probability of any false alarm to
    --alpha.

    "new/base" is the ratio of runtimes, with a pointwise 95 % confidence interval (not corrected
    for multiple rows). The interval is widened to include --factor for rows that are not
    regressions.

    Exit code: 1 if there is a regression, else 0.
    """
    # These modules import numpy, which `firsthit regressions --help` does not need.
    from ..assessment import load
    from ..assessment.regression import RegressionOptions

    show_activity("reading logs")
    base_results, new_results = load(base), load(new)
    options.report_damage([base, new])
    if hypervolume_reference is not None:
        # The archives of both logs contribute, so that both are measured from the same reference.
        base_results, new_results = (
            base_results.measured_from(hypervolume_reference, others=[new_results], **selectors),
            new_results.measured_from(hypervolume_reference, others=[base_results], **selectors),
        )
    show_activity("comparing the runs")
    table = new_results.regressions(
        base_results,
        targets,
        options=RegressionOptions(factor=factor, alpha=alpha),
        count=count,
        **selectors,
    )
    show(table, output_format)
    if table.regressions:
        sys.exit(1)
