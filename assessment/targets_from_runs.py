"""Compute targets from a reference or from the compared runs; each way has a name.

``runlength``: the targets that a reference just misses within budgets (`runlength_targets`). The
other ways compute targets from the compared runs. The numbers of an algorithm therefore change with
the algorithms that it is compared to, and a note under the table says so. They exist because they
are in common use:

- ``dynamic``: COCO's five per decade down to 1e-8 (the suite's own where these go to 0 and below),
  from the easiest on, "(dynamically) chosen such that the first evaluation of the worst algorithm
  hits the target" (Hansen et al. (2016), arXiv:1605.03560, section 3).
- ``iohanalyzer-log``, ``iohanalyzer-linear``: ten, evenly spaced from the worst to the best
  best-so-far value (IOHanalyzer's ``get_ECDF_targets``, which takes lines that are no improvement
  into the range too).
- ``iohanalyzer-final``: one, the best over algorithms of the 2 % quantile (type 7) of their final
  precisions (IOHanalyzer's ``get_target_dt``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..loggers.targets.grid import TARGETS_PER_DECADE, grid
from .cost import Count
from .errors import AssessmentError
from .hits.run_sets import run_sets_of
from .references import BestOf, ReferenceRuntimes, best_of_algorithms
from .selection import cells, measurement_of, suite_of
from .statistics.quantiles import Floats, quantiles
from .targets.budgets import Budget, budgets_on
from .targets.parse import FINAL_TARGET
from .targets.runlength import (
    STEP,
    cocopp_runlength_targets,
    on_coco_grid,
    runlength_targets,
)
from .targets.target_sets import Cell, TargetTable, common_set, hardest, target_table

if TYPE_CHECKING:
    from ..loggers import Log

DerivedWay = Literal["dynamic", "iohanalyzer-log", "iohanalyzer-linear", "iohanalyzer-final"]
"""Method that computes targets from the compared runs."""
Rule = Literal["paper", "paper-distinct", "cocopp", "cocopp-unique"]
RULES: tuple[Rule, ...] = get_args(Rule)
_SPACED = 10
"""Number of IOHanalyzer's evenly spaced targets."""


def runlength_table(
    reference: Iterable[ReferenceRuntimes], budgets: Sequence[Budget], rule: Rule, name: str
) -> TargetTable:
    """Compute run-length targets for all functions and dimensions of a reference.

    Args:
        reference: The average runtimes of the reference.
        budgets: Budgets, ascending; at least one.
        rule: ``"paper"``; ``"paper-distinct"``, the paper's option (ii); ``"cocopp"``, with
            cocopp's factor 10**0.2 between equal targets, as in its tables; ``"cocopp-unique"``,
            without equal targets, as in its ECDFs.
        name: Name of the reference, for the note.

    Returns:
        The targets with their budgets; without budgets if equal targets were dropped.

    Raises:
        AssessmentError: The rule is one of cocopp, and the reference hits no target on a function.
    """
    targets_of_cell: dict[Cell, list[tuple[float, float]]] = {}
    for entry in reference:
        per_dimension = budgets_on(budgets, "evaluations/dimension", entry.dimension)
        counts = np.array(per_dimension) * entry.dimension
        chosen = _by_rule(entry, counts, rule).tolist()
        labels = (
            per_dimension if len(chosen) == len(per_dimension) else (float("nan"),) * len(chosen)
        )
        cell = entry.suite, entry.function, entry.dimension
        targets_of_cell[cell] = list(zip(labels, chosen, strict=True))
    ends = [str(budget).replace("*", "") for budget in (budgets[0], budgets[-1])]
    plural = f"{len(budgets)} run-length targets {' … '.join(ends)}"
    label = plural if len(budgets) > 1 else f"run-length target {ends[0]}"
    return target_table(targets_of_cell, label, (f"targets: {label} of {name} (rule: {rule}).",))


def log_reference(log: Log, rows: NDArray[np.intp], count: Count = "f+g") -> Iterator[BestOf]:
    """Yield the best of the algorithms in ``rows`` for each function and dimension.

    Its targets are those of the way ``dynamic``: they begin with the target that the first
    evaluation of every run hits.

    Args:
        log: The log.
        rows: The runs of the algorithms.
        count: What counts as an evaluation.
    """
    for _, cell_rows in _cells(log, rows):
        targets = common_set(_dynamic_targets(log, cell_rows).tolist())
        yield from best_of_algorithms(run_sets_of(log, cell_rows, targets, count), targets)


