"""``firsthit check``: what a campaign would run; ``firsthit schema``: what its file may say."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from .options import format_option, print_rows
from .run import batch_option, given, in_batch, overriding_options, single_threaded

if TYPE_CHECKING:
    from ..runner.campaign.campaign import Campaign, RunSpec


@click.command()
@click.argument("campaign", metavar="FILE|NAME")
@overriding_options
@batch_option
@format_option
@click.option("--run", "tries", is_flag=True, help="Try each optimizer with short runs, too.")
def command(campaign: str, form: str, batch: str | None, tries: bool, **options: Any) -> None:
    """Check the campaign FILE, or a ready one by its NAME, and print what it would run.

    Nothing is run or written; the optimizers that it names are imported. Evaluations are those
    that the budget allows; runs that hit the final target need fewer.

    With --run, two runs of each optimizer in each dimension are made, of 200*D evaluations at most:
    in one order, in the same order again, and in the reverse order, each time in a new process. So
    it shows who fails, who does not repeat, and whose runs depend on those before them. Then the
    exit code is 1.
    """
    single_threaded()
    from ..runner import load_campaign, plan
    from ..runner.campaign.checks import note_on_unknown_optima

    loaded = in_batch(load_campaign(campaign, given(options)), batch, options["output"])
    runs = plan(loaded)
    if unknown := note_on_unknown_optima(runs):
        click.echo(f"note: {unknown}", err=True)
    print_rows(_rows(runs), form)
    if form != "json":
        _print_facts(loaded, runs)
    if tries and not _all_repeat(loaded, runs):
        sys.exit(1)


def _print_facts(loaded: Campaign, runs: Sequence[RunSpec]) -> None:
    total = _evaluations(runs)
    names = ", ".join(ref.name for ref in loaded.optimizers)
    click.echo(f"\noptimizers: {names}")
    workers = loaded.workers or "none, runs are made in the process of the command"
    click.echo(f"log: {loaded.output}; workers: {workers}; isolation: {loaded.isolation}")
    click.echo(f"indicator: {loaded.rules.indicator or 'that of each suite'}")
    if (parallel := loaded.rules.parallel) is not None:
        facts = parallel.description()
        click.echo(f"evaluators: {facts['evaluators']}; duration: {facts['duration']}")
    stages = len(loaded.rules.stages)
    staged = f" in {stages} stages" if stages > 1 else ""
    most = f"{'unlimited' if total is None else total} evaluations"
    if all(run.budget_seconds < math.inf for run in runs):
        most = f"{sum(run.budget_seconds for run in runs):g} seconds of simulated time"
    click.echo(f"{len(runs)} runs{staged}, {most} at most")


_HELP = {
    "depends on the order": "its runs are equal only where the same runs came before them in their "
    "process: it keeps something from run to run",
    "does not repeat": "its runs differ, though made in the same order with the same seeds",
}


def _all_repeat(loaded: Campaign, runs: Sequence[RunSpec]) -> bool:
    """Try the optimizers and print the results; whether logs will be equal."""
    from ..runner.execution.repeating import try_runs

    fine = True
    for trial in try_runs(runs, loaded.workers):
        help_ = f"; {_HELP[trial.finding]}" if trial.finding in _HELP else ""
        where = f" ({trial.text})" if trial.text else ""
        if is_kept_out := (trial.finding == "depends on the order" and loaded.isolation == "run"):
            help_ += ", which isolation: run keeps out"
        elif trial.finding == "depends on the order":
            help_ += "; isolation: run gives each run a process of its own"
        click.echo(f"{trial.algorithm}: {trial.finding}{where}{help_}", err=True)
        fine &= is_kept_out or trial.finding == "repeats"
    return fine


def _rows(runs: Sequence[RunSpec]) -> list[dict[str, str | int | None]]:
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
            "evaluations": _evaluations(members),
        }
        for (suite, dimension), members in groups.items()
    ]


def _evaluations(runs: Sequence[RunSpec]) -> int | None:
    """What the budgets allow; None where there is none."""
    budgets = [run.budget_evaluations for run in runs]
    return None if None in budgets else sum(budget or 0 for budget in budgets)


@click.command()
def schema() -> None:
    """Print the JSON schema of campaign files, for editors that complete and check YAML.

    Editors with the YAML language server take it by a first line in the campaign file:
    # yaml-language-server: $schema=campaign.schema.json
    """
    from ..runner.campaign.keys import campaign_schema

    click.echo(json.dumps(campaign_schema(), indent=2, ensure_ascii=False))
