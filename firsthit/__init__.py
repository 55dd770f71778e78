"""The front door of firsthit: benchmark black-box optimizers.

A suite provides problems, an observer logs the first evaluation at which each target is hit, an
assessment computes runtimes from the logs::

    import firsthit, scipy.optimize

    with firsthit.Observer("nm.h5", algorithm="nelder-mead") as observer:
        for problem in observer(firsthit.Suite("bbob", dimensions=[2, 5])):
            scipy.optimize.fmin(problem, problem.initial_solution, disp=False)
    print(firsthit.load("nm.h5").art(targets=[1e1, 1e-8]))

Names are imported when they are first used, so that the command line answers at once.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .assessment import load
    from .experiment import benchmark
    from .loggers import BudgetExhausted, FinalTargetHit, Observer
    from .suites import FirsthitError, Suite, check_suite, problem_from, register_suite

__version__ = "0.1.0"

# Installed, the parts are inside this package. In a checkout, whose root Python puts first on its
# path when started there, they are this folder's siblings: find them there, too.
_root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if os.path.isfile(os.path.join(_root, "pyproject.toml")):
    __path__.append(_root)

_HOME = {
    "Suite": ".suites",
    "register_suite": ".suites",
    "problem_from": ".suites",
    "check_suite": ".suites",
    "FirsthitError": ".suites",
    "Observer": ".loggers",
    "BudgetExhausted": ".loggers",
    "FinalTargetHit": ".loggers",
    "benchmark": ".experiment",
    "load": ".assessment",
}

__all__ = [
    "BudgetExhausted",
    "FinalTargetHit",
    "FirsthitError",
    "Observer",
    "Suite",
    "benchmark",
    "check_suite",
    "load",
    "problem_from",
    "register_suite",
]


_PARTS = ("suites", "loggers", "runner", "assessment")


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module 'firsthit' has no attribute {name!r}")
    return getattr(import_module(_HOME[name], __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
