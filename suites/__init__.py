"""What is optimized: problems, their instances, reference values. Knows no budgets and no files.

A problem is a compiled kernel (``compiled``) or a Python function (``problem_from``); a function of
``transforms`` turns a problem into another. To add a suite, copy the folder ``bbob``: decorate a
maker ``(function, dimension, instance) -> Problem`` with ``register_suite``, import the folder
below, and test it with ``check_suite``. Users do the same in their own code.
"""

from . import affine as _affine
from . import bbob as _bbob
from . import biobj as _biobj
from . import boxed as _boxed
from . import constrained as _constrained
from . import largescale as _largescale
from . import mixint as _mixint
from . import noisy as _noisy
from . import pbo as _pbo
from .affine import affine_mixture
from .check import check_suite
from .custom import problem_from
from .errors import FirsthitError
from .problem import Problem
from .suite import Suite, register_suite, suite_names
from .transforms import with_threads

del _affine, _bbob, _biobj, _boxed, _constrained, _largescale, _mixint, _noisy, _pbo

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
