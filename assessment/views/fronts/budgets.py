"""At which budgets archives are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.fronts.archives import Archives
from ...data.grouping import grouped
from ...targets.budgets import counts_of, unit_of

Default = Callable[[float, float], tuple[float, ...]]


class AtBudgets(NamedTuple):
    """Archives and the budgets at which they are looked at.

    Attributes:
        archives: Of one algorithm on one function in one dimension.
        budgets: In the unit asked for, ascending.
        evaluations: The same in evaluations, shape ``(n_budgets,)``.
    """

    archives: Archives
    budgets: tuple[float, ...]
    evaluations: NDArray[np.int64]


def at_budgets(
    data: Sequence[Archives], budgets: tuple[float, ...] | None, axis: str, otherwise: Default
) -> Iterator[AtBudgets]:
    """Archives at budgets in the unit ``axis``.

    None: at those that ``otherwise`` gives for the longest run of each algorithm on a suite in a
    dimension, and for the unit.
    """
    for group in grouped(data, "all"):
        unit = unit_of(axis, group[0].dimension)
        longest = max(one.spent for one in group)
        wanted = otherwise(longest, unit) if budgets is None else budgets
        for one in group:
            yield AtBudgets(one, wanted, counts_of(wanted, unit))


def end_budget(longest: float, unit: float) -> tuple[float, ...]:
    """The budget that the longest run had."""
    return (longest / unit,)
