"""``firsthit assess areas``: areas under runtime profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    asked_targets,
    axis,
    chosen_from,
    count,
    format_,
    question,
    recommended,
    reference,
    seed,
    targets,
    unequal,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the suite's, such as 51, 1e2 … 1e-8")
@reference("none; --targets runlength needs one")
@click.option(
    "--budget",
    required=True,
    metavar="NUMBER",
    help="Where the area ends, such as 100 or 100*D: a multiple of the dimension, or in the unit "
    "of --axis.",
)
@chosen_from(
    "--group-by", ["all", "group", "function"], "What a curve spans; never several dimensions."
)
@chosen_from(
    "--runtimes",
    ["suite", "expected", "restarts", "runs"],
    "expected: of the algorithm restarted until it succeeds, as an exact distribution; restarts: "
    "the same by simulation; runs: of single runs, failures counting as never; suite: expected, "
    "but runs with two objectives.",
)
@axis
@count
@recommended
@unequal
@seed("simulated restarts")
@format_
def command(
    results: Results,
    selectors: Selectors,
    targets: str | None,
    reference: str | None,
    budget: str,
    group_by: str,
    runtimes: str,
    axis: str,
    unequal: bool,
    seed: int,
) -> Table:
    """Print the area under each runtime profile up to --budget, and its geometric mean runtime."""
    from ....assessment import ProfileOptions, Simulation

    wanted = asked_targets(results, targets, reference, selectors, "0.5..50/15")
    options = ProfileOptions(group_by, runtimes, axis, simulation=Simulation(seed))
    return results.areas(wanted, budget=budget, options=options, unequal=unequal, **selectors)
