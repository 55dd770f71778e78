"""Parameters that runs noted, and how algorithms were tuned before, as their logs disclose it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ...loggers.records.log_header import TUNING_NUMBERS
from ...suites.errors import UnknownNameError
from ..asking.declaration import question
from ..asking.options import Names
from ..data.notes import basis, runs_of_log
from ..data.runs import Runs
from ..data.selection import cells
from ..errors import AssessmentError
from ..figures.axes import FigureOptions, by_algorithm, figure_and_axes, split
from ..figures.style import add_legend, label, logarithmic
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, stacked, table_of
from ..targets.parse import items_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_COLUMNS = (
    "algorithm", "suite", "function", "dimension", "instance", "repetition", "name", "evaluation",
    "value",
)  # fmt: skip


@question("Runs", 40, counts=False)
def parameters(runs: Runs, names: Names | None = None) -> Table:
    """Parameters that algorithms noted while they ran.

    With the evaluations at which they had them. An algorithm notes its parameters by
    problem.note(sigma=…); logs of IOHprofiler bring the attributes that they watched. `firsthit
    figures --kinds parameters` draws each.

    Args:
        names: Of parameters, such as sigma,popsize. None: all.

    Returns:
        Columns: ``algorithm, suite, function, dimension, instance, repetition``; ``name`` of the
        parameter; ``evaluation`` and the ``value`` that the parameter had then. A row for every
        value that was noted, run by run and parameter by parameter.

    Raises:
        AssessmentError: Nothing was noted in these runs.
        UnknownNameError: A parameter was not.
    """
    log, rows = runs.log, runs.rows
    chosen = None if names is None else items_of(names)
    blocks: list[list[Value | NDArray[Any]]] = []
    known: set[str] = set()
    silent = 0
    for row in rows.tolist():
        noted = log.notes_of(row)
        there = np.unique(noted["name"]).tolist()
        silent += not there
        for encoded in there:
            name = encoded.decode(errors="replace")
            known.add(name)
            if chosen is None or name in chosen:
                mine = noted[noted["name"] == encoded]
                head: list[Value] = [log.runs[what][row].item() for what in _COLUMNS[:6]]
                blocks.append([*head, name, mine["evaluation"], mine["value"]])
    if not known:
        raise AssessmentError(
            "no parameter was noted in these runs; algorithms note theirs by problem.note(NAME=…)"
        )
    for name in chosen or ():
        if name not in known:
            raise UnknownNameError.of("parameter", name, sorted(known))
    notes: tuple[str, ...] = (
        "values are those at improvements that hit targets and at scheduled counts "
        "(1, 2, 5, 10, … evaluations / dimension and 20 per decade); in imported data, where they "
        "were logged.",
    )
    if silent:
        notes += (f"{silent} of {len(rows)} runs noted nothing.",)
    notes += basis(runs_of_log(log, rows), "every value noted is a row")
    return Table(stacked(_COLUMNS, blocks), notes)


@parameters.figure(
    "parameters",
    cells="suite function dimension name",
    caption="Parameter {name} against evaluations on {place}: a thin line for each run, a thick "
    "one for the median of those that still run.",
    unasked="where it applies",
)
def draw_parameters(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw a parameter against evaluations: thin lines are runs, the thick one is their median.

    The median is over the runs that noted the parameter before and after an evaluation, while these
    are at least half of all. The axis of values is logarithmic where all are positive.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``dimension``, ``name`` of the parameter.
    """
    figure, axes, rows = figure_and_axes(table, ("suite", "function", "dimension", "name"), options)
    for name, own, style in by_algorithm(rows, marked=False):
        runs = [
            (run["evaluation"].astype(np.float64), run["value"])
            for instance in split(own, "instance").values()
            for run in split(instance, "repetition").values()
        ]
        for evaluations, values in runs:
            axes.plot(evaluations, values, **(style | {"linewidth": 0.4, "alpha": 0.5}))
        axes.plot(*_median(runs), label=name, **(style | {"linewidth": 1.6}))
    logarithmic(axes, y=bool((rows["value"] > 0).all()))
    axes.set_xlabel("evaluations")
    axes.set_ylabel(label(str(rows["name"][0])), parse_math=False)
    add_legend(axes)
    return figure


def _median(runs: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Evaluations where some run noted a value, and the median of the runs' last values there."""
    grid = np.unique(np.concatenate([evaluations for evaluations, _ in runs]))
    values = np.full((len(runs), len(grid)), np.nan)
    for row, (evaluations, noted) in zip(values, runs, strict=True):
        last = np.searchsorted(evaluations, grid, side="right") - 1
        inside = (last >= 0) & (grid <= evaluations[-1])
        row[inside] = noted[last[inside]]
    enough = 2 * np.isfinite(values).sum(axis=0) >= len(runs)
    return grid[enough], np.nanmedian(values[:, enough], axis=0)


_TUNING_COLUMNS = ("algorithm", "runs", "evaluations", *TUNING_NUMBERS, "tuning")


@question("Runs", 30, counts=False)
def tuning(runs: Runs) -> Table:
    """Settings tested and budget invested before the runs.

    As the logs disclose it: how many settings were tested, and what that cost. A comparison is fair
    where as much was spent on each algorithm. Campaigns say it under 'tuning', loops by
    Observer(tuning=...). Any tuning to the problems should be described so (Hansen, Tušar,
    Mersmann, Auger, Brockhoff, "COCO: The Experimental Procedure" (2016), arXiv:1603.08776).

    Returns:
        Columns: ``algorithm``; the ``runs`` that this is said of; the ``evaluations`` of the
        objective in all runs of the algorithm, to compare with; ``settings_tested`` and
        ``budget_invested`` (evaluations), NaN where a log does not say; ``tuning``, whatever else
        it says, as text. A row for each statement of an algorithm.
    """
    log, rows = runs.log, runs.rows
    lines: list[list[Value]] = []
    silent = 0
    for places in cells(log, rows, ("algorithm",)):
        mine = rows[places]
        algorithm = str(log.runs["algorithm"][mine[:1]][0])
        evaluations = int(log.runs["evaluations"][mine].sum())
        stated: Counter[tuple[float, float, str]] = Counter()
        for header, number in log.headers_of(mine):
            stated[_algorithm_tuning(header.get("tuning"), algorithm)] += number
        for (settings, budget, text), number in stated.items():
            lines.append([algorithm, number, evaluations, settings, budget, text])
            silent += number if math.isnan(settings) and math.isnan(budget) and not text else 0
    notes = basis(runs_of_log(log, rows), "every run counts once")
    if silent:
        notes = (f"of {silent} runs no log says how their algorithm was tuned.", *notes)
    return Table(table_of(_TUNING_COLUMNS, lines), notes)


def _algorithm_tuning(tuning: Any, algorithm: str) -> tuple[float, float, str]:
    """Settings tested, budget invested, and the rest as text, from what a header says."""
    entry = tuning.get(algorithm, tuning) if isinstance(tuning, Mapping) else tuning
    if not isinstance(entry, Mapping):
        return math.nan, math.nan, "" if entry is None else str(entry)
    numbers = (entry.get(name) for name in TUNING_NUMBERS)
    settings, budget = (float(n) if isinstance(n, int | float) else math.nan for n in numbers)
    rest = (f"{key}: {value}" for key, value in entry.items() if key not in TUNING_NUMBERS)
    return settings, budget, "; ".join(rest)
