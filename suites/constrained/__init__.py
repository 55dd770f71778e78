"""The suite ``bbob-constrained``: nine functions with 1 to 6 + 3 D active linear constraints.

Functions 6 t - 5 … 6 t have bbob's objective ``t`` without its nonlinear transformations. They have
1, 2, 6, 6 + D/2, 6 + D and 6 + 3 D constraints that are active at the optimum, and half as many
inactive ones. Then objective and constraints are transformed by ``y = T(x - xopt)``, which makes
the constraints nonlinear. The optimum is ``xopt`` by construction: the gradients of the active
constraints span a cone that contains the negative gradient of the objective.

``bbob-constrained-active-only`` omits the inactive constraints.
``bbob-constrained-no-disguise`` keeps the gradient of one constraint parallel to the objective's.

``problem.constants()`` returns, with ``D`` variables and ``m`` constraints:

======================  ==========  ================================================================
``optimum``             ``(D,)``    ``xopt``
``center``              ``(D,)``    ``x1``, the optimum of the objective without constraints
``R``                   ``(D, D)``  the rotation of the objective, if it has one
``gradients``           ``(m, D)``  ``a_j`` of ``g_j = sum_k a_jk (y_k - b_jk)``
``offsets``             ``(m, D)``  ``b_j``; 0 for active constraints
``scale``, ``fopt``     ``()``      ``c`` and ``fopt`` of ``f = c (q(y) + fopt)``
======================  ==========  ================================================================

Source: P. Dufossé, N. Hansen, D. Brockhoff et al.: Building scalable test problems for benchmarking
constrained optimizers (2022), with the constants of COCO 2.8.2.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..facts import ProblemFacts, ProblemId
from ..measurement import COCO_TARGETS
from ..problem import Problem
from ..suite import register_suite

if TYPE_CHECKING:
    from ..arrays import Floats
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

# Number of active constraints of functions 6 t - 5 … 6 t, for people.
_ACTIVE_COUNTS = ("1", "2", "6", "6 + D/2", "6 + D", "6 + 3 D")

# What the three suites have in common; keyword arguments of `register_suite`.
_COMMON: dict[str, Any] = {
    "functions": "1-54",
    "dimensions": [2, 3, 5, 10, 20, 40],
    "instances": "1-15",
    "valid_dimensions": range(2, 10**4),
    "valid_instances": range(1, 10**5),
    "groups": GROUPS,
    "targets": COCO_TARGETS[:41],  # down to 1e-6
    "constrained": True,
}


@register_suite("bbob-constrained", **_COMMON)
def constrained(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of bbob-constrained; compile its objective."""
    return _build_problem("bbob-constrained", function, dimension, instance)


@register_suite("bbob-constrained-active-only", **_COMMON)
def active_only(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem without inactive constraints; compile its objective."""
    suite = "bbob-constrained-active-only"
    return _build_problem(suite, function, dimension, instance, has_inactive=False)


@register_suite("bbob-constrained-no-disguise", **_COMMON)
def no_disguise(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem with a gradient opposite to the objective's; compile its objective."""
    suite = "bbob-constrained-no-disguise"
    return _build_problem(suite, function, dimension, instance, has_disguise=False)


def _build_problem(
    suite: str,
    function: int,
    dimension: int,
    instance: int,
    has_inactive: bool = True,
    has_disguise: bool = True,
) -> Problem:
    from ..compiled.compilation import (
        Constants,
        build_batch_evaluator,
        build_point_constraint,
        build_point_evaluator,
    )
    from .instances import Instance, find_initial_solution

    identity = ProblemId(suite, function, dimension, instance)
    label = str(identity)
    definition = Instance.draw(function, dimension, instance, has_inactive, has_disguise)
    workspace, n_constraints = 2 * dimension + 1, len(definition.gradients)
    objective = definition.objective
    objective_constants = Constants(
        objective.rows, definition.optimal_offset, workspace, definition.kind.scale
    )
    constraint_constants = Constants(definition.constraint_rows, 0.0, workspace)
    evaluate_point = build_point_evaluator(objective.kernel, objective_constants, label)
    constraint_kernel = definition.kind.constraint_kernel
    facts = ProblemFacts(
        name=f"{definition.kind.name}, {_ACTIVE_COUNTS[(function - 1) % 6]} active",
        title=f"{suite} suite problem f{function} instance {instance} in {dimension}D",
        lower_bounds=np.full(dimension, -5.0),
        upper_bounds=np.full(dimension, 5.0),
        optimal_value=evaluate_point(definition.xopt),
        optimal_solution=definition.xopt,
        initial_solution=find_initial_solution(definition),
        number_of_constraints=n_constraints,
        constraint=build_batch_evaluator(
            constraint_kernel, constraint_constants, label, n_constraints
        ),
        point_constraint=build_point_constraint(
            constraint_kernel, constraint_constants, label, n_constraints
        ),
        constants=partial(_copy_arrays, definition),
    )
    evaluate_batch = build_batch_evaluator(objective.kernel, objective_constants, label)
    return Problem(identity, facts, evaluate_point, evaluate_batch)


def _copy_arrays(definition: Instance) -> dict[str, Floats]:
    """Return new arrays that define an instance, named as in the table of the module."""
    objective = definition.objective
    arrays = {
        "optimum": definition.xopt.copy(),
        "fopt": np.array(definition.optimal_offset),
        "center": objective.center.copy(),
        "gradients": definition.gradients.copy(),
        "offsets": definition.offsets.copy(),
        "scale": np.array(definition.kind.scale),
    }
    return arrays if objective.rotation is None else arrays | {"R": objective.rotation.copy()}
