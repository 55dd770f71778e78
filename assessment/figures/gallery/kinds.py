"""All kinds of figures, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....suites.errors import UnknownNameError
from ..files import Drawing
from . import comparisons, fronts, precisions, runtimes
from .wanted import Wanted

if TYPE_CHECKING:
    from ....loggers import Log


def drawings(log: Log, kinds: Sequence[str], wanted: Wanted) -> Iterator[Drawing]:
    """Draw the figures of some kinds, one after the other.

    Args:
        log: Of which runs.
        kinds: Names of `KINDS`.
        wanted: Of what.

    Raises:
        UnknownNameError: There is no such kind.
        AssessmentError: Nothing can be drawn.
        MissingPackageError: matplotlib is not installed.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UnknownNameError.of("kind of figure", kind, KINDS)
    for kind in kinds:
        for drawing in KINDS[kind](log, wanted):
            yield replace(drawing, name=f"{kind}_{drawing.name}")


KINDS: dict[str, Callable[[Log, Wanted], Iterator[Drawing]]] = {
    "cuts": precisions.cuts,
    "attainment": precisions.attainment,
    "attainment-difference": precisions.attainment_difference,
    "fronts": fronts.fronts,
    "surfaces": fronts.surfaces,
    "surface-difference": fronts.surface_difference,
    "loss": runtimes.loss,
    "scatter": comparisons.scatter,
    "ratios": comparisons.ratios,
    "critical-difference": comparisons.critical_difference,
}
"""Kinds of figures, by name."""
