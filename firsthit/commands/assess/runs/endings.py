"""``firsthit assess endings``: how runs ended, and how often they were restarted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import format_, question

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@format_
def command(results: Results, selectors: Selectors) -> Table:
    """Print how runs ended, what they spent, and how often they were restarted.

    target: hit the final target; budget: spent it; terminated: the optimizer ended by itself;
    failed, timeout, interrupted: broke off. "restarts" is the mean number of restarts of a run.
    """
    return results.endings(**selectors)