def targets_from_data(log: Log, rows: NDArray[np.intp], way: DerivedWay) -> TargetTable:
    """Compute targets from the compared runs, for each function and dimension.

    Args:
        log: The log.
        rows: The compared runs.
        way: ``"dynamic"``, ``"iohanalyzer-log"``, ``"iohanalyzer-linear"`` or
            ``"iohanalyzer-final"``; the module's docstring defines them.

    Raises:
        AssessmentError: ``"iohanalyzer-log"`` is asked for, and a best precision is not positive.
    """
    ways: dict[DerivedWay, Callable[[Log, NDArray[np.intp]], Floats]] = {
        "dynamic": _dynamic_targets,
        "iohanalyzer-log": _log_spaced_targets,
        "iohanalyzer-linear": _linearly_spaced_targets,
        "iohanalyzer-final": _final_targets,
    }
    targets_of_cell = {
        cell: [(float("nan"), target) for target in ways[way](log, cell_rows).tolist()]
        for cell, cell_rows in _cells(log, rows)
    }
    note = (
        f"targets: {way}, computed from the compared runs; a further algorithm can change the "
        "targets and all numbers."
    )
    return target_table(targets_of_cell, f"targets {way}", (note,))


def _by_rule(entry: ReferenceRuntimes, counts: Floats, rule: Rule) -> Floats:
    """Compute the run-length targets of one entry; ``counts`` are budgets in evaluations."""
    if rule in ("cocopp", "cocopp-unique"):
        reached = np.isfinite(entry.average_runtimes)
        targets, runtimes = entry.targets[reached], entry.average_runtimes[reached]
        if not (targets >= FINAL_TARGET).any():
            raise AssessmentError(
                f"the reference of the run-length targets hits no target on f{entry.function} of "
                f"{entry.suite} in {entry.dimension}-D, so the rule {rule!r} gives no targets; "
                "choose another reference, or the rule 'paper'"
            )
        unique = rule == "cocopp-unique"
        factor = 1.0 if unique else STEP
        return cocopp_runlength_targets(targets, runtimes, counts.tolist(), factor, unique)
    targets, runtimes = entry.targets, entry.average_runtimes
    if min(targets, default=1.0) > 0:  # COCO's grid has no targets at or below 0
        targets, runtimes = on_coco_grid(targets, runtimes)
    is_distinct = rule == "paper-distinct"
    return runlength_targets(targets, runtimes, counts.tolist(), distinct=is_distinct)


def _cells(log: Log, rows: NDArray[np.intp]) -> Iterator[tuple[Cell, NDArray[np.intp]]]:
    """Yield each suite, function and dimension with the rows of its runs."""
    for positions in cells(log, rows, ("suite", "function", "dimension")):
        cell_rows = rows[positions]
        first = cell_rows[0]
        function, dimension = (int(log.runs[name][first]) for name in ("function", "dimension"))
        yield (suite_of(log, first), function, dimension), cell_rows


def _dynamic_targets(log: Log, rows: NDArray[np.intp]) -> Floats:
    suite_targets = np.array(measurement_of(log, suite_of(log, rows[0])).targets)[::-1]
    targets = suite_targets if suite_targets[0] <= 0 else grid()[:: TARGETS_PER_DECADE // 5]
    first = _finite(log.best_at(rows, [1]).precision)
    easiest = int(np.searchsorted(targets, first.max(initial=targets[0])))
    return np.asarray(targets[: easiest + 1][::-1])


def _precision_range(log: Log, rows: NDArray[np.intp]) -> tuple[float, float]:
    """Return the worst first and best last precision of runs, at least the hardest target."""
    least = _hardest_target(log, rows)
    first = _finite(log.best_at(rows, [1]).precision).max(initial=least)
    last = _finite(log.runs["best_precision"][rows]).min(initial=np.inf)
    return float(first), float(np.clip(last, least, first))


def _hardest_target(log: Log, rows: NDArray[np.intp]) -> float:
    return hardest(measurement_of(log, suite_of(log, rows[0])))[0]


def _log_spaced_targets(log: Log, rows: NDArray[np.intp]) -> Floats:
    worst, best = _precision_range(log, rows)
    if best <= 0:
        raise AssessmentError(
            "targets: iohanalyzer-log needs positive precisions; take iohanalyzer-linear where an "
            "indicator goes to 0 and below"
        )
    return np.asarray(np.geomspace(worst, best, _SPACED))


def _linearly_spaced_targets(log: Log, rows: NDArray[np.intp]) -> Floats:
    return np.asarray(np.linspace(*_precision_range(log, rows), _SPACED))


def _final_targets(log: Log, rows: NDArray[np.intp]) -> Floats:
    algorithms, last = log.runs.codes("algorithm")[1][rows], log.runs["best_precision"][rows]
    lowest = min(
        quantiles(last[algorithms == algorithm], 0.02, "type-7")[0]
        for algorithm in np.unique(algorithms)
    )
    return np.array([np.clip(lowest, _hardest_target(log, rows), np.finfo(np.float64).max)])


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]
