"""Ratios of runtimes: of two algorithms, to the best of several, and to a reference by budget.

The loss ratio is that of cocopp's ``pplogloss``: "for each given budget the target is the best one
reached within the budget by the given algorithm. Shown is then the ERT to reach it for the given
algorithm, or the budget, if the reference reached a better target within the budget, divided by the
ERT of the reference to reach it."
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
    """Compute the ratio of two average runtimes.

    Args:
        first: Numerator, positive; inf if the target was not hit.
        second: Denominator, positive; inf if the target was not hit.

    Returns:
        ``first / second``: inf or 0 if one number is inf, NaN if both are.
    """
    if np.isinf(first) and np.isinf(second):
        return float("nan")
    return float(np.divide(first, second))


def runtime_ratios(first: ArrayLike, second: ArrayLike) -> Floats:
    """Compute the runtimes of one algorithm divided by those of another, for all pairs of runs.

    ``T_i / U_j`` for all ``i`` and ``j``: inf if only the first run failed, 0 if only the second
    run failed. Pairs of two failed runs are left out (cocopp's ``pplogabs``).

    Args:
        first: Runtimes of one algorithm, shape ``(n_runs,)``; not finite if a run failed.
        second: Runtimes of the other algorithm, shape ``(n_runs,)``; not finite if a run failed.

    Returns:
        Ratios, ascending.

    >>> runtime_ratios([10.0, np.nan], [5.0, 20.0])
    array([0.5, 2. , inf, inf])
    """
    numerators, denominators = runtimes_of_runs(first)[:, None], runtimes_of_runs(second)[None, :]
    return np.sort(known_ratios(numerators, denominators))


def known_ratios(over: Floats, under: Floats) -> Floats:
    """Compute the elementwise ratios, except those of two infinities.

    Args:
        over: Numerators, positive.
        under: Denominators, positive, of a shape that broadcasts with ``over``.

    Returns:
        Ratios, one-dimensional.
    """
    over, under = np.broadcast_arrays(over, under)
    is_known = np.isfinite(over) | np.isfinite(under)
    return np.asarray(over[is_known] / under[is_known])


def ratios_to_best(art: Floats) -> Floats:
    """Divide the average runtimes of each row by the smallest one; inf and NaN stay.

    >>> ratios_to_best(np.array([[10.0, 30.0, np.inf], [np.inf, np.inf, np.nan]]))
    array([[ 1.,  3., inf],
           [inf, inf, nan]])
    """
    best = np.min(np.where(np.isfinite(art), art, np.inf), axis=1, keepdims=True)
    ratio = np.full(art.shape, np.inf)
    np.divide(art, best, out=ratio, where=np.isfinite(art))
    return np.where(np.isnan(art), np.nan, ratio)


class Loss(NamedTuple):
    """Loss ratios of an algorithm.

    Attributes:
        ratio: Loss ratio at each budget, shape ``(n_budgets,)``; NaN if the algorithm reaches no
            target within the budget.
        target: Index of the target that the ratio is about, shape ``(n_budgets,)``; -1 if no target
            is reached.
    """

    ratio: Floats
    target: NDArray[np.int64]


def runtime_loss(
    art: ArrayLike, reference: ArrayLike, budgets: ArrayLike, rule: LossRule = "coco"
) -> Loss:
    """Compute the loss ratio of one algorithm on one function in one dimension, at each budget.

    With ``t`` the hardest target with ``aRT(t) <= budget`` and ``r`` the aRT of the reference:

    - ``coco``: ``loss = c / r(t)``, where ``c`` is the budget if the reference reaches the next
      target within less than the budget, and ``aRT(t)`` otherwise. Without the budget an algorithm
      that stagnates at ``t`` would seem to lose nothing.
    - ``ratio``: ``loss = aRT(t) / r(t)``.

    Args:
        art: aRT of the algorithm to each target, ascending, shape ``(n_targets,)``; inf if a target
            is not reached.
        reference: aRT of the reference to the same targets.
        budgets: Evaluations, shape ``(n_budgets,)``.
        rule: ``"coco"`` or ``"ratio"``.

    Returns:
        The loss at each budget. It is 0 if the reference does not reach the algorithm's target.

    Raises:
        UnknownNameError: There is no such rule.

    >>> runtime_loss([10.0, 40.0, np.inf], [5.0, 10.0, 20.0], [10.0, 30.0, 100.0]).ratio
    array([ 2.,  6., 10.])
    """
    if rule not in get_args(LossRule):
        raise UnknownNameError.of("loss rule", rule, get_args(LossRule))
    arts = np.asarray(art, dtype=np.float64)
    reference_arts = np.asarray(reference, dtype=np.float64)
    limits = np.asarray(budgets, dtype=np.float64)
    target = (arts[None, :] <= limits[:, None]).sum(axis=1) - 1
    cost = arts[target]
    if rule == "coco":
        reference_of_next_target = np.append(reference_arts, np.inf)[target + 1]
        cost = np.where(reference_of_next_target < limits, limits, cost)
    with np.errstate(invalid="ignore"):  # no target is reached within any budget
        ratio = np.where(target >= 0, cost / reference_arts[target], np.nan)
    return Loss(ratio, np.asarray(target, dtype=np.int64))


def ratio_of_ends(first: ArrayLike, second: ArrayLike) -> tuple[float, float]:
    """Combine the confidence intervals of two independent numbers to one of their ratio.

    Uses the method of variance estimates recovery, on logarithms (Zou and Donner 2008, Statist.
    Med. 27). If a number is inf, the ends are the widest ratios of the ends.

    Args:
        first: Numerator: its value, and the lower and upper end of its interval; positive.
        second: Denominator: its value, and the lower and upper end of its interval; positive.

    Returns:
        Lower and upper end of the interval of the ratio.

    >>> [round(end, 6) for end in ratio_of_ends([8.0, 4.0, 16.0], [2.0, 2.0, 2.0])]
    [2.0, 8.0]
    """
    a, a_low, a_high = np.asarray(first, dtype=np.float64).tolist()
    b, b_low, b_high = np.asarray(second, dtype=np.float64).tolist()
    if not np.isfinite([a, b]).all():
        return (a_low / b_high if np.isfinite(a_low) else np.inf), np.inf
    down = np.hypot(np.log(a / a_low), np.log(b_high / b))
    up = np.hypot(np.log(a_high / a), np.log(b / b_low))
    return float(a / b * np.exp(-down)), float(a / b * np.exp(up))
