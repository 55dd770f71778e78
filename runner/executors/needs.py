"""What the worker processes of a campaign need, to be had once for all before they are forked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module

from ...suites import ProblemId, problem_of, suite_names
from ..campaign.campaign import RunSpec
from .workplace import is_ours

_NUMBA, _SCIPY = "numba", "scipy.optimize"


@dataclass(frozen=True, slots=True)
class Needs:
    """What many workers need and what takes long to load.

    Attributes:
        modules: To be imported.
        problems: Suite, function, dimension and instance of one problem of each suite, one with the
            fewest variables; making it loads what all problems of the suite need.
    """

    modules: tuple[str, ...] = ()
    problems: tuple[tuple[str, int, int, int], ...] = ()

    def load(self) -> None:
        """Load it in this process; what is not to be had is passed over, for the runs to say so."""
        for module in self.modules:
            with suppress(Exception):
                import_module(module)
        for problem in self.problems:
            with suppress(Exception):
                problem_of(*problem)


NOTHING = Needs()


def needs_of(plan: Sequence[RunSpec]) -> Needs:
    """What the workers need for a plan, as far as it can be told without importing anything."""
    optimizers = {id(run.optimizer): run.optimizer for run in plan}.values()
    problems = {id(run.problem): run.problem for run in plan}.values()
    named = [one for one in problems if isinstance(one, ProblemId)]
    smallest = {one.suite: one for one in sorted(named, key=lambda one: -one.dimension)}
    ours = [smallest[name] for name in suite_names() if name in smallest and is_ours(name)]
    modules = {_NUMBA} & sys.modules.keys()
    if _SCIPY in sys.modules or any(str(ref.use).startswith("scipy:") for ref in optimizers):
        modules.add(_SCIPY)
    return Needs(
        tuple(sorted(modules)),
        tuple((one.suite, one.function, one.dimension, one.instance) for one in ours),
    )
