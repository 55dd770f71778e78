"""One problem of the suite: a function, an instance, and what is known of its optimum."""

from __future__ import annotations

import math

import numpy as np

from ..facts import ProblemFacts, Unscaled
from ..identity import ProblemId
from ..points import Vector
from ..problem import Problem
from .draws import Instance
from .evaluators import evaluators
from .functions import function


def make(number: int, dimension: int, instance: int, name: str) -> Problem:
    """One problem of the function of this number and name; see ``suites.pbo``."""
    identity = ProblemId("pbo", number, dimension, instance)
    drawn, known = Instance.of(dimension, instance), function(number, dimension)
    point, batch = evaluators(dimension, known, drawn, str(identity))
    plain = Instance(drawn.order, drawn.flip)
    raw_point, raw_batch = (
        (point, batch) if instance == 1 else evaluators(dimension, known, plain, str(identity))
    )
    unscaled = Unscaled(raw_point, raw_batch, drawn.scale, drawn.shift)
    solution = None if known.best is None else drawn.before(known.best)
    best = known.largest if solution is None else -raw_point(solution)

    def constants() -> dict[str, Vector]:
        return {
            "order": drawn.order.copy(),
            "flip": drawn.flip.copy(),
            "scale": np.array(drawn.scale),
            "shift": np.array(drawn.shift),
        }

    facts = ProblemFacts(
        name=name,
        title=f"PBO suite problem f{number} instance {instance} in {dimension}D",
        lower_bounds=np.zeros(dimension),
        upper_bounds=np.ones(dimension),
        number_of_integer_variables=dimension,
        is_binary=True,
        optimal_value=None if best is None else unscaled.scaled(-best),
        optimal_solution=solution,
        reference_value=math.nan if best is None else -best,
        unscaled=unscaled,
        target_unit=1.0 if best is None else best - known.mean,
        constants=constants,
    )
    return Problem(identity, facts, point, batch)
