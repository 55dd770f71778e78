"""``firsthit assess timing``: seconds per evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import choice, format_, load, selection, show


@click.command()
@selection
@click.option("--by-function", is_flag=True, help="Tell functions apart.")
@format_()
def command(logs: Sequence[str], by_function: bool, form: str, **filters: Any) -> None:
    """Print seconds per evaluation, in the optimizer and in the problem, by dimension.

    Means are all seconds over all evaluations; wall_10%, wall_50%, wall_90% are quantiles over
    runs. Notes tell machine and versions. Time nothing beside other work: 'workers: 1', as in the
    ready campaign 'timing'.
    """
    results = load(logs)
    show(results.timing(by_function=by_function, **choice(results, filters)), form)
