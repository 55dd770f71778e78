"""Seconds for each evaluation, and profiles over time."""

from __future__ import annotations

from typing import Any

from ....data.choice import choose
from ....views.runs.timing import timing_table
from ...context import Context
from ..section import Section


def timing(context: Context) -> dict[str, Any]:
    """Seconds for each evaluation, in the optimizer and in the problem, by dimension.

    None where no clock ran.
    """
    log = context.log
    columns = context.positions.columns(timing_table(log, choose(log)))
    kept = {"optimizer": "optimizer_seconds", "problem": "problem_seconds"}
    named = {name: columns[name] for name in ("algorithm", "suite", "dimension")}
    return {"timing": {**named, **{short: columns[name] for name, short in kept.items()}}}


SECTION = Section(
    "timing",
    "What if an evaluation took time",
    "The profiles over seconds: each evaluation costs what the optimizer spends on it, as measured "
    "in these runs, and what the slider says.",
    data=timing,
)
