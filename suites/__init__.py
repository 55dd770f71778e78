"""What is optimized: problems, their instances, reference values. Knows no budgets and no files.

A problem is a compiled kernel (``compiled``) or a Python function (``problem_from``); a function of
``transforms`` turns a problem into another. To add a suite, copy the folder ``bbob``: decorate a
maker ``(function, dimension, instance) -> Problem`` with ``register_suite``, and test it with
``check_suite``; folders here are found, not listed. Users do the same in their own code.
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

for _module in _pkgutil.iter_modules(__path__):
    if _module.ispkg:  # each folder but `compiled` registers suites
        _importlib.import_module(f"{__name__}.{_module.name}")
