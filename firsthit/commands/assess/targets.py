"""``firsthit assess targets``: targets of each function, chosen by a reference or by the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from .options import budgets, choice, format_, load, reference, selection, show


@click.command()
@selection
@click.option(
    "--way",
    type=click.Choice(
        ["runlength", "dynamic", "iohanalyzer-log", "iohanalyzer-linear", "iohanalyzer-final"]
    ),
    default="runlength",
    show_default=True,
    help="How targets are chosen; see above.",
)
@reference("none; runlength needs one")
@budgets("0.5, 1.2, 3, 10, 50")
@click.option(
    "--rule",
    type=click.Choice(["paper", "paper-distinct", "cocopp", "cocopp-unique"]),
    default="paper",
    show_default=True,
    help="Of run-length targets; see above.",
)
@format_()
def command(
    logs: Sequence[str],
    way: str,
    reference: str | None,
    budgets: str | None,
    rule: str,
    form: str,
    **filters: Any,
) -> None:
    """Print targets that fit each function; as CSV they can be given to --targets.

    runlength: for each budget the easiest of COCO's targets (five per decade) that the reference
    does not reach on average within it; 1e-8 if there is none. An algorithm that reaches it within
    the budget is better than the reference. Rules: paper, as said; paper-distinct, no target
    twice but 1e-8; cocopp, one step below the hardest target reached, divided again where equal;
    cocopp-unique, the same without the equal ones.

    The other ways depend on the runs compared, so another algorithm changes them and all numbers
    made with them. dynamic: five per decade from the easiest that every first evaluation hits.
    iohanalyzer-log, iohanalyzer-linear: ten from the worst to the best value. iohanalyzer-final:
    one, the best over algorithms of the 2 % quantile of final precisions.
    """
    results = load(logs)
    chosen = choice(results, filters)
    show(results.targets(way, reference, budgets, rule, **chosen), form)
