"""The three-line loop: ``for problem in observer(suite)`` makes and logs a run for each."""

from __future__ import annotations

import os
import sys
import traceback
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, TracebackType
from typing import Any, Self

from ...suites import Problem, Suite
from ...suites.facts import ProblemId
from ..errors import ObservationError
from ..hdf5.files import log_place
from ..hdf5.writer import LogWriter
from ..indicators.registry import check_indicator_name
from ..records.identity import RunIdentity, check_name
from ..records.log_header import LogHeader
from ..records.run_record import (
    ARCHIVES_KEPT,
    CLOCKS,
    OBSERVED_RECORDS,
    ArchiveKept,
    Clock,
    Record,
    Status,
    check_one_of,
)
from .observed_problem import ObservedProblem
from .stops import StopConditions

_FREE = StopConditions(final_target=False)

_observers: weakref.WeakValueDictionary[Path, Observer] = weakref.WeakValueDictionary()
"""The last observer of each log."""


class Observer:
    """Observes one algorithm over suites, and logs a run for each problem.

    As a context manager it makes the one log file at the end; without, call ``close``. A run ends
    when the loop goes on; then it survives the process, and ``read_log`` sees it. It ends as
    ``terminated``, or ``target`` where the final target was hit; a problem that was never evaluated
    leaves no run. An exception that leaves the loop
    and the ``with`` block, or is being handled or ends the program when the observer is closed,
    ends its run as ``failed`` (``KeyboardInterrupt``: ``interrupted``), and passes on. A loop
    cannot tell ``break`` from an exception: a run left early is logged when the observer is used
    again or closed. An observer of this process that still writes the same log is closed first,
    with a note on stderr.

    Args:
        path: The log, ``NAME.h5``.
        algorithm: Its name in logs and figures.
        parameters: Those of the algorithm, for the log.
        record: ``"targets"`` keeps first hits of targets, ``"improvements"`` all improvements.
        resume: Continue a log that exists; runs that it holds are skipped.
        overwrite: Replace a log that exists: its runs are lost, once all arguments were found
            right.
        tuning: How much effort went into choosing the parameters: text, or a mapping with
            ``settings_tested``, ``budget_invested`` (evaluations) and whatever else you say.
        setup: With what runs are made: names such as ``hardware``, ``language``, ``compiler`` to
            text.
        indicator: Name of what targets apply to; by default that of each suite.
        archive: What is kept of the archive of two objectives: ``"all"`` points that entered it,
            the ``"final"`` ones, those that are left at the end, or ``"none"``.
        clock: ``"measured"`` records the wall second of its run at which each hit was made.

    Raises:
        LogExistsError: The log exists, and is neither to be continued nor to be replaced.
        LogFormatError: What is there is damaged, or no log.
        LogWriteError: It cannot be written, or another observer is at it.
        ObservationError: An argument cannot be logged.
        UnknownNameError: There is no such indicator.

    Example::

        with Observer("results/nm.h5", algorithm="nelder-mead") as observer:
            for problem in observer(Suite("bbob", dimensions=2)):
                scipy.optimize.fmin(problem, problem.initial_solution, disp=False)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        algorithm: str,
        parameters: Mapping[str, Any] | None = None,
        record: Record = "targets",
        resume: bool = False,
        overwrite: bool = False,
        tuning: Any = None,
        setup: Mapping[str, str | float] | None = None,
        indicator: str | None = None,
        archive: ArchiveKept = "all",
        clock: Clock = "none",
    ) -> None:
        self.algorithm = check_name(algorithm, "algorithm")
        check_one_of(record, OBSERVED_RECORDS, "record")
        check_one_of(archive, ARCHIVES_KEPT, "archive")
        check_one_of(clock, CLOCKS, "clock")
        if resume and overwrite:
            raise ObservationError(
                "an observer: resume=True continues the log, overwrite=True replaces it"
            )
        if indicator is not None:
            check_indicator_name(indicator)
        self._record = record
        self._indicator = indicator
        self._archive = archive
        self._clock = clock
        self._open: dict[int, ObservedProblem] = {}
        described = {self.algorithm: {"parameters": dict(parameters or {})}}
        header = LogHeader(described, tuning=tuning, setup=setup)
        place = log_place(path)
        _close_earlier(place)
        self._writer = LogWriter(path, header, resume, overwrite=overwrite)
        _observers[place] = self
        self._runs = _Runs(self.algorithm, self._writer)
        weakref.finalize(self, self._runs.log_left_at_end, os.getpid())

    def __call__(self, suite: Suite | str | Iterable[Problem]) -> Iterator[ObservedProblem]:
        """Yield each problem of a suite, observed; its run ends with the turn of the loop.

        A second loop over the same problems makes their next repetition.

        Args:
            suite: A suite, the name of one, or any problems.

        Raises:
            ObservationError: In the loop, before the first evaluation: the indicator does not fit
                the problem.
        """
        self._runs.log_left(None)
        problems = Suite(suite) if isinstance(suite, str) else suite
        return self._loop(iter(problems))

    @property
    def is_open(self) -> bool:
        """Whether runs are logged: not closed, and in the process that made it."""
        return self._writer.is_open

    def close(self) -> None:
        """End runs still open as ``terminated`` and make the one log file.

        Raises:
            LogWriteError: The file could not be written.
        """
        self._end_all(None)
        self._writer.close()

    def _loop(self, problems: Iterator[Problem]) -> Iterator[ObservedProblem]:
        loop = sys._getframe(1).f_code
        for index, problem in enumerate(problems):
            identity = self._runs.next_identity(problem)
            if identity.key in self._writer.finished_keys:
                continue
            run = ObservedProblem(
                problem,
                identity,
                _FREE,
                self._record,
                indicator=self._indicator,
                archive=self._archive,
                clock=self._clock,
            )
            run.index = index
            self._open[id(run)] = run
            try:
                yield run
            except GeneratorExit:
                if self._open.pop(id(run), None) is not None:
                    self._runs.left.append((run, loop))
                raise
            except BaseException as error:
                self._end(run, error)
                raise
            self._end(run, None)

    def _end(self, run: ObservedProblem, error: BaseException | None) -> None:
        """Log a run once: a run that was ended elsewhere is left alone."""
        if self._open.pop(id(run), None) is not None:
            self._runs.log(run, error)

    def _end_all(self, error: BaseException | None) -> None:
        if self._writer.was_forked:  # the runs are the parent's
            return
        self._runs.log_left(error)
        for run in list(self._open.values()):
            self._end(run, error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_all(error)
        self._writer.close()


class _Runs:
    """The runs of an observer's loops; what is left of them is logged when it is collected.

    ``left`` are the runs whose loop was left early, and the code of the loop.
    """

    def __init__(self, algorithm: str, writer: LogWriter) -> None:
        self.left: list[tuple[ObservedProblem, CodeType]] = []
        self._algorithm = algorithm
        self._writer = writer
        self._repetitions: Counter[ProblemId] = Counter()

    def next_identity(self, problem: Problem) -> RunIdentity:
        """The problem's next repetition."""
        if not isinstance(problem, Problem):
            raise ObservationError(
                f"an observer takes problems; got {type(problem).__name__}. "
                "Make one of a function with problem_from"
            )
        repetition = self._repetitions[problem.problem_id]
        self._repetitions[problem.problem_id] += 1
        return RunIdentity(self._algorithm, problem.problem_id, repetition)

    def log(self, run: ObservedProblem, error: BaseException | None) -> None:
        """End a run; one that never evaluated, and raised nothing, is no run."""
        status: Status = "target" if run.final_target_hit else "terminated"
        text = ""
        if error is not None:
            status = "failed" if isinstance(error, Exception) else "interrupted"
            text = f"{type(error).__name__}: {error}"
        record = run.finish(status, text)
        if error is not None or record.evaluations or record.evaluations_constraints:
            self._writer.add(record)
            return
        name, repetition = record.identity.problem, record.identity.repetition
        if self._repetitions[name] == repetition + 1:
            self._repetitions[name] = repetition

    def log_left(self, error: BaseException | None) -> None:
        """Log the runs whose loop was left early: failed where a known exception left it."""
        for run, loop in self.left:
            known = (error, sys.exception(), getattr(sys, "last_value", None))
            causes = (cause for cause in known if cause is not None and _passed(cause, loop))
            self.log(run, next(causes, None))
        self.left.clear()

    def log_left_at_end(self, process: int) -> None:
        """Log what a collected observer leaves, but not in a fork of its process."""
        if os.getpid() == process:
            self.log_left(None)


def _passed(error: BaseException, code: CodeType) -> bool:
    """Whether the exception went through a frame of this code."""
    return any(frame.f_code is code for frame, _ in traceback.walk_tb(error.__traceback__))


def _close_earlier(place: Path) -> None:
    """Close an observer of this process that still writes a log, as a notebook's cell leaves it."""
    earlier = _observers.get(place)
    if earlier is not None and earlier.is_open:
        earlier.close()
        print(
            f"firsthit: the observer of {str(place)!r} was still open: it is closed now",
            file=sys.stderr,
        )
