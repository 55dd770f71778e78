"""Hold all data of one finished run in a frozen dataclass, `RunRecord`.

Observers create a record when a run ends, worker processes send it to the main process by pickle,
and the writer of a log encodes it (`hdf5/journal.py`). A record checks itself when it is created,
because one record that a reader refuses would make the whole log unreadable.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ...suites import Problem
from ...suites.facts import ProblemId
from ...suites.measurement import STANDARD, Measurement
from ..errors import ObservationError
from .dtypes import EVALUATIONS_LIMIT, NUMBERS, TABLES, Rows, check_sizes, no_rows
from .identity import RunIdentity, check_name


@dataclass(frozen=True, slots=True)
class SuiteFacts:
    """Facts on a suite that are recorded with each of its runs.

    Attributes:
        name: Name of the suite.
        version: Version of its definition; values of functions never change under one version.
        measurement: Recorded indicator, and the targets that apply to it.
    """

    name: str
    version: str = "1"
    measurement: Measurement = field(default=STANDARD)

    @classmethod
    def of(cls, problem: Problem, indicator: str | None = None) -> SuiteFacts:
        """Return the facts on a problem's suite.

        Args:
            problem: A problem of the suite.
            indicator: Indicator that is recorded instead of the suite's own. None: the suite's own.
        """
        measurement = problem.measurement
        if indicator is not None and indicator != measurement.indicator:
            final = measurement.final_target if problem.number_of_objectives == 1 else None
            measurement = Measurement(indicator, measurement.targets, final)
        return cls(problem.suite, problem.suite_version, measurement)


Status = Literal["target", "budget", "terminated", "failed", "timeout", "interrupted"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""Statuses of an ended run, in the order of their codes in the file.

Example:
    >>> from firsthit.loggers import STATUSES
    >>> STATUSES.index("budget")
    1
"""
UNKNOWN = "unknown"
READ_STATUSES = (*STATUSES, UNKNOWN)
"""Statuses of a run that was read. "unknown" is a status that a newer firsthit has added."""

Record = Literal["targets", "improvements", "targets_5", "targets_10", "sampled"]
RECORDS: tuple[Record, ...] = get_args(Record)
"""Kinds of events that a run records, in the order of their codes in the file.

``targets``: the first hits of the grid's targets. ``improvements``: every improvement. The other
kinds are for imported data, which contain only some improvements. ``targets_5`` data contain the
first hits of the targets 10**(i/5) >= 1e-8, and ``targets_10`` data those of 10**(i/10) >= 1e-8, 0
and -10**(i/10). ``sampled`` data need not contain the first hit of any target.
"""
ObservedRecord = Literal["targets", "improvements"]
OBSERVED_RECORDS: tuple[ObservedRecord, ...] = get_args(ObservedRecord)
"""Kinds that an observer can record."""

ArchiveKept = Literal["all", "final", "none"]
ARCHIVES_KEPT: tuple[ArchiveKept, ...] = get_args(ArchiveKept)
"""Points that are kept of the archive of two objectives, in the order of their codes in the file.

``all``: every point that entered the archive. ``final``: the points in it at the end of the run.
``none``: no points.
"""

MAX_TEXT_BYTES = 2000
"""Longest error text of a run, in bytes of UTF-8."""

Clock = Literal["none", "measured"]
CLOCKS: tuple[Clock, ...] = get_args(Clock)
"""Clocks that give each hit its seconds since the start of the run; "none" records no seconds."""

