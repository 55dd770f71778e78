"""The suite ``bbob-boxed``: bbob in a hard box, with optima up to its border; COCO's values.

Outside ``[-5, 5]``, a closed box, the value is infinite; such a point counts as an evaluation.
Inside, the functions are those of bbob, but most optima are drawn from ``[-5, 5)`` instead of
``[-4, 4)``, and the best peak of f21 and f22 is not moved towards the centre. The optima of f5, f9,
f19, f20 and f24 are those of bbob. ``problem.constants()`` has the keys of ``suites.bbob``.

Source: COCO's suite ``bbob-boxed`` (SBOX-COST), coco-experiment 2.8.2; D. Vermetten,
M. López-Ibáñez, O. Mersmann, R. Allmendinger, A. V. Kononova: Analysis of modular CMA-ES on strict
box-constrained problems in the SBOX-COST benchmarking suite, GECCO Companion 2023.
"""

from __future__ import annotations

from dataclasses import replace

from ..bbob import GROUPS
from ..facts import ProblemId
from ..problem import Problem
from ..suite import register_suite


@register_suite(
    "bbob-boxed",
    functions="1-24",
    dimensions=[2, 3, 5, 10, 20, 40],
    instances="1-5,101-110",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
    groups=GROUPS,
)
def bbob_boxed(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of bbob-boxed; its first evaluation compiles the kernel."""
    from ..bbob.instances import draw_formula
    from ..compiled.operators import hard_box

    formula = draw_formula(function, dimension, instance, optimum_bound=5.0)
    box = hard_box([-5.0] * dimension, [5.0] * dimension)
    boxed_formula = replace(formula, constants=replace(formula.constants, transform=box))
    title = f"bbob-boxed suite problem f{function} instance {instance} in {dimension}D"
    return boxed_formula.build_problem(
        ProblemId("bbob-boxed", function, dimension, instance),
        title=f"transform_vars_enforce_box({title})",
    )
