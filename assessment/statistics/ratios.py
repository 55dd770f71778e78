"""Ratios of runtimes: of two algorithms, to the best of several, and to a reference by budget.

The loss ratio of cocopp's ``pplogloss``: "for each given budget the target is the best one reached
within the budget by the given algorithm. Shown is then the ERT to reach it for the given algorithm,
or the budget, if the reference reached a better target within the budget, divided by the ERT of the
reference to reach it."
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...suites.errors import UnknownNameError
from .hits import runtimes_of_runs
from .quantiles import Floats

LossRule = Literal["coco", "ratio"]


def ratio_of(first: float, second: float) -> float:
    """``first / second``; inf, 0 and NaN where the second, the first or both are inf."""
    if np.isinf(first) and np.isinf(second):
        return float("nan")
    return float(np.divide(first, second))


def runtime_ratios(first: ArrayLike, second: ArrayLike) -> Floats:
    """Runtimes of one algorithm divided by those of another, all pairs of runs, ascending.

    ``T_i / U_j`` for all ``i`` and ``j``: inf where the first run failed, 0 where the second did;
    pairs of two failures say nothing and are left out (cocopp's ``pplogabs``).

    >>> runtime_ratios([10.0, np.nan], [5.0, 20.0])
    array([0.5, 2. , inf, inf])
    """
    over, under = runtimes_of_runs(first)[:, None], runtimes_of_runs(second)[None, :]
    return np.sort(known_ratios(over, under))


def known_ratios(over: Floats, under: Floats) -> Floats:
    """Elementwise quotients without those of two infinities, one-dimensional."""
    over, under = np.broadcast_arrays(over, under)
    known = np.isfinite(over) | np.isfinite(under)
    return np.asarray(over[known] / under[known])


def ratios_to_best(art: Floats) -> Floats:
    """Average runtimes by the least of each row; inf where not reached, NaN where not run.

    >>> ratios_to_best(np.array([[10.0, 30.0, np.inf], [np.inf, np.inf, np.nan]]))
    array([[ 1.,  3., inf],
           [inf, inf, nan]])
    """
    least = np.min(np.where(np.isfinite(art), art, np.inf), axis=1, keepdims=True)
    ratio = np.full(art.shape, np.inf)
    np.divide(art, least, out=ratio, where=np.isfinite(art))
    return np.where(np.isnan(art), np.nan, ratio)


class Loss(NamedTuple):
    """Loss at each budget, and the position of the target it is about (-1: none reached)."""

    ratio: Floats
    target: NDArray[np.int64]


def runtime_loss(
    art: ArrayLike, reference: ArrayLike, budgets: ArrayLike, rule: str = "coco"
) -> Loss:
    """Loss of one algorithm on one function in one dimension.

    With ``t`` the hardest target with ``aRT(t) <= budget``, and ``r`` the reference's aRT:
    ``coco``: ``loss = c / r(t)``, where ``c`` is the budget if the reference reaches the next
    target within less than the budget, and ``aRT(t)`` otherwise; ``ratio``: ``aRT(t) / r(t)``. The
    budget is inserted because otherwise an algorithm that stagnates at ``t`` would seem to lose
    nothing. Ratios, ``(n_budgets,)``: NaN where no target is reached within the budget, 0 where the
    reference does not reach the algorithm's target.

    >>> runtime_loss([10.0, 40.0, np.inf], [5.0, 10.0, 20.0], [10.0, 30.0, 100.0]).ratio
    array([ 2.,  6., 10.])
    """
    if rule not in get_args(LossRule):
        raise UnknownNameError.of("loss rule", rule, get_args(LossRule))
    own, best = np.asarray(art, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    within = np.asarray(budgets, dtype=np.float64)
    place = (own[None, :] <= within[:, None]).sum(axis=1) - 1
    cost = own[place]
    if rule == "coco":
        further = np.append(best, np.inf)[place + 1]
        cost = np.where(further < within, within, cost)
    with np.errstate(invalid="ignore"):  # where no target is reached at all
        ratio = np.where(place >= 0, cost / best[place], np.nan)
    return Loss(ratio, np.asarray(place, dtype=np.int64))


def ratio_of_ends(first: ArrayLike, second: ArrayLike) -> tuple[float, float]:
    """Confidence interval of the ratio of two independent positive numbers, from those of each.

    By the method of variance estimates recovery, on logarithms (Zou and Donner 2008, Statist. Med.
    27). Where a number is inf, the widest ratios of the ends. Each is a number, the lower and the
    upper end of its interval.

    >>> [round(end, 6) for end in ratio_of_ends([8.0, 4.0, 16.0], [2.0, 2.0, 2.0])]
    [2.0, 8.0]
    """
    (a, a_low, a_high), (b, b_low, b_high) = (np.asarray(ends, dtype=np.float64).tolist()
                                              for ends in (first, second))  # fmt: skip
    if not np.isfinite([a, b]).all():
        return (a_low / b_high if np.isfinite(a_low) else np.inf), np.inf
    down = np.hypot(np.log(a / a_low), np.log(b_high / b))
    up = np.hypot(np.log(a_high / a), np.log(b / b_low))
    return float(a / b * np.exp(-down)), float(a / b * np.exp(up))
