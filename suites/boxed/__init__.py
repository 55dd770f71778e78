"""The suite ``bbob-boxed``: bbob in a hard box, with optima up to its border; COCO's values.

Outside ``[-5, 5]`` (the box is closed) the value is infinity, and counts as an evaluation. Inside,
the functions are bbob's, but most optima are drawn from ``[-5, 5)`` instead of ``[-4, 4)``, and the
best peak of f21 and f22 is not moved towards the middle. The optima of f5, f9, f19, f20 and f24 are
those of bbob. ``problem.constants()`` has the keys of ``suites.bbob``.

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
    """Make one problem."""
    from ..bbob.instances import formula
    from ..compiled.operators import hard_box

    drawn = formula(function, dimension, instance, reach=5.0)
    box = hard_box([-5.0] * dimension, [5.0] * dimension)
    drawn = replace(drawn, constants=replace(drawn.constants, transform=box))
    title = f"bbob-boxed suite problem f{function} instance {instance} in {dimension}D"
    return drawn.problem(
        ProblemId("bbob-boxed", function, dimension, instance),
        title=f"transform_vars_enforce_box({title})",
    )
