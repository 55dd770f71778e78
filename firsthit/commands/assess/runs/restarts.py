"""``firsthit assess restarts``: every start of every run."""

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
    """Print every start of every run: at which evaluation, and why the one before ended."""
    return results.restarts(**selectors)
