"""The table of average runtimes, with intervals and stars."""

from __future__ import annotations

from typing import Any

from ....data.choice import measurement_of
from ....data.ranked_runs import ranked_runs
from ....data.target_choice import asked_run_sets
from ....statistics.intervals import Resampling
from ....targets.defaults import report_targets
from ....views.art import art_table
from ....views.uncertainty import with_intervals
from ...context import LEVEL, Context, finite, rounded
from ..section import Section
from .stars import stars


def averages(context: Context) -> dict[str, Any]:
    """Average runtimes, exact, their intervals, and stars for what is significantly the least."""
    run_sets, targets = asked_run_sets(context.log, None, report_targets)
    resampling = Resampling(LEVEL, context.seed)
    table = with_intervals(art_table(run_sets, targets), run_sets, resampling)
    ends = {end: finite(rounded(table[end])) for end in ("low", "high")}
    starred = stars(ranked_runs(context.log, run_sets), targets)
    names = ("algorithm", "suite", "function", "dimension", "target")
    keys = zip(*(table[name].tolist() for name in names), strict=True)
    columns = context.positions.columns(table)
    cells = {**columns, **ends, "star": [key in starred for key in keys]}
    suites = context.positions.suites
    shown = [report_targets(measurement_of(context.log, suite)) for suite in suites]
    return {"art": {"targets": [list(own) for own in shown], "cells": cells}}


SECTION = Section(
    "art",
    "art",
    "Average runtimes",
    "aRT: evaluations of all runs until they hit the target or else ended, divided by the runs "
    "that hit it; ∞ where none did, successes of runs beside it where some failed; pointing at a "
    "number shows its 95 % interval. Bold: the least of those shown. ★: significantly less than "
    "the next of all algorithms (rank-sum test, 5 %, Bonferroni over functions and algorithms).",
    data=averages,
    is_table=True,
)
