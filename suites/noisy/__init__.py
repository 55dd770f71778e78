"""The suite ``bbob-noisy``: functions of bbob, measured with noise of three kinds.

Functions 101 to 106 have moderate noise, 107 to 130 severe noise: of each function, three in a row
with Gaussian, uniform and Cauchy noise. Source: N. Hansen, S. Finck, R. Ros, A. Auger:
Real-Parameter Black-Box Optimization Benchmarking 2009: Noisy Functions Definitions, INRIA
RR-6869, with the numbers of COCO 2.8.2. The formulas of the noise stand in ``noise``.

``problem(x)`` is the true value, the penalty outside [-5, 5] included; ``problem.noisy(x, rng)`` is
what an optimizer is given. ``problem.constants()`` returns what bbob's function does (see
``suites.bbob``), and ``noise``: its kind (0 Gaussian, 1 uniform, 2 Cauchy), alpha, and beta or p.
"""

from __future__ import annotations

import numpy as np

from ..facts import ProblemFacts, ProblemId
from ..problem import Problem
from ..suite import register_suite

GROUPS = {
    "moderate noise": range(101, 107),
    "severe noise": range(107, 122),
    "severe noise multi-modal": range(122, 131),
}


@register_suite(
    "bbob-noisy",
    functions="101-130",
    dimensions=[2, 3, 5, 10, 20, 40],
    instances="1-15",
    valid_dimensions=range(2, 10**6),
    valid_instances=range(1, 10**5),
    groups=GROUPS,
    indicator="noise-free",
    problem_id="bbob_noisy_f{function:03d}_i{instance:02d}_d{dimension:02d}",
)
def noisy(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem; its kernel is compiled, or read from the cache, when first called."""
    from ..bbob.instances import Seeds, formula_of
    from .evaluators import NoisyEvaluators
    from .functions import NoisyFunction

    identity = ProblemId("bbob-noisy", function, dimension, instance)
    definition = NoisyFunction.of(function)
    model = definition.model(dimension)
    drawn = formula_of(definition.function, Seeds.of(definition.seed, dimension, instance))
    evaluators = NoisyEvaluators(drawn.kernel, drawn.constants, model, str(identity))
    title = f"BBOB-NOISY suite problem f{function} instance {instance} in {dimension}D"
    facts = ProblemFacts(
        name=definition.name,
        title=f"{definition.kind.lower()}_noise_model({title})",
        lower_bounds=np.full(dimension, -5.0),
        upper_bounds=np.full(dimension, 5.0),
        optimal_value=drawn.optimal_value,
        optimal_solution=drawn.optimum,
        noise=evaluators.apply,
        constants=lambda: {**drawn.arrays(), "noise": model.copy()},
    )
    return Problem(
        identity,
        facts,
        evaluators.point_evaluator(),
        evaluators.evaluate_batch,
        measuring=evaluators.measuring,
    )
