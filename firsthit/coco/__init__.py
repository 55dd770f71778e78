"""COCO's own loop: a script written for ``cocoex`` runs when its import lines are changed.

::

    from firsthit import coco as cocoex  # was: import cocoex

    suite = cocoex.Suite("bbob", "", "dimensions: 2,5")
    observer = cocoex.Observer("bbob", "result_folder: my-algorithm")
    for problem in suite:
        problem.observe_with(observer)
        while problem.evaluations < 100 * problem.dimension and not problem.final_target_hit:
            scipy.optimize.fmin(problem, problem.initial_solution_proposal(), disp=False)
    cocopp.main(observer.result_folder)

Likewise ``from cocoex.utilities import …`` becomes ``from firsthit.coco.utilities import …``.
Names and behaviour are ``cocoex``'s; for new scripts `firsthit.Observer` and `firsthit.benchmark`
do more with fewer lines.
"""

from . import exceptions, noiser, solvers, utilities
from .experiment import BatchScheduler, ExperimentRepeater
from .observer import Observer, default_observers, log_level
from .problem import BareProblem, Problem
from .suite import Suite, known_suite_names

known_suites = known_suite_names

__all__ = [
    "BareProblem", "BatchScheduler", "ExperimentRepeater", "Observer", "Problem", "Suite",
    "default_observers", "exceptions", "known_suite_names", "known_suites", "log_level", "noiser",
    "solvers", "utilities",
]  # fmt: skip
