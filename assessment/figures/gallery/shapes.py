"""Figures of distributions: runtimes to targets, precisions within budgets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...errors import AssessmentError
from ...tables.table import Table
from ...targets.defaults import pair_targets
from ...views import shapes
from ..files import Drawing
from ..shapes import draw_precision_shapes, draw_runtime_shapes
from .wanted import Wanted, at_budgets, cells_of, drawing, place, runs_asked

if TYPE_CHECKING:
    from ....loggers import Log

_SHAPES = {
    "density": "Kernel densities of the decimal logarithms (Scott's rule)",
    "mass": "Shares of the runs",
    "density-nrd0": "Kernel densities of the values themselves (band width: R's nrd0)",
}
_HOW = "each as high as the others; a percentage is the share of the runs in it, where not all are."


def runtime_shapes(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Distributions of the runtimes to some targets."""
    table = shapes.runtime_shapes(*runs_asked(log, wanted, pair_targets), wanted.shape)
    _check(table)
    for cell in cells_of(table, "suite", "function", "dimension"):
        caption = (
            f"{_SHAPES[wanted.shape]} of the runtimes of single runs on {place(cell)} to the "
            f"target above each panel, {_HOW}"
        )
        yield drawing(log, wanted, cell, caption, draw_runtime_shapes, table, wanted.shape)


def precision_shapes(log: Log, wanted: Wanted) -> Iterator[Drawing]:
    """Distributions of the precision within some budgets."""
    table = shapes.precision_shapes(at_budgets(log, wanted, wanted.budgets), wanted.shape)
    _check(table)
    for cell in cells_of(table, "suite", "function", "dimension"):
        caption = (
            f"{_SHAPES[wanted.shape]} of the best precision of the runs on {place(cell)} after the "
            f"budget above each panel (evaluations; D is the dimension), {_HOW}"
        )
        yield drawing(log, wanted, cell, caption, draw_precision_shapes, table, wanted.shape)


def _check(table: Table) -> None:
    """Refuse a table without rows; the last of its notes says why there are none."""
    if not len(table):
        raise AssessmentError(f"figures of distributions: there is none. {table.notes[-1]}")
