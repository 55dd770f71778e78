"""Figures that compare algorithms with each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...data.ranked_runs import ranked_runs
from ...statistics.intervals import Resampling
from ...targets.defaults import hardest
from ...views.merit.ranks import RankOptions, ranks_table
from ..files import Drawing
from ..merit.critical_difference import draw_critical_difference
from .wanted import Wanted, cells_of, drawing, place, runs_joined

if TYPE_CHECKING:
    from ....loggers import Log


def critical_difference(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Average ranks and what the tests cannot tell apart."""
    run_sets, targets = runs_joined(log, wanted, hardest)
    options = RankOptions(resampling=Resampling(seed=wanted.seed, samples=1000))
    table = ranks_table(ranked_runs(log, run_sets), targets, options)
    for cell in cells_of(table, "suite", "dimension"):
        caption = (
            f"Average ranks over functions on {place(cell)}, 1 is best, with 95 % intervals over "
            f"instances; {targets.text(cell['suite'])}, runs that missed it ordered by "
            "precision. Bars join algorithms whose ranks do not differ at 0.05 (Friedman, Holm)."
        )
        yield drawing(log, wanted, cell, caption, draw_critical_difference, table, joins=True)
