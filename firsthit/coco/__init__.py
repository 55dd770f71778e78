"""Run scripts that were written for ``cocoex``, after a change of their import lines.

::

    from firsthit import coco as cocoex  # was: import cocoex

    suite = cocoex.Suite("bbob", "", "dimensions: 2,5")
    observer = cocoex.Observer("bbob", "result_folder: my-algorithm")
    for problem in suite:
        problem.observe_with(observer)
        while problem.evaluations < 100 * problem.dimension and not problem.final_target_hit:
            scipy.optimize.fmin(problem, problem.initial_solution_proposal(), disp=False)
    cocopp.main(observer.result_folder)

The import ``from cocoex.utilities import …`` becomes ``from firsthit.coco.utilities import …``.
Names and behaviour are those of ``cocoex``. New scripts need fewer lines with `firsthit.Observer`
or `firsthit.benchmark`, which also have more functions.
"""

from . import exceptions, noiser, solvers, utilities
from .experiment import BatchScheduler, ExperimentRepeater
from .observer import Observer, default_observers, log_level
from .problem import BareProblem, Problem
from .suite import Suite, known_suite_names

known_suites = known_suite_names
"""Names of the suites of ``cocoex``; another name of the list `known_suite_names`.

Example:
    >>> from firsthit import coco as cocoex
    >>> cocoex.known_suites is cocoex.known_suite_names
    True
"""

__all__ = [
    "BareProblem", "BatchScheduler", "ExperimentRepeater", "Observer", "Problem", "Suite",
    "default_observers", "exceptions", "known_suite_names", "known_suites", "log_level", "noiser",
    "solvers", "utilities",
]  # fmt: skip
