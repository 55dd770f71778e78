"""Tables of single runs: how they ended, started again, and what time they took."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...terminal.assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


@question
def endings(results: Results, selectors: Selectors) -> Table:
    """Print how runs ended, what they spent, and how often they were restarted.

    target: hit the final target; budget: spent it; terminated: the optimizer ended by itself;
    failed, timeout, interrupted: broke off. "restarts" is the mean number of restarts of a run.
    """
    return results.endings(**selectors)


@question
def restarts(results: Results, selectors: Selectors) -> Table:
    """Print every start of every run: at which evaluation, and why the one before ended."""
    return results.restarts(**selectors)


@question
def tuning(results: Results, selectors: Selectors) -> Table:
    """Print how many settings were tested, and what that cost, as the logs disclose it.

    A comparison is fair where as much was spent on each algorithm. Campaigns say it under
    'tuning', loops by Observer(tuning=...).
    """
    return results.tuning(**selectors)


@question
@click.option(
    "--names", metavar="NAMES", help="Of parameters, such as sigma,popsize [default: all]."
)
def notes(results: Results, selectors: Selectors, names: str | None) -> Table:
    """Print the parameters that algorithms noted, with the evaluations at which they had them.

    An algorithm notes its parameters by problem.note(sigma=…); logs of IOHprofiler bring the
    attributes that they watched. `firsthit figures --kinds notes` draws each.
    """
    wanted = None if names is None else [name.strip() for name in names.split(",")]
    return results.notes(wanted, **selectors)


@question
@click.option("--by-function", is_flag=True, help="Tell functions apart.")
def timing(results: Results, selectors: Selectors, by_function: bool) -> Table:
    """Print seconds per evaluation, in the optimizer and in the problem, by dimension.

    Means are all seconds over all evaluations; wall_10%, wall_50%, wall_90% are quantiles over
    runs. Notes tell machine and versions. Time nothing beside other work: 'workers: 1', as in the
    ready campaign 'timing'.
    """
    return results.timing(by_function=by_function, **selectors)
