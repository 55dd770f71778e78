"""Runs of two algorithms put in one order: by runtime, and the unsuccessful by precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .runtimes import Floats
from .trials import Trials

if TYPE_CHECKING:
    from ..loggers import Log


@dataclass(frozen=True, eq=False)
class Climb:
    """Trials, with how far their runs came.

    Attributes:
        trials: The runs and their hits of the targets asked for.
        precision_at: Best precision of each run, ``(n_runs,)``, after so many evaluations.
    """

    trials: Trials
    precision_at: Callable[[float], Floats]

    @property
    def cell(self) -> tuple[str, int, int]:
        """Suite, function, dimension."""
        return self.trials.suite, self.trials.function, self.trials.dimension


def climb(log: Log, trials: Trials) -> Climb:
    """Trials of the log with the precision that it tells at any evaluation count."""

    @cache
    def precision_at(evaluations: float) -> Floats:
        return log.best_at(trials.rows, [int(evaluations)]).precision[:, 0]

    return Climb(trials, precision_at)


def horizon(hits: Sequence[ArrayLike], spent: Sequence[ArrayLike]) -> float:
    """Evaluations up to which all runs can be compared: the shortest unsuccessful run; else inf.

    Args:
        hits: Of each algorithm, shape ``(n_runs,)``; NaN where the target was not reached.
        spent: Of each algorithm, shape ``(n_runs,)``.

    >>> horizon([[5.0, np.nan], [7.0, np.nan]], [[5.0, 100.0], [7.0, 60.0]])
    60.0
    """
    ends = np.concatenate([np.asarray(end, dtype=np.float64) for end in spent])
    missed = np.isnan(np.concatenate([np.asarray(hit, dtype=np.float64) for hit in hits]))
    return float(ends[missed].min(initial=np.inf))


def run_order(hits: ArrayLike, precision: ArrayLike, until: float) -> Floats:
    """A number for each run, smaller is better, for tests that compare ranks.

    Runs that hit the target within ``until`` come first, by their evaluations at the hit; all
    others after them, by the precision they had at ``until``; equal ones get equal numbers. This is
    the field's order: cocopp's ``toolsstats.significancetest`` with its ``FE_umin`` for ``until``.
    It looks at each run up to ``until`` only, so that the longer of two budgets is no advantage;
    its price is that a success after ``until`` counts as a failure.

    Args:
        hits: Of all runs to be compared, shape ``(n_runs,)``; NaN where not reached.
        precision: Best at ``until``, shape ``(n_runs,)``.
        until: See `horizon`.

    >>> run_order([5.0, 80.0, np.nan, 7.0], [1e-9, 0.5, 0.1, 1e-9], 60.0)
    array([0., 3., 2., 1.])
    """
    runtimes = np.asarray(hits, dtype=np.float64)
    reached = runtimes <= until
    value = np.where(reached, runtimes, precision)
    order = np.lexsort((value, ~reached))
    value, reached = value[order], reached[order]
    changes = (value[1:] != value[:-1]) | (reached[1:] != reached[:-1])
    place = np.empty(len(order))
    place[order] = np.cumsum(np.append(False, changes))
    return place
