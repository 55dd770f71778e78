"""Test problems, their instances and reference values; independent of budgets and log files.

A problem is a compiled kernel (``compiled``) or a Python function (``problem_from``). A function of
``transforms`` wraps a problem into another one. A suite is a collection of problems with a name.

To add a suite, copy the folder ``bbob``: decorate a function
``(function, dimension, instance) -> Problem`` with ``register_suite``, and test the suite with
``check_suite``. Subpackages are imported automatically. Users register suites in their own code in
the same way.
"""

import importlib as _importlib
import pkgutil as _pkgutil

from .affine import affine_mixture
from .check import check_suite
from .custom import problem_from
from .errors import FirsthitError
from .problem import Problem
from .suite import Suite, register_suite, suite_names
from .transforms import with_threads

__all__ = [
    "FirsthitError",
    "Problem",
    "Suite",
    "affine_mixture",
    "check_suite",
    "problem_from",
    "register_suite",
    "suite_names",
    "with_threads",
]

# A subpackage registers its suites when it is imported; `compiled` registers none.
for _module in _pkgutil.iter_modules(__path__):
    if _module.ispkg:
        _importlib.import_module(f"{__name__}.{_module.name}")
