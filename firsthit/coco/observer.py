"""Provide ``cocoex.Observer``, which logs the runs of an algorithm and writes them as COCO's data.

A problem calls `Observer.begin` when it is observed, `Observer.identity` when its run begins, and
`Observer.log` when the run ends. Observers that are open when the program ends are freed then.
"""

from __future__ import annotations

import atexit
import math
import os
import re
import sys
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from ..loggers.errors import ObservationError
from ..loggers.formats.coco.writer import CocoFolder, is_coco_indicator
from ..loggers.hdf5.writer import LogWriter
from ..loggers.records.identity import RunIdentity
from ..loggers.records.log_header import LogHeader
from ..loggers.records.run_record import ARCHIVES_KEPT, ArchiveKept, RunRecord, check_one_of
from ..suites import suite_names
from ..suites.errors import SelectionError, UnknownNameError
from ..suites.facts import ProblemId

_OPTIONS = (
    "result_folder", "outer_folder", "algorithm_name", "algorithm_info", "settings",
    "log_nondominated",
)  # fmt: skip
_REFUSED_OPTIONS = {
    "number_target_triggers": "hits of 20 targets a decade are logged",
    "target_precision": "hits are logged down to 1e-8",
    "number_evaluation_triggers": "the best so far is logged at 20 counts a decade",
    "base_evaluation_triggers": "the best so far is logged at 1, 2 and 5 times D, 10 D, 100 D, …",
    "precision_x": "the log has the best solution in full",
    "precision_f": "the log has precisions in full",
    "precision_g": "the log has precisions in full",
    "log_decision_variables": "the log has the best solution in full",
    "log_only_better": "improvements are logged, and no other evaluation",
    "compute_indicators": "the hypervolume is always computed",
    "produce_all_data": "all data are always produced",
}
"""Options of ``cocoex`` that firsthit refuses, and the reason for each.

The reason states what firsthit logs instead.
"""
_OPTION = re.compile(r'(\w+)\s*:\s*(?:"([^"]*)"|(\S+))\s*')
"""One option: its name, and its value with or without double quotes."""
_NAMES_WITHOUT_LOG = ("", "no_observer")
"""Names of observers that log nothing."""
_REFUSED_NAMES = {
    "bbob-old": "an old form of COCO's data",
    "rw": "text files for COCO's real-world suites",
    "toy": "text files for COCO's suite 'toy'",
}
"""Observers of ``cocoex`` that firsthit refuses, and the files that each writes."""
_LEVELS = ("error", "warning", "info", "debug")
"""Levels of messages; each level includes the messages of the levels before it."""

_level = ["info"]  # the current level; a list, so that `log_level` can replace its element
_default_observers = {
    "bbob": "bbob", "bbob-biobj": "bbob-biobj", "bbob-biobj-ext": "bbob-biobj",
    "bbob-constrained": "bbob", "bbob-largescale": "bbob", "bbob-mixint": "bbob",
    "bbob-biobj-mixint": "bbob-biobj",
}  # fmt: skip


class Observable(Protocol):
    """The methods of a problem that an observer calls."""

    def observe_with(self, observer: Observer | None) -> Any:
        """Log the evaluations with an observer."""

    def end(self, error: BaseException | None) -> None:
        """End the run; ``error`` is the exception that ended it, or None."""

    def restart(self) -> None:
        """Log a restart of the algorithm."""


