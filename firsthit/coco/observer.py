"""``cocoex.Observer``: logs the runs of an algorithm, and writes them as COCO's data at once."""

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
_FIXED = {
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
"""What can be chosen with ``cocoex`` and not here, and what is done instead."""
_OPTION = re.compile(r'(\w+)\s*:\s*(?:"([^"]*)"|(\S+))\s*')
_NOTHING = ("", "no_observer")
_LEVELS = ("error", "warning", "info", "debug")

_level = ["info"]
_observers = {
    "bbob": "bbob", "bbob-biobj": "bbob-biobj", "bbob-biobj-ext": "bbob-biobj",
    "bbob-constrained": "bbob", "bbob-largescale": "bbob", "bbob-mixint": "bbob",
    "bbob-biobj-mixint": "bbob-biobj",
}  # fmt: skip


class Observable(Protocol):
    """What an observer knows of a problem."""

    def observe_with(self, observer: Observer | None) -> Any:
        """Be logged by an observer."""

    def end(self, error: BaseException | None) -> None:
        """End the run, which an exception ended where one is given."""

    def restart(self) -> None:
        """Log that the algorithm starts anew."""


class Observer:
    """Logs the runs of one algorithm on one suite, and writes them as COCO's data.

    ``exdata/RESULT_FOLDER`` holds COCO's data, whole after each problem, for ``cocopp``, and the
    log ``RESULT_FOLDER.h5``, which `firsthit.load` reads at any time and which is closed when the
    program ends, or by ``free``. Where the folder exists, a number is appended to its name.

    Args:
        name: As for ``cocoex``, mostly the suite's name; which indicator is logged is the suite's
            to say. ``""`` and ``"no_observer"`` log nothing.
        options: ``"result_folder: NAME algorithm_name: NAME algorithm_info: TEXT"``, text in
            quotes where it holds blanks; also ``outer_folder`` (instead of ``exdata``),
            ``settings``, and ``log_nondominated``: ``all``, ``final`` or ``none`` of the archive.
            Or a mapping of these.

    Attributes:
        name: As given.
        options: As given, as text.
        result_folder: The folder; ``""`` where nothing is logged.

    Raises:
        UnknownNameError: There is no such observer or option.
        SelectionError: The options are no list of ``name: value``.
        LogWriteError: The folder cannot be written.
    """

    def __init__(self, name: str, options: str | Mapping[str, object] = "") -> None:
        self.name = name
        self.options = options if isinstance(options, str) else options_text(options)
        self.result_folder = ""
        self.state = "initialized"
        self._problems: weakref.WeakSet[Observable] = weakref.WeakSet()
        self._runs: Counter[ProblemId] = Counter()
        self._suite = ""
        given = _parsed(self.options)
        known = (*suite_names(), *_NOTHING)
        if name not in known:
            raise UnknownNameError.of("observer", name, known)
        archive = given.get("log_nondominated", "all")
        check_one_of(archive, ARCHIVES_KEPT, "observer option log_nondominated")
        self.archive: ArchiveKept = archive  # type: ignore[assignment]
        folder = given.get("result_folder", "default")
        self._algorithm = given.get("algorithm_name", Path(folder).name)
        self._writer: LogWriter | None = None
        if name not in _NOTHING:
            self._open(Path(given.get("outer_folder", "exdata")) / folder, given)

    def _open(self, folder: Path, given: Mapping[str, str]) -> None:
        parameters = {key: given[key] for key in ("algorithm_info", "settings") if key in given}
        header = LogHeader({self._algorithm: {"parameters": parameters}})
        folder = _make_folder(folder)
        # inside the folder: `cocopp exdata/*` takes everything that lies beside it for data
        self._writer = LogWriter(folder / f"{folder.name}.h5", header)
        self._data = CocoFolder(
            folder, self._algorithm, given.get("algorithm_info", ""), given.get("settings")
        )
        self.result_folder = str(folder)
        _open.add(self)
        atexit.unregister(_free_open)  # it must run before the writer's own end, which leaves parts
        atexit.register(_free_open)
        if _LEVELS.index(_level[0]) >= _LEVELS.index("info"):
            print(f"firsthit: results go to {self.result_folder}", file=sys.stderr)

    def observe(self, problem: Observable) -> Observer:
        """The same as ``problem.observe_with(self)``."""
        problem.observe_with(self)
        return self

    def signal_restart(self, problem: Observable) -> None:
        """Log that the algorithm starts anew on a problem."""
        problem.restart()

    @property
    def is_open(self) -> bool:
        """Whether runs are logged: not freed, and in the process that made it."""
        return self._writer is not None and self._writer.is_open

    def begin(self, problem: Observable, suite: str) -> None:
        """Take a problem that is to be observed; called by its ``observe_with``.

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
        """The identity of the next run on a problem."""
        return RunIdentity(self._algorithm, problem, self._runs[problem])

    def log(self, record: RunRecord) -> None:
        """Log a finished run; called by the problem's ``free``."""
        identity = self.identity(record.identity.problem)
        self._runs[identity.problem] += 1
        if self._writer is None:
            return
        if record.identity != identity:
            record = replace(record, identity=identity)
        self._writer.add(record)
        indicator = record.suite.measurement.indicator
        if is_coco_indicator(record.suite.name, indicator) and not math.isnan(
            record.reference_value
        ):
            self._data.add(record)

    def free(self) -> None:
        """End the runs of problems that are still open, and make the one log file."""
        self.free_after(None)

    def free_after(self, error: BaseException | None) -> None:
        """As ``free``, where an exception ended the open runs."""
        if not self.is_open:
            return
        for problem in list(self._problems):
            problem.end(error)
        self.state = "deleted"
        self._data.close()
        assert self._writer is not None
        self._writer.close()

    def __del__(self) -> None:
        # a sweep of a parameter drops the observer of one value when it makes the next
        if hasattr(self, "_writer"):
            self.free()


_open: weakref.WeakSet[Observer] = weakref.WeakSet()


def _free_open() -> None:
    """End all at the end of the program; an exception that ended it ended the open runs, too."""
    is_interactive = hasattr(sys, "ps1")  # then the exception may be an old one
    error = None if is_interactive else getattr(sys, "last_value", None)
    for observer in list(_open):
        observer.free_after(error)


def default_observers(
    update: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
) -> dict[str, str]:
    """The name of the default observer of each suite, after an update where one is given."""
    _observers.update(update or {})
    return dict(_observers)


def log_level(level: str | None = None) -> str:
    """The level of messages: ``error``, ``warning``, ``info`` or ``debug``; and set another.

    From ``info`` on each new observer says where its results go.

    Returns:
        The level before.

    Raises:
        UnknownNameError: There is no such level.
    """
    before = _level[0]
    if level:
        if level not in _LEVELS:
            raise UnknownNameError.of("log level", level, _LEVELS)
        _level[0] = level
    return before


def options_text(options: Mapping[str, object]) -> str:
    """Options as ``Observer`` takes them: ``name: value``, values with blanks in quotes."""
    texts = {name: str(value) for name, value in options.items()}
    return "  ".join(
        f'{name}: "{text}"' if re.search(r"\s", text) and not text.startswith('"') else
        f"{name}: {text}"
        for name, text in texts.items()
    )  # fmt: skip


def _parsed(text: str) -> dict[str, str]:
    found = {name: quoted or plain for name, quoted, plain in _OPTION.findall(text)}
    if _OPTION.sub("", text).strip():
        raise SelectionError(
            f"observer options {text!r} must read 'name: value name: value', "
            "with values in double quotes where they hold blanks"
        )
    for name in found:
        if name in _FIXED:
            raise UnknownNameError(
                f"the observer option {name!r} has no meaning here, leave it out: {_FIXED[name]}"
            )
        if name not in _OPTIONS:
            raise UnknownNameError.of("observer option", name, _OPTIONS)
    return found


def _make_folder(folder: Path) -> Path:
    """Make ``folder``, or the first of ``folder-0001``, ``folder-0002``, … that is not there."""
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
