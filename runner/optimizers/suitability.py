"""Whether optimizers know what suites have: constraints, two objectives. Asked before any run.

Only built-in optimizers are refused; what a user's own makes of its problem, nobody knows. Integer
variables are no reason to refuse: problems round what they are given.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from ...suites import Problem, ProblemId, definition
from ..errors import OptimizerError
from .adapters.built_in import Knows
from .adapters.penalized import PARAMETER
from .registry import BUILT_IN
from .resolve import OptimizerRef

_IN_WORDS = {1: "one objective", 2: "two objectives"}
_OF_ONE = "scipy:Nelder-Mead, cma:CMA-ES or random-search"
_OF_TWO = "pymoo:NSGA2, comocma:COMO-CMA-ES, optuna:TPE or random-search"
_EXAMPLES = "scipy:COBYQA, scipy:SLSQP, cma:CMA-ES, optuna:TPE or pymoo:GA"


@dataclass(frozen=True, slots=True)
class Demands:
    """What an optimizer has to know.

    Attributes:
        where: Which suite or problem asks for it, for messages.
        constraints: Some problem has constraints.
        objectives: Most objectives of a problem.
    """

    where: str
    constraints: bool = False
    objectives: int = 1

    @classmethod
    def of_problem(cls, problem: Problem) -> Demands:
        """What one problem demands."""
        constraints = problem.number_of_constraints > 0
        return cls(f"problem {problem.id!r}", constraints, problem.number_of_objectives)

    @classmethod
    def of_suite(cls, first: ProblemId) -> Demands:
        """What the suite demands whose problem this is.

        firsthit's own suites tell; of others, this one problem is made, and stands for all. Where
        making it fails, its run says so.
        """
        suite = definition(first.suite)
        constraints, objectives = suite.constrained, suite.objectives
        if not suite.is_built_in:
            with suppress(Exception):
                problem = suite.problem(first.function, first.dimension, first.instance)
                constraints = constraints or problem.number_of_constraints > 0
                objectives = max(objectives, problem.number_of_objectives)
        return cls(f"suite {first.suite!r}", constraints, objectives)


def check_problems(ref: OptimizerRef, problems: Iterable[Problem | ProblemId]) -> None:
    """Raise where a built-in optimizer would ignore what a problem or a suite has.

    Args:
        ref: Which optimizer, with which parameters.
        problems: What it is to be run on; of problems that are named, the first of each suite
            stands for all.

    Raises:
        OptimizerError: It takes one objective and there are two, or the reverse; or it does not
            know constraints, there are some, and no ``penalty`` is given; or that is not a number
            > 0.
    """
    built_in = BUILT_IN.get(ref.use) if isinstance(ref.use, str) else None
    if built_in is None or (built_in.knows.constraints and len(built_in.knows.objectives) == 2):
        return
    seen: set[str] = set()
    for problem in problems:
        if isinstance(problem, Problem):
            _check(ref, built_in.knows, Demands.of_problem(problem))
        elif problem.suite not in seen:
            seen.add(problem.suite)
            _check(ref, built_in.knows, Demands.of_suite(problem))


def _check(ref: OptimizerRef, knows: Knows, demands: Demands) -> None:
    if demands.objectives not in knows.objectives:
        takes, has = _IN_WORDS[knows.objectives[0]], _IN_WORDS[demands.objectives]
        others = _OF_TWO if demands.objectives == 2 else _OF_ONE
        raise OptimizerError(
            f"optimizer {ref.name!r} takes {takes}, {demands.where} has {has}; use one that takes "
            f"{has}, such as {others} ('firsthit optimizers' lists all), or one of your own"
        )
    if knows.constraints or not demands.constraints:
        return
    penalty = ref.parameters.get(PARAMETER)
    if penalty is None:
        raise OptimizerError(
            f"optimizer {ref.name!r} does not know constraints, {demands.where} has them; use one "
            f"that does, such as {_EXAMPLES} ('firsthit optimizers' lists all), or give its "
            "parameter 'penalty', a weight such as 100, to optimize the penalized objective"
        )
    if isinstance(penalty, bool | str) or not 0 < penalty < math.inf:
        raise OptimizerError(
            f"optimizer {ref.name!r}: penalty must be a number > 0; got {penalty!r}", PARAMETER
        )