_TIMES = (
    "wall_seconds", "cpu_seconds", "problem_seconds", "hit_seconds", "trajectory_seconds", "origin",
)  # fmt: skip
"""Fields of a `RunRecord` that are times, or that tell whose clock measured them."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RunRecord:
    """Data of one finished run.

    Tables of rows have the types of `dtypes.TABLES`, where each is described; `FIELDS` names the
    fields whose names differ. Solutions have the shape ``(n, dimension)``, with one row for each
    recommendation, each of the first hits, or each row of `evaluated`. The best solution has the
    shape ``(dimension,)``, or ``(0,)`` if there is none.

    Raises:
        ObservationError: A value is impossible, or two values contradict each other.
    """

    identity: RunIdentity
    suite: SuiteFacts
    function_name: str
    group: str  # group of the function in the suite; may be empty
    reference_value: float  # precisions are relative to this value; NaN: there is none
    status: Status
    reference_name: str = ""  # source of the reference value; at most 200 bytes
    error: str = ""  # error of a failed run, or the reason why an optimizer ended the run
    seed: int = 0  # seed of the run; 0 <= seed < 2**64
    budget: int | None = None  # maximum number of evaluations; None: no limit
    record: Record = "targets"
    evaluations: int = 0  # number of evaluations of the objective
    evaluations_constraints: int = 0  # number of evaluations of the constraints
    best_precision: float = float("inf")  # best precision of the run; inf: no finite value
    wall_seconds: float = 0.0  # wall-clock time from the start of the run to its end
    cpu_seconds: float = 0.0  # processor time of the process during the run
    problem_seconds: float = 0.0  # wall-clock time in evaluations; estimated if they are fast
    hits: Rows = field(default_factory=partial(no_rows, TABLES["hits"]))
    trajectory: Rows = field(default_factory=partial(no_rows, TABLES["trajectory"]))
    restarts: Rows = field(default_factory=partial(no_rows, TABLES["restarts"]))
    recommendations: Rows = field(default_factory=partial(no_rows, TABLES["recommendations"]))
    recommended_solutions: NDArray[np.float64] = field(default_factory=partial(np.empty, (0, 0)))
    notes: Rows = field(default_factory=partial(no_rows, TABLES["notes"]))
    archive: Rows = field(default_factory=partial(no_rows, TABLES["archive"]))
    archive_kept: ArchiveKept = "all"
    objectives: Rows = field(default_factory=partial(no_rows, TABLES["objectives"]))
    hit_seconds: Rows = field(default_factory=partial(no_rows, TABLES["hit_seconds"]))
    trajectory_seconds: Rows = field(default_factory=partial(no_rows, TABLES["trajectory_seconds"]))
    dropped: Rows = field(default_factory=partial(no_rows, TABLES["dropped"]))
    origin: Rows = field(default_factory=partial(no_rows, TABLES["origin"]))
    target_unit: Rows = field(default_factory=partial(no_rows, TABLES["target_unit"]))
    best_solution: NDArray[np.float64] = field(default_factory=partial(np.empty, 0))
    # Recorded points: of the first rows of hits, and of the evaluations in `evaluated`.
    hit_solutions: NDArray[np.float64] = field(default_factory=partial(np.empty, (0, 0)))
    evaluated: Rows = field(default_factory=partial(no_rows, TABLES["evaluations"]))
    evaluated_solutions: NDArray[np.float64] = field(default_factory=partial(np.empty, (0, 0)))

    def __post_init__(self) -> None:
        """Check the run and clean its error text.

        Raises:
            ObservationError: A value is impossible. A log with such a run could not be read.
        """
        check_one_of(self.status, STATUSES, "status")
        check_one_of(self.record, RECORDS, "record")
        check_one_of(self.archive_kept, ARCHIVES_KEPT, "archive_kept")
        check_name(self.suite.version, "version of the suite")
        for name, value, limit in (
            ("seed", self.seed, 2**64),
            ("budget", 0 if self.budget is None else self.budget, 2**63),
            ("evaluations", self.evaluations, EVALUATIONS_LIMIT),
            (
                "evaluations_constraints",
                self.evaluations_constraints,
                EVALUATIONS_LIMIT - self.evaluations,
            ),
        ):
            if not 0 <= value < limit:
                raise self._error(f"{name} is {value!r}, not in [0, {limit})")
        self._check_tables()
        object.__setattr__(self, "error", clean_text(self.error, MAX_TEXT_BYTES))

    def _error(self, reason: str) -> ObservationError:
        """Make an error that names the run."""
        return ObservationError(f"{self.identity}: {reason}")

    def _check_tables(self) -> None:
        """Raise an ObservationError if a reader of the log would refuse the rows of a table.

        `check_content.py` has the rules for the rows of many runs. Its check of a table with a
        single run takes 0.2 ms, half of the overhead of a whole run; this one takes 7 us.
        """
        for rows in (self.hits, self.trajectory, self.archive, self.evaluated):
            if not len(rows):
                continue
            counts = rows["evaluation"]
            before, after = counts[:-1], counts[1:]
            # several points of one evaluation may enter the archive, and evaluations may overlap
            may_repeat = rows is self.archive or rows is self.evaluated
            falls = before > after if may_repeat else before >= after
            # count_nonzero takes a fifth of the time of any()
            if np.count_nonzero(falls) or not (counts[0] >= 1 and counts[-1] <= self.evaluations):
                raise self._error(
                    f"recorded evaluations must ascend from 1 to {self.evaluations}; "
                    f"they are {counts[:3]} … {counts[-3:]}"
                )
        targets = self.hits["target"]
        if np.count_nonzero(targets[1:] > targets[:-1]):
            raise self._error("targets of first hits must not rise")
        if np.count_nonzero(np.isnan(targets)):
            raise self._error("targets of first hits must not be NaN")
        for rows in (self.hit_seconds, self.trajectory_seconds):
            if len(rows) and not is_clock(rows["seconds"]):
                raise self._error("seconds must be finite, and not fall")
        dimension = self.identity.problem.dimension
        if dimension < 1:
            raise self._error(f"dimension is {dimension}; it must be at least 1")
        for rule, is_valid in check_sizes(self._count_rows(), dimension):
            if not is_valid:
                raise self._error(f"{rule}; the dimension is {dimension}")
        solutions = self.recommended_solutions
        if solutions.size and solutions.shape != (len(self.recommendations), dimension):
            raise self._error(f"recommended solutions must be rows of {dimension} numbers")
        for points in (self.hit_solutions, self.evaluated_solutions):
            if points.size and points.shape[1:] != (dimension,):
                raise self._error(f"recorded points must be rows of {dimension} numbers")

    def _count_rows(self) -> dict[str, int]:
        """Return the number of rows in each table whose size `check_sizes` checks."""
        return {
            "hits": len(self.hits),
            "trajectory": len(self.trajectory),
            "recommendations": len(self.recommendations),
            "recommended_solutions": self.recommended_solutions.size,
            "best_solutions": len(self.best_solution),
            "objectives": len(self.objectives),
            "hit_seconds": len(self.hit_seconds),
            "trajectory_seconds": len(self.trajectory_seconds),
            "origin": len(self.origin),
            "target_unit": len(self.target_unit),
            "hit_solutions": self.hit_solutions.size,
            "evaluations": len(self.evaluated),
            "evaluated_solutions": self.evaluated_solutions.size,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle arrays as their bytes, because the default takes 150 us instead of 35 us per run.

        Records travel as independent messages, so that a process that dies loses only the run that
        it was executing. The byte format of the journal is no alternative: each chunk of runs
        would need a table of texts, and decoding a chunk of one run takes 0.6 ms in the main
        process.
        """
        run, problem = self.identity, self.identity.problem
        problem_fields = problem.suite, problem.function, problem.dimension, problem.instance
        names = run.algorithm, problem_fields, run.repetition, run.campaign_seed, run.stage
        suite = self.suite.name, self.suite.version, self.suite.measurement
        values = [getattr(self, name) for name in _OTHER_FIELDS]
        packed = [v.tobytes() if isinstance(v, np.ndarray) else v for v in values]
        return _unpickle_record, (names, suite, *packed)

    @property
    def key(self) -> str:
        """Key of the run, see `RunIdentity.key`."""
        return self.identity.key

    def same_outcome(self, other: RunRecord) -> bool:
        """Return whether all fields but the times are equal.

        The times include the seconds of hits. If these are simulated, they follow from the other
        fields.
        """
        return all(
            _is_equal(getattr(self, item.name), getattr(other, item.name))
            for item in fields(self)
            if item.name not in _TIMES
        )


