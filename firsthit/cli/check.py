"""``firsthit check`` prints what a campaign would run; ``firsthit schema`` prints the JSON schema.

``check`` loads and plans a campaign as ``firsthit run`` does, but executes none of its runs and
writes no log. With ``--run`` it executes short runs, to find optimizers that fail or are not
reproducible.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .help import Command, add_option
from .options import OutputFormat, format_option, print_rows
from .run import (
    add_overriding_options,
    batch_option,
    describe_point_bytes,
    drop_unset,
    limit_threads,
    select_batch,
)

if TYPE_CHECKING:
    from ..runner.campaign.campaign import Campaign, RunSpec

_EXPLANATIONS = {
    "depends on the order": "its runs are equal only where the same runs came before them in their "
    "process: it keeps something from run to run",
    "does not repeat": "its runs differ, though made in the same order with the same seeds",
}
"""Explanation of a finding of `runner.execution.repeating`; the others explain themselves."""


@click.command(
    cls=Command,
    examples=["firsthit check my.yaml", "firsthit check my.yaml --run", "firsthit check bbob"],
)
@click.argument("campaign", metavar="FILE|NAME")
@add_overriding_options
@batch_option
@format_option
@add_option("--run", "tries_runs", is_flag=True, help="Test each optimizer with short runs.")
def command(
    campaign: str,
    output_format: OutputFormat,
    batch: str | None,
    tries_runs: bool,
    **options: Any,
) -> None:
    """Check a campaign file or a built-in campaign, and print the planned runs.

    The command imports the optimizers. It runs nothing, unless --run is given, and writes nothing.
    The table shows the evaluations that the budget allows. Runs that hit the final target need
    fewer.

    --run makes two runs of each optimizer in each dimension, with at most 200*D evaluations. It
    repeats them in the same order and in reverse order, each time in a new process. So it shows
    which optimizers fail, are not reproducible, or depend on earlier runs. In these cases, the exit
    code is 1.
    """
    limit_threads()
    # This import loads numpy, which reads the limits of threads.
    from ..runner import load_campaign, plan
    from ..runner.campaign.checks import note_on_unknown_optima

    loaded = load_campaign(campaign, drop_unset(options))
    loaded = select_batch(loaded, batch, options["output"])
    runs = plan(loaded)
    if note := note_on_unknown_optima(runs):
        click.echo(f"note: {note}", err=True)
    print_rows(_summarize_runs(runs), output_format)
    if output_format != "json":
        _print_settings(loaded, runs)
    if tries_runs and not _print_trials(loaded, runs):
        sys.exit(1)


def _summarize_runs(runs: Sequence[RunSpec]) -> list[dict[str, str | int | None]]:
    """Return one row for each suite and dimension, with the numbers of runs and evaluations."""
    groups: dict[tuple[str, int], list[RunSpec]] = {}
    for run in runs:
        groups.setdefault((run.problem_id.suite, run.problem_id.dimension), []).append(run)
    return [
        {
            "suite": suite,
            "dimension": dimension,
            "problems": len({run.problem_id for run in members}),
            "optimizers": len({run.optimizer.name for run in members}),
            "runs": len(members),
            "evaluations": _sum_budgets(members),
        }
        for (suite, dimension), members in groups.items()
    ]


def _sum_budgets(runs: Sequence[RunSpec]) -> int | None:
    """Return the number of evaluations that the budgets allow; None: at least one is unlimited."""
    budgets = [run.budget_evaluations for run in runs]
    return None if None in budgets else sum(budget or 0 for budget in budgets)


def _print_settings(campaign: Campaign, runs: Sequence[RunSpec]) -> None:
    """Print optimizers, log, workers, indicator and evaluators, and the total of the budgets."""
    optimizer_names = ", ".join(optimizer.name for optimizer in campaign.optimizers)
    click.echo(f"\noptimizers: {optimizer_names}")
    workers = campaign.workers or "none, runs are made in the process of the command"
    click.echo(f"log: {campaign.output}; workers: {workers}; isolation: {campaign.isolation}")
    click.echo(f"indicator: {campaign.rules.indicator or 'that of each suite'}")
    if (parallel := campaign.rules.parallel) is not None:
        description = parallel.description()
        click.echo(f"evaluators: {description['evaluators']}; duration: {description['duration']}")
    n_stages = len(campaign.rules.stages)
    in_stages = f" in {n_stages} stages" if n_stages > 1 else ""
    evaluations = _sum_budgets(runs)
    limit = f"{'unlimited' if evaluations is None else evaluations} evaluations"
    if all(run.budget_seconds < math.inf for run in runs):
        limit = f"{sum(run.budget_seconds for run in runs):g} seconds of simulated time"
    click.echo(f"{len(runs)} runs{in_stages}, {limit} at most")
    if note := describe_point_bytes(runs):
        click.echo(note)


def _print_trials(campaign: Campaign, runs: Sequence[RunSpec]) -> bool:
    """Execute short runs of each optimizer and print to standard error whether they repeat.

    This takes as long as all the short runs, in ``campaign.workers`` processes.

    Returns:
        Whether all runs of the campaign are reproducible. Runs that depend on their order are, if
        the campaign isolates each run in its own process.
    """
    from ..runner.execution.repeating import try_runs

    all_repeat = True
    for trial in try_runs(runs, campaign.workers):
        explanation = ""
        if trial.finding in _EXPLANATIONS:
            explanation = f"; {_EXPLANATIONS[trial.finding]}"
        depends_on_order = trial.finding == "depends on the order"
        is_isolated = campaign.isolation == "run"
        if depends_on_order and is_isolated:
            explanation += ", which isolation: run keeps out"
        elif depends_on_order:
            explanation += "; isolation: run gives each run a process of its own"
        details = f" ({trial.text})" if trial.text else ""
        click.echo(f"{trial.algorithm}: {trial.finding}{details}{explanation}", err=True)
        all_repeat &= trial.finding == "repeats" or (depends_on_order and is_isolated)
    return all_repeat


@click.command(cls=Command, examples=["firsthit schema > campaign.schema.json"])
def schema() -> None:
    """Print the JSON schema of campaign files, for editors that complete and check YAML.

    If an editor has the YAML language server, write this first line into the campaign file:
    # yaml-language-server: $schema=campaign.schema.json
    """
    from ..runner.campaign.keys import campaign_schema

    click.echo(json.dumps(campaign_schema(), indent=2, ensure_ascii=False))
