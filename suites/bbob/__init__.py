"""The suite ``bbob``: 24 noiseless functions in any dimension, with the values of COCO's instances.

A function is a kernel, which computes its formula (``unimodal``, ``multimodal``), and the constants
of its instances (``instances``), which are drawn from random numbers (``generators``).

``problem.constants()`` returns those of the following arrays that the function has, with ``D``
variables:

=================  ==========  =====================================================================
``optimum``        ``(D,)``    ``xopt``, where the value is minimal
``optimal_value``  ``()``      ``fopt``, the value at the optimum
``Q``, ``R``       ``(D, D)``  the rotations, as ``Q @ (x - xopt)``; f9, f19, f21, f22 rotate ``x``
``signs``          ``(D,)``    1 or -1: of the slope in f5, of the variables in f20 and f24
``peaks``          ``(m, D)``  f21, f22: positions ``y_k``, the best peak first
``curvatures``     ``(m, D)``  f21, f22: the diagonals of ``C_k``
``heights``        ``(m,)``    f21, f22: ``w_k``
=================  ==========  =====================================================================

Everything else in a formula depends on the dimension only; the function's kernel documents it.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noiseless Functions Definitions, INRIA RR-6829.
"""

from __future__ import annotations

from ..facts import ProblemId
from ..problem import Problem
from ..suite import register_suite

GROUPS = {
    "separable": range(1, 6),
    "moderate conditioning": range(6, 10),
    "high conditioning": range(10, 15),
    "multi-modal": range(15, 20),
    "weak structure": range(20, 25),
}


@register_suite(
    "bbob",
    functions="1-24",
    dimensions=[2, 3, 5, 10, 20, 40],
    instances="1-5,71-80",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
    groups=GROUPS,
)
def bbob(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of the suite bbob; its first evaluation compiles the kernel."""
    from .instances import draw_formula

    return draw_formula(function, dimension, instance).build_problem(
        ProblemId("bbob", function, dimension, instance),
        title=f"BBOB suite problem f{function} instance {instance} in {dimension}D",
    )
