"""Compute how runtimes grow with the dimension: aRT / D of each function and target.

The table of `scaling` has a row for each algorithm, function, target and dimension, with the
average runtime, quartiles of single runtimes, and the lengths of unsuccessful runs. With a
reference, a column holds the average runtime of the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from ....suites.texts import natural
from ...caveats import INTERVALS, REFERENCE_RUNS, SKEWED, UNOBSERVED, VALID_FOR
from ...hits.run_sets import RunSet
from ...notes import notes_on_intervals, notes_on_reference
from ...profiles.function_pairs import SINGLE_RUNTIMES, runtimes_note, usual_quantiles
from ...samples.at_targets import AtTargets, ReferenceAt
from ...samples.convention import RESTARTED, Convention
from ...samples.sample import Answer
from ...statistics.average_runtime import average_runtime
from ...statistics.hits import successes
from ...statistics.intervals import Resampling, art_intervals
from ...statistics.quantiles import Floats
from ...tables.table import Table, Value, table_of
from ...targets.runlength import runtimes_at
from ...targets.target_sets import TargetSet, decades
from .._framework.context import Context
from .._framework.needs import at_targets
from .._framework.options import Level, Seed
from .._framework.question import question

_KEY_COLUMNS = ("algorithm", "suite", "function", "target", "dimension")
_VALUE_COLUMNS = ("q25", "median", "q75", "successes", "runs", "longest", "unsuccessful")


@dataclass(frozen=True, eq=False, repr=False)
class ScalingTable(Table):
    """Average runtimes by dimension; see `scaling`.

    Attributes:
        reference: Name of the reference; empty if there is none.
    """

    reference: str = ""


def _describe_convention(sample: AtTargets, options: Mapping[str, Any]) -> Convention:
    """Return how runs count in averages, and which runtimes the percentiles are of."""
    runtimes = runtimes_note(sample, "suite", SINGLE_RUNTIMES)
    return RESTARTED.with_more(f"percentiles are of {runtimes}")


@question(
    "Evaluations to targets",
    50,
    needs=at_targets(decades, shows_reference=True),
    convention=_describe_convention,
    examples=(
        "my.h5 --functions 8 --targets 1e1,1e-1",
        "my.h5 --functions 8 --targets 1e-1 --plot scaling.pdf",
    ),
)
def scaling(sample: AtTargets, *, interval: Level | None = None, seed: Seed = 1) -> ScalingTable:
    """Compute the average runtime by dimension.

    The average runtime (aRT) to a target is the evaluations of all runs until they hit the target
    or ended, divided by the number of runs that hit it. It is divided by the dimension. Percentiles
    show the dispersion of single runtimes with restarts: a single runtime is the evaluations of the
    algorithm if it is restarted until it hits the target. With two objectives, percentiles are of
    single runs, and runs that missed the target count as infinite. No slope is fitted.

    Args:
        interval: Confidence level between 0 and 1, e.g. 0.95: add the confidence interval of each
            average. None: no interval.
        seed: Random seed of the intervals.
        reference: Its average runtime is added, and figures show it as a thick line. Run-length
            targets are computed from it. None: no reference.

    Returns:
        One row for each ``algorithm``, ``suite``, ``function``, ``target`` and ``dimension``.
        Run-length targets also have a column ``budget``. Runtimes and budgets are in evaluations /
        dimension. ``art`` is the average runtime; inf if no run hit the target. ``low`` and
        ``high`` are the limits of its confidence interval (`art_interval`), with ``interval`` only.
        ``q25``, ``median`` and ``q75`` are percentiles of single runtimes (`usual_quantiles`).
        ``successes`` is the number of runs that hit the target, out of ``runs``. ``longest`` is the
        length of the longest run. ``unsuccessful`` is the median length of the runs that missed the
        target; NaN if all runs hit it. ``reference`` is the average runtime of the reference, with
        ``reference`` only; NaN if the reference lacks the function, inf if it misses the target.
    """
    targets, reference = sample.targets, sample.reference
    optional = ("low", "high") if interval is not None else ()
    names = (*targets.named(_KEY_COLUMNS), "art", *optional, *_VALUE_COLUMNS)
    if reference is not None:
        names += ("reference",)
    unsorted_rows: list[list[Value]] = []
    for run_set, limits in zip(sample, _compute_intervals(sample, interval, seed), strict=True):
        keys = targets.keys(*run_set.problem_class)
        values = _compute_values(run_set, limits)
        if reference is not None:
            values.append((_runtimes_of_reference(run_set, reference, targets)).tolist())
        for target_key, row_values in zip(keys, zip(*values, strict=True), strict=True):
            *identity, dimension = run_set.identity
            unsorted_rows.append([*identity, *target_key, dimension, *row_values])
    # Budgets of run-length targets ascend, other targets descend: from easy to hard.
    key, sign = ("budget", 1) if targets.budgets else ("target", -1)
    rows = sorted(
        (dict(zip(names, row, strict=True)) for row in unsorted_rows),
        key=lambda row: (
            natural(str(row["algorithm"])),
            row["suite"],
            row["function"],
            sign * float(row[key]),
            row["dimension"],
        ),
    )
    name = "" if reference is None else reference.name
    return ScalingTable(table_of(names, [list(row.values()) for row in rows]), reference=name)


def _compute_intervals(sample: AtTargets, interval: float | None, seed: int) -> list[Floats]:
    """Return the limits of the averages of each run set, shape ``(2, n_targets)``.

    Without ``interval``, the arrays have no rows.
    """
    if interval is None:
        return [np.empty((0, run_set.hits.shape[1])) for run_set in sample]
    cells = [(run_set.hits, run_set.spent, run_set.instances) for run_set in sample]
    return art_intervals(cells, Resampling(interval, seed))


def _compute_values(run_set: RunSet, limits: Floats) -> list[list[Any]]:
    """Return the columns from ``art`` to ``unsuccessful``, each with one value for each target.

    Args:
        run_set: Runs of one algorithm on one function in one dimension.
        limits: Limits of the averages, shape ``(2, n_targets)`` or ``(0, n_targets)``.
    """
    unit = run_set.unit()
    art = average_runtime(run_set.hits, run_set.spent)
    quartiles = usual_quantiles(run_set, [0.25, 0.5, 0.75])
    runtimes = np.vstack([art, limits, quartiles]) / unit
    n_targets = run_set.hits.shape[1]
    lengths_of_failed = [
        (run_set.spent[~np.isfinite(hits)] / unit).tolist() for hits in run_set.hits.T
    ]
    return [
        *runtimes.tolist(),
        [int(n_successes) for n_successes in successes(run_set.hits)],
        [len(run_set.spent)] * n_targets,
        [float(run_set.spent.max()) / unit] * n_targets,
        [median(lengths) if lengths else np.nan for lengths in lengths_of_failed],
    ]


def _runtimes_of_reference(run_set: RunSet, reference: ReferenceAt, targets: TargetSet) -> Floats:
    """Return the reference's average runtime to each target, in the unit of the table."""
    entry = reference.entries.get(run_set.problem_class)
    target_values = targets.of(*run_set.problem_class)
    if entry is None:
        return np.full(len(target_values), np.nan)
    return runtimes_at(entry.targets, entry.average_runtimes, target_values) / run_set.unit()


