"""Whether optimizers know what suites have: constraints, two objectives. Asked before any run.

Only built-in optimizers are refused; what a user's own makes of its problem, nobody knows. Integer
variables are no reason to refuse: problems round what they are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from operator import attrgetter

from ...suites import Problem, ProblemId, definition, problem_of
from ..errors import OptimizerError
from .adapters.built_in import Knows
from .adapters.penalized import PARAMETER
from .registry import BUILT_IN
from .resolve import OptimizerRef

_IN_WORDS = {1: "one objective", 2: "two objectives"}
_OF_ONE = "scipy:Nelder-Mead, cma:CMA-ES or random-search"
_OF_TWO = "pymoo:NSGA2, comocma:COMO-CMA-ES, optuna:TPE or random-search"
_EXAMPLES = "scipy:COBYQA, scipy:SLSQP, cma:CMA-ES, optuna:TPE or pymoo:GA"


def samples(
    problems: Iterable[Problem | ProblemId],
    of: Callable[[ProblemId], object] = attrgetter("suite"),
) -> Iterator[Problem | ProblemId]:
    """The problems that stand for all: each that is given, the first of each suite that is named.

    Args:
        problems: Given or named, in any order.
        of: What of a name tells it from those that it stands for.
    """
    seen: set[object] = set()
    for one in problems:
        key = one if isinstance(one, Problem) else of(one)
        if key not in seen:
            seen.add(key)
            yield one


def made(problem: Problem | ProblemId) -> Problem | None:
    """The problem that is given or named; None where making it fails, which its run says."""
    if isinstance(problem, Problem):
        return problem
    with suppress(Exception):
        return problem_of(problem.suite, problem.function, problem.dimension, problem.instance)
    return None


def is_of_firsthit(problem: Problem | ProblemId) -> bool:
    """Whether a problem is named, and of a suite of firsthit's own."""
    return isinstance(problem, ProblemId) and definition(problem.suite).is_built_in


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
    for one in samples(problems):
        _check(ref, built_in.knows, one)


def _demands(one: Problem | ProblemId) -> tuple[bool, int]:
    """Whether there are constraints, and how many objectives: as the suite or one problem tells."""
    constrained, objectives = False, 1
    if isinstance(one, ProblemId):
        suite = definition(one.suite)
        constrained, objectives = suite.constrained, suite.objectives
    problem = None if is_of_firsthit(one) else made(one)
    if problem is None:
        return constrained, objectives
    return (
        constrained or problem.number_of_constraints > 0,
        max(objectives, problem.number_of_objectives),
    )


def _check(ref: OptimizerRef, knows: Knows, one: Problem | ProblemId) -> None:
    constrained, objectives = _demands(one)
    where = f"problem {one.id!r}" if isinstance(one, Problem) else f"suite {one.suite!r}"
    if objectives not in knows.objectives:
        takes, has = _IN_WORDS[knows.objectives[0]], _IN_WORDS[objectives]
        others = _OF_TWO if objectives == 2 else _OF_ONE
        raise OptimizerError(
            f"optimizer {ref.name!r} takes {takes}, {where} has {has}; use one that takes "
            f"{has}, such as {others} ('firsthit optimizers' lists all), or one of your own"
        )
    if knows.constraints or not constrained:
        return
    penalty = ref.parameters.get(PARAMETER)
    if penalty is None:
        raise OptimizerError(
            f"optimizer {ref.name!r} does not know constraints, {where} has them; use one "
            f"that does, such as {_EXAMPLES} ('firsthit optimizers' lists all), or give its "
            "parameter 'penalty', a weight such as 100, to optimize the penalized objective"
        )
    if isinstance(penalty, bool | str) or not 0 < penalty < math.inf:
        raise OptimizerError(
            f"optimizer {ref.name!r}: penalty must be a number > 0; got {penalty!r}", PARAMETER
        )
