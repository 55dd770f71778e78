"""Targets chosen by a reference or by the data themselves; each way has a name.

``runlength``: what a reference just misses within budgets (`runlength_targets`). The other ways
take them from the runs compared, so the numbers of an algorithm change with those it is compared
to; they are there because the field uses them, and the tables say so:

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

from ...loggers.targets.grid import TARGETS_PER_DECADE, grid
from ..errors import AssessmentError
from ..statistics.quantiles import Floats, quantiles
from ..targets.budgets import Budget, budgets_on
from ..targets.runlength import (
    STEP,
    cocopp_runlength_targets,
    on_coco_grid,
    runlength_targets,
)
from ..targets.target_sets import Cell, TargetTable, common_set, hardest, target_table
from .references import BestOf, ReferenceRuntimes, best_of_algorithms
from .run_sets import run_sets_of
from .selection import cells, measurement_of, suite_of

if TYPE_CHECKING:
    from ...loggers import Log

Rule = Literal["paper", "paper-distinct", "cocopp", "cocopp-unique"]
RULES: tuple[Rule, ...] = get_args(Rule)
_SPACED = 10


def runlength_table(
    reference: Iterable[ReferenceRuntimes], budgets: Sequence[Budget], rule: str, name: str
) -> TargetTable:
    """Run-length based targets of all functions and dimensions of a reference.

    Rules: ``"paper"``; ``"paper-distinct"``, its option (ii); ``"cocopp"``, with the factor
    10**0.2 of its tables between equal targets; ``"cocopp-unique"``, its ECDFs, which drop
    equal ones.
    """
    own: dict[Cell, list[tuple[float, float]]] = {}
    for entry in reference:
        per_dimension = budgets_on(budgets, "evaluations/dimension", entry.dimension)
        counts = np.array(per_dimension) * entry.dimension
        chosen = _by_rule(entry, counts, rule).tolist()
        labels = (
            per_dimension if len(chosen) == len(per_dimension) else (float("nan"),) * len(chosen)
        )
        own[entry.suite, entry.function, entry.dimension] = list(zip(labels, chosen, strict=True))
    ends = [str(budget).replace("*", "") for budget in (budgets[0], budgets[-1])]
    several = f"{len(budgets)} run-length targets {' … '.join(ends)}"
    label = several if len(budgets) > 1 else f"run-length target {ends[0]}"
    return target_table(own, label, (f"targets: {label} of {name} (rule: {rule}).",))


def log_reference(log: Log, rows: NDArray[np.intp], count: str = "f+g") -> Iterator[BestOf]:
    """The best of the algorithms in ``rows``: the smallest aRT to each of COCO's targets.

    Its targets begin where the first evaluation of every run hits; see the module, ``dynamic``.
    """
    for _, mine in _cells(log, rows):
        targets = common_set(_dynamic(log, mine).tolist())
        yield from best_of_algorithms(run_sets_of(log, mine, targets, count), targets)


def targets_from_data(log: Log, rows: NDArray[np.intp], way: str) -> TargetTable:
    """Targets derived from the runs ``rows``, for each function and dimension; see the module."""
    ways: dict[str, Callable[[Log, NDArray[np.intp]], Floats]] = {
        "dynamic": _dynamic,
        "iohanalyzer-log": _log_spaced,
        "iohanalyzer-linear": _linearly_spaced,
        "iohanalyzer-final": _final,
    }
    own = {
        cell: [(float("nan"), target) for target in ways[way](log, mine).tolist()]
        for cell, mine in _cells(log, rows)
    }
    note = (
        f"targets: {way}, derived from the runs compared: another algorithm or run may change them "
        "and every number here."
    )
    return target_table(own, f"targets {way}", (note,))


def _by_rule(entry: ReferenceRuntimes, counts: Floats, rule: str) -> Floats:
    if rule in ("cocopp", "cocopp-unique"):
        reached = np.isfinite(entry.average_runtimes)
        known = entry.targets[reached], entry.average_runtimes[reached]
        unique = rule == "cocopp-unique"
        return cocopp_runlength_targets(*known, counts.tolist(), 1.0 if unique else STEP, unique)
    on_grid = entry.targets, entry.average_runtimes
    if min(entry.targets, default=1.0) > 0:
        on_grid = on_coco_grid(*on_grid)
    return runlength_targets(*on_grid, counts.tolist(), distinct=rule == "paper-distinct")


def _cells(log: Log, rows: NDArray[np.intp]) -> Iterator[tuple[Cell, NDArray[np.intp]]]:
    for places in cells(log, rows, ("suite", "function", "dimension")):
        mine = rows[places]
        function, dimension = (int(log.runs[name][mine[0]]) for name in ("function", "dimension"))
        yield (suite_of(log, mine[0]), function, dimension), mine


def _dynamic(log: Log, rows: NDArray[np.intp]) -> Floats:
    own = np.array(measurement_of(log, suite_of(log, rows[0])).targets)[::-1]
    targets = own if own[0] <= 0 else grid()[:: TARGETS_PER_DECADE // 5]
    first = _finite(log.best_at(rows, [1]).precision)
    easiest = int(np.searchsorted(targets, first.max(initial=targets[0])))
    return np.asarray(targets[: easiest + 1][::-1])


def _range(log: Log, rows: NDArray[np.intp]) -> tuple[float, float]:
    """The worst first and the best last precision of the runs, at least the hardest target."""
    least = _hardest(log, rows)
    first = _finite(log.best_at(rows, [1]).precision).max(initial=least)
    last = _finite(log.runs["best_precision"][rows]).min(initial=np.inf)
    return float(first), float(np.clip(last, least, first))


def _hardest(log: Log, rows: NDArray[np.intp]) -> float:
    return hardest(measurement_of(log, suite_of(log, rows[0])))[0]


def _log_spaced(log: Log, rows: NDArray[np.intp]) -> Floats:
    worst, best = _range(log, rows)
    if best <= 0:
        raise AssessmentError(
            "targets: iohanalyzer-log needs positive precisions; take iohanalyzer-linear where an "
            "indicator goes to 0 and below"
        )
    return np.asarray(np.geomspace(worst, best, _SPACED))


def _linearly_spaced(log: Log, rows: NDArray[np.intp]) -> Floats:
    return np.asarray(np.linspace(*_range(log, rows), _SPACED))


def _final(log: Log, rows: NDArray[np.intp]) -> Floats:
    algorithm, last = log.runs.codes("algorithm")[1][rows], log.runs["best_precision"][rows]
    each = [quantiles(last[algorithm == a], 0.02, "type-7")[0] for a in np.unique(algorithm)]
    return np.array([np.clip(min(each), _hardest(log, rows), np.finfo(np.float64).max)])


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]
