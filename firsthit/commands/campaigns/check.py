"""``firsthit check``: what a campaign would run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...terminal.listing import format_option, print_rows
from .run import batch_option, given, in_batch, overriding_options

if TYPE_CHECKING:
    from ...runner import RunSpec


@click.command()
@click.argument("campaign", metavar="FILE|NAME")
@overriding_options
@batch_option
@format_option
def command(campaign: str, form: str, batch: str | None, **options: Any) -> None:
    """Check the campaign FILE, or a ready one by its NAME, and print what it would run.

    Nothing is run or written; the optimizers that it names are imported. Evaluations are those
    that the budget allows; runs that hit the final target need fewer.
    """
    from ...runner import load_campaign, plan
    from ...runner.campaign.checks import note_on_unknown_optima

    loaded = in_batch(load_campaign(campaign, given(options)), batch, options["output"])
    runs = plan(loaded)
    if unknown := note_on_unknown_optima(runs):
        click.echo(f"note: {unknown}", err=True)
    print_rows(_rows(runs), form)
    if form == "json":
        return
    total = _evaluations(runs)
    names = ", ".join(ref.name for ref in loaded.optimizers)
    click.echo(f"\noptimizers: {names}")
    workers = loaded.workers or "none, runs are made in the process of the command"
    click.echo(f"log: {loaded.output}; workers: {workers}")
    click.echo(f"indicator: {loaded.rules.indicator or 'that of each suite'}")
    stages = len(loaded.rules.stages)
    staged = f" in {stages} stages" if stages > 1 else ""
    most = "unlimited" if total is None else total
    click.echo(f"{len(runs)} runs{staged}, {most} evaluations at most")


def _rows(runs: list[RunSpec]) -> list[dict[str, str | int | None]]:
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


def _evaluations(runs: list[RunSpec]) -> int | None:
    """What the budgets allow; None where there is none."""
    budgets = [run.budget_evaluations for run in runs]
    return None if None in budgets else sum(budget or 0 for budget in budgets)
