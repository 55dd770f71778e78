"""Timing: seconds per evaluation, split into optimizer and problem.

A mean is the seconds of all runs over the evaluations of all runs, so that each evaluation weighs
the same and a short run, which mostly starts up, does not count as much as a long one. How far runs
differ is shown by quantiles over runs, where each run weighs the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..asking.context import Context
from ..asking.declaration import question
from ..data.counting import SECONDS
from ..data.notes import basis, runs_of_log
from ..data.runs import Runs
from ..data.selection import cells, values_of
from ..statistics.quantiles import Floats, quantiles
from ..tables.table import Table, Value, table_of

_COLUMNS = (
    "runs", "evaluations", "wall", "cpu", "optimizer", "problem", "wall_10%", "wall_50%",
    "wall_90%",
)  # fmt: skip
_QUANTILES = (0.1, 0.5, 0.9)
_PLACE = ("processor", "cpus", "platform")


def seconds_per_evaluation(seconds: ArrayLike, evaluations: ArrayLike) -> float:
    """Sum of seconds over sum of evaluations; NaN where nothing was evaluated.

    >>> seconds_per_evaluation([1.0, 5.0], [100, 200])
    0.02
    """
    total = float(np.sum(evaluations))
    return float(np.sum(seconds)) / total if total else np.nan


def spread_of_runs(seconds: ArrayLike, evaluations: ArrayLike) -> Floats:
    """Quantiles 10, 50 and 90 % of the runs' own seconds per evaluation, shape ``(3,)``.

    They interpolate linearly between the ordered runs. Runs without an evaluation are left out;
    NaN where none is left.

    >>> np.round(spread_of_runs([1.0, 2.0, 6.0], [100, 100, 100]), 4).tolist()
    [0.012, 0.02, 0.052]
    """
    time, count = np.asarray(seconds, dtype=np.float64), np.asarray(evaluations, dtype=np.float64)
    some = count > 0
    if not some.any():
        return np.full(len(_QUANTILES), np.nan)
    return quantiles(time[some] / count[some], _QUANTILES, "type-7")


@question("Runs", 50, counts=False)
def timing(runs: Runs, *, by_function: bool = False) -> Table:
    """Seconds per evaluation, in optimizer and problem.

    By dimension. Means are all seconds over all evaluations; wall_10%, wall_50%, wall_90% are
    quantiles over runs. Notes say on which machine, with which versions and with which 'setup' of
    the campaign. Let nothing else run meanwhile: 'workers: 1', as in the ready campaign 'timing'.

    What is neither in the problem nor in the optimizer, observing and waiting for a processor,
    counts for the optimizer. Runs that no clock timed (imported, or lost with their process) are
    left out, and a note counts them. Values are NaN where no run was timed, or none evaluated.

    Args:
        by_function: Tell functions apart.

    Returns:
        Columns: ``algorithm, suite, dimension`` (and ``function``); number of ``runs`` and of their
        ``evaluations`` of the objective; seconds per evaluation: ``wall`` = ``optimizer`` +
        ``problem``, and ``cpu``, of all threads of the process; ``wall_10%``, ``wall_50%``,
        ``wall_90%``: quantiles of ``wall`` over runs (`spread_of_runs`).
    """
    log, rows = runs.log, runs.rows
    timed = np.asarray(log.runs["wall_seconds"][rows] > 0)
    names = ("algorithm", "suite", "dimension", *(("function",) if by_function else ()))
    lines = [
        [*values_of(log, rows[places[0]], names), *_line(log.runs, rows[places[timed[places]]])]
        for places in cells(log, rows, names)
    ]
    notes = ["seconds per evaluation; a mean is all seconds over all evaluations."]
    if not timed.all():
        notes.append(f"{int((~timed).sum())} of {len(rows)} runs were not timed and are left out.")
    convention = "every evaluation weighs the same, in quantiles every run"
    notes.extend(basis(runs_of_log(log, rows[timed]), convention))
    notes.extend(_places(log, rows[timed]))
    return Table(table_of((*names, *_COLUMNS), lines), tuple(notes))


@timing.report(
    "timing",
    "What if an evaluation took time",
    "The profiles over seconds. An evaluation costs the time that the optimizer needed for it in "
    "these runs, plus the time that the slider sets.",
    place=80,
    needs="timing",
)
def section(context: Context) -> Mapping[str, Any]:
    """Seconds for each evaluation, in the optimizer and in the problem, by dimension.

    None where no clock ran. Nothing where the page counts seconds alone: the section makes them
    from evaluations.
    """
    if context.axis == SECONDS:
        return {}
    columns = context.positions.columns(timing(context.runs))
    kept = {"optimizer": "optimizer_seconds", "problem": "problem_seconds"}
    named = {name: columns[name] for name in ("algorithm", "suite", "dimension")}
    return {"timing": {**named, **{short: columns[name] for name, short in kept.items()}}}


def _line(runs: Any, rows: NDArray[np.intp]) -> Iterator[Value]:
    evaluations, wall = runs["evaluations"][rows], runs["wall_seconds"][rows]
    problem = np.minimum(runs["problem_seconds"][rows], wall)
    yield len(rows)
    yield int(evaluations.sum())
    for seconds in (wall, runs["cpu_seconds"][rows], wall - problem, problem):
        yield seconds_per_evaluation(seconds, evaluations)
    yield from spread_of_runs(wall, evaluations).tolist()


def _places(log: Any, rows: NDArray[np.intp]) -> Iterator[str]:
    """A sentence for each machine and set of versions, with its number of runs."""
    counts: Counter[str] = Counter()
    for header, count in log.headers_of(rows):
        counts[_place(header.get("provenance", {})) + _setup(header.get("setup"))] += count
    for place, count in sorted(counts.items()):
        yield f"{count} runs on {place}."
    if len(counts) > 1:
        yield "times of different machines or versions are mixed: choose one log to compare them."


def _setup(setup: Mapping[str, Any] | None) -> str:
    """What the author says of it."""
    text = ", ".join(f"{name}: {value}" for name, value in (setup or {}).items())
    return f"; {text}" if text else ""


def _place(provenance: Mapping[str, Any]) -> str:
    """Machine and library versions, as the log's head has them."""
    processor, cpus, platform = (provenance.get(name) or "unknown" for name in _PLACE)
    versions = provenance.get("versions") or {}
    libraries = ", ".join(f"{name} {versions[name]}" for name in sorted(versions))
    return f"{processor} ({cpus} processors), {platform}; {libraries or 'versions unknown'}"
