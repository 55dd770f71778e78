"""``firsthit assess runtime-shapes``: distributions of runtimes."""

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
    targets,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("the suite's powers of ten, such as 1e1, 1e0, … 1e-8")
@reference("none; --targets runlength needs one")
@chosen_from(
    "--shape",
    ["density", "mass", "density-nrd0"],
    "A kernel density of logarithms; masses; or a density of the values themselves, as R has it.",
)
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, targets: str | None, reference: str | None, shape: str
) -> Table:
    """Print kernel densities, or masses, of the runtimes of single runs to each target.

    Runs that missed the target are no part of a density; their share is in its notes.
    """
    wanted = asked_targets(results, targets, reference, selectors)
    return results.runtime_shapes(wanted, shape=shape, **selectors)
