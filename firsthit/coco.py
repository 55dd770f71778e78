"""COCO's own loop: a script written for ``cocoex`` runs when its import line is changed.

::

    from firsthit import coco as cocoex  # was: import cocoex

    suite = cocoex.Suite("bbob", "", "dimensions: 2,5")
    observer = cocoex.Observer("bbob", "result_folder: my-algorithm")
    for problem in suite:
        problem.observe_with(observer)
        while problem.evaluations < 100 * problem.dimension and not problem.final_target_hit:
            scipy.optimize.fmin(problem, problem.initial_solution_proposal(), disp=False)

For new scripts `firsthit.Observer` and `firsthit.benchmark` do more with fewer lines.
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import loggers, suites
from .loggers import ObservedProblem, RunIdentity
from .loggers.errors import ObservationError
from .suites.errors import SelectionError, UnknownNameError

_OPTIONS = ("result_folder", "algorithm_name", "algorithm_info")
_OPTION = re.compile(r'(\w+)\s*:\s*(?:"([^"]*)"|(\S+))\s*')


class Suite:
    """Problems of a suite, each of which may be observed while the loop is at it.

    Args:
        suite_name: ``"bbob"``, or another that ``firsthit suites`` lists.
        suite_instance: COCO's filter, such as ``"instances: 1-5"``.
        suite_options: Likewise, such as ``"dimensions: 2,5 function_indices: 1-3"``.

    Raises:
        UnknownNameError: No suite has this name.
        SelectionError: A filter selects what the suite does not have.
    """

    def __init__(self, suite_name: str, suite_instance: str = "", suite_options: str = "") -> None:
        self._suite = suites.Suite(suite_name, suite_instance, suite_options)

    def __len__(self) -> int:
        return len(self._suite)

    def __iter__(self) -> Iterator[Problem]:
        for index, problem in enumerate(self._suite):
            observable = Problem(problem, index)
            yield observable
            observable.free()


class Observer:
    """Logs the runs of one algorithm into ``exdata/RESULT_FOLDER.h5``.

    Where that file exists, a number is appended to the name. The log is closed when the program
    ends, or by ``close``; `firsthit.load` reads it also before.

    Args:
        observer_name: As for ``cocoex``; which indicator is logged is the suite's to say.
        observer_options: ``"result_folder: NAME algorithm_name: NAME algorithm_info: TEXT"``.

    Attributes:
        result_folder: The path of the log.

    Raises:
        UnknownNameError: An option is none of these three.
        SelectionError: The options are no list of ``name: value``.
    """

    def __init__(self, observer_name: str, observer_options: str = "") -> None:
        given = _options(observer_options)
        name = given.get("result_folder", observer_name)
        self.result_folder = str(_unused(Path("exdata") / name))
        algorithm = given.get("algorithm_name", Path(name).name)
        info = given.get("algorithm_info")
        self.logs = loggers.Observer(
            self.result_folder, algorithm, {"algorithm_info": info} if info else None
        )
        atexit.register(self.close)

    def close(self) -> None:
        """Make the one log file; runs still open end here."""
        atexit.unregister(self.close)
        self.logs.close()


class Problem:
    """One problem of a `Suite`: what an observed problem offers, whether it is observed or not.

    Attributes:
        index: Counts the problems of the loop from 0; ``cocoex`` counts those left out, too.
    """

    def __init__(self, problem: suites.Problem, index: int) -> None:
        self._problem = problem
        self._loop: Iterator[ObservedProblem] = iter(())
        self._run = ObservedProblem(
            problem,
            RunIdentity("unobserved", problem.problem_id, 0),
            loggers.StopConditions(final_target=False),
        )
        self.index = index

    def observe_with(self, observer: Observer) -> Problem:
        """Log all evaluations from now on as a run of the observer's algorithm.

        Raises:
            ObservationError: The problem was evaluated before.
        """
        if self._run.evaluations:
            raise ObservationError(
                f"{self._problem.id} was evaluated {self._run.evaluations} times before "
                "observe_with; observe a problem before its first evaluation"
            )
        self._loop = observer.logs([self._problem])
        self._run = next(self._loop)
        return self

    def free(self) -> None:
        """End the run, and log it where the problem is observed."""
        next(self._loop, None)

    def __call__(self, x: Any) -> Any:
        """The value of one point, or of each row of a batch."""
        return self._run(x)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)


def _options(text: str) -> dict[str, str]:
    found = {name: quoted or plain for name, quoted, plain in _OPTION.findall(text)}
    if _OPTION.sub("", text).strip():
        raise SelectionError(f"observer options {text!r} must read 'name: value name: value'")
    for name in found:
        if name not in _OPTIONS:
            raise UnknownNameError.of("observer option", name, _OPTIONS)
    return found


def _unused(path: Path) -> Path:
    """``path.h5``, or the first of ``path-001.h5``, ``path-002.h5``, … that is not there."""
    candidate, number = Path(f"{path}.h5"), 0
    while candidate.exists() or Path(f"{candidate}.parts").exists():
        number += 1
        candidate = Path(f"{path}-{number:03d}.h5")
    return candidate
