"""The suite ``bbob-noisy``: functions of bbob that are measured with one of three kinds of noise.

Functions 101 to 106 have moderate noise, functions 107 to 130 have severe noise. Three functions in
a row have the same formula, with Gaussian, uniform and Cauchy noise. ``noise`` has the formulas of
the noise.

``problem(x)`` is the true value, including the penalty outside ``[-5, 5]``.
``problem.noisy(x, rng)`` is the measured value, which an optimizer receives.
``problem.constants()`` returns the arrays of bbob's function (see ``suites.bbob``) and ``noise``:
its kind (0 Gaussian, 1 uniform, 2 Cauchy) and its two parameters, as in the table of ``noise``.

Source: N. Hansen, S. Finck, R. Ros, A. Auger: Real-Parameter Black-Box Optimization Benchmarking
2009: Noisy Functions Definitions, INRIA RR-6869, with the constants of COCO 2.8.2.
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
    """Build a problem of bbob-noisy; its first evaluation compiles the kernel."""
    from ..bbob.instances import Seeds, build_formula
    from .evaluators import NoisyEvaluators
    from .functions import NoisyFunction

    identity = ProblemId("bbob-noisy", function, dimension, instance)
    definition = NoisyFunction.from_number(function)
    noise_model = definition.build_noise_model(dimension)
    seeds = Seeds.from_instance(definition.seed, dimension, instance)
    formula = build_formula(definition.function, seeds)
    evaluators = NoisyEvaluators(formula.kernel, formula.constants, noise_model, str(identity))
    title = f"BBOB-NOISY suite problem f{function} instance {instance} in {dimension}D"
    facts = ProblemFacts(
        name=definition.name,
        title=f"{definition.kind.lower()}_noise_model({title})",
        lower_bounds=np.full(dimension, -5.0),
        upper_bounds=np.full(dimension, 5.0),
        optimal_value=formula.optimal_value,
        optimal_solution=formula.optimum,
        noise=evaluators.add_noise,
        constants=lambda: {**formula.arrays(), "noise": noise_model.copy()},
    )
    return Problem(
        identity,
        facts,
        evaluators.build_point_evaluator(),
        evaluators.evaluate_batch,
        measuring=evaluators.measuring,
    )
