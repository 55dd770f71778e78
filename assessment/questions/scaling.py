"""How runtimes grow with the dimension: aRT / D of each function and target."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ...suites.texts import natural
from ..asking.context import Context
from ..asking.declaration import question
from ..asking.options import Level, Reference, Seed, Targets
from ..data.counting import SECONDS
from ..data.function_pairs import SINGLE_RUNTIMES, runtimes_note, usual_quantiles
from ..data.notes import EACH_RUN, notes_on_targets, restart_notes
from ..data.runs import Runs
from ..data.selection import measurement_of
from ..figures.axes import FigureOptions, Rows, by_algorithm, figure_and_axes
from ..figures.style import add_legend
from ..statistics.average_runtime import average_runtime
from ..statistics.hits import successes
from ..statistics.intervals import Resampling, art_intervals
from ..statistics.quantiles import Floats
from ..tables.table import Table, Value, table_of
from ..targets.parse import target_text
from ..targets.target_sets import allows_restarts, decades, key_of, pair_targets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..asking.cell import Cell

_COLUMNS = (
    "algorithm", "suite", "function", "target", "dimension", "art", "low", "high", "q25", "median",
    "q75", "successes", "runs", "longest", "unsuccessful",
)  # fmt: skip


@question("Evaluations to targets", 50)
def scaling(
    runs: Runs,
    targets: Targets | None = None,
    *,
    interval: Level | None = None,
    seed: Seed = 1,
    reference: Reference | None = None,
) -> Table:
    """Average runtime by dimension.

    The average runtime divided by the dimension, with its dispersion, of each function and target;
    percentiles are those of single runtimes, with restarts on one objective. No slope is fitted.

    Args:
        targets: None: the suite's powers of ten, such as 1e1, 1e0, … 1e-8.
        interval: Add the confidence interval of each average, such as 0.95.
        seed: Of the intervals.
        reference: None: none; run-length targets need one.

    Returns:
        Columns: ``algorithm, suite, function``; of run-length targets ``budget``; ``target,
        dimension``; all in evaluations / dimension:
        ``art`` in ``low`` … ``high``, its confidence interval (`art_interval`), these two only with
        ``interval``; ``q25, median, q75`` of single runtimes, their dispersion (`usual_quantiles`);
        ``longest``, the longest run; ``unsuccessful``, the median length of the runs that missed
        the target (NaN where none did); ``successes`` of ``runs``.
    """
    run_sets, aims = runs.at_targets(targets, decades, reference)
    resampling = None if interval is None else Resampling(interval, seed)
    names = [n for n in aims.named(_COLUMNS) if resampling is not None or n not in ("low", "high")]
    rows: list[list[Value]] = []
    intervals: list[Floats] = [np.empty((0, run_set.hits.shape[1])) for run_set in run_sets]
    if resampling is not None:
        cells = [(run_set.hits, run_set.spent, run_set.instances) for run_set in run_sets]
        intervals = art_intervals(cells, resampling)
    for run_set, own in zip(run_sets, intervals, strict=True):
        d, unit = run_set.dimension, run_set.unit()
        art = average_runtime(run_set.hits, run_set.spent) / unit
        ends = own / unit
        quartiles = usual_quantiles(run_set, [0.25, 0.5, 0.75]) / unit
        count = successes(run_set.hits)
        for j, key in enumerate(aims.keys(*run_set.cell)):
            numbers = [art[j], *ends[:, j], *quartiles[:, j]]
            missed = run_set.spent[~np.isfinite(run_set.hits[:, j])] / unit
            longest = float(run_set.spent.max()) / unit
            unsuccessful = median(missed.tolist()) if missed.size else np.nan
            counts: list[Value] = [int(count[j]), len(run_set.spent), longest, unsuccessful]
            head: list[Value] = [run_set.algorithm, run_set.suite, run_set.function, *key, d]
            rows.append([*head, *(float(value) for value in numbers), *counts])
    sign, d = (1, 5) if aims.budgets else (-1, 4)
    rows.sort(key=lambda row: (natural(str(row[0])), *row[1:3], sign * float(row[3]), row[d]))
    convention = (
        f"{EACH_RUN}; quartiles are those {runtimes_note(run_sets, 'suite', SINGLE_RUNTIMES)}"
    )
    notes = notes_on_targets(run_sets, aims, convention)
    return Table(table_of(names, rows), notes + restart_notes(run_sets))


def _runtime(table: Table, what: str = "aRT") -> str:
    """What is shown of runtimes: by dimension, or in seconds."""
    return f"{what} ({SECONDS})" if table.axis == SECONDS else f"{what} / dimension"


def _caption(cell: Cell) -> str:
    restarts = allows_restarts(measurement_of(cell.runs.log, cell.values["suite"]))
    aim = "the target that the reference just misses within {budget:g} * dimension evaluations"
    if "target" in cell.values:
        aim = f"precision {target_text(cell.values['target'])}"
    return (
        f"{_runtime(cell.table)} to {aim.format(**cell.values)} on {cell.place} "
        f"against the dimension. Bars: 25 and 75 % "
        f"{SINGLE_RUNTIMES['expected' if restarts else 'runs']}. Numbers: successes where not all "
        f"runs succeeded. Crosses: {_runtime(cell.table, 'median length of unsuccessful runs')}."
    )


@scaling.figure(
    "scaling",
    cells="suite function target",
    caption=_caption,
    options="targets",
    curated=True,
    targets=pair_targets,
)
def draw_scaling(table: Table, **options: Unpack[FigureOptions]) -> Figure:
    """Draw aRT / dimension against the dimension, one curve for each algorithm.

    Both axes are logarithmic, so that a horizontal line is a runtime proportional to the dimension
    and a slope of 1 a quadratic one. Bars: 25 and 75 % of single runtimes.
    Where not all runs succeeded, their successes stand at the mark, and a cross shows the median
    length of those that did not.

    Args:
        table: The table.
        **options: ``suite``, ``function``, ``target``; of run-length targets ``budget``.
    """
    figure, axes, rows = figure_and_axes(
        table, ("suite", "function", key_of(table.columns)), options
    )
    for name, own, style in by_algorithm(rows):
        _draw_algorithm(axes, own, name, style)
    dimensions = sorted(set(rows["dimension"].tolist()))
    axes.set(xscale="log", yscale="log", xlabel="dimension", ylabel=_runtime(table))
    axes.set_xticks(dimensions, [str(d) for d in dimensions])
    axes.set_xticks([], minor=True)
    axes.set_xlim(dimensions[0] / 1.2, dimensions[-1] * 1.2)
    add_legend(axes)
    return figure


def _draw_algorithm(axes: Axes, rows: Rows, name: str, style: dict[str, Any]) -> None:
    reached = np.isfinite(rows["art"])
    x, y = rows["dimension"][reached], rows["art"][reached]
    low, high = (rows[key][reached] for key in ("q25", "q75"))
    axes.plot(x, y, label=name, **style)
    axes.vlines(x, low, np.where(np.isfinite(high), high, y), color=style["color"], linewidth=0.7)
    missed = rows["successes"] < rows["runs"]
    axes.plot(
        rows["dimension"][missed],
        rows["unsuccessful"][missed],
        "x",
        color=style["color"],
        markersize=6,
        label="_nolegend_",
    )
    for i in np.flatnonzero(missed & reached):
        axes.annotate(
            str(rows["successes"][i]),
            (rows["dimension"][i], rows["art"][i]),
            xytext=(3, 3),
            textcoords="offset points",
            fontsize=6,
            color=style["color"],
        )


@scaling.report(
    "scaling",
    "Scaling with the dimension",
    "aRT {per_dimension} against the dimension, on logarithmic axes. A horizontal line is a "
    "runtime {proportional}. There is no mark where no run succeeded.",
    place=40,
)
def section(context: Context) -> Mapping[str, Any]:
    """Nothing: it is drawn from the data of the section ``art``."""
    return {}
