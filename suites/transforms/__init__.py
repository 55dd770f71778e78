"""What wraps any problem: each function takes a problem and returns another around it.

A transform is plain Python; a suite with compiled kernels does the same at no cost by the input
transforms of ``suites.compiled.operators``. To add one, copy ``box.py``.
"""

from .box import hard_box
from .constraints import with_constraints
from .integers import on_integers
from .noise import with_noise
from .objectives import two_objectives
from .threads import with_threads

__all__ = [
    "hard_box",
    "on_integers",
    "two_objectives",
    "with_constraints",
    "with_noise",
    "with_threads",
]
