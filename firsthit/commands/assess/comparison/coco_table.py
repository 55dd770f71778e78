"""``firsthit assess coco-table``: COCO's table of average runtimes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import (
    count,
    format_,
    question,
    recommended,
    reference,
    resolved,
    targets,
)

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@targets("1e1, 1, 1e-1, 1e-2, 1e-3, 1e-5, 1e-7, or the suite's powers of ten")
@reference("none: averages are not divided; --targets runlength needs one")
@count
@recommended
@format_
def command(
    results: Results, selectors: Selectors, targets: str | None, reference: str | None
) -> Table:
    """Print the average runtime (aRT) of all algorithms by that of a reference, as in COCO's table.

    Beside it the 10 and 90 % points of single runtimes (with restarts on one objective),
    successes, and the significance of the best against each other. Made for
    --format latex: a tabular for each dimension with targets as columns.
    """
    wanted = resolved(results, targets, reference, selectors)
    return results.coco_table(wanted, reference, **selectors)
