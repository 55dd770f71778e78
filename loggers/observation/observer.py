"""Observe an algorithm in a loop of the user: ``for problem in observer(suite)``.

The loop yields one observed problem at a time. When the loop continues, the run of the problem ends
and is written to the log (`LogWriter`). A loop that is left early, by ``break`` or an exception,
leaves a run without an end. The generator of the loop cannot distinguish the two cases. Such a run
is therefore logged later, when an exception that passed through the code of the loop can be found.
"""

from __future__ import annotations

import contextlib
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
from ..errors import LogWriteError, ObservationError
from ..hdf5.files import resolve_log_path
from ..hdf5.writer import LogWriter
from ..indicators.registry import check_indicator_name
from ..records.identity import RunIdentity, check_name
from ..records.log_header import LogHeader
from ..records.points import MAX_POINT_BYTES, RecordPoints, check_max_point_bytes, parse_points
from ..records.run_record import (
    ARCHIVES_KEPT,
    CLOCKS,
    OBSERVED_RECORDS,
    ArchiveKept,
    Clock,
    ObservedRecord,
    Status,
    check_one_of,
)
from .observe import observe_problem
from .observed_problem import ObservedProblem
from .stops import RunStop, StopConditions

_NO_LIMITS = StopConditions(final_target=False)
"""Stop conditions of runs in a loop: only the user's code ends the run, and nothing else does."""

_observers: weakref.WeakValueDictionary[Path, Observer] = weakref.WeakValueDictionary()
"""Last observer of each log in this process, by the resolved path of the log."""


