"""``firsthit assess endings``: how runs ended, and how often they were restarted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import choice, format_, load, selection, show


@click.command()
@selection
@format_("table")
def command(logs: Sequence[str], form: str, **filters: Any) -> None:
    """Print how runs ended, what they spent, and how often they were restarted.

    target: hit the final target; budget: spent it; terminated: the optimizer ended by itself;
    failed, timeout, interrupted: broke off. "restarts" is the mean number of restarts of a run.
    """
    results = load(logs)
    show(results.endings(**choice(results, filters)), form)