FIELDS = {"best_solutions": "best_solution", "evaluations": "evaluated"}
"""Field of a `RunRecord` for each table of `dtypes.TABLES` whose field has another name."""
_OTHER_FIELDS = tuple(
    item.name for item in fields(RunRecord) if item.name not in ("identity", "suite")
)


def _unpickle_record(names: tuple[Any, ...], suite: tuple[Any, ...], *packed: Any) -> RunRecord:
    """Return the record that `RunRecord.__reduce__` pickled, without a second check."""
    algorithm, problem_fields, *numbers = names
    identity = RunIdentity(algorithm, ProblemId(*problem_fields), *numbers)
    values = dict(zip(_OTHER_FIELDS, packed, strict=True))
    for name, dtype in TABLES.items():
        field_name = FIELDS.get(name, name)
        content = values[field_name]
        if dtype is not NUMBERS:
            values[field_name] = np.frombuffer(content, dtype) if content else no_rows(dtype)
        elif name == "best_solutions":
            values[field_name] = np.frombuffer(content)
        else:
            values[field_name] = np.frombuffer(content).reshape(-1, identity.problem.dimension)
    record = object.__new__(RunRecord)
    for name, value in (("identity", identity), ("suite", SuiteFacts(*suite)), *values.items()):
        object.__setattr__(record, name, value)
    return record


def check_one_of(value: object, allowed: tuple[str, ...], label: str) -> None:
    """Check a choice of words.

    Args:
        value: The value to check.
        allowed: The allowed words.
        label: Name of the value, for the message.

    Raises:
        ObservationError: ``value`` is not in ``allowed``.
    """
    if value not in allowed:
        raise ObservationError(f"{label} is {value!r}; allowed are: {', '.join(allowed)}")


def is_clock(seconds: NDArray[np.float64]) -> bool:
    """Return whether seconds, shape ``(n,)``, are finite, not negative, and never fall."""
    return bool(np.isfinite(seconds).all() and (np.diff(seconds, prepend=0.0) >= 0).all())


def clean_text(text: str, max_bytes: int) -> str:
    """Return a text without control characters, cut to ``max_bytes`` of UTF-8.

    Line ends and tabs remain.
    """
    if not text:
        return text
    if not text.isprintable():
        text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")
    encoded = text.encode()
    if len(encoded) <= max_bytes:
        return text
    return encoded[: max_bytes - 3].decode(errors="ignore") + "…"


def _is_equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal; arrays byte by byte, and NaN equals NaN."""
    if isinstance(a, np.ndarray):
        return bool(a.shape == b.shape and a.tobytes() == b.tobytes())
    return bool(a == b) or (a != a and b != b)
