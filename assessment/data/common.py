"""What all algorithms were run on: functions, dimensions and instances that they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...suites.selection import ranges
from ..errors import AssessmentError
from .choice import cells

if TYPE_CHECKING:
    from ...loggers import Log

Rows = NDArray[np.intp]
_CELL = ("suite", "function", "dimension")


def common_runs(log: Log, rows: Rows) -> tuple[Rows, tuple[str, ...]]:
    """The runs on functions, dimensions and instances that every algorithm of a suite was run on.

    Algorithms count where they were run on the suite at all. Where all were run on a function in a
    dimension, but on no instance in common, all its instances stay.

    Args:
        log: What `firsthit.loggers.read_log` returned.
        rows: Rows of ``log.runs``.

    Returns:
        Rows, and sentences on what was left out; none where that is nothing.

    Raises:
        AssessmentError: The algorithms have no function in a dimension in common.
    """
    algorithms, apart = log.runs.codes("algorithm")[1], 0
    kept: list[Rows] = []
    for of_suite in cells(log, rows, ("suite",)):
        everyone = set(algorithms[rows[of_suite]].tolist())
        before = len(kept)
        for own in cells(log, rows[of_suite], _CELL):
            here = rows[of_suite][own]
            if set(algorithms[here].tolist()) != everyone:
                continue
            instances = log.runs["instance"][here]
            shared = [
                one
                for one in np.unique(instances).tolist()
                if set(algorithms[here[instances == one]].tolist()) == everyone
            ]
            apart += not len(shared)
            kept.append(here[np.isin(instances, shared)] if len(shared) else here)
        if len(kept) == before:
            names = ", ".join(log.runs.codes("algorithm")[0][code] for code in sorted(everyone))
            suite = str(log.runs["suite"][rows[of_suite][0]])
            raise AssessmentError(
                f"{names} have no function of {suite} in a dimension in common; choose algorithms, "
                "or show each on what it was run (--unequal, unequal=True)"
            )
    common = np.sort(np.concatenate(kept))
    notes = _left_out(log, np.setdiff1d(rows, common))
    if apart:
        notes += (
            f"on {apart} functions and dimensions the algorithms have no instance in common: all "
            "of theirs are shown, and * marks who lacks some.",
        )
    return common, notes


def _left_out(log: Log, rows: Rows) -> tuple[str, ...]:
    """A sentence on the runs of each algorithm that are left out."""
    if not len(rows):
        return ()
    parts = []
    for own in cells(log, rows, ("algorithm",)):
        numbers = {
            what: ranges(np.unique(log.runs[what][rows[own]]).tolist())
            for what in ("function", "dimension", "instance")
        }
        parts.append(
            f"{log.runs['algorithm'][rows[own][0]]}: {len(own)} runs (functions "
            f"{numbers['function']}; dimensions {numbers['dimension']}; instances "
            f"{numbers['instance']})"
        )
    return (
        "only what all algorithms were run on is compared; left out of "
        + "; ".join(parts)
        + ". --unequal (unequal=True) shows all.",
    )
