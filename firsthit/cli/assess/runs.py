"""Tables of single runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..assessing import question

if TYPE_CHECKING:
    from ...assessment import Results, Selectors, Table


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
