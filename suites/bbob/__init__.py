"""The suite ``bbob``: 24 noiseless functions in any dimension, instance by instance COCO's values.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noiseless Functions Definitions, INRIA RR-6829. A function of the suite is a kernel (its
formula, ``unimodal``, ``multimodal``) and the constants of its instances (``instances``).

``problem.constants()`` returns, as far as the function has them, with ``D`` variables:

=================  ==========  =====================================================================
``optimum``        ``(D,)``    ``xopt``, where the value is least
``optimal_value``  ``()``      ``fopt``, the value there
``Q``, ``R``       ``(D, D)``  the rotations, as ``Q @ (x - xopt)``; f9, f19, f21, f22 rotate ``x``
``signs``          ``(D,)``    1 or -1: of the slope in f5, of the variables in f20 and f24
``peaks``          ``(m, D)``  f21, f22: ``y_k``, the best one first
``curvatures``     ``(m, D)``  f21, f22: the diagonals of ``C_k``
``heights``        ``(m,)``    f21, f22: ``w_k``
=================  ==========  =====================================================================

The rest of each formula depends on the dimension only; it stands at the function's kernel.
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
    """Make one problem."""
    from .instances import formula

    return formula(function, dimension, instance).problem(
        ProblemId("bbob", function, dimension, instance),
        title=f"BBOB suite problem f{function} instance {instance} in {dimension}D",
    )
