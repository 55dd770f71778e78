"""The suite ``pbo``: 25 pseudo-Boolean functions of IOHprofiler; ioh's values to the bit.

Variables are bits. ioh maximises, and firsthit minimises: ``problem(x)`` is minus ioh's ``y``. An
instance flips or reorders bits, and scales and shifts values; ``problem.unscaled(x)``, minus ioh's
``raw_y``, is the value before, by which runs are measured. So the precision of a point is the
largest raw value minus its own, the same on every instance, and exactly 0 at an optimum.

Targets are 51 parts of the way from the mean of random points (precision ``target_unit``) to the
optimum, linear in the raw value. Where nobody knows the optimum, f18 above 66 bits, there are none.

``problem.constants()`` returns ``order`` and ``flip``, int64 ``(n,)``: bit ``i`` of the function is
``x[order[i]] ^ flip[i]``; and ``scale`` and ``shift``: ioh's ``y`` is ``raw * scale + shift``. The
formulas stand in ``kernels`` and ``functions``.

Source: C. Doerr, F. Ye, N. Horesh, H. Wang, O. M. Shir, T. Bäck: Benchmarking discrete optimization
heuristics with IOHprofiler, Applied Soft Computing 88, 2020 (arXiv:1912.09237), for f1 to f23;
doi:10.1007/978-3-030-58115-2_49 (PPSN 2020) for f24 and f25; numbers as ioh 0.3.22 draws them.
"""

from __future__ import annotations

import math

from ..problem import Problem
from ..suite import register_suite

GROUPS = {
    "OneMax and linear": (1, *range(3, 11)),
    "LeadingOnes": (2, *range(11, 18)),
    "combinatorial": range(18, 26),
}
NAMES = (
    "OneMax", "LeadingOnes", "Linear", "OneMaxDummy1", "OneMaxDummy2", "OneMaxNeutrality",
    "OneMaxEpistasis", "OneMaxRuggedness1", "OneMaxRuggedness2", "OneMaxRuggedness3",
    "LeadingOnesDummy1", "LeadingOnesDummy2", "LeadingOnesNeutrality", "LeadingOnesEpistasis",
    "LeadingOnesRuggedness1", "LeadingOnesRuggedness2", "LeadingOnesRuggedness3", "LABS",
    "IsingRing", "IsingTorus", "IsingTriangular", "MIS", "NQueens", "ConcatenatedTrap",
    "NKLandscapes",
)  # fmt: skip
"""Of f1 … f25, as IOHprofiler writes them."""
_SQUARES = (20, 21, 23)
_BLOCKS_OF_THREE = (6, 13)


def refusal(function: int, dimension: int) -> str:
    """Why a function does not take a dimension; empty where it does."""
    if function in _SQUARES and math.isqrt(dimension) ** 2 != dimension:
        return "has as many variables as a square has fields"
    return "has 3 variables at least" if function in _BLOCKS_OF_THREE and dimension < 3 else ""


@register_suite(
    "pbo",
    functions="1-25",
    dimensions=[16, 64, 100, 625],
    instances="1-6,51-55",
    valid_dimensions=range(2, 20001),
    valid_instances=range(1, 10**5),
    groups=GROUPS,
    indicator="unscaled",
    targets=[1 - i / 50 for i in range(51)],
    final_target=0.0,
    refusal=refusal,
    binary=True,
)
def pbo(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem; its kernel is compiled, or read from the cache, when first called."""
    from .problems import make

    return make(function, dimension, instance, NAMES[function - 1])
