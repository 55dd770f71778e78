"""The suite ``pbo``: 25 pseudo-Boolean functions of IOHprofiler; ioh's values to the bit.

Variables are bits. ioh maximises, firsthit minimises: ``problem(x)`` is ``-y``, where ``y`` is
ioh's value. An instance flips or reorders bits, and scales and shifts values.
``problem.unscaled(x)`` is the value before scaling, minus ioh's ``raw_y``. Runs are measured by it,
so that the precision of a point is the largest raw value minus its raw value. The precision is the
same in all instances, and exactly 0 at an optimum.

The targets are 51 fractions of the distance from the mean raw value of random points (precision
``target_unit``) to the optimum, linear in the raw value. Problems with an unknown optimum, f18
above 66 bits, have no targets.

``problem.constants()`` returns ``order`` and ``flip``, int64, shape ``(n,)``: bit ``i`` of the
function is ``x[order[i]] ^ flip[i]``; and ``scale`` and ``shift``: ioh's ``y`` is
``raw * scale + shift``. ``kernels`` and ``functions`` have the formulas.

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
"""Names of f1 … f25, as IOHprofiler writes them."""
_FUNCTIONS_ON_SQUARES = (20, 21, 23)  # the variables are the fields of a square
_FUNCTIONS_OF_TRIPLES = (6, 13)


def refusal(function: int, dimension: int) -> str:
    """Return why a function has no problem of a dimension, as the end of a sentence; "" if it has.

    Args:
        function: Number of the function, 1 to 25.
        dimension: Number of variables.
    """
    if function in _FUNCTIONS_ON_SQUARES and math.isqrt(dimension) ** 2 != dimension:
        return "has as many variables as a square has fields"
    if function in _FUNCTIONS_OF_TRIPLES and dimension < 3:
        return "has 3 variables at least"
    return ""


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
    """Build a problem of the suite pbo; compile its kernel if the optimum's bits are known."""
    from .problems import build_problem

    return build_problem(function, dimension, instance, NAMES[function - 1])