@scaling.caveat(explains=[INTERVALS, VALID_FOR, UNOBSERVED, SKEWED])
def intervals_of_averages(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Describe the confidence intervals of the averages."""
    if answer.options["interval"] is None:
        return ()
    resampling = Resampling(answer.options["interval"], answer.options["seed"])
    skew = "their upper ends may be too low"
    return notes_on_intervals(sample, resampling, skew)


@scaling.caveat(explains=[REFERENCE_RUNS])
def reference_and_its_runs(sample: AtTargets, answer: Answer) -> Iterable[str]:
    """Name the reference, count the functions that it lacks, and describe its runs."""
    if sample.reference is None:
        return
    entries, name = sample.reference.read()
    yield f"reference: average runtime of {name} / dimension."
    n_missing = sum(run_set.problem_class not in entries for run_set in sample)
    if n_missing:
        yield (
            f"reference: {name} has no data for {n_missing} of {len(sample)} combinations of "
            "algorithm, function and dimension; the column is NaN there."
        )
    yield from notes_on_reference(entries, name, answer.notes)


@scaling.report(
    "scaling",
    "Scaling with the dimension",
    "aRT {per_dimension} against the dimension, on logarithmic axes. A horizontal line is a "
    "runtime {proportional}. There is no mark where no run succeeded. Bars (of up to four "
    "algorithms): 95 % interval of the aRT.",
    place=40,
)
def section(context: Context) -> Mapping[str, Any]:
    """Return no data, because the page draws this section from the data of the section ``art``."""
    return {}


@scaling.report(
    "scaling-functions",
    "Scaling of all functions",
    "aRT {per_dimension} against the dimension, for one target and each of the chosen functions. "
    "Dotted lines grow as the dimension and as its square. Bars (of up to four algorithms): 95 % "
    "interval of the aRT. A thick grey line is the reference, if it is none of the algorithms.",
    place=42,
)
def functions_section(context: Context) -> Mapping[str, Any]:
    """Return no data, because the page draws this section from the data of the section ``art``."""
    return {}
