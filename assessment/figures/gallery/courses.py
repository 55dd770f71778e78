"""Figures of what algorithms noted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...data.choice import choose
from ...views.anytime.notes import notes_table
from ..anytime.notes import draw_notes
from ..files import Drawing
from .wanted import Wanted, cells_of, drawing, place

if TYPE_CHECKING:
    from ....loggers import Log


def notes(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """What the algorithm noted."""
    table = notes_table(log, choose(log, **wanted.selectors), wanted.names)
    for cell in cells_of(table, "suite", "function", "dimension", "name"):
        caption = (
            f"Parameter {cell['name']} against evaluations on {place(cell)}: a thin line for each "
            "run, a thick one for the median of those that still run."
        )
        yield drawing(log, replace(wanted, count="f"), cell, caption, draw_notes, table)