class Observer:
    """Observe one algorithm on the problems of suites, and write a run for each problem to a log.

    ``observer(suite)`` yields one `ObservedProblem` after the other. ``suite`` is a `Suite`, its
    name, or any iterable of problems. Use the observer as a context manager, or call ``close`` at
    the end; either writes the log file. A run ends when the loop continues. From then on, the run
    survives the end of the process, and ``read_log`` returns it. Its status is ``target`` if the
    final target was hit, else ``terminated``. A problem that was never evaluated leaves no run.

    If an exception leaves the ``with`` block, the run is logged as ``failed`` (after a
    ``KeyboardInterrupt`` as ``interrupted``), and the exception is raised again. A run that a
    ``break`` left early is logged when the observer is used again or closed. Without a ``with``
    block, the run is logged as failed if the observer is closed while the exception is handled, or
    after it ended the program.

    If another observer of this process still writes the same log, it is closed first, and a message
    is printed to stderr.

    Args:
        path: The log, ``NAME.h5``.
        algorithm: Name of the algorithm in logs and figures.
        parameters: Parameters of the algorithm, which are written to the log.
        record: ``"targets"`` records first hits of targets, ``"improvements"`` all improvements.
        resume: Whether to continue an existing log; problems whose runs it has are skipped.
        overwrite: Whether to replace an existing log. Its runs are deleted after all arguments
            have been checked.
        tuning: Effort for choosing the parameters: text, or a mapping with ``settings_tested``
            (number), ``budget_invested`` (evaluations) and any further keys.
        setup: Hardware and software of the runs: a mapping of names such as ``hardware``,
            ``language`` and ``compiler`` to text.
        indicator: Name of the indicator to which targets apply. Default: that of each suite.
        archive: Points of the archive of two objectives that are recorded: ``"all"`` points that
            entered it, the ``"final"`` points that are in it at the end, or ``"none"``.
        clock: ``"measured"`` records the wall-clock time of each hit in seconds since the start of
            the run.
        record_points: Points that are recorded with their values. ``"hits"``: those of the recorded
            hits and improvements, 40 to 80 of a run. ``"all"``: those of all evaluations.
            ``{"first": "50*D"}``: those of the first evaluations. Default: none.
        max_point_bytes: Maximum size of the points of one run, in bytes before compression. A run
            that reaches it records no further points, and logs a note. Default: 100 MB.

    Raises:
        LogExistsError: The log exists, and neither ``resume`` nor ``overwrite`` is given.
        LogFormatError: The existing file is damaged or is not a log.
        LogWriteError: The log cannot be written, or another process writes it.
        ObservationError: An argument cannot be logged.
        UnknownNameError: No indicator has this name.

    Example:
        >>> import firsthit, scipy.optimize
        >>> suite = firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-5")
        >>> with firsthit.Observer("observer.h5", algorithm="nelder-mead") as observer:
        ...     for problem in observer(suite):
        ...         x = scipy.optimize.fmin(problem, problem.initial_solution, disp=False)
        >>> table = firsthit.load("observer.h5").termination()
        >>> print(table["runs"], table["target"])
        [5] [5]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        algorithm: str,
        parameters: Mapping[str, Any] | None = None,
        record: ObservedRecord = "targets",
        resume: bool = False,
        overwrite: bool = False,
        tuning: Any = None,
        setup: Mapping[str, str | float] | None = None,
        indicator: str | None = None,
        archive: ArchiveKept = "all",
        clock: Clock = "none",
        record_points: RecordPoints | None = None,
        max_point_bytes: int = MAX_POINT_BYTES,
    ) -> None:
        self.algorithm = check_name(algorithm, "algorithm")
        check_one_of(record, OBSERVED_RECORDS, "record")
        check_one_of(archive, ARCHIVES_KEPT, "archive")
        check_one_of(clock, CLOCKS, "clock")
        point_choice = parse_points(record_points)
        check_max_point_bytes(max_point_bytes)
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
        self._points, self._max_point_bytes = point_choice, max_point_bytes
        self._open: dict[int, ObservedProblem] = {}
        algorithms = {self.algorithm: {"parameters": dict(parameters or {})}}
        header = LogHeader(algorithms, tuning=tuning, setup=setup)
        log = resolve_log_path(path)
        _close_earlier_observer(log)
        self._writer = LogWriter(path, header, resume, overwrite=overwrite)
        _observers[log] = self
        self._run_logger = _RunLogger(self.algorithm, self._writer)
        # It runs for an observer that is neither closed nor used as a context manager.
        weakref.finalize(self, self._run_logger.log_left_runs_of_process, os.getpid())

    def __call__(self, suite: Suite | str | Iterable[Problem]) -> Iterator[ObservedProblem]:
        """Yield the observed problems of a suite; the run of each ends when the loop continues.

        A second loop over the same problems makes the next repetition of each run.

        Args:
            suite: A suite, the name of a suite, or any problems.

        Raises:
            ObservationError: The observer is closed. The loop raises it if the observer is closed
                meanwhile, and if the indicator cannot measure a problem, before its first
                evaluation.
        """
        self._writer.check_open()
        self._run_logger.log_left_runs(None)
        problems = Suite(suite) if isinstance(suite, str) else suite
        return self._loop(iter(problems))

    @property
    def is_open(self) -> bool:
        """Whether runs are logged; False after `close`, and in a process that a fork made."""
        return self._writer.is_open

    def close(self) -> None:
        """End runs that are still open with the status ``terminated``, and write the log file.

        Afterwards the loop and its problems raise an ObservationError, and a second call does
        nothing. If the log could not be written, it remains open, and a second call tries again.

        Raises:
            MissingRunsError: Finished runs are not in the log, because its files were moved or
                removed, or could not be written. The message names these runs.
            LogWriteError: The log cannot be written. All finished runs are in its journals.
        """
        self._end_all(None)
        self._writer.close()

    def _loop(self, problems: Iterator[Problem]) -> Iterator[ObservedProblem]:
        """Yield the observed problems; see `__call__`."""
        loop_code = sys._getframe(1).f_code  # code of the function that contains the loop
        for index, problem in enumerate(problems):
            identity = self._run_logger.next_identity(problem)
            if identity.key in self._writer.finished_keys:
                continue
            self._writer.check_open()
            run = observe_problem(
                problem,
                identity,
                _NO_LIMITS,
                self._record,
                indicator=self._indicator,
                archive=self._archive,
                clock=self._clock,
                record_points=self._points,
                max_point_bytes=self._max_point_bytes,
            )
            run.index = index
            self._open[id(run)] = run
            try:
                yield run
            except GeneratorExit:  # by `break` or by an exception in the loop's body
                if self._open.pop(id(run), None) is not None:
                    self._run_logger.left_runs.append((run, loop_code))
                raise
            except BaseException as error:
                self._end(run, error)
                raise
            self._end(run, None)

    def _end(self, run: ObservedProblem, error: BaseException | None) -> None:
        """End and log a run, unless it has been logged; see `_RunLogger.log` for ``error``."""
        if self._open.pop(id(run), None) is not None:
            self._run_logger.log(run, error)

    def _end_all(self, error: BaseException | None) -> None:
        """End and log all open runs and those that were left early."""
        if self._writer.was_forked:  # the runs belong to the parent process
            return
        while self._run_logger.left_runs or self._open:
            # After this error the writer has the run in memory. Its method `close` writes the run,
            # or raises the error again.
            with contextlib.suppress(LogWriteError):
                self._run_logger.log_left_runs(error)
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


class _RunLogger:
    """Gives the runs of an observer their identities, and writes the runs to the log.

    It has no reference to the observer, so the observer's finalizer can use it.

    Args:
        algorithm: Name of the algorithm.
        writer: Writer of the log.

    Attributes:
        left_runs: Runs whose loop was left early. Each run comes with the code of the function that
            contains the loop.
    """

    def __init__(self, algorithm: str, writer: LogWriter) -> None:
        self.left_runs: list[tuple[ObservedProblem, CodeType]] = []
        self._algorithm = algorithm
        self._writer = writer
        self._repetitions: Counter[ProblemId] = Counter()

    def next_identity(self, problem: Problem) -> RunIdentity:
        """Return the identity of the next repetition on a problem, and count it.

        Raises:
            ObservationError: The argument is not a problem.
        """
        if not isinstance(problem, Problem):
            raise ObservationError(
                f"an observer takes problems; got {type(problem).__name__}. "
                "Make one of a function with problem_from"
            )
        repetition = self._repetitions[problem.problem_id]
        self._repetitions[problem.problem_id] += 1
        return RunIdentity(self._algorithm, problem.problem_id, repetition)

    def log(self, run: ObservedProblem, error: BaseException | None) -> None:
        """End a run and write it to the log.

        A run without evaluations and without an error is not written, and its repetition is free
        again.

        Args:
            run: The run.
            error: Exception that ended it; None: it ended regularly.

        Raises:
            LogWriteError: The run cannot be written; the writer keeps it in memory.
        """
        status: Status = "target" if run.final_target_hit else "terminated"
        message = ""
        if error is not None:
            status = "failed" if isinstance(error, Exception | RunStop) else "interrupted"
            message = f"{type(error).__name__}: {error}"
        record = run.finish(status, message)
        if error is not None or record.evaluations or record.evaluations_constraints:
            self._writer.add(record)
            return
        problem, repetition = record.identity.problem, record.identity.repetition
        if self._repetitions[problem] == repetition + 1:
            self._repetitions[problem] = repetition

    def log_left_runs(self, error: BaseException | None) -> None:
        """End and log the runs whose loops were left early, with the exception that left the loop.

        Args:
            error: Exception that may have left the loops. The exception that is being handled and
                the last uncaught exception of the process are also examined.
        """
        while self.left_runs:
            run, loop_code = self.left_runs.pop(0)
            errors = (error, sys.exception(), getattr(sys, "last_value", None))
            causes = (
                cause for cause in errors if cause is not None and _passed_code(cause, loop_code)
            )
            self.log(run, next(causes, None))

    def log_left_runs_of_process(self, process_id: int) -> None:
        """Call `log_left_runs`, but do nothing in a fork of the process with this identifier."""
        if os.getpid() == process_id:
            self.log_left_runs(None)


def _passed_code(error: BaseException, code: CodeType) -> bool:
    """Return whether an exception passed through a frame that executes ``code``."""
    return any(frame.f_code is code for frame, _ in traceback.walk_tb(error.__traceback__))


def _close_earlier_observer(log: Path) -> None:
    """Close an observer of this process that still writes a log, and print a message.

    A notebook's cell that is executed again leaves such an observer behind.
    """
    earlier = _observers.get(log)
    if earlier is not None and earlier.is_open:
        earlier.close()
        print(
            f"firsthit: the observer of {str(log)!r} was still open: it is closed now",
            file=sys.stderr,
        )
