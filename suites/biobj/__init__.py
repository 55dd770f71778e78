"""The suites with two objectives: bbob's functions in pairs; COCO's values.

``bbob-biobj``
    f1 … f55: ten functions of bbob, two of each group, each with itself and with the others.
``bbob-biobj-ext``
    These, and f56 … f92: all pairs of different functions of one group; f16 is in none.
``bbob-biobj-mixint``
    The 92 pairs of functions of bbob-mixint. Four fifths of the variables are integers, which stand
    for another grid in each objective.

Continuous variables lie in ``[-100, 100]``, but nothing outside of ``[-5, 5]`` is needed. The ideal
point is the pair of optimal values, the nadir point what each objective is worth at the optimum of
the other one. The quality of a set of points is its hypervolume, after a transformation that makes
the ideal point (0, 0) and the nadir point (1, 1), which is the reference point, too.

``problem.reference_value`` is the hypervolume that COCO measures from, and ``reference_name`` says
whether it is known: of the 8280 problems of bbob-biobj-ext, COCO knows it for 3300, f1 … f55 in
instances 1 … 10; it takes the placeholder 1.0 for the others, and for all of bbob-biobj-mixint.

``problem.constants()`` has the keys of both functions in their own suites, as ``first_optimum`` and
``second_optimum``.

Source: T. Tušar, D. Brockhoff, N. Hansen, A. Auger: COCO: The Bi-objective Black Box Optimization
Benchmarking (bbob-biobj) Test Suite, arXiv:1604.00359; T. Tušar, D. Brockhoff, N. Hansen:
Mixed-integer benchmark problems for single- and bi-objective optimization, GECCO 2019; constants of
coco-experiment 2.8.2.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..facts import ProblemId
from ..measurement import BIOBJECTIVE_TARGETS
from ..problem import Problem
from ..suite import register_suite
from .pairs import INSTANCES, PAIRS, groups

if TYPE_CHECKING:
    from ..compiled.formula import Formula
    from ..points import Vector

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


@register_suite("bbob-biobj", functions="1-55", groups=groups(55), **_CONTINUOUS, **_COMMON)
def bbob_biobj(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem; its kernels are compiled, or read from the cache, for the nadir point."""
    return _continuous("bbob-biobj", function, dimension, instance)


@register_suite("bbob-biobj-ext", functions="1-92", groups=groups(92), **_CONTINUOUS, **_COMMON)
def bbob_biobj_ext(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem, likewise."""
    return _continuous("bbob-biobj-ext", function, dimension, instance)


@register_suite(
    "bbob-biobj-mixint",
    functions="1-92",
    dimensions=[5, 10, 20, 40, 80, 160],
    valid_dimensions=range(5, 10**6, 5),
    groups=groups(92),
    problem_id="bbob-biobj-mixint_f{function:03d}_i{instance:02d}_d{dimension:03d}",
    **_COMMON,
)
def bbob_biobj_mixint(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem, likewise."""
    from ..mixint.grids import bounds, formula, inner_title
    from .pairs import PLACEHOLDER

    parts = _parts(function, dimension, instance)
    drawn = [formula(*part) for part in parts]
    lower_bounds, upper_bounds = bounds(dimension, 100.0)
    return _problem(
        ProblemId("bbob-biobj-mixint", function, dimension, instance),
        drawn,
        [objective.optimum for objective in drawn],
        title="__".join(inner_title(*part) for part in parts),
        lower_bounds=lower_bounds,
        upper_bounds=upper_bounds,
        number_of_integer_variables=4 * dimension // 5,
        reference_value=1.0,
        reference_name=PLACEHOLDER,
    )


def _continuous(suite: str, function: int, dimension: int, instance: int) -> Problem:
    from ..bbob.instances import coco_optimum, formula
    from .pairs import reference

    parts = _parts(function, dimension, instance)
    drawn = [formula(*part) for part in parts]
    value, name = reference(function, dimension, instance)
    return _problem(
        ProblemId(suite, function, dimension, instance),
        drawn,
        [coco_optimum(part[0], objective) for part, objective in zip(parts, drawn, strict=True)],
        title="__".join(f"bbob_f{f:03d}_i{i:02d}_d{d:02d}" for f, d, i in parts),
        lower_bounds=np.full(dimension, -100.0),
        upper_bounds=np.full(dimension, 100.0),
        reference_value=value,
        reference_name=name,
    )


def _parts(function: int, dimension: int, instance: int) -> list[tuple[int, int, int]]:
    """Function, dimension and instance of both objectives."""
    numbers = zip(PAIRS[function - 1], INSTANCES[instance - 1], strict=True)
    return [(f, dimension, i) for f, i in numbers]


def _problem(
    identity: ProblemId, drawn: list[Formula], optima: list[Vector], **facts: Any
) -> Problem:
    """Both objectives as one problem; ``optima`` are those that the nadir point is made of."""
    from ..compiled.pairs import pair_evaluators
    from ..facts import ProblemFacts

    first, second = drawn
    evaluate_point, evaluate_batch = pair_evaluators(first, second, str(identity))
    at_optima = [evaluate_point(optimum) for optimum in optima]
    known = ProblemFacts(
        name="/".join(objective.name for objective in drawn),
        ideal_point=np.array([objective.optimal_value for objective in drawn]),
        nadir_point=np.array([at_optima[1][0], at_optima[0][1]]),
        number_of_objectives=2,
        constants=partial(_constants, drawn),
        **facts,
    )
    return Problem(identity, known, evaluate_point, evaluate_batch)


def _constants(drawn: list[Formula]) -> dict[str, Vector]:
    named = zip(("first", "second"), drawn, strict=True)
    return {f"{which}_{key}": a for which, part in named for key, a in part.arrays().items()}
