"""The suite ``bbob-largescale``: bbob in dimensions 20 to 640, in time linear in the dimension.

Rotations are block-diagonal, with blocks of at most 40 variables, between permutations that swap
variables at a distance of at most a third of the dimension. Most values are multiplied by
``min(1, 40 / D)``. Up to 40 variables the functions are those of bbob, except that f9 has another
optimum, and that values of f7 differ slightly.

``problem.constants()`` returns those of the following arrays that the function has, with ``D``
variables:

=================  ===========  ====================================================================
``optimum``        ``(D,)``     where the value is minimal
``optimal_value``  ``()``       ``fopt``, the value at the optimum
``B1``, ``B2``     ``(s, D)``   blocks of ``s = min(40, D)``: row ``j`` holds column ``j`` of all
``p2`` … ``p6``    ``(D,)``     permutations, from 0: ``y_i = x_(p_i)``
``signs``          ``(D,)``     1 or -1: of the slope in f5, of the variables in f20 and f24
``peaks``          ``(m, D)``   f21, f22: positions ``y_k``, the best peak first
``curvatures``     ``(m, D)``   f21, f22: the diagonals of ``C_k``
``heights``        ``(m,)``     f21, f22: ``w_k``
=================  ===========  ====================================================================

Source: K. Varelas, A. Auger, D. Brockhoff, N. Hansen, O. A. ElHara, Y. Semet, R. Kassab, F.
Barbaresco: A Comparative Study of Large-Scale Variants of CMA-ES, PPSN 2018; and the suite
``bbob-largescale`` of coco-experiment 2.8.2.
"""

from __future__ import annotations

from ..bbob import GROUPS
from ..facts import ProblemId
from ..problem import Problem
from ..suite import register_suite


@register_suite(
    "bbob-largescale",
    functions="1-24",
    dimensions=[20, 40, 80, 160, 320, 640],
    instances="1-15",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
    groups=GROUPS,
    problem_id="bbob_f{function:03d}_i{instance:02d}_d{dimension:04d}",
)
def bbob_largescale(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of bbob-largescale; its first evaluation compiles the kernel."""
    from .instances import draw_formula

    return draw_formula(function, dimension, instance).build_problem(
        ProblemId("bbob-largescale", function, dimension, instance),
        title=f"BBOB large-scale suite problem f{function} instance {instance} in {dimension}D",
    )
