"""Figures of runtimes: profiles, aRT against dimension and function, losses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.choice import choose
from ...data.target_choice import BEST, reference_entries
from ...targets.defaults import loss_targets
from ...views.comparison.loss import loss_table
from ..files import Drawing
from ..loss import draw_loss
from .wanted import (
    Wanted,
    cells_of,
    drawing,
    place,
    runs_asked,
)

if TYPE_CHECKING:
    from ....loggers import Log


def loss(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Runtime losses against the reference."""
    asked = wanted.reference or BEST
    rows = choose(log, **wanted.selectors)
    entries, name = reference_entries(log, rows, asked, wanted.count)
    table = loss_table(*runs_asked(log, wanted, loss_targets), entries)
    for cell in cells_of(table, "suite", "dimension"):
        caption = (
            f"Runtime loss on {place(cell)} against {name}, by budget: aRT to the "
            "hardest target that the algorithm reaches within the budget (the budget itself where "
            "the reference reaches a harder one), divided by the reference's aRT. Line: geometric "
            "mean over functions; dots: functions."
        )
        yield drawing(log, wanted, cell, caption, draw_loss, table)
