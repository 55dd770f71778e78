"""``firsthit assess tuning``: how algorithms were tuned before their runs."""

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
    """Print how many settings were tested, and what that cost, as the logs disclose it.

    A comparison is fair where as much was spent on each algorithm. Campaigns say it under
    'tuning', loops by Observer(tuning=...).
    """
    return results.tuning(**selectors)
