"""The suites with two objectives: pairs of bbob's functions; COCO's values.

``bbob-biobj``
    f1 … f55: the pairs of ten functions of bbob, two of each group, also with themselves.
``bbob-biobj-ext``
    f1 … f55, and f56 … f92: the other pairs of different functions of one group, without f16.
``bbob-biobj-mixint``
    The 92 pairs of functions of bbob-mixint. Four fifths of the variables are integers, which stand
    for another grid in each objective.

Continuous variables are in ``[-100, 100]``, but nothing is gained outside ``[-5, 5]``. The ideal
point is the pair of the optimal values. The nadir point is the pair of the values of each objective
at the optimum of the other one. The quality of a set of points is its hypervolume, after a
transformation of the objectives that moves the ideal point to (0, 0) and the nadir point to (1, 1),
which is the reference point.

``problem.reference_value`` is the hypervolume to which COCO's precisions are relative, and
``reference_name`` says whether it is a known hypervolume: of the 8280 problems of bbob-biobj-ext,
COCO knows those of 3300, f1 … f55 in instances 1 … 10. For the others, and for all problems of
bbob-biobj-mixint, it uses the placeholder 1.0.

``problem.constants()`` has the keys of both functions in their own suites, with the prefixes
``first_`` and ``second_``, such as ``first_optimum``.

Source: T. Tušar, D. Brockhoff, N. Hansen, A. Auger: COCO: The Bi-objective Black Box Optimization
Benchmarking (bbob-biobj) Test Suite, arXiv:1604.00359; T. Tušar, D. Brockhoff, N. Hansen:
Mixed-integer benchmark problems for single- and bi-objective optimization, GECCO 2019; constants of
coco-experiment 2.8.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..facts import ProblemId
from ..measurement import BIOBJECTIVE_TARGETS
from ..problem import Problem
from ..suite import register_suite
from .pairs import INSTANCES, PAIRS, group_functions

if TYPE_CHECKING:
    from ..compiled.formula import Formula
    from ..points import Vector

# What the three suites have in common, and the two with continuous variables; keyword arguments of
# `register_suite`.
_COMMON: dict[str, Any] = {
    "instances": "1-15",
    "valid_instances": range(1, len(INSTANCES) + 1),
    "indicator": "hypervolume",
    "targets": BIOBJECTIVE_TARGETS,
    "final_target": None,
    "objectives": 2,
}
_CONTINUOUS: dict[str, Any] = {
    "dimensions": [2, 3, 5, 10, 20, 40],
    "valid_dimensions": range(2, 10**6),
    "problem_id": "bbob-biobj_f{function:02d}_i{instance:02d}_d{dimension:02d}",
}


@register_suite(
    "bbob-biobj", functions="1-55", groups=group_functions(55), **_CONTINUOUS, **_COMMON
)
def bbob_biobj(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of bbob-biobj; compile its kernels to compute the nadir point."""
    return _build_continuous("bbob-biobj", function, dimension, instance)


@register_suite(
    "bbob-biobj-ext", functions="1-92", groups=group_functions(92), **_CONTINUOUS, **_COMMON
)
def bbob_biobj_ext(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of bbob-biobj-ext; compile its kernels to compute the nadir point."""
    return _build_continuous("bbob-biobj-ext", function, dimension, instance)


@register_suite(
    "bbob-biobj-mixint",
    functions="1-92",
    dimensions=[5, 10, 20, 40, 80, 160],
    valid_dimensions=range(5, 10**6, 5),
    groups=group_functions(92),
    problem_id="bbob-biobj-mixint_f{function:03d}_i{instance:02d}_d{dimension:03d}",
    **_COMMON,
)
def bbob_biobj_mixint(function: int, dimension: int, instance: int) -> Problem:
    """Build a problem of bbob-biobj-mixint; its reference value is the placeholder 1.0.

    It compiles the kernels to compute the nadir point.
    """
    from ..mixint.grids import draw_formula, format_inner_title, get_bounds
    from .pairs import PLACEHOLDER

    objectives = _get_objectives(function, dimension, instance)
    formulas = [draw_formula(*objective) for objective in objectives]
    lower_bounds, upper_bounds = get_bounds(dimension, 100.0)
    return _build_problem(
        ProblemId("bbob-biobj-mixint", function, dimension, instance),
        formulas,
        [formula.optimum for formula in formulas],
        title="__".join(format_inner_title(*objective) for objective in objectives),
        lower_bounds=lower_bounds,
        upper_bounds=upper_bounds,
        number_of_integer_variables=4 * dimension // 5,
        reference_value=1.0,
        reference_name=PLACEHOLDER,
    )


def _build_continuous(suite: str, function: int, dimension: int, instance: int) -> Problem:
    from ..bbob.instances import draw_formula, get_coco_optimum
    from .pairs import reference

    objectives = _get_objectives(function, dimension, instance)
    formulas = [draw_formula(*objective) for objective in objectives]
    reference_value, reference_name = reference(function, dimension, instance)
    return _build_problem(
        ProblemId(suite, function, dimension, instance),
        formulas,
        [
            get_coco_optimum(objective.function, formula)
            for objective, formula in zip(objectives, formulas, strict=True)
        ],
        title="__".join(f"bbob_f{f:03d}_i{i:02d}_d{d:02d}" for f, d, i in objectives),
        lower_bounds=np.full(dimension, -100.0),
        upper_bounds=np.full(dimension, 100.0),
        reference_value=reference_value,
        reference_name=reference_name,
    )


class _Objective(NamedTuple):
    """An objective of a problem, as a problem of bbob."""

    function: int
    dimension: int
    instance: int


def _get_objectives(function: int, dimension: int, instance: int) -> list[_Objective]:
    """Return both objectives of a problem."""
    pairs = zip(PAIRS[function - 1], INSTANCES[instance - 1], strict=True)
    return [_Objective(f, dimension, i) for f, i in pairs]


def _build_problem(
    identity: ProblemId, formulas: list[Formula], optima: Sequence[Vector], **changes: Any
) -> Problem:
    """Build the problem of two formulas; compile their kernels.

    Args:
        identity: Identity of the problem.
        formulas: Both objectives.
        optima: The points at which the nadir point is computed: the optimum of each objective.
        changes: Further fields of `ProblemFacts`.

    Returns:
        The problem.
    """
    from ..compiled.pairs import build_pair_evaluators
    from ..facts import ProblemFacts

    first, second = formulas
    evaluate_point, evaluate_batch = build_pair_evaluators(first, second, str(identity))
    values_at_optima = [evaluate_point(optimum) for optimum in optima]
    facts = ProblemFacts(
        name="/".join(formula.name for formula in formulas),
        ideal_point=np.array([formula.optimal_value for formula in formulas]),
        nadir_point=np.array([values_at_optima[1][0], values_at_optima[0][1]]),
        number_of_objectives=2,
        constants=partial(_copy_arrays, formulas),
        **changes,
    )
    return Problem(identity, facts, evaluate_point, evaluate_batch)


def _copy_arrays(formulas: list[Formula]) -> dict[str, Vector]:
    """Return new arrays that define both objectives, with prefixed names."""
    return {
        f"{prefix}_{key}": array
        for prefix, formula in zip(("first", "second"), formulas, strict=True)
        for key, array in formula.arrays().items()
    }
