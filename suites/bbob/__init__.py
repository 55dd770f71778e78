"""The suite ``bbob``: 24 noiseless functions in any dimension, instance by instance COCO's values.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noiseless Functions Definitions, INRIA RR-6829. A function of the suite is a kernel (its
formula, ``unimodal``, ``multimodal``) and the constants of its instances (``instances``).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..identity import ProblemId
from ..problem import Problem, ProblemFacts
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
    """Make one problem; its kernel is compiled, or read from the cache, when first called."""
    from ..compiled.compilation import batch_evaluator, point_evaluator
    from .generators import optimal_value
    from .instances import FUNCTIONS, Seeds

    identity = ProblemId("bbob", function, dimension, instance)
    definition = FUNCTIONS[function]
    seeds = Seeds.of(function, dimension, instance)
    _compile_generators()
    drawn = definition.instance(seeds)
    value = optimal_value(seeds.seed)
    constants = drawn.constants(value)
    facts = ProblemFacts(
        name=definition.name,
        lower_bounds=np.full(dimension, -5.0),
        upper_bounds=np.full(dimension, 5.0),
        optimal_value=value,
        optimal_solution=drawn.optimum,
    )
    return Problem(
        identity,
        facts,
        point_evaluator(definition.kernel, constants, str(identity)),
        batch_evaluator(definition.kernel, constants, str(identity)),
    )


@cache
def _compile_generators() -> None:
    """Compile what draws instances, or read it from the cache, before it is used."""
    from ..compiled.compilation import announced
    from .generators import rotation

    with announced():
        rotation(2, 1)
