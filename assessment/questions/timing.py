"""Compute seconds per evaluation, split into the time of the optimizer and of the problem.

A mean is the sum of seconds over all runs divided by the sum of evaluations over all runs, so that
each evaluation has the same weight. A short run, which is dominated by its start-up time, therefore
counts less than a long one. Quantiles over runs show how much runs differ; in quantiles, each run
has the same weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...loggers.records.log_header import CORE_LIBRARIES
from ..caveats import Explanation
from ..cost import SECONDS
from ..grouping import CellRuns
from ..samples.convention import Convention
from ..samples.sample import Answer, Sample, open_runs
from ..selection import Selection, cells, values_of
from ..statistics.quantiles import Floats, quantiles
from ..tables.table import Table, Value, table_of
from ._framework.context import Context
from ._framework.needs import Need
from ._framework.question import question

if TYPE_CHECKING:
    from ...loggers import Log

_COLUMNS = (
    "runs", "evaluations", "wall", "cpu", "optimizer", "problem", "wall_10%", "wall_50%",
    "wall_90%",
)  # fmt: skip
_QUANTILES = (0.1, 0.5, 0.9)
"""Probabilities of the last columns."""


def seconds_per_evaluation(seconds: ArrayLike, evaluations: ArrayLike) -> float:
    """Compute the sum of seconds divided by the sum of evaluations.

    Args:
        seconds: Seconds of each run, shape ``(n_runs,)``.
        evaluations: Evaluations of each run, shape ``(n_runs,)``.

    Returns:
        Seconds per evaluation; NaN if nothing was evaluated.

    >>> seconds_per_evaluation([1.0, 5.0], [100, 200])
    0.02
    """
    n_evaluations = float(np.sum(evaluations))
    return float(np.sum(seconds)) / n_evaluations if n_evaluations else np.nan


def spread_of_runs(seconds: ArrayLike, evaluations: ArrayLike) -> Floats:
    """Compute the 10, 50 and 90 % quantiles of the runs' seconds per evaluation.

    They interpolate linearly between the ordered runs. Runs without an evaluation are left out.

    Args:
        seconds: Seconds of each run, shape ``(n_runs,)``.
        evaluations: Evaluations of each run, shape ``(n_runs,)``.

    Returns:
        Seconds per evaluation, shape ``(3,)``; NaN if no run has an evaluation.

    >>> np.round(spread_of_runs([1.0, 2.0, 6.0], [100, 100, 100]), 4).tolist()
    [0.012, 0.02, 0.052]
    """
    run_seconds = np.asarray(seconds, dtype=np.float64)
    n_evaluations = np.asarray(evaluations, dtype=np.float64)
    has_evaluations = n_evaluations > 0
    if not has_evaluations.any():
        return np.full(len(_QUANTILES), np.nan)
    ratios = run_seconds[has_evaluations] / n_evaluations[has_evaluations]
    return quantiles(ratios, _QUANTILES, "type-7")


def _is_timed(selection: Selection) -> NDArray[np.bool_]:
    """Return a mask of the selected runs that a clock timed, in the order of ``selection.rows``."""
    return np.asarray(selection.log.runs["wall_seconds"][selection.rows] > 0)


def _open_timed_runs(selection: Selection) -> Sample[CellRuns]:
    """Open the selected runs; the cells of the sample contain the timed runs only."""
    return open_runs(selection, selection.rows[_is_timed(selection)])


@question(
    "Runs",
    50,
    needs=Need(_open_timed_runs),
    convention=Convention("each evaluation has the same weight, in quantiles each run"),
    counts=False,
    examples=(
        "results/timing.h5",
        "results/timing.h5 --by-function",
    ),
)
def timing(sample: Sample[CellRuns], *, by_function: bool = False) -> Table:
    """Compute the seconds per evaluation, in optimizer and problem.

    Means are all seconds of a dimension divided by all evaluations. wall_10%, wall_50% and wall_90%
    are quantiles over runs. Notes state the machine, the versions and the 'setup' of the campaign.
    Run nothing else at the same time, and use 'workers: 1', as the built-in campaign 'timing' does.

    Time that is spent neither in the problem nor in the optimizer, such as observing and waiting
    for a processor, counts for the optimizer. Runs without timing (imported, or lost with their
    process) are left out, and a note gives their number. Values are NaN if no run was timed or none
    evaluated.

    Args:
        by_function: Show one row for each function.

    Returns:
        One row for each ``algorithm``, ``suite`` and ``dimension``, or for each ``function`` of
        these. ``runs`` is the number of runs, and ``evaluations`` is their number of evaluations of
        the objective. The other columns are seconds per evaluation: ``wall`` is the sum of
        ``optimizer`` and ``problem``, and ``cpu`` is the processor time of all threads of the
        process. ``wall_10%``, ``wall_50%`` and ``wall_90%`` are quantiles of ``wall`` over runs
        (`spread_of_runs`).
    """
    log, rows, is_timed = sample.log, sample.rows, _is_timed(sample.selection)
    names = ("algorithm", "suite", "dimension", *(("function",) if by_function else ()))
    table_rows = []
    for positions in cells(log, rows, names):
        timed_rows = rows[positions[is_timed[positions]]]
        leading_values = values_of(log, rows[positions[0]], names)
        table_rows.append([*leading_values, *_compute_times(log, timed_rows)])
    return Table(table_of((*names, *_COLUMNS), table_rows))


@timing.caveat(
    explains=[
        Explanation(
            "setup",
            "setup: 30 runs; compiler: none; AMD EPYC (2 processors), Linux-6.1; numpy 2.3.0, "
            "scipy 1.17.1.",
            "Seconds depend on the machine and on the versions, so the table is valid for this "
            "setup only.",
            "Report this note with the table, because other setups give other times.",
            is_definition=True,
        ),
        Explanation(
            "mixed machines",
            "mixed machines: times of 2 setups, machines or sets of versions; choose one log to "
            "compare them.",
            "Seconds depend on the machine and on the versions. Differences between these logs "
            "may not come from the algorithms.",
            "Assess each log separately, or repeat all runs on one machine, so that times are "
            "comparable.",
        ),
        Explanation(
            "not timed",
            "not timed: 3 of 30 runs; they are left out.",
            "Imported runs, and runs whose process was lost, have no times. The table describes "
            "only the other runs.",
            "Repeat these runs, if the remaining ones do not represent all.",
        ),
        Explanation(
            "seconds per evaluation",
            "seconds per evaluation: sum of seconds divided by sum of evaluations.",
            "It shows the time that an evaluation costs on average. Each evaluation has the same "
            "weight, so long runs count more than short ones.",
            "Use the quantiles for the variation between runs, because there each run counts once.",
            is_definition=True,
        ),
    ]
)
def seconds_of_timed_runs(sample: Sample[CellRuns], answer: Answer) -> Iterable[str]:
    """State the setup and the machines of timed runs, count untimed runs, and define the means."""
    is_timed = _is_timed(sample.selection)
    yield from _describe_machines(sample.log, sample.rows[is_timed])
    if not is_timed.all():
        yield f"not timed: {int((~is_timed).sum())} of {len(is_timed)} runs; they are left out."
    yield "seconds per evaluation: sum of seconds divided by sum of evaluations."


@timing.report(
    "timing",
    "If evaluations were expensive",
    "The profiles over seconds. An evaluation costs the time that the optimizer needed for it in "
    "these runs, plus the time that the slider sets.",
    place=80,
    needs="timing",
)
def section(context: Context) -> Mapping[str, Any]:
    """Return seconds per evaluation by dimension, in the optimizer and in the problem.

    Returns:
        Columns of the table `timing`; NaN if no run was timed. Empty if the page counts seconds
        already, because the section converts evaluations to seconds.
    """
    if context.axis == SECONDS:
        return {}
    columns = context.positions.columns(timing.on(context.runs))
    names = {
        "algorithm": "algorithm",
        "suite": "suite",
        "dimension": "dimension",
        "optimizer_seconds": "optimizer",
        "problem_seconds": "problem",
    }
    return {"timing": {page_name: columns[name] for page_name, name in names.items()}}


def _compute_times(log: Log, rows: NDArray[np.intp]) -> Iterator[Value]:
    """Yield the values of `_COLUMNS` for timed runs."""
    runs = log.runs
    evaluations, wall = runs["evaluations"][rows], runs["wall_seconds"][rows]
    # The optimizer's time must not be negative if the two measurements disagree.
    problem = np.minimum(runs["problem_seconds"][rows], wall)
    yield len(rows)
    yield int(evaluations.sum())
    for seconds in (wall, runs["cpu_seconds"][rows], wall - problem, problem):
        yield seconds_per_evaluation(seconds, evaluations)
    yield from spread_of_runs(wall, evaluations).tolist()


def _describe_machines(log: Log, rows: NDArray[np.intp]) -> Iterator[str]:
    """Yield a note for each setup, machine and set of versions, with its number of runs."""
    counts: Counter[str] = Counter()
    for header, n_runs in log.headers_of(rows):
        counts[_describe_machine(header)] += n_runs
    for setup, n_runs in sorted(counts.items()):
        yield f"setup: {n_runs} runs; {setup}."
    if len(counts) > 1:
        yield (
            f"mixed machines: times of {len(counts)} setups, machines or sets of versions; choose "
            "one log to compare them."
        )


def _describe_machine(header: Mapping[str, Any]) -> str:
    """Return the setup that the author stated, the machine and the versions, from a header."""
    provenance = header.get("provenance", {})
    processor, cpus, platform = (
        provenance.get(name) or "unknown" for name in ("processor", "cpus", "platform")
    )
    versions = _select_used_versions(header)
    libraries = ", ".join(f"{name} {versions[name]}" for name in sorted(versions))
    parts = [
        ", ".join(f"{name}: {value}" for name, value in (header.get("setup") or {}).items()),
        f"{processor} ({cpus} processors), {platform}",
        libraries or "versions unknown",
    ]
    return "; ".join(part for part in parts if part)


def _select_used_versions(header: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the versions of Python, of core libraries, and of the packages of the algorithms.

    All recorded versions are returned if an algorithm is the user's code, because this code may
    import any package.
    """
    versions = (header.get("provenance") or {}).get("versions") or {}
    name_of_package = {_normalize(name): name for name in versions}
    used_names = {"python", *CORE_LIBRARIES}
    for algorithm in (header.get("algorithms") or {}).values():
        use = str(algorithm.get("use") or ":")
        package, colon, _ = use.partition(":")
        if colon and _normalize(package) not in name_of_package:
            return dict(versions)
        if colon:
            used_names.add(name_of_package[_normalize(package)])
    return {name: version for name, version in versions.items() if name in used_names}


def _normalize(package: str) -> str:
    """Return the name of a package without capitals and hyphens, such as ``pybobyqa``."""
    return package.lower().replace("-", "").replace("_", "")