class Observer:
    """Log the runs of one algorithm on one suite, and write them as COCO's data.

    The folder ``exdata/RESULT_FOLDER`` contains COCO's data for ``cocopp``, which are complete
    after each problem, and the log ``RESULT_FOLDER.h5``, which `firsthit.load` can read at any
    time. ``free`` closes the log, and otherwise it is closed at the end of the program. If the
    folder exists, a number is appended to the name of the new folder.

    Args:
        name: The name of an observer of ``cocoex``, usually the name of the suite. The indicator
            does not depend on it, but on the suite. ``""`` and ``"no_observer"``: nothing is
            logged.
        options: The options as text, ``"result_folder: NAME algorithm_name: NAME algorithm_info:
            TEXT"``, or as a mapping. A text with blanks is enclosed in double quotes. Further
            options are ``outer_folder`` (default: ``exdata``), ``settings``, and
            ``log_nondominated``: ``all`` points of the archive, the ``final`` points or ``none``.

    Attributes:
        name: The argument ``name``.
        options: The options as text.
        result_folder: The path of the folder; ``""`` if nothing is logged.
        state: ``"initialized"``, or ``"deleted"`` after ``free``.
        archive: The points of the archive that are logged.

    Raises:
        UnknownNameError: The observer or an option does not exist, or firsthit refuses it.
        SelectionError: The text of the options does not consist of ``name: value`` pairs.
        LogWriteError: The folder cannot be written.

    Example:
        >>> from firsthit import coco as cocoex
        >>> suite = cocoex.Suite("bbob", "instances: 1", "dimensions: 2 function_indices: 1")
        >>> observer = cocoex.Observer("bbob", "result_folder: one-point algorithm_name: one-point")
        >>> for problem in suite:
        ...     _ = problem.observe_with(observer)
        ...     value = problem(problem.initial_solution)
        >>> observer.free()
        >>> observer.result_folder.endswith("one-point"), observer.state
        (True, 'deleted')
    """

    def __init__(self, name: str, options: str | Mapping[str, object] = "") -> None:
        self.name = name
        self.options = options if isinstance(options, str) else options_text(options)
        self.result_folder = ""
        self.state = "initialized"
        self._problems: weakref.WeakSet[Observable] = weakref.WeakSet()
        self._runs: Counter[ProblemId] = Counter()
        self._suite = ""
        values = _parse_options(self.options)
        observer_names = (*suite_names(), *_NAMES_WITHOUT_LOG)
        if name in _REFUSED_NAMES:
            raise UnknownNameError(
                f"the observer {name!r} has no meaning here, because it writes "
                f"{_REFUSED_NAMES[name]}; give the name of the suite, such as 'bbob'"
            )
        if name not in observer_names:
            raise UnknownNameError.of("observer", name, observer_names)
        archive = values.get("log_nondominated", "all")
        check_one_of(archive, ARCHIVES_KEPT, "observer option log_nondominated")
        self.archive: ArchiveKept = archive  # type: ignore[assignment]
        folder = values.get("result_folder", "default")
        self._algorithm = values.get("algorithm_name", Path(folder).name)
        self._writer: LogWriter | None = None
        if name not in _NAMES_WITHOUT_LOG:
            self._create_log(Path(values.get("outer_folder", "exdata")) / folder, values)

    def _create_log(self, folder: Path, options: Mapping[str, str]) -> None:
        """Create the folder with the log and COCO's data, and print its name at level info."""
        parameters = {key: options[key] for key in ("algorithm_info", "settings") if key in options}
        header = LogHeader({self._algorithm: {"parameters": parameters}})
        folder = _make_folder(folder)
        # The log is inside the folder, because `cocopp exdata/*` reads each path in exdata as data.
        self._writer = LogWriter(folder / f"{folder.name}.h5", header)
        self._data = CocoFolder(
            folder, self._algorithm, options.get("algorithm_info", ""), options.get("settings")
        )
        self.result_folder = str(folder)
        _open_observers.add(self)
        # At the end of the program, Python calls the functions of atexit in reverse order. This one
        # must be called before the function of the new writer, which closes the log without merging
        # its files. Therefore it is registered again after the writer.
        atexit.unregister(_free_open_observers)
        atexit.register(_free_open_observers)
        if _LEVELS.index(_level[0]) >= _LEVELS.index("info"):
            print(f"firsthit: results go to {self.result_folder}", file=sys.stderr)

    def observe(self, problem: Observable) -> Observer:
        """Begin to observe a problem, by its method ``observe_with``; return this observer."""
        problem.observe_with(self)
        return self

    def signal_restart(self, problem: Observable) -> None:
        """Log a restart of the algorithm on a problem."""
        problem.restart()

    @property
    def is_open(self) -> bool:
        """Whether runs are logged. False after ``free``, and in a forked process."""
        return self._writer is not None and self._writer.is_open

    def begin(self, problem: Observable, suite: str) -> None:
        """Register a problem. The method ``observe_with`` of the problem calls this method.

        When the observer is freed, it ends the runs of all registered problems.

        Args:
            problem: The problem.
            suite: The name of its suite.

        Raises:
            ObservationError: The observer was freed, or observes problems of another suite.
        """
        if self._writer is not None and not self._writer.is_open:
            raise ObservationError(
                f"the observer of {self.result_folder!r} was freed; make another one"
            )
        if self._suite not in ("", suite):
            raise ObservationError(
                f"the observer of {self.result_folder!r} observes suite {self._suite!r}; make "
                f"another one for suite {suite!r}, as COCO's data hold one suite a folder"
            )
        self._suite = suite
        self._problems.add(problem)

    def identity(self, problem: ProblemId) -> RunIdentity:
        """Return the identity of the next run on a problem."""
        return RunIdentity(self._algorithm, problem, self._runs[problem])

    def log(self, record: RunRecord) -> None:
        """Append a finished run to the log and to COCO's data.

        Runs on the same problem are numbered in the order of their ends. If another run on the
        problem was logged after this run began, the identity of the record is replaced.

        Args:
            record: The finished run.
        """
        identity = self.identity(record.identity.problem)
        self._runs[identity.problem] += 1
        if self._writer is None:
            return
        if record.identity != identity:
            record = replace(record, identity=identity)
        self._writer.add(record)
        indicator = record.suite.measurement.indicator
        has_two_objectives = len(record.objectives) > 0
        is_written = is_coco_indicator(record.suite.name, indicator, has_two_objectives)
        if is_written and not math.isnan(record.reference_value):
            self._data.add(record)

    def free(self) -> None:
        """End the runs that are not finished, and merge the log into one file."""
        self.free_after(None)

    def free_after(self, error: BaseException | None) -> None:
        """End the runs that are not finished, and merge the log into one file.

        Args:
            error: The exception that ended these runs. None: they ended regularly.
        """
        if not self.is_open:
            return
        for problem in list(self._problems):
            problem.end(error)
        self.state = "deleted"
        self._data.close()
        assert self._writer is not None
        self._writer.close()

    def __del__(self) -> None:
        # Scripts often create one observer after the other in a loop, without a call of `free`.
        if hasattr(self, "_writer"):
            self.free()


