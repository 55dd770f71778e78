"""``firsthit assess timing``: seconds per evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ....terminal.assessing import format_, question

if TYPE_CHECKING:
    from ....assessment import Results, Selectors, Table


@click.command()
@question
@click.option("--by-function", is_flag=True, help="Tell functions apart.")
@format_
def command(results: Results, selectors: Selectors, by_function: bool) -> Table:
    """Print seconds per evaluation, in the optimizer and in the problem, by dimension.

    Means are all seconds over all evaluations; wall_10%, wall_50%, wall_90% are quantiles over
    runs. Notes tell machine and versions. Time nothing beside other work: 'workers: 1', as in the
    ready campaign 'timing'.
    """
    return results.timing(by_function=by_function, **selectors)
