"""Count how runs ended, what they spent, and how often they were restarted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..caveats import NO_FINITE_VALUE, OUTSIDE, WRONG_REFERENCE
from ..grouping import BROKEN, CellRuns
from ..notes import notes_on_unusable_points, notes_on_wrong_references
from ..samples.convention import ONCE
from ..samples.sample import Answer, Sample
from ..selection import cells, values_of
from ..tables.table import Table, Value, table_of
from ._framework.context import Context, columns_of, finite, rounded
from ._framework.needs import runs_alone
from ._framework.question import question

if TYPE_CHECKING:
    from ...loggers import Log

STATUSES = ("target", "budget", "terminated", "failed", "timeout", "interrupted")
_KEYS = ("algorithm", "suite", "dimension")
_COLUMNS = (*_KEYS, "runs", *STATUSES, "evaluations", "restarts")
_RUN_COLUMNS = ("algorithm", "suite", "function", "dimension", "instance", "repetition")
MAX_STEPS = 500_000
"""Maximum number of pairs of runs and targets whose first hits the page of a report contains."""
STEPS_PER_DECADE = 40
"""Resolution of the first hits in the page: a step of 6 %."""
_MAX_REASONS = 12
"""Maximum number of reasons of an algorithm and dimension that the report shows."""


@question(
    "Runs",
    10,
    needs=runs_alone,
    convention=ONCE,
    counts=False,
    examples=(
        "results/quickstart.h5",
        "results/quickstart.h5 --errors",
    ),
)
def termination(sample: Sample[CellRuns], *, errors: bool = False) -> Table:
    """Count how runs ended, and how often they were restarted.

    The columns are numbers of runs. target: the run hit the final target. budget: it used its whole
    budget. terminated: the optimizer stopped by itself. failed: the optimizer raised an exception.
    timeout: the run exceeded its time limit. interrupted: the run was interrupted. evaluations is
    the sum over the runs, and restarts is the mean number of restarts of a run.

    Args:
        errors: List the runs that failed, timed out or were interrupted, with their errors.

    Returns:
        One row for each ``algorithm``, ``suite`` and ``dimension``. ``runs`` is the number of runs.
        A column for each status has the number of runs that ended with it. ``evaluations`` is the
        sum over the runs, and ``restarts`` is the mean number of restarts of a run. With
        ``errors``, one row for each run that did not end regularly. ``algorithm``, ``suite``,
        ``function``, ``dimension``, ``instance`` and ``repetition`` identify the run, ``status``
        and ``evaluations`` are its own, and ``error`` is the first line of its error.
    """
    log, rows = sample.log, sample.rows
    if errors:
        return _list_errors(log, rows)
    restarts = log.entries("restarts")
    lines: list[list[Value]] = []
    for indices in cells(log, rows, _KEYS):
        group_rows = rows[indices]
        status = log.runs["status"][group_rows]
        counts = [int((status == name).sum()) for name in STATUSES]
        evaluations = int(log.runs["evaluations"][group_rows].sum())
        key = values_of(log, group_rows[0], _KEYS)
        mean_restarts = float(restarts[group_rows].mean())
        lines.append([*key, len(group_rows), *counts, evaluations, mean_restarts])
    return Table(table_of(_COLUMNS, lines))


@termination.caveat(explains=[NO_FINITE_VALUE, OUTSIDE])
def unusable_points(sample: Sample[CellRuns], answer: Answer) -> Iterable[str]:
    """Name algorithms whose runs saw no finite value, or that left the region of interest."""
    return notes_on_unusable_points(sample)


@termination.caveat(explains=[WRONG_REFERENCE])
def wrong_references(sample: Sample[CellRuns], answer: Answer) -> Iterable[str]:
    """Name functions on which runs have values below the reference value."""
    return notes_on_wrong_references(sample)


def _list_errors(log: Log, rows: NDArray[np.intp]) -> Table:
    """Return a row for each run that failed, timed out or was interrupted."""
    names = (*_RUN_COLUMNS, "status", "evaluations")
    is_broken = np.isin(log.runs["status"][rows].astype(str), BROKEN)
    lines = [
        [
            *(log.runs[name][[row]].tolist()[0] for name in names),
            str(log.runs["error"][row]).partition("\n")[0],
        ]
        for row in rows[is_broken].tolist()
    ]
    return Table(table_of((*names, "error"), lines))


@termination.report(
    "outcomes",
    "Restarts and failures",
    "How runs ended, what they spent, how often they restarted and why.",
    place=70,
    is_table=True,
)
def section(context: Context) -> Mapping[str, Any]:
    """Return the table, and the most frequent reasons of restarts and errors of runs."""
    table = termination.on(context.runs)
    return {"outcomes": context.positions.columns(table), "reasons": _count_reasons(context)}


def _count_reasons(context: Context) -> dict[str, list[Any]]:
    """Return the most frequent reasons of restarts and errors of runs, with their counts."""
    log = context.log
    is_restarted = log.entries("restarts") > 0
    rows = []
    for group_rows in cells(log, np.arange(len(log)), _KEYS):
        algorithm, suite, dimension = values_of(log, group_rows[0], _KEYS)
        reasons = Counter(
            ("restart", reason.decode(errors="replace"))
            for run in group_rows[is_restarted[group_rows]]
            for reason in log.restarts(int(run))["reason"].tolist()
        )
        reasons.update(
            ("run", str(text).partition("\n")[0]) for text in log.runs["error"][group_rows] if text
        )
        for (kind, text), count in reasons.most_common(_MAX_REASONS):
            keys = {**context.positions.of(algorithm, suite), "dimension": dimension}
            rows.append({**keys, "kind": kind, "text": text or "(none given)", "count": count})
    return columns_of(rows)


@termination.report(
    "runs",
    "Runs of one function",
    "Each run of a function: its evaluations / dimension until it ended, and its best precision. "
    "The table below has all of its numbers. A click on a function in other sections shows it "
    "here.",
    place=75,
)
def runs_section(context: Context) -> Mapping[str, Any]:
    """Return the runs of each algorithm on each function and dimension.

    Returns:
        A row for each algorithm, function and dimension with a list for each property of its runs.
        ``steps`` are the evaluations / dimension at which each run reached targets, as whole
        numbers: ``steps_per_decade`` times the logarithm to base 10. It is None if the page would
        become too large.
    """
    columns = context.log.runs
    statuses, status_codes = columns.codes("status")
    run_sets = context.all_runs.cells
    has_steps = sum(run_set.hits.size for run_set in run_sets) <= MAX_STEPS
    rows = []
    for run_set in run_sets:
        is_reached = np.isfinite(run_set.hits)
        steps = None
        if has_steps:
            budgets = np.where(is_reached, run_set.hits, 1.0) / run_set.unit()
            indices = np.rint(STEPS_PER_DECADE * np.log10(budgets)).astype(int)
            steps = [
                sorted(row[mask].tolist()) for row, mask in zip(indices, is_reached, strict=True)
            ]
        rows.append(
            {
                **context.positions.of(run_set.algorithm, run_set.suite),
                "function": run_set.function,
                "dimension": run_set.dimension,
                "targets": run_set.hits.shape[1],
                "instances": run_set.instances.tolist(),
                "repetitions": run_set.repetitions.tolist(),
                "evaluations": columns["evaluations"][run_set.rows].tolist(),
                "precisions": finite(rounded(columns["best_precision"][run_set.rows])),
                "status": status_codes[run_set.rows].tolist(),
                "reached": is_reached.sum(axis=1).tolist(),
                "steps": steps,
            }
        )
    return {
        "runs": {"statuses": list(statuses), "steps_per_decade": STEPS_PER_DECADE, "cells": rows}
    }