_open_observers: weakref.WeakSet[Observer] = weakref.WeakSet()


def _free_open_observers() -> None:
    """Free all open observers, with the exception that ended the program, if there is one."""
    # In an interactive session, an exception does not end the program, so that `sys.last_value` may
    # be an old one.
    is_interactive = hasattr(sys, "ps1")
    error = None if is_interactive else getattr(sys, "last_value", None)
    for observer in list(_open_observers):
        observer.free_after(error)


def default_observers(
    update: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
) -> dict[str, str]:
    """Return the name of the default observer of each suite.

    Args:
        update: Default observers by suite, which are added to the current ones, or replace them,
            until the end of the program. None: no change.

    Example:
        >>> from firsthit import coco as cocoex
        >>> cocoex.default_observers()["bbob-largescale"]
        'bbob'
    """
    _default_observers.update(update or {})
    return dict(_default_observers)


def log_level(level: str | None = None) -> str:
    """Return the level of messages, and set another level.

    At the levels ``info`` and ``debug``, each new observer prints the path of its folder to stderr.

    Args:
        level: ``error``, ``warning``, ``info`` or ``debug``. None or ``""``: no change.

    Returns:
        The level before the call.

    Raises:
        UnknownNameError: The level does not exist.

    Example:
        >>> from firsthit import coco as cocoex
        >>> previous_level = cocoex.log_level("debug")
        >>> cocoex.log_level(previous_level)
        'debug'
    """
    previous_level = _level[0]
    if level:
        if level not in _LEVELS:
            raise UnknownNameError.of("log level", level, _LEVELS)
        _level[0] = level
    return previous_level


def options_text(options: Mapping[str, object]) -> str:
    """Return options as the text that `Observer` accepts. Values with blanks get double quotes."""
    texts = {name: str(value) for name, value in options.items()}
    return "  ".join(
        f'{name}: "{text}"' if re.search(r"\s", text) and not text.startswith('"') else
        f"{name}: {text}"
        for name, text in texts.items()
    )  # fmt: skip


def _parse_options(text: str) -> dict[str, str]:
    """Parse the text of options, and return the values by name.

    Raises:
        SelectionError: The text does not consist of ``name: value`` pairs.
        UnknownNameError: An option does not exist, or firsthit refuses it.
    """
    options = {name: quoted or plain for name, quoted, plain in _OPTION.findall(text)}
    if _OPTION.sub("", text).strip():
        raise SelectionError(
            f"observer options {text!r} must read 'name: value name: value', "
            "with values in double quotes where they hold blanks"
        )
    for name in options:
        if name in _REFUSED_OPTIONS:
            raise UnknownNameError(
                f"the observer option {name!r} has no meaning here, leave it out: "
                f"{_REFUSED_OPTIONS[name]}"
            )
        if name not in _OPTIONS:
            raise UnknownNameError.of("observer option", name, _OPTIONS)
    return options


def _make_folder(folder: Path) -> Path:
    """Create a new folder and return its path.

    If ``folder`` exists, the first of ``folder-0001``, ``folder-0002``, … that does not exist is
    created instead. Two processes that start at the same time get different folders, because
    creating a folder fails if the other process has just created it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    candidate, number = folder, 0
    while True:
        try:
            os.mkdir(candidate)
        except FileExistsError:
            number += 1
            candidate = folder.with_name(f"{folder.name}-{number:04d}")
        else:
            return candidate
