"""The suite ``ma-bbob``: affine mixtures of bbob's functions, ``ManyAffine`` of ioh to rounding.

An instance is a function of its own: some of the 24 functions, mixed with random weights, their
optima moved to one random place. Function 1, instance ``i`` is ``ioh.problem.ManyAffine(i, D)``;
``affine_mixture`` takes weights, instances and optimum of your own.

``problem.constants()`` returns ``weights``, ``instances`` and ``scales``, shape ``(24,)``,
``optimum``, shape ``(dimension,)``, and ``optimal_value``; the formula stands in ``mixtures``.

Source: D. Vermetten, F. Ye, T. Bäck, C. Doerr: MA-BBOB: A Problem Generator for Black-Box
Optimization Using Affine Combinations and Shifts, ACM TELO 2025 (arXiv:2312.11083); weights and
places as ioh 0.3.22 draws them.
"""

from __future__ import annotations

from ..problem import Problem
from ..suite import register_suite
from .mixtures import affine_mixture

__all__ = ["affine_mixture"]


@register_suite(
    "ma-bbob",
    functions=1,
    dimensions=[2, 5, 10, 20],
    instances="1-50",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
)
def ma_bbob(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem."""
    from .mixtures import drawn

    return affine_mixture(*drawn(dimension, instance), instance=instance)
