"""Figures of two objectives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...views.fronts.surfaces import surface_difference_table, surfaces_table
from ..files import Drawing
from ..fronts.surfaces import draw_surface_difference, draw_surfaces
from ..plane import SCALED
from .wanted import (
    Wanted,
    archives_asked,
    cells_of,
    drawing,
    only,
    pairs_of,
    place,
)

if TYPE_CHECKING:
    from ....loggers import Log


def surfaces(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Attainment surfaces."""
    table = surfaces_table(archives_asked(log, wanted))
    for cell in cells_of(table, "suite", "function", "dimension"):
        caption = (
            f"Attainment surfaces on {place(cell)} at the end of the runs: what half of the runs "
            "attain (thick), what one and what all of them attain (thin), instances taken "
            f"together. {SCALED}"
        )
        yield drawing(log, wanted, cell, caption, draw_surfaces, table)


def surface_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Where one algorithm attains more often, for each two."""
    for first, second in pairs_of(log, wanted):
        archives = archives_asked(log, only(wanted, first, second))
        table = surface_difference_table(archives, first, second)
        for cell in cells_of(table, "suite", "function", "dimension"):
            caption = (
                f"Share of the runs of {first} that attain a point at their end, minus that of "
                f"{second}, on {place(cell)}, instances taken together: blue where {first} "
                f"attains more often. {SCALED}"
            )
            yield drawing(
                log,
                wanted,
                cell,
                caption,
                draw_surface_difference,
                table,
                algorithms=(first, second),
            )
