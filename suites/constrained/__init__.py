"""The suite ``bbob-constrained``: nine functions under 1 to 6 + 3 D active linear constraints.

Functions 6 t - 5 … 6 t are bbob's objective ``t`` without its nonlinear transformations, with 1, 2,
6, 6 + D/2, 6 + D and 6 + 3 D constraints that are active at the optimum, and half as many more that
are not. Objective and constraints are then transformed together, ``y = T(x - xopt)``, so that the
constraints are nonlinear, too, and ``xopt`` is optimal by construction (its gradients span a cone
that holds the objective's). Source: P. Dufossé, N. Hansen, D. Brockhoff et al.: Building scalable
test problems for benchmarking constrained optimizers (2022), with the numbers of COCO 2.8.2.

``bbob-constrained-active-only`` leaves out the inactive constraints;
``bbob-constrained-no-disguise`` keeps one constraint's gradient parallel to the objective's.

``problem.constants()`` returns, with ``D`` variables and ``m`` constraints:

======================  ==========  ================================================================
``optimum``             ``(D,)``    ``xopt``
``center``              ``(D,)``    ``x1``, the optimum of the objective without constraints
``R``                   ``(D, D)``  the rotation of the objective, where it has one
``gradients``           ``(m, D)``  ``a_j`` of ``g_j = sum_k a_jk (y_k - b_jk)``
``offsets``             ``(m, D)``  ``b_j``; 0 for active constraints
``scale``, ``fopt``     ``()``      ``c`` and ``fopt`` of ``f = c (q(y) + fopt)``
======================  ==========  ================================================================
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..facts import PointConstraint, ProblemFacts, ProblemId
from ..measurement import COCO_TARGETS
from ..problem import Problem
from ..suite import register_suite

if TYPE_CHECKING:
    from .instances import Instance

GROUPS = {
    "sphere": range(1, 7),
    "separable ellipsoid": range(7, 13),
    "linear slope": range(13, 19),
    "rotated ellipsoid": range(19, 25),
    "discus": range(25, 31),
    "bent cigar": range(31, 37),
    "different powers": range(37, 43),
    "separable Rastrigin": range(43, 49),
    "rotated Rastrigin": range(49, 55),
}

_ACTIVE = ("1", "2", "6", "6 + D/2", "6 + D", "6 + 3 D")
_NUMBERS: dict[str, Any] = {
    "functions": "1-54",
    "dimensions": [2, 3, 5, 10, 20, 40],
    "instances": "1-15",
    "valid_dimensions": range(2, 10**4),
    "valid_instances": range(1, 10**5),
    "groups": GROUPS,
    "targets": COCO_TARGETS[:41],
    "constrained": True,
}


@register_suite("bbob-constrained", **_NUMBERS)
def constrained(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem; its kernels are compiled, or read from the cache, when first called."""
    return _make("bbob-constrained", function, dimension, instance)


@register_suite("bbob-constrained-active-only", **_NUMBERS)
def active_only(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem without inactive constraints."""
    suite = "bbob-constrained-active-only"
    return _make(suite, function, dimension, instance, has_inactive=False)


@register_suite("bbob-constrained-no-disguise", **_NUMBERS)
def no_disguise(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem with a constraint whose gradient is opposite to the objective's."""
    suite = "bbob-constrained-no-disguise"
    return _make(suite, function, dimension, instance, has_disguise=False)


def _make(
    suite: str,
    function: int,
    dimension: int,
    instance: int,
    has_inactive: bool = True,
    has_disguise: bool = True,
) -> Problem:
    from ..compiled.compilation import (
        Constants,
        batch_evaluator,
        point_evaluator,
        vector_evaluators,
    )
    from .instances import Instance, initial_solution

    identity = ProblemId(suite, function, dimension, instance)
    who = str(identity)
    drawn = Instance.of(function, dimension, instance, has_inactive, has_disguise)
    workspace, number = 2 * dimension + 1, len(drawn.gradients)
    objective = drawn.objective
    values = Constants(objective.rows, drawn.optimal_offset, workspace, drawn.kind.scale)
    limits = Constants(drawn.constraint_rows, 0.0, workspace)
    evaluate = point_evaluator(objective.kernel, values, who)
    kernel = drawn.kind.constraints
    facts = ProblemFacts(
        name=f"{drawn.kind.name}, {_ACTIVE[(function - 1) % 6]} active",
        title=f"{suite} suite problem f{function} instance {instance} in {dimension}D",
        lower_bounds=np.full(dimension, -5.0),
        upper_bounds=np.full(dimension, 5.0),
        optimal_value=evaluate(drawn.xopt),
        optimal_solution=drawn.xopt,
        initial_solution=initial_solution(drawn),
        number_of_constraints=number,
        constraint=batch_evaluator(kernel, limits, who, number),
        point_constraint=PointConstraint(*vector_evaluators(kernel, limits, who, number)),
        constants=partial(_constants, drawn),
    )
    return Problem(identity, facts, evaluate, batch_evaluator(objective.kernel, values, who))


def _constants(drawn: Instance) -> dict[str, NDArray[np.float64]]:
    objective = drawn.objective
    arrays = {
        "optimum": drawn.xopt.copy(),
        "fopt": np.array(drawn.optimal_offset),
        "center": objective.center.copy(),
        "gradients": drawn.gradients.copy(),
        "offsets": drawn.offsets.copy(),
        "scale": np.array(drawn.kind.scale),
    }
    return arrays if objective.rotation is None else arrays | {"R": objective.rotation.copy()}
